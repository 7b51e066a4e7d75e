//! `tree`: nodes with all that is in them.

use super::common::Common;
use super::console::{Console, Tone};
use super::nodes::{self, Here, JsonNodes, NodeFormat, NodeJson, write_facts};
use super::outcome::{Answer, Failure, usage};
use super::shell;
use crate::text::{Escaped, display_width, escape};
use crate::tree::{Fact, Facts, Node, Tree, Value, push_component, quote};
use clap::{Args, ValueEnum};
use std::io;
use std::path::PathBuf;

/// Print nodes with everything below them
///
/// Without NODE that is /image, the tree of Kafka's metadata shell. Beside it stand /quorum, /marks,
/// /static-configs, /transactions, /files and /findings; NODE / shows all.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kraftlens tree DIR /image/cluster
  kraftlens tree DIR / --format jsonl
  kraftlens tree DIR --format kafka-jsonl --reveal   # for comparing with Kafka")]
pub(crate) struct TreeArgs {
    /// Metadata folder, segment or checkpoint
    path: PathBuf,

    /// Where to begin; /image when there is none
    #[arg(value_name = "NODE")]
    nodes: Vec<String>,

    /// Answer as kafka-metadata-shell 4.3.1 does of one file, byte for byte
    #[arg(long, conflicts_with = "format")]
    pub(crate) compat: bool,

    /// The form of the answer
    #[arg(long, value_enum, default_value_t = TreeFormat::Text)]
    format: TreeFormat,
}

/// The formats of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    /// For people, in the layout of Kafka's metadata shell; may change
    Text,
    /// One JSON document: {"version": 1, "nodes": [...]}
    Json,
    /// One JSON object a line, without the document around them
    Jsonl,
    /// What Kafka's metadata shell prints
    Kafka,
    /// Kafka's tree as a server holds it, a {"path","kind","text"} a line; takes no NODE
    KafkaJsonl,
}

pub(crate) fn run(args: &TreeArgs, common: &Common, console: &mut Console<'_>) -> Answer {
    if args.compat {
        return shell::batch(&args.path, "tree", &args.nodes, common, console);
    }
    if args.format == TreeFormat::KafkaJsonl && !args.nodes.is_empty() {
        return Err(usage(
            "--format kafka-jsonl shows all of Kafka's tree and takes no NODE",
        ));
    }
    nodes::answer(&args.path, common, |here| show(args, here, console))
}

/// Answers from a tree; true when part of it could not be answered, as was said on stderr already.
pub(crate) fn show(
    args: &TreeArgs,
    here: Here<'_>,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    let tree = here.tree;
    let usual = [if here.at == "/" { "/image" } else { "." }.to_owned()];
    let wanted = if args.nodes.is_empty() {
        usual.as_slice()
    } else {
        &args.nodes
    };
    let (found, failed) = here.resolve(wanted, console);
    let found: Vec<Node> = found.into_iter().flat_map(|(_, nodes)| nodes).collect();
    match args.format {
        TreeFormat::KafkaJsonl => tree.kafka_lines(&mut |line| {
            writeln!(console.out, "{line}")?;
            Ok::<_, Failure>(())
        })?,
        TreeFormat::Text => {
            for node in &found {
                text(&tree, node, 0, console)?;
            }
        }
        TreeFormat::Kafka => {
            for node in &found {
                kafka(&tree, node, 0, console)?;
            }
        }
        TreeFormat::Json | TreeFormat::Jsonl => {
            let format = match args.format {
                TreeFormat::Json => NodeFormat::Json,
                _ => NodeFormat::Jsonl,
            };
            let mut json = JsonNodes::begin(format, console.out)?;
            for node in &found {
                let mut path = tree.path(node);
                as_json(&tree, node, &mut path, &mut json, console)?;
            }
            json.end(console.out)?;
        }
    }
    Ok(failed)
}

const INDENT: usize = 2;

/// Kafka's layout with readable values: what fits a line stands beside the name, the rest below it.
fn text(tree: &Tree<'_>, node: &Node, depth: usize, console: &mut Console<'_>) -> io::Result<()> {
    let blanks = depth.saturating_mul(INDENT);
    if !tree.is_directory(node) {
        let facts = without_origin(tree.facts(node));
        return write_facts(&facts, blanks, console.paint, console.out);
    }
    for child in tree.children(node) {
        let quoted = quote(&child.name);
        let taken = blanks.saturating_add(display_width(&quoted));
        let name = console.paint.text(Tone::Heading, quoted);
        write!(console.out, "{:blanks$}{name}:", "")?;
        if let Some((tone, note)) = nodes::note(tree, &child.node) {
            write!(
                console.out,
                "  ({})",
                console.paint.text(tone, Escaped(&note))
            )?;
        }
        if tree.is_directory(&child.node) {
            writeln!(console.out)?;
            text(tree, &child.node, depth.saturating_add(1), console)?;
            continue;
        }
        let facts = without_origin(tree.facts(&child.node));
        match short(&child.node, &facts, taken) {
            Some(value) => writeln!(console.out, " {value}")?,
            None => {
                writeln!(console.out)?;
                let blanks = blanks.saturating_add(INDENT);
                write_facts(&facts, blanks, console.paint, console.out)?;
            }
        }
    }
    Ok(())
}

/// The value of a leaf when it fits on the line of its name.
fn short(node: &Node, facts: &Facts, taken: usize) -> Option<String> {
    const WIDTH: usize = 80;
    let value = match node {
        Node::Config(..) | Node::Quota(..) | Node::StaticConfig(..) => facts.get("value")?.inline(),
        Node::TopicName(..) => facts.get("name")?.inline(),
        Node::TopicId(..) => facts.get("id")?.inline(),
        Node::NextProducerId => facts.get("nextProducerId")?.inline(),
        Node::Version => facts.get("version")?.inline(),
        Node::Feature(_) => facts.get("level")?.inline(),
        Node::MetadataVersion => match facts.get("name") {
            Some(name) => format!("{} ({})", name.inline(), facts.get("level")?.inline()),
            None => "none".to_owned(),
        },
        _ => {
            let value = facts.inline();
            let fits = display_width(&value)
                .saturating_add(taken)
                .saturating_add(2)
                <= WIDTH;
            return fits.then(|| escape(&value).into_owned());
        }
    };
    Some(escape(&value).into_owned())
}

/// Facts without the records they come from, which `cat` tells.
fn without_origin(facts: Facts) -> Facts {
    const ORIGINS: [&str; 3] = ["origin", "registered", "created"];
    let is_origin =
        |fact: &Fact| ORIGINS.contains(&fact.key.as_str()) && matches!(fact.value, Value::Facts(_));
    facts.without(is_origin)
}

/// The shell's own form (`TreeCommandHandler`): leaves' texts indented below their names.
fn kafka(tree: &Tree<'_>, node: &Node, depth: usize, console: &mut Console<'_>) -> io::Result<()> {
    let blanks = " ".repeat(depth.saturating_mul(INDENT));
    if !tree.is_directory(node) {
        let text = tree.kafka_text(node).unwrap_or_default();
        for line in text.split('\n') {
            nodes::kafka_text(&format!("{blanks}{line}"), console)?;
        }
        return Ok(());
    }
    for child in tree.children(node) {
        nodes::kafka_text(&format!("{blanks}{}:", child.name), console)?;
        kafka(tree, &child.node, depth.saturating_add(1), console)?;
    }
    Ok(())
}

fn as_json(
    tree: &Tree<'_>,
    node: &Node,
    path: &mut String,
    json: &mut JsonNodes,
    console: &mut Console<'_>,
) -> io::Result<()> {
    let mut one = NodeJson::of(tree, node, path);
    if !one.directory {
        one.facts = Some(tree.facts(node));
        return json.node(&one, console.out);
    }
    json.node(&one, console.out)?;
    let length = path.len();
    for child in tree.children(node) {
        push_component(path, &child.name);
        as_json(tree, &child.node, path, json, console)?;
        path.truncate(length);
    }
    Ok(())
}
