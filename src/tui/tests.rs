//! The browser without a terminal: what actions lead to, what screens look like, and that no keys
//! bring it down.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "a test that overflows has failed"
)]

use super::browser::Loaded;
use super::keys::{BINDINGS, Key, When, keys_text};
use super::model::{Action, Content, Effect, Focus, Mode, Model};
use super::theme::Theme;
use super::view;
use crate::image::State;
use crate::log::{Log, Options};
use crate::tree::Secrets;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::{Color, Modifier};
use std::path::Path;
use std::sync::Arc;

const DYNAMIC: &str = "sample-snapshots/kafka-4.4.0-dynamic/controller-3001";
const MARKED: &str = "sample-snapshots/marked-controllers/option-a-and-g";
const STATIC: &str = "sample-snapshots/static-configs";

/// A sample, by its path in the package: tests run there, and screens show the path.
fn sample(path: &str) -> Loaded {
    let log = Log::open(Path::new(path), &Options::default()).unwrap();
    Loaded::new(Arc::new(State::read(Arc::new(log))))
}

fn opened(path: &str, size: (u16, u16)) -> Model {
    let mut model = Model::new(Vec::new(), Secrets::Masked, size);
    model.update(Action::Loaded(Box::new(Ok(sample(path)))));
    model
}

fn press(model: &mut Model, key: Key) -> Option<Effect> {
    let action = model.action(key)?;
    model.update(action)
}

/// Presses keys: characters as they stand, others by name in angle brackets.
fn keys(model: &mut Model, text: &str) {
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let named = [
            ("<Enter>", Key::Enter),
            ("<Esc>", Key::Esc),
            ("<Tab>", Key::Tab),
            ("<BS>", Key::Backspace),
            ("<Down>", Key::Down),
            ("<C-d>", Key::Ctrl('d')),
            ("<C-u>", Key::Ctrl('u')),
            ("<PgDn>", Key::PageDown),
        ];
        let found = named
            .iter()
            .find_map(|(name, key)| Some((rest.strip_prefix(name)?, *key)));
        let (next, key) = found.unwrap_or((&rest[c.len_utf8()..], Key::Char(c)));
        press(model, key);
        rest = next;
    }
}

/// The path of the chosen object, the row it stands on, the top row.
fn place(model: &Model) -> (&str, usize, usize) {
    match &model.content {
        Content::Ready(b) => (&b.detail.path, b.rows.cursor(), b.rows.top()),
        Content::Loading(_) => panic!("not read"),
    }
}

fn focus(model: &Model) -> Focus {
    match &model.content {
        Content::Ready(browser) => browser.focus,
        Content::Loading(_) => panic!("not read"),
    }
}

fn screen(model: &Model) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(model.size.0, model.size.1)).unwrap();
    terminal
        .draw(|frame| view::draw(model, Theme::Dark, frame))
        .unwrap();
    terminal
}

/// Presses each run of keys after the last and compares where that leads.
fn walk(model: &mut Model, steps: &[(&str, (&str, usize, usize))]) {
    for (text, expected) in steps {
        keys(model, text);
        assert_eq!(place(model), *expected, "after {text}");
    }
}

#[test]
fn moves_opens_and_closes() {
    // 24 rows leave 18 to the tree, which has 19 at first.
    let mut model = opened(DYNAMIC, (80, 24));
    walk(
        &mut model,
        &[
            ("", ("/", 0, 0)),
            ("k", ("/", 0, 0)),
            ("j", ("/files", 1, 0)),
            ("<C-d>", ("/image/producerIds", 10, 0)),
            ("<C-u>", ("/files", 1, 0)),
            ("<PgDn>", ("/transactions", 18, 1)),
            ("G", ("/transactions", 18, 1)),
            ("g", ("/", 0, 0)),
            // the root never closes
            ("h", ("/", 0, 0)),
            ("jjj", ("/image", 3, 0)),
            ("h", ("/image", 3, 0)),
            ("j", ("/local", 4, 0)),
            ("k<Enter>", ("/image", 3, 0)),
            ("<Enter>", ("/image/acls", 4, 0)),
            ("l", ("/image/acls", 4, 0)),
            ("l", ("/image/acls/byId", 5, 0)),
            ("h", ("/image/acls", 4, 0)),
            ("<BS>", ("/image/acls", 4, 0)),
            ("<BS>", ("/image", 3, 0)),
        ],
    );
}

#[test]
fn goes_to_paths() {
    let mut model = opened(DYNAMIC, (80, 24));
    walk(
        &mut model,
        &[
            (
                ":image/topics/byName/ord<Tab><Enter>",
                ("/image/topics/byName/orders", 19, 2),
            ),
            // from here, and the first that a pattern leads to
            (":<BS>[1-9]<Enter>", ("/image/topics/byName/orders", 19, 2)),
            (
                "<Esc>:<BS>?<Enter>",
                ("/image/topics/byName/orders/0", 20, 3),
            ),
            (":<Esc>", ("/image/topics/byName/orders/0", 20, 3)),
            (":<Enter>", ("/", 0, 0)),
        ],
    );
    keys(&mut model, ":image/topics/byName/oders<Enter>");
    match &model.mode {
        Mode::GoTo { hint, .. } => assert_eq!(
            hint.as_deref(),
            Some("no oders in /image/topics/byName; nearest: orders")
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn completes_as_far_as_it_is_clear() {
    let mut model = opened(DYNAMIC, (80, 24));
    for (typed, line, hint) in [
        ("im<Tab>", "/image/", None),
        ("c<Tab>", "/image/c", Some("clientQuotas  cluster  configs")),
        ("lu<Tab>", "/image/cluster/", None),
        ("x<Tab>", "/image/cluster/x", Some("no name begins so")),
    ] {
        keys(&mut model, if line == "/image/" { ":" } else { "" });
        keys(&mut model, typed);
        match &model.mode {
            Mode::GoTo { line: at, hint: is } => {
                assert_eq!((at.text().as_str(), is.as_deref()), (line, hint), "{typed}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn filters_what_is_open() {
    let mut model = opened(DYNAMIC, (80, 24));
    walk(
        &mut model,
        &[
            (
                ":image/topics/byName/*<Enter>",
                ("/image/topics/byName/__transaction_state", 16, 0),
            ),
            // a capital is only found as a capital
            ("/PIN", ("/", 0, 0)),
            ("<C-u>pin", ("/image/topics/byName/pinned", 4, 0)),
            ("<Enter>n", ("/image/topics/byName/pinned", 4, 0)),
            ("<Enter>", ("/image/topics/byName/pinned", 4, 0)),
            ("j", ("/image/topics/byName/pinned/0", 5, 0)),
            // the row stays chosen when the others come back
            ("<Esc>", ("/image/topics/byName/pinned/0", 22, 5)),
            ("/o", ("/local", 12, 0)),
        ],
    );
}

#[test]
fn the_filter_prompt_goes_back_when_it_is_left() {
    let mut model = opened(DYNAMIC, (80, 24));
    walk(
        &mut model,
        &[
            ("j", ("/files", 1, 0)),
            ("/scr", ("/image/scram", 2, 0)),
            ("<Esc>", ("/files", 1, 0)),
            ("/scram<Enter>", ("/image/scram", 2, 0)),
            ("<Esc>", ("/image/scram", 12, 0)),
            // nothing found: nothing is hidden
            ("/zzz<Enter>", ("/image/scram", 12, 0)),
        ],
    );
    assert_eq!(
        model.message.as_deref(),
        Some("no name of an open directory has zzz")
    );
}

#[test]
fn the_focus_moves_between_the_panes() {
    let mut model = opened(DYNAMIC, (80, 24));
    for (text, expected) in [
        ("<Tab>", Focus::Detail),
        ("j", Focus::Detail),
        ("<Tab>", Focus::Tree),
        // a value has nothing to open but its detail
        (":image/provenance<Enter>", Focus::Tree),
        ("l", Focus::Detail),
        ("h", Focus::Tree),
        ("<Tab><Esc>", Focus::Tree),
    ] {
        keys(&mut model, text);
        assert_eq!(focus(&model), expected, "after {text}");
    }
    assert_eq!(place(&model).0, "/image/provenance");
}

#[test]
fn the_mouse_chooses_opens_and_scrolls() {
    let mut model = opened(DYNAMIC, (80, 24));
    let click = |column, row, double| Action::Click {
        column,
        row,
        double,
    };
    for (action, expected) in [
        // The tree begins on line 3. A name, then the arrow before it.
        (click(5, 4, false), ("/files", 1, 0)),
        (click(0, 4, false), ("/files", 1, 0)),
        (
            click(6, 5, false),
            ("/files/00000000000000000000-0000000000.checkpoint", 2, 0),
        ),
        (click(4, 4, false), ("/files", 1, 0)),
        (click(4, 4, true), ("/files", 1, 0)),
        (click(6, 5, false), ("/findings", 2, 0)),
        (
            Action::Wheel {
                column: 3,
                row: 9,
                by: 3,
            },
            ("/findings", 2, 1),
        ),
        (click(79, 23, false), ("/findings", 2, 1)),
    ] {
        let text = format!("{action:?}");
        model.update(action);
        assert_eq!(place(&model), expected, "after {text}");
    }
}

#[test]
fn keys_ask_for_what_the_model_cannot_do() {
    let mut model = opened(DYNAMIC, (80, 24));
    assert_eq!(press(&mut model, Key::Char('r')), Some(Effect::Load));
    // once is enough
    assert_eq!(press(&mut model, Key::Char('r')), None);
    assert_eq!(press(&mut model, Key::Ctrl('z')), Some(Effect::Suspend));
    keys(&mut model, ":q");
    assert_eq!(press(&mut model, Key::Ctrl('c')), Some(Effect::Quit));
    keys(&mut model, "<Esc>");
    assert_eq!(press(&mut model, Key::Char('q')), Some(Effect::Quit));
}

#[test]
fn reading_again_keeps_the_place() {
    let mut model = opened(DYNAMIC, (80, 24));
    keys(&mut model, ":image/topics/byName/orders/3<Enter>");
    let before = place(&model).0.to_owned();
    model.update(Action::Loaded(Box::new(Ok(sample(DYNAMIC)))));
    assert_eq!(place(&model).0, before);
    // In a state without this topic the nearest directory above is taken.
    model.update(Action::Loaded(Box::new(Ok(sample(MARKED)))));
    assert_eq!(place(&model).0, "/image/topics/byName");
    // What cannot be read leaves all as it is.
    model.update(Action::Loaded(Box::new(Err("gone\n".to_owned()))));
    assert_eq!(model.message.as_deref(), Some("gone\\n"));
    assert_eq!(place(&model).0, "/image/topics/byName");
}

#[test]
fn screens() {
    let shown = |path, size, text: &str| {
        let mut model = opened(path, size);
        keys(&mut model, text);
        screen(&model)
    };
    let topic = ":image/topics/byName/orders/0<Enter>";
    for (name, path, size, text) in [
        ("overview_120x40", DYNAMIC, (120, 40), ""),
        ("partition_80x24", DYNAMIC, (80, 24), topic),
        ("partition_40x10", DYNAMIC, (40, 10), topic),
        (
            "partition_detail_40x10",
            DYNAMIC,
            (40, 10),
            &format!("{topic}<Tab>"),
        ),
        (
            "mark_120x40",
            MARKED,
            (120, 40),
            ":image/cluster/controllers/3000<Enter>",
        ),
        (
            "static_80x24",
            STATIC,
            (80, 24),
            ":static-configs/1<Enter>l/log.r",
        ),
        (
            "goto_80x24",
            DYNAMIC,
            (80, 24),
            ":image/topics/byName/<Tab>",
        ),
        ("help_80x24", DYNAMIC, (80, 24), "?"),
    ] {
        insta::assert_snapshot!(name, shown(path, size, text).backend());
    }
    let files = vec![
        (
            "00000000000000000005-0000000001.checkpoint".to_owned(),
            265_289_728,
        ),
        ("\x1b[2J.log".to_owned(), 12),
    ];
    let model = Model::new(files, Secrets::Masked, (80, 24));
    insta::assert_snapshot!("loading_80x24", screen(&model).backend());
}

#[test]
fn a_screen_that_is_too_small_says_so() {
    let mut model = opened(DYNAMIC, (80, 24));
    for size in [(39, 10), (40, 9), (5, 1)] {
        model.update(Action::Resize(size.0, size.1));
        let terminal = screen(&model);
        let cells = terminal.backend().buffer().content();
        let text: String = cells.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(
            text.trim_end(),
            if size.0 == 5 {
                "term…"
            } else {
                "terminal too small"
            }
        );
    }
}

#[test]
fn a_mark_stands_out_with_and_without_colours() {
    let mut model = opened(MARKED, (120, 40));
    keys(&mut model, ":image/cluster/controllers<Enter>l");
    for (theme, colour) in [(Theme::Dark, Color::Magenta), (Theme::Plain, Color::Reset)] {
        let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap();
        terminal
            .draw(|frame| view::draw(&model, theme, frame))
            .unwrap();
        let buffer = terminal.backend().buffer();
        let signs: Vec<_> = buffer
            .content()
            .iter()
            .filter(|cell| cell.symbol() == "⊘")
            .collect();
        // beside cluster, controllers, marks and the one controller; the chosen row has its own style
        assert_eq!(signs.len(), 4);
        let styled = |cell: &&&ratatui::buffer::Cell| {
            cell.fg == colour && cell.modifier.contains(Modifier::BOLD)
        };
        assert!(signs.iter().filter(styled).count() >= 3, "{theme:?}");
        if theme == Theme::Plain {
            let plain =
                |cell: &ratatui::buffer::Cell| cell.fg == Color::Reset && cell.bg == Color::Reset;
            assert!(buffer.content().iter().all(plain));
        }
    }
}

#[test]
fn secrets_are_masked_in_tree_and_detail() {
    let text = |secrets| {
        let mut model = Model::new(Vec::new(), secrets, (200, 60));
        let loaded = sample("sample-snapshots/every-record");
        model.update(Action::Loaded(Box::new(Ok(loaded))));
        keys(&mut model, ":image/scram/*/*<Enter>");
        let terminal = screen(&model);
        terminal.backend().to_string()
    };
    let masked = text(Secrets::Masked);
    assert_eq!(masked.matches("[redacted]").count(), 3, "{masked}");
    assert!(!text(Secrets::Revealed).contains("[redacted]"));
}

/// Numbers that are the same in each run (the constants of Knuth's MMIX).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

#[test]
fn no_keys_bring_it_down() {
    let plain: Vec<Key> = BINDINGS.iter().flat_map(|b| b.keys).copied().collect();
    let typed: Vec<char> = "/abeimnorst*?\"\\{日e\u{301}\u{202e}".chars().collect();
    let samples = [sample(DYNAMIC), sample(STATIC), sample(MARKED)];
    for seed in 0..12 {
        let mut random = Random(seed);
        let mut model = Model::new(Vec::new(), Secrets::Masked, (80, 24));
        for n in 0..1200 {
            let action = match random.below(40) {
                0 => Some(Action::Resize(
                    random.below(130) as u16,
                    random.below(45) as u16,
                )),
                1 | 2 => Some(Action::Click {
                    column: random.below(130) as u16,
                    row: random.below(45) as u16,
                    double: random.below(2) == 0,
                }),
                3 => Some(Action::Wheel {
                    column: random.below(130) as u16,
                    row: random.below(45) as u16,
                    by: random.below(9) as isize - 4,
                }),
                4 if n > 20 => {
                    let loaded = samples[random.below(samples.len())].clone();
                    Some(Action::Loaded(Box::new(Ok(loaded))))
                }
                5..=14 => model.action(Key::Char(typed[random.below(typed.len())])),
                _ => model.action(plain[random.below(plain.len())]),
            };
            if let Some(action) = action {
                model.update(action);
            }
            // The backend panics at a cell outside; the cursor must be on a row of the tree.
            if n % 4 == 0 && model.size.0 > 0 && model.size.1 > 0 {
                screen(&model);
            }
            if let (Content::Ready(browser), Some(layout)) = (&model.content, model.layout()) {
                let (cursor, top) = (browser.rows.cursor(), browser.rows.top());
                assert!(cursor < browser.rows.len(), "seed {seed}, step {n}");
                let height = layout.tree_height();
                assert!(height == 0 || (top..top + height).contains(&cursor));
            }
        }
    }
}

#[test]
fn the_guide_has_every_key() {
    let guide = std::fs::read_to_string("docs/browser.md").unwrap();
    let mut table = String::new();
    for when in When::ALL {
        table.push_str(&format!(
            "### {}\n\n| keys | what they do |\n|---|---|\n",
            when.title()
        ));
        for binding in BINDINGS.iter().filter(|b| b.when == when) {
            let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{key}`")).collect();
            assert!(keys_text(binding).chars().count() <= 20);
            table.push_str(&format!("| {} | {} |\n", keys.join(" "), binding.help));
        }
        table.push('\n');
    }
    assert!(
        guide.contains(table.trim_end()),
        "docs/browser.md must have this table:\n\n{table}"
    );
}
