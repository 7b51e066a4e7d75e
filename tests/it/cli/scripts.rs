//! The worked examples of `docs/scripts.md` do what the page says.

use super::kraftlens;
use crate::support::project;

/// Words of a command line as a shell splits them: blanks, and single or double quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (' ', None) => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    assert_eq!(quote, None, "{line}");
    words.extend(word);
    words
}

/// KRAFTLENS_REWRITE=1 writes the answers anew; read them line by line.
#[test]
fn every_example_answers_as_the_page_says() {
    let path = project().join("docs/scripts.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mut made = String::new();
    let mut examples = 0;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        made.push_str(line);
        made.push('\n');
        if line != "```console" {
            continue;
        }
        let command = lines.next().unwrap();
        let mut args = words(command.strip_prefix("$ kraftlens ").unwrap());
        // The page spares its readers the name of the folder.
        for arg in &mut args {
            if let Some(sample) = arg.strip_prefix("samples/") {
                *arg = format!("sample-snapshots/{sample}");
            }
        }
        let ran = kraftlens(&args);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{command}");
        assert!(ran.out.lines().count() > 1, "{command} finds nothing");
        made.push_str(&format!("{command}\n{}", ran.out));
        examples += 1;
        let _ = lines.by_ref().find(|line| *line == "```").unwrap();
        made.push_str("```\n");
    }
    assert!(examples >= 10, "{examples} examples");
    if std::env::var_os("KRAFTLENS_REWRITE").is_some() {
        std::fs::write(&path, &made).unwrap();
        return;
    }
    assert!(
        made == page,
        "docs/scripts.md is stale: KRAFTLENS_REWRITE=1 writes it anew\n{made}"
    );
}
