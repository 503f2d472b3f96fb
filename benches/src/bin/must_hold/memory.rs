//! Operands of kernels, and kernels over them.

use std::hint::black_box;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use eltwise::kernels::{Call, Kernel, Operand, kernel};
use eltwise::{Array, DType, Isa, Op};
use eltwise_reference::{Value, apply};

/// Elements in memory that stays for good.
#[derive(Clone, Copy)]
pub(crate) struct Elements {
    pub(crate) dtype: DType,
    pub(crate) count: usize,
    ptr: *mut u8,
}

impl Elements {
    /// Zeros. Blocks begin on cache lines, apart by pages and some lines, so that nothing aliases by accident.
    pub(crate) fn zeros(dtype: DType, count: usize) -> Elements {
        static BLOCKS: AtomicUsize = AtomicUsize::new(0);
        let stagger = BLOCKS.fetch_add(1, Ordering::Relaxed) % 4 * 1024;
        let memory = Array::zeros(DType::U8, [count * dtype.size() + 8192]).expect("it is small");
        let bytes = Box::leak(Box::new(memory)).bytes_mut();
        let start = bytes.as_ptr().align_offset(4096) + stagger;
        Elements { dtype, count, ptr: bytes[start..].as_mut_ptr() }
    }

    /// The numbers, each as the dtype's nearest.
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

    /// Numbers from 1 to 100: in every dtype, and no overflow of a sum.
    pub(crate) fn small(dtype: DType, count: usize, seed: usize) -> Elements {
        let top = if dtype == DType::Bool { 2 } else { 50 };
        Elements::numbers(
            dtype,
            (0..count).map(|i| ((i * 37 + seed * 11 + i / 64) % top + usize::from(top > 2)) as f64),
        )
    }

    #[allow(clippy::mut_from_ref, reason = "the program has one thread and knows what it writes")]
    pub(crate) fn bytes_mut(&self) -> &'static mut [u8] {
        // SAFETY: the block has the bytes and stays for good.
        unsafe { std::slice::from_raw_parts_mut(self.ptr, self.count * self.dtype.size()) }
    }

    /// The elements as numbers of Rust's type of their size.
    #[allow(clippy::mut_from_ref, reason = "as above")]
    pub(crate) fn slice<T>(&self) -> &'static mut [T] {
        assert_eq!(size_of::<T>(), self.dtype.size());
        // SAFETY: the block has as many elements, aligned to a cache line; callers name number types, of which every pattern is one.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.cast::<T>(), self.count) }
    }

    fn get(&self, i: usize) -> Value {
        Value::read(self.dtype, &self.bytes_mut()[i * self.dtype.size()..])
    }
}

/// A kernel and its operands; one with a single element is a splat.
pub(crate) struct Run {
    op: Op,
    pub(crate) out: Elements,
    ins: Vec<Elements>,
    kernel: Kernel,
    flags: AtomicU32,
}

impl Run {
    /// Runs once and compares sampled elements with the oracle; `None` where the level has no kernel of its own.
    pub(crate) fn new(op: Op, isa: Isa, out: Elements, ins: &[Elements]) -> Option<Run> {
        let from = ins[ins.len() - 1].dtype;
        let entry = kernel(op, from, out.dtype, isa).expect("the kernel is built");
        if entry.owner != isa {
            return None;
        }
        let run = Run { op, out, ins: ins.into(), kernel: entry.kernel, flags: AtomicU32::new(0) };
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
            outs: [Operand { ptr: self.out.ptr, row: 0, splat: false }, Operand::NONE],
            ins: [Operand::NONE; 4],
            params: std::ptr::null(),
            flags: &raw const self.flags,
        };
        for (into, x) in call.ins.iter_mut().zip(&self.ins) {
            *into = Operand { ptr: x.ptr, row: 0, splat: x.count == 1 };
        }
        // SAFETY: the level is available, and the operands have the elements.
        unsafe { (self.kernel)(black_box(&call)) };
    }

    /// An operand.
    pub(crate) fn input(&self, i: usize) -> Elements {
        self.ins[i]
    }

    /// Bytes of all operands.
    pub(crate) fn bytes(&self) -> usize {
        self.ins.iter().chain([&self.out]).map(|x| x.count * x.dtype.size()).sum()
    }

    /// Calls that take some 20 us at a nanosecond an element.
    pub(crate) fn calls(&self) -> usize {
        20_000 / self.out.count + 2
    }

    pub(crate) fn name(&self) -> String {
        let dtypes: Vec<&str> = self.ins.iter().map(|x| x.dtype.name()).collect();
        format!("{} {} -> {}", self.op, dtypes.join(" "), self.out.dtype)
    }
}
