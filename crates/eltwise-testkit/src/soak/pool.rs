//! Memory full of elements out of a small alphabet, so that the right result of an element is one lookup.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use eltwise::DType;
use eltwise_reference::Value;

use crate::values::{Random, Values};

/// Elements of a pool: the most that an operand spans.
pub(super) const ELEMENTS: usize = 1 << 17;
/// Bytes in front of the elements of a pool, one more where they lie at odd addresses.
const MARGIN: usize = 64;

/// Which letter of its alphabet each element of a pool is, before it is cut to the size of the alphabet.
fn letters() -> Arc<[u8]> {
    let mut random = Random(17);
    (0..ELEMENTS / 8).flat_map(|_| random.bits().to_le_bytes()).collect()
}

/// Elements in memory.
#[derive(Debug)]
pub(super) struct Pool {
    /// The elements, behind a margin.
    pub bytes: Vec<u8>,
    /// The byte of the first element.
    pub start: usize,
}

/// The pools so far, for all threads.
#[derive(Debug)]
pub struct Pools {
    seed: u64,
    letters: Arc<[u8]>,
    pools: Mutex<HashMap<(DType, usize, bool), Arc<Pool>>>,
}

impl Pools {
    /// Pools over the alphabets of a seed.
    pub fn new(seed: u64) -> Pools {
        Pools { seed, letters: letters(), pools: Mutex::default() }
    }

    /// The letters of a dtype, hard ones among them.
    pub(super) fn alphabet(&self, dtype: DType, size: usize) -> Vec<u128> {
        // Integer zeros are in an alphabet of many letters only: a division by one has a value of its own.
        let mut values = Values::new(dtype, 2 * self.seed + u64::from(size <= 8));
        (0..size).map(|_| values.bits()).collect()
    }

    /// Of each element of every pool, the letter; to be taken modulo the size of the alphabet.
    pub(super) fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// The pool of a dtype over an alphabet of `size` letters; `odd`: at odd addresses.
    pub(super) fn get(&self, dtype: DType, size: usize, odd: bool) -> Arc<Pool> {
        let mut pools = self.pools.lock().expect("no thread panics with it");
        Arc::clone(pools.entry((dtype, size, odd)).or_insert_with(|| Arc::new(self.make(dtype, size, odd))))
    }

    fn make(&self, dtype: DType, size: usize, odd: bool) -> Pool {
        let alphabet = self.alphabet(dtype, size);
        let mut bytes = vec![0u8; MARGIN];
        // The memory of so large a vector is aligned to its elements.
        bytes.reserve_exact(ELEMENTS * dtype.size() + 2 * MARGIN);
        let start = bytes.as_ptr().align_offset(MARGIN) + usize::from(odd);
        bytes.resize(start, 0);
        for &letter in self.letters.iter() {
            Value::new(dtype, alphabet[usize::from(letter) % size]).write(&mut bytes);
        }
        bytes.resize(bytes.len() + MARGIN, 0);
        Pool { bytes, start }
    }

    /// Whether every pool still holds what it was made of: runs write no input.
    pub(super) fn are_untouched(&self) -> bool {
        let pools = self.pools.lock().expect("no thread panics with it");
        pools.iter().all(|(&(dtype, size, odd), pool)| {
            let made = self.make(dtype, size, odd);
            made.bytes[made.start..] == pool.bytes[pool.start..]
        })
    }
}
