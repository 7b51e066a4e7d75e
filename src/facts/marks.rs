//! The mark of a decommissioned controller: an entry in the Features list of its registration.

/// The name of the entry. No feature of that name exists and none can be finalised.
pub const DECOMMISSIONED: &str = "__decommissioned_controller";

/// The range with which the mark is written.
pub const DECOMMISSIONED_RANGE: (i16, i16) = (1, 1);

/// Whether a registration with these entries is marked: the name is listed, whatever its range and
/// however often.
pub fn is_marked<'a>(names: impl IntoIterator<Item = &'a str>) -> bool {
    names.into_iter().any(|name| name == DECOMMISSIONED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_alone_marks() {
        assert!(is_marked([
            "metadata.version",
            "__decommissioned_controller"
        ]));
        assert!(!is_marked([
            "metadata.version",
            "decommissioned_controller"
        ]));
        assert!(!is_marked([]));
    }
}
