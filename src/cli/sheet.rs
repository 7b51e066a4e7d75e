//! Rows as text, CSV and JSON, as they come.

use super::console::{Console, Paint, Tone};
use super::list::ListFormat;
use crate::tables::Type;
use crate::text::{ByteSize, display_width, escape};
use crate::tree::Value;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// Names and types of the columns.
pub(crate) type Names = Vec<(&'static str, Type)>;

/// Where rows go.
pub(crate) trait Sheet {
    fn row(&mut self, values: Vec<Value>, out: &mut dyn Write) -> io::Result<()>;
    fn end(self: Box<Self>, out: &mut dyn Write) -> io::Result<()>;
}

/// Begins a sheet. `list` is the key of the rows in a JSON document.
pub(crate) fn begin(
    format: ListFormat,
    kind: &'static str,
    list: &'static str,
    names: Names,
    console: &mut Console<'_>,
) -> io::Result<Box<dyn Sheet>> {
    Ok(match format {
        ListFormat::Text => Box::new(Text::new(names, console)),
        ListFormat::Csv => csv(names, console.out)?,
        ListFormat::Json => {
            write!(
                console.out,
                "{{\"version\":1,\"kind\":\"{kind}\",\"{list}\":["
            )?;
            Box::new(Json {
                names,
                document: true,
                any: false,
            })
        }
        ListFormat::Jsonl => Box::new(Json {
            names,
            document: false,
            any: false,
        }),
    })
}

/// JSON, with a document around the rows or one a line.
struct Json {
    names: Names,
    document: bool,
    any: bool,
}

impl Sheet for Json {
    fn row(&mut self, values: Vec<Value>, out: &mut dyn Write) -> io::Result<()> {
        if self.document {
            out.write_all(if self.any { b",\n" } else { b"\n" })?;
        }
        self.any = true;
        serde_json::to_writer(&mut *out, &JsonRow(&self.names, &values))?;
        if self.document {
            return Ok(());
        }
        out.write_all(b"\n")
    }

    fn end(self: Box<Self>, out: &mut dyn Write) -> io::Result<()> {
        match (self.document, self.any) {
            (true, true) => out.write_all(b"\n]}\n"),
            (true, false) => out.write_all(b"]}\n"),
            (false, _) => Ok(()),
        }
    }
}

/// A row as an object.
struct JsonRow<'a>(&'a Names, &'a [Value]);

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.0.iter().zip(self.1);
        serializer.collect_map(cells.map(|((name, _), value)| (name, value)))
    }
}

/// Text in columns. The widths are those of the first rows; should a later row need more, its columns
/// and those after it are wider.
pub(crate) struct Text {
    names: Names,
    widths: Vec<usize>,
    waiting: Vec<Vec<String>>,
    begun: bool,
    screen: Option<usize>,
    paint: Paint,
}

impl Text {
    /// How many rows wait until widths are known.
    const FITTED: usize = 10_000;
    /// What a column keeps when a terminal is too narrow.
    const NARROWEST: usize = 8;
    const GAP: usize = 2;

    pub(crate) fn new(names: Names, console: &Console<'_>) -> Self {
        // Into a file or pipe nothing is cut.
        let screen = console
            .terminal
            .then(terminal_size::terminal_size)
            .flatten()
            .map(|(width, _)| usize::from(width.0));
        Self {
            widths: names.iter().map(|(name, _)| display_width(name)).collect(),
            names,
            waiting: Vec::new(),
            begun: false,
            screen,
            paint: console.paint,
        }
    }

    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        for row in &rows {
            for (width, cell) in self.widths.iter_mut().zip(row) {
                *width = (*width).max(cell_width(cell));
            }
        }
        if let Some(screen) = self.screen {
            self.fit(screen);
        }
        if !std::mem::replace(&mut self.begun, true) {
            let names: Vec<String> = self.names.iter().map(|(n, _)| (*n).to_owned()).collect();
            let line = self.line(&names);
            writeln!(out, "{}", self.paint.text(Tone::Heading, line))?;
        }
        for row in &rows {
            writeln!(out, "{}", self.line(row))?;
        }
        Ok(())
    }

    /// Takes columns from the widest ones that can be cut until all fit.
    fn fit(&mut self, screen: usize) {
        let gaps = self.names.len().saturating_sub(1).saturating_mul(Self::GAP);
        let room = screen.saturating_sub(gaps);
        let total = |widths: &[usize]| widths.iter().fold(0usize, |sum, w| sum.saturating_add(*w));
        for width in &mut self.widths {
            *width = (*width).min(screen.max(Self::NARROWEST));
        }
        while total(&self.widths) > room {
            let cuttable = self.widths.iter_mut().zip(&self.names);
            let widest = cuttable
                .filter(|(width, (_, kind))| !kind.is_amount() && **width > Self::NARROWEST)
                .max_by_key(|(width, _)| **width);
            let Some((width, _)) = widest else {
                break;
            };
            *width = width.saturating_sub(1);
        }
    }

    fn line(&self, cells: &[String]) -> String {
        let mut line = String::new();
        let columns = cells.iter().zip(&self.widths).zip(&self.names);
        for (n, ((cell, &width), (_, kind))) in columns.enumerate() {
            if n > 0 {
                line.push_str("  ");
            }
            let cell = match self.screen {
                Some(_) => &cut(cell, width),
                None => cell,
            };
            let blanks = std::iter::repeat_n(' ', width.saturating_sub(cell_width(cell)));
            if kind.is_amount() {
                line.extend(blanks);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.extend(blanks);
            }
        }
        line.truncate(line.trim_end_matches(' ').len());
        line
    }
}

impl Sheet for Text {
    fn row(&mut self, values: Vec<Value>, out: &mut dyn Write) -> io::Result<()> {
        self.waiting.push(values.iter().map(cell).collect());
        if self.waiting.len() >= Self::FITTED {
            self.flush(out)?;
        }
        Ok(())
    }

    fn end(mut self: Box<Self>, out: &mut dyn Write) -> io::Result<()> {
        if self.waiting.is_empty() && self.begun {
            return Ok(());
        }
        self.flush(out)
    }
}

/// A value in a column of text, safe for a terminal.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Id(n) => n.to_string(),
        Value::Size(bytes) => format!("{:#}", ByteSize(*bytes)),
        Value::List(list) if list.is_empty() => "-".to_owned(),
        Value::List(list) => list.iter().map(cell).collect::<Vec<_>>().join(","),
        value => escape(&value.inline()).into_owned(),
    }
}

/// The width of an escaped text; most are ASCII, and there are millions.
fn cell_width(cell: &str) -> usize {
    if cell.is_ascii() {
        cell.len()
    } else {
        display_width(cell)
    }
}

/// A text of at most so many columns, an ellipsis at the end when something is left out.
fn cut(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if display_width(&out) >= width {
            out.pop();
            break;
        }
    }
    out.push('…');
    out
}

#[cfg(not(feature = "csv"))]
fn csv(_: Names, _: &mut dyn Write) -> io::Result<Box<dyn Sheet>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(feature = "csv")]
use spreadsheet::csv;

/// CSV for spreadsheets, which run what begins like a formula, and break at what they take for control.
#[cfg(feature = "csv")]
mod spreadsheet {
    use super::{Names, Sheet, escape};
    use crate::text::{JavaDouble, Rfc3339};
    use crate::tree::Value;
    use std::io::{self, Write};

    struct Csv {
        line: csv::Writer<Vec<u8>>,
    }

    pub(super) fn csv(names: Names, out: &mut dyn Write) -> io::Result<Box<dyn Sheet>> {
        let mut sheet = Csv {
            line: csv::Writer::from_writer(Vec::new()),
        };
        sheet.write(names.iter().map(|(name, _)| (*name).to_owned()), out)?;
        Ok(Box::new(sheet))
    }

    impl Csv {
        fn write(
            &mut self,
            cells: impl Iterator<Item = String>,
            out: &mut dyn Write,
        ) -> io::Result<()> {
            self.line.write_record(cells)?;
            let written = std::mem::replace(&mut self.line, csv::Writer::from_writer(Vec::new()));
            let bytes = written.into_inner().map_err(|error| error.into_error())?;
            out.write_all(&bytes)
        }
    }

    impl Sheet for Csv {
        fn row(&mut self, values: Vec<Value>, out: &mut dyn Write) -> io::Result<()> {
            self.write(values.iter().map(cell), out)
        }

        fn end(self: Box<Self>, _: &mut dyn Write) -> io::Result<()> {
            Ok(())
        }
    }

    fn cell(value: &Value) -> String {
        let text = plain(value);
        let is_text = matches!(value, Value::Text(_) | Value::List(_) | Value::Uuid(_));
        // What a spreadsheet would take for a formula becomes text by an apostrophe before it. Text
        // that begins with an apostrophe gets one too, so that taking one away always gives the text.
        if is_text && text.starts_with(['=', '+', '-', '@', '\'']) {
            return format!("'{text}");
        }
        text
    }

    fn plain(value: &Value) -> String {
        match value {
            Value::Null => String::new(),
            Value::Bool(yes) => yes.to_string(),
            Value::Id(n) => n.to_string(),
            Value::Count(n) | Value::Size(n) => n.to_string(),
            Value::Real(n) => JavaDouble(*n).to_string(),
            Value::Time(time) => Rfc3339(*time).to_string(),
            Value::Uuid(id) => id.to_string(),
            Value::Text(text) => escape(text).into_owned(),
            Value::List(list) => list.iter().map(plain).collect::<Vec<_>>().join(","),
            Value::Facts(_) | Value::Table(_) => escape(&value.inline()).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_cut_by_columns() {
        assert_eq!(cut("orders", 6), "orders");
        assert_eq!(cut("orders-1", 6), "order…");
        assert_eq!(cut("日本日本", 6), "日本…");
        assert_eq!(cut("日本日本", 5), "日本…");
    }
}
