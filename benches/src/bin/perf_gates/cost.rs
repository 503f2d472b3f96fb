//! Predicted cost of a run (`Plan::cost`) relative to its measured time.

use std::collections::BTreeMap;
use std::hint::black_box;

use eltwise::{Accuracy, BindOptions, Broadcast, DType, Isa, Layout, Op, Plan, Program, Serial, Signature};
use eltwise_plan::cost::Kind;

use crate::kernel_run::Elements;
use crate::timing::{min_ns_per_call, verdict};

/// A plan's operands in memory.
struct Ready {
    plan: Plan,
    ins: Vec<*const u8>,
    out: Elements,
}

impl Ready {
    fn new(program: &Program, layouts: &[Layout], isa: Isa) -> Ready {
        let refs: Vec<&Layout> = layouts.iter().collect();
        let plan = program.bind_with(&refs, &BindOptions::new().isa(isa)).expect("the shapes should broadcast");
        let elements = |l: &Layout| l.span().expect("a small array should fit memory").1 as usize / l.dtype().size();
        let ins = layouts.iter().enumerate();
        let ins = ins.map(|(i, l)| Elements::small(l.dtype(), elements(l), i).bytes_mut().as_ptr()).collect();
        let out = &plan.output_layouts()[0];
        let out = Elements::zeros(out.dtype(), elements(out));
        Ready { plan, ins, out }
    }

    /// Predicted time, and the minimum of the measured times, in nanoseconds per run.
    fn times(&self) -> (f64, f64) {
        let predicted = self.plan.cost().ns as f64;
        let calls = (100_000.0 / predicted) as usize + 1;
        let out = [self.out.bytes_mut().as_mut_ptr()];
        let run = || {
            // SAFETY: the operands have the elements of the plan's layouts, aligned to cache lines, and are never
            // freed.
            let _ = black_box(unsafe { self.plan.run_at(&Serial, black_box(&self.ins), &out) });
        };
        (predicted, min_ns_per_call(8, calls, run))
    }
}

/// Ratios of predicted to measured times.
#[derive(Default)]
struct Ratios(Vec<(f64, String)>);

impl Ratios {
    fn add(&mut self, (predicted, measured): (f64, f64), what: String) {
        self.0.push((predicted / measured, what));
    }

    /// Prints the ratios of a class, and returns whether their geometric mean is within a factor of `bound`.
    fn print(mut self, isa: Isa, class: &str, bound: f64) -> bool {
        self.0.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mean = (self.0.iter().map(|(r, _)| r.ln()).sum::<f64>() / self.0.len() as f64).exp();
        let ok = (1.0 / bound..=bound).contains(&mean);
        let (least, most) = (&self.0[0], &self.0[self.0.len() - 1]);
        println!(
            "cost        {isa:10} {class:12} {:3} cases: predicted / measured {mean:5.2}, from {:.2} ({}) to {:.2} ({})  {}",
            self.0.len(),
            least.0,
            least.1,
            most.0,
            most.1,
            verdict(ok)
        );
        ok
    }
}

/// A program of one operator.
struct Step {
    op: Op,
    /// The dtype of the operands that it computes with.
    from: DType,
    operands: Vec<DType>,
    target: Option<DType>,
}

/// Every operator over each of some dtypes.
fn steps() -> Vec<Step> {
    const DTYPES: [DType; 7] = [DType::I8, DType::I16, DType::BF16, DType::F32, DType::I32, DType::F64, DType::I64];
    let mut steps = Vec::new();
    // `broadcast_to` needs a shape, and is a copy otherwise.
    for &op in Op::ALL.iter().filter(|&&op| op != Op::BroadcastTo) {
        for d in DTYPES {
            let operands = match op.signature() {
                Signature::Select => vec![DType::Bool, d, d],
                signature => vec![d; signature.arity()],
            };
            let targets = if op == Op::Cast { DTYPES.map(Some).to_vec() } else { vec![None] };
            for target in targets {
                if !op.is_composite(d) && op.result(&operands, target).is_ok() && target != Some(d) {
                    steps.push(Step { op, from: d, operands: operands.clone(), target });
                }
            }
        }
    }
    steps
}

/// Each kind of step over operands in L1.
fn cost_of_steps(isa: Isa, bound: f64) -> usize {
    let mut kinds: BTreeMap<Kind, Ratios> = BTreeMap::new();
    for Step { op, from, operands, target } in steps() {
        let to = op.result(&operands, target).expect("`steps` should leave out other combinations");
        let n = 8192 / from.size().max(to.size());
        let layouts: Vec<Layout> = operands.iter().map(|&d| Layout::contiguous(d, [n]).unwrap()).collect();
        let program = Program::single_at(op, &operands, target, Broadcast::Numpy, Accuracy::Fast).unwrap();
        let times = Ready::new(&program, &layouts, isa).times();
        kinds.entry(Kind::of(op, from, to)).or_default().add(times, format!("{op} {from} -> {to}"));
    }
    kinds.into_iter().map(|(kind, ratios)| usize::from(!ratios.print(isa, &format!("{kind:?}"), bound))).sum()
}

/// Contiguous operands at each level of the memory.
fn cost_by_level(isa: Isa, bound: f64) -> usize {
    let mut missed = 0;
    for (class, sizes) in [("L1", 12..13), ("L2", 16..17), ("last level", 19..21), ("memory", 23..24)] {
        let mut ratios = Ratios::default();
        let texts =
            [("copy(x)", 1), ("x + y", 2), ("exp(x)", 1), ("gelu(x)", 1), ("x * y + 3 / y", 2), ("gelu(x + y)", 2)];
        for (text, count) in texts {
            for bits in sizes.clone() {
                let layouts = vec![Layout::contiguous(DType::F32, [1 << bits]).unwrap(); count];
                let inputs = [("x", DType::F32), ("y", DType::F32)];
                let program = Program::parse(text, &inputs[..count]).unwrap();
                ratios.add(Ready::new(&program, &layouts, isa).times(), format!("{text} of 2^{bits}"));
            }
        }
        missed += usize::from(!ratios.print(isa, class, bound));
    }
    missed
}

/// Strided and broadcast operands.
fn cost_of_layouts(isa: Isa, bound: f64) -> usize {
    let mut ratios = Ratios::default();
    for (a, b) in [
        (Layout::strided(DType::F32, [200, 100], [4, 800]), Layout::contiguous(DType::F32, [200, 100])),
        (Layout::strided(DType::F32, [20_000], [8]), Layout::contiguous(DType::F32, [20_000])),
        (Layout::contiguous(DType::F32, [5000, 3]), Layout::contiguous(DType::F32, [3])),
        (Layout::contiguous(DType::F32, [5000, 3]), Layout::contiguous(DType::F32, [5000, 1])),
        (Layout::contiguous(DType::F32, [16, 64, 20]), Layout::contiguous(DType::F32, [64, 1])),
        (Layout::contiguous(DType::F32, [100, 200]), Layout::contiguous(DType::F32, [200])),
    ] {
        let layouts = [a.unwrap(), b.unwrap()];
        for text in ["x + y", "exp(x) * y"] {
            let program = Program::parse(text, &[("x", DType::F32), ("y", DType::F32)]).unwrap();
            let times = Ready::new(&program, &layouts, isa).times();
            ratios.add(times, format!("{text} of {}, {}", layouts[0], layouts[1]));
        }
    }
    usize::from(!ratios.print(isa, "layouts", bound))
}

/// `Plan::cost` relative to the time of a run on one thread. The geometric mean of each class is within a factor of
/// 1.5, for `scalar` within 3. The constants are in `eltwise-plan/src/cost.rs`.
pub(crate) fn cost() -> usize {
    let mut missed = 0;
    for isa in Isa::available() {
        if isa == Isa::Scalar {
            missed += cost_of_steps(isa, 3.0);
        } else {
            missed += cost_of_steps(isa, 1.5) + cost_by_level(isa, 1.5) + cost_of_layouts(isa, 1.5);
        }
    }
    missed
}
