//! Counts the allocations of each run, which must have none, and of parsing, binding and calls. Compares the result of
//! each run with the reference. Prints a JSON object of names and counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use eltwise::{DType, Program};
use eltwise_ir::plans::{self, NORMALISE};
use eltwise_ir::runs::{self, RUNS};

/// The system allocator with a counter.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[global_allocator]
static COUNTING: Counting = Counting;

// SAFETY: every method forwards its arguments to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `dealloc`; the memory is from the system allocator.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `realloc`; the memory is from the system allocator.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// The number of allocations of `f`.
fn count<T>(f: impl FnOnce() -> T) -> u64 {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let result = black_box(f());
    let after = ALLOCATIONS.load(Ordering::Relaxed);
    drop(result);
    after - before
}

fn main() {
    let mut counts: Vec<(String, u64)> = Vec::new();
    for (name, ..) in RUNS {
        let mut ready = runs::checked(name);
        counts.push((format!("run.{name}"), count(|| ready.run())));
    }
    for (name, make_case) in plans::BIND_CASES {
        let case = make_case();
        counts.push((format!("bind.{name}"), count(|| case.bind())));
    }
    let inputs = [("img", DType::U8), ("mean", DType::F32), ("std", DType::F32)];
    counts.push(("parse.normalise".into(), count(|| Program::parse(NORMALISE, &inputs))));
    let [x, y] = plans::arrays(16);
    counts.push(("call.add_16".into(), count(|| eltwise::add(&x, &y))));
    let lines: Vec<String> = counts.iter().map(|(name, count)| format!("  \"{name}\": {count}")).collect();
    println!("{{\n{}\n}}", lines.join(",\n"));
}
