//! What is verified: a function, a dtype, a tier, and its kernels.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, RwLock};

use eltwise::{Accuracy, BindOptions, Broadcast, DType, Isa, Layout, Op, Program, Serial, View, ViewMut};
use eltwise_oracle::{Format, Function};

/// How accurate a kernel promises to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Tier {
    /// At most 1 ULP; 16-bit floats 0.501.
    Fast,
    /// Correctly rounded; f64 as `Fast`.
    Exact,
}

impl Tier {
    pub(crate) const ALL: [Tier; 2] = [Tier::Fast, Tier::Exact];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Tier::Fast => "fast",
            Tier::Exact => "exact",
        }
    }

    /// The largest error in ULP that passes; `None`: every result is the correctly rounded one.
    pub(crate) fn bound(self, dtype: DType) -> Option<f64> {
        match (self, dtype) {
            (_, DType::F64) | (Tier::Fast, DType::F32) => Some(1.0),
            (Tier::Fast, _) => Some(0.501),
            (Tier::Exact, _) => None,
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Tier {
    type Err = String;
    fn from_str(name: &str) -> Result<Tier, String> {
        Tier::ALL.into_iter().find(|t| t.name() == name).ok_or_else(|| "expected fast or exact".into())
    }
}

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
    pub(crate) tier: Tier,
    pub(crate) kernels: Vec<Kernel>,
    /// Whether every NaN is as good as the quiet one without a sign: so for exact operators, whose NaN arithmetic makes.
    pub(crate) any_nan: bool,
}

impl Job {
    /// The job of the engine's own kernels; `None` where it has none.
    pub(crate) fn new(function: Function, dtype: DType, tier: Tier, isas: &[Isa]) -> Option<Job> {
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
}

/// The engine's kernel of a function, as the engine runs it; `None` where it has none.
pub(crate) fn kernel_of(function: Function, dtype: DType, tier: Tier, isa: Isa) -> Option<Box<Run>> {
    let op = function.name().parse::<Op>().ok()?;
    let operands = vec![dtype; function.arity()];
    if !op.info().takes(dtype) || !op.counts().contains(&operands.len()) {
        return None;
    }
    let accuracy = if tier == Tier::Exact { Accuracy::Exact } else { Accuracy::Fast };
    let program = Program::single_at(op, &operands, None, Broadcast::Numpy, accuracy).ok()?;
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
            eprintln!("error: {function} {dtype} {isa}: {e}");
        }
    }))
}
