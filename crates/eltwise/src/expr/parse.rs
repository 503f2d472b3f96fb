//! The text grammar: operators by precedence, parentheses, names and numbers. Calls stand in `call.rs`.
//!
//! ```text
//! text       = expression { ";" expression }
//! expression = operand { binary operand }        binary, loose to tight:  < <= > >= == !=   |   ^   &   << >>   + -   * / // %
//! operand    = { "-" | "+" | "~" } primary [ "**" operand ]
//! primary    = number | constant | name | "(" expression ")" | call
//! constant   = "true" | "false" | "inf" | "nan" | "pi" | "e"        unless it is the name of an input
//! call       = name "(" argument { "," argument } [ "," ] ")"
//! dtype      = name | "'" name "'" | '"' name '"'
//! argument   = expression | dtype | "[" [ int { "," int } ] "]" | "broadcast" "=" mode | "axis" "=" [ "-" ] int
//! ```

use std::ops::Range;
use std::sync::Arc;

use eltwise_plan::{Broadcast, Error, Op};

use super::call::Call;
use super::lex::{Token, TokenKind, tokens};
use super::literal::Literal;
use super::{Apply, Expr, Kind, Span};

/// A parsed expression and the bytes it takes, parentheses included.
pub(super) type Parsed = (Expr, Range<usize>);

pub(super) struct Parser<'a> {
    text: Arc<str>,
    tokens: Vec<Token>,
    next: usize,
    /// Names that are inputs, whatever else they are.
    inputs: Vec<&'a str>,
}

/// An expression while it is read. What nests (parentheses, arguments) makes a new level on a list, not a recursion,
/// so that no text overflows the stack.
struct Level {
    inside: Inside,
    /// The operands read, each with the operator after it.
    left: Vec<Left>,
    /// The signs before the operand that is read next.
    signs: Vec<Token>,
    /// The right operand of a comparison: a second one would be a chain.
    compared: Option<Range<usize>>,
}

/// An operand and the operator after it.
struct Left {
    operand: Parsed,
    tightness: u8,
    op: Op,
    /// The operator's place in the text.
    symbol: Range<usize>,
    /// The signs before the operand of a power, which are applied to the power.
    signs: Vec<Token>,
}

/// What an expression stands in.
enum Inside {
    Text,
    /// The place of the `(`.
    Parentheses(Range<usize>),
    Call(Box<Call>),
}

/// The beginning of an operand.
enum Begun {
    Operand(Parsed),
    Nested(Inside),
}

/// The expression of a text.
pub(super) fn one(text: &str, inputs: &[&str]) -> Result<Expr, Error> {
    let mut parser = Parser { text: text.into(), tokens: tokens(text), next: 0, inputs: inputs.into() };
    let expr = parser.expression()?;
    match parser.peek().kind {
        TokenKind::End => Ok(expr),
        TokenKind::Symbol(";") => {
            Err(parser.error("expected one expression, found `;`".into(), parser.peek().at.clone()))
        }
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

/// The expressions of a text, with `;` between them.
pub(super) fn several(text: &str, inputs: &[&str]) -> Result<Vec<Expr>, Error> {
    let mut parser = Parser { text: text.into(), tokens: tokens(text), next: 0, inputs: inputs.into() };
    let (mut outputs, mut start) = (Vec::new(), 0);
    loop {
        let next = parser.peek();
        let is_last = next.kind == TokenKind::End;
        if next.kind == TokenKind::Symbol(";") || (is_last && !outputs.is_empty()) {
            let message = "an expression is missing: expected one on each side of `;`";
            return Err(parser.error(message.into(), start..start));
        }
        outputs.push(parser.expression()?);
        match parser.peek().kind {
            TokenKind::End => return Ok(outputs),
            TokenKind::Symbol(";") => start = parser.bump().at.end,
            _ => return Err(parser.unexpected("an operator or the end")),
        }
    }
}

/// The value of a constant.
fn constant(name: &str) -> Option<Literal> {
    Some(match name {
        "true" => Literal::Bool(true),
        "false" => Literal::Bool(false),
        "inf" => Literal::Float(f64::INFINITY),
        "nan" => Literal::Float(f64::NAN),
        // These f64 round as the constants do: neither is a tie of a narrower dtype.
        "pi" => Literal::Float(std::f64::consts::PI),
        "e" => Literal::Float(std::f64::consts::E),
        _ => return None,
    })
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
        "<<" => (4, Op::ShiftLeft),
        ">>" => (4, Op::ShiftRight),
        "+" => (5, Op::Add),
        "-" => (5, Op::Subtract),
        "*" => (6, Op::Multiply),
        "/" => (6, Op::Divide),
        "//" => (6, Op::FloorDivide),
        "%" => (6, Op::Remainder),
        "**" => (POWER, Op::Pow),
        _ => return None,
    })
}

/// The loosest.
const COMPARISON: u8 = 0;
/// The tightest: tighter than signs before it, and from right to left.
const POWER: u8 = 7;

impl Level {
    fn new(inside: Inside) -> Level {
        Level { inside, left: Vec::new(), signs: Vec::new(), compared: None }
    }
}

impl Parser<'_> {
    /// An expression, up to what cannot continue it.
    fn expression(&mut self) -> Result<Expr, Error> {
        let mut outer: Vec<Level> = Vec::new();
        let mut level = Level::new(Inside::Text);
        loop {
            let mut operand = match self.begin(&mut level)? {
                Begun::Operand(operand) => operand,
                Begun::Nested(inside) => {
                    outer.push(std::mem::replace(&mut level, Level::new(inside)));
                    continue;
                }
            };
            // The operand is read; so may be the expression, and with it an operand of the level around it.
            while let Some(expression) = self.after_operand(&mut level, operand)? {
                operand = match level.inside {
                    Inside::Text => return Ok(expression.0),
                    Inside::Parentheses(open) => {
                        let end = self.close(&open, "an operator or `)`")?;
                        (expression.0, open.start..end)
                    }
                    Inside::Call(mut call) => {
                        call.push(expression);
                        if self.comma() && self.parameters(&mut call)? {
                            level = Level::new(Inside::Call(call));
                            break;
                        }
                        self.finish(*call)?
                    }
                };
                // Only `Text` has no level around it, and it returned.
                let Some(around) = outer.pop() else { return Ok(operand.0) };
                level = around;
            }
        }
    }

    /// Signs, then a name, a number, or the beginning of something that nests.
    fn begin(&mut self, level: &mut Level) -> Result<Begun, Error> {
        while let TokenKind::Symbol("-" | "+" | "~") = self.peek().kind {
            level.signs.push(self.bump());
        }
        let token = self.peek().clone();
        let at = token.at;
        let kind = match token.kind {
            TokenKind::Number(literal) => Kind::Literal(literal),
            TokenKind::Symbol("(") => {
                self.bump();
                return Ok(Begun::Nested(Inside::Parentheses(at)));
            }
            TokenKind::Name if self.second_is("(") => {
                let mut call = self.call()?;
                return Ok(match self.parameters(&mut call)? {
                    true => Begun::Nested(Inside::Call(Box::new(call))),
                    false => Begun::Operand(self.finish(call)?),
                });
            }
            TokenKind::Name => {
                let name = self.source(&at);
                match constant(name).filter(|_| !self.inputs.contains(&name)) {
                    Some(literal) => Kind::Literal(literal),
                    None => Kind::Input(name.into()),
                }
            }
            _ => return Err(self.unexpected("an operand")),
        };
        self.bump();
        Ok(Begun::Operand((Expr::new(kind, self.span(&at)), at)))
    }

    /// Takes an operand, and the binary operator after it if there is one. Otherwise the expression is complete.
    /// Operators wait in `left` until one comes that binds no tighter.
    fn after_operand(&mut self, level: &mut Level, operand: Parsed) -> Result<Option<Parsed>, Error> {
        let (mut last, mut last_at) = operand;
        let next = binary(&self.peek().kind);
        let mut signs = std::mem::take(&mut level.signs);
        if let Some((POWER, op)) = next {
            let symbol = self.bump().at;
            level.left.push(Left { operand: (last, last_at), tightness: POWER, op, symbol, signs });
            return Ok(None);
        }
        (last, last_at) = self.signed((last, last_at), &mut signs);
        let binds = |left: &mut Left| next.is_none_or(|(tightness, _)| tightness <= left.tightness);
        while let Some(left) = level.left.pop_if(binds) {
            let ((first, first_at), symbol) = (left.operand, left.symbol);
            if left.tightness == COMPARISON
                && let Some(middle) = level.compared.replace(last_at.clone())
            {
                let (before, after) = (self.source(&first_at), self.source(&(middle.start..last_at.end)));
                let message = format!("comparisons do not chain: write logical_and({before}, {after})");
                return Err(self.error(message, symbol));
            }
            last_at.start = first_at.start;
            last = self.apply(left.op, vec![first, last], &last_at);
            (last, last_at) = self.signed((last, last_at), &mut { left.signs });
        }
        let Some((tightness, op)) = next else { return Ok(Some((last, last_at))) };
        let symbol = self.bump().at;
        level.left.push(Left { operand: (last, last_at), tightness, op, symbol, signs: Vec::new() });
        Ok(None)
    }

    /// An operand with the signs before it, the last one first.
    fn signed(&self, (mut last, mut at): Parsed, signs: &mut Vec<Token>) -> Parsed {
        while let Some(sign) = signs.pop() {
            at.start = sign.at.start;
            match sign.kind {
                TokenKind::Symbol("-") => last = self.apply(Op::Negative, vec![last], &at),
                TokenKind::Symbol("~") => last = self.apply(Op::BitwiseNot, vec![last], &at),
                _ => {}
            }
        }
        (last, at)
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

    /// Takes a comma, if one comes next.
    pub(super) fn comma(&mut self) -> bool {
        let comes = self.peek().kind == TokenKind::Symbol(",");
        if comes {
            self.bump();
        }
        comes
    }

    fn apply(&self, op: Op, args: Vec<Expr>, at: &Range<usize>) -> Expr {
        self.node(Apply { op, args, broadcast: Broadcast::Numpy, target: None, accuracy: None }, at)
    }

    pub(super) fn node(&self, apply: Apply, at: &Range<usize>) -> Expr {
        Expr::new(Kind::Apply(apply), self.span(at))
    }

    pub(super) fn error(&self, message: String, at: Range<usize>) -> Error {
        Error::Parse { message, text: self.text.to_string(), at, cause: None }
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

    fn parse(text: &str) -> Result<Expr, Error> {
        one(text, &[])
    }

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
            ("a | b ^ c & d + f", "bitwise_or(a, bitwise_xor(b, bitwise_and(c, add(d, f))))"),
            ("a < b | c", "less(a, bitwise_or(b, c))"),
            ("(a < b) == (c >= d)", "equal(less(a, b), greater_equal(c, d))"),
            ("a != true", "not_equal(a, true)"),
            ("a // b % c", "remainder(floor_divide(a, b), c)"),
            ("a + b << c & d", "bitwise_and(shift_left(add(a, b), c), d)"),
            ("-a ** b * c", "multiply(negative(pow(a, b)), c)"),
            ("a ** b ** c", "pow(a, pow(b, c))"),
            ("~a ** -b ** -c", "bitwise_not(pow(a, negative(pow(b, negative(c)))))"),
            ("(-a) ** b", "pow(negative(a), b)"),
            ("0x10 + 1e-3\n +\tinf", "add(add(16, 0.001), inf)"),
            ("add + sqrt", "add(add, sqrt)"),
        ] {
            assert_eq!(tree(text), expected, "{text}");
        }
    }

    #[test]
    fn an_input_wins_over_a_constant() {
        for name in ["true", "false", "inf", "nan", "pi", "e"] {
            assert!(one(name, &[]).unwrap().names().is_empty(), "{name}");
            assert_eq!(one(&format!("{name} + 1"), &["x", name]).unwrap().names(), [name]);
        }
        assert!(one("e(x)", &["e"]).unwrap_err().to_string().contains("unknown function `e`"));
    }

    #[test]
    fn a_semicolon_separates_expressions() {
        let parsed = several("a + 1; (a;b)", &[]).unwrap_err().to_string();
        assert!(parsed.contains("found `;`"), "{parsed}");
        let outputs = several("a + 1;\nsqrt(b) ; c", &[]).unwrap();
        assert_eq!(format!("{outputs:?}"), "[add(a, 1), sqrt(b), c]");
        for text in [";", "a;", ";a", "a;;b", "a; "] {
            assert!(several(text, &[]).unwrap_err().to_string().contains("an expression is missing"), "{text}");
        }
        assert!(parse("a; b").is_err() && several("", &[]).is_err());
    }

    #[test]
    fn no_depth_and_no_length_overflows_the_stack() {
        let work = || {
            let n = 100_000;
            let deep = |before: &str, after: &str| before.repeat(n) + "x" + &after.repeat(n);
            for text in
                [deep("a < b | c * (", ")"), deep("abs(", ")"), deep("-~", ""), deep("x + ", ""), deep("-x ** ", "")]
            {
                assert_eq!(parse(&text).unwrap().names().last(), Some(&"x"));
            }
            for text in [deep("(", ""), deep("clamp(x, ", ""), deep("(", ","), deep("", ")"), "a<".repeat(n)] {
                assert!(parse(&text).is_err());
            }
        };
        std::thread::Builder::new().stack_size(128 << 10).spawn(work).unwrap().join().unwrap();
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
