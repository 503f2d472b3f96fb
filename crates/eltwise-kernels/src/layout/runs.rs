//! Runs of contiguous elements, copied one after the other, and runs that one element fills.

use core::marker::PhantomData;

use eltwise_core::tables::{CopyTable, CopyWay, Place, Runs, Tables};
use eltwise_simd::{Entry, Token};

use super::{CopyCall, CopyKernel};

/// The kernel of runs and fills.
pub(super) fn kernel<L: Token>(table: &CopyTable) -> CopyKernel {
    match (table.way, table.size) {
        (CopyWay::Fills(_), 1) => L::entry::<Filled<u8>, CopyCall>(),
        (CopyWay::Fills(_), 2) => L::entry::<Filled<u16>, CopyCall>(),
        (CopyWay::Fills(_), 4) => L::entry::<Filled<u32>, CopyCall>(),
        (CopyWay::Fills(_), 8) => L::entry::<Filled<u64>, CopyCall>(),
        (CopyWay::Fills(_), _) => L::entry::<Filled<u128>, CopyCall>(),
        _ => L::entry::<Copied, CopyCall>(),
    }
}

/// Copies runs.
struct Copied;

/// Fills runs with an element of type `T`.
struct Filled<T>(PhantomData<T>);

/// Calls a function with the first byte of the source and of the destination of every run.
#[inline(always)]
fn for_each(call: &CopyCall, runs: &Runs, tables: &Tables, mut run: impl FnMut(*const u8, *mut u8)) {
    let at = |(from, to): (*const u8, *mut u8), place: Place| {
        (from.wrapping_offset(place[0] as isize), to.wrapping_offset(place[1] as isize))
    };
    let inner = tables.get::<Place>(runs.inner);
    for &outer in tables.get::<Place>(runs.outer) {
        let mut place = at((call.from, call.to), outer);
        if let &[first] = inner {
            place = at(place, first);
            for _ in 0..runs.count {
                run(place.0, place.1);
                place = at(place, runs.step);
            }
            continue;
        }
        for _ in 0..runs.count {
            for &inner in inner {
                let (from, to) = at(place, inner);
                run(from, to);
            }
            place = at(place, runs.step);
        }
    }
}

impl<L: Token> Entry<L, CopyCall> for Copied {
    #[inline(always)]
    unsafe fn run(_: L, call: &CopyCall) {
        // SAFETY: the caller's contract: the table and its lists are valid, and all runs are readable and writable.
        unsafe {
            let CopyWay::Runs(runs) = &(*call.table).way else { return };
            let (tables, n) = (&*call.tables, runs.bytes);
            match n {
                1 => for_each(call, runs, tables, |from, to| copy_one::<u8>(from, to)),
                2 => for_each(call, runs, tables, |from, to| copy_one::<u16>(from, to)),
                4 => for_each(call, runs, tables, |from, to| copy_one::<u32>(from, to)),
                8 => for_each(call, runs, tables, |from, to| copy_one::<u64>(from, to)),
                16 => for_each(call, runs, tables, |from, to| copy_one::<u128>(from, to)),
                32 => for_each(call, runs, tables, |from, to| copy_one::<[u128; 2]>(from, to)),
                64 => for_each(call, runs, tables, |from, to| copy_one::<[u128; 4]>(from, to)),
                3 => for_each(call, runs, tables, |from, to| copy_two::<u16>(from, to, n)),
                5..8 => for_each(call, runs, tables, |from, to| copy_two::<u32>(from, to, n)),
                9..16 => for_each(call, runs, tables, |from, to| copy_two::<u64>(from, to, n)),
                17..32 => for_each(call, runs, tables, |from, to| copy_two::<u128>(from, to, n)),
                33..64 => for_each(call, runs, tables, |from, to| copy_two::<[u128; 2]>(from, to, n)),
                65..1024 => for_each(call, runs, tables, |from, to| copy_long(from, to, n)),
                _ => for_each(call, runs, tables, |from, to| core::ptr::copy_nonoverlapping(from, to, n)),
            }
        }
    }
}

/// Copies a run of `size_of::<T>()` bytes.
///
/// # Safety
/// The run is readable and writable.
#[inline(always)]
unsafe fn copy_one<T: Copy>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's contract.
    unsafe { to.cast::<T>().write_unaligned(from.cast::<T>().read_unaligned()) };
}

/// Copies a run of `n` bytes as two parts, which overlap.
///
/// # Safety
/// The run is readable and writable; `n` is from `size_of::<T>()` to twice that.
#[inline(always)]
unsafe fn copy_two<T: Copy>(from: *const u8, to: *mut u8, n: usize) {
    let last = n - size_of::<T>();
    // SAFETY: both parts are in the run.
    unsafe {
        let parts = (from.cast::<T>().read_unaligned(), from.add(last).cast::<T>().read_unaligned());
        to.cast::<T>().write_unaligned(parts.0);
        to.add(last).cast::<T>().write_unaligned(parts.1);
    }
}

/// Copies a run of `n` bytes, 64 and more.
///
/// # Safety
/// The run is readable and writable.
#[inline(always)]
unsafe fn copy_long(from: *const u8, to: *mut u8, n: usize) {
    // SAFETY: all parts are in the run.
    unsafe {
        for at in (0..n - 64).step_by(64) {
            copy_one::<[u128; 4]>(from.add(at), to.add(at));
        }
        copy_one::<[u128; 4]>(from.add(n - 64), to.add(n - 64));
    }
}

impl<L: Token, T: Copy> Entry<L, CopyCall> for Filled<T> {
    #[inline(always)]
    unsafe fn run(_: L, call: &CopyCall) {
        // SAFETY: the caller's contract: the table and its lists are valid, and all runs are writable. Runs are whole elements.
        unsafe {
            let CopyWay::Fills(runs) = &(*call.table).way else { return };
            let (tables, n) = (&*call.tables, runs.bytes);
            for_each(call, runs, tables, |from, to| fill(from.cast::<T>().read_unaligned(), to, n));
        }
    }
}

/// Fills `n` bytes with an element.
///
/// # Safety
/// They are writable, and whole elements.
#[inline(always)]
unsafe fn fill<T: Copy>(element: T, to: *mut u8, n: usize) {
    // SAFETY: the pattern has 32 bytes and more. All parts are in the run, and begin on an element of it.
    unsafe {
        if n < 4 {
            (0..n / size_of::<T>()).for_each(|i| to.cast::<T>().add(i).write_unaligned(element));
            return;
        }
        let pattern = [element; 32];
        let pattern = (&raw const pattern).cast::<[u128; 2]>().read_unaligned();
        let pattern = (&raw const pattern).cast::<u8>();
        match n {
            0..8 => fill_two::<u32>(pattern, to, n),
            8..16 => fill_two::<u64>(pattern, to, n),
            16..32 => fill_two::<u128>(pattern, to, n),
            _ => {
                for at in (0..n - 32).step_by(32) {
                    copy_one::<[u128; 2]>(pattern, to.add(at));
                }
                copy_one::<[u128; 2]>(pattern, to.add(n - 32));
            }
        }
    }
}

/// Fills a run of `n` bytes by two parts, which overlap.
///
/// # Safety
/// `pattern` is readable for a part; the run is writable; `n` is from `size_of::<T>()` to twice that.
#[inline(always)]
unsafe fn fill_two<T: Copy>(pattern: *const u8, to: *mut u8, n: usize) {
    // SAFETY: both parts are in the run.
    unsafe {
        copy_one::<T>(pattern, to);
        copy_one::<T>(pattern, to.add(n - size_of::<T>()));
    }
}
