//! Expressions: what to compute, before dtypes and shapes are known.
//!
//! An [`Expr`] is a small tree (or DAG: clones share their nodes) of inputs, literals and operators. It is built with
//! methods and Rust's operators, or parsed from text; [`lower()`] types it into a [`Program`](eltwise_plan::Program).
//!
//! | question | module |
//! |---|---|
//! | one method per operator | `methods.rs`, and [`Expr::apply`] |
//! | `+ - * / & \| ^ !` in Rust | `ops.rs` |
//! | the text grammar | `parse.rs`, `call.rs`, `lex.rs`: [`Expr::parse`]; `caret.rs`: [`caret()`] |
//! | how accurate? | `accuracy.rs`: [`Expr::accuracy`] |
//! | which dtypes hold a literal? | `literal.rs`: [`Literal`]; `decimal.rs`: [`Decimal`] |
//! | dtypes, shared sub-expressions | `lower.rs`: [`lower()`] |
//! | the same with NumPy's promotion | `promoting.rs`: [`lower_promoting()`] |

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use eltwise_plan::{Accuracy, Broadcast, DType, Error, Op, Signature};
use eltwise_simd::control::DefaultControl;

mod accuracy;
mod call;
mod caret;
mod decimal;
mod lex;
mod literal;
mod lower;
mod methods;
mod ops;
mod parse;
mod promoting;
mod suggest;

pub use caret::caret;
pub use decimal::Decimal;
pub use literal::Literal;
pub use lower::lower;
pub(crate) use lower::second_dtype;
pub use promoting::lower_promoting;
pub(crate) use promoting::lower_warning;

/// An expression without dtypes: inputs by name, literals, operators. Cloning is cheap and shares the nodes.
///
/// # Example
/// ```
/// # use eltwise::Expr;
/// let (x, y) = (Expr::input("x"), Expr::input("y"));
/// let hypotenuse = (&x * &x + &y * &y).sqrt();
/// let parsed = Expr::parse("sqrt(x * x + y * y)")?;
/// assert_eq!(parsed.names(), hypotenuse.names());
/// # Ok::<(), eltwise_plan::Error>(())
/// ```
#[derive(Clone)]
pub struct Expr(Arc<Node>);

/// A node: what it is, and where it stood in the text that it was parsed from.
struct Node {
    kind: Kind,
    span: Option<Span>,
}

enum Kind {
    Input(Box<str>),
    Literal(Literal),
    Apply(Apply),
}

/// An operator over operands.
#[derive(Clone)]
struct Apply {
    op: Op,
    args: Vec<Expr>,
    broadcast: Broadcast,
    /// The dtype parameter of `cast`.
    target: Option<DType>,
    /// The tier of a math operator; without, the fast one.
    accuracy: Option<Accuracy>,
}

/// A place in a text.
#[derive(Clone)]
struct Span {
    text: Arc<str>,
    at: Range<usize>,
}

impl Expr {
    /// The input called `name`.
    pub fn input(name: &str) -> Expr {
        Expr::new(Kind::Input(name.into()), None)
    }

    /// `op` over `args`, with NumPy broadcasting. Last operands that have defaults may be left out.
    ///
    /// # Errors
    /// [`Error::Arity`] for a wrong number of operands. [`Error::Expression`] for an operator that has a parameter
    /// besides its operands: `cast` (use [`Expr::cast`]) and `broadcast_to` (use [`Expr::broadcast_to`]).
    pub fn apply(op: Op, args: &[Expr]) -> Result<Expr, Error> {
        if !op.counts_given().contains(&args.len()) {
            return Err(Error::Arity { op, given: args.len() });
        }
        if op.signature() == Signature::Convert || op == Op::BroadcastTo {
            let parameter = if op == Op::BroadcastTo { "shape" } else { "dtype" };
            return Err(Error::Expression { message: format!("{op} needs a {parameter} besides its operand") });
        }
        Ok(Expr::node(op, args.iter().cloned().chain(call::defaults(op, args.len())).collect()))
    }

    /// `op`, one of the converting operators such as [`Op::Cast`], from this expression to `dtype`.
    ///
    /// # Errors
    /// [`Error::Expression`] for an operator that does not convert.
    pub fn convert(&self, op: Op, dtype: DType) -> Result<Expr, Error> {
        if op.signature() != Signature::Convert {
            return Err(Error::Expression { message: format!("{op} does not take a dtype") });
        }
        Ok(Expr::with_parameters(op, self, Broadcast::Numpy, Some(dtype)))
    }

    /// This expression with another broadcast mode at its outermost node.
    ///
    /// A mode that the node does not take ([`Broadcast::Pdpd`] on an operator that is not binary, or on an input) is
    /// an error of [`lower()`].
    #[must_use]
    pub fn broadcast(&self, mode: Broadcast) -> Expr {
        let apply = match &self.0.kind {
            Kind::Apply(apply) => Apply { broadcast: mode, ..apply.clone() },
            _ if matches!(mode, Broadcast::None | Broadcast::Numpy) => return self.clone(),
            // Nothing to broadcast: `copy` refuses the mode when it is lowered.
            _ => Apply { op: Op::Copy, args: vec![self.clone()], broadcast: mode, target: None, accuracy: None },
        };
        Expr::new(Kind::Apply(apply), self.0.span.clone())
    }

    /// The names of the inputs, in the order of first appearance.
    pub fn names(&self) -> Vec<&str> {
        let (mut names, mut seen_names, mut seen) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut stack = vec![self.as_node()];
        while let Some(node) = stack.pop() {
            if !seen.insert(std::ptr::from_ref(node)) {
                continue;
            }
            match &node.kind {
                Kind::Input(name) if seen_names.insert(&**name) => names.push(&**name),
                Kind::Apply(apply) => stack.extend(apply.args.iter().rev().map(Expr::as_node)),
                _ => {}
            }
        }
        names
    }

    /// Whether each use of input `name` is as an operand of an operator for which `is` holds, given it and the dtype of
    /// `cast`; the result is a use too.
    pub fn every_use(&self, name: &str, is: impl Fn(Op, Option<DType>) -> bool) -> bool {
        let is_input = |node: &Node| matches!(&node.kind, Kind::Input(other) if **other == *name);
        let (mut seen, mut stack) = (HashSet::new(), vec![self.as_node()]);
        while let Some(node) = stack.pop() {
            let Kind::Apply(apply) = &node.kind else { continue };
            if seen.insert(std::ptr::from_ref(node)) {
                if !is(apply.op, apply.target) && apply.args.iter().any(|arg| is_input(arg.as_node())) {
                    return false;
                }
                stack.extend(apply.args.iter().map(Expr::as_node));
            }
        }
        !is_input(self.as_node())
    }

    /// Parses an expression.
    ///
    /// Numbers (`2`, `0xff`, `1.5`, `1e-3`), the constants `pi`, `e`, `inf`, `nan`, `true`, `false`, names of inputs, parentheses, and,
    /// from the loosest to the tightest: comparisons `< <= > >= == !=`, `|`, `^`, `&`, `<< >>`, `+ -`, `* / // %`, unary `- + ~`,
    /// `**`. Precedence is Python's. Every operator is a function under its name: `sqrt(x)`, `where(c, x, y)`, `clamp(x, 0, 6)` or
    /// `clamp(x, hi=6, lo=0)`, `leaky_relu(x)` or `leaky_relu(x, alpha=0.2)`, `maximum(a, b, c)`, `cast(x, f32)` (or `cast(x, 'float32')`), `broadcast_to(x, [2, 3])`. A binary function takes a broadcast mode:
    /// `add(a, b, broadcast=pdpd, axis=1)`, one of `none`, `numpy`, `unidirectional`, `pdpd`. A math
    /// function takes a tier: `exp(x, accuracy=exact)`, or `fast`. Space and line ends are free.
    ///
    /// # Errors
    /// [`Error::Parse`] with the bytes of the text at fault; [`caret()`] shows them.
    pub fn parse(text: &str) -> Result<Expr, Error> {
        Expr::parse_named(text, &[])
    }

    /// As [`Expr::parse`], with names that are inputs where they are names of constants too, such as `e`.
    ///
    /// # Errors
    /// As [`Expr::parse`].
    pub fn parse_named(text: &str, inputs: &[&str]) -> Result<Expr, Error> {
        let _control = DefaultControl::new();
        parse::one(text, inputs)
    }

    /// Parses several expressions with `;` between them, as [`Expr::parse_named`] does one.
    ///
    /// # Errors
    /// As [`Expr::parse`].
    ///
    /// # Example
    /// ```
    /// # use eltwise::Expr;
    /// let outputs = Expr::parse_several("sin(x); cos(x)", &["x"])?;
    /// assert_eq!(outputs.len(), 2);
    /// # Ok::<(), eltwise_plan::Error>(())
    /// ```
    pub fn parse_several(text: &str, inputs: &[&str]) -> Result<Vec<Expr>, Error> {
        let _control = DefaultControl::new();
        parse::several(text, inputs)
    }

    fn new(kind: Kind, span: Option<Span>) -> Expr {
        Expr(Arc::new(Node { kind, span }))
    }

    /// An operator without a parameter; the caller has checked the number of operands.
    fn node(op: Op, args: Vec<Expr>) -> Expr {
        Expr::new(Kind::Apply(Apply { op, args, broadcast: Broadcast::Numpy, target: None, accuracy: None }), None)
    }

    /// An operator of one operand and parameters.
    fn with_parameters(op: Op, x: &Expr, broadcast: Broadcast, target: Option<DType>) -> Expr {
        Expr::new(Kind::Apply(Apply { op, args: vec![x.clone()], broadcast, target, accuracy: None }), None)
    }

    fn as_node(&self) -> &Node {
        &self.0
    }
}

impl Node {
    /// The operands.
    fn args(&self) -> &[Expr] {
        match &self.kind {
            Kind::Apply(apply) => &apply.args,
            _ => &[],
        }
    }

    /// An error with the place of this node, if it has one.
    fn place(&self, error: Error) -> Error {
        match &self.span {
            Some(span) if !matches!(error, Error::Parse { .. }) => Error::Parse {
                message: error.to_string(),
                text: span.text.to_string(),
                at: span.at.clone(),
                cause: Some(Box::new(error)),
            },
            _ => error,
        }
    }
}

/// Drops the nodes below one after another: a chain of any length takes no stack.
impl Drop for Node {
    fn drop(&mut self) {
        let Kind::Apply(apply) = &mut self.kind else { return };
        let mut stack = std::mem::take(&mut apply.args);
        while let Some(expr) = stack.pop() {
            if let Some(mut node) = Arc::into_inner(expr.0)
                && let Kind::Apply(apply) = &mut node.kind
            {
                stack.append(&mut apply.args);
            }
        }
    }
}

/// The most nodes that `Debug` prints: a DAG of 60 nodes can be a tree of 2^60.
const DEBUG_NODES: usize = 1000;

impl fmt::Debug for Expr {
    /// In the text's notation, with functions only: `add(x, multiply(2, y))`. Long expressions end in `...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Piece<'a> {
            Node(&'a Node),
            Text(&'static str),
            Close(&'a Apply),
        }
        let (mut stack, mut nodes) = (vec![Piece::Node(self.as_node())], 0);
        while let Some(piece) = stack.pop() {
            let node = match piece {
                Piece::Node(node) => node,
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Close(apply) => {
                    if let Some(dtype) = apply.target {
                        write!(f, ", {dtype}")?;
                    }
                    match &apply.broadcast {
                        Broadcast::Numpy => {}
                        Broadcast::Bidirectional { target } => write!(f, ", {target}")?,
                        Broadcast::Pdpd { axis } => write!(f, ", broadcast=pdpd, axis={axis}")?,
                        mode => write!(f, ", broadcast={mode}")?,
                    }
                    if let Some(accuracy) = apply.accuracy {
                        write!(f, ", accuracy={accuracy}")?;
                    }
                    f.write_str(")")?;
                    continue;
                }
            };
            nodes += 1;
            if nodes > DEBUG_NODES {
                return f.write_str("...");
            }
            match &node.kind {
                Kind::Input(name) => f.write_str(name)?,
                Kind::Literal(literal) => write!(f, "{literal}")?,
                Kind::Apply(apply) => {
                    write!(f, "{}(", apply.op)?;
                    stack.push(Piece::Close(apply));
                    for (i, arg) in apply.args.iter().enumerate().rev() {
                        stack.push(Piece::Node(arg.as_node()));
                        stack.extend((i > 0).then_some(Piece::Text(", ")));
                    }
                }
            }
        }
        Ok(())
    }
}

impl From<&Expr> for Expr {
    fn from(expr: &Expr) -> Expr {
        expr.clone()
    }
}

impl<L: Into<Literal>> From<L> for Expr {
    fn from(literal: L) -> Expr {
        Expr::new(Kind::Literal(literal.into()), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_chain_drops_prints_and_lists_without_recursion() {
        let work = || {
            let mut e = Expr::input("x");
            for i in 0..100_000 {
                e = e + i;
            }
            assert_eq!(e.names(), ["x"]);
            assert!(format!("{e:?}").ends_with("..."));
            let shared = e.clone();
            drop(e);
            assert_eq!(shared.names(), ["x"]);
        };
        std::thread::Builder::new().stack_size(128 << 10).spawn(work).unwrap().join().unwrap();
    }

    #[test]
    fn a_dag_prints_and_lists_in_linear_time() {
        let mut e = Expr::input("x") + Expr::input("y");
        for _ in 0..100 {
            e = &e * &e;
        }
        assert_eq!(e.names(), ["x", "y"]);
        assert!(format!("{e:?}").ends_with("..."));
    }

    #[test]
    fn apply_checks_arity_and_parameters() {
        let x = Expr::input("x");
        assert_eq!(Expr::apply(Op::Add, std::slice::from_ref(&x)).unwrap_err(), Error::Arity { op: Op::Add, given: 1 });
        assert!(Expr::apply(Op::Cast, std::slice::from_ref(&x)).is_err());
        assert!(Expr::apply(Op::BroadcastTo, std::slice::from_ref(&x)).is_err());
        assert!(x.convert(Op::Add, DType::F32).is_err());
        let e = Expr::apply(Op::Where, &[x.clone(), 1.into(), 2.5.into()]).unwrap();
        assert_eq!(format!("{e:?}"), "where(x, 1, 2.5)");
        assert_eq!(format!("{:?}", x.convert(Op::Cast, DType::U8).unwrap()), "cast(x, u8)");
    }

    #[test]
    fn uses_are_found_everywhere() {
        let is_cast = |op, _: Option<DType>| op == Op::Cast;
        let every = |text: &str| Expr::parse(text).unwrap().every_use("x", is_cast);
        assert!(every("cast(x, f32)") && every("cast(x, f32) + cast(x, f16) * y") && every("y + 1"));
        assert!(!every("x") && !every("x + 1") && !every("cast(x + 1, f32)") && !every("cast(x, f32) + x"));
        let to_f32 = |op, dtype| op == Op::Cast && dtype == Some(DType::F32);
        assert!(!Expr::parse("cast(x, f32) + cast(x, f16)").unwrap().every_use("x", to_f32));
    }

    #[test]
    fn broadcast_is_of_the_outermost_node() {
        let e = (Expr::input("a") * 2 + Expr::input("b")).broadcast(Broadcast::Pdpd { axis: 1 });
        assert_eq!(format!("{e:?}"), "add(multiply(a, 2), b, broadcast=pdpd, axis=1)");
        assert_eq!(format!("{:?}", Expr::input("a").broadcast_to([2, 3])), "broadcast_to(a, [2, 3])");
        assert_eq!(format!("{:?}", Expr::input("a").broadcast(Broadcast::None)), "a");
    }
}
