//! Loads and stores of the first `n` bytes of a vector on AVX2, which has no masked loads or stores of elements smaller than 4
//! bytes. A masked store of larger ones (`vpmaskmovd`, 32 bytes) takes 42 micro-operations on Zen 3.
//!
//! The bytes are read as two overlapping words and combined in registers. (A copy to a block on the stack would stall:
//! a vector load cannot be forwarded from two smaller stores, and waits until both have left the store buffer, about 60
//! cycles for a row of two operands on Zen 4.) [`load_n_u128`] is not inlined, because every kernel has it in its tail.

use core::arch::x86_64::*;

/// Loads `n <= 16` bytes; the others are zero.
///
/// # Safety
/// `p` is readable for `n` bytes.
#[inline(never)]
pub(in crate::x86_64) unsafe fn load_n_u128(p: *const u8, n: usize) -> u128 {
    // SAFETY: both words are within the `n` bytes; the second has the bytes that the first lacks.
    unsafe {
        match n {
            16.. => p.cast::<u128>().read_unaligned(),
            9.. => {
                let last = p.add(n - 8).cast::<u64>().read_unaligned() >> (8 * (16 - n));
                u128::from(last) << 64 | u128::from(p.cast::<u64>().read_unaligned())
            }
            4.. => {
                let last = u64::from(p.add(n - 4).cast::<u32>().read_unaligned()) << (8 * (n - 4));
                u128::from(u64::from(p.cast::<u32>().read_unaligned()) | last)
            }
            2.. => {
                let last = u32::from(p.add(n - 2).cast::<u16>().read_unaligned()) << (8 * (n - 2));
                u128::from(u32::from(p.cast::<u16>().read_unaligned()) | last)
            }
            1 => u128::from(p.read()),
            0 => 0,
        }
    }
}

/// [`load_n_u128`] as a vector.
///
/// # Safety
/// As [`load_n_u128`]; AVX2.
#[inline(always)]
pub(in crate::x86_64) unsafe fn load_n_128(p: *const u8, n: usize) -> __m128i {
    // SAFETY: the caller's contract.
    unsafe {
        let bytes = load_n_u128(p, n);
        _mm_set_epi64x((bytes >> 64) as i64, bytes as i64)
    }
}

/// Loads the first `n` bytes of a vector of 16; the other bytes come from `fill`.
///
/// # Safety
/// As [`load_n_128`].
#[inline(always)]
pub(in crate::x86_64) unsafe fn load_n_128_or(p: *const u8, n: usize, fill: __m128i) -> __m128i {
    // SAFETY: the caller's contract; 16 of the 64 mask bytes, from 32 - n on.
    unsafe {
        let mask = _mm_loadu_si128(N_BYTES.as_ptr().add(32 - n).cast());
        _mm_blendv_epi8(fill, load_n_128(p, n), mask)
    }
}

/// Loads `n <= 32` bytes; the others are zero.
///
/// # Safety
/// As [`load_n_u128`]; AVX2.
#[inline(always)]
pub(in crate::x86_64) unsafe fn load_n_256(p: *const u8, n: usize) -> __m256i {
    // SAFETY: the caller's contract; both halves are within the `n` bytes.
    unsafe {
        if n < 16 {
            return _mm256_zextsi128_si256(load_n_128(p, n));
        }
        // The second half has the bytes that the first lacks at its end.
        let last = _mm_loadu_si128(p.add(n - 16).cast());
        let high = _mm_shuffle_epi8(last, moved_down(32 - n));
        _mm256_set_m128i(high, _mm_loadu_si128(p.cast()))
    }
}

/// Stores the first `n <= 32` bytes of a vector, as two overlapping words.
///
/// # Safety
/// `p` is writable for `n` bytes; AVX2.
#[inline(always)]
pub(in crate::x86_64) unsafe fn store_n_256(p: *mut u8, n: usize, v: __m256i) {
    // SAFETY: the caller's contract; both words are within the `n` bytes.
    unsafe {
        let low = _mm256_castsi256_si128(v);
        if n < 16 {
            return store_n_128(p, n, low);
        }
        _mm_storeu_si128(p.cast(), low);
        _mm_storeu_si128(p.add(n - 16).cast(), bytes_from(v, n - 16));
    }
}

/// Stores the last `n <= 32` bytes of a vector that would begin at `p`, as two overlapping words.
///
/// # Safety
/// `p` is writable from byte `32 - n` to byte 32; AVX2.
#[inline(always)]
pub(in crate::x86_64) unsafe fn store_last_n_256(p: *mut u8, n: usize, v: __m256i) {
    let first = p.wrapping_add(32 - n);
    // SAFETY: the caller's contract; both words are within the `n` bytes.
    unsafe {
        let high = _mm256_extracti128_si256::<1>(v);
        if n < 16 {
            return store_n_128(first, n, _mm_shuffle_epi8(high, moved_down(16 - n)));
        }
        _mm_storeu_si128(first.cast(), bytes_from(v, 32 - n));
        _mm_storeu_si128(p.wrapping_add(16).cast(), high);
    }
}

/// 16 bytes of a vector, from byte `k <= 16` on.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn bytes_from(v: __m256i, k: usize) -> __m128i {
    // SAFETY: 16 of the 48 indices, those that move up by `16 - k`; the caller's contract.
    unsafe {
        let up = _mm_loadu_si128(MOVED.as_ptr().add(k).cast());
        let low = _mm_shuffle_epi8(_mm256_castsi256_si128(v), moved_down(k));
        _mm_or_si128(low, _mm_shuffle_epi8(_mm256_extracti128_si256::<1>(v), up))
    }
}

/// The indices of bytes that move a vector of 16 down by `k <= 16` bytes. Zeros move in.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn moved_down(k: usize) -> __m128i {
    // SAFETY: 16 of the 48 indices; the caller's contract.
    unsafe { _mm_loadu_si128(MOVED.as_ptr().add(16 + k).cast()) }
}

/// Stores the first `n <= 16` bytes of a vector of 16.
///
/// # Safety
/// `p` is writable for `n` bytes; AVX2.
#[inline(always)]
pub(in crate::x86_64) unsafe fn store_n_128(p: *mut u8, n: usize, v: __m128i) {
    // SAFETY: the caller's contract; both words are within the `n` bytes.
    unsafe {
        let low = _mm_cvtsi128_si64(v) as u64;
        match n {
            8.. => {
                let last = _mm_shuffle_epi8(v, moved_down(n - 8));
                p.cast::<u64>().write_unaligned(low);
                p.add(n - 8).cast::<u64>().write_unaligned(_mm_cvtsi128_si64(last) as u64);
            }
            4.. => {
                p.cast::<u32>().write_unaligned(low as u32);
                p.add(n - 4).cast::<u32>().write_unaligned((low >> (8 * (n - 4))) as u32);
            }
            2.. => {
                p.cast::<u16>().write_unaligned(low as u16);
                p.add(n - 2).cast::<u16>().write_unaligned((low >> (8 * (n - 2))) as u16);
            }
            1 => p.write(low as u8),
            0 => {}
        }
    }
}

/// Indices of bytes: from index `16 + k` on, those that move a vector of 16 down by `k` bytes; from index `16 - k` on, up.
static MOVED: [u8; 48] = {
    let mut indices = [0x80; 48];
    let mut i = 0;
    while i < 16 {
        indices[16 + i] = i as u8;
        i += 1;
    }
    indices
};

/// Loads the first `n` bytes of a vector of 32; the other bytes come from `fill`.
///
/// # Safety
/// As [`load_n_256`].
#[inline(always)]
pub(in crate::x86_64) unsafe fn load_n_256_or(p: *const u8, n: usize, fill: __m256i) -> __m256i {
    // SAFETY: the caller's contract; 32 of the 64 mask bytes, from 32 - n on.
    unsafe {
        let mask = _mm256_loadu_si256(N_BYTES.as_ptr().add(32 - n).cast());
        _mm256_blendv_epi8(fill, load_n_256(p, n), mask)
    }
}

/// Byte masks: from index 32 - n on, the first `n` bytes are set.
static N_BYTES: [u8; 64] = {
    let mut masks = [0; 64];
    let mut i = 0;
    while i < 32 {
        masks[i] = 0xff;
        i += 1;
    }
    masks
};

/// The mask of the first `n <= 8` lanes of 32 bits.
#[inline(always)]
pub(super) fn mask_n_words(n: usize) -> __m256i {
    debug_assert!(n <= 8, "a vector has eight");
    // SAFETY: eight of the sixteen values, from 8 - n on; AVX2.
    unsafe { _mm256_loadu_si256(N_WORDS.as_ptr().add(8 - n).cast()) }
}

/// Masks for `vpmaskmovd`: from index `8 - n` on, the first `n` lanes are set.
pub(in crate::x86_64) const N_WORDS: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Isa;

    #[test]
    fn loads_and_stores_of_n_bytes_touch_no_others() {
        if !Isa::Avx2.is_available() {
            println!("no AVX2: skipped");
            return;
        }
        for n in 0..=32 {
            // A sanitizer reports accesses beyond the end.
            let bytes: Box<[u8]> = (1..=n as u8).collect();
            let expect = |fill: u8| -> [u8; 32] { core::array::from_fn(|i| bytes.get(i).copied().unwrap_or(fill)) };
            // SAFETY: the bytes are readable; AVX2 is available, and vectors of 32 bytes are plain values.
            unsafe {
                let whole: [u8; 32] = core::mem::transmute(load_n_256(bytes.as_ptr(), n));
                assert_eq!(whole, expect(0), "{n} bytes");
                let fill = core::mem::transmute::<[u8; 32], __m256i>([0xee; 32]);
                let filled: [u8; 32] = core::mem::transmute(load_n_256_or(bytes.as_ptr(), n, fill));
                assert_eq!(filled, expect(0xee), "{n} bytes, and others");
                let mut stored = [0xee; 48];
                store_n_256(stored.as_mut_ptr().add(8), n, core::mem::transmute::<[u8; 32], __m256i>(whole));
                assert_eq!(stored[8..8 + n], bytes[..], "{n} bytes");
                assert!(stored[..8].iter().chain(&stored[8 + n..]).all(|&byte| byte == 0xee), "{n} bytes");
                let mut last = [0xee; 48];
                let all: [u8; 32] = core::array::from_fn(|i| i as u8);
                store_last_n_256(last.as_mut_ptr().add(8), n, core::mem::transmute::<[u8; 32], __m256i>(all));
                assert_eq!(last[40 - n..40], all[32 - n..], "the last {n} bytes");
                assert!(last[..40 - n].iter().chain(&last[40..]).all(|&byte| byte == 0xee), "the last {n} bytes");
                if n <= 16 {
                    let half = load_n_128_or(bytes.as_ptr(), n, core::mem::transmute::<[u8; 16], __m128i>([0xee; 16]));
                    assert_eq!(core::mem::transmute::<__m128i, [u8; 16]>(half), expect(0xee)[..16], "{n} bytes");
                    assert_eq!(load_n_u128(bytes.as_ptr(), n).to_le_bytes(), expect(0)[..16], "{n} bytes");
                }
            }
        }
    }
}
