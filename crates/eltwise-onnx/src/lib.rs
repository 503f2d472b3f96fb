//! ONNX's elementwise operators as expressions of `eltwise`.
//!
//! [`translate`] turns a [`Node`] (operator, opset, attributes) over operands of known dtypes into an expression for each output.
//! Nodes that follow each other become one expression, and so one pass over memory: give the expressions of one node as operands
//! of the next. The crate reads no files: a front end gives names, attributes and dtypes.
//!
//! ```
//! use eltwise::{Array, DType, Expr, Program};
//! use eltwise_onnx::{Attribute, Node, Operand, translate};
//!
//! // HardSigmoid, then Mul with its operand: a hard swish.
//! let x = Operand::new(Expr::input("x"), DType::F32);
//! let attributes = [("alpha", Attribute::Float(1.0 / 6.0))];
//! let gate = translate(&Node { attributes: &attributes, ..Node::new("HardSigmoid", 22) }, &[Some(x.clone())])?;
//! let gate = Operand::new(gate.expr.clone(), DType::F32);
//! let product = translate(&Node::new("Mul", 14), &[Some(gate), Some(x)])?;
//!
//! let program = Program::new(&[&product.expr], &[("x", DType::F32)]).unwrap();
//! let x = Array::from_slice(&[-4.0f32, 0.0, 3.0], [3]).unwrap();
//! let plan = program.bind(&[x.layout()]).unwrap();
//! let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
//! plan.run(&[x.view()], &mut [out.view_mut()]).unwrap();
//! assert_eq!(out.as_slice::<f32>().unwrap(), [0.0, 0.0, 3.0]);
//! # Ok::<(), eltwise_onnx::Unsupported>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`mod@node`] | nodes, attributes and operands |
//! | [`graph`] | a graph as plain lists |
//! | [`mod@partition`] | the groups of a graph that become one program each |
//! | [`policy`] | which groups are worth it |
//! | `runtime` | what ONNX Runtime fuses by itself |
//! | `shapes` | the shapes of results, inferred from those of operands |
//! | `shape_check` | the shapes that the nodes of a group accept |
//! | `group_program` | the program of a group: [`GroupProgram`] |
//! | `operators` | the operators: arithmetic, activations, comparisons, conversions, normalisation, quantisation |

#![forbid(unsafe_code)]

pub mod graph;
mod group_program;
pub mod node;
mod operators;
pub mod partition;
pub mod policy;
mod runtime;
mod shape_check;
mod shapes;

pub use group_program::{GroupInput, GroupProgram, ValueInput};
pub use node::{
    Alignment, Attribute, FourBits, Node, Operand, Pairs, Translation, Unsupported, View, data_type, four_bit_data_type,
};
pub use operators::{supports, translate};
pub use shape_check::ShapeCheck;
