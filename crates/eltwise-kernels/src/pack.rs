//! Pack and unpack: any layout to a dense tile and back, by element size only.
//!
//! The sizes and strides are those of the loops inside a tile, outermost first; the dense side is in C order. Strides
//! of 0 repeat (packing only), negative ones run backwards.

/// Copies the elements of a nest into dense memory.
///
/// # Safety
/// `from` is readable at every offset of the nest for `size` bytes, `to` writable for all elements; they do not
/// overlap. `size` is 1, 2, 4, 8 or 16; `sizes` and `strides` have one length.
pub unsafe fn pack(size: usize, to: *mut u8, from: *const u8, sizes: &[usize], strides: &[isize]) {
    // SAFETY: the caller's contract, for the integer of that size.
    unsafe {
        match size {
            1 => walk::<u8, true>(to, from.cast_mut(), sizes, strides),
            2 => walk::<u16, true>(to, from.cast_mut(), sizes, strides),
            4 => walk::<u32, true>(to, from.cast_mut(), sizes, strides),
            8 => walk::<u64, true>(to, from.cast_mut(), sizes, strides),
            _ => walk::<u128, true>(to, from.cast_mut(), sizes, strides),
        }
    }
}

/// Copies dense elements to the places of a nest.
///
/// # Safety
/// As [`pack`] with the roles exchanged: `to` is writable at every offset of the nest, `from` readable. No two offsets
/// of the nest overlap.
pub unsafe fn unpack(size: usize, to: *mut u8, from: *const u8, sizes: &[usize], strides: &[isize]) {
    // SAFETY: the caller's contract, for the integer of that size.
    unsafe {
        match size {
            1 => walk::<u8, false>(from.cast_mut(), to, sizes, strides),
            2 => walk::<u16, false>(from.cast_mut(), to, sizes, strides),
            4 => walk::<u32, false>(from.cast_mut(), to, sizes, strides),
            8 => walk::<u64, false>(from.cast_mut(), to, sizes, strides),
            _ => walk::<u128, false>(from.cast_mut(), to, sizes, strides),
        }
    }
}

/// Walks the nest: `dense` advances element by element, `nest` by the strides. `IN` copies from the nest.
///
/// # Safety
/// See [`pack`] and [`unpack`].
unsafe fn walk<T: Copy, const IN: bool>(dense: *mut u8, nest: *mut u8, sizes: &[usize], strides: &[isize]) {
    // SAFETY: every pointer formed is the place of an element of the nest or of the dense side.
    unsafe {
        match (sizes, strides) {
            ([], _) => line::<T, IN>(dense, size_of::<T>() as isize, nest, 0, 1),
            ([n], [stride]) => line::<T, IN>(dense, size_of::<T>() as isize, nest, *stride, *n),
            ([rows, cols], [down, along]) => plane::<T, IN>(dense, nest, (*rows, *cols), (*down, *along)),
            ([n, inner @ ..], [stride, steps @ ..]) => {
                let bytes = inner.iter().product::<usize>() * size_of::<T>();
                for i in 0..*n {
                    let at = nest.wrapping_offset((i as isize).wrapping_mul(*stride));
                    walk::<T, IN>(dense.wrapping_add(i * bytes), at, inner, steps);
                }
            }
            _ => {}
        }
    }
}

/// Two loops; the one that is closer in the nest runs innermost.
///
/// # Safety
/// See [`walk`].
unsafe fn plane<T: Copy, const IN: bool>(
    dense: *mut u8,
    nest: *mut u8,
    (rows, cols): (usize, usize),
    (down, along): (isize, isize),
) {
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
/// See [`walk`].
#[inline]
unsafe fn line<T: Copy, const IN: bool>(dense: *mut u8, step: isize, nest: *mut u8, stride: isize, n: usize) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpack_undoes_pack_for_every_size_and_sign() {
        let sizes = [3usize, 2, 5, 4];
        for size in [1usize, 2, 4, 8, 16] {
            let s = size as isize;
            for strides in [[1, 60, 3, 15], [-1, 60, -3, 15], [120, 60, 12, 3], [40, -20, -4, 1]] {
                let strides = strides.map(|x: isize| x * s);
                let (mut low, mut high) = (0isize, 0isize);
                for (&n, &t) in sizes.iter().zip(&strides) {
                    let reach = (n as isize - 1) * t;
                    if reach < 0 { low += reach } else { high += reach }
                }
                let bytes = (high - low + s) as usize;
                let source: Vec<u8> = (0..bytes).map(|i| (i * 7 + i / 251) as u8).collect();
                let origin = source.as_ptr().wrapping_offset(-low);
                let mut dense = vec![0u8; 120 * size];
                // SAFETY: the buffers cover the nest and the dense elements.
                unsafe { pack(size, dense.as_mut_ptr(), origin, &sizes, &strides) };
                for (e, chunk) in dense.chunks(size).enumerate() {
                    let index = [e / 40, e / 20 % 2, e / 4 % 5, e % 4];
                    let at: isize = index.iter().zip(&strides).map(|(&i, &t)| i as isize * t).sum();
                    assert_eq!(chunk, &source[(at - low) as usize..][..size], "{size} {strides:?} {index:?}");
                }
                let mut back = source.clone();
                back.iter_mut().for_each(|b| *b = !*b);
                let target = back.as_mut_ptr().wrapping_offset(-low);
                // SAFETY: as above.
                unsafe { unpack(size, target, dense.as_ptr(), &sizes, &strides) };
                for e in 0..120 {
                    let index = [e / 40, e / 20 % 2, e / 4 % 5, e % 4];
                    let at: isize = index.iter().zip(&strides).map(|(&i, &t)| i as isize * t).sum();
                    let at = (at - low) as usize;
                    assert_eq!(back[at..at + size], source[at..at + size]);
                }
            }
        }
    }
}
