//! From words to a filter that fits its columns.

use super::error::{FilterError, Wrong};
use super::lex::{Token, TokenKind, tokens};
use super::{Comparison, Expression, Matcher, Operand, Test};
use crate::ids::{Timestamp, Uuid};
use crate::tables::column::{Column, Kind, Type};
use crate::text::parse_time;
use crate::tree::{Pattern, Value, directory_name};
use std::ops::Range;

/// How deep expressions may nest: reading and testing them recurse.
const DEEPEST: usize = 100;
/// How much memory the program of one regular expression may take, in bytes.
const LARGEST_REGEX: usize = 1 << 20;

pub(super) fn parse(text: &str, kind: Kind) -> Result<Expression, FilterError> {
    let read = || {
        let mut parser = Parser {
            kind,
            tokens: tokens(text)?,
            at: 0,
            depth: 0,
        };
        let expression = parser.any()?;
        let token = parser.peek();
        match token.kind {
            TokenKind::End => Ok(expression),
            _ => Err(Wrong::new(token.span, "more than one test")
                .hint("and, or join tests; a value with blanks or marks in it is quoted")),
        }
    };
    read().map_err(|wrong: Wrong| wrong.within(text))
}

struct Parser {
    kind: Kind,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// One side of a test before its type is known.
enum Side {
    Column(&'static Column),
    Length(&'static Column),
    Word(String),
    Quoted(String),
}

impl Parser {
    fn peek(&self) -> Token {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> Token {
        let token = self.tokens.get(self.at.saturating_add(by));
        token.or(self.tokens.last()).cloned().unwrap_or(Token {
            kind: TokenKind::End,
            span: 0..0,
        })
    }

    fn next(&mut self) -> Token {
        let token = self.peek();
        self.at = self.at.saturating_add(1);
        token
    }

    fn is_word(&self, by: usize, word: &str) -> bool {
        matches!(self.ahead(by).kind, TokenKind::Word(w) if w.eq_ignore_ascii_case(word))
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(0, word);
        self.at = self.at.saturating_add(usize::from(is));
        is
    }

    fn take_mark(&mut self, mark: &str) -> bool {
        let is = self.peek().kind_is(mark);
        self.at = self.at.saturating_add(usize::from(is));
        is
    }

    fn close(&mut self, open: &Range<usize>) -> Result<(), Wrong> {
        if self.take_mark(")") {
            return Ok(());
        }
        let token = self.peek();
        Err(match token.kind {
            TokenKind::End => Wrong::new(open.clone(), "a parenthesis that does not end"),
            _ => Wrong::new(token.span, "a closing parenthesis was expected here"),
        })
    }

    fn any(&mut self) -> Result<Expression, Wrong> {
        let mut parts = vec![self.all()?];
        while self.take_word("or") {
            parts.push(self.all()?);
        }
        Ok(joined(parts, Expression::Any))
    }

    fn all(&mut self) -> Result<Expression, Wrong> {
        let mut parts = vec![self.negated()?];
        while self.take_word("and") {
            parts.push(self.negated()?);
        }
        Ok(joined(parts, Expression::All))
    }

    fn negated(&mut self) -> Result<Expression, Wrong> {
        let start = self.peek().span;
        self.depth = self.depth.saturating_add(1);
        if self.depth > DEEPEST {
            let message = format!("nested more than {DEEPEST} deep");
            return Err(Wrong::new(start, message));
        }
        let expression = if self.take_word("not") {
            Expression::Not(Box::new(self.negated()?))
        } else if self.take_mark("(") {
            let inner = self.any()?;
            self.close(&start)?;
            inner
        } else {
            self.test()?
        };
        self.depth = self.depth.saturating_sub(1);
        Ok(expression)
    }

    fn test(&mut self) -> Result<Expression, Wrong> {
        let (left, span) = self.side()?;
        let operator = self.peek();
        let negated =
            self.is_word(0, "not") && (self.is_word(1, "in") || self.is_word(1, "contains"));
        if negated {
            self.next();
        }
        let test = match operator.kind {
            TokenKind::Mark("~" | "!~" | "=~") => self.matches(left, &span)?,
            TokenKind::Mark("=" | "==" | "!=" | "<>" | "<" | "<=" | ">" | ">=") => {
                self.compare(left, &span)?
            }
            _ if self.take_word("in") => self.membership(left, &span)?,
            _ if self.take_word("contains") => self.contains(left, &span)?,
            _ if self.take_word("is") => self.is_null(left, &span)?,
            _ => return self.alone(left, span),
        };
        let negated = negated || operator.kind == TokenKind::Mark("!~");
        Ok(if negated {
            Expression::Not(Box::new(test))
        } else {
            test
        })
    }

    /// A side with nothing after it: a column of yes or no, or else an operator is missing.
    fn alone(&self, left: Side, span: Range<usize>) -> Result<Expression, Wrong> {
        let after = self.peek();
        match left {
            Side::Column(column) if column.kind == Type::Bool => match after.kind {
                TokenKind::Word(w) if !["and", "or"].iter().any(|k| w.eq_ignore_ascii_case(k)) => {
                    Err(no_operator(after.span))
                }
                TokenKind::Quoted(_) => Err(no_operator(after.span)),
                _ => Ok(Expression::Test(Test::Is(column))),
            },
            Side::Word(word) => Err(self.no_column(&word, span)),
            Side::Column(column) => {
                let message = format!(
                    "{} is {}: a comparison is missing",
                    column.name,
                    article(column.kind)
                );
                Err(match after.kind {
                    TokenKind::Word(_) | TokenKind::Quoted(_) => no_operator(after.span),
                    _ => {
                        Wrong::new(span, message).hint(format!("{} != null, for one", column.name))
                    }
                })
            }
            Side::Length(_) | Side::Quoted(_) => Err(Wrong::new(span, "a comparison is missing")),
        }
    }

    fn side(&mut self) -> Result<(Side, Range<usize>), Wrong> {
        let token = self.next();
        let side = match token.kind {
            TokenKind::Quoted(value) => Side::Quoted(value),
            TokenKind::Word(word)
                if word.eq_ignore_ascii_case("len") && self.peek().kind_is("(") =>
            {
                let open = self.next().span;
                let name = self.next();
                let TokenKind::Word(word) = name.kind else {
                    return Err(Wrong::new(name.span, "len() takes a column with lists"));
                };
                let column = self.column(&word, name.span.clone())?;
                if column.kind.element().is_none() {
                    let message = format!("{} is {}, no list", column.name, article(column.kind));
                    return Err(Wrong::new(name.span, message).hint(self.lists()));
                }
                self.close(&open)?;
                let end = self.tokens.get(self.at.saturating_sub(1));
                let end = end.map_or(open.end, |t| t.span.end);
                return Ok((Side::Length(column), token.span.start..end));
            }
            TokenKind::Word(word) => match self.kind.column(&word) {
                Ok(column) => Side::Column(column),
                Err(_) => Side::Word(word),
            },
            TokenKind::End => {
                return Err(Wrong::new(
                    token.span,
                    "a column or value was expected here",
                ));
            }
            TokenKind::Mark(mark) => {
                let message = format!("a column or value was expected here, not {mark}");
                return Err(Wrong::new(token.span, message));
            }
        };
        Ok((side, token.span))
    }

    fn column(&self, name: &str, span: Range<usize>) -> Result<&'static Column, Wrong> {
        self.kind
            .column(name)
            .map_err(|_| self.no_column(name, span))
    }

    fn no_column(&self, name: &str, span: Range<usize>) -> Wrong {
        let nearest = self.kind.column(name).err().and_then(|e| e.nearest);
        let wrong = Wrong::new(span, format!("{} have no column {name}", self.kind));
        match nearest {
            Some(name) => wrong.hint(format!("did you mean {name}")),
            None => {
                let names: Vec<_> = self.kind.columns().map(|c| c.name).collect();
                wrong.hint(format!("they have {}", names.join(", ")))
            }
        }
    }

    fn lists(&self) -> String {
        let lists = self.kind.columns().filter(|c| c.kind.element().is_some());
        let names: Vec<_> = lists.map(|c| c.name).collect();
        if names.is_empty() {
            format!("{} have no column with lists", self.kind)
        } else {
            format!("columns with lists are {}", names.join(", "))
        }
    }

    /// A side that has to be a column.
    fn expect_column(&self, side: Side, span: &Range<usize>) -> Result<&'static Column, Wrong> {
        match side {
            Side::Column(column) => Ok(column),
            Side::Word(word) => Err(self.no_column(&word, span.clone())),
            _ => Err(Wrong::new(span.clone(), "a column was expected here")),
        }
    }

    fn matches(&mut self, left: Side, span: &Range<usize>) -> Result<Expression, Wrong> {
        let column = self.expect_column(left, span)?;
        let operator = self.next();
        let textual = |kind| matches!(kind, Type::Text | Type::Id);
        if !textual(column.kind.element().unwrap_or(column.kind)) {
            let message = format!(
                "{} is {}, and patterns match text",
                column.name,
                article(column.kind)
            );
            return Err(Wrong::new(operator.span, message));
        }
        let token = self.next();
        let (TokenKind::Word(pattern) | TokenKind::Quoted(pattern)) = token.kind else {
            return Err(Wrong::new(token.span, "a pattern was expected here"));
        };
        let matcher = if operator.kind == TokenKind::Mark("=~") {
            let built = regex::RegexBuilder::new(&pattern)
                .size_limit(LARGEST_REGEX)
                .build();
            match built {
                Ok(regex) => Matcher::Regex(regex),
                Err(regex::Error::CompiledTooBig(_)) => {
                    return Err(Wrong::new(
                        token.span,
                        "the regular expression is too large",
                    ));
                }
                Err(error) => {
                    // The last line says what is wrong; those before draw the place.
                    let error = error.to_string();
                    let what = error.lines().last().unwrap_or_default();
                    let what = what.trim().trim_start_matches("error: ");
                    let message = format!("not a regular expression: {what}");
                    return Err(Wrong::new(token.span, message)
                        .hint("~ matches with ? * and {a,b} instead"));
                }
            }
        } else {
            match Pattern::new(&pattern) {
                Some(glob) => Matcher::Glob(glob),
                None => Matcher::Name(pattern),
            }
        };
        Ok(Expression::Test(Test::Matches(column, matcher)))
    }

    fn compare(&mut self, left: Side, left_span: &Range<usize>) -> Result<Expression, Wrong> {
        let operator = self.next();
        let comparison = match operator.kind {
            TokenKind::Mark("!=" | "<>") => Comparison::Unequal,
            TokenKind::Mark("<") => Comparison::Less,
            TokenKind::Mark("<=") => Comparison::AtMost,
            TokenKind::Mark(">") => Comparison::Greater,
            TokenKind::Mark(">=") => Comparison::AtLeast,
            _ => Comparison::Equal,
        };
        let orders = !matches!(comparison, Comparison::Equal | Comparison::Unequal);
        if let Some(kind) = type_of(&left)
            && orders
            && (kind == Type::Bool || kind.element().is_some())
        {
            return Err(no_order(&operator, kind));
        }
        // A list of values: replicas = (1, 2, 3).
        if let Side::Column(column) = left
            && let Some(element) = column.kind.element()
            && self.peek().kind_is("(")
        {
            let values = self.values(element)?;
            let list = Operand::Literal(Value::List(values));
            let test = Test::Compare(Operand::Column(column), comparison, list);
            return Ok(Expression::Test(test));
        }
        let (right, right_span) = match type_of(&left) {
            Some(kind) => self.value_side(kind)?,
            None => self.side()?,
        };
        let (kind, left, right) = match (type_of(&left), type_of(&right)) {
            (Some(kind), _) => {
                let right = self.operand(right, &right_span, kind)?;
                (kind, self.operand(left, left_span, kind)?, right)
            }
            (None, Some(kind)) if !self.is_unknown_column(&left, kind) => {
                let right = self.operand(right, &right_span, kind)?;
                (kind, self.operand(left, left_span, kind)?, right)
            }
            _ => {
                return Err(self.expect_column(left, left_span).map_or_else(
                    |w| w,
                    |_| Wrong::new(left_span.clone(), "a column was expected here"),
                ));
            }
        };
        if orders && (kind == Type::Bool || kind.element().is_some()) {
            return Err(no_order(&operator, kind));
        }
        Ok(Expression::Test(Test::Compare(left, comparison, right)))
    }

    /// Whether a word at the left cannot be meant as a value of the other side's type.
    fn is_unknown_column(&self, left: &Side, kind: Type) -> bool {
        matches!(left, Side::Word(word) if literal(word, kind).is_none())
    }

    /// A side as a value of a type.
    fn operand(&self, side: Side, span: &Range<usize>, kind: Type) -> Result<Operand, Wrong> {
        match side {
            Side::Length(column) => {
                fits(Type::Number, kind, span, "len() gives a number")?;
                Ok(Operand::Length(column))
            }
            Side::Column(column) => {
                let message = format!("{} is {}", column.name, article(column.kind));
                fits(column.kind, kind, span, &message)?;
                Ok(Operand::Column(column))
            }
            Side::Word(word) if word.eq_ignore_ascii_case("null") => {
                Ok(Operand::Literal(Value::Null))
            }
            Side::Word(word) | Side::Quoted(word) => match literal(&word, kind) {
                Some(value) => Ok(Operand::Literal(value)),
                None => Err(self.no_value(&word, span, kind)),
            },
        }
    }

    fn no_value(&self, word: &str, span: &Range<usize>, kind: Type) -> Wrong {
        let wrong = Wrong::new(span.clone(), format!("{word} is not {}", article(kind)));
        match kind {
            Type::Time => wrong.hint("times are like 2026-01-01T00:00:00Z"),
            Type::Size => wrong.hint(
                "sizes are like 1467392, 10K, 1.4M or 2GiB; each unit is 1024 of the one before",
            ),
            Type::Bool => wrong.hint("true, false, yes and no are"),
            Type::Id => wrong.hint(
                "ids have 22 base64url characters; LOST, MIGRATING and UNASSIGNED are ids too",
            ),
            Type::Numbers | Type::Texts | Type::Ids => {
                wrong.hint("a list is like (1, 2, 3); `contains` looks into one")
            }
            _ => match self.kind.column(word).err().and_then(|e| e.nearest) {
                Some(name) => wrong.hint(format!("did you mean {name}")),
                None => wrong,
            },
        }
    }

    /// `(value, ...)`.
    fn values(&mut self, kind: Type) -> Result<Vec<Value>, Wrong> {
        let open = self.next().span;
        let mut values = Vec::new();
        while !self.peek().kind_is(")") {
            let token = self.next();
            match token.kind {
                TokenKind::Word(word) if word.eq_ignore_ascii_case("null") => {
                    values.push(Value::Null)
                }
                TokenKind::Word(word) | TokenKind::Quoted(word) => match literal(&word, kind) {
                    Some(value) => values.push(value),
                    None => return Err(self.no_value(&word, &token.span, kind)),
                },
                TokenKind::End => return Err(Wrong::new(open, "a list that does not end")),
                TokenKind::Mark(mark) => {
                    return Err(Wrong::new(
                        token.span,
                        format!("a value was expected here, not {mark}"),
                    ));
                }
            }
            if !self.take_mark(",") {
                break;
            }
        }
        self.close(&open)?;
        Ok(values)
    }

    fn membership(&mut self, left: Side, left_span: &Range<usize>) -> Result<Expression, Wrong> {
        if self.peek().kind_is("(") {
            let kind = match type_of(&left) {
                Some(kind) if kind.element().is_none() => kind,
                Some(kind) => {
                    let message = format!("this is {}", article(kind));
                    return Err(Wrong::new(left_span.clone(), message)
                        .hint("`contains` looks into a list; `=` compares it with one"));
                }
                None => {
                    let column = self.expect_column(left, left_span)?;
                    return Err(self.no_column(column.name, left_span.clone()));
                }
            };
            let values = self.values(kind)?;
            let operand = self.operand(left, left_span, kind)?;
            return Ok(Expression::Test(Test::OneOf(operand, values)));
        }
        let (right, span) = self.side()?;
        let column = self.expect_column(right, &span)?;
        let Some(element) = column.kind.element() else {
            let message = format!("{} is {}, no list", column.name, article(column.kind));
            return Err(Wrong::new(span, message).hint(self.lists()));
        };
        let operand = self.operand(left, left_span, element)?;
        Ok(Expression::Test(Test::Holds(column, operand)))
    }

    fn contains(&mut self, left: Side, left_span: &Range<usize>) -> Result<Expression, Wrong> {
        let column = self.expect_column(left, left_span)?;
        let element = match column.kind {
            Type::Text => Type::Text,
            kind => kind.element().ok_or_else(|| {
                let message = format!(
                    "{} is {}, neither list nor text",
                    column.name,
                    article(kind)
                );
                Wrong::new(left_span.clone(), message)
            })?,
        };
        let (right, span) = self.value_side(element)?;
        let operand = self.operand(right, &span, element)?;
        Ok(Expression::Test(Test::Holds(column, operand)))
    }

    /// The side of a value: next to texts and ids a bare word is no column, so that `status = fenced`
    /// means what it says although there is a column of that name.
    fn value_side(&mut self, kind: Type) -> Result<(Side, Range<usize>), Wrong> {
        let token = self.peek();
        if let TokenKind::Word(word) = &token.kind
            && matches!(kind, Type::Text | Type::Id)
        {
            self.next();
            return Ok((Side::Word(word.clone()), token.span));
        }
        self.side()
    }

    fn is_null(&mut self, left: Side, span: &Range<usize>) -> Result<Expression, Wrong> {
        let column = self.expect_column(left, span)?;
        let comparison = if self.take_word("not") {
            Comparison::Unequal
        } else {
            Comparison::Equal
        };
        if !self.take_word("null") {
            let token = self.peek();
            return Err(Wrong::new(token.span, "null was expected here")
                .hint("`is null`, `is not null`; values are compared with ="));
        }
        let null = Operand::Literal(Value::Null);
        let test = Test::Compare(Operand::Column(column), comparison, null);
        Ok(Expression::Test(test))
    }
}

impl Token {
    fn kind_is(&self, mark: &str) -> bool {
        matches!(self.kind, TokenKind::Mark(m) if m == mark)
    }
}

fn joined(mut parts: Vec<Expression>, join: fn(Vec<Expression>) -> Expression) -> Expression {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            join(parts)
        }
        None => join(parts),
    }
}

fn type_of(side: &Side) -> Option<Type> {
    match side {
        Side::Column(column) => Some(column.kind),
        Side::Length(_) => Some(Type::Number),
        Side::Word(_) | Side::Quoted(_) => None,
    }
}

fn is_number(kind: Type) -> bool {
    matches!(kind, Type::Number | Type::Real | Type::Size)
}

fn fits(found: Type, wanted: Type, span: &Range<usize>, what: &str) -> Result<(), Wrong> {
    if found == wanted || is_number(found) && is_number(wanted) {
        return Ok(());
    }
    let message = format!("{what}, and the other side is {}", article(wanted));
    Err(Wrong::new(span.clone(), message))
}

fn no_order(operator: &Token, kind: Type) -> Wrong {
    Wrong::new(
        operator.span.clone(),
        format!("{} has no order", article(kind)),
    )
    .hint("= and != compare it; len() gives the length of a list")
}

fn no_operator(span: Range<usize>) -> Wrong {
    Wrong::new(span, "an operator was expected here").hint(
        "= != < <= > >= ~ !~ =~ in, not in, contains, is null; and, or join tests; values with blanks are quoted",
    )
}

fn article(kind: Type) -> String {
    match kind {
        Type::Text | Type::Bool => kind.name().to_owned(),
        Type::Id => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

/// The value that a word is in a type.
fn literal(word: &str, kind: Type) -> Option<Value> {
    match kind {
        Type::Number | Type::Real => number(word),
        Type::Size => number(word).or_else(|| size(word)),
        Type::Text => Some(word.into()),
        Type::Bool => match word.to_ascii_lowercase().as_str() {
            "true" | "yes" => Some(true.into()),
            "false" | "no" => Some(false.into()),
            _ => None,
        },
        Type::Time => match word.parse::<i64>() {
            Ok(ms) => Some(Timestamp(ms).into()),
            Err(_) => parse_time(word).ok().map(Value::Time),
        },
        Type::Id => match word.parse::<Uuid>() {
            Ok(id) => Some(id.into()),
            Err(_) => [Uuid::ZERO, Uuid::UNASSIGNED, Uuid::LOST]
                .into_iter()
                .find(|id| directory_name(*id) == Some(word))
                .map(Value::Uuid),
        },
        Type::Numbers | Type::Texts | Type::Ids => None,
    }
}

fn number(word: &str) -> Option<Value> {
    if let Ok(whole) = word.parse::<i64>() {
        return Some(whole.into());
    }
    if let Ok(count) = word.parse::<u64>() {
        return Some(count.into());
    }
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
    let named = matches!(word, "NaN" | "Infinity" | "-Infinity");
    if word.starts_with(begins) || named {
        return word.parse::<f64>().ok().map(Value::Real);
    }
    None
}

/// Digits, then K, M, G or T, each 1024 times the one before: `1.5M`, `2GiB`.
fn size(word: &str) -> Option<Value> {
    let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor = match word.strip_prefix(digits)?.to_ascii_lowercase().as_str() {
        "b" => 1.0,
        "k" | "kb" | "kib" => 1024.0,
        "m" | "mb" | "mib" => 1_048_576.0,
        "g" | "gb" | "gib" => 1_073_741_824.0,
        "t" | "tb" | "tib" => 1_099_511_627_776.0,
        _ => return None,
    };
    let count: f64 = digits.parse().ok().filter(|n: &f64| *n >= 0.0)?;
    Some(Value::Real(count * factor))
}
