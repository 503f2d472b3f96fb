//! Showing a place in a text.

use std::ops::Range;

/// Two lines: the line of `text` at fault, and carets under the bytes `at`.
///
/// ```text
/// x + sqr(y)
///     ^^^
/// ```
/// Characters of several bytes count as one column. Of a range over several lines the part in the first is shown; an
/// empty range, or one past the end, gets one caret.
pub fn caret(text: &str, at: &Range<usize>) -> String {
    let start = boundary(text, at.start);
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let line = text[line_start..line_end].trim_end_matches('\r');
    let line_end = line_start + line.len();
    let start = start.min(line_end);
    let end = boundary(text, at.end.clamp(start, line_end));
    // Tabs stay tabs, so that the columns meet whatever their width.
    let indent: String = text[line_start..start].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let marks = "^".repeat(text[start..end].chars().count().max(1));
    format!("{line}\n{indent}{marks}")
}

/// The last character boundary at or before a byte.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_characters_and_ends() {
        for (text, at, expected) in [
            ("a + bc", 4..6, "a + bc\n    ^^"),
            ("a +", 3..3, "a +\n   ^"),
            ("größe + ñé", 10..14, "größe + ñé\n        ^^"),
            ("one +\ntwo +\r\nthree", 6..9, "two +\n^^^"),
            ("one +\ntwo +\r\nthree", 10..18, "two +\n    ^"),
            ("one +\ntwo +\r\nthree", 13..99, "three\n^^^^^"),
            ("\tx y", 3..4, "\tx y\n\t  ^"),
            ("", 0..0, "\n^"),
            ("ab", 90..95, "ab\n  ^"),
            ("ñ", 1..2, "ñ\n^"),
            ("a\r\nb", 2..3, "a\n ^"),
        ] {
            assert_eq!(caret(text, &at), expected, "{text:?} {at:?}");
        }
    }

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "a caller may pass anything")]
    fn no_range_panics() {
        let text = "ñ+\r\n\né";
        for start in 0..12 {
            for end in 0..12 {
                assert_eq!(caret(text, &(start..end)).lines().count(), 2);
            }
        }
        assert_eq!(caret("abc", &(2..1)), "abc\n  ^");
    }
}
