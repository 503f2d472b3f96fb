//! [`Expr`]: an expression without dtypes and shapes.
//!
//! An expression is a DAG of inputs, literals and operators; clones share their nodes. Build it with methods and Rust's
//! operators, or parse it from text. [`lower()`] gives it dtypes and turns it into a
//! [`Program`](eltwise_plan::Program). Most callers use [`Program::new`](crate::Program::new) and
//! [`Program::parse`](crate::Program::parse) instead.
//!
//! | topic | file and main item |
//! |---|---|
//! | one method per operator | `methods.rs`; [`Expr::apply`] takes the operator as an argument |
//! | Rust's operators `+ - * / & \| ^ !` | `ops.rs` |
//! | text grammar | `parse/`, `lex.rs`: [`Expr::parse`] |
//! | error messages | `caret.rs`: [`caret()`]; `suggest.rs` |
//! | accuracy tiers | `accuracy.rs`: [`Expr::accuracy`] |
//! | an output under a mask | `masked.rs`: [`Expr::masked`] |
//! | literals and the dtypes that hold them | `literal.rs`: [`Literal`]; `decimal.rs`: [`Decimal`] |
//! | typed mode: no promotion | `lower.rs`: [`lower()`] |
//! | promoting mode: NumPy's rules | `promoting/`: [`lower_promoting()`] |
//! | steps and inputs of the program, for both modes | `emitter.rs` |

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use eltwise_core::{Accuracy, Broadcast, DType, Error, Op, Signature};
use eltwise_simd::fp_env::DefaultFpEnv;
use key::{Key, KeySet};

mod accuracy;
mod caret;
mod decimal;
mod emitter;
mod key;
mod lex;
mod literal;
mod lower;
mod masked;
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
pub(crate) use promoting::lower_with_warnings;

/// An expression without dtypes: inputs by name, literals, operators. Cloning is cheap and shares the nodes.
///
/// # Example
/// ```
/// # use eltwise::Expr;
/// let (x, y) = (Expr::input("x"), Expr::input("y"));
/// let hypotenuse = (&x * &x + &y * &y).sqrt();
/// let parsed = Expr::parse("sqrt(x * x + y * y)")?;
/// assert_eq!(parsed.names(), hypotenuse.names());
/// # Ok::<(), eltwise_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Expr(Arc<Node>);

/// A node of an expression, and its place in the text if it was parsed.
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
    /// The result dtype of `cast` and the other converting operators.
    target: Option<DType>,
    /// The tier of a math operator; `None` is [`Accuracy::Fast`] until [`Expr::accuracy`] sets it.
    accuracy: Option<Accuracy>,
}

impl Apply {
    /// An operator without parameters, with NumPy broadcasting. The caller has checked the number of operands.
    fn new(op: Op, args: Vec<Expr>) -> Apply {
        Apply { op, args, broadcast: Broadcast::Numpy, target: None, accuracy: None }
    }

    fn into_expr(self) -> Expr {
        Expr::new(Kind::Apply(self), None)
    }

    /// Writes the parameters that are not the default, and the closing parenthesis.
    fn fmt_parameters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(dtype) = self.target {
            write!(f, ", {dtype}")?;
        }
        match &self.broadcast {
            Broadcast::Numpy => {}
            Broadcast::Bidirectional { target } => write!(f, ", {target}")?,
            Broadcast::Pdpd { axis } => write!(f, ", broadcast=pdpd, axis={axis}")?,
            mode => write!(f, ", broadcast={mode}")?,
        }
        if let Some(accuracy) = self.accuracy {
            write!(f, ", accuracy={accuracy}")?;
        }
        f.write_str(")")
    }
}

/// A place in a text.
#[derive(Clone)]
struct Span {
    text: Arc<str>,
    at: Range<usize>,
}

impl Expr {
    /// The input `name`.
    pub fn input(name: &str) -> Expr {
        Expr::new(Kind::Input(name.into()), None)
    }

    /// `op` over `args`, with NumPy broadcasting. Trailing operands that have defaults may be left out.
    ///
    /// # Errors
    /// [`Error::Arity`] for a wrong number of operands. [`Error::Expression`] for an operator that has a parameter: the
    /// casts (use [`Expr::convert`]) and `broadcast_to` (use [`Expr::broadcast_to`]).
    pub fn apply(op: Op, args: &[Expr]) -> Result<Expr, Error> {
        if !op.counts_given().contains(&args.len()) {
            return Err(Error::Arity { op, given: args.len() });
        }
        if op.signature() == Signature::Convert || op == Op::BroadcastTo {
            let parameter = if op == Op::BroadcastTo { "shape" } else { "dtype" };
            return Err(Error::Expression { message: format!("{op} needs a {parameter} besides its operand") });
        }
        let defaults = Literal::defaults_after(op, args.len()).map(Expr::from);
        Ok(Apply::new(op, args.iter().cloned().chain(defaults).collect()).into_expr())
    }

    /// This expression converted to `dtype` by `op`: [`Op::Cast`], [`Op::CastSaturating`] or [`Op::Bitcast`].
    ///
    /// # Errors
    /// [`Error::Expression`] for any other operator.
    pub fn convert(&self, op: Op, dtype: DType) -> Result<Expr, Error> {
        if op.signature() != Signature::Convert {
            return Err(Error::Expression { message: format!("{op} does not take a dtype") });
        }
        Ok(Apply { target: Some(dtype), ..Apply::new(op, vec![self.clone()]) }.into_expr())
    }

    /// This expression with a different broadcast mode for its outermost operator.
    ///
    /// [`lower()`] returns an error for a mode that the operator does not take, such as [`Broadcast::Pdpd`] for an operator
    /// with one operand, or for an input.
    #[must_use]
    pub fn broadcast(&self, mode: Broadcast) -> Expr {
        let apply = match &self.0.kind {
            Kind::Apply(apply) => Apply { broadcast: mode, ..apply.clone() },
            _ if matches!(mode, Broadcast::None | Broadcast::Numpy) => return self.clone(),
            // An input or a literal has nothing to broadcast: lowering `copy` with this mode is an error.
            _ => Apply { broadcast: mode, ..Apply::new(Op::Copy, vec![self.clone()]) },
        };
        Expr::new(Kind::Apply(apply), self.0.span.clone())
    }

    /// The names of the inputs, in the order of first appearance.
    pub fn names(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let names = self.post_order(&mut KeySet::default()).into_iter().filter_map(|expr| match &expr.0.kind {
            Kind::Input(name) => Some(&**name),
            _ => None,
        });
        names.filter(|name| seen.insert(*name)).collect()
    }

    /// Whether every use of input `name` is as an operand of an operator for which `holds` is true. `holds` gets the
    /// operator and the target dtype of a cast. If the whole expression is the input, that is a use without an operator,
    /// and the result is `false`.
    pub fn every_use(&self, name: &str, holds: impl Fn(Op, Option<DType>) -> bool) -> bool {
        let is_input = |expr: &Expr| matches!(&expr.0.kind, Kind::Input(other) if **other == *name);
        !is_input(self)
            && self.post_order(&mut KeySet::default()).into_iter().all(|expr| match &expr.0.kind {
                Kind::Apply(apply) => holds(apply.op, apply.target) || !apply.args.iter().any(is_input),
                _ => true,
            })
    }

    /// Parses an expression.
    ///
    /// | syntax | examples |
    /// |---|---|
    /// | numbers | `2`, `0xff`, `1.5`, `1e-3` |
    /// | constants | `pi`, `e`, `inf`, `nan`, `true`, `false` |
    /// | inputs | any other name |
    /// | operators, from the loosest to the tightest | `< <= > >= == !=`, `\|`, `^`, `&`, `<< >>`, `+ -`, `* / // %`, unary `- + ~`, `**` |
    /// | functions, one per operator of the catalogue, and NumPy's names | `sqrt(x)`, `where(c, x, y)`, `arctan2(y, x)` |
    /// | named and default operands | `clamp(x, hi=6, lo=0)`, `leaky_relu(x)`, `leaky_relu(x, alpha=0.2)` |
    /// | casts and shapes | `cast(x, f32)`, `cast(x, 'float32')`, `broadcast_to(x, [2, 3])` |
    /// | broadcast mode: `none`, `numpy`, `unidirectional`, `pdpd` | `add(a, b, broadcast=pdpd, axis=1)` |
    /// | accuracy tier of a math function: `fast`, `correct` | `exp(x, accuracy=correct)` |
    /// | names for parts, before the expression | `t = a * b; t + t` |
    /// | comments, to the end of a line | `a + b  # the sum` |
    ///
    /// Precedence is Python's; comparisons do not chain. Whitespace and line breaks have no meaning.
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte range of the text that is wrong; [`caret()`] shows it.
    pub fn parse(text: &str) -> Result<Expr, Error> {
        Expr::parse_named(text, &[])
    }

    /// Parses as [`Expr::parse`], but the names in `inputs` are inputs even if they are names of constants, such as `e`.
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte range of the text that is wrong.
    pub fn parse_named(text: &str, inputs: &[&str]) -> Result<Expr, Error> {
        let _fp_env = DefaultFpEnv::new();
        parse::one(text, inputs)
    }

    /// Parses several expressions with `;` between them, each as [`Expr::parse_named`] does.
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte range of the text that is wrong.
    ///
    /// # Example
    /// ```
    /// # use eltwise::Expr;
    /// let outputs = Expr::parse_several("sin(x); cos(x)", &["x"])?;
    /// assert_eq!(outputs.len(), 2);
    /// # Ok::<(), eltwise_core::Error>(())
    /// ```
    pub fn parse_several(text: &str, inputs: &[&str]) -> Result<Vec<Expr>, Error> {
        let _fp_env = DefaultFpEnv::new();
        parse::several(text, inputs)
    }

    fn new(kind: Kind, span: Option<Span>) -> Expr {
        Expr(Arc::new(Node { kind, span }))
    }

    fn key(&self) -> Key {
        Arc::as_ptr(&self.0)
    }

    /// The nodes of this expression that are not in `seen`, which it adds to `seen`: each node once, operands before
    /// their operators, the first operand first. It does not recurse.
    fn post_order(&self, seen: &mut KeySet) -> Vec<&Expr> {
        let (mut nodes, mut stack) = (Vec::new(), vec![(self, false)]);
        while let Some((expr, operands_are_done)) = stack.pop() {
            if operands_are_done {
                nodes.push(expr);
            } else if seen.insert(expr.key()) {
                stack.push((expr, true));
                if let Kind::Apply(apply) = &expr.0.kind {
                    stack.extend(apply.args.iter().rev().map(|arg| (arg, false)));
                }
            }
        }
        nodes
    }

    /// Adds the place of this node in the text to an error, if the node was parsed.
    fn place(&self, error: Error) -> Error {
        match &self.0.span {
            Some(span) if !matches!(error, Error::Parse { .. }) => placed(error, &span.text, span.at.clone()),
            _ => error,
        }
    }
}

/// An error at a place in a text.
fn placed(cause: Error, text: &str, at: Range<usize>) -> Error {
    Error::Parse { message: cause.to_string(), text: text.into(), at, cause: Some(Box::new(cause)) }
}

/// Drops the operands in a loop: recursion would overflow the stack on a long chain.
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

/// The largest number of nodes that `Debug` prints: a DAG of 60 nodes can be a tree of 2^60.
const DEBUG_NODES: usize = 1000;

impl fmt::Debug for Expr {
    /// The expression as text with functions only: `add(x, multiply(2, y))`. Long expressions end in `...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Piece<'a> {
            Expr(&'a Expr),
            Text(&'static str),
            Close(&'a Apply),
        }
        let (mut stack, mut nodes) = (vec![Piece::Expr(self)], 0);
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Close(apply) => apply.fmt_parameters(f)?,
                Piece::Expr(_) if nodes == DEBUG_NODES => return f.write_str("..."),
                Piece::Expr(expr) => {
                    nodes += 1;
                    match &expr.0.kind {
                        Kind::Input(name) => f.write_str(name)?,
                        Kind::Literal(literal) => write!(f, "{literal}")?,
                        Kind::Apply(apply) => {
                            write!(f, "{}(", apply.op)?;
                            stack.push(Piece::Close(apply));
                            for (i, arg) in apply.args.iter().enumerate().rev() {
                                stack.push(Piece::Expr(arg));
                                stack.extend((i > 0).then_some(Piece::Text(", ")));
                            }
                        }
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
    fn a_long_chain_is_dropped_printed_and_listed_without_recursion() {
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
    fn a_dag_is_printed_and_listed_in_linear_time() {
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
    fn every_use_checks_all_operands_and_the_root() {
        let is_cast = |op, _: Option<DType>| op == Op::Cast;
        let every = |text: &str| Expr::parse(text).unwrap().every_use("x", is_cast);
        assert!(every("cast(x, f32)") && every("cast(x, f32) + cast(x, f16) * y") && every("y + 1"));
        assert!(!every("x") && !every("x + 1") && !every("cast(x + 1, f32)") && !every("cast(x, f32) + x"));
        let to_f32 = |op, dtype| op == Op::Cast && dtype == Some(DType::F32);
        assert!(!Expr::parse("cast(x, f32) + cast(x, f16)").unwrap().every_use("x", to_f32));
    }

    #[test]
    fn broadcast_changes_the_outermost_node() {
        let e = (Expr::input("a") * 2 + Expr::input("b")).broadcast(Broadcast::Pdpd { axis: 1 });
        assert_eq!(format!("{e:?}"), "add(multiply(a, 2), b, broadcast=pdpd, axis=1)");
        assert_eq!(format!("{:?}", Expr::input("a").broadcast_to([2, 3])), "broadcast_to(a, [2, 3])");
        assert_eq!(format!("{:?}", Expr::input("a").broadcast(Broadcast::None)), "a");
    }
}
