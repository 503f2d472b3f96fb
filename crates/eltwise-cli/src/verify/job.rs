//! What is verified: a function, a dtype, a tier, and its kernels.

use std::sync::{Arc, RwLock};

use eltwise::{Accuracy, BindOptions, Broadcast, DType, Isa, Layout, Op, Program, Serial, View, ViewMut};
use eltwise_oracle::{Format, Function};

use crate::report::aside;

/// The dtypes that are verified.
pub(crate) const DTYPES: [DType; 4] = [DType::F32, DType::F64, DType::F16, DType::BF16];

/// The oracle's word for a dtype.
pub(crate) fn format_of(dtype: DType) -> Format {
    match dtype {
        DType::F64 => Format::F64,
        DType::F16 => Format::F16,
        DType::BF16 => Format::BF16,
        _ => Format::F32,
    }
}

/// Elements from operands to a result, all as bytes of one dtype and of one length.
pub(crate) type Run = dyn Fn(&[&[u8]], &mut [u8]) + Send + Sync;

/// A kernel, and the name of the level that it stands for.
pub(crate) struct Kernel {
    pub(crate) isa: &'static str,
    pub(crate) run: Box<Run>,
}

/// A function and its kernels, which have to agree with the oracle and with each other.
pub(crate) struct Job {
    pub(crate) function: Function,
    pub(crate) dtype: DType,
    pub(crate) tier: Accuracy,
    pub(crate) kernels: Vec<Kernel>,
    /// Whether every NaN is as good as the quiet one without a sign: so for exact operators, whose NaN arithmetic makes.
    pub(crate) any_nan: bool,
}

impl Job {
    /// The job of the engine's own kernels; `None` where it has none.
    pub(crate) fn new(function: Function, dtype: DType, tier: Accuracy, isas: &[Isa]) -> Option<Job> {
        let kernels =
            isas.iter().map(|&isa| Some(Kernel { isa: isa.name(), run: kernel_of(function, dtype, tier, isa)? }));
        let kernels = kernels.collect::<Option<Vec<Kernel>>>()?;
        // The one exact operator among them.
        let any_nan = function == Function::Sqrt;
        Some(Job { function, dtype, tier, kernels, any_nan })
    }

    pub(crate) fn format(&self) -> Format {
        format_of(self.dtype)
    }

    /// The largest error in ULP that passes; `None`: every result is the correctly rounded one.
    pub(crate) fn bound(&self) -> Option<f64> {
        match (self.tier, self.dtype) {
            (_, DType::F64) | (Accuracy::Fast, DType::F32) => Some(1.0),
            (Accuracy::Fast, _) => Some(0.501),
            _ => None,
        }
    }
}

/// The engine's kernel of a function, as the engine runs it; `None` where it has none.
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
    // A build may lack the kernel, and ELTWISE_ISA the level.
    let one = bind(1).ok()?;
    (one.1.isa() == isa).then_some(())?;
    // The plan of the length before: most runs have one length.
    let last = RwLock::new((1, one));
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
        // What is not written is caught as a wrong result.
        if let Err(e) = run() {
            aside(format_args!("error: {function} {dtype} {isa}: {e}"));
        }
    }))
}
