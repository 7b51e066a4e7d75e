//! `info`: the first screen, of one copy of the metadata or of several.

mod attention;
mod batches;
mod copies;
mod page;
mod quorum;
mod report;
mod tally;
mod text;

use super::common::Common;
use super::console::{Console, Tone};
use super::outcome::{Answer, Failure, Outcome, complain};
use crate::error::ErrorKind;
use crate::image::State;
use crate::log::Log;
use crate::text::Escaped;
use crate::tree::Tree;
use clap::{Args, ValueEnum};
use copies::Copy;
use report::Report;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tell what is here: identity, span, quorum, features, counts, damage
///
/// The first lines say whether all could be read and what needs a look. Then: whose copy this is, up to
/// which offset it goes, voters and leader, marked controllers, brokers, partitions that are offline or
/// short of replicas, records by type, and what was found wrong, worst first.
///
/// When several metadata folders are below PATH, all are read: a table first, then each cluster as its
/// furthest copy tells it, then a few lines on every other copy.
///
/// Partitions count as `kafka-topics` counts them. The min.insync.replicas of a partition is that of
/// its topic, else of the broker that leads, else of the cluster, else what the leader reported of its
/// configuration file, else 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kraftlens info /var/lib/kafka/metadata/__cluster_metadata-0
  kraftlens info COPIES_OF_ALL_NODES
  kraftlens info DIR --format json")]
pub(crate) struct InfoArgs {
    /// Metadata folder, segment or checkpoint, or a folder with those of several nodes
    path: PathBuf,

    /// The form of the answer
    #[arg(long, value_enum, default_value_t = InfoFormat::Text)]
    format: InfoFormat,
}

/// The formats of `info`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum InfoFormat {
    /// For people; may change
    Text,
    /// One JSON document: {"version": 1, "path": ..., "copies": [...]}
    Json,
}

impl InfoArgs {
    /// With every setting as it is when nothing is asked for.
    pub(crate) fn of(path: PathBuf) -> Self {
        Self {
            path,
            format: InfoFormat::Text,
        }
    }
}

pub(crate) fn run(args: &InfoArgs, common: &Common, console: &mut Console<'_>) -> Answer {
    let mut outcome = Outcome::default();
    let mut copies = Vec::new();
    match Log::open(&args.path, &common.options()) {
        Ok(log) => copies.push(read(log, &args.path, common, &mut outcome)),
        Err(error) => {
            let ErrorKind::SeveralMetadata(folders) = error.kind() else {
                return Err(error.into());
            };
            // One at a time: only what is reported of each stays in memory.
            for folder in folders {
                match Log::open(folder, &common.options()) {
                    Ok(log) => copies.push(read(log, folder, common, &mut outcome)),
                    Err(error) => {
                        complain(&error, console.err);
                        outcome.failed = true;
                    }
                }
            }
        }
    }
    match args.format {
        InfoFormat::Json => json(&args.path, &copies, console)?,
        InfoFormat::Text => several(&args.path, &copies, console)?,
    }
    Ok(outcome)
}

fn read(log: Log, path: &Path, common: &Common, outcome: &mut Outcome) -> Report {
    let state = State::read(Arc::new(log));
    outcome.findings.extend(state.findings().clone());
    Report::of(&Tree::new(&state, common.secrets()), path)
}

fn json(path: &Path, copies: &[Report], console: &mut Console<'_>) -> Result<(), Failure> {
    #[derive(serde::Serialize)]
    struct Document<'a> {
        version: u32,
        path: std::borrow::Cow<'a, str>,
        copies: &'a [Report],
    }
    let document = Document {
        version: 1,
        path: path.to_string_lossy(),
        copies,
    };
    serde_json::to_writer_pretty(&mut console.out, &document)?;
    Ok(writeln!(console.out)?)
}

fn several(path: &Path, reports: &[Report], console: &mut Console<'_>) -> std::io::Result<()> {
    let (paint, out) = (console.paint, &mut *console.out);
    if let [only] = reports {
        return text::whole(only, paint, out);
    }
    let copies = copies::sort(reports);
    copies::table(path, &copies, paint, out)?;
    for copy in &copies {
        writeln!(out)?;
        let heading = Escaped(&copy.report().path).to_string();
        match copy {
            Copy::Furthest(report) => text::whole(report, paint, out)?,
            Copy::Other(report, furthest) => {
                writeln!(out, "{}", paint.text(Tone::Heading, heading))?;
                copies::other(report, furthest, paint, out)?;
            }
        }
    }
    Ok(())
}
