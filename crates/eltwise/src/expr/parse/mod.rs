//! The parser of the text grammar. Statements, the entry, are in `statements.rs`, calls in `call.rs`.
//!
//! ```text
//! text       = statement { ";" statement }
//! statement  = [ name "=" ] expression          an assignment gives an expression a name for the statements after it
//! expression = operand { binary operand }
//! binary     = from the loosest to the tightest:  < <= > >= == !=   |   ^   &   << >>   + -   * / // %
//! operand    = { "-" | "+" | "~" } primary [ "**" operand ]
//! primary    = number | constant | name | "(" expression ")" | call
//! constant   = "true" | "false" | "inf" | "nan" | "pi" | "e"        unless it is the name of an input
//! call       = name "(" argument { "," argument } [ "," ] ")"
//! dtype      = name | "'" name "'" | '"' name '"'
//! shape      = "[" [ int { "," int } ] "]"
//! argument   = [ operand name "=" ] expression | dtype | shape
//!            | "broadcast" "=" mode | "axis" "=" [ "-" ] int | "accuracy" "=" tier
//! ```

mod call;
mod statements;

use std::ops::Range;
use std::sync::Arc;

use call::Call;
use eltwise_core::{Error, Op};

use super::lex::{Token, TokenKind, tokens};
use super::literal::Literal;
use super::{Apply, Expr, Kind, Span};

pub(super) use statements::{one, several};

/// A parsed expression and its byte range in the text, including parentheses.
pub(super) type Parsed = (Expr, Range<usize>);

pub(super) struct Parser<'a> {
    text: Arc<str>,
    tokens: Vec<Token>,
    next: usize,
    /// Names that are inputs even if they are names of constants.
    inputs: &'a [&'a str],
    /// Expressions that the text has named. The last one of a name counts.
    assigned: Vec<(String, Expr)>,
}

/// The state of one expression. Parentheses and arguments push a frame instead of recursing, so no text overflows the
/// stack.
struct Frame {
    context: Context,
    /// The operators whose right operand is not complete.
    pending: Vec<Pending>,
    /// The place of the right operand of a comparison. A second comparison would be a chain.
    compared: Option<Range<usize>>,
}

/// A binary operator and its left operand, or a sign.
struct Pending {
    /// `None` for a sign.
    left: Option<Parsed>,
    precedence: u8,
    /// `None` for the sign `+`, which does nothing.
    op: Option<Op>,
    /// The operator's place in the text.
    symbol: Range<usize>,
}

/// Where an expression is.
enum Context {
    Text,
    /// The place of the `(`.
    Parentheses(Range<usize>),
    Call(Box<Call>),
}

/// The value of a constant.
fn constant(name: &str) -> Option<Literal> {
    Some(match name {
        "true" => Literal::Bool(true),
        "false" => Literal::Bool(false),
        "inf" => Literal::Float(f64::INFINITY),
        "nan" => Literal::Float(f64::NAN),
        "largest" => Literal::Largest { is_negative: false },
        // These f64 round to narrower dtypes as the exact constants do: neither is a tie.
        "pi" => Literal::Float(std::f64::consts::PI),
        "e" => Literal::Float(std::f64::consts::E),
        _ => return None,
    })
}

/// The precedence of a binary operator, and the operator.
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

/// The precedence of comparisons, the lowest.
const COMPARISON: u8 = 0;
/// The signs, and the operators that they are.
const SIGNS: [(&str, Option<Op>); 3] = [("-", Some(Op::Negative)), ("~", Some(Op::BitwiseNot)), ("+", None)];
/// The precedence of the signs.
const SIGN: u8 = 7;
/// The precedence of `**`, the highest. It associates to the right.
const POWER: u8 = 8;

impl Frame {
    fn new(context: Context) -> Frame {
        Frame { context, pending: Vec::new(), compared: None }
    }
}

impl<'a> Parser<'a> {
    fn new(text: &str, inputs: &'a [&'a str]) -> Parser<'a> {
        Parser { text: text.into(), tokens: tokens(text), next: 0, inputs, assigned: Vec::new() }
    }
}

impl Parser<'_> {
    /// An expression, up to the first token that cannot continue it.
    fn expression(&mut self) -> Result<Expr, Error> {
        let mut outer: Vec<Frame> = Vec::new();
        let mut frame = Frame::new(Context::Text);
        loop {
            let Some(mut operand) = self.start(&mut frame, &mut outer)? else { continue };
            // A complete expression is an operand of the frame around it.
            while let Some(expression) = self.after_operand(&mut frame, operand)? {
                operand = match frame.context {
                    Context::Text => return Ok(expression.0),
                    Context::Parentheses(open) => {
                        let end = self.close(&open, "an operator or `)`")?;
                        (expression.0, open.start..end)
                    }
                    Context::Call(mut call) => {
                        call.push(expression);
                        if self.take(",") && self.parameters(&mut call)? {
                            frame = Frame::new(Context::Call(call));
                            break;
                        }
                        self.finish(*call)?
                    }
                };
                // Only the frame of `Text` has no frame around it, and `Text` returned above.
                let Some(around) = outer.pop() else { return Ok(operand.0) };
                frame = around;
            }
        }
    }

    /// The signs before an operand, and a name, a number, or the start of a nested expression, for which it returns `None`.
    /// A nested expression has its own frame; `frame` is then around it.
    fn start(&mut self, frame: &mut Frame, outer: &mut Vec<Frame>) -> Result<Option<Parsed>, Error> {
        while let TokenKind::Symbol(symbol) = self.peek().kind
            && let Some(&(_, op)) = SIGNS.iter().find(|(sign, _)| *sign == symbol)
        {
            let symbol = self.bump().at;
            frame.pending.push(Pending { left: None, precedence: SIGN, op, symbol });
        }
        let token = self.peek().clone();
        let at = token.at;
        let kind = match token.kind {
            TokenKind::Number(literal) => Kind::Literal(literal),
            TokenKind::Symbol("(") => {
                self.bump();
                outer.push(std::mem::replace(frame, Frame::new(Context::Parentheses(at))));
                return Ok(None);
            }
            TokenKind::Name if self.second_is("(") => {
                let mut call = self.call()?;
                if !self.parameters(&mut call)? {
                    return self.finish(call).map(Some);
                }
                outer.push(std::mem::replace(frame, Frame::new(Context::Call(Box::new(call)))));
                return Ok(None);
            }
            TokenKind::Name => {
                let name = self.source(&at);
                if let Some((_, expr)) = self.assigned.iter().rfind(|(assigned, _)| assigned == name) {
                    let expr = expr.clone();
                    self.bump();
                    return Ok(Some((expr, at)));
                }
                match constant(name).filter(|_| !self.inputs.contains(&name)) {
                    Some(literal) => Kind::Literal(literal),
                    None => Kind::Input(name.into()),
                }
            }
            _ => return Err(self.unexpected("an operand")),
        };
        self.bump();
        Ok(Some((Expr::new(kind, self.span(&at)), at)))
    }

    /// Takes an operand and the binary operator after it. Returns the expression if no operator follows. An operator stays
    /// pending until one follows that does not bind tighter.
    fn after_operand(&mut self, frame: &mut Frame, mut operand: Parsed) -> Result<Option<Parsed>, Error> {
        let next = binary(&self.peek().kind);
        let is_complete = |pending: &mut Pending| {
            next.is_none_or(|(precedence, _)| precedence <= pending.precedence && precedence != POWER)
        };
        while let Some(Pending { left, precedence, op, symbol }) = frame.pending.pop_if(is_complete) {
            let (right, right_at) = operand;
            let at = left.as_ref().map_or(symbol.start, |left| left.1.start)..right_at.end;
            if let (COMPARISON, Some((_, first))) = (precedence, &left)
                && let Some(middle) = frame.compared.replace(right_at)
            {
                let message = match self.loose_and_or(&middle) {
                    Some((and, place)) => format!(
                        "`{and}` binds tighter than comparisons: write ({}) {and} ({})",
                        self.source(&(first.start..place.start)).trim_end(),
                        self.source(&(place.end..at.end)).trim_start()
                    ),
                    None => {
                        let (before, after) = (self.source(first), self.source(&(middle.start..at.end)));
                        format!("comparisons do not chain: write logical_and({before}, {after})")
                    }
                };
                return Err(self.error(message, symbol));
            }
            operand = match (op, left) {
                (Some(op), Some((left, _))) => (self.node(Apply::new(op, vec![left, right]), &at), at),
                (Some(op), None) => (self.node(Apply::new(op, vec![right]), &at), at),
                (None, _) => (right, at),
            };
        }
        let Some((precedence, op)) = next else { return Ok(Some(operand)) };
        let symbol = self.bump().at;
        frame.pending.push(Pending { left: Some(operand), precedence, op: Some(op), symbol });
        Ok(None)
    }

    /// The first `&` or `|` in a range that is not in brackets, and its place.
    fn loose_and_or(&self, range: &Range<usize>) -> Option<(&'static str, Range<usize>)> {
        let mut depth = 0;
        for token in self.tokens.iter().filter(|token| range.contains(&token.at.start)) {
            match token.kind {
                TokenKind::Symbol("(" | "[") => depth += 1,
                TokenKind::Symbol(")" | "]") => depth -= 1,
                TokenKind::Symbol(symbol @ ("&" | "|")) if depth == 0 => return Some((symbol, token.at.clone())),
                _ => {}
            }
        }
        None
    }

    /// Takes the `)` or `]` that closes the bracket at `open`, and returns where it ends.
    pub(super) fn close(&mut self, open: &Range<usize>, expected: &str) -> Result<usize, Error> {
        match (self.source(open), &self.peek().kind) {
            ("(", TokenKind::Symbol(")")) | ("[", TokenKind::Symbol("]")) => Ok(self.bump().at.end),
            (bracket, TokenKind::End) => Err(self.error(format!("this `{bracket}` is never closed"), open.clone())),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// The next token. At the end of the text it is `End` or `Bad`.
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.next]
    }

    /// Whether the token after the next one is this symbol.
    pub(super) fn second_is(&self, symbol: &'static str) -> bool {
        self.tokens.get(self.next + 1).is_some_and(|token| token.kind == TokenKind::Symbol(symbol))
    }

    /// Takes the next token.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.tokens[self.next].clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// The text at a place.
    pub(super) fn source(&self, at: &Range<usize>) -> &str {
        &self.text[at.clone()]
    }

    fn span(&self, at: &Range<usize>) -> Option<Span> {
        Some(Span { text: self.text.clone(), at: at.clone() })
    }

    /// Takes a symbol if it is the next token.
    pub(super) fn take(&mut self, symbol: &'static str) -> bool {
        let is_next = self.peek().kind == TokenKind::Symbol(symbol);
        if is_next {
            self.bump();
        }
        is_next
    }

    pub(super) fn node(&self, apply: Apply, at: &Range<usize>) -> Expr {
        Expr::new(Kind::Apply(apply), self.span(at))
    }

    pub(super) fn error(&self, message: String, at: Range<usize>) -> Error {
        Error::Parse { message, text: self.text.to_string(), at, cause: None }
    }

    /// The error for a next token that is not `expected`.
    pub(super) fn unexpected(&self, expected: &str) -> Error {
        let token = self.peek();
        let found = &self.text[token.at.clone()];
        let message = match (&token.kind, found) {
            (TokenKind::Bad(message), _) => message.clone(),
            (TokenKind::End, _) => format!("unexpected end: expected {expected}"),
            (_, "=") => format!("expected {expected}, found `=`: equality is `==`"),
            (_, "and") => "`and` is not an operator here: write `&` or logical_and(x, y)".into(),
            (_, "or") => "`or` is not an operator here: write `|` or logical_or(x, y)".into(),
            (_, "if" | "else") => format!("`{found}` is not an operator here: write where(condition, x, y)"),
            _ => format!("expected {expected}, found `{found}`"),
        };
        self.error(message, token.at.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn parse(text: &str) -> Result<Expr, Error> {
        one(text, &[])
    }

    pub(super) fn tree(text: &str) -> String {
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
    fn advice_on_chained_comparisons_names_the_operator_that_binds_tighter() {
        for (text, advice) in [
            ("a > 2 & b < 3", "`&` binds tighter than comparisons: write (a > 2) & (b < 3)"),
            ("a > (b & 1) < 3", "comparisons do not chain: write logical_and(a > (b & 1), (b & 1) < 3)"),
            ("a == 0 | b == 1", "`|` binds tighter than comparisons: write (a == 0) | (b == 1)"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(advice), "{error}");
        }
    }

    #[test]
    fn no_depth_or_length_overflows_the_stack() {
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
    fn every_prefix_and_every_cut_of_a_text_parses_or_is_an_error() {
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
