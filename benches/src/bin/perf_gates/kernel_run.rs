//! Kernels without a plan: [`Elements`] in memory, and a [`KernelRun`] that calls a kernel over them.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use eltwise::kernels::{Call, Kernel, Operand, kernel};
use eltwise::{Array, DType, Isa, Op};
use eltwise_reference::{Value, apply};

/// Elements in memory that is never freed.
#[derive(Clone, Copy)]
pub(crate) struct Elements {
    pub(crate) dtype: DType,
    pub(crate) count: usize,
    ptr: *mut u8,
}

impl Elements {
    /// Zeros. Blocks start on cache lines, staggered within their page, to avoid 4 KiB aliasing between operands.
    pub(crate) fn zeros(dtype: DType, count: usize) -> Elements {
        static BLOCKS: AtomicUsize = AtomicUsize::new(0);
        let stagger = BLOCKS.fetch_add(1, Ordering::Relaxed) % 4 * 1024;
        let memory = Array::zeros(DType::U8, [count * dtype.size() + 8192]).expect("a small array should fit memory");
        let bytes = Box::leak(Box::new(memory)).bytes_mut();
        let start = bytes.as_ptr().align_offset(4096) + stagger;
        Elements { dtype, count, ptr: bytes[start..].as_mut_ptr() }
    }

    /// The numbers, rounded to the dtype.
    pub(crate) fn numbers(dtype: DType, numbers: impl ExactSizeIterator<Item = f64>) -> Elements {
        let new = Elements::zeros(dtype, numbers.len());
        let mut bytes = Vec::new();
        for number in numbers {
            let value = match dtype {
                d if d.is_float() => Value::from_f64(d, number),
                d => Value::from_i128(d, number as i128),
            };
            value.write(&mut bytes);
        }
        new.bytes_mut().copy_from_slice(&bytes);
        new
    }

    /// Numbers from 1 to 50, or 0 and 1 for `bool`: every dtype has them, and their sums do not overflow.
    pub(crate) fn small(dtype: DType, count: usize, seed: usize) -> Elements {
        let top = if dtype == DType::Bool { 2 } else { 50 };
        Elements::numbers(
            dtype,
            (0..count).map(|i| ((i * 37 + seed * 11 + i / 64) % top + usize::from(top > 2)) as f64),
        )
    }

    #[allow(
        clippy::mut_from_ref,
        reason = "the program has one thread, which never uses two slices of a block at once"
    )]
    pub(crate) fn bytes_mut(&self) -> &'static mut [u8] {
        // SAFETY: the block has these bytes and is never freed.
        unsafe { std::slice::from_raw_parts_mut(self.ptr, self.count * self.dtype.size()) }
    }

    /// The elements as a Rust type of the dtype's size.
    #[allow(
        clippy::mut_from_ref,
        reason = "the program has one thread, which never uses two slices of a block at once"
    )]
    pub(crate) fn slice<T>(&self) -> &'static mut [T] {
        assert_eq!(size_of::<T>(), self.dtype.size());
        // SAFETY: the block has `count` elements of this size, aligned to a cache line, and is never freed; callers
        // pass number types, for which every bit pattern is valid.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.cast::<T>(), self.count) }
    }

    fn get(&self, i: usize) -> Value {
        Value::read(self.dtype, &self.bytes_mut()[i * self.dtype.size()..])
    }
}

/// A kernel and its operands. An input of one element is a splat.
pub(crate) struct KernelRun {
    op: Op,
    pub(crate) out: Elements,
    ins: Vec<Elements>,
    kernel: Kernel,
    flags: AtomicU32,
}

impl KernelRun {
    /// Runs once and compares sampled elements with the reference. `None` if the ISA uses the kernel of a lower one.
    pub(crate) fn new(op: Op, isa: Isa, out: Elements, ins: &[Elements]) -> Option<KernelRun> {
        let from = ins[ins.len() - 1].dtype;
        let entry = kernel(op, from, out.dtype, isa).expect("the build should have the kernel");
        if entry.owner != isa {
            return None;
        }
        let run = KernelRun { op, out, ins: ins.into(), kernel: entry.kernel, flags: AtomicU32::new(0) };
        run.call();
        for i in (0..out.count).step_by(out.count / 61 + 1) {
            let args: Vec<Value> = ins.iter().map(|x| x.get(i % x.count)).collect();
            let expected = apply(op, &args, Some(out.dtype));
            let got = out.get(i);
            assert!(got == expected, "{op} {isa} {args:?}: {got:?} is not {expected:?}");
        }
        Some(run)
    }

    /// Runs the kernel.
    pub(crate) fn call(&self) {
        let mut call = Call {
            rows: 1,
            cols: self.out.count,
            out: Operand { ptr: self.out.ptr, row: 0, splat: false },
            ins: [Operand::NONE; 4],
            flags: &raw const self.flags,
        };
        for (into, x) in call.ins.iter_mut().zip(&self.ins) {
            *into = Operand { ptr: x.ptr, row: 0, splat: x.count == 1 };
        }
        // SAFETY: the CPU has the kernel's ISA, and the operands have `cols` elements, or one if they are splats.
        unsafe { (self.kernel)(black_box(&call)) };
    }

    pub(crate) fn input(&self, i: usize) -> Elements {
        self.ins[i]
    }

    /// Bytes of all operands.
    pub(crate) fn bytes(&self) -> usize {
        self.ins.iter().chain([&self.out]).map(|x| x.count * x.dtype.size()).sum()
    }

    /// Calls that take about 20 us at 1 ns per element.
    pub(crate) fn calls(&self) -> usize {
        20_000 / self.out.count + 2
    }

    pub(crate) fn name(&self) -> String {
        let dtypes: Vec<&str> = self.ins.iter().map(|x| x.dtype.name()).collect();
        format!("{} {} -> {}", self.op, dtypes.join(" "), self.out.dtype)
    }
}
