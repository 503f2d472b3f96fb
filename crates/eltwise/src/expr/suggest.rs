//! "Did you mean": the name nearest to one that is not known.

/// The name among `known` that `given` most likely stands for: one it abbreviates (`max` of `maximum`), else the
/// nearest by edit distance, if it is near.
pub(super) fn suggest<'a>(given: &str, known: &[&'a str]) -> Option<&'a str> {
    let given = given.to_lowercase();
    let length = given.chars().count();
    if length > 32 {
        return None;
    }
    let near = known.iter().map(|&name| (distance(&given, name), name)).min();
    let abbreviated = || (length >= 3).then(|| known.iter().copied().find(|name| name.starts_with(&given))).flatten();
    let most = if length < 3 { 0 } else { 1 + length / 5 };
    abbreviated().or_else(|| near.filter(|&(d, _)| d <= most).map(|(_, name)| name))
}

/// The edit distance: insertions, deletions, replacements, and exchanges of two neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, d) in
            [("", "abc", 3), ("sqrt", "sqrt", 0), ("sqtr", "sqrt", 1), ("sqr", "sqrt", 1), ("abs", "add", 2)]
        {
            assert_eq!(distance(a, b), d, "{a} {b}");
            assert_eq!(distance(b, a), d, "{b} {a}");
        }
    }

    #[test]
    fn near_names_and_abbreviations() {
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
