//! How near two names are to each other, to tell what a name that leads nowhere may have meant.

/// How many letters two names differ by, case aside; nothing when they have little in common.
#[must_use]
pub fn distance(a: &str, b: &str) -> Option<usize> {
    const LONGEST: usize = 64;
    let letters = |text: &str| {
        text.to_lowercase()
            .chars()
            .take(LONGEST)
            .collect::<Vec<_>>()
    };
    let (a, b) = (letters(a), letters(b));
    let most = a.len().max(b.len()).div_euclid(3).max(1);
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    // Levenshtein, one row at a time.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (n, x) in a.iter().enumerate() {
        let mut diagonal = n;
        let mut left = n.saturating_add(1);
        let mut next = vec![left];
        for (y, &above) in b.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal.saturating_add(usize::from(x != y));
            left = replaced
                .min(above.saturating_add(1))
                .min(left.saturating_add(1));
            diagonal = above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().filter(|d| *d <= most)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn near_names_are_near() {
        for (a, b, far) in [
            ("orders", "orders", Some(0)),
            ("orders", "Orders", Some(0)),
            ("order", "orders", Some(1)),
            ("ordres", "orders", Some(2)),
            ("brokers", "controllers", None),
            ("1", "2", Some(1)),
            ("", "ab", None),
        ] {
            assert_eq!(distance(a, b), far, "{a} {b}");
        }
    }
}
