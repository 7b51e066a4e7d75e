//! What `ls`, `cat`, `find` and `tree` have in common: NODE arguments, formats, and nodes as JSON.

use super::common::Common;
use super::console::{Console, Paint, Tone};
use super::outcome::{Answer, Failure, Outcome, complain};
use super::suggest::complain_of_missing;
use crate::error::{Error, ErrorKind, Place};
use crate::text::{Escaped, PadRight, display_width, escape};
use crate::tree::{Facts, Line, Node, Tree};
use clap::ValueEnum;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// The formats of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NodeFormat {
    /// For people; may change
    Text,
    /// One JSON document: {"version": 1, "nodes": [...]}
    Json,
    /// One JSON object a line, without the document around them
    Jsonl,
    /// What Kafka's metadata shell prints
    Kafka,
}

/// What a node is, as JSON has it.
#[derive(Debug, Serialize)]
pub(crate) struct NodeJson<'a> {
    /// Quoted so that it leads back to the node.
    pub(crate) path: &'a str,
    pub(crate) kind: &'static str,
    pub(crate) directory: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) facts: Option<Facts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) children: Option<Vec<NodeJson<'a>>>,
}

impl<'a> NodeJson<'a> {
    pub(crate) fn of(tree: &Tree<'_>, node: &Node, path: &'a str) -> Self {
        Self {
            path,
            kind: kind(node),
            directory: tree.is_directory(node),
            note: note(tree, node).map(|(_, note)| note),
            facts: None,
            children: None,
        }
    }
}

/// Writes nodes as one document or one a line, as they come.
pub(crate) struct JsonNodes {
    document: bool,
    any: bool,
}

impl JsonNodes {
    /// Begins; with a document around the nodes when the format is `json`.
    pub(crate) fn begin(format: NodeFormat, out: &mut dyn Write) -> io::Result<Self> {
        let document = format == NodeFormat::Json;
        if document {
            out.write_all(b"{\"version\":1,\"nodes\":[\n")?;
        }
        Ok(Self {
            document,
            any: false,
        })
    }

    pub(crate) fn node(&mut self, node: &NodeJson<'_>, out: &mut dyn Write) -> io::Result<()> {
        if self.document && self.any {
            out.write_all(b",\n")?;
        }
        self.any = true;
        serde_json::to_writer(&mut *out, node)?;
        if self.document {
            return Ok(());
        }
        out.write_all(b"\n")
    }

    pub(crate) fn end(self, out: &mut dyn Write) -> io::Result<()> {
        match (self.document, self.any) {
            (true, true) => out.write_all(b"\n]}\n"),
            (true, false) => out.write_all(b"]}\n"),
            (false, _) => Ok(()),
        }
    }
}

/// Reads the state of a path and answers from the root of its tree. `show` tells whether part of the
/// answer was missing.
pub(crate) fn answer(
    path: &Path,
    common: &Common,
    show: impl FnOnce(Here<'_>) -> Result<bool, Failure>,
) -> Answer {
    let state = common.read(path)?;
    let failed = show(Here::root(Tree::new(&state, common.secrets())))?;
    Ok(Outcome {
        failed,
        ..Outcome::of(state.findings())
    })
}

/// A tree, and the folder of it that paths without a slash at their head begin at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Here<'a> {
    pub(crate) tree: Tree<'a>,
    /// A path as [`Tree::path`] writes it.
    pub(crate) at: &'a str,
}

impl<'a> Here<'a> {
    /// At the root.
    pub(crate) fn root(tree: Tree<'a>) -> Self {
        Self { tree, at: "/" }
    }

    /// A path that was typed here, from the root.
    pub(crate) fn absolute<'p>(&self, typed: &'p str) -> Cow<'p, str> {
        if typed.starts_with('/') {
            typed.into()
        } else {
            format!("{}/{typed}", self.at).into()
        }
    }

    /// The nodes that arguments lead to, each argument with its own; what leads nowhere is told on
    /// stderr and makes the second value true.
    pub(crate) fn resolve<'p>(
        &self,
        arguments: &'p [String],
        console: &mut Console<'_>,
    ) -> (Vec<(&'p str, Vec<Node>)>, bool) {
        let mut missing = false;
        let mut found = Vec::new();
        for argument in arguments {
            let path = self.absolute(argument);
            let nodes = self.tree.find(&path);
            if nodes.is_empty() {
                complain_of_missing(&self.tree, &path, console.err);
                missing = true;
            } else {
                found.push((argument.as_str(), nodes));
            }
        }
        (found, missing)
    }
}

/// Says that a node has nothing to print of its own.
pub(crate) fn complain_of_directory(path: &str, console: &mut Console<'_>) {
    let _ = writeln!(console.err, "kraftlens: {path}: is a directory");
    let _ = writeln!(
        console.err,
        "hint: `kraftlens ls` lists what is in it, `tree` shows all below it"
    );
}

/// Says that there is nothing below a node.
pub(crate) fn complain_of_no_folder(path: &str, console: &mut Console<'_>) {
    let _ = writeln!(console.err, "kraftlens: {}: is no folder", Escaped(path));
}

/// Says that Kafka's shell has no such node.
pub(crate) fn complain_of_no_kafka_text(path: &str, console: &mut Console<'_>) {
    let what = format!("{path} is not in Kafka's tree and has no text of Kafka's");
    complain(
        &Error::new(ErrorKind::Usage(what), Place::default()),
        console.err,
    );
}

/// Kafka's text: as it is into a file or pipe, escaped line by line on a terminal.
pub(crate) fn kafka_text(text: &str, console: &mut Console<'_>) -> io::Result<()> {
    if !console.terminal {
        return writeln!(console.out, "{text}");
    }
    for line in text.split('\n') {
        writeln!(console.out, "{}", Escaped(line))?;
    }
    Ok(())
}

/// Facts as lines: names padded so that the values of one block stand below each other.
pub(crate) fn write_facts(
    facts: &Facts,
    indent: usize,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let lines = facts.lines();
    let mut widths = Vec::with_capacity(lines.len());
    let mut rest = lines.as_slice();
    while let Some(first) = rest.first() {
        // A block: what is nested at least as deep; only its own level counts for the width.
        let same = rest
            .iter()
            .position(|line| line.depth < first.depth)
            .unwrap_or(rest.len());
        let block = rest.get(..same).unwrap_or_default();
        let width = width_of(block, first.depth);
        let next = block
            .iter()
            .position(|line| line.depth != first.depth)
            .unwrap_or(same)
            .max(1);
        widths.extend(std::iter::repeat_n((first.depth, width), next));
        rest = rest.get(next..).unwrap_or_default();
    }
    // The outermost block goes on after nested ones with the width it began with.
    let outer = width_of(&lines, 0);
    for (line, (depth, width)) in lines.iter().zip(widths) {
        let width = if depth == 0 { outer } else { width };
        let blanks = indent.saturating_add(depth.saturating_mul(2));
        write!(out, "{:blanks$}", "")?;
        if line.label.is_empty() {
            writeln!(out, "{}", Escaped(&line.value))?;
        } else if line.value.is_empty() {
            writeln!(out, "{}", paint.text(Tone::Quiet, escape(&line.label)))?;
        } else {
            let label = escape(&line.label);
            let padded = PadRight(&label, width).to_string();
            writeln!(
                out,
                "{}  {}",
                paint.text(Tone::Quiet, padded),
                Escaped(&line.value)
            )?;
        }
    }
    Ok(())
}

/// The widest label of a level that has a value beside it, up to what leaves room for values.
fn width_of(lines: &[Line], depth: usize) -> usize {
    const WIDEST: usize = 40;
    lines
        .iter()
        .filter(|line| line.depth == depth && !line.value.is_empty())
        .map(|line| display_width(&escape(&line.label)))
        .filter(|width| *width <= WIDEST)
        .max()
        .unwrap_or(0)
}

/// What is to be seen of a node at a glance, beside its name: that a controller is marked, that a
/// broker is fenced, what a finding says.
pub(crate) fn note(tree: &Tree<'_>, node: &Node) -> Option<(Tone, String)> {
    let state = tree.state();
    let image = state.image();
    let notice = |text: String| Some((Tone::Notice, text));
    match node {
        Node::Controller(id) | Node::Voter(id) | Node::Mark(id) => {
            let mark = mark_words(tree, *id)?;
            let live = image
                .quorum()
                .voters()
                .is_some_and(|set| set.voters.iter().any(|v| v.id.0 == *id));
            if live {
                return Some((Tone::Bad, format!("{mark}, but a live voter")));
            }
            notice(mark)
        }
        Node::Broker(id) => {
            let broker = image.cluster().brokers().get(id)?;
            match (broker.fenced, broker.in_controlled_shutdown) {
                (true, _) => notice("fenced".to_owned()),
                (false, true) => notice("in controlled shutdown".to_owned()),
                (false, false) => None,
            }
        }
        Node::Topic(_, id) => {
            let partitions = image.topics().by_id(*id)?.partitions();
            let offline = partitions.iter().filter(|p| p.is_offline()).count();
            (offline > 0).then(|| (Tone::Bad, format!("{offline} offline")))
        }
        Node::PassedOver(n) => {
            let file = image.log().passed_over().get(*n)?;
            notice(format!("passed over: {}", file.why))
        }
        Node::Finding(n) => {
            let finding = state.findings().kept().get(*n)?;
            let tone = match finding.severity {
                crate::finding::Severity::Error => Tone::Bad,
                crate::finding::Severity::Warning => Tone::Notice,
                crate::finding::Severity::Info => Tone::Quiet,
            };
            Some((tone, format!("{}: {}", finding.severity, finding.summary)))
        }
        _ => None,
    }
}

/// That a controller is marked, and since when.
pub(crate) fn mark_words(tree: &Tree<'_>, id: i32) -> Option<String> {
    let image = tree.state().image();
    let mark = image.cluster().controllers().get(&id)?.mark?;
    let since = match image.log().origin(mark.since) {
        Some(origin) if origin.in_checkpoint => {
            format!(" since offset {} or before", origin.offset)
        }
        Some(origin) => format!(" since offset {}", origin.offset),
        None => String::new(),
    };
    Some(format!("marked: decommissioned{since}"))
}

/// What a node is, in a word that JSON keeps.
pub(crate) fn kind(node: &Node) -> &'static str {
    match node {
        Node::Root => "root",
        Node::Image => "image",
        Node::Provenance => "provenance",
        Node::Features => "features",
        Node::MetadataVersion => "metadata-version",
        Node::Feature(_) => "feature",
        Node::Cluster => "cluster",
        Node::Brokers => "brokers",
        Node::Broker(_) => "broker",
        Node::Controllers => "controllers",
        Node::Controller(_) => "controller",
        Node::Topics | Node::TopicsBy(_) => "topics",
        Node::Topic(..) => "topic",
        Node::TopicName(..) => "topic-name",
        Node::TopicId(..) => "topic-id",
        Node::Partition(..) => "partition",
        Node::Configs => "configs",
        Node::Resource(_) => "resource",
        Node::Config(..) => "config",
        Node::Quotas => "quotas",
        Node::Entity(_) => "entity",
        Node::Quota(..) => "quota",
        Node::ProducerIds => "producer-ids",
        Node::NextProducerId => "next-producer-id",
        Node::Acls | Node::AclsById => "acls",
        Node::Acl(_) => "acl",
        Node::Scram => "scram",
        Node::Mechanism(_) => "mechanism",
        Node::Credential(..) => "credential",
        Node::Tokens => "tokens",
        Node::Token(_) => "token",
        Node::Local => "local",
        Node::Version => "version",
        Node::Quorum => "quorum",
        Node::KraftVersion => "kraft-version",
        Node::Voters => "voters",
        Node::Voter(_) => "voter",
        Node::Leaders => "leaders",
        Node::Leader(_) => "leader",
        Node::Migration => "zk-migration-state",
        Node::StaticConfigs => "static-configs",
        Node::BrokerStaticConfigs(_) => "broker-static-configs",
        Node::StaticConfig(..) => "static-config",
        Node::Marks => "marks",
        Node::Mark(_) => "mark",
        Node::Transactions => "transactions",
        Node::Transaction(_) => "transaction",
        Node::Files => "files",
        Node::File(_) => "file",
        Node::PassedOver(_) => "passed-over",
        Node::SideFile(_) => "side-file",
        Node::Findings => "findings",
        Node::Finding(_) => "finding",
    }
}
