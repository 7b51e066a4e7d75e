//! `records`: batches and records, one by one.

mod dump_log;
mod jsonl;
mod line;
mod object;
mod readable;
mod secrecy;
mod select;
mod tags;
mod text;
mod transactions;
mod walk;

use super::common::Common;
use super::console::Console;
use super::outcome::{Answer, Outcome};
use crate::ids::{Offset, Timestamp};
use crate::log::{Log, LogFile};
use crate::text::Escaped;
use clap::{Args, ValueEnum};
use select::{ObjectChoice, Selection, TypeChoice};
use std::path::PathBuf;
use transactions::Transactions;

/// Print batches and records, one by one
///
/// A file is printed as it is. Of a folder all segments are printed in order. The records of its
/// checkpoint come first whenever the log does not hold all that the checkpoint stands for, from
/// offset 0 to its end; otherwise the log alone tells it all. A line on stderr says what was read.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Objects:
  orders, topic:orders, topic:ID   a topic: its records, partitions and configs
  partition:orders-3               one partition
  broker:3                         registration and configs of a broker
  controller:3003                  registration of a controller, epochs it leads, voter sets with it
  config:TOPIC:orders              configs of a resource: TOPIC, BROKER, GROUP, ...; config:BROKER: is
                                   the default of all brokers
  config:retention.ms              one config key of any resource
  user:alice                       credentials, quotas, ACLs and tokens of a user
  client:app                       quotas of a client id
  acl:ID, token:ID                 an ACL, a delegation token
  feature:metadata.version         a feature

Offsets and times are those of the log: all records of a checkpoint count as its last offset and time.")]
pub(crate) struct RecordsArgs {
    /// A metadata folder, a segment or a checkpoint
    path: PathBuf,

    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Only records of these types: TOPIC_RECORD, TopicRecord, topic or 2; LEADER_CHANGE or control:2
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',', value_parser = select::parse_type)]
    types: Vec<TypeChoice>,

    /// Only records about this object, see below
    #[arg(long, value_name = "OBJECT", value_parser = select::parse_object)]
    object: Option<ObjectChoice>,

    /// Only records from this offset on
    #[arg(long, value_name = "OFFSET")]
    from: Option<i64>,

    /// Only records up to this offset, itself included
    #[arg(long, value_name = "OFFSET")]
    to: Option<i64>,

    /// Only records of this time or later, as in 2026-01-01T00:00:00Z
    #[arg(long, value_name = "TIME", value_parser = select::parse_bound)]
    since: Option<Timestamp>,

    /// Only records of this time or earlier
    #[arg(long, value_name = "TIME", value_parser = select::parse_bound)]
    until: Option<Timestamp>,

    /// Text format: give each NoOp record its line instead of one line for a run of them
    #[arg(long)]
    noops: bool,
}

/// How records are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: a line a batch, a line a record
    Text,
    /// An object a line for each batch, record and finding
    Jsonl,
    /// The lines of kafka-dump-log 4.4.0 --cluster-metadata-decoder
    DumpLog,
}

impl RecordsArgs {
    fn selection(&self) -> Selection {
        Selection {
            types: self.types.clone(),
            object: self.object.clone(),
            from: self.from.map(Offset),
            to: self.to.map(Offset),
            since: self.since,
            until: self.until,
        }
    }
}

pub(crate) fn run(args: &RecordsArgs, common: &Common, console: &mut Console<'_>) -> Answer {
    let log = Log::open(&args.path, &common.options())?;
    let files = files(&log);
    say_what_is_read(&log, &files, console)?;
    let transactions = match args.format {
        Format::DumpLog => Transactions::default(),
        Format::Text | Format::Jsonl => Transactions::of(&log),
    };
    let mut selection = args.selection();
    // What is later than --at is not printed either; offsets of a lone checkpoint are its own.
    if let Some(until) = log.until().filter(|_| !log.segments().is_empty()) {
        selection.to = Some(selection.to.map_or(until, |to| to.min(until)));
    }
    let (paint, terminal, reveal) = (console.paint, console.terminal, common.reveal);
    let mut form: Box<dyn walk::Form + '_> = match args.format {
        Format::Text => Box::new(text::Text::new(console.out, paint, reveal, args.noops)),
        Format::Jsonl => Box::new(jsonl::JsonLines::new(console.out, reveal)),
        Format::DumpLog => Box::new(dump_log::DumpLog::new(console.out, reveal, terminal)),
    };
    let mut findings = log.findings().clone();
    let walked = walk::walk(&log, &files, &selection, &transactions, &mut *form)?;
    drop(form);
    if !selection.is_all() && walked.shown == 0 {
        writeln!(console.err, "kraftlens: no record fits")?;
    }
    findings.extend(walked.findings);
    Ok(Outcome::of(&findings))
}

/// The files to print: the checkpoint only where the log does not hold what it stands for.
fn files(log: &Log) -> Vec<&LogFile> {
    let covered = log.folder().is_some()
        && log
            .checkpoint()
            .and_then(|file| file.kind().end())
            .is_some_and(|end| holds_all_below(log, end));
    let files = if covered { log.segments() } else { log.files() };
    files.iter().collect()
}

/// Whether the log has every offset from 0 up to here in batches that can be trusted.
fn holds_all_below(log: &Log, end: Offset) -> bool {
    let mut next = Offset(0);
    for batch in log.batches().filter(|batch| !batch.in_checkpoint()) {
        if next >= end {
            break;
        }
        if !batch.is_trusted() || batch.header().base_offset != next {
            return false;
        }
        next = batch.header().next_offset();
    }
    // The 0-0 checkpoint holds what no log does.
    end.0 > 0 && next >= end
}

fn say_what_is_read(
    log: &Log,
    files: &[&LogFile],
    console: &mut Console<'_>,
) -> std::io::Result<()> {
    let Some(folder) = log.folder() else {
        return Ok(());
    };
    let name = |file: &LogFile| {
        let name = file.path().file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let names: Vec<_> = files.iter().map(|file| name(file)).collect();
    let folder = folder.to_string_lossy();
    let line = format!("{folder}: reading {}", names.join(", "));
    writeln!(console.err, "{}", Escaped(&line))?;
    let unread = log
        .checkpoint()
        .filter(|checkpoint| files.iter().all(|file| file.path() != checkpoint.path()));
    if let Some(checkpoint) = unread {
        let line = format!(
            "passed over: {} (the log holds everything up to its end)",
            name(checkpoint)
        );
        writeln!(console.err, "{}", Escaped(&line))?;
    }
    for file in log.passed_over() {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        let line = format!("passed over: {name} ({})", file.why);
        writeln!(console.err, "{}", Escaped(&line))?;
    }
    Ok(())
}
