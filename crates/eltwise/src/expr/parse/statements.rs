//! Statements of a text: assignments, and [`one`] or [`several`] expressions.

use std::ops::Range;

use eltwise_core::Error;

use super::Parser;
use crate::expr::Expr;
use crate::expr::lex::TokenKind;

/// Parses one expression.
pub(in crate::expr) fn one(text: &str, inputs: &[&str]) -> Result<Expr, Error> {
    let mut parser = Parser::new(text, inputs);
    while let Some(name) = parser.assigned_name()? {
        parser.assign(name)?;
    }
    let expr = parser.expression()?;
    match parser.peek().kind {
        TokenKind::End => Ok(expr),
        TokenKind::Symbol(";") => {
            Err(parser.error("expected one expression, found `;`".into(), parser.peek().at.clone()))
        }
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

/// Parses expressions with `;` between them.
pub(in crate::expr) fn several(text: &str, inputs: &[&str]) -> Result<Vec<Expr>, Error> {
    let mut parser = Parser::new(text, inputs);
    let (mut outputs, mut start) = (Vec::new(), 0);
    loop {
        if let Some(name) = parser.assigned_name()? {
            start = parser.assign(name)?;
            continue;
        }
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

impl Parser<'_> {
    /// Takes the name and the `=` of an assignment, if one is next. Returns the name, and the place of the `=`.
    fn assigned_name(&mut self) -> Result<Option<(String, Range<usize>)>, Error> {
        if self.peek().kind != TokenKind::Name || !self.second_is("=") {
            return Ok(None);
        }
        let at = self.bump().at;
        let equals = self.bump().at;
        let name = self.source(&at).to_string();
        if self.inputs.contains(&name.as_str()) {
            return Err(self.error(format!("`{name}` is a parameter, which cannot be assigned"), at));
        }
        Ok(Some((name, equals)))
    }

    /// Gives the next expression a name, and takes the `;` after it. Returns where that ends.
    fn assign(&mut self, (name, equals): (String, Range<usize>)) -> Result<usize, Error> {
        let expr = self.expression()?;
        self.assigned.push((name, expr));
        match self.peek().kind {
            TokenKind::Symbol(";") => Ok(self.bump().at.end),
            TokenKind::End => {
                let message = "expected `;` and an expression after the assignment; equality is `==`";
                Err(self.error(message.into(), equals))
            }
            _ => Err(self.unexpected("an operator or `;`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{parse, tree};
    use super::*;

    #[test]
    fn an_input_shadows_a_constant() {
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
    fn a_name_may_stand_for_an_expression() {
        assert_eq!(tree("t = a * b; t + t"), "add(multiply(a, b), multiply(a, b))");
        assert_eq!(tree("t = a # a product\n * b; # of two\n t = t + 1; -t"), "negative(add(multiply(a, b), 1))");
        let outputs = several("e = a + 1; sin(e); f = e * e; f - e", &[]).unwrap();
        assert_eq!(format!("{:?}", outputs[1]), "subtract(multiply(add(a, 1), add(a, 1)), add(a, 1))");
        for (text, message) in [
            ("t = a", "expected `;` and an expression after the assignment; equality is `==`"),
            ("t = a; u = t", "an expression after the assignment"),
            ("t = ", "expected an operand"),
            ("t = a t", "expected an operator or `;`, found `t`"),
        ] {
            assert!(parse(text).unwrap_err().to_string().contains(message), "{text}");
        }
        let error = one("x = 1; x", &["x"]).unwrap_err();
        assert!(error.to_string().contains("`x` is a parameter, which cannot be assigned"), "{error}");
    }
}
