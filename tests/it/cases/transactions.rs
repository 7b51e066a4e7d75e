//! Metadata transactions: ended, aborted, open, and broken.

use super::Case;
use kraftlens::finding::{Code, Severity};

fn case(part: &str) -> Case {
    Case::of(&format!("BR-23-open-and-broken-transactions/{part}"))
}

#[test]
fn br_23_an_ended_transaction_applies() {
    let case = case("a-ended");
    case.is_clean();
    case.has_topics(&["audit", "before", "orders", "payments"]);
    case.has(
        "/transactions",
        &["0", "1"],
        "the first transaction of every log, and this one",
    );
    case.info_says(0, &["healthy", "2 committed"]);
}

#[test]
fn br_23_an_aborted_transaction_never_applies_and_is_listed() {
    let case = case("b-aborted");
    case.is_clean();
    case.has_topics(&["before"]);
    let aborted = case.facts("/transactions/1");
    for (key, value) in [
        ("name", "Bootstrap records"),
        ("state", "aborted"),
        ("reason", "Controller failover"),
    ] {
        assert_eq!(aborted[key], value, "{}", case.says(key));
    }
    assert_eq!(aborted["records"], 3, "{}", case.says("records"));
    assert_eq!(
        aborted["origin"]["offset"],
        7,
        "{}",
        case.says("where it begins")
    );
    case.info_says(0, &["healthy", "1 aborted"]);
}

#[test]
fn br_23_an_open_transaction_is_pending() {
    let case = case("c-open-at-end");
    case.finds(Severity::Error, &[]);
    case.finds(Severity::Warning, &[]);
    case.has_topics(&["before"]);
    case.as_of(6, 1, "2026-01-01T00:00:00.500Z");
    let open = case.facts("/transactions/1");
    assert_eq!(open["name"], "Bootstrap records", "{}", case.says("name"));
    assert_eq!(open["state"], "open", "{}", case.says("state"));
    assert_eq!(open["records"], 3, "{}", case.says("pending records"));
    assert_eq!(
        open["origin"]["offset"],
        7,
        "{}",
        case.says("where it begins")
    );
    case.info_says(0, &["as of offset 6", "3 records pending"]);
}

#[test]
fn br_23_a_begin_inside_a_transaction() {
    let case = case("d-second-begin");
    let begin = case.only(Code::BadTransaction, Severity::Error);
    assert_eq!(begin.place.offset.unwrap().0, 11, "{}", case.says("where"));
    let other = begin.other.as_ref().unwrap().0.offset.unwrap().0;
    assert_eq!(other, 7, "{}", case.says("the transaction that is open"));
    case.has_topics(&["audit", "before", "late", "orders", "payments"]);
    case.info_says(1, &["1 error"]);
}

#[test]
fn br_23_an_end_without_a_begin() {
    let case = case("e-end-without-begin");
    case.only(Code::BadTransaction, Severity::Error);
    case.finds(Severity::Error, &[(Code::BadTransaction, 10)]);
    case.has_topics(&["audit", "before", "orders", "payments"]);
    case.info_says(1, &["1 error"]);
}

#[test]
fn br_23_records_after_an_abort_in_one_batch() {
    let case = case("f-abort-and-more-in-one-batch");
    case.has_topics(&["before", "late"]);
    case.finds(Severity::Error, &[]);
    let returns = case.only(Code::AbortedTransactionReturns, Severity::Warning);
    let kafka = returns.kafka.as_deref().unwrap();
    assert!(
        kafka.contains("apply"),
        "{}",
        case.says("how Kafka's image differs")
    );
    case.info_says(0, &["1 warning"]);
}
