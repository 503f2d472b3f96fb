//! Math functions over 16384 elements on one thread: time per element relative to the vector math (VM) functions of
//! Intel oneMKL in mode HA (within 1 ULP).
//!
//! `ELTWISE_MKL=/path/to/libmkl_rt.so` names the library (`pip install mkl`). Without it, only our times and the ratios
//! between our ISAs and accuracies have bounds.

use std::ffi::c_void;

use eltwise::{Accuracy, Array, BindOptions, Broadcast, DType, Isa, Op, Plan, Program, Serial};
use libloading::Library;

use crate::random::bits;
use crate::timing::{NOT_SLOWER, SAMPLES, median, min_ns_in_turn, verdict};

/// Elements per operand. Three operands of `f64` have 384 KiB, which fits the L2 cache.
const N: usize = 16384;

/// `VML_HA`: VM's high-accuracy mode (1 ULP).
const HA: i64 = 2;

/// A function of VM, and the largest ratio of our time to its time for `f32`.
#[derive(Clone, Copy)]
struct Vm {
    name: &'static str,
    bound: f64,
}

/// An operator to time.
#[derive(Clone, Copy)]
struct FunctionCase {
    op: Op,
    /// The same function of VM, if VM has it.
    vm: Option<Vm>,
    /// The range of the first operand, as (low, high). Further operands are from 0.1 to 5.
    range: (f64, f64),
    /// The largest number of nanoseconds per element on the best ISA, for `f32`. `None`: printed, without a bound.
    ns_bound: Option<f64>,
}

const fn in_vm(op: Op, name: &'static str, range: (f64, f64), bound: f64) -> FunctionCase {
    FunctionCase { op, vm: Some(Vm { name, bound }), range, ns_bound: None }
}

const fn not_in_vm(op: Op, range: (f64, f64), ns_bound: Option<f64>) -> FunctionCase {
    FunctionCase { op, vm: None, range, ns_bound }
}

const IN_VM: [FunctionCase; 28] = [
    in_vm(Op::Exp, "Exp", (-5.0, 5.0), NOT_SLOWER),
    in_vm(Op::Exp2, "Exp2", (-5.0, 5.0), NOT_SLOWER),
    in_vm(Op::Exp10, "Exp10", (-5.0, 5.0), 1.4),
    in_vm(Op::Expm1, "Expm1", (-5.0, 5.0), 1.3),
    in_vm(Op::Log, "Ln", (0.01, 100.0), NOT_SLOWER),
    in_vm(Op::Log2, "Log2", (0.01, 100.0), 1.3),
    in_vm(Op::Log10, "Log10", (0.01, 100.0), 1.4),
    in_vm(Op::Log1p, "Log1p", (-0.9, 10.0), 1.3),
    in_vm(Op::Sin, "Sin", (-5.0, 5.0), NOT_SLOWER),
    in_vm(Op::Cos, "Cos", (-5.0, 5.0), NOT_SLOWER),
    in_vm(Op::Tan, "Tan", (-5.0, 5.0), 1.3),
    in_vm(Op::Asin, "Asin", (-1.0, 1.0), 1.3),
    in_vm(Op::Acos, "Acos", (-1.0, 1.0), 1.3),
    in_vm(Op::Atan, "Atan", (-5.0, 5.0), 1.3),
    in_vm(Op::Sinh, "Sinh", (-5.0, 5.0), 1.3),
    in_vm(Op::Cosh, "Cosh", (-5.0, 5.0), 1.3),
    in_vm(Op::Tanh, "Tanh", (-5.0, 5.0), 0.9),
    in_vm(Op::Asinh, "Asinh", (-5.0, 5.0), 1.4),
    in_vm(Op::Acosh, "Acosh", (1.01, 50.0), 1.4),
    in_vm(Op::Atanh, "Atanh", (-0.99, 0.99), 1.3),
    in_vm(Op::Erf, "Erf", (-5.0, 5.0), 0.75),
    in_vm(Op::Erfc, "Erfc", (-5.0, 5.0), 1.3),
    in_vm(Op::Cbrt, "Cbrt", (-5.0, 5.0), 0.9),
    in_vm(Op::Rsqrt, "InvSqrt", (0.01, 100.0), 1.4),
    in_vm(Op::Pow, "Pow", (0.01, 5.0), 1.4),
    in_vm(Op::Atan2, "Atan2", (-5.0, 5.0), 1.4),
    in_vm(Op::Hypot, "Hypot", (-5.0, 5.0), 1.3),
    in_vm(Op::Sqrt, "Sqrt", (0.01, 100.0), 1.4),
];

const NOT_IN_VM: [FunctionCase; 8] = [
    not_in_vm(Op::Sigmoid, (-4.0, 4.0), Some(0.5)),
    not_in_vm(Op::Silu, (-4.0, 4.0), Some(0.5)),
    not_in_vm(Op::Gelu, (-4.0, 4.0), Some(0.8)),
    not_in_vm(Op::GeluTanh, (-4.0, 4.0), Some(0.8)),
    not_in_vm(Op::Softplus, (-4.0, 4.0), Some(0.8)),
    not_in_vm(Op::Mish, (-4.0, 4.0), Some(0.8)),
    not_in_vm(Op::Logit, (0.01, 0.99), None),
    not_in_vm(Op::Selu, (-4.0, 4.0), None),
];

/// Largest ratio of our `f64` time to VM's.
const F64_BOUND: f64 = 1.3;
/// Largest geometric mean of all ratios to VM.
const MEAN_BOUND: f64 = 1.0;
/// Largest ratio of a correctly rounded function's time to the fast one's. A function whose `f64` kernel plus rounding takes
/// longer has a correctly rounded kernel for `f32`, see "The catalogue" in docs/architecture.md.
const CORRECTLY_ROUNDED_BOUND: f64 = 4.0;
/// Largest ratio of a time on AVX2 to the time on the best ISA.
const AVX2_BOUND: f64 = 2.5;
/// Largest ratio of a time on AVX2 to the time on the best ISA, for [`AVX2_LOOKUP_FUNCTIONS`].
const AVX2_LOOKUP_BOUND: f64 = 4.0;
/// Functions whose table lookups dominate on AVX2, which has no permute of 16 entries. Others look up tables as well,
/// but stay within [`AVX2_BOUND`].
const AVX2_LOOKUP_FUNCTIONS: [(Op, DType); 8] = [
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
struct PreparedCase {
    plan: Plan,
    inputs: Vec<Array>,
    out: Array,
}

impl PreparedCase {
    fn new(case: &FunctionCase, dtype: DType, accuracy: Accuracy, isa: Isa) -> PreparedCase {
        let op = case.op;
        let mut state = 1u64;
        let mut fill = |low: f64, high: f64| {
            let mut array = Array::zeros(dtype, [N]).expect("a small array should fit memory");
            for element in array.bytes_mut().chunks_exact_mut(dtype.size()) {
                let x = low + (high - low) * ((bits(&mut state) >> 11) as f64 / (1u64 << 53) as f64);
                match dtype {
                    DType::F32 => element.copy_from_slice(&(x as f32).to_le_bytes()),
                    _ => element.copy_from_slice(&x.to_le_bytes()),
                }
            }
            array
        };
        let inputs: Vec<Array> =
            (0..op.arity()).map(|k| if k == 0 { fill(case.range.0, case.range.1) } else { fill(0.1, 5.0) }).collect();
        let program = Program::single_at(op, &vec![dtype; op.arity()], None, Broadcast::Numpy, accuracy);
        let layouts: Vec<_> = inputs.iter().map(Array::layout).collect();
        let plan = program.and_then(|program| program.bind_with(&layouts, &BindOptions::new().isa(isa)));
        let plan = plan.unwrap_or_else(|e| panic!("{op} of {dtype} on {isa}: {e}"));
        PreparedCase { plan, inputs, out: Array::zeros(dtype, [N]).expect("a small array should fit memory") }
    }

    fn run(&mut self) {
        let views: smallvec::SmallVec<[_; 2]> = self.inputs.iter().map(Array::view).collect();
        let status = self.plan.run_with(&Serial, &views, &mut [self.out.view_mut()]);
        let _ = std::hint::black_box(status).expect("a bound plan should run");
    }

    /// Runs VM's function over the same arrays. Panics if the library does not have it.
    fn run_vm(&mut self, library: &Library, name: &str) {
        type Unary = unsafe extern "C" fn(i32, *const c_void, *mut c_void, i64);
        type Binary = unsafe extern "C" fn(i32, *const c_void, *const c_void, *mut c_void, i64);
        let type_prefix = if self.out.dtype() == DType::F32 { 's' } else { 'd' };
        let symbol = format!("vm{type_prefix}{name}\0");
        let out = self.out.bytes_mut().as_mut_ptr().cast();
        let input = |k: usize| self.inputs[k].bytes().as_ptr().cast::<c_void>();
        let missing = |e: libloading::Error| -> ! { panic!("ELTWISE_MKL has no vm{type_prefix}{name}: {e}") };
        // SAFETY: functions with these names have this signature (oneMKL's mkl_vml_functions.h) in the LP64 interface,
        // which `load_vm` chooses, and the arrays have N elements of the dtype in the name.
        unsafe {
            if self.inputs.len() == 1 {
                let f = library.get::<Unary>(symbol.as_bytes()).unwrap_or_else(|e| missing(e));
                f(N as i32, input(0), out, HA);
            } else {
                let f = library.get::<Binary>(symbol.as_bytes()).unwrap_or_else(|e| missing(e));
                f(N as i32, input(0), input(1), out, HA);
            }
        }
    }
}

/// oneMKL, if `ELTWISE_MKL` names it.
fn load_vm() -> Option<Library> {
    let path = std::env::var_os("ELTWISE_MKL")?;
    // SAFETY: the process has one thread so far (see `GATES`), and oneMKL is loaded after this.
    unsafe {
        std::env::set_var("MKL_THREADING_LAYER", "SEQUENTIAL");
        std::env::set_var("MKL_INTERFACE_LAYER", "LP64");
    }
    // SAFETY: loading oneMKL runs its initialisers, which have no preconditions; the user vouches for the file.
    let library = unsafe { Library::new(&path) };
    Some(library.unwrap_or_else(|e| panic!("ELTWISE_MKL={}: cannot load oneMKL's libmkl_rt: {e}", path.display())))
}

/// Times one function over one dtype and prints its line. Returns the ratio to VM's time, if VM has the function, and
/// the number of missed bounds.
fn time_function(
    case: &FunctionCase,
    dtype: DType,
    avx2: Option<Isa>,
    library: Option<&Library>,
) -> (Option<f64>, usize) {
    let (op, best) = (case.op, Isa::current());
    let has_correctly_rounded = dtype == DType::F32 && op.info().is_math(dtype);
    let bind = |accuracy, isa| PreparedCase::new(case, dtype, accuracy, isa);
    let mut fast_case = bind(Accuracy::Fast, best);
    let mut avx2_case = avx2.map(|isa| bind(Accuracy::Fast, isa));
    let mut rounded_case = has_correctly_rounded.then(|| bind(Accuracy::CorrectlyRounded, best));
    let mut vm_case = bind(Accuracy::Fast, best);
    let vm = case.vm.zip(library);
    let mut run_vm = || {
        if let Some((vm, library)) = vm {
            vm_case.run_vm(library, vm.name);
        }
    };
    // A call takes microseconds, so 4 are enough for the clock. Twice the usual number of samples, for the minimum. The
    // times of cases that do not apply are not used.
    let times = min_ns_in_turn(
        2 * SAMPLES,
        4,
        [
            &mut || fast_case.run(),
            &mut || avx2_case.iter_mut().for_each(PreparedCase::run),
            &mut || rounded_case.iter_mut().for_each(PreparedCase::run),
            &mut run_vm,
        ],
    );
    let [fast, on_avx2, correctly_rounded, vm_time] = times.map(|ns| ns / N as f64);
    let column = |is_known: bool, time: f64| if is_known { format!(" {time:>7.3}") } else { format!(" {:>7}", "-") };
    let mut line = format!("{:<12} {:>5} {fast:>7.3}", op.name(), dtype.name());
    line += &column(avx2.is_some(), on_avx2);
    line += &column(has_correctly_rounded, correctly_rounded);
    line += &column(vm.is_some(), vm_time);

    let mut missed = 0;
    let mut judge = |what: &str, value: f64, bound: f64| {
        missed += usize::from(value > bound);
        line += &format!("  {what} {value:.2} ({bound}) {}", verdict(value <= bound));
    };
    let ratio_to_vm = vm.map(|(vm, _)| (fast / vm_time, if dtype == DType::F32 { vm.bound } else { F64_BOUND }));
    if let Some((ratio, bound)) = ratio_to_vm {
        judge("VM", ratio, bound);
    }
    if avx2.is_some() {
        let is_lookup = AVX2_LOOKUP_FUNCTIONS.contains(&(op, dtype));
        judge("avx2", on_avx2 / fast, if is_lookup { AVX2_LOOKUP_BOUND } else { AVX2_BOUND });
    }
    if has_correctly_rounded {
        judge("rounded", correctly_rounded / fast, CORRECTLY_ROUNDED_BOUND);
    }
    if dtype == DType::F32
        && let Some(bound) = case.ns_bound
    {
        judge("ns", fast, bound);
    }
    println!("{line}");
    (ratio_to_vm.map(|(ratio, _)| ratio), missed)
}

/// Prints one line per function and dtype, and the geometric mean of the ratios to VM. Returns the number of missed
/// bounds.
pub(crate) fn math() -> usize {
    let library = load_vm();
    let avx2 = Isa::available().find(|&isa| isa == Isa::Avx2 && isa < Isa::current());
    println!(
        "{:<12} {:>5} {:>7} {:>7} {:>7} {:>7}  ratios, each with its bound",
        "function", "dtype", "ns", "avx2", "rounded", "VM HA"
    );
    let mut missed = 0;
    let mut ratios = Vec::new();
    for case in IN_VM.iter().chain(&NOT_IN_VM) {
        for dtype in [DType::F32, DType::F64] {
            let (ratio_to_vm, missed_here) = time_function(case, dtype, avx2, library.as_ref());
            ratios.extend(ratio_to_vm);
            missed += missed_here;
        }
    }
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let ok = mean <= MEAN_BOUND;
        missed += usize::from(!ok);
        println!("over VM: geometric mean {mean:.2} ({MEAN_BOUND:.1}) {}, median {:.2}", verdict(ok), median(ratios));
    }
    missed
}
