//! [`Operator`]: a user-defined operator, which is a lane function with a name. [`lanes`](crate::lanes) shows how to write
//! one.

use core::sync::atomic::{AtomicU32, Ordering};

use eltwise_core::{Broadcast, Error};
use eltwise_kernels::abi::Kernel;
use eltwise_kernels::functions::Lanewise;
use eltwise_kernels::table::custom::{Elements, Function, custom};
use eltwise_plan::{Custom, ProgramBuilder, ValueId};
use eltwise_simd::Isa;

/// A user-defined operator. Cloning is cheap, and clones are the same operator.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The function as programs know it: an id, a name, the number of operands and the dtypes.
    pub(crate) function: Custom,
    /// Gives the kernel for an ISA.
    kernel: fn(Isa) -> Kernel,
}

impl Operator {
    /// The operator of a lane function over operands and a result of element type `S`: a Rust number, `half::f16`,
    /// `half::bf16`, or [`Bool`](crate::lanes::Bool). The name appears in errors and explanations.
    ///
    /// Every call makes a new operator: clone one to use it in several programs.
    pub fn new<F: Function<S>, S: Elements>(name: &'static str) -> Operator {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let arity = <F as Lanewise<S::Compute, S::Scalar>>::ARITY;
        let function = Custom { id, name, arity, from: S::DTYPE, to: S::DTYPE };
        Operator { function, kernel: custom::<F, S> }
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.function.name
    }

    /// The number of operands.
    pub fn arity(&self) -> usize {
        self.function.arity
    }

    /// Adds a step of this operator to a program under construction. [`Program::with_operators`](crate::Program::with_operators)
    /// takes the finished program.
    ///
    /// # Errors
    /// [`Error::Count`] or [`Error::DType`] for operands whose number or dtypes are not the operator's; [`Error::Expression`]
    /// for a broadcast mode that it does not take or an operand that is not a value of `builder`.
    pub fn step(&self, builder: &mut ProgramBuilder, args: &[ValueId], broadcast: Broadcast) -> Result<ValueId, Error> {
        builder.custom(self.function, args, broadcast)
    }

    /// The kernel for `isa`, or for the best ISA below it that has one; [`kernels`](crate::kernels) documents the contract of
    /// a call. Calling it is unsafe: the CPU must have the ISA.
    pub fn kernel(&self, isa: Isa) -> Kernel {
        (self.kernel)(isa)
    }

    /// The operator among `operators` that a function of a program belongs to.
    pub(crate) fn find(operators: &[Operator], function: Custom) -> Result<&Operator, Error> {
        operators.iter().find(|operator| operator.function == function).ok_or_else(|| Error::Expression {
            message: format!("the program has a step of {}, which is not among its operators", function.name),
        })
    }
}
