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
    Either(Vec<Vec<Part>>),
}

impl Pattern {
    /// Reads a component; none when it has no wildcard and so is a plain name. A group that is nested or
    /// does not close makes the whole component plain.
    #[must_use]
    pub fn new(component: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut group: Option<Vec<Vec<Part>>> = None;
        let mut wild = false;
        let mut chars = component.chars();
        while let Some(c) = chars.next() {
            let part = match (c, &mut group) {
                ('{', Some(_)) => return None,
                ('{', None) => {
                    group = Some(vec![Vec::new()]);
                    continue;
                }
                ('}', Some(alternatives)) => {
                    parts.push(Part::Either(std::mem::take(alternatives)));
                    group = None;
                    wild = true;
                    continue;
                }
                (',', Some(alternatives)) => {
                    alternatives.push(Vec::new());
                    continue;
                }
                ('?', _) => Part::One,
                ('*', _) => Part::Run,
                ('\\', _) => Part::Char(chars.next().unwrap_or('\\')),
                (c, _) => Part::Char(c),
            };
            wild |= matches!(part, Part::One | Part::Run);
            match group
                .as_mut()
                .and_then(|alternatives| alternatives.last_mut())
            {
                Some(alternative) => alternative.push(part),
                None => parts.push(part),
            }
        }
        (wild && group.is_none()).then_some(Self(parts))
    }

    /// Whether a name is of this pattern, as a whole.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let mut ends = vec![false; name.len().saturating_add(1)];
        if let Some(start) = ends.first_mut() {
            *start = true;
        }
        reach(&self.0, ends, &name).last().copied().unwrap_or(false)
    }
}

/// The places in a name that parts can end at, from the places that those before them can end at:
/// linear for each part, so no pattern takes exponential time.
fn reach(parts: &[Part], mut ends: Vec<bool>, name: &[char]) -> Vec<bool> {
    for part in parts {
        ends = match part {
            Part::Either(alternatives) => {
                let mut any = vec![false; ends.len()];
                for alternative in alternatives {
                    let of_one = reach(alternative, ends.clone(), name);
                    for (end, reached) in any.iter_mut().zip(of_one) {
                        *end |= reached;
                    }
                }
                any
            }
            Part::Run => {
                let mut run = false;
                ends.iter()
                    .map(|here| {
                        run |= here;
                        run
                    })
                    .collect()
            }
            Part::One | Part::Char(_) => {
                let fits = |c: &char| !matches!(part, Part::Char(wanted) if wanted != c);
                let next = ends.iter().zip(name).map(|(here, c)| *here && fits(c));
                std::iter::once(false).chain(next).collect()
            }
        };
    }
    ends
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
            ("{cl*,acls}", "cluster", true),
            ("{cl*,acls}", "acls", true),
            ("{cl*,ac?s}x", "aclsx", true),
            ("{cl*,ac?s}x", "cluster", false),
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
