//! The first bytes of a vector, on AVX2, which has no masks for elements below 4 bytes.
//!
//! They are read by words that overlap, and put together in registers. (Copied to a block on the stack by two stores, a vector is read from
//! it only when both have left the core: about 60 cycles a row of two operands on Zen 4.) A call, for they are in the tail of every kernel.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_blendv_epi8, _mm_loadu_si128, _mm_set_epi64x, _mm_setzero_si128, _mm256_blendv_epi8,
    _mm256_loadu_si256, _mm256_set_m128i,
};

/// The first `n <= 16` bytes at `p`, zeros behind them.
///
/// # Safety
/// `p` is readable for `n` bytes.
#[inline(never)]
pub(super) unsafe fn first_16(p: *const u8, n: usize) -> u128 {
    // SAFETY: both words of a pair lie within the `n` bytes; the second brings what the first has not.
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

/// The same as a vector.
///
/// # Safety
/// As [`first_16`]; AVX2.
#[inline(always)]
pub(super) unsafe fn first_half(p: *const u8, n: usize) -> __m128i {
    // SAFETY: the caller's contract.
    unsafe {
        let bytes = first_16(p, n);
        _mm_set_epi64x((bytes >> 64) as i64, bytes as i64)
    }
}

/// The same, with the bytes of `fill` behind them.
///
/// # Safety
/// As [`first_half`].
#[inline(always)]
pub(super) unsafe fn first_half_or(p: *const u8, n: usize, fill: __m128i) -> __m128i {
    // SAFETY: the caller's contract; 16 of the 64 masks from 32 - n on.
    unsafe {
        let mask = _mm_loadu_si128(FIRST_BYTES.as_ptr().add(32 - n).cast());
        _mm_blendv_epi8(fill, first_half(p, n), mask)
    }
}

/// The first `n <= 32` bytes at `p`, zeros behind them.
///
/// # Safety
/// As [`first_16`]; AVX2.
#[inline(always)]
pub(super) unsafe fn first_32(p: *const u8, n: usize) -> __m256i {
    // SAFETY: the caller's contract; behind the lower half there are bytes where `n` passes it.
    unsafe {
        let low = first_half(p, n.min(16));
        let high = if n > 16 { first_half(p.add(16), n - 16) } else { _mm_setzero_si128() };
        _mm256_set_m128i(high, low)
    }
}

/// The same, with the bytes of `fill` behind them.
///
/// # Safety
/// As [`first_32`].
#[inline(always)]
pub(super) unsafe fn first_32_or(p: *const u8, n: usize, fill: __m256i) -> __m256i {
    // SAFETY: the caller's contract; 32 of the 64 masks from 32 - n on.
    unsafe {
        let mask = _mm256_loadu_si256(FIRST_BYTES.as_ptr().add(32 - n).cast());
        _mm256_blendv_epi8(fill, first_32(p, n), mask)
    }
}

/// Masks of bytes: from place 32 - n on, of the first `n`.
static FIRST_BYTES: [u8; 64] = {
    let mut masks = [0; 64];
    let mut i = 0;
    while i < 32 {
        masks[i] = 0xff;
        i += 1;
    }
    masks
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Isa;

    #[test]
    fn the_first_bytes_are_read() {
        if !Isa::Avx2.is_available() {
            println!("no AVX2: skipped");
            return;
        }
        for n in 0..=32 {
            // A sanitizer sees what is read behind them.
            let bytes: Box<[u8]> = (1..=n as u8).collect();
            let expect = |fill: u8| -> [u8; 32] { core::array::from_fn(|i| bytes.get(i).copied().unwrap_or(fill)) };
            // SAFETY: the bytes are readable; AVX2 is available, and vectors of 32 bytes are plain values.
            unsafe {
                let whole: [u8; 32] = core::mem::transmute(first_32(bytes.as_ptr(), n));
                assert_eq!(whole, expect(0), "{n} bytes");
                let fill = core::mem::transmute::<[u8; 32], __m256i>([0xee; 32]);
                let filled: [u8; 32] = core::mem::transmute(first_32_or(bytes.as_ptr(), n, fill));
                assert_eq!(filled, expect(0xee), "{n} bytes, and others");
                if n <= 16 {
                    let half = first_half_or(bytes.as_ptr(), n, core::mem::transmute::<[u8; 16], __m128i>([0xee; 16]));
                    assert_eq!(core::mem::transmute::<__m128i, [u8; 16]>(half), expect(0xee)[..16], "{n} bytes");
                    assert_eq!(first_16(bytes.as_ptr(), n).to_le_bytes(), expect(0)[..16], "{n} bytes");
                }
            }
        }
    }
}
