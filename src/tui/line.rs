//! A line of text that is being typed.

/// Text and the place of the cursor in it, which is always between two characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LineEditor {
    before: String,
    after: String,
}

impl LineEditor {
    /// The text with the cursor at its end.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self {
            before: text.into(),
            after: String::new(),
        }
    }

    /// The text.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.before, self.after)
    }

    /// The text before and after the cursor.
    pub(super) fn parts(&self) -> (&str, &str) {
        (&self.before, &self.after)
    }

    /// Whether nothing is typed.
    pub(super) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// Types a character.
    pub(super) fn insert(&mut self, c: char) {
        self.before.push(c);
    }

    /// Erases the character before the cursor.
    pub(super) fn erase(&mut self) {
        self.before.pop();
    }

    /// Erases the character after the cursor.
    pub(super) fn erase_forward(&mut self) {
        let mut chars = self.after.chars();
        chars.next();
        self.after = chars.as_str().to_owned();
    }

    /// Erases back to the last slash or blank, which stays.
    pub(super) fn erase_word(&mut self) {
        let word = self.before.trim_end_matches(['/', ' ']);
        let kept = word.trim_end_matches(|c| !matches!(c, '/' | ' ')).len();
        self.before.truncate(kept);
    }

    /// Erases all before the cursor.
    pub(super) fn erase_line(&mut self) {
        self.before.clear();
    }

    /// Moves the cursor one character left.
    pub(super) fn left(&mut self) {
        if let Some(c) = self.before.pop() {
            self.after.insert(0, c);
        }
    }

    /// Moves the cursor one character right.
    pub(super) fn right(&mut self) {
        if let Some(c) = self.after.chars().next() {
            self.before.push(c);
            self.erase_forward();
        }
    }

    /// Moves the cursor to the start.
    pub(super) fn home(&mut self) {
        self.after.insert_str(0, &self.before);
        self.before.clear();
    }

    /// Moves the cursor to the end.
    pub(super) fn end(&mut self) {
        self.before.push_str(&self.after);
        self.after.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_at_the_cursor() {
        let mut line = LineEditor::new("/image/日本");
        line.left();
        line.insert('x');
        assert_eq!(line.parts(), ("/image/日x", "本"));
        line.erase_forward();
        line.erase();
        line.erase();
        assert_eq!(line.parts(), ("/image/", ""));
        line.erase_word();
        assert_eq!(line.text(), "/");
        line.home();
        line.insert('a');
        line.end();
        line.insert('b');
        assert_eq!(line.text(), "a/b");
        line.erase_line();
        assert!(line.is_empty());
    }
}
