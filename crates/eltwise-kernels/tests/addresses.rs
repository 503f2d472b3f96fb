//! Blocks of a long function run in an order in which no load meets a store of the blocks just before it, where a CPU
//! compares the low 20 bits of addresses.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use std::cell::RefCell;
use std::sync::atomic::AtomicU32;

use eltwise_kernels::abi::INPUTS;
use eltwise_kernels::rows::{Body, Rows};
use eltwise_kernels::{Call, Operand};
use eltwise_simd::Token;

#[cfg(target_arch = "aarch64")]
use eltwise_simd::aarch64::Neon as Isa;
#[cfg(target_arch = "x86_64")]
use eltwise_simd::x86_64::Avx2 as Isa;

/// Elements of a block, and of an operand.
const BLOCK: usize = 8;
const LEN: usize = 1000;

/// A load (`false`) or a store of `len` elements at an address.
struct Access {
    is_store: bool,
    address: usize,
    len: usize,
}

thread_local! {
    static ACCESSES: RefCell<Vec<Access>> = const { RefCell::new(Vec::new()) };
}

/// x + 1, which records its accesses.
struct Recorded<const LONG: bool>;

impl<L: Token, const LONG: bool> Body<L> for Recorded<LONG> {
    const ARITY: usize = 2;
    const IN_BYTES: [usize; INPUTS] = [4; INPUTS];
    const OUT_BYTES: usize = 4;
    const BLOCK: usize = BLOCK;
    const IS_LONG: bool = LONG;
    type State = ();

    fn start(_: L) {}

    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], state: &mut ()) {
        // SAFETY: the caller's contract.
        unsafe { Self::tail(l, out, ins, BLOCK, state) }
    }

    unsafe fn tail(_: L, out: *mut u8, ins: [*const u8; INPUTS], n: usize, (): &mut ()) {
        let access = |is_store, address| Access { is_store, address, len: n };
        ACCESSES.with_borrow_mut(|all| {
            all.extend([access(false, ins[0].addr()), access(false, ins[1].addr()), access(true, out.addr())]);
        });
        for k in 0..n {
            // SAFETY: the pointers are valid for `n` elements.
            unsafe { out.cast::<f32>().add(k).write(ins[0].cast::<f32>().add(k).read() + 1.0) };
        }
    }
}

/// Runs `rows` rows, the output `ahead` bytes after the first input modulo 1 MiB and the second input `second` bytes.
/// Returns the number of loads that meet one of the four stores before them.
fn waits<const LONG: bool>(rows: usize, ahead: usize, second: usize) -> usize {
    let mut memory = vec![1.0f32; (3 << 20) / 4 + 2 * LEN];
    let x = memory.as_mut_ptr().cast::<u8>();
    let place = |mega: usize, bytes: usize| x.wrapping_add((mega << 20) + bytes);
    let cols = LEN / rows;
    let operand = |ptr, splat| Operand { ptr, row: (cols * 4) as isize, splat };
    let out = place(1, ahead);
    let ins = [operand(x, false), operand(place(2, second), second == 0), Operand::NONE, Operand::NONE];
    let flags = AtomicU32::new(0);
    let call = Call { rows, cols, out: operand(out, false), ins, flags: &flags };
    ACCESSES.with_borrow_mut(Vec::clear);
    // SAFETY: the CPU has the ISA, as the caller of `run` checks; the operands are in `memory` and do not overlap.
    unsafe { Isa::entry::<Rows<Recorded<LONG>>, Call>()(&call) };
    for k in 0..rows * cols {
        // SAFETY: in `memory`.
        assert_eq!(unsafe { out.cast::<f32>().add(k).read() }, 2.0, "element {k} of {rows} rows, {ahead} bytes ahead");
    }
    let range = x.addr()..x.addr() + memory.len() * 4;
    ACCESSES.with_borrow(|all| {
        let is_met = |(at, load): (usize, &Access)| {
            let stores = all[..at].iter().rev().filter(|access| access.is_store).take(4);
            let low = |address: usize| address % (1 << 20);
            let mut met = stores.filter(|store| {
                low(store.address) < low(load.address) + 4 * load.len
                    && low(load.address) < low(store.address) + 4 * store.len
            });
            // The copies of a splat are on the stack, anywhere.
            !load.is_store && range.contains(&load.address) && met.next().is_some()
        };
        all.iter().enumerate().filter(|&access| is_met(access)).count()
    })
}

fn is_available() -> bool {
    <Isa as Token>::ISA.is_available()
}

#[test]
fn no_load_of_a_long_function_meets_a_recent_store() {
    if !is_available() {
        println!("skipped: the CPU has no vectors");
        return;
    }
    for rows in [1, 4, 100] {
        for ahead in (4..=256).step_by(4) {
            assert_eq!(waits::<true>(rows, ahead, 0), 0, "{rows} rows, {ahead} bytes ahead");
        }
        // The second input collides.
        assert_eq!(waits::<true>(rows, 64 << 10, (64 << 10) - 64), 0, "{rows} rows, the second input");
    }
}

#[test]
fn the_recorder_sees_the_loads_that_wait() {
    if is_available() {
        assert!(waits::<false>(1, 64, 0) > 100);
    }
}
