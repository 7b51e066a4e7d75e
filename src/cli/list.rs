//! `list`: tables for people and scripts.

use super::common::Common;
use super::console::{Console, Tone};
use super::outcome::{Answer, Outcome, usage};
use super::sheet::{self, Sheet};
use crate::tables::{Column, Filter, FilterError, Kind, NoColumn, Query, Table, Type};
use crate::text::{Escaped, Thousands};
use crate::tree::{Tree, Value};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::io;
use std::path::PathBuf;

/// Print a table: topics, partitions, brokers, configs, ...
///
/// `list KIND --help` names the columns of a kind with their types and units. Names of columns may be
/// written with hyphens and in any case: under-min-isr is underMinIsr.
///
/// --where takes tests joined by and, or, not and parentheses:
///   COLUMN                    a column of yes or no
///   = != < <= > >=            leader = 3, len(isr) < len(replicas), originTime >= 2026-01-01T00:00:00Z
///   in (..), not in (..)      partition in (0, 1, 2)
///   in LIST, contains         3 in replicas, or the same as replicas contains 3
///   ~ GLOB, !~ GLOB           topic ~ orders*, with the wildcards ? * and {a,b}
///   =~ REGEX                  topic =~ '^orders-[0-9]+$'
///   is null, is not null      leader is null
///
/// Values are bare words, or quoted when they hold blanks, commas, parentheses or operators. Null is
/// unequal to every value, and neither less nor greater. Sizes may be 64K, 1.5M or 2GiB.
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    verbatim_doc_comment,
    after_help = "\
Examples:
  kraftlens list DIR partitions --where 'underMinIsr and topic !~ test-*'
  kraftlens list DIR partitions --where 'len(isr) < len(replicas)' --sort -leaderEpoch --limit 10
  kraftlens list DIR partitions --count-by leader
  kraftlens list DIR configs --where differs --format csv
  kraftlens list brokers --help"
)]
pub(crate) struct ListArgs {
    /// Metadata folder, segment or checkpoint
    #[arg(required_unless_present = "help")]
    path: Option<PathBuf>,

    /// What the rows are
    #[arg(required_unless_present = "help", value_parser = kinds())]
    kind: Option<Kind>,

    /// Keep the rows that pass this test; given several times, all of them
    #[arg(long = "where", value_name = "TEST")]
    filters: Vec<String>,

    /// Sort by these columns, the first counts most; - before a name turns its order round
    #[arg(
        long,
        value_name = "COLUMN,-COLUMN",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    sort: Vec<String>,

    /// The columns to print, in this order; text has the usual ones and other formats all of them
    /// without it
    #[arg(long, value_name = "COLUMN", value_delimiter = ',')]
    columns: Vec<String>,

    /// Print so many rows at most
    #[arg(long, value_name = "ROWS")]
    limit: Option<usize>,

    /// Print how many rows there are of each value of a column, the most frequent first
    ///
    /// A row with a list counts once for each different element, and as null when the list is empty.
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["sort", "columns"])]
    count_by: Option<String>,

    /// The form of the answer
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    format: ListFormat,

    /// Print help; with a KIND, its columns
    #[arg(short, long)]
    help: bool,
}

/// The formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people; may change
    Text,
    /// Comma-separated, for spreadsheets; null and empty look the same
    Csv,
    /// One JSON document: {"version": 1, "kind": KIND, "rows": [...]}
    Json,
    /// One JSON object a line, without the document around them
    Jsonl,
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    let names = Kind::ALL.map(|kind| PossibleValue::new(kind.name()).help(kind.about()));
    PossibleValuesParser::new(names)
        .try_map(|name| Kind::named(&name).ok_or("no kind of table has this name"))
}

pub(crate) fn run(args: &ListArgs, common: &Common, console: &mut Console<'_>) -> Answer {
    if args.help {
        return help(args, console);
    }
    let (Some(path), Some(kind)) = (&args.path, args.kind) else {
        return Err(usage("list takes a PATH and a KIND"));
    };
    // What is wrong with the question is told before the input is read.
    let asked = match Asked::of(args, kind) {
        Ok(asked) => asked,
        Err(wrong) => return wrong.tell(console),
    };
    if args.format == ListFormat::Csv && !cfg!(feature = "csv") {
        return Err(usage(
            "this build has no CSV: it was made without the feature csv",
        ));
    }
    let state = common.read(path)?;
    let tree = Tree::new(&state, common.secrets());
    let table = Table::new(tree, kind);
    match asked.count_by {
        Some(column) => counts(&table, &asked.query, column, args.format, console)?,
        None => rows(&table, &asked.query, &asked.columns, args.format, console)?,
    }
    if kind == Kind::Findings {
        tell_of_more_findings(state.findings(), console);
    }
    Ok(Outcome::of(state.findings()))
}

/// What is asked for, as far as it makes sense.
struct Asked {
    query: Query,
    columns: Vec<&'static Column>,
    count_by: Option<&'static Column>,
}

enum Wrong {
    Filter(FilterError),
    Column(&'static str, NoColumn),
}

impl Asked {
    fn of(args: &ListArgs, kind: Kind) -> Result<Self, Wrong> {
        let column = |flag: &'static str, name: &str| {
            kind.column(name.trim())
                .map_err(|no| Wrong::Column(flag, no))
        };
        let filters = args.filters.iter().map(|text| Filter::parse(text, kind));
        let sort = args
            .sort
            .iter()
            .map(|name| match name.trim().strip_prefix('-') {
                Some(name) => Ok((column("--sort", name)?, true)),
                None => Ok((column("--sort", name)?, false)),
            });
        let chosen = args.columns.iter().map(|name| column("--columns", name));
        let mut columns = chosen.collect::<Result<Vec<_>, _>>()?;
        if columns.is_empty() {
            let all = args.format != ListFormat::Text;
            columns = kind.columns().filter(|c| all || c.usual).collect();
        }
        Ok(Self {
            query: Query {
                filters: filters.collect::<Result<_, _>>().map_err(Wrong::Filter)?,
                sort: sort.collect::<Result<_, _>>()?,
                limit: args.limit,
            },
            columns,
            count_by: match &args.count_by {
                Some(name) => Some(column("--count-by", name)?),
                None => None,
            },
        })
    }
}

impl Wrong {
    /// Says what is wrong, and points at it.
    fn tell(self, console: &mut Console<'_>) -> Answer {
        let hint = match self {
            Self::Filter(error) => {
                let (text, marks) = error.pointer();
                writeln!(
                    console.err,
                    "kraftlens: --where: {}",
                    Escaped(&error.message)
                )?;
                writeln!(console.err, "  {text}\n  {marks}")?;
                error.hint
            }
            Self::Column(flag, no) => {
                writeln!(
                    console.err,
                    "kraftlens: {flag}: {}",
                    Escaped(&no.to_string())
                )?;
                Some(match no.nearest {
                    Some(name) => format!("did you mean {name}"),
                    None => format!("`kraftlens list {} --help` names the columns", no.kind),
                })
            }
        };
        if let Some(hint) = hint {
            writeln!(console.err, "hint: {}", Escaped(&hint))?;
        }
        Ok(Outcome::failed())
    }
}

fn rows(
    table: &Table<'_>,
    query: &Query,
    columns: &[&'static Column],
    format: ListFormat,
    console: &mut Console<'_>,
) -> io::Result<()> {
    let names = columns.iter().map(|c| (c.name, c.kind)).collect();
    let mut sheet = sheet::begin(format, table.kind().name(), "rows", names, console)?;
    query.run(table, &mut |item| {
        let values = columns.iter().map(|column| column.value(&item)).collect();
        sheet.row(values, console.out)
    })?;
    sheet.end(console.out)
}

fn counts(
    table: &Table<'_>,
    query: &Query,
    column: &'static Column,
    format: ListFormat,
    console: &mut Console<'_>,
) -> io::Result<()> {
    let kind = column.kind.element().unwrap_or(column.kind);
    let names = vec![(column.name, kind), ("count", Type::Number)];
    let mut sheet = sheet::begin(format, table.kind().name(), "counts", names, console)?;
    for (value, count) in query.count_by(table, column) {
        sheet.row(vec![value, Value::Count(count)], console.out)?;
    }
    sheet.end(console.out)
}

fn tell_of_more_findings(findings: &crate::finding::Findings, console: &mut Console<'_>) {
    let all = findings
        .counts()
        .fold(0u64, |sum, (_, _, n)| sum.saturating_add(n));
    let more = all.saturating_sub(findings.kept().len() as u64);
    if more > 0 {
        let more = Thousands(more);
        let _ = writeln!(
            console.err,
            "kraftlens: {more} more findings of the same codes are counted and not kept"
        );
    }
}

/// `list --help`, and `list KIND --help` with or without a PATH.
fn help(args: &ListArgs, console: &mut Console<'_>) -> Answer {
    let named = args
        .path
        .as_ref()
        .and_then(|path| Kind::named(path.to_str()?));
    let Some(kind) = args.kind.or(named) else {
        let mut command = super::command();
        command.build();
        if let Some(list) = command.find_subcommand_mut("list") {
            list.write_long_help(&mut console.out)?;
        }
        return Ok(Outcome::default());
    };
    writeln!(console.out, "{kind}: {}\n", kind.about())?;
    let names = ["column", "type", "unit", "meaning"].map(|name| (name, Type::Text));
    let mut sheet = sheet::Text::new(names.to_vec(), console);
    for column in kind.columns() {
        let star = if column.usual { "*" } else { "" };
        let facts = [format!("{}{star}", column.name), column.kind.to_string()]
            .into_iter()
            .chain([column.unit.to_owned(), column.help.to_owned()]);
        sheet.row(facts.map(Value::Text).collect(), console.out)?;
    }
    Box::new(sheet).end(console.out)?;
    let usual = console
        .paint
        .text(Tone::Quiet, "* printed as text without --columns");
    writeln!(console.out, "\n{usual}")?;
    Ok(Outcome::default())
}
