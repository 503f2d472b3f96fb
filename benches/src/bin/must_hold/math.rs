//! Math functions: time an element beside Intel oneMKL's VM functions in their mode HA (within 1 ULP), at 16384 elements on one thread.
//!
//! VM is found by `ELTWISE_MKL=/path/to/libmkl_rt.so` (`pip install mkl`); without it only times and ratios between our own levels and
//! tiers are judged.

use std::ffi::c_void;

use eltwise::{Accuracy, Array, BindOptions, Broadcast, DType, Isa, Op, Plan, Program, Serial};
use libloading::Library;

use crate::timing::{PAIRS, median, time, verdict};

const N: usize = 16384;

/// VM's mode of at most 1 ULP.
const HA: i64 = 2;

/// An operator: VM's name, the bound of our time over VM's for `f32`, the range of the first operand.
struct Row(Op, &'static str, f64, f64, f64);

const ROWS: [Row; 28] = [
    Row(Op::Exp, "Exp", 1.05, -5.0, 5.0),
    Row(Op::Exp2, "Exp2", 1.05, -5.0, 5.0),
    Row(Op::Exp10, "Exp10", 1.4, -5.0, 5.0),
    Row(Op::Expm1, "Expm1", 1.3, -5.0, 5.0),
    Row(Op::Log, "Ln", 1.05, 0.01, 100.0),
    Row(Op::Log2, "Log2", 1.3, 0.01, 100.0),
    Row(Op::Log10, "Log10", 1.4, 0.01, 100.0),
    Row(Op::Log1p, "Log1p", 1.3, -0.9, 10.0),
    Row(Op::Sin, "Sin", 1.05, -5.0, 5.0),
    Row(Op::Cos, "Cos", 1.05, -5.0, 5.0),
    Row(Op::Tan, "Tan", 1.3, -5.0, 5.0),
    Row(Op::Asin, "Asin", 1.3, -1.0, 1.0),
    Row(Op::Acos, "Acos", 1.3, -1.0, 1.0),
    Row(Op::Atan, "Atan", 1.3, -5.0, 5.0),
    Row(Op::Sinh, "Sinh", 1.3, -5.0, 5.0),
    Row(Op::Cosh, "Cosh", 1.3, -5.0, 5.0),
    Row(Op::Tanh, "Tanh", 0.9, -5.0, 5.0),
    Row(Op::Asinh, "Asinh", 1.4, -5.0, 5.0),
    Row(Op::Acosh, "Acosh", 1.4, 1.01, 50.0),
    Row(Op::Atanh, "Atanh", 1.3, -0.99, 0.99),
    Row(Op::Erf, "Erf", 0.75, -5.0, 5.0),
    Row(Op::Erfc, "Erfc", 1.3, -5.0, 5.0),
    Row(Op::Cbrt, "Cbrt", 0.9, -5.0, 5.0),
    Row(Op::Rsqrt, "InvSqrt", 1.4, 0.01, 100.0),
    Row(Op::Pow, "Pow", 1.4, 0.01, 5.0),
    Row(Op::Atan2, "Atan2", 1.4, -5.0, 5.0),
    Row(Op::Hypot, "Hypot", 1.3, -5.0, 5.0),
    Row(Op::Sqrt, "Sqrt", 1.4, 0.01, 100.0),
];

/// Functions that VM has not: the most nanoseconds an element on the best level, for `f32`.
const OWN: [(Op, f64); 8] = [
    (Op::Sigmoid, 0.5),
    (Op::Silu, 0.5),
    (Op::Gelu, 0.8),
    (Op::GeluTanh, 0.8),
    (Op::Softplus, 0.8),
    (Op::Mish, 0.8),
    (Op::Logit, f64::INFINITY),
    (Op::Selu, f64::INFINITY),
];

/// Of `f64`, over VM's time.
const DOUBLE: f64 = 1.3;
/// Of the correctly rounded tier, over the fast one's.
const EXACT: f64 = 4.0;
/// Of AVX2, over AVX-512's.
const NARROW: f64 = 2.5;
/// The same of functions that live on tables of 16 entries, which AVX2 has no lookup for.
const NARROW_TABLES: f64 = 4.0;
/// Those.
const TABLES: [(Op, DType); 8] = [
    (Op::Log2, DType::F32),
    (Op::Log10, DType::F32),
    (Op::Sinh, DType::F32),
    (Op::Tanh, DType::F32),
    (Op::Pow, DType::F32),
    (Op::Pow, DType::F64),
    (Op::Erf, DType::F64),
    (Op::Erfc, DType::F64),
];

/// An operator over dense arrays, ready to run at a level and a tier.
struct Case {
    plan: Plan,
    inputs: Vec<Array>,
    out: Array,
}

impl Case {
    fn new(op: Op, dtype: DType, tier: Accuracy, isa: Isa, low: f64, high: f64) -> Case {
        let mut state = 1u64;
        let mut fill = |low: f64, high: f64| {
            let mut array = Array::zeros(dtype, [N]).expect("a small array");
            for element in array.bytes_mut().chunks_exact_mut(dtype.size()) {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let x = low + (high - low) * ((state >> 11) as f64 / (1u64 << 53) as f64);
                match dtype {
                    DType::F32 => element.copy_from_slice(&(x as f32).to_le_bytes()),
                    _ => element.copy_from_slice(&x.to_le_bytes()),
                }
            }
            array
        };
        let inputs: Vec<Array> =
            (0..op.arity()).map(|k| if k == 0 { fill(low, high) } else { fill(0.1, 5.0) }).collect();
        let program = Program::single_at(op, &vec![dtype; op.arity()], None, Broadcast::Numpy, tier);
        let layouts: Vec<_> = inputs.iter().map(Array::layout).collect();
        let plan = program.and_then(|program| program.bind_with(&layouts, &BindOptions::new().isa(isa)));
        Case { plan: plan.expect("a plan"), inputs, out: Array::zeros(dtype, [N]).expect("a small array") }
    }

    fn run(&mut self) {
        let views: smallvec::SmallVec<[_; 2]> = self.inputs.iter().map(Array::view).collect();
        let status = self.plan.run_with(&Serial, &views, &mut [self.out.view_mut()]);
        let _ = std::hint::black_box(status).expect("it runs");
    }

    /// VM's function over the same arrays.
    fn vm(&mut self, library: &Library, name: &str) -> bool {
        type One = unsafe extern "C" fn(i32, *const c_void, *mut c_void, i64);
        type Two = unsafe extern "C" fn(i32, *const c_void, *const c_void, *mut c_void, i64);
        let letter = if self.out.dtype() == DType::F32 { 's' } else { 'd' };
        let symbol = format!("vm{letter}{name}\0");
        let out = self.out.bytes_mut().as_mut_ptr().cast();
        let at = |k: usize| self.inputs[k].bytes().as_ptr().cast::<c_void>();
        // SAFETY: the functions of that name have this signature (oneMKL's mkl_vml_functions.h), and the arrays N elements.
        unsafe {
            if self.inputs.len() == 1 {
                let Ok(f) = library.get::<One>(symbol.as_bytes()) else { return false };
                f(N as i32, at(0), out, HA);
            } else {
                let Ok(f) = library.get::<Two>(symbol.as_bytes()) else { return false };
                f(N as i32, at(0), at(1), out, HA);
            }
        }
        true
    }
}

/// Nanoseconds an element of several things, interleaved: the least of each.
fn least(things: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    const CALLS: usize = 4;
    let mut best = vec![f64::INFINITY; things.len()];
    for _ in 0..2 * PAIRS {
        for (thing, best) in things.iter_mut().zip(&mut best) {
            *best = best.min(time(CALLS, &mut **thing) / N as f64);
        }
    }
    best
}

/// Our time over VM's, one row a function and dtype.
pub(crate) fn math() -> usize {
    let library = std::env::var_os("ELTWISE_MKL").map(|path| {
        // SAFETY: one thread so far; the library is loaded after this.
        unsafe { std::env::set_var("MKL_THREADING_LAYER", "SEQUENTIAL") };
        // SAFETY: the user's own library.
        unsafe { Library::new(path) }.expect("ELTWISE_MKL names oneMKL's libmkl_rt")
    });
    let best = Isa::current();
    let narrow = Isa::available().filter(|&isa| isa < best && isa.vector_bytes() == 32).last();
    let mut missed = 0;
    let mut ratios = Vec::new();
    println!(
        "{:<12} {:>5} {:>7} {:>7} {:>7} {:>7}  ratios, each with its bound",
        "function", "dtype", "ns", "avx2", "exact", "VM HA"
    );
    let own = OWN.iter().map(|&(op, _)| {
        Row(op, "", f64::INFINITY, if op == Op::Logit { 0.01 } else { -4.0 }, if op == Op::Logit { 0.99 } else { 4.0 })
    });
    for row in ROWS.into_iter().chain(own) {
        let Row(op, name, bound, low, high) = row;
        for dtype in [DType::F32, DType::F64] {
            let case = |tier, isa| Case::new(op, dtype, tier, isa, low, high);
            let mut fast = case(Accuracy::Fast, best);
            let mut on_narrow = case(Accuracy::Fast, narrow.unwrap_or(best));
            let is_math = op.info().is_math(dtype);
            let tier = if dtype == DType::F32 && is_math { Accuracy::Exact } else { Accuracy::Fast };
            let mut exact = case(tier, best);
            let mut vm = case(Accuracy::Fast, best);
            let library = library.as_ref().filter(|library| !name.is_empty() && vm.vm(library, name));
            let times = least(&mut [&mut || fast.run(), &mut || on_narrow.run(), &mut || exact.run(), &mut || {
                if let Some(library) = library {
                    vm.vm(library, name);
                }
            }]);
            let mut line = format!("{:<12} {:>5} {:>7.3}", op.name(), dtype.name(), times[0]);
            let mut judged = String::new();
            let mut judge = |what: &str, ratio: f64, bound: f64| {
                missed += usize::from(ratio > bound);
                judged += &format!("  {what} {ratio:.2} ({bound}) {}", verdict(ratio <= bound));
            };
            line += &if narrow.is_some() { format!(" {:>7.3}", times[1]) } else { format!(" {:>7}", "-") };
            line += &if tier == Accuracy::Exact { format!(" {:>7.3}", times[2]) } else { format!(" {:>7}", "-") };
            line += &if library.is_some() { format!(" {:>7.3}", times[3]) } else { format!(" {:>7}", "-") };
            if library.is_some() {
                ratios.push(times[0] / times[3]);
                judge("VM", times[0] / times[3], if dtype == DType::F32 { bound } else { DOUBLE });
            }
            if narrow.is_some() {
                let bound = if TABLES.contains(&(op, dtype)) { NARROW_TABLES } else { NARROW };
                judge("avx2", times[1] / times[0], bound);
            }
            if tier == Accuracy::Exact {
                judge("exact", times[2] / times[0], EXACT);
            }
            if let Some(&(_, most)) = OWN.iter().find(|own| own.0 == op).filter(|_| dtype == DType::F32) {
                judge("ns", times[0], most);
            }
            println!("{line}{judged}");
        }
    }
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        missed += usize::from(mean > 1.0);
        println!("over VM: geometric mean {mean:.2} (1.0) {}, median {:.2}", verdict(mean <= 1.0), median(ratios));
    }
    missed
}
