//! Programs with their front: made of expressions, bound to layouts.

use core::ops::Deref;
use std::sync::Arc;

use eltwise_plan::one_call::DenseStep;
use eltwise_plan::program::Node;
use eltwise_plan::{Accuracy, Broadcast, DType, Error, Hoist, Layout, Op};
use eltwise_simd::Isa;
use eltwise_simd::control::DefaultControl;
use smallvec::SmallVec;

use crate::exec::fold::fold;
use crate::expr::{Expr, lower, lower_warning};
use crate::lanes::Operator;
use crate::plan::Plan;

/// A typed expression, ready to be bound to layouts. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Program(Arc<Typed>);

/// What the clones of a program share: behind one pointer, for each bind clones it.
#[derive(Debug)]
struct Typed {
    program: eltwise_plan::Program,
    /// The functions of the caller's that it has steps of.
    operators: Vec<Operator>,
    /// What its calls over dense operands are, if it is one step.
    dense: Option<DenseStep>,
    /// What typing it has to warn of.
    warnings: Vec<String>,
}

/// How a program is bound.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BindOptions {
    /// The highest ISA to use; it only lowers [`Isa::current`].
    pub isa: Option<Isa>,
    /// The layouts of the outputs. Without, they are dense, in the axis order of the inputs.
    pub outputs: Option<Vec<Layout>>,
    /// Chosen output layouts are in C order.
    pub c_order: bool,
    /// Whether outputs beyond the caches are written by streaming stores. Without: where the layouts of the outputs are
    /// given, because the memory of an output that the plan chooses is mostly new, and streaming to pages that were never
    /// touched is slower.
    pub streaming: Option<bool>,
    /// When sub-expressions of fewer elements than the steps that read them are computed once: where it saves work.
    pub hoist: Hoist,
}

impl BindOptions {
    /// The defaults: the best ISA, outputs in the axis order of the inputs.
    pub fn new() -> BindOptions {
        BindOptions::default()
    }
    /// Uses at most this ISA.
    pub fn isa(mut self, isa: Isa) -> BindOptions {
        self.isa = Some(isa);
        self
    }
    /// Uses these output layouts.
    pub fn outputs(mut self, outputs: impl Into<Vec<Layout>>) -> BindOptions {
        self.outputs = Some(outputs.into());
        self
    }
    /// Writes outputs beyond the caches by streaming stores, or does not. See [`BindOptions::streaming`].
    pub fn streaming(mut self, streaming: bool) -> BindOptions {
        self.streaming = Some(streaming);
        self
    }
    /// Computes sub-expressions of fewer elements once, or not. See [`Hoist`]; no bit depends on it.
    pub fn hoist(mut self, hoist: Hoist) -> BindOptions {
        self.hoist = hoist;
        self
    }
    /// Chooses output layouts in C order.
    pub fn c_order(mut self) -> BindOptions {
        self.c_order = true;
        self
    }
}

impl Program {
    /// Types expressions over inputs of these names and dtypes; each expression is an output.
    ///
    /// # Errors
    /// Names that are no input, operand dtypes that do not fit, literals that do not fit their dtype.
    pub fn new(outputs: &[&Expr], inputs: &[(&str, DType)]) -> Result<Program, Error> {
        lower(outputs, inputs).map(Program::from)
    }

    /// Parses and types expressions, such as `"a * b + c"`, in the *typed* reading: operands of one operator have one dtype,
    /// and a number must fit the dtype of the other operand. Expressions with `;` between them make several outputs.
    ///
    /// # Errors
    /// As [`Program::new`], and texts that do not parse.
    ///
    /// # Example
    /// ```
    /// # use eltwise::{DType, Program};
    /// let program = Program::parse("sin(x); x / 2", &[("x", DType::F32)])?;
    /// assert_eq!(program.outputs().len(), 2);
    /// # Ok::<(), eltwise::Error>(())
    /// ```
    pub fn parse(text: &str, inputs: &[(&str, DType)]) -> Result<Program, Error> {
        let exprs = parsed(text, inputs)?;
        Program::new(&exprs.iter().collect::<Vec<_>>(), inputs)
    }

    /// As [`Program::new`], with NumPy's promotion: operands of several dtypes are cast to their common one, and literals
    /// are weak. See [`lower_promoting`](crate::lower_promoting) for the rules.
    ///
    /// # Errors
    /// As [`Program::new`]; operands without a common dtype.
    ///
    /// # Example
    /// ```
    /// # use eltwise::{DType, Program};
    /// let inputs = [("a", DType::I16), ("b", DType::F16)];
    /// assert!(Program::parse("a * b + 1", &inputs).is_err());
    /// let program = Program::parse_promoting("a * b + 1", &inputs)?;
    /// assert_eq!(program.value(program.outputs()[0]).dtype, DType::F32);
    /// # Ok::<(), eltwise::Error>(())
    /// ```
    pub fn promoting(outputs: &[&Expr], inputs: &[(&str, DType)]) -> Result<Program, Error> {
        let (program, warnings) = lower_warning(outputs, inputs)?;
        Ok(Program::of(program, Vec::new(), warnings))
    }

    /// Parses and types expressions in the *promoting* reading, with NumPy's promotion. Expressions with `;` between them
    /// make several outputs.
    ///
    /// # Errors
    /// As [`Program::promoting`], and texts that do not parse.
    pub fn parse_promoting(text: &str, inputs: &[(&str, DType)]) -> Result<Program, Error> {
        let exprs = parsed(text, inputs)?;
        Program::promoting(&exprs.iter().collect::<Vec<_>>(), inputs)
    }

    /// What typing has to warn of, a message each: numbers past the largest of their float dtype, which NumPy's promotion makes
    /// infinite.
    ///
    /// # Example
    /// ```
    /// # use eltwise::{DType, Program};
    /// let program = Program::parse_promoting("x * 1e200", &[("x", DType::F32)])?;
    /// assert_eq!(program.warnings(), ["the literal 1e200 does not fit f32: it is infinite"]);
    /// # Ok::<(), eltwise::Error>(())
    /// ```
    pub fn warnings(&self) -> &[String] {
        &self.0.warnings
    }

    /// One operator over inputs of these dtypes; `target` is the dtype parameter of `cast`.
    ///
    /// # Errors
    /// Wrong arity or dtypes.
    pub fn single(op: Op, operands: &[DType], target: Option<DType>, broadcast: Broadcast) -> Result<Program, Error> {
        Program::single_at(op, operands, target, broadcast, Accuracy::Fast)
    }

    /// As [`Program::single`], at a tier of accuracy.
    ///
    /// # Errors
    /// As [`Program::single`]; [`Accuracy::Exact`] of a math operator over f64.
    pub fn single_at(
        op: Op,
        operands: &[DType],
        target: Option<DType>,
        broadcast: Broadcast,
        accuracy: Accuracy,
    ) -> Result<Program, Error> {
        let single = || eltwise_plan::Program::single_at(op, operands, target, broadcast, accuracy);
        if !op.is_made_of_others(operands, accuracy) {
            return Ok(Program::of_folded(single()?, Vec::new(), Vec::new()));
        }
        // These have numbers of their own.
        let _control = DefaultControl::new();
        single().map(Program::from)
    }

    /// With `true`, the program that rounds `a * b + c`, `a * b - c` and `c - a * b` of floats once, as `fma` does, where
    /// nothing else reads the product: see [`contracted`](eltwise_plan::Program::contracted). It changes bits.
    pub fn contract(self, contract: bool) -> Program {
        if !contract {
            return self;
        }
        Program::of(self.0.program.contracted(), self.0.operators.clone(), self.0.warnings.clone())
    }

    /// A program that has steps of the caller's operators: see [`lanes`](crate::lanes). Operators that it has no step of
    /// may be among them.
    ///
    /// # Errors
    /// A step of an operator that is not given.
    pub fn with_operators(program: eltwise_plan::Program, operators: &[&Operator]) -> Result<Program, Error> {
        let operators: Vec<Operator> = operators.iter().map(|&operator| operator.clone()).collect();
        for value in program.values() {
            if let Node::Custom { function, .. } = &value.node {
                Operator::find(&operators, *function)?;
            }
        }
        Ok(Program::of(program, operators, Vec::new()))
    }

    fn of(program: eltwise_plan::Program, operators: Vec<Operator>, warnings: Vec<String>) -> Program {
        Program::of_folded(fold(program), operators, warnings)
    }

    /// Of a program without steps that have only constants for operands.
    fn of_folded(program: eltwise_plan::Program, operators: Vec<Operator>, warnings: Vec<String>) -> Program {
        let dense = DenseStep::of(&program);
        Program(Arc::new(Typed { program, operators, dense, warnings }))
    }

    /// What its calls over dense operands are, if it is one step.
    #[inline]
    pub(crate) fn dense_step(&self) -> Option<&DenseStep> {
        self.0.dense.as_ref()
    }

    /// The functions of the caller's that it has steps of.
    pub(crate) fn operators(&self) -> &[Operator] {
        &self.0.operators
    }

    /// Plans the program for inputs of these layouts.
    ///
    /// # Errors
    /// Layouts that do not fit the program, shapes that do not broadcast, operators that this build leaves out.
    pub fn bind(&self, inputs: &[&Layout]) -> Result<Plan, Error> {
        self.bind_with(inputs, &BindOptions::default())
    }

    /// As [`Program::bind`], with options.
    ///
    /// # Errors
    /// As [`Program::bind`]; output layouts of another shape or dtype, or whose elements share memory.
    pub fn bind_with(&self, inputs: &[&Layout], options: &BindOptions) -> Result<Plan, Error> {
        let BindOptions { isa, outputs, c_order, streaming, hoist } = options;
        match outputs {
            Some(outputs) => {
                let outputs: SmallVec<[&Layout; 2]> = outputs.iter().collect();
                Plan::new(self, inputs, Some(&outputs), *c_order, *isa, *streaming, *hoist)
            }
            None => Plan::new(self, inputs, None, *c_order, *isa, *streaming, *hoist),
        }
    }

    /// Plans the program for inputs and outputs of these layouts, on at most this ISA: [`Program::bind_with`] for
    /// callers who hold the layouts elsewhere.
    ///
    /// # Errors
    /// As [`Program::bind_with`].
    pub fn bind_to(&self, inputs: &[&Layout], outputs: &[&Layout], isa: Option<Isa>) -> Result<Plan, Error> {
        Plan::new(self, inputs, Some(outputs), false, isa, None, Hoist::default())
    }
}

/// The expressions of a text, in which the names of the inputs are inputs.
fn parsed(text: &str, inputs: &[(&str, DType)]) -> Result<Vec<Expr>, Error> {
    let names: Vec<&str> = inputs.iter().map(|input| input.0).collect();
    Expr::parse_several(text, &names)
}

impl From<eltwise_plan::Program> for Program {
    fn from(program: eltwise_plan::Program) -> Program {
        Program::of(program, Vec::new(), Vec::new())
    }
}

impl Deref for Program {
    type Target = eltwise_plan::Program;
    fn deref(&self) -> &eltwise_plan::Program {
        &self.0.program
    }
}
