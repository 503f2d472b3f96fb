//! [`caret()`]: shows a place in a text, for error messages.

use std::ops::Range;

/// Two lines: the line of `text` with the bytes `at`, and carets under those bytes.
///
/// ```text
/// x + sqr(y)
///     ^^^
/// ```
/// A line of more than 100 columns is cut to those around the first caret. A character of several bytes is one column. A
/// range over several lines is marked on its first line only; an empty range, or one past the end, gets one caret.
pub fn caret(text: &str, at: &Range<usize>) -> String {
    let start = boundary(text, at.start);
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let line = text[line_start..line_end].trim_end_matches('\r');
    let line_end = line_start + line.len();
    let start = start.min(line_end);
    let end = boundary(text, at.end.clamp(start, line_end));
    // Tabs stay tabs, so the carets line up at any tab width.
    let indent: String = text[line_start..start].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let marks = "^".repeat(text[start..end].chars().count().max(1));
    clipped(line, &format!("{indent}{marks}"))
}

/// A line and its marks, cut to the columns around the first mark if the line is long.
fn clipped(line: &str, marks: &str) -> String {
    /// The largest number of columns that are shown.
    const COLUMNS: usize = 100;
    /// The largest number of columns that are shown before the caret of a cut line.
    const BEFORE: usize = 60;
    const ELLIPSIS: &str = "...";
    let length = line.chars().count();
    if length <= COLUMNS {
        return format!("{line}\n{marks}");
    }
    let caret = marks.chars().position(|c| c == '^').unwrap_or(0);
    let first = caret.saturating_sub(BEFORE).min(length - COLUMNS);
    // The marks may be one column longer than the line: a caret can be at the end of the text.
    let cut = |text: &str, columns| text.chars().skip(first).take(columns).collect::<String>();
    let (before, indent) = if first > 0 { (ELLIPSIS, " ".repeat(ELLIPSIS.len())) } else { ("", String::new()) };
    let after = if first + COLUMNS < length { ELLIPSIS } else { "" };
    format!("{before}{}{after}\n{indent}{}", cut(line, COLUMNS), cut(marks, COLUMNS + 1))
}

/// The last character boundary at or before a byte.
fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_are_under_the_characters_of_the_range() {
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

    #[test]
    fn a_long_line_is_cut_to_the_columns_around_the_caret() {
        let text: String = ('a'..='z').cycle().take(1000).collect();
        for at in [0..1, 3..9, 59..60, 500..501, 500..900, 0..1000, 930..940, 999..1000, 1000..1000] {
            let shown = caret(&text, &at);
            let (line, marks) = shown.split_once('\n').unwrap();
            assert!(line.len() <= 106 && marks.len() <= 104, "{at:?}: {shown}");
            assert_eq!(line.starts_with("..."), at.start > 60, "{shown}");
            assert_eq!(line.ends_with("..."), at.start < 960, "{shown}");
            let column = marks.find('^').unwrap();
            assert_eq!(line[column..].chars().next(), text[at.start..].chars().next(), "{at:?}: {shown}");
        }
        let accents = caret(&"é".repeat(500), &(400..402));
        assert_eq!(accents.lines().map(|l| l.chars().count()).collect::<Vec<_>>(), [106, 64]);
    }
}
