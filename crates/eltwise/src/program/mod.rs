//! [`Program`]: a typed expression without shapes. `plan/bind.rs` binds it to layouts; `fold.rs` computes its constants.

mod fold;

use core::ops::Deref;
use std::sync::Arc;

use eltwise_core::{Accuracy, Broadcast, DType, Error, Op};
use eltwise_plan::ir::program::Node;
use eltwise_plan::single_call::SingleStep;
use eltwise_plan::{ProgramBuilder, ValueId};
use eltwise_simd::fp_env::DefaultFpEnv;
use fold::fold;
use smallvec::SmallVec;

use crate::expr::{Expr, lower, lower_with_warnings};
use crate::operator::Operator;

/// One or more typed expressions, ready to bind to layouts with [`Program::bind`]. Cloning is cheap.
///
/// It dereferences to [`eltwise_plan::Program`], which has its inputs, outputs and steps.
#[derive(Clone, Debug)]
pub struct Program(pub(crate) Arc<Shared>);

/// The data that the clones of a program share. One pointer refers to it, because every bind clones the program.
#[derive(Debug)]
pub(crate) struct Shared {
    program: eltwise_plan::Program,
    /// The user-defined operators of its steps.
    pub(crate) operators: Vec<Operator>,
    /// The facts for a single kernel call, if the program is one step.
    pub(crate) single: Option<SingleStep>,
    /// See [`Program::warnings`].
    warnings: Vec<String>,
}

impl Program {
    /// Types expressions over inputs with these names and dtypes; each expression is an output. The mode is *typed*: nothing
    /// is promoted, so the operands of an operator have one dtype, and a number takes the dtype of the other operand, which
    /// must be able to hold it.
    ///
    /// # Errors
    /// Unknown input names, dtypes that an operator does not take, numbers that their dtype cannot hold: an
    /// [`Error::Expression`], [`Error::Operand`] or [`Error::Literal`], or an [`Error::Parse`] if the expression was parsed.
    pub fn new(outputs: &[&Expr], inputs: &[(&str, DType)]) -> Result<Program, Error> {
        lower(outputs, inputs).map(Program::from)
    }

    /// Parses and types expressions such as `"a * b + c"`, as [`Program::new`] does. `;` separates the expressions of
    /// several outputs. [`Expr::parse`] describes the syntax.
    ///
    /// # Errors
    /// [`Error::Parse`] with the place in the text, for a syntax error or an error of [`Program::new`].
    ///
    /// # Example
    /// ```
    /// # use eltwise::{DType, Program};
    /// let program = Program::parse("sin(x); x / 2", &[("x", DType::F32)])?;
    /// assert_eq!(program.outputs().len(), 2);
    /// # Ok::<(), eltwise::Error>(())
    /// ```
    pub fn parse(text: &str, inputs: &[(&str, DType)]) -> Result<Program, Error> {
        let exprs = parse(text, inputs)?;
        Program::new(&exprs.iter().collect::<Vec<_>>(), inputs)
    }

    /// Types expressions as [`Program::new`], but in *promoting* mode, with NumPy's promotion: operands of different
    /// dtypes are cast to a common dtype, and literals are weak. [`lower_promoting`](crate::lower_promoting) has the rules.
    ///
    /// # Errors
    /// The errors of [`Program::new`]; [`Error::Operand`] for operands without a common dtype.
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
        let (program, warnings) = lower_with_warnings(outputs, inputs)?;
        Ok(Program::folded(program, Vec::new(), warnings))
    }

    /// Parses and types expressions as [`Program::parse`], but in the *promoting* mode of [`Program::promoting`].
    ///
    /// # Errors
    /// [`Error::Parse`] with the place in the text, for a syntax error, operands without a common dtype, or an error of
    /// [`Program::new`].
    pub fn parse_promoting(text: &str, inputs: &[(&str, DType)]) -> Result<Program, Error> {
        let exprs = parse(text, inputs)?;
        Program::promoting(&exprs.iter().collect::<Vec<_>>(), inputs)
    }

    /// One message for each number that is beyond the range of its float dtype, which NumPy's promotion makes infinite.
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

    /// One operator over inputs of these dtypes. `target` is the result dtype of a cast, and `None` for other operators.
    ///
    /// # Errors
    /// [`Error::Arity`], [`Error::Operand`] or [`Error::Target`] for a number of operands or a dtype that the operator does not
    /// take; [`Error::Expression`] for a broadcast mode that it does not take.
    pub fn single(op: Op, operands: &[DType], target: Option<DType>, broadcast: Broadcast) -> Result<Program, Error> {
        Program::single_at(op, operands, target, broadcast, Accuracy::Fast)
    }

    /// One operator over inputs of these dtypes, as [`Program::single`], with an accuracy tier.
    ///
    /// # Errors
    /// The errors of [`Program::single`]; [`Error::Operand`] also for [`Accuracy::CorrectlyRounded`] of a math operator over
    /// `f64`.
    pub fn single_at(
        op: Op,
        operands: &[DType],
        target: Option<DType>,
        broadcast: Broadcast,
        accuracy: Accuracy,
    ) -> Result<Program, Error> {
        let single = || eltwise_plan::Program::single_at(op, operands, target, broadcast, accuracy);
        if !eltwise_plan::is_composite(op, operands, accuracy) {
            return Ok(Program::share(single()?, Vec::new(), Vec::new()));
        }
        // A composite operator has constants, which fold.
        let _fp_env = DefaultFpEnv::new();
        single().map(Program::from)
    }

    /// With `true`, `a * b + c`, `a * b - c` and `c - a * b` of floats round once, as `fma` does, if nothing else uses the
    /// product: see [`contracted`](eltwise_plan::Program::contracted). This changes result bits. With `false`, the program
    /// is unchanged.
    pub fn contract(self, contract: bool) -> Program {
        if !contract {
            return self;
        }
        Program::folded(self.0.program.contracted(), self.0.operators.clone(), self.0.warnings.clone())
    }

    /// A program with steps of user-defined operators: see [`lanes`](crate::lanes). `operators` may have operators that the
    /// program does not use.
    ///
    /// # Errors
    /// [`Error::Expression`] if `operators` lacks the operator of a step.
    pub fn with_operators(program: eltwise_plan::Program, operators: &[&Operator]) -> Result<Program, Error> {
        let operators: Vec<Operator> = operators.iter().map(|&operator| operator.clone()).collect();
        for value in program.values() {
            if let Node::Custom { function, .. } = &value.node {
                Operator::find(&operators, *function)?;
            }
        }
        Ok(Program::folded(program, operators, Vec::new()))
    }

    /// Folds the steps over constants.
    fn folded(program: eltwise_plan::Program, operators: Vec<Operator>, warnings: Vec<String>) -> Program {
        Program::share(fold(program), operators, warnings)
    }

    /// Wraps a program that has no steps over constants only.
    fn share(program: eltwise_plan::Program, operators: Vec<Operator>, warnings: Vec<String>) -> Program {
        let single = SingleStep::of(&program);
        Program(Arc::new(Shared { program, operators, single, warnings }))
    }
}

/// Parses expressions in which the names of the inputs are inputs, also if they are names of constants.
fn parse(text: &str, inputs: &[(&str, DType)]) -> Result<Vec<Expr>, Error> {
    let names: Vec<&str> = inputs.iter().map(|input| input.0).collect();
    Expr::parse_several(text, &names)
}

impl Operator {
    /// The program with this operator as its only step, over inputs `a`, `b`, `c`, with NumPy's broadcasting.
    ///
    /// # Errors
    /// None occur for an [`Operator`], which has one to three operands.
    pub fn program(&self) -> Result<Program, Error> {
        let mut builder = ProgramBuilder::new();
        let names = ["a", "b", "c"].iter().take(self.arity());
        let args: SmallVec<[ValueId; 3]> = names.map(|name| builder.input(name, self.function.from)).collect();
        let out = self.step(&mut builder, &args, Broadcast::Numpy)?;
        builder.output(out);
        Program::with_operators(builder.finish()?, &[self])
    }
}

impl From<eltwise_plan::Program> for Program {
    fn from(program: eltwise_plan::Program) -> Program {
        Program::folded(program, Vec::new(), Vec::new())
    }
}

impl Deref for Program {
    type Target = eltwise_plan::Program;
    fn deref(&self) -> &eltwise_plan::Program {
        &self.0.program
    }
}
