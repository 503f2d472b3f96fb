//! [`Random`]: pseudo-random numbers from a seed.

/// A pseudo-random number generator (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

/// The increment of the state, 2^64 divided by the golden ratio.
const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The generator number `index` of a seed. Generators with different numbers are unrelated.
    pub fn new(seed: u64, index: usize) -> Random {
        let seed = Random(seed).bits();
        Random(Random(seed ^ index as u64).bits())
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(INCREMENT);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Whether an event of this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.bits() >> 11) as f64) < probability * (1u64 << 53) as f64
    }

    /// One of the values, which are not empty.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Permutes the values; every permutation is equally likely.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_and_picks_follow_their_distribution() {
        let mut random = Random::new(1, 2);
        let hits = (0..10_000).filter(|_| random.chance(0.3)).count();
        assert!((2800..3200).contains(&hits), "{hits}");
        let ones = (0..10_000).filter(|_| random.pick(&[1, 2, 3, 1]) == 1).count();
        assert!((4800..5200).contains(&ones), "{ones}");
        assert!(!random.chance(0.0) && random.chance(1.0));
    }

    #[test]
    fn generators_of_a_seed_differ() {
        let first = |seed, index| Random::new(seed, index).bits();
        assert_eq!(first(1, 0), first(1, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
        assert_ne!(first(1, 2), first(2, 1));
    }
}
