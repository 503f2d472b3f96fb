//! The lexer: [`tokens`] splits text into tokens.

use std::cmp::Ordering;
use std::ops::Range;

use super::Literal;
use super::decimal::{self, Decimal};

/// The kind of a token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TokenKind {
    /// The name of an input, an operator, a dtype or a keyword.
    Name,
    /// The name of a dtype in quotes, which are part of the token.
    Quoted,
    Number(Literal),
    /// An operator or punctuation.
    Symbol(&'static str),
    /// Text that is no token, and why. It is the last token.
    Bad(String),
    /// The end of the text, at the end of the token before.
    End,
}

/// A token and its byte range in the text.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) at: Range<usize>,
}

/// A symbol is before all of its prefixes, because the first match counts.
const SYMBOLS: [&str; 26] = [
    "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "(", ")",
    "[", "]", ",", "=", ";",
];

/// Symbols of other languages, and what to write instead.
const FOREIGN: [(&str, &str); 3] = [
    ("&&", "write `&` or logical_and(x, y)"),
    ("||", "write `|` or logical_or(x, y)"),
    ("!", "write `~x` or logical_not(x)"),
];

/// The tokens of a text, without comments, which go from `#` to the end of a line. The last token is `End` or `Bad`.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut start = 0;
    loop {
        let unread = &text[start..];
        let Some(first) = unread.chars().next() else {
            let end = tokens.last().map_or(0, |token| token.at.end);
            tokens.push(Token { kind: TokenKind::End, at: end..end });
            return tokens;
        };
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        if first == '#' {
            start += unread.find('\n').unwrap_or(unread.len());
            continue;
        }
        let digit_next = unread[first.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
        let (kind, length) = if first.is_ascii_digit() || (first == '.' && digit_next) {
            number(unread)
        } else if first.is_alphabetic() || first == '_' {
            (TokenKind::Name, word(unread))
        } else if first == '\'' || first == '"' {
            match unread[1..].find(first) {
                Some(length) => (TokenKind::Quoted, length + 2),
                None => (TokenKind::Bad("this quote is never closed".into()), 1),
            }
        } else {
            symbol(unread, first)
        };
        let bad = matches!(kind, TokenKind::Bad(_));
        tokens.push(Token { kind, at: start..start + length });
        if bad {
            return tokens;
        }
        start += length;
    }
}

/// The number of bytes of the letters, digits and underscores at the start of a text.
fn word(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())
}

fn symbol(text: &str, first: char) -> (TokenKind, usize) {
    let foreign = FOREIGN.iter().find(|(symbol, _)| text.starts_with(symbol) && !text.starts_with("!="));
    if let Some((symbol, advice)) = foreign {
        return (TokenKind::Bad(format!("`{symbol}` is not an operator here: {advice}")), symbol.len());
    }
    match SYMBOLS.iter().find(|symbol| text.starts_with(**symbol)) {
        Some(symbol) => (TokenKind::Symbol(symbol), symbol.len()),
        None => (TokenKind::Bad(format!("unexpected character {first:?}")), first.len_utf8()),
    }
}

/// A number at the start of a text: `12`, `0xff`, `1.5`, `1.`, `.5`, `1e-3`.
fn number(text: &str) -> (TokenKind, usize) {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    if text.starts_with("0x") || text.starts_with("0X") {
        let length = word(text);
        let hexadecimal = text[2..length].chars().all(|c| c.is_ascii_hexdigit()) && length > 2;
        return match i128::from_str_radix(&text[2..length], 16) {
            Ok(value) if hexadecimal => (TokenKind::Number(Literal::Int(value)), length),
            _ if hexadecimal => (TokenKind::Bad(format!("the integer {} is past 128 bits", &text[..length])), length),
            _ => (TokenKind::Bad(format!("{:?} is not a hexadecimal number", &text[..length])), length),
        };
    }
    let mut end = digits(0);
    let mut float = false;
    if bytes.get(end) == Some(&b'.') {
        float = true;
        end += 1;
        end += digits(end);
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits((end + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            float = true;
            end += 1 + sign + exponent;
        }
    }
    let attached = word(&text[end..]);
    if attached > 0 {
        let whole = &text[..end + attached];
        return (TokenKind::Bad(format!("{whole:?} is not a number, and a name starts with a letter")), whole.len());
    }
    let number = &text[..end];
    let kind = match number.parse::<i128>() {
        Ok(value) => TokenKind::Number(Literal::Int(value)),
        Err(_) => match decimal::read(number, !float) {
            Decimal { nearest: f64::INFINITY, is_integer: true, .. } => {
                TokenKind::Bad(format!("the integer {number} is past f64"))
            }
            Decimal { nearest, side: Ordering::Equal, is_integer: false } => TokenKind::Number(Literal::Float(nearest)),
            decimal => TokenKind::Number(Literal::Decimal(decimal)),
        },
    };
    (kind, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Literal::{Float, Int};
    use TokenKind::*;

    fn one(text: &str) -> TokenKind {
        let tokens = tokens(text);
        assert_eq!(tokens[0].at, 0..text.len(), "{text}");
        tokens[0].kind.clone()
    }

    #[test]
    fn numbers_are_integers_floats_or_decimals() {
        for (text, kind) in [
            ("0", Int(0)),
            ("007", Int(7)),
            ("0xfF", Int(255)),
            ("9223372036854775808", Int(1 << 63)),
            ("1.5", Float(1.5)),
            ("1.", Float(1.0)),
            (".5", Float(0.5)),
            ("1e3", Float(1000.0)),
            ("1E-3", Float(1e-3)),
            ("2.5e+1", Float(25.0)),
        ] {
            assert_eq!(one(text), Number(kind), "{text}");
        }
        for text in ["17.328679084777833", &"9".repeat(50)] {
            assert!(matches!(one(text), Number(Literal::Decimal(_))), "{text}");
        }
        for text in ["0x", "0xg", "1x", "1e", "1e+x", "1.5.f", "2_000", &format!("0x{}", "f".repeat(40))] {
            assert!(tokens(text).iter().any(|t| matches!(t.kind, Bad(_))), "{text}");
        }
    }

    #[test]
    fn tokens_have_their_byte_ranges() {
        let kinds: Vec<_> = tokens("a<=b\n != _c1+größe").into_iter().map(|t| (t.kind, t.at)).collect();
        let expected = [
            (Name, 0..1),
            (Symbol("<="), 1..3),
            (Name, 3..4),
            (Symbol("!="), 6..8),
            (Name, 9..12),
            (Symbol("+"), 12..13),
            (Name, 13..20),
            (End, 20..20),
        ];
        assert_eq!(kinds, expected);
        assert_eq!(tokens("'f32' \"größe\" ''").iter().filter(|t| t.kind == Quoted).count(), 3);
        for text in ["a 'b", "a \"b'", "a && b", "a $ b", "!a", "a || b", "a\u{0}"] {
            assert!(matches!(tokens(text).last().unwrap().kind, Bad(_)), "{text}");
        }
        assert_eq!(tokens(" \n "), [Token { kind: End, at: 0..0 }]);
    }
}
