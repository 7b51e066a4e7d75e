//! `find`: the paths of nodes.

use super::common::Common;
use super::console::Console;
use super::nodes::{self, Here, JsonNodes, NodeFormat, NodeJson};
use super::outcome::{Answer, Failure};
use super::shell;
use crate::text::Escaped;
use crate::tree::{Node, Tree, push_component};
use clap::Args;
use std::io;
use std::path::PathBuf;

/// Print the paths of nodes and of everything below them
///
/// One path a line, folders before what is in them. Names with a slash or unusual characters are
/// quoted, so that each path can be given to `cat` as it stands.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kraftlens find DIR
  kraftlens find DIR /image/cluster
  kraftlens find DIR /image/configs | grep min.insync")]
pub(crate) struct FindArgs {
    /// Metadata folder, segment or checkpoint
    path: PathBuf,

    /// Where to begin; the root when there is none
    #[arg(value_name = "NODE", default_value = ".", hide_default_value = true)]
    nodes: Vec<String>,

    /// Answer as kafka-metadata-shell 4.3.1 does of one file, byte for byte
    #[arg(long, conflicts_with = "format")]
    pub(crate) compat: bool,

    /// The form of the answer
    #[arg(long, value_enum, default_value_t = NodeFormat::Text)]
    format: NodeFormat,
}

pub(crate) fn run(args: &FindArgs, common: &Common, console: &mut Console<'_>) -> Answer {
    if args.compat {
        return shell::batch(&args.path, "find", &args.nodes, common, console);
    }
    nodes::answer(&args.path, common, |here| show(args, here, console))
}

/// Answers from a tree; true when part of it could not be answered, as was said on stderr already.
pub(crate) fn show(
    args: &FindArgs,
    here: Here<'_>,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    let tree = here.tree;
    let (found, failed) = here.resolve(&args.nodes, console);
    if args.format == NodeFormat::Kafka {
        for (argument, nodes) in &found {
            for node in nodes {
                // Kafka: paths begin with the argument as it was typed, wildcards included.
                kafka_paths(&tree, node, &mut (*argument).to_owned(), console)?;
            }
        }
    } else {
        let mut json = match args.format {
            NodeFormat::Text => None,
            format => Some(JsonNodes::begin(format, console.out)?),
        };
        for node in found.iter().flat_map(|(_, nodes)| nodes) {
            let mut path = tree.path(node);
            below(&tree, node, &mut path, &mut |node, path| match &mut json {
                None => writeln!(console.out, "{path}"),
                Some(json) => json.node(&NodeJson::of(&tree, node, path), console.out),
            })?;
        }
        if let Some(json) = json {
            json.end(console.out)?;
        }
    }
    Ok(failed)
}

/// Hands a node and all below it to `each`, with their paths, parents first. The path is built on the
/// way down: asking the tree for each would cost a search among its siblings.
fn below(
    tree: &Tree<'_>,
    node: &Node,
    path: &mut String,
    each: &mut dyn FnMut(&Node, &str) -> io::Result<()>,
) -> io::Result<()> {
    each(node, path)?;
    if !tree.is_directory(node) {
        return Ok(());
    }
    let length = path.len();
    for child in tree.children(node) {
        push_component(path, &child.name);
        below(tree, &child.node, path, each)?;
        path.truncate(length);
    }
    Ok(())
}

/// The same as Kafka's shell prints it: nothing is quoted.
fn kafka_paths(
    tree: &Tree<'_>,
    node: &Node,
    path: &mut String,
    console: &mut Console<'_>,
) -> io::Result<()> {
    if console.terminal {
        writeln!(console.out, "{}", Escaped(path))?;
    } else {
        writeln!(console.out, "{path}")?;
    }
    if !tree.is_directory(node) {
        return Ok(());
    }
    let length = path.len();
    for child in tree.children(node) {
        // Kafka: a slash at the end of what was typed is doubled, but for the root's.
        if path != "/" {
            path.push('/');
        }
        path.push_str(&child.name);
        kafka_paths(tree, &child.node, path, console)?;
        path.truncate(length);
    }
    Ok(())
}
