//! Levels, and record versions that do not go with them.

use super::{Case, has_all};
use kraftlens::finding::{Code, Severity};

#[test]
fn br_19_a_level_that_was_raised() {
    let case = Case::of("BR-19-level-raised-then-downgraded/a-as-reported");
    case.is_clean();
    case.as_of(1612, 1, "2026-01-01T00:00:05.250Z");
    level_is_20_since_1609(&case);
    case.info_says(0, &["3.8-IV0 (20)"]);
}

#[test]
fn br_19_a_record_version_ahead_of_the_level() {
    let case = Case::of("BR-19-level-raised-then-downgraded/b-newer-record");
    let ahead = case.only(Code::VersionAheadOfLevel, Severity::Warning);
    assert_eq!(
        ahead.place.offset.unwrap().0,
        1613,
        "{}",
        case.says("where")
    );
    let words = ["PartitionRecord", "version 2", "20", "23", "4.0-IV1"];
    assert!(
        has_all(&ahead.summary, &words),
        "{}",
        case.says("version, level, and the level it needs")
    );
    level_is_20_since_1609(&case);
    case.info_says(0, &["1 warning", "3.8-IV0 (20)"]);
}

fn level_is_20_since_1609(case: &Case) {
    let level = case.facts("/image/features/metadataVersion");
    assert_eq!(level["level"], 20, "{}", case.says("level"));
    assert_eq!(level["name"], "3.8-IV0", "{}", case.says("its name"));
    assert_eq!(
        level["neededRelease"],
        "3.8",
        "{}",
        case.says("release needed to start")
    );
    assert_eq!(
        level["origin"]["offset"],
        1609,
        "{}",
        case.says("raised at")
    );
    assert_eq!(
        level["origin"]["time"],
        "2026-01-01T00:00:04.750Z",
        "{}",
        case.says("raised when")
    );
    let log = &case.log;
    let batch = log
        .batches()
        .find(|b| b.header().last_offset().0 >= 1609)
        .unwrap();
    assert_eq!(
        batch.position().0,
        19_787,
        "{}",
        case.says("position of its batch")
    );
}

#[test]
fn br_29_the_state_is_that_of_the_checkpoint() {
    for (part, level) in [("level-16", 16), ("level-14", 14)] {
        let case = Case::of(&format!("BR-29-checkpoint-lost-controllers/{part}"));
        case.finds(Severity::Error, &[]);
        case.finds(Severity::Warning, &[]);
        assert_eq!(
            case.fact("/image/features/metadataVersion", "level"),
            level,
            "{}",
            case.says("level")
        );
        case.has(
            "/image/cluster/controllers",
            &[],
            "the checkpoint has no controllers",
        );
        case.has("/image/cluster/brokers", &["11"], "broker");
        assert_eq!(
            case.fact("/image/cluster/brokers/11", "epoch"),
            4,
            "{}",
            case.says("its epoch")
        );
        case.has_topics(&["orders"]);
        assert_eq!(
            case.state.image().provenance().offset.0,
            89,
            "{}",
            case.says("as of")
        );
        case.info_says(0, &["healthy", "as of offset 89"]);
    }
}
