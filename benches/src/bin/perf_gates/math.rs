//! Math functions over 16384 elements on one thread: time per element relative to the vector math (VM) functions of
//! Intel oneMKL in mode HA (within 1 ULP).
//!
//! `ELTWISE_MKL=/path/to/libmkl_rt.so` names the library (`pip install mkl`). Without it, only our times and the ratios
//! between our ISAs and accuracies have bounds.

use std::ffi::c_void;

use eltwise::{Accuracy, Array, BindOptions, Broadcast, DType, Isa, Op, Plan, Program, Serial};
use libloading::Library;

use crate::timing::{PAIRS, median, time, verdict};

const N: usize = 16384;

/// VM's mode of at most 1 ULP.
const HA: i64 = 2;

/// An operator to compare with VM.
#[derive(Clone, Copy)]
struct Row {
    op: Op,
    /// VM's name; empty if VM does not have the function.
    vm_name: &'static str,
    /// The largest ratio of our time to VM's for `f32`.
    bound: f64,
    /// The range of the first operand.
    low: f64,
    high: f64,
}

const fn row(op: Op, vm_name: &'static str, bound: f64, low: f64, high: f64) -> Row {
    Row { op, vm_name, bound, low, high }
}

const ROWS: [Row; 28] = [
    row(Op::Exp, "Exp", 1.05, -5.0, 5.0),
    row(Op::Exp2, "Exp2", 1.05, -5.0, 5.0),
    row(Op::Exp10, "Exp10", 1.4, -5.0, 5.0),
    row(Op::Expm1, "Expm1", 1.3, -5.0, 5.0),
    row(Op::Log, "Ln", 1.05, 0.01, 100.0),
    row(Op::Log2, "Log2", 1.3, 0.01, 100.0),
    row(Op::Log10, "Log10", 1.4, 0.01, 100.0),
    row(Op::Log1p, "Log1p", 1.3, -0.9, 10.0),
    row(Op::Sin, "Sin", 1.05, -5.0, 5.0),
    row(Op::Cos, "Cos", 1.05, -5.0, 5.0),
    row(Op::Tan, "Tan", 1.3, -5.0, 5.0),
    row(Op::Asin, "Asin", 1.3, -1.0, 1.0),
    row(Op::Acos, "Acos", 1.3, -1.0, 1.0),
    row(Op::Atan, "Atan", 1.3, -5.0, 5.0),
    row(Op::Sinh, "Sinh", 1.3, -5.0, 5.0),
    row(Op::Cosh, "Cosh", 1.3, -5.0, 5.0),
    row(Op::Tanh, "Tanh", 0.9, -5.0, 5.0),
    row(Op::Asinh, "Asinh", 1.4, -5.0, 5.0),
    row(Op::Acosh, "Acosh", 1.4, 1.01, 50.0),
    row(Op::Atanh, "Atanh", 1.3, -0.99, 0.99),
    row(Op::Erf, "Erf", 0.75, -5.0, 5.0),
    row(Op::Erfc, "Erfc", 1.3, -5.0, 5.0),
    row(Op::Cbrt, "Cbrt", 0.9, -5.0, 5.0),
    row(Op::Rsqrt, "InvSqrt", 1.4, 0.01, 100.0),
    row(Op::Pow, "Pow", 1.4, 0.01, 5.0),
    row(Op::Atan2, "Atan2", 1.4, -5.0, 5.0),
    row(Op::Hypot, "Hypot", 1.3, -5.0, 5.0),
    row(Op::Sqrt, "Sqrt", 1.4, 0.01, 100.0),
];

/// Functions that VM does not have: the most nanoseconds per element on the best ISA, for `f32`.
const NOT_IN_VM: [(Op, f64); 8] = [
    (Op::Sigmoid, 0.5),
    (Op::Silu, 0.5),
    (Op::Gelu, 0.8),
    (Op::GeluTanh, 0.8),
    (Op::Softplus, 0.8),
    (Op::Mish, 0.8),
    (Op::Logit, f64::INFINITY),
    (Op::Selu, f64::INFINITY),
];

/// Largest ratio of our `f64` time to VM's.
const F64_BOUND: f64 = 1.3;
/// Largest ratio of a correctly rounded function's time to the fast one's.
const CORRECTLY_ROUNDED_BOUND: f64 = 4.0;
/// Largest ratio of a time on AVX2 to the time on AVX-512.
const AVX2_BOUND: f64 = 2.5;
/// The same for [`TABLE_FUNCTIONS`].
const AVX2_TABLE_BOUND: f64 = 4.0;
/// Functions that look up tables of 16 entries, for which AVX2 has no instruction.
const TABLE_FUNCTIONS: [(Op, DType); 8] = [
    (Op::Log2, DType::F32),
    (Op::Log10, DType::F32),
    (Op::Sinh, DType::F32),
    (Op::Tanh, DType::F32),
    (Op::Pow, DType::F32),
    (Op::Pow, DType::F64),
    (Op::Erf, DType::F64),
    (Op::Erfc, DType::F64),
];

/// An operator over contiguous arrays, bound for an ISA and an accuracy.
struct Case {
    plan: Plan,
    inputs: Vec<Array>,
    out: Array,
}

impl Case {
    fn new(row: &Row, dtype: DType, accuracy: Accuracy, isa: Isa) -> Case {
        let op = row.op;
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
            (0..op.arity()).map(|k| if k == 0 { fill(row.low, row.high) } else { fill(0.1, 5.0) }).collect();
        let program = Program::single_at(op, &vec![dtype; op.arity()], None, Broadcast::Numpy, accuracy);
        let layouts: Vec<_> = inputs.iter().map(Array::layout).collect();
        let plan = program.and_then(|program| program.bind_with(&layouts, &BindOptions::new().isa(isa)));
        Case { plan: plan.expect("a plan"), inputs, out: Array::zeros(dtype, [N]).expect("a small array") }
    }

    fn run(&mut self) {
        let views: smallvec::SmallVec<[_; 2]> = self.inputs.iter().map(Array::view).collect();
        let status = self.plan.run_with(&Serial, &views, &mut [self.out.view_mut()]);
        let _ = std::hint::black_box(status).expect("it runs");
    }

    /// Runs VM's function over the same arrays; returns whether the library has it.
    fn run_vm(&mut self, library: &Library, name: &str) -> bool {
        type Unary = unsafe extern "C" fn(i32, *const c_void, *mut c_void, i64);
        type Binary = unsafe extern "C" fn(i32, *const c_void, *const c_void, *mut c_void, i64);
        let letter = if self.out.dtype() == DType::F32 { 's' } else { 'd' };
        let symbol = format!("vm{letter}{name}\0");
        let out = self.out.bytes_mut().as_mut_ptr().cast();
        let at = |k: usize| self.inputs[k].bytes().as_ptr().cast::<c_void>();
        // SAFETY: functions with these names have this signature (oneMKL's mkl_vml_functions.h), and the arrays have N
        // elements of the dtype in the name.
        unsafe {
            if self.inputs.len() == 1 {
                let Ok(f) = library.get::<Unary>(symbol.as_bytes()) else { return false };
                f(N as i32, at(0), out, HA);
            } else {
                let Ok(f) = library.get::<Binary>(symbol.as_bytes()) else { return false };
                f(N as i32, at(0), at(1), out, HA);
            }
        }
        true
    }
}

/// Minimum nanoseconds per element of each function, timed in turn.
fn min_times(functions: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    const CALLS: usize = 4;
    let mut minima = vec![f64::INFINITY; functions.len()];
    for _ in 0..2 * PAIRS {
        for (function, minimum) in functions.iter_mut().zip(&mut minima) {
            *minimum = minimum.min(time(CALLS, &mut **function) / N as f64);
        }
    }
    minima
}

/// oneMKL, if `ELTWISE_MKL` names it.
fn load_vm() -> Option<Library> {
    let path = std::env::var_os("ELTWISE_MKL")?;
    // SAFETY: the process has one thread so far, and oneMKL is loaded after this.
    unsafe { std::env::set_var("MKL_THREADING_LAYER", "SEQUENTIAL") };
    // SAFETY: loading oneMKL runs its initialisers, which have no preconditions; the user vouches for the file.
    Some(unsafe { Library::new(path) }.expect("ELTWISE_MKL names oneMKL's libmkl_rt"))
}

/// Times one function over one dtype and prints its line. Returns the ratio to VM, if it is known, and the number of
/// figures that missed.
fn math_row(row: &Row, dtype: DType, narrow: Option<Isa>, library: Option<&Library>) -> (Option<f64>, usize) {
    let (op, best) = (row.op, Isa::current());
    let has_rounded = dtype == DType::F32 && op.info().is_math(dtype);
    let case = |accuracy, isa| Case::new(row, dtype, accuracy, isa);
    let mut fast = case(Accuracy::Fast, best);
    let mut on_narrow = case(Accuracy::Fast, narrow.unwrap_or(best));
    let mut rounded = case(if has_rounded { Accuracy::CorrectlyRounded } else { Accuracy::Fast }, best);
    let mut vm = case(Accuracy::Fast, best);
    let library = library.filter(|library| !row.vm_name.is_empty() && vm.run_vm(library, row.vm_name));
    let times = min_times(&mut [&mut || fast.run(), &mut || on_narrow.run(), &mut || rounded.run(), &mut || {
        if let Some(library) = library {
            vm.run_vm(library, row.vm_name);
        }
    }]);
    let column = |is_known: bool, time: f64| if is_known { format!(" {time:>7.3}") } else { format!(" {:>7}", "-") };
    let mut line = format!("{:<12} {:>5} {:>7.3}", op.name(), dtype.name(), times[0]);
    line +=
        &(column(narrow.is_some(), times[1]) + &column(has_rounded, times[2]) + &column(library.is_some(), times[3]));

    let mut missed = 0;
    let mut judge = |what: &str, ratio: f64, bound: f64| {
        missed += usize::from(ratio > bound);
        line += &format!("  {what} {ratio:.2} ({bound}) {}", verdict(ratio <= bound));
    };
    let over_vm = library.map(|_| times[0] / times[3]);
    if let Some(ratio) = over_vm {
        judge("VM", ratio, if dtype == DType::F32 { row.bound } else { F64_BOUND });
    }
    if narrow.is_some() {
        let bound = if TABLE_FUNCTIONS.contains(&(op, dtype)) { AVX2_TABLE_BOUND } else { AVX2_BOUND };
        judge("avx2", times[1] / times[0], bound);
    }
    if has_rounded {
        judge("exact", times[2] / times[0], CORRECTLY_ROUNDED_BOUND);
    }
    if let Some(&(_, most)) = NOT_IN_VM.iter().find(|other| other.0 == op).filter(|_| dtype == DType::F32) {
        judge("ns", times[0], most);
    }
    println!("{line}");
    (over_vm, missed)
}

/// One line per function and dtype, and the geometric mean of the ratios to VM.
pub(crate) fn math() -> usize {
    let library = load_vm();
    let best = Isa::current();
    let narrow = Isa::available().filter(|&isa| isa < best && isa.vector_bytes() == 32).last();
    println!(
        "{:<12} {:>5} {:>7} {:>7} {:>7} {:>7}  ratios, each with its bound",
        "function", "dtype", "ns", "avx2", "exact", "VM HA"
    );
    let not_in_vm = NOT_IN_VM.iter().map(|&(op, _)| match op {
        Op::Logit => row(op, "", f64::INFINITY, 0.01, 0.99),
        _ => row(op, "", f64::INFINITY, -4.0, 4.0),
    });
    let mut missed = 0;
    let mut ratios = Vec::new();
    for row in ROWS.into_iter().chain(not_in_vm) {
        for dtype in [DType::F32, DType::F64] {
            let (over_vm, missed_here) = math_row(&row, dtype, narrow, library.as_ref());
            ratios.extend(over_vm);
            missed += missed_here;
        }
    }
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        missed += usize::from(mean > 1.0);
        println!("over VM: geometric mean {mean:.2} (1.0) {}, median {:.2}", verdict(mean <= 1.0), median(ratios));
    }
    missed
}
