//! Plans: overhead of a run, contiguous kernels relative to a plain loop, in-place runs relative to out-of-place ones.

use std::hint::black_box;
use std::sync::atomic::AtomicU32;

use eltwise::kernels::{Call, Operand, kernel};
use eltwise::{Array, BindOptions, DType, Isa, Plan, Program, RawView, Serial};

use crate::timing::{compare, median, samples_ns_per_call, verdict};

fn add_plan(dtype: DType, n: usize, isa: Isa) -> Plan {
    let program = Program::single(eltwise::Op::Add, &[dtype, dtype], None, eltwise::Broadcast::Numpy).unwrap();
    let layout = eltwise::Layout::contiguous(dtype, [n]).unwrap();
    program.bind_with(&[&layout, &layout], &BindOptions::new().isa(isa)).unwrap()
}

/// A run on one thread takes at most 15 ns for 16 f32 elements.
pub(crate) fn overhead() -> usize {
    let a = Array::from_slice(&[1.5f32; 16], [16]).unwrap();
    let b = Array::from_slice(&[2.0f32; 16], [16]).unwrap();
    let mut missed = 0;
    for isa in Isa::available() {
        let plan = add_plan(DType::F32, 16, isa);
        let mut out = Array::zeros(DType::F32, [16]).unwrap();
        let (inputs, mut outputs) = ([a.view(), b.view()], [out.view_mut()]);
        assert!(!plan.run(&inputs, &mut outputs).unwrap().zero_division());
        let ns = median(samples_ns_per_call(20_000, || {
            // `black_box` on the `Result` would copy the bytes of the error variant.
            let _ = black_box(plan.run(black_box(&inputs), black_box(&mut outputs)).unwrap());
        }));
        let ok = ns <= 15.0 || isa == Isa::Scalar;
        missed += usize::from(!ok);
        println!("overhead    {isa:10} run of 16 f32: {ns:6.1} ns (bound 15)  {}", verdict(ok));
        drop(outputs);
        assert_eq!(out.as_slice::<f32>().unwrap(), [3.5; 16]);
    }
    missed
}

/// A plain loop over slices, compiled for each ISA.
mod plain {
    #[inline(always)]
    fn add(out: &mut [f32], a: &[f32], b: &[f32]) {
        for ((o, x), y) in out.iter_mut().zip(a).zip(b) {
            *o = x + y;
        }
    }
    pub(super) fn scalar(out: &mut [f32], a: &[f32], b: &[f32]) {
        add(out, a, b);
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn avx2(out: &mut [f32], a: &[f32], b: &[f32]) {
        add(out, a, b);
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn avx512(out: &mut [f32], a: &[f32], b: &[f32]) {
        add(out, a, b);
    }
}

/// The kernel of contiguous f32 add in L1 is within 10 % of a plain `#[target_feature]` slice loop, on every ISA. Also
/// prints the time of a whole run with its checks, which has no bound.
pub(crate) fn contiguous() -> usize {
    let n = 3584;
    let a = Array::from_slice(&(0..n).map(|i| i as f32).collect::<Vec<_>>(), [n]).unwrap();
    let b = Array::from_slice(&(0..n).map(|i| 0.5 * i as f32).collect::<Vec<_>>(), [n]).unwrap();
    let (x, y) = (a.as_slice::<f32>().unwrap(), b.as_slice::<f32>().unwrap());
    let mut missed = 0;
    for isa in Isa::available() {
        let mut ours = Array::zeros(DType::F32, [n]).unwrap();
        let mut theirs = Array::zeros(DType::F32, [n]).unwrap();
        let kernel = kernel(eltwise::Op::Add, DType::F32, DType::F32, isa).unwrap().kernel;
        let flags = AtomicU32::new(0);
        let operand = |ptr: *const f32| Operand { ptr: ptr.cast_mut().cast(), row: 0, splat: false };
        let call = Call {
            rows: 1,
            cols: n,
            out: operand(ours.as_mut_slice::<f32>().unwrap().as_ptr()),
            ins: [operand(x.as_ptr()), operand(y.as_ptr()), Operand::NONE, Operand::NONE],
            flags: &flags,
        };
        let z = theirs.as_mut_slice::<f32>().unwrap();
        let mut plain = || match isa {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `isa` is available, so the CPU has the features.
            Isa::Avx2 => unsafe { plain::avx2(black_box(z), black_box(x), black_box(y)) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `isa` is available, so the CPU has the features.
            Isa::Avx512 | Isa::Avx512Fp16 => unsafe { plain::avx512(black_box(z), black_box(x), black_box(y)) },
            _ => plain::scalar(black_box(z), black_box(x), black_box(y)),
        };
        // SAFETY: `isa` is available, and the operands have n elements.
        let of_kernel = compare(2000, || unsafe { kernel(black_box(&call)) }, &mut plain);
        assert_eq!(ours.as_slice::<f32>().unwrap()[7], 10.5);
        let plan = add_plan(DType::F32, n, isa);
        let inputs = [a.view(), b.view()];
        let mut outputs = [ours.view_mut()];
        let of_run = compare(
            2000,
            || {
                let _ = black_box(plan.run(black_box(&inputs), black_box(&mut outputs)));
            },
            &mut plain,
        );
        drop(outputs);
        assert_eq!(ours.as_slice::<f32>().unwrap(), theirs.as_slice::<f32>().unwrap());
        let ok = of_kernel.ratio <= 1.10;
        missed += usize::from(!ok);
        println!(
            "contiguous  {isa:10} f32 add, {n} elements: kernel {:6.1} ns, plain loop {:6.1} ns, ratio {:.3} (bound 1.10)  {}; run of a plan {:6.1} ns",
            of_kernel.ours,
            of_kernel.baseline,
            of_kernel.ratio,
            verdict(ok),
            of_run.ours
        );
    }
    missed
}

/// In-place runs within 5 % of out-of-place runs, at 1 Ki, 16 Ki and 1 Mi elements of f32, f64, u8 and f16, on every
/// ISA.
pub(crate) fn in_place() -> usize {
    let mut missed = 0;
    for isa in Isa::available() {
        for dtype in [DType::F32, DType::F64, DType::U8, DType::F16] {
            for n in [1 << 10, 16 << 10, 1 << 20] {
                let plan = add_plan(dtype, n, isa);
                // Operands in one block, staggered by a page and some lines, to avoid 4 KiB aliasing.
                let bytes = n * dtype.size();
                let pitch = bytes.next_multiple_of(4096) + 4096 + 1024;
                let mut memory = Array::zeros(DType::U8, [4 * pitch + 4096]).unwrap();
                let base = memory.bytes_mut().as_mut_ptr();
                let at =
                    |i: usize| RawView { ptr: base.wrapping_add(i * pitch), layout: plan.output_layouts()[0].clone() };
                let (a, b, out) = (at(0), at(1), at(2));
                let calls = (1 << 20) / n;
                let into = [out];
                let (inputs, in_place) = ([a.clone(), b.clone()], [a.clone()]);
                let run = |outputs: &[RawView]| {
                    // SAFETY: the operands are in `memory`; the output is disjoint from the inputs or equal to the
                    // first.
                    unsafe { plan.run_raw(&Serial, black_box(&inputs), black_box(outputs)) }.unwrap()
                };
                let times = compare(
                    calls.clamp(4, 512),
                    || {
                        let _ = black_box(run(&in_place));
                    },
                    || {
                        let _ = black_box(run(&into));
                    },
                );
                let ok = times.ratio <= 1.05;
                missed += usize::from(!ok);
                println!(
                    "in place    {isa:10} {dtype:4} {n:8} elements: {:9.1} ns, out of place {:9.1} ns, ratio {:.3} (bound 1.05)  {}",
                    times.ours,
                    times.baseline,
                    times.ratio,
                    verdict(ok)
                );
            }
        }
    }
    missed
}
