//! `ls`: the names in a folder of nodes.

use super::common::Common;
use super::console::{Console, Tone};
use super::nodes::{self, Here, JsonNodes, NodeFormat, NodeJson};
use super::outcome::{Answer, Failure};
use super::{layout, shell};
use crate::text::{Escaped, PadRight, display_width, escape};
use crate::tree::{Node, Tree, push_component, quote};
use clap::Args;
use std::io;
use std::path::PathBuf;

/// List the names below nodes, with what deserves a look beside them
///
/// Laid out as Kafka's metadata shell does: nodes that are no folders first, then each folder, under
/// its name when there are several. Marked controllers, fenced brokers, topics with offline partitions
/// and the like are told beside the name; `--format kafka` leaves that out.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kraftlens ls DIR
  kraftlens ls DIR /image/cluster/controllers
  kraftlens ls DIR '/image/cluster/*' --format json")]
pub(crate) struct LsArgs {
    /// Metadata folder, segment or checkpoint
    path: PathBuf,

    /// What to list; the root when there is none
    #[arg(value_name = "NODE", default_value = ".", hide_default_value = true)]
    nodes: Vec<String>,

    /// Answer as kafka-metadata-shell 4.3.1 does of one file, byte for byte
    #[arg(long, conflicts_with = "format")]
    pub(crate) compat: bool,

    /// The form of the answer
    #[arg(long, value_enum, default_value_t = NodeFormat::Text)]
    format: NodeFormat,
}

/// A line of a listing.
struct Entry {
    name: String,
    note: Option<(Tone, String)>,
}

pub(crate) fn run(args: &LsArgs, common: &Common, console: &mut Console<'_>) -> Answer {
    if args.compat {
        return shell::batch(&args.path, "ls", &args.nodes, common, console);
    }
    nodes::answer(&args.path, common, |here| show(args, here, console))
}

/// Answers from a tree; true when part of it could not be answered, as was said on stderr already.
pub(crate) fn show(
    args: &LsArgs,
    here: Here<'_>,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    let tree = here.tree;
    let (found, failed) = here.resolve(&args.nodes, console);
    let found: Vec<Node> = found.into_iter().flat_map(|(_, nodes)| nodes).collect();
    match args.format {
        NodeFormat::Text | NodeFormat::Kafka => shell(&tree, &found, args.format, console)?,
        NodeFormat::Json | NodeFormat::Jsonl => {
            let mut json = JsonNodes::begin(args.format, console.out)?;
            for node in &found {
                listing(&tree, node, &mut json, console)?;
            }
            json.end(console.out)?;
        }
    }
    Ok(failed)
}

/// The shell's batch layout (`LsCommandHandler`): leaves as one block, then a block for each folder.
fn shell(
    tree: &Tree<'_>,
    found: &[Node],
    format: NodeFormat,
    console: &mut Console<'_>,
) -> io::Result<()> {
    let entry = |name: String, node: &Node| Entry {
        note: nodes::note(tree, node).filter(|_| format == NodeFormat::Text),
        name,
    };
    let (folders, leaves): (Vec<_>, Vec<_>) =
        found.iter().partition(|node| tree.is_directory(node));
    let leaves: Vec<Entry> = leaves
        .into_iter()
        .map(|node| entry(tree.name(node), node))
        .collect();
    let headings = !leaves.is_empty() || folders.len() > 1;
    block(&leaves, format, console)?;
    let mut first = leaves.is_empty();
    for folder in folders {
        let children: Vec<Entry> = tree
            .children(folder)
            .into_iter()
            .map(|child| entry(child.name, &child.node))
            .collect();
        // Kafka: an empty folder shows nothing, and yet the next one is no longer the first.
        let is_first = std::mem::take(&mut first);
        if children.is_empty() {
            continue;
        }
        if headings {
            if !is_first {
                writeln!(console.out)?;
            }
            let name = shown(&tree.name(folder), format, console.terminal);
            writeln!(console.out, "{}:", console.paint.text(Tone::Heading, name))?;
        }
        block(&children, format, console)?;
    }
    Ok(())
}

fn block(entries: &[Entry], format: NodeFormat, console: &mut Console<'_>) -> io::Result<()> {
    const WIDEST: usize = 40;
    let shown: Vec<String> = entries
        .iter()
        .map(|entry| shown(&entry.name, format, console.terminal))
        .collect();
    if entries.iter().all(|entry| entry.note.is_none()) {
        return layout::columns(&shown, console.columns, console.out);
    }
    let noted = entries.iter().zip(&shown).filter(|(e, _)| e.note.is_some());
    let width = noted
        .map(|(_, name)| display_width(name))
        .filter(|width| *width <= WIDEST)
        .max()
        .unwrap_or(0);
    for (entry, name) in entries.iter().zip(&shown) {
        match &entry.note {
            Some((tone, note)) => {
                let note = console.paint.text(*tone, Escaped(note));
                writeln!(console.out, "{}  {note}", PadRight(name, width))?;
            }
            None => writeln!(console.out, "{name}")?,
        }
    }
    Ok(())
}

/// A name as it can be typed after its folder's path; Kafka's form is the bare name.
fn shown(name: &str, format: NodeFormat, terminal: bool) -> String {
    match format {
        NodeFormat::Kafka if terminal => escape(name).into_owned(),
        NodeFormat::Kafka => name.to_owned(),
        _ if name == "/" => name.to_owned(),
        _ => quote(name).into_owned(),
    }
}

fn listing(
    tree: &Tree<'_>,
    node: &Node,
    json: &mut JsonNodes,
    console: &mut Console<'_>,
) -> io::Result<()> {
    let path = tree.path(node);
    let mut one = NodeJson::of(tree, node, &path);
    let children = if tree.is_directory(node) {
        tree.children(node)
    } else {
        Vec::new()
    };
    let paths: Vec<String> = children
        .iter()
        .map(|child| {
            let mut below = path.clone();
            push_component(&mut below, &child.name);
            below
        })
        .collect();
    if one.directory {
        let all = children.iter().zip(&paths);
        one.children = Some(
            all.map(|(child, path)| NodeJson::of(tree, &child.node, path))
                .collect(),
        );
    }
    json.node(&one, console.out)
}
