//! [`suggest`]: the "did you mean" of error messages about unknown names.

/// The name among `known` that `given` most likely means: one that it abbreviates (`max` for `maximum`), otherwise the
/// nearest one by edit distance, if it is near enough.
pub(super) fn suggest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    let given = given.to_lowercase();
    let length = given.chars().count();
    if length > 32 {
        return None;
    }
    let near = known.iter().map(|&name| (distance(&given, name), name)).min();
    let abbreviated = || (length >= 3).then(|| known.iter().copied().find(|name| name.starts_with(&given))).flatten();
    let limit = if length < 3 { 0 } else { 1 + length / 5 };
    abbreviated().or_else(|| near.filter(|&(d, _)| d <= limit).map(|(_, name)| name))
}

/// The edit distance: the number of insertions, deletions, replacements and swaps of two neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut two_above = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(two_above[j - 2] + 1);
            }
        }
        two_above = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits_and_swaps() {
        for (a, b, d) in
            [("", "abc", 3), ("sqrt", "sqrt", 0), ("sqtr", "sqrt", 1), ("sqr", "sqrt", 1), ("abs", "add", 2)]
        {
            assert_eq!(distance(a, b), d, "{a} {b}");
            assert_eq!(distance(b, a), d, "{b} {a}");
        }
    }

    #[test]
    fn near_names_and_abbreviations_are_suggested() {
        let known = ["sqrt", "fmax", "maximum", "multiply", "minimum", "subtract", "less", "less_equal"];
        for (given, expected) in [
            ("sqr", Some("sqrt")),
            ("SQRT", Some("sqrt")),
            ("max", Some("maximum")),
            ("mul", Some("multiply")),
            ("fmx", Some("fmax")),
            ("substract", Some("subtract")),
            ("lesss", Some("less")),
            ("conv2d", None),
            ("x", None),
        ] {
            assert_eq!(suggest(given, &known), expected, "{given}");
        }
    }
}
