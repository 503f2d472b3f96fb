//! One verification: a [`Job`] is a function, a dtype, an accuracy tier, and the kernels of each ISA.

use std::sync::{Arc, RwLock};

use eltwise::{Accuracy, BindOptions, Broadcast, DType, ErrorBound, Isa, Layout, Op, Program, Serial, View, ViewMut};
use eltwise_oracle::{Format, Function};

use crate::report::stderr_line;

/// The dtypes that are verified.
pub(crate) const DTYPES: [DType; 4] = [DType::F32, DType::F64, DType::F16, DType::BF16];

/// The format of the oracle for a dtype.
pub(crate) fn format_of(dtype: DType) -> Format {
    match dtype {
        DType::F64 => Format::F64,
        DType::F16 => Format::F16,
        DType::BF16 => Format::BF16,
        _ => Format::F32,
    }
}

/// The bits of the operands. The second is 0 for functions of one operand.
pub(crate) type Point = [u64; 2];

/// Runs a kernel: operands and result are the bytes of equally many elements of one dtype.
pub(crate) type Run = dyn Fn(&[&[u8]], &mut [u8]) + Send + Sync;

/// A kernel and the name of its ISA.
pub(crate) struct Kernel {
    pub(crate) isa: &'static str,
    pub(crate) run: Box<Run>,
}

/// A function with its kernels, whose results are compared with the oracle and with each other.
pub(crate) struct Job {
    pub(crate) function: Function,
    pub(crate) dtype: DType,
    pub(crate) tier: Accuracy,
    pub(crate) kernels: Vec<Kernel>,
    /// The error bound of the fast tier.
    pub(crate) error_bound: ErrorBound,
    /// Whether any NaN passes where a NaN is expected. Arithmetic leaves the sign and payload of a NaN unspecified; math
    /// functions return the positive quiet NaN.
    pub(crate) any_nan: bool,
}

impl Job {
    /// The job for the kernels of the engine; `None` if an ISA lacks one.
    pub(crate) fn new(function: Function, dtype: DType, tier: Accuracy, isas: &[Isa]) -> Option<Job> {
        let kernels =
            isas.iter().map(|&isa| Some(Kernel { isa: isa.name(), run: kernel_of(function, dtype, tier, isa)? }));
        let kernels = kernels.collect::<Option<Vec<Kernel>>>()?;
        // Square root is the only function here that is plain arithmetic.
        let any_nan = function == Function::Sqrt;
        Some(Job { function, dtype, tier, kernels, error_bound: error_bound(function, dtype), any_nan })
    }

    pub(crate) fn format(&self) -> Format {
        format_of(self.dtype)
    }

    /// The largest error in ULP that passes; `None` if every result must be correctly rounded.
    pub(crate) fn bound(&self) -> Option<f64> {
        bound(self.error_bound, self.tier, self.dtype)
    }

    /// Whether a result at x passes by its absolute error, which counts where terms cancel: below -1/4.
    pub(crate) fn passes_absolutely(&self, x: u64, got: u64, expected: u64) -> bool {
        let [x, got, expected] = [x, got, expected].map(|bits| self.format().to_f64(bits));
        let bound = self.error_bound.absolute;
        bound > 0.0 && x < -0.25 && (got - expected).abs() <= bound
    }
}

/// As [`Job::bound`].
pub(crate) fn bound(error_bound: ErrorBound, tier: Accuracy, dtype: DType) -> Option<f64> {
    match (tier, dtype) {
        (Accuracy::Fast, DType::F16 | DType::BF16) => Some(0.501),
        (_, DType::F64) | (Accuracy::Fast, DType::F32) => Some(error_bound.ulp.into()),
        _ => None,
    }
}

/// The error bound of the operator with the name of the function, or 1 ULP for plain arithmetic.
pub(crate) fn error_bound(function: Function, dtype: DType) -> ErrorBound {
    let bound = function.name().parse::<Op>().map_or(ErrorBound::ONE_ULP, |op| op.info().error_bound(dtype));
    if bound == ErrorBound::EXACT { ErrorBound::ONE_ULP } else { bound }
}

/// The kernel of a function on an ISA, run through a plan of the engine; `None` if there is none.
pub(crate) fn kernel_of(function: Function, dtype: DType, tier: Accuracy, isa: Isa) -> Option<Box<Run>> {
    let op = function.name().parse::<Op>().ok()?;
    let operands = vec![dtype; function.arity()];
    if !op.info().takes(dtype) || !op.counts().contains(&operands.len()) {
        return None;
    }
    let program = Program::single_at(op, &operands, None, Broadcast::Numpy, tier).ok()?;
    let size = dtype.size();
    let bind = move |elements: usize| {
        let layout = Layout::contiguous(dtype, [elements])?;
        let plan = program.bind_with(&vec![&layout; operands.len()], &BindOptions::new().isa(isa))?;
        Ok::<_, eltwise::Error>(Arc::new((layout, plan)))
    };
    // The build may lack the kernel, and ELTWISE_ISA may exclude the ISA.
    let first = bind(1).ok()?;
    (first.1.isa() == isa).then_some(())?;
    // The plan for the last length. Most runs have the same length.
    let last = RwLock::new((1, first));
    Some(Box::new(move |inputs, out| {
        let elements = out.len() / size;
        let mut run = || {
            let found = last.read().ok().filter(|last| last.0 == elements).map(|last| Arc::clone(&last.1));
            let bound = match found {
                Some(bound) => bound,
                None => {
                    let bound = bind(elements)?;
                    if let Ok(mut last) = last.write() {
                        *last = (elements, Arc::clone(&bound));
                    }
                    bound
                }
            };
            let (layout, plan) = &*bound;
            let views = inputs.iter().map(|bytes| View::from_bytes(bytes, layout.clone(), 0));
            let views = views.collect::<Result<Vec<View<'_>>, _>>()?;
            plan.run_with(&Serial, &views, &mut [ViewMut::from_bytes(out, layout.clone(), 0)?])
        };
        // After an error the elements are not written, which the comparison finds.
        if let Err(e) = run() {
            stderr_line(format_args!("error: {function} {dtype} {isa}: {e}"));
        }
    }))
}
