//! Pools of elements that all come from a small alphabet, so that the expected result of an element is a table lookup.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use eltwise::DType;
use eltwise_reference::Value;

use crate::guarded::{Guarded, Side};
use crate::random::Random;
use crate::values::Values;

/// The number of elements in a pool, which is the largest span of an operand.
pub(super) const ELEMENTS: usize = 1 << 17;
/// Bytes around the elements of a pool if they are at odd addresses. All other pools begin and end at guard pages.
const ODD_MARGIN: usize = 64;

/// The letter of each element of every pool, to be taken modulo the size of the alphabet.
fn letters() -> Arc<[u8]> {
    let mut random = Random(17);
    (0..ELEMENTS / 8).flat_map(|_| random.bits().to_le_bytes()).collect()
}

/// The elements of a dtype, drawn from an alphabet.
#[derive(Debug)]
pub(super) struct Pool {
    /// The elements, and for odd addresses a margin.
    pub bytes: Guarded,
    /// The byte at which the first element starts.
    pub start: usize,
}

/// The pools, made on first use and shared by all threads.
#[derive(Debug)]
pub struct Pools {
    seed: u64,
    letters: Arc<[u8]>,
    pools: Mutex<HashMap<(DType, usize, bool), Arc<Pool>>>,
}

impl Pools {
    /// Pools whose alphabets come from a seed.
    pub fn new(seed: u64) -> Pools {
        Pools { seed, letters: letters(), pools: Mutex::default() }
    }

    /// The alphabet of a dtype: `size` elements, edge cases among them.
    pub(super) fn alphabet(&self, dtype: DType, size: usize) -> Vec<u128> {
        // Only alphabets of more than 8 letters contain integer 0, by which a division has a special result.
        let mut values = Values::new(dtype, 2 * self.seed + u64::from(size <= 8));
        (0..size).map(|_| values.bits()).collect()
    }

    /// The letter of each element of every pool, to be taken modulo the size of the alphabet.
    pub(super) fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// The pool of a dtype with an alphabet of `size` letters. With `odd`, its elements are at odd addresses.
    pub(super) fn get(&self, dtype: DType, size: usize, odd: bool) -> Arc<Pool> {
        let mut pools = self.pools.lock().expect("a thread panicked while it held the pools");
        Arc::clone(pools.entry((dtype, size, odd)).or_insert_with(|| Arc::new(self.make(dtype, size, odd))))
    }

    fn make(&self, dtype: DType, size: usize, odd: bool) -> Pool {
        let alphabet = self.alphabet(dtype, size);
        let mut elements = Vec::with_capacity(ELEMENTS * dtype.size());
        for &letter in self.letters.iter() {
            Value::new(dtype, alphabet[usize::from(letter) % size]).write(&mut elements);
        }
        // The elements are whole pages.
        let (start, margin) = if odd { (1, ODD_MARGIN) } else { (0, 0) };
        let mut bytes = Guarded::new(elements.len() + margin, Side::Back);
        bytes[start..start + elements.len()].copy_from_slice(&elements);
        Pool { bytes, start }
    }

    /// Whether every pool still has its original elements, so no run wrote to an input.
    pub(super) fn are_untouched(&self) -> bool {
        let pools = self.pools.lock().expect("a thread panicked while it held the pools");
        pools.iter().all(|(&(dtype, size, odd), pool)| {
            let made = self.make(dtype, size, odd);
            made.bytes[made.start..] == pool.bytes[pool.start..]
        })
    }
}
