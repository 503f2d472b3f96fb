//! Plain loops that copy any layout, for elements of any size, on any ISA: [`copy_loops`].

use super::Loop;

/// Copies between a nest of loops and dense memory: `dense` advances element by element, `nest` by the strides. `IN` copies
/// from the nest.
///
/// # Safety
/// The nest is readable (`IN`) or writable at every offset, the dense side the other way for all elements; they do not
/// overlap.
pub(super) unsafe fn copy_loops<T: Copy, const IN: bool>(dense: *mut u8, nest: *mut u8, loops: &[Loop]) {
    // SAFETY: every pointer formed is the place of an element of the nest or of the dense side.
    unsafe {
        match loops {
            [] => line::<T, IN>(dense, size_of::<T>() as isize, nest, 0, 1),
            [one] => line::<T, IN>(dense, size_of::<T>() as isize, nest, one.stride, one.size),
            [rows, cols] => plane::<T, IN>(dense, nest, *rows, *cols),
            [outer, inner @ ..] => {
                let bytes = inner.iter().map(|l| l.size).product::<usize>() * size_of::<T>();
                for i in 0..outer.size {
                    let at = nest.wrapping_offset((i as isize).wrapping_mul(outer.stride));
                    copy_loops::<T, IN>(dense.wrapping_add(i * bytes), at, inner);
                }
            }
        }
    }
}

/// Two loops; the one that is closer in the nest runs innermost.
///
/// # Safety
/// See [`copy_loops`].
unsafe fn plane<T: Copy, const IN: bool>(dense: *mut u8, nest: *mut u8, rows: Loop, cols: Loop) {
    let (down, along) = (rows.stride, cols.stride);
    let (rows, cols) = (rows.size, cols.size);
    let step = size_of::<T>() as isize;
    let pitch = cols as isize * step;
    // SAFETY: the caller's contract.
    unsafe {
        if down != 0 && down.unsigned_abs() < along.unsigned_abs() {
            for col in 0..cols as isize {
                let at = nest.wrapping_offset(col.wrapping_mul(along));
                line::<T, IN>(dense.wrapping_offset(col * step), pitch, at, down, rows);
            }
        } else {
            for row in 0..rows as isize {
                let at = nest.wrapping_offset(row.wrapping_mul(down));
                line::<T, IN>(dense.wrapping_offset(row * pitch), step, at, along, cols);
            }
        }
    }
}

/// One loop of `n` elements; both sides have a stride.
///
/// # Safety
/// See [`copy_loops`].
#[inline]
pub(super) unsafe fn line<T: Copy, const IN: bool>(
    dense: *mut u8,
    step: isize,
    nest: *mut u8,
    stride: isize,
    n: usize,
) {
    let (from, from_step, to, to_step) = if IN { (nest, stride, dense, step) } else { (dense, step, nest, stride) };
    let one = size_of::<T>() as isize;
    // SAFETY: the caller's contract; reads and writes need no alignment.
    unsafe {
        if to_step == one && from_step == one {
            core::ptr::copy_nonoverlapping(from.cast_const(), to, n * size_of::<T>());
        } else if to_step == one && from_step == 0 {
            let value = from.cast::<T>().read_unaligned();
            for i in 0..n {
                to.cast::<T>().add(i).write_unaligned(value);
            }
        } else if to_step == one && from_step == -one {
            for i in 0..n {
                to.cast::<T>().add(i).write_unaligned(from.cast::<T>().wrapping_sub(i).read_unaligned());
            }
        } else {
            let (mut from, mut to) = (from, to);
            for _ in 0..n {
                to.cast::<T>().write_unaligned(from.cast::<T>().read_unaligned());
                from = from.wrapping_offset(from_step);
                to = to.wrapping_offset(to_step);
            }
        }
    }
}
