//! `cat`: what is known of single nodes.

use super::common::Common;
use super::console::{Console, Tone};
use super::nodes::{self, Here, JsonNodes, NodeFormat, NodeJson};
use super::outcome::{Answer, Failure};
use super::shell;
use crate::tree::{Node, Tree};
use clap::Args;
use std::path::PathBuf;

/// Show what is known of nodes: their fields, and the record that last set them
///
/// A NODE is a path as `ls`, `find` and `tree` show it, such as /image/cluster/controllers/3001. The
/// wildcards ? * and {a,b} stand for parts of one component; quote them from your shell. A component
/// in double quotes is taken as it is, with \" \\ \n and the like in it. Folders that are one object
/// (a topic, the configs of a resource) are shown too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kraftlens cat DIR /image/cluster/controllers/3001
  kraftlens cat DIR '/image/topics/byName/orders/*'
  kraftlens cat DIR '/findings/*' --format jsonl")]
pub(crate) struct CatArgs {
    /// Metadata folder, segment or checkpoint
    path: PathBuf,

    /// What to show
    #[arg(required = true, value_name = "NODE")]
    nodes: Vec<String>,

    /// Answer as kafka-metadata-shell 4.3.1 does of one file, byte for byte
    #[arg(long, conflicts_with = "format")]
    pub(crate) compat: bool,

    /// The form of the answer
    #[arg(long, value_enum, default_value_t = NodeFormat::Text)]
    format: NodeFormat,
}

pub(crate) fn run(args: &CatArgs, common: &Common, console: &mut Console<'_>) -> Answer {
    if args.compat {
        return shell::batch(&args.path, "cat", &args.nodes, common, console);
    }
    nodes::answer(&args.path, common, |here| show(args, here, console))
}

/// Answers from a tree; true when part of it could not be answered, as was said on stderr already.
pub(crate) fn show(
    args: &CatArgs,
    here: Here<'_>,
    console: &mut Console<'_>,
) -> Result<bool, Failure> {
    let tree = here.tree;
    let (found, mut failed) = here.resolve(&args.nodes, console);
    let nodes = found.into_iter().flat_map(|(_, nodes)| nodes);
    match args.format {
        NodeFormat::Text => {
            let mut any = false;
            for node in nodes {
                let path = tree.path(&node);
                if is_plain_directory(&tree, &node) {
                    nodes::complain_of_directory(&path, console);
                    failed = true;
                    continue;
                }
                if std::mem::replace(&mut any, true) {
                    writeln!(console.out)?;
                }
                writeln!(console.out, "{}", console.paint.text(Tone::Heading, &path))?;
                if let Some((tone, note)) = nodes::note(&tree, &node) {
                    let note = crate::text::escape(&note).into_owned();
                    writeln!(console.out, "  {}", console.paint.text(tone, note))?;
                }
                nodes::write_facts(&tree.facts(&node), 2, console.paint, console.out)?;
            }
        }
        NodeFormat::Json | NodeFormat::Jsonl => {
            let mut json = JsonNodes::begin(args.format, console.out)?;
            for node in nodes {
                let path = tree.path(&node);
                if is_plain_directory(&tree, &node) {
                    nodes::complain_of_directory(&path, console);
                    failed = true;
                    continue;
                }
                let mut one = NodeJson::of(&tree, &node, &path);
                one.facts = Some(tree.facts(&node));
                json.node(&one, console.out)?;
            }
            json.end(console.out)?;
        }
        NodeFormat::Kafka => {
            for node in nodes {
                if let Some(text) = tree.kafka_text(&node) {
                    nodes::kafka_text(&text, console)?;
                    continue;
                }
                let path = tree.path(&node);
                if tree.is_directory(&node) {
                    nodes::complain_of_directory(&path, console);
                } else {
                    nodes::complain_of_no_kafka_text(&path, console);
                }
                failed = true;
            }
        }
    }
    Ok(failed)
}

/// A folder that only holds others, and is no object itself.
fn is_plain_directory(tree: &Tree<'_>, node: &Node) -> bool {
    tree.is_directory(node) && tree.facts(node).is_empty()
}
