//! The text grammar: operators by precedence, parentheses, names and numbers. Calls stand in `call.rs`.
//!
//! ```text
//! expression = operand { binary operand }        binary, loose to tight:  < <= > >= == !=   |   ^   &   + -   * /
//! operand    = { "-" | "+" | "~" } primary
//! primary    = number | "true" | "false" | "inf" | "nan" | name | "(" expression ")" | call
//! call       = name "(" argument { "," argument } [ "," ] ")"
//! argument   = expression | dtype | "[" [ int { "," int } ] "]" | "broadcast" "=" mode | "axis" "=" [ "-" ] int
//! ```

use std::ops::Range;
use std::sync::Arc;

use eltwise_plan::{Broadcast, Error, Op};

use super::lex::{Token, TokenKind, tokens};
use super::literal::Literal;
use super::{Apply, Expr, Kind, Span};

/// Parentheses and calls may nest so deep. Each level takes stack; chains such as `a + b + c + ...` take none.
pub(super) const MOST_DEPTH: usize = 128;

/// A parsed expression and the bytes it takes, parentheses included.
pub(super) type Parsed = (Expr, Range<usize>);

pub(super) struct Parser {
    text: Arc<str>,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

pub(super) fn parse(text: &str) -> Result<Expr, Error> {
    let mut parser = Parser { text: text.into(), tokens: tokens(text), next: 0, depth: 0 };
    let (expr, _) = parser.expression(0)?;
    match parser.peek().kind {
        TokenKind::End => Ok(expr),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

/// How tight a binary operator binds, and what it is.
fn binary(symbol: &TokenKind) -> Option<(u8, Op)> {
    let TokenKind::Symbol(symbol) = symbol else { return None };
    Some(match *symbol {
        "<" => (COMPARISON, Op::Less),
        "<=" => (COMPARISON, Op::LessEqual),
        ">" => (COMPARISON, Op::Greater),
        ">=" => (COMPARISON, Op::GreaterEqual),
        "==" => (COMPARISON, Op::Equal),
        "!=" => (COMPARISON, Op::NotEqual),
        "|" => (1, Op::BitwiseOr),
        "^" => (2, Op::BitwiseXor),
        "&" => (3, Op::BitwiseAnd),
        "+" => (4, Op::Add),
        "-" => (4, Op::Subtract),
        "*" => (5, Op::Multiply),
        "/" => (5, Op::Divide),
        _ => return None,
    })
}

const COMPARISON: u8 = 0;

impl Parser {
    /// An expression of operators that bind at least as tight as `tightness`.
    pub(super) fn expression(&mut self, tightness: u8) -> Result<Parsed, Error> {
        let (mut left, mut left_at) = self.operand()?;
        let mut compared: Option<(Range<usize>, usize)> = None;
        while let Some((level, op)) = binary(&self.peek().kind).filter(|(level, _)| *level >= tightness) {
            let symbol = self.bump();
            let (right, right_at) = self.expression(level + 1)?;
            let at = left_at.start..right_at.end;
            if level == COMPARISON {
                if let Some((middle, first_end)) = compared {
                    let (first, second) = (&self.text[left_at.start..first_end], &self.text[middle.start..right_at.end]);
                    let message = format!("comparisons do not chain: write logical_and({first}, {second})");
                    return Err(self.error(message, symbol.at));
                }
                compared = Some((right_at.clone(), right_at.end));
            }
            left = self.apply(op, vec![left, right], at.clone());
            left_at = at;
        }
        Ok((left, left_at))
    }

    /// Signs, then what they stand before.
    fn operand(&mut self) -> Result<Parsed, Error> {
        let mut signs = Vec::new();
        while let TokenKind::Symbol("-" | "+" | "~") = self.peek().kind {
            signs.push(self.bump());
        }
        let (mut expr, mut at) = self.primary()?;
        for sign in signs.into_iter().rev() {
            at.start = sign.at.start;
            match sign.kind {
                TokenKind::Symbol("-") => expr = self.apply(Op::Negative, vec![expr], at.clone()),
                TokenKind::Symbol("~") => expr = self.apply(Op::BitwiseNot, vec![expr], at.clone()),
                _ => {}
            }
        }
        Ok((expr, at))
    }

    fn primary(&mut self) -> Result<Parsed, Error> {
        let token = self.peek().clone();
        let literal = match token.kind {
            TokenKind::Int(value) => Literal::Int(value),
            TokenKind::Float(value) => Literal::Float(value),
            TokenKind::Symbol("(") => {
                self.bump();
                let (expr, _) = self.nested(&token.at, |parser| parser.expression(0))?;
                let close = self.close(&token.at, "an operator or `)`")?;
                return Ok((expr, token.at.start..close));
            }
            TokenKind::Name => match &self.text[token.at.clone()] {
                "true" => Literal::Bool(true),
                "false" => Literal::Bool(false),
                "inf" => Literal::Float(f64::INFINITY),
                "nan" => Literal::Float(f64::NAN),
                name => {
                    let input = Kind::Input(name.into());
                    self.bump();
                    if self.peek().kind == TokenKind::Symbol("(") {
                        return self.nested(&token.at, |parser| parser.call(token.at.clone()));
                    }
                    return Ok((Expr::new(input, self.span(&token.at)), token.at));
                }
            },
            _ => return Err(self.unexpected("an operand")),
        };
        self.bump();
        Ok((Expr::new(Kind::Literal(literal), self.span(&token.at)), token.at))
    }

    /// One level deeper.
    fn nested(
        &mut self,
        at: &Range<usize>,
        parse: impl FnOnce(&mut Parser) -> Result<Parsed, Error>,
    ) -> Result<Parsed, Error> {
        if self.depth == MOST_DEPTH {
            return Err(self.error(format!("nested deeper than {MOST_DEPTH} parentheses and calls"), at.clone()));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// The closing parenthesis of the one at `open`: where it ends.
    pub(super) fn close(&mut self, open: &Range<usize>, expected: &str) -> Result<usize, Error> {
        match self.peek().kind {
            TokenKind::Symbol(")") => Ok(self.bump().at.end),
            TokenKind::End => Err(self.error("this `(` is never closed".into(), open.clone())),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// The next token; past the last it stays at `End` or `Bad`.
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.next]
    }

    /// Whether the token after the next is this symbol.
    pub(super) fn second_is(&self, symbol: &'static str) -> bool {
        self.tokens.get(self.next + 1).is_some_and(|token| token.kind == TokenKind::Symbol(symbol))
    }

    /// Takes the next token.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.tokens[self.next].clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// The bytes of the text at a place.
    pub(super) fn source(&self, at: &Range<usize>) -> &str {
        &self.text[at.clone()]
    }

    fn span(&self, at: &Range<usize>) -> Option<Span> {
        Some(Span { text: self.text.clone(), at: at.clone() })
    }

    fn apply(&self, op: Op, args: Vec<Expr>, at: Range<usize>) -> Expr {
        self.node(Apply { op, args, broadcast: Broadcast::Numpy, target: None }, at)
    }

    pub(super) fn node(&self, apply: Apply, at: Range<usize>) -> Expr {
        Expr::new(Kind::Apply(apply), self.span(&at))
    }

    pub(super) fn error(&self, message: String, at: Range<usize>) -> Error {
        Error::Parse { message, text: self.text.to_string(), at }
    }

    /// The error that the next token is not what must stand here.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let token = self.peek();
        let found = &self.text[token.at.clone()];
        let message = match &token.kind {
            TokenKind::Bad(message) => message.clone(),
            TokenKind::End => format!("unexpected end: expected {expected}"),
            TokenKind::Symbol("=") => format!("expected {expected}, found `=`: equality is `==`"),
            TokenKind::Name => match found {
                "and" => "`and` is not an operator here: write `&` or logical_and(x, y)".into(),
                "or" => "`or` is not an operator here: write `|` or logical_or(x, y)".into(),
                "if" | "else" => format!("`{found}` is not an operator here: write where(condition, x, y)"),
                _ => format!("expected {expected}, found `{found}`"),
            },
            _ => format!("expected {expected}, found `{found}`"),
        };
        self.error(message, token.at.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> String {
        format!("{:?}", parse(text).unwrap_or_else(|error| panic!("{text}: {error}")))
    }

    #[test]
    fn precedence_is_pythons() {
        for (text, expected) in [
            ("a + b * c - d", "subtract(add(a, multiply(b, c)), d)"),
            ("a - b - c", "subtract(subtract(a, b), c)"),
            ("(a - (b - c))", "subtract(a, subtract(b, c))"),
            ("a / b / c", "divide(divide(a, b), c)"),
            ("-a * b", "multiply(negative(a), b)"),
            ("a * -b", "multiply(a, negative(b))"),
            ("-~+-a", "negative(bitwise_not(negative(a)))"),
            ("a | b ^ c & d + e", "bitwise_or(a, bitwise_xor(b, bitwise_and(c, add(d, e))))"),
            ("a < b | c", "less(a, bitwise_or(b, c))"),
            ("(a < b) == (c >= d)", "equal(less(a, b), greater_equal(c, d))"),
            ("a != true", "not_equal(a, true)"),
            ("0x10 + 1e-3\n +\tinf", "add(add(16, 0.001), inf)"),
            ("add + sqrt", "add(add, sqrt)"),
        ] {
            assert_eq!(tree(text), expected, "{text}");
        }
    }

    #[test]
    fn depth_has_a_limit_and_chains_have_none() {
        // Every level of precedence at every depth, the most that the limit lets on the stack.
        let deep = |n: usize| "a < b | c ^ d & e + f * (".repeat(n) + "x" + &")".repeat(n);
        let work = move || {
            assert!(parse(&deep(MOST_DEPTH)).is_ok());
            let Err(Error::Parse { message, at, .. }) = parse(&deep(MOST_DEPTH + 1)) else { panic!("too deep") };
            assert_eq!(message, "nested deeper than 128 parentheses and calls");
            assert_eq!(&deep(MOST_DEPTH + 1)[at], "(");
            assert!(parse(&"(".repeat(1_000_000)).is_err());
            assert!(parse(&"abs(".repeat(1_000_000)).is_err());
            assert!(parse(&("x".to_owned() + &" + x".repeat(100_000))).is_ok());
            assert!(parse(&("-~".repeat(100_000) + "x")).is_ok());
        };
        std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
    }

    #[test]
    fn every_prefix_and_every_cut_is_an_answer() {
        let text = "where(a <= 0x1f, clamp(ñ, -1.5e-3, 6), add(b, cast(c, f32), broadcast=pdpd, axis=-1)) + broadcast_to(d, [2, 3])";
        assert!(parse(text).is_ok());
        for i in (0..=text.len()).filter(|&i| text.is_char_boundary(i)) {
            for j in (i..=text.len().min(i + 9)).filter(|&j| text.is_char_boundary(j)) {
                for cut in [text[..i].to_owned(), text[..i].to_owned() + &text[j..]] {
                    if let Err(error) = parse(&cut) {
                        let Error::Parse { text, at, .. } = error else { panic!("{error:?}") };
                        assert!(text.get(at).is_some());
                    }
                }
            }
        }
    }
}
