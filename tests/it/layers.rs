//! Holds the order of the modules: data flows one way, and a module knows only those before it.

use crate::support::{project, walk};
use std::path::{Component, Path};

/// The rows, top to bottom. A module may use the rows above its own, and in its own row those to its
/// left.
const ROWS: &[&[&str]] = &[
    &["ids", "text", "error", "finding"],
    &["bytes", "source"],
    &["log"],
    &["schema", "record"],
    &["facts"],
    &["image"],
    &[
        "verify",
        "history",
        "diff",
        "audit",
        "preflight",
        "disks",
        "compare",
    ],
    &["tree", "tables"],
    &["export", "redact", "report", "bundle"],
    &["tui", "cli"],
];

/// The crate's roots declare modules and start the program; they stand above no row.
const ROOTS: &[&str] = &["lib.rs", "main.rs"];

#[test]
fn modules_import_only_from_rows_above_their_own() {
    let src = project().join("src");
    let mut broken = Vec::new();
    for path in walk(&src) {
        let relative = path.strip_prefix(&src).unwrap();
        if path.extension().is_none_or(|extension| extension != "rs")
            || ROOTS.iter().any(|root| Path::new(root) == relative)
        {
            continue;
        }
        let (module, depth) = module(relative);
        let Some(own) = rank(&module) else {
            broken.push(format!(
                "src/{}: module `{module}` is in no row",
                relative.display()
            ));
            continue;
        };
        let text = std::fs::read_to_string(&path).unwrap();
        for (line, used) in imports(&text, depth) {
            // Something of the crate's root that is no module (a macro, say) has no row.
            if used != module && rank(&used).is_some_and(|other| other > own) {
                broken.push(format!(
                    "src/{}:{line}: `{module}` uses `{used}`, which stands below it",
                    relative.display()
                ));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn rank(module: &str) -> Option<usize> {
    ROWS.iter()
        .flat_map(|row| row.iter())
        .position(|name| *name == module)
}

/// The module of the crate's root that a file belongs to, and how many `super` lead from the file to
/// the crate's root.
fn module(relative: &Path) -> (String, usize) {
    let parts: Vec<String> = relative
        .with_extension("")
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str().unwrap().to_owned(),
            other => panic!("{other:?} in a path below src"),
        })
        .collect();
    let depth = parts.len() - usize::from(parts.last().unwrap() == "mod");
    (parts.first().unwrap().clone(), depth)
}

/// The first path segments that `crate::` and enough `super::` lead to, with their lines.
fn imports(text: &str, depth: usize) -> Vec<(usize, String)> {
    let tokens = tokens(text);
    let word = |at: usize| tokens.get(at).map(|(_, word)| word.as_str());
    let mut found = Vec::new();
    // Inline modules, as the brace depths at which they began: inside them one more `super` is needed.
    let (mut braces, mut inline) = (0usize, Vec::new());
    let mut at = 0;
    while let Some(token) = word(at) {
        match token {
            "{" => {
                if at >= 2 && word(at - 2) == Some("mod") {
                    inline.push(braces);
                }
                braces += 1;
            }
            "}" => {
                braces -= 1;
                if inline.last() == Some(&braces) {
                    inline.pop();
                }
            }
            // `$crate` in a macro is a path like any other; `pub(crate)` has no `::` behind it.
            "crate" | "super" => {
                let mut supers = usize::from(token == "super");
                while word(at + 1) == Some("::") && word(at + 2) == Some("super") {
                    supers += 1;
                    at += 2;
                }
                let root = token == "crate" || supers >= depth + inline.len();
                if root && word(at + 1) == Some("::") {
                    segments(&tokens, at + 2, &mut found);
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The names at the head of a path or of each branch of a braced list.
fn segments(tokens: &[(usize, String)], from: usize, found: &mut Vec<(usize, String)>) {
    let mut nesting = 0;
    let mut head = true;
    for (line, token) in tokens.iter().skip(from) {
        match token.as_str() {
            "{" => nesting += 1,
            "}" => nesting -= 1,
            "," => head = head || nesting == 1,
            name => {
                if head && name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                    found.push((*line, name.to_owned()));
                    head = false;
                }
            }
        }
        if nesting == 0 {
            return;
        }
    }
}

/// Words, `::` and single marks of Rust source, each with its line; comments, strings and characters
/// left out.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut out = Vec::new();
    let (mut i, mut line) = (0, 1);
    // The end of a quoted run that begins at `i`, counting the lines it spans.
    let quoted = |mut i: usize, hashes: usize, raw: bool, line: &mut usize| {
        while i < chars.len() {
            match at(i) {
                '\\' if !raw => {
                    *line += usize::from(at(i + 1) == '\n');
                    i += 2;
                }
                '"' if (1..=hashes).all(|n| at(i + n) == '#') => return i + 1 + hashes,
                c => {
                    *line += usize::from(c == '\n');
                    i += 1;
                }
            }
        }
        i
    };
    while i < chars.len() {
        match at(i) {
            '\n' => {
                line += 1;
                i += 1;
            }
            '/' if at(i + 1) == '/' => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => {
                let mut open = 0;
                loop {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => {
                            open += 1;
                            i += 2;
                        }
                        ('*', '/') => {
                            open -= 1;
                            i += 2;
                        }
                        (c, _) => {
                            line += usize::from(c == '\n');
                            i += 1;
                        }
                    }
                    if open == 0 || i >= chars.len() {
                        break;
                    }
                }
            }
            '"' => i = quoted(i + 1, 0, false, &mut line),
            // A character, unless it is a lifetime.
            '\'' if at(i + 1) == '\\' => {
                i += 3;
                while i < chars.len() && at(i) != '\'' {
                    i += 1;
                }
                i += 1;
            }
            '\'' if at(i + 2) == '\'' => i += 3,
            ':' if at(i + 1) == ':' => {
                out.push((line, "::".to_owned()));
                i += 2;
            }
            c if c.is_alphanumeric() || c == '_' => {
                let from = i;
                while at(i).is_alphanumeric() || at(i) == '_' {
                    i += 1;
                }
                let word: String = chars[from..i].iter().collect();
                let hashes = (0..).take_while(|n| at(i + n) == '#').count();
                if matches!(word.as_str(), "r" | "br" | "b" | "c" | "cr")
                    && at(i + hashes) == '"'
                    && (hashes == 0 || word.contains('r'))
                {
                    i = quoted(i + hashes + 1, hashes, word.contains('r'), &mut line);
                } else {
                    out.push((line, word));
                }
            }
            c => {
                if !c.is_whitespace() {
                    out.push((line, c.to_string()));
                }
                i += 1;
            }
        }
    }
    out
}

#[test]
fn imports_are_found_in_every_form() {
    let text = r##"
        // use crate::cli;
        use crate::{bytes::{Cursor, X}, ids::Offset, log};
        use super::source;
        const A: &str = "crate::tui"; const B: char = '"'; const C: &str = r#"crate::"tui"#;
        pub(crate) fn f<'a>(x: &'a super::text::T) -> crate::error::Result<()> {}
        mod tests { use super::*; use super::super::image; use crate::log; }
        use super::record::{Decode, Encode};
    "##;
    let found: Vec<(usize, String)> = imports(text, 1);
    let names: Vec<(usize, &str)> = found
        .iter()
        .map(|(line, name)| (*line, name.as_str()))
        .collect();
    assert_eq!(
        names,
        [
            (3, "bytes"),
            (3, "ids"),
            (3, "log"),
            (4, "source"),
            (6, "text"),
            (6, "error"),
            (7, "image"),
            (7, "log"),
            (8, "record"),
        ]
    );
    // One folder deeper, the first `super` is still inside the module.
    assert_eq!(
        imports("use super::batch; use super::super::bytes;", 2),
        [(1, "bytes".to_owned())]
    );
}
