//! The limits of a machine: bytes a second at each level of the memory, and operations a second in registers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use eltwise::Isa;
use pulp::bytemuck::{cast_slice, cast_slice_mut};
use serde::{Deserialize, Serialize};

use super::arena::Arena;
use super::level::{Level, Levels};
use super::loops::{self, Arithmetic, Memory, Traffic};
use super::stream;

/// Arrays of a loop are multiples of this.
const GRAIN: usize = 1024;

/// What the machine can do; each figure is the best of some rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) bandwidth: Vec<Bandwidth>,
    pub(crate) peaks: Vec<Peak>,
}

/// Billions of bytes a second, of reads and writes together, of all threads together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Bandwidth {
    pub(crate) threads: usize,
    pub(crate) level: Level,
    /// Bytes of all arrays of all threads.
    pub(crate) working_set: usize,
    pub(crate) fill: f64,
    pub(crate) copy: f64,
    pub(crate) add: f64,
    pub(crate) read: f64,
}

/// Billions of operations a second, of all threads together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Peak {
    pub(crate) threads: usize,
    /// `f32` or `f64`.
    pub(crate) dtype: String,
    /// Fused multiply-adds, each as two operations.
    pub(crate) fma: f64,
    /// Multiplications, each with an addition after it.
    pub(crate) multiply_add: f64,
    pub(crate) divide: f64,
    pub(crate) sqrt: f64,
}

/// Arithmetic of one element: how many of each.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(crate) struct Cost {
    /// Fused multiply-adds.
    pub(crate) fma: u32,
    /// Additions, multiplications, compares, selects: a vector instruction each.
    pub(crate) simple: u32,
    pub(crate) divide: u32,
    pub(crate) sqrt: u32,
}

impl Cost {
    /// Operations of an element, a fused multiply-add as two.
    pub(crate) fn operations(self) -> u32 {
        2 * self.fma + self.simple + self.divide + self.sqrt
    }
}

impl Bandwidth {
    /// The figure of a loop.
    pub(crate) fn of(&self, which: Traffic) -> f64 {
        match which {
            Traffic::Fill => self.fill,
            Traffic::Copy => self.copy,
            Traffic::Add => self.add,
            Traffic::Read => self.read,
        }
    }

    fn figure(&mut self, which: Traffic) -> &mut f64 {
        match which {
            Traffic::Fill => &mut self.fill,
            Traffic::Copy => &mut self.copy,
            Traffic::Add => &mut self.add,
            Traffic::Read => &mut self.read,
        }
    }

    /// The least nanoseconds for these bytes: between two loops the time of a byte goes linearly with the share of writes.
    pub(crate) fn ns(&self, reads: u64, writes: u64) -> f64 {
        let bytes = (reads + writes) as f64;
        if bytes == 0.0 {
            return 0.0;
        }
        let share = writes as f64 / bytes;
        let mut per_byte = 1.0 / self.fill;
        for pair in Traffic::ALL.windows(2) {
            let &[more, less] = pair else { continue };
            let (from, to) = (less.share_of_writes(), more.share_of_writes());
            if (from..=to).contains(&share) {
                let t = (share - from) / (to - from);
                per_byte = (1.0 - t) / self.of(less) + t / self.of(more);
            }
        }
        bytes * per_byte
    }
}

impl Peak {
    /// The least nanoseconds for this arithmetic on so many elements.
    pub(crate) fn ns(&self, elements: u64, cost: Cost) -> f64 {
        let vectors = 2.0 * f64::from(cost.fma) / self.fma + f64::from(cost.simple) / self.multiply_add;
        let dividers = f64::from(cost.divide) / self.divide + f64::from(cost.sqrt) / self.sqrt;
        // The divider works beside the other units.
        elements as f64 * vectors.max(dividers)
    }
}

impl Limits {
    /// The bandwidth of a level and a number of threads.
    pub(crate) fn bandwidth(&self, level: Level, threads: usize) -> Option<&Bandwidth> {
        self.bandwidth.iter().find(|b| b.level == level && b.threads == threads)
    }

    /// The peaks of a dtype and a number of threads.
    pub(crate) fn peak(&self, dtype: &str, threads: usize) -> Option<&Peak> {
        self.peaks.iter().find(|p| p.dtype == dtype && p.threads == threads)
    }

    /// Measures: `rounds` rounds, in each of which every loop runs for about `turn`. `progress` is called after each round.
    pub(crate) fn measure(
        (isa, threads): (Isa, usize),
        (rounds, turn): (usize, Duration),
        levels: &Levels,
        arena: &mut Arena,
        progress: &dyn Fn(),
    ) -> Limits {
        let mut counts = vec![1, threads];
        counts.dedup();
        let mut limits = Limits { bandwidth: Vec::new(), peaks: Vec::new() };
        for _ in 0..rounds {
            for &threads in &counts {
                for level in levels.all() {
                    limits.update_bandwidth(isa, threads, level, (levels, arena), turn);
                }
                for (dtype, double) in [("f32", false), ("f64", true)] {
                    let rate = |which| operations(isa, threads, which, double, turn);
                    limits.update_peak(Peak {
                        threads,
                        dtype: dtype.to_string(),
                        fma: rate(Arithmetic::Fma),
                        multiply_add: rate(Arithmetic::MultiplyAdd),
                        divide: rate(Arithmetic::Divide),
                        sqrt: rate(Arithmetic::Sqrt),
                    });
                }
            }
            progress();
        }
        limits
    }

    fn update_bandwidth(
        &mut self,
        isa: Isa,
        threads: usize,
        level: Level,
        (levels, arena): (&Levels, &mut Arena),
        turn: Duration,
    ) {
        let Some(set) = levels.working_set(level) else { return };
        // Each core has an L1 and an L2; the rest is for all of them.
        let each = if level < Level::L3 { set } else { set / threads };
        let at = self.bandwidth.iter().position(|b| b.level == level && b.threads == threads).unwrap_or_else(|| {
            let working_set = each * threads;
            self.bandwidth.push(Bandwidth { threads, level, working_set, fill: 0.0, copy: 0.0, add: 0.0, read: 0.0 });
            self.bandwidth.len() - 1
        });
        for which in Traffic::ALL {
            for streaming in [false, true] {
                if streaming && (!stream::AVAILABLE || level < Level::L3 || which == Traffic::Read) {
                    continue;
                }
                let found = bytes(isa, threads, (which, streaming), each, arena, turn);
                let best = self.bandwidth[at].figure(which);
                *best = best.max(found);
            }
        }
    }

    fn update_peak(&mut self, found: Peak) {
        match self.peaks.iter_mut().find(|p| p.dtype == found.dtype && p.threads == found.threads) {
            Some(best) => {
                best.fma = best.fma.max(found.fma);
                best.multiply_add = best.multiply_add.max(found.multiply_add);
                best.divide = best.divide.max(found.divide);
                best.sqrt = best.sqrt.max(found.sqrt);
            }
            None => self.peaks.push(found),
        }
    }
}

/// Billions of bytes a second of a loop over `each` bytes of arrays in each thread; 0 when the arena has not so much.
fn bytes(
    isa: Isa,
    threads: usize,
    (which, streaming): (Traffic, bool),
    each: usize,
    arena: &mut Arena,
    turn: Duration,
) -> f64 {
    let (reads, writes) = which.arrays();
    let array = (each / (reads + writes) / GRAIN).max(1) * GRAIN;
    let per_thread: Vec<usize> = (0..3).map(|k| if k < reads || (k == 2 && writes == 1) { array } else { 0 }).collect();
    let Some(mut places) = arena.place(&per_thread.repeat(threads)) else { return 0.0 };
    places.iter_mut().for_each(|p| cast_slice_mut::<u8, f32>(p).fill(1.0));
    let arrays = places.chunks_exact_mut(3).filter_map(|three| {
        let [x, y, out] = three else { return None };
        Some(Memory { x: cast_slice(x), y: cast_slice(y), out: cast_slice_mut(out) })
    });
    let mut work: Vec<_> = arrays
        .map(|mut memory| move |passes: usize| loops::traffic(isa, which, streaming, &mut memory, passes))
        .collect();
    (threads * array * (reads + writes)) as f64 / together(&mut work, turn) / 1e9
}

/// Billions of operations a second of a loop in registers.
fn operations(isa: Isa, threads: usize, which: Arithmetic, double: bool, turn: Duration) -> f64 {
    let one = loops::arithmetic(isa, which, double, 1);
    let work = move |passes: usize| {
        loops::arithmetic(isa, which, double, passes);
    };
    one * threads as f64 / together(&mut vec![work; threads], turn) / 1e9
}

/// Runs each piece of work on a thread of its own, all at a time, sample after sample for about `turn`: seconds of a pass, in
/// the shortest sample. A sample goes from the first start to the last end. It is short, for what else the machine does
/// meanwhile would count.
fn together<F: FnMut(usize) + Send>(work: &mut [F], turn: Duration) -> f64 {
    /// The shortest sample, which is long beside the start of all threads; and the fewest samples.
    const SAMPLE: f64 = 200e-6;
    const FEWEST: usize = 3;
    let [first, others @ ..] = work else { return 1.0 };
    first(1);
    let start = Instant::now();
    first(1);
    let once = start.elapsed().as_secs_f64().max(1e-9);
    let passes = (SAMPLE.min(turn.as_secs_f64()) / once).ceil().clamp(1.0, 1e9) as usize;
    let samples = ((turn.as_secs_f64() / (once * passes as f64)) as usize).max(FEWEST);
    let start = StartLine::new(others.len() + 1);
    let timed = |work: &mut F| -> Vec<(Instant, Instant)> {
        let one = |_| {
            start.wait();
            let start = Instant::now();
            work(passes);
            (start, Instant::now())
        };
        (0..samples).map(one).collect()
    };
    let spans: Vec<Vec<(Instant, Instant)>> = thread::scope(|scope| {
        let others: Vec<_> = others.iter_mut().map(|work| scope.spawn(|| timed(work))).collect();
        let mine = timed(first);
        others.into_iter().filter_map(|t| t.join().ok()).chain([mine]).collect()
    });
    let seconds = |sample: usize| {
        let of = || spans.iter().filter_map(|spans| spans.get(sample));
        let (start, end) = (of().map(|s| s.0).min(), of().map(|s| s.1).max());
        start.zip(end).map_or(f64::INFINITY, |(start, end)| (end - start).as_secs_f64())
    };
    (0..samples).map(seconds).fold(f64::INFINITY, f64::min).max(1e-9) / passes as f64
}

/// Where threads wait for each other, without sleep: to wake up takes as long as a sample.
struct StartLine {
    threads: usize,
    arrived: AtomicUsize,
}

impl StartLine {
    fn new(threads: usize) -> StartLine {
        StartLine { threads, arrived: AtomicUsize::new(0) }
    }

    /// Returns when every thread has called it as often as this one.
    fn wait(&self) {
        let mine = self.arrived.fetch_add(1, Ordering::AcqRel);
        let all = (mine / self.threads + 1) * self.threads;
        let mut turns = 0u32;
        while self.arrived.load(Ordering::Acquire) < all {
            turns += 1;
            // With fewer cores than threads, another thread must have this one's.
            if turns.is_multiple_of(1000) { thread::yield_now() } else { std::hint::spin_loop() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bandwidth() -> Bandwidth {
        Bandwidth { threads: 1, level: Level::L2, working_set: 0, fill: 10.0, copy: 20.0, add: 30.0, read: 50.0 }
    }

    #[test]
    fn the_loops_themselves_are_at_their_limits() {
        let b = bandwidth();
        for (reads, writes, gb) in [(0, 1000, 10.0), (500, 500, 20.0), (800, 400, 30.0), (1000, 0, 50.0)] {
            let ns = (reads + writes) as f64 / gb;
            assert!((b.ns(reads, writes) - ns).abs() < 1e-9, "{reads} {writes}");
        }
        assert_eq!(b.ns(0, 0), 0.0);
    }

    #[test]
    fn between_two_loops_the_time_of_a_byte_is_between_theirs() {
        let b = bandwidth();
        let mut last = 0.0;
        for writes in 0..=100 {
            let ns = b.ns(100 - writes, writes);
            assert!(ns > last, "{writes}: {ns} after {last}");
            last = ns;
        }
        // Three reads and a write: a quarter of the bytes is written, between a third (add) and none (read).
        assert!((b.ns(300, 100) - 400.0 * (0.25 / 50.0 + 0.75 / 30.0)).abs() < 1e-9);
    }

    #[test]
    fn arithmetic_takes_the_longer_of_its_units() {
        let p = Peak { threads: 1, dtype: "f32".into(), fma: 100.0, multiply_add: 50.0, divide: 5.0, sqrt: 4.0 };
        let cost = |fma, simple, divide, sqrt| Cost { fma, simple, divide, sqrt };
        assert_eq!(p.ns(1000, cost(1, 0, 0, 0)), 20.0);
        assert_eq!(p.ns(1000, cost(1, 2, 0, 0)), 60.0);
        assert_eq!(p.ns(1000, cost(1, 2, 1, 1)), 450.0);
        assert_eq!(cost(1, 2, 1, 1).operations(), 6);
    }

    #[test]
    fn limits_are_measured_at_every_level_of_instruction_sets() {
        let levels = Levels::found(true);
        let mut arena = Arena::new(2 * levels.largest()).unwrap();
        for isa in Isa::available() {
            let limits = Limits::measure((isa, 2), (1, Duration::from_micros(200)), &levels, &mut arena, &|| ());
            assert_eq!(limits.bandwidth.len(), 2 * levels.all().count());
            for b in &limits.bandwidth {
                assert!(Traffic::ALL.iter().all(|&t| b.of(t).is_finite() && b.of(t) > 0.0), "{isa} {b:?}");
            }
            for p in &limits.peaks {
                // How fast they are says nothing here: other tests run beside this one.
                let figures = [p.fma, p.multiply_add, p.divide, p.sqrt];
                assert!(figures.iter().all(|f| f.is_finite() && *f > 0.0), "{isa} {p:?}");
            }
        }
    }
}
