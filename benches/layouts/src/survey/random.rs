//! [`Random`]: pseudo-random numbers from a seed.

use eltwise_testkit::Random as Bits;

/// Random numbers, choices and orders.
#[derive(Clone, Debug)]
pub struct Random(Bits);

impl Random {
    /// The generator number `index` of a seed. Generators with different numbers are unrelated.
    pub fn new(seed: u64, index: usize) -> Random {
        let seed = Bits(seed).bits();
        Random(Bits(Bits(seed ^ index as u64).bits()))
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    /// Whether an event of this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.0.bits() >> 11) as f64) < probability * (1u64 << 53) as f64
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
        let first = |seed, index| Random::new(seed, index).0.bits();
        assert_eq!(first(1, 0), first(1, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
        assert_ne!(first(1, 2), first(2, 1));
    }
}
