//! Filters over a real state: a 3.9 cluster that was upgraded, and the sample with static configs.

use super::Filter;
use crate::image::State;
use crate::log::{Log, Options};
use crate::tables::{Kind, Query, Table};
use crate::tree::{Secrets, Tree};
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

fn sample(name: &str) -> State {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-snapshots");
    let log = Log::open(&samples.join(name), &Options::default()).unwrap();
    State::read(Arc::new(log))
}

/// The values of a column in the rows that a filter keeps.
fn kept(state: &State, kind: Kind, column: &str, filter: &str) -> Vec<String> {
    let table = Table::new(Tree::new(state, Secrets::Masked), kind);
    let column = kind.column(column).unwrap();
    let query = Query {
        filters: vec![Filter::parse(filter, kind).unwrap()],
        ..Query::default()
    };
    let mut found = Vec::new();
    query
        .run(&table, &mut |item| {
            found.push(column.value(&item).inline());
            Ok::<_, Infallible>(())
        })
        .unwrap();
    found
}

#[test]
fn every_operator_does_what_it_says() {
    let state = sample("static-configs");
    for (filter, ids) in [
        ("id = 3", "3"),
        ("id == 3", "3"),
        ("ID != 3", "1 2 4 5"),
        ("id <> 3", "1 2 4 5"),
        ("id < 3", "1 2"),
        ("id <= 3", "1 2 3"),
        ("id > 3 and id < 5", "4"),
        ("3 <= id", "3 4 5"),
        ("id >= 2.5", "3 4 5"),
        ("id in (1, 4, 9)", "1 4"),
        ("id not in (1, 4, 9)", "2 3 5"),
        ("id in ()", ""),
        ("not id = 3", "1 2 4 5"),
        ("id = 1 or id = 2 and rack = nowhere", "1"),
        ("(id = 1 or id = 2) and rack = nowhere", ""),
        // A word beside a text is a value, although brokers have a column `fenced`.
        ("status = fenced", ""),
        ("status = active and not fenced", "1 2 3 4 5"),
        ("fenced = false", "1 2 3 4 5"),
        ("fenced = yes", ""),
        ("rack = 'rack-1'", "1 4"),
        ("rack ~ rack-*", "1 2 3 4 5"),
        ("rack ~ 'rack-{0,2}'", "2 3 5"),
        ("rack ~ rack-1", "1 4"),
        ("rack !~ '*1'", "2 3 5"),
        ("rack =~ '^RACK'", ""),
        ("rack =~ \"(?i)^RACK-[12]$\"", "1 2 4 5"),
        ("rack contains k-0", "3"),
        ("rack not contains k-0", "1 2 4 5"),
        // Broker 5 registered with an older version, which has no static configs.
        ("staticConfigs is null", "5"),
        ("static-configs = null", "5"),
        ("static_configs is not null", "1 2 3 4"),
        ("staticConfigs != 232", "5"),
        ("staticConfigs < 1000", "1 2 3 4"),
        ("staticConfigs > 1000", ""),
        ("staticConfigsSize > 1K", "1 2 3 4"),
        ("staticConfigsSize > 1.5GiB", ""),
        ("len(listeners) = 1", "1 2 3 4 5"),
        ("len(listeners) < len(features)", "1 2 3 4 5"),
        ("listeners ~ '*//broker-2.*'", "2"),
        ("epoch = 100 or 104 = epoch", "4"),
        ("originTime >= 2026-01-01T00:00:00Z", "1 2 3 4 5"),
        ("originTime < 2026-01-01T00:00:00Z", ""),
        ("originTime > 0", "1 2 3 4 5"),
        ("id = id", "1 2 3 4 5"),
        ("id > leads and epoch >= id", "1 2 3 4 5"),
    ] {
        let found = kept(&state, Kind::Brokers, "id", filter).join(" ");
        assert_eq!(found, ids, "{filter}");
    }
}

#[test]
fn lists_and_ids_are_looked_into() {
    let state = sample("kafka-4.4.0-dynamic/controller-3001");
    let all = kept(&state, Kind::Partitions, "replicas", "partition >= 0");
    let with_3 = all
        .iter()
        .filter(|list| list.split(", ").any(|id| id == "3"));
    let with_3: Vec<_> = with_3.cloned().collect();
    assert!(!with_3.is_empty() && with_3.len() < all.len());
    for filter in [
        "3 in replicas",
        "replicas contains 3",
        "not (3 not in replicas)",
    ] {
        let found = kept(&state, Kind::Partitions, "replicas", filter);
        assert_eq!(found, with_3, "{filter}");
    }
    let exact = kept(&state, Kind::Partitions, "replicas", "replicas = (3, 2, 1)");
    assert!(!exact.is_empty() && exact.iter().all(|list| list == "3, 2, 1"));
    let first = "preferredLeader in replicas and preferredLeader not in removingReplicas";
    let led = kept(&state, Kind::Partitions, "replicas", first);
    assert_eq!(led.len(), all.len());
    let id = "topicId = Kw2VS5wuTUquOQK7Rq2PBQ and directories contains LOST";
    assert_eq!(kept(&state, Kind::Partitions, "topic", id), [""; 0]);
    let id = "topicId = Kw2VS5wuTUquOQK7Rq2PBQ and partition = 0";
    assert_eq!(kept(&state, Kind::Partitions, "topic", id), ["orders"]);
}

#[test]
fn mistakes_are_pointed_at() {
    for (filter, wrong, message) in [
        ("ledaer = 3", "ledaer", "partitions have no column ledaer"),
        (
            "offline and ledaer = 3",
            "ledaer",
            "partitions have no column ledaer",
        ),
        ("leader = three", "three", "three is not a number"),
        (
            "leader = topic",
            "topic",
            "topic is text, and the other side is a number",
        ),
        ("leader <", "", "a column or value was expected here"),
        ("", "", "a column or value was expected here"),
        (
            "leader",
            "leader",
            "leader is a number: a comparison is missing",
        ),
        ("leader 3", "3", "an operator was expected here"),
        ("offline is", "", "null was expected here"),
        ("offline yes", "yes", "an operator was expected here"),
        ("offline > no", ">", "yes or no has no order"),
        ("isr > 3", ">", "a list of numbers has no order"),
        ("isr = 3", "3", "3 is not a list of numbers"),
        ("isr in (1, 2)", "isr", "this is a list of numbers"),
        (
            "leader in isr or 3 in topic",
            "topic",
            "topic is text, no list",
        ),
        ("len(topic) = 3", "topic", "topic is text, no list"),
        (
            "leader ~ 3*",
            "~",
            "leader is a number, and patterns match text",
        ),
        (
            "topic =~ '('",
            "'('",
            "not a regular expression: unclosed group",
        ),
        ("topic = 'x", "'x", "a quoted value that does not end"),
        ("(leader = 3", "(", "a parenthesis that does not end"),
        ("leader = 3)", ")", "more than one test"),
        ("partition in (1, x)", "x", "x is not a number"),
        ("partition in (1", "(", "a parenthesis that does not end"),
        ("originTime > soon", "soon", "soon is not a time"),
        ("topicId = soon", "soon", "soon is not an id"),
        ("leader ! 3", "!", "! is no operator"),
        (
            "leader = =",
            "=",
            "a column or value was expected here, not =",
        ),
    ] {
        let error = Filter::parse(filter, Kind::Partitions).unwrap_err();
        assert_eq!(error.message, message, "{filter}");
        assert_eq!(&filter[error.span.clone()], wrong, "{filter}");
    }
    let error = Filter::parse("offline and ledaer = 3", Kind::Partitions).unwrap_err();
    assert_eq!(error.hint.as_deref(), Some("did you mean leader"));
    let (text, marks) = error.pointer();
    assert_eq!(text, "offline and ledaer = 3");
    assert_eq!(marks, "            ^^^^^^");
}

/// The marks stand below the mistake also when what stands before it is wide or written out.
#[test]
fn marks_are_placed_by_width() {
    let error = Filter::parse("topic = '日本\u{1b}' and x = 1", Kind::Partitions).unwrap_err();
    let (text, marks) = error.pointer();
    assert_eq!(text, "topic = '日本\\x1b' and x = 1");
    assert_eq!(marks, "                       ^");
}

#[test]
fn nesting_is_bounded() {
    for (deep, message) in [
        ("not ".repeat(100_000), "nested more than 100 deep"),
        ("(".repeat(100_000), "nested more than 100 deep"),
    ] {
        let error = Filter::parse(&format!("{deep}offline"), Kind::Partitions).unwrap_err();
        assert_eq!(error.message, message);
    }
    let wide = format!("offline{}", " or offline and reassigning".repeat(10_000));
    assert!(Filter::parse(&wide, Kind::Partitions).is_ok());
    let fits = format!("{}offline{}", "(".repeat(90), ")".repeat(90));
    assert!(Filter::parse(&fits, Kind::Partitions).is_ok());
    let large = Filter::parse("topic =~ '(x{1000}){1000}'", Kind::Partitions).unwrap_err();
    assert_eq!(large.message, "the regular expression is too large");
}

/// Whatever the text, reading it ends in a filter or an error with a place inside the text.
#[test]
fn random_texts_never_panic() {
    let parts = [
        "leader",
        "isr",
        "topic",
        "offline",
        "originTime",
        "topicId",
        "len",
        "(",
        ")",
        ",",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        "=~",
        "~",
        "!~",
        "!",
        "and",
        "or",
        "not",
        "in",
        "contains",
        "is",
        "null",
        "3",
        "-1",
        "1e9",
        "x",
        "'",
        "\"",
        "'q'",
        "\"\\",
        "\\",
        " ",
        "日本",
        "\u{0}",
        "\u{1b}[2J",
        "9".repeat(40).leak(),
        "NaN",
        "[",
        "*",
        "{a,b}",
    ];
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % below as u64).unwrap()
    };
    let mut read = 0;
    for _ in 0..10_000 {
        let count = next(12);
        let text: Vec<&str> = (0..count).map(|_| parts[next(parts.len())]).collect();
        let text = text.join(if next(2) == 0 { " " } else { "" });
        match Filter::parse(&text, Kind::Partitions) {
            Ok(_) => read += 1,
            Err(error) => {
                assert!(text.get(error.span.clone()).is_some(), "{text:?} {error:?}");
                let _ = error.pointer();
            }
        }
    }
    assert!(read > 20, "only {read} texts were filters");
}
