//! A typed line as words.

/// A word, and where in the line it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The byte that it begins at.
    pub(super) at: usize,
    /// What it says, quotes that are of the line alone taken away.
    pub(super) text: String,
    /// Whether the line ends inside it, in open quotes or right behind it.
    pub(super) open: bool,
}

/// Splits at blanks. Double quotes keep blanks together and stay, for they are of the path: a component
/// in them is taken as it is. A word in single quotes is all that is between them. A word in double
/// quotes that begins with a slash is a whole path between them, as people write it elsewhere.
pub(super) fn ours(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = line.char_indices().peekable();
    while let Some(&(at, first)) = rest.peek() {
        if first.is_whitespace() {
            rest.next();
            continue;
        }
        let mut text = String::new();
        let mut open = true;
        if first == '\'' {
            rest.next();
            for (_, c) in rest.by_ref() {
                if c == '\'' {
                    open = false;
                    break;
                }
                text.push(c);
            }
            words.push(Word { at, text, open });
            continue;
        }
        let mut quoted = false;
        while let Some((_, c)) = rest.next_if(|(_, c)| quoted || !c.is_whitespace()) {
            text.push(c);
            match c {
                '"' => quoted = !quoted,
                '\\' if quoted => text.extend(rest.next().map(|(_, c)| c)),
                _ => {}
            }
        }
        let whole = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .filter(|path| path.starts_with('/') && !path.contains('"'));
        if let Some(path) = whole {
            text = path.to_owned();
        }
        let open = rest.peek().is_none();
        words.push(Word { at, text, open });
    }
    words
}

/// Splits as the prompt of Kafka's shell does (`DefaultParser` of JLine): quotes of both kinds and
/// backslashes are taken away before a command sees the word.
pub(super) fn kafka(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = line.char_indices().peekable();
    while let Some(&(at, first)) = rest.peek() {
        if first.is_whitespace() {
            rest.next();
            continue;
        }
        let mut text = String::new();
        let mut quote = None;
        while let Some((_, c)) = rest.next_if(|(_, c)| quote.is_some() || !c.is_whitespace()) {
            match (c, quote) {
                ('\\', _) => text.extend(rest.next().map(|(_, c)| c)),
                (c, Some(open)) if c == open => quote = None,
                ('"' | '\'', None) => quote = Some(c),
                _ => text.push(c),
            }
        }
        let open = rest.peek().is_none();
        words.push(Word { at, text, open });
    }
    words
}

/// The words alone.
pub(super) fn texts(words: Vec<Word>) -> Vec<String> {
    words.into_iter().map(|word| word.text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(line: &str) -> Vec<String> {
        texts(super::ours(line))
    }

    #[test]
    fn double_quotes_are_of_the_path() {
        assert_eq!(ours("  cat  a  b "), ["cat", "a", "b"]);
        assert_eq!(
            ours(r#"cat /image/"a b"/c "/image/x y" '"q'"#),
            ["cat", r#"/image/"a b"/c"#, "/image/x y", "\"q"]
        );
        assert_eq!(
            ours(r#"cat "a\" b" o'brien"#),
            ["cat", r#""a\" b""#, "o'brien"]
        );
        assert_eq!(
            ours(r"cat clientId(a\(b\)) ''"),
            ["cat", r"clientId(a\(b\))", ""]
        );
    }

    // Read from runs of the real prompt.
    #[test]
    fn kafkas_prompt_takes_quotes_and_backslashes_away() {
        assert_eq!(
            texts(kafka(r#"cat "/image/p" '/image/prov'enance prov\enance "#)),
            ["cat", "/image/p", "/image/provenance", "provenance"]
        );
        assert_eq!(texts(kafka("''")), [""]);
    }
}
