//! Patterns of path components, as MetadataShell's `GlobComponent` reads them: `?` one character, `*` any
//! run, `{a,b}` alternatives, `\` takes the next character as it is.

/// A pattern for one component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Char(char),
    One,
    Run,
    Either(Vec<Vec<char>>),
}

impl Pattern {
    /// Reads a component; none when it has no wildcard and so is a plain name. A group that is nested or
    /// does not close makes the whole component plain.
    #[must_use]
    pub fn new(component: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut group: Option<Vec<Vec<char>>> = None;
        let mut wild = false;
        let mut chars = component.chars();
        while let Some(c) = chars.next() {
            if let Some(alternatives) = &mut group {
                match c {
                    '{' => return None,
                    '}' => {
                        parts.push(Part::Either(group.take().unwrap_or_default()));
                        wild = true;
                        continue;
                    }
                    ',' => {
                        alternatives.push(Vec::new());
                        continue;
                    }
                    _ => {}
                }
                let c = if c == '\\' {
                    chars.next().unwrap_or('\\')
                } else {
                    c
                };
                if let Some(last) = alternatives.last_mut() {
                    last.push(c);
                }
                continue;
            }
            match c {
                '?' => parts.push(Part::One),
                '*' => parts.push(Part::Run),
                '{' => {
                    group = Some(vec![Vec::new()]);
                    continue;
                }
                '\\' => {
                    parts.push(Part::Char(chars.next().unwrap_or('\\')));
                    continue;
                }
                c => {
                    parts.push(Part::Char(c));
                    continue;
                }
            }
            wild = true;
        }
        (wild && group.is_none()).then_some(Self(parts))
    }

    /// Whether a name is of this pattern, as a whole.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        // The set of places in the name that the parts so far can end at: linear for each part, so no
        // pattern takes exponential time.
        let name: Vec<char> = name.chars().collect();
        let mut ends = vec![false; name.len().saturating_add(1)];
        if let Some(start) = ends.first_mut() {
            *start = true;
        }
        for part in &self.0 {
            let mut next = vec![false; ends.len()];
            let mut run = false;
            for at in 0..ends.len() {
                let here = ends.get(at).copied().unwrap_or(false);
                run |= here;
                let mut reach = |to: usize| {
                    if let Some(end) = next.get_mut(to) {
                        *end = true;
                    }
                };
                match part {
                    Part::Run if run => reach(at),
                    Part::One if here && at < name.len() => reach(at.saturating_add(1)),
                    Part::Char(c) if here && name.get(at) == Some(c) => reach(at.saturating_add(1)),
                    Part::Either(alternatives) if here => {
                        for alternative in alternatives {
                            let rest = name.get(at..).unwrap_or_default();
                            if rest.starts_with(alternative) {
                                reach(at.saturating_add(alternative.len()));
                            }
                        }
                    }
                    _ => {}
                }
            }
            ends = next;
        }
        ends.last().copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_the_shell_does() {
        let table = [
            ("*", "", true),
            ("a*c", "abbbc", true),
            ("a*c", "abbb", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("{foo,ba}r", "foor", true),
            ("{foo,ba}r", "bar", true),
            ("{foo,ba}r", "foobar", false),
            ("*\\*", "a*", true),
            ("*\\*", "ab", false),
            ("{,x}y*", "y", true),
            ("b?l*", "bäla/b", true),
        ];
        for (pattern, name, expected) in table {
            let read = Pattern::new(pattern).expect(pattern);
            assert_eq!(read.matches(name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn plain_names_are_no_patterns() {
        for plain in ["abc", "a\\b", "{a", "{a,{b}}", "a,b", "x}", "{a,b"] {
            assert_eq!(Pattern::new(plain), None, "{plain}");
        }
    }

    // Backtracking would take some 2^100 steps here.
    #[test]
    fn hostile_patterns_end() {
        let pattern = Pattern::new(&format!("{}b", "*a".repeat(100))).unwrap();
        assert!(!pattern.matches(&"a".repeat(2000)));
    }
}
