//! The limits of the machine: memory bandwidth at each level, and arithmetic rates in registers. [`Limits::measure`] measures
//! them; [`Bandwidth::ns`] and [`Peak::ns`] give the least time for a case.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use eltwise::Isa;
use pulp::bytemuck::{cast_slice, cast_slice_mut};
use serde::{Deserialize, Serialize};

use super::arena::Arena;
use super::limit_loops::{self, Arithmetic};
use super::memory_level::{MemoryLevel, MemoryLevels};
use super::stream;
use super::traffic::{LoopArrays, Traffic};

/// The size of an array of a loop is a multiple of this many bytes.
const GRAIN: usize = 1024;

/// The instruction set, the threads and the memory levels of a run.
#[derive(Clone, Copy)]
pub(crate) struct Setup<'a> {
    pub(crate) isa: Isa,
    pub(crate) threads: usize,
    pub(crate) levels: &'a MemoryLevels,
}

/// How long the limits are measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimitEffort {
    pub(crate) rounds: usize,
    /// The time of a loop in each round.
    pub(crate) budget: Duration,
}

impl LimitEffort {
    /// The effort of a full run, or of one with `--quick`.
    pub(crate) fn new(quick: bool) -> LimitEffort {
        match quick {
            false => LimitEffort { rounds: 10, budget: Duration::from_millis(8) },
            true => LimitEffort { rounds: 2, budget: Duration::from_micros(300) },
        }
    }
}

/// The limits of the machine. Each rate is the best of several rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Limits {
    pub(crate) bandwidth: Vec<Bandwidth>,
    pub(crate) peaks: Vec<Peak>,
}

/// The memory bandwidth of one level, in GB/s: reads and writes of all threads together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Bandwidth {
    pub(crate) threads: usize,
    pub(crate) level: MemoryLevel,
    /// Bytes of the arrays of all threads.
    pub(crate) working_set: usize,
    pub(crate) fill: f64,
    pub(crate) copy: f64,
    pub(crate) add: f64,
    pub(crate) read: f64,
}

/// Arithmetic rates in Gop/s, of all threads together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Peak {
    pub(crate) threads: usize,
    /// `f32` or `f64`.
    pub(crate) dtype: String,
    /// Fused multiply-adds, each as two operations.
    pub(crate) fma: f64,
    /// Multiplications and additions in turn.
    pub(crate) multiply_add: f64,
    pub(crate) divide: f64,
    pub(crate) sqrt: f64,
}

/// The arithmetic operations of one element.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub(crate) struct Cost {
    /// Fused multiply-adds.
    pub(crate) fma: u32,
    /// Additions, multiplications, comparisons and selections: one vector instruction each.
    pub(crate) simple: u32,
    pub(crate) divide: u32,
    pub(crate) sqrt: u32,
}

impl Cost {
    /// The number of operations; a fused multiply-add counts as two.
    pub(crate) fn operations(self) -> u32 {
        2 * self.fma + self.simple + self.divide + self.sqrt
    }
}

impl Bandwidth {
    /// The rate of a loop.
    pub(crate) fn rate(&self, traffic: Traffic) -> f64 {
        match traffic {
            Traffic::Fill => self.fill,
            Traffic::Copy => self.copy,
            Traffic::Add => self.add,
            Traffic::Read => self.read,
        }
    }

    fn rate_mut(&mut self, traffic: Traffic) -> &mut f64 {
        match traffic {
            Traffic::Fill => &mut self.fill,
            Traffic::Copy => &mut self.copy,
            Traffic::Add => &mut self.add,
            Traffic::Read => &mut self.read,
        }
    }

    /// The least time in nanoseconds to read and write these numbers of bytes. The time per byte is interpolated linearly, by
    /// the share of writes, between the two nearest loops.
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
                per_byte = (1.0 - t) / self.rate(less) + t / self.rate(more);
            }
        }
        bytes * per_byte
    }
}

impl Peak {
    /// The least time in nanoseconds for this arithmetic on `elements` elements.
    pub(crate) fn ns(&self, elements: u64, cost: Cost) -> f64 {
        let vectors = 2.0 * f64::from(cost.fma) / self.fma + f64::from(cost.simple) / self.multiply_add;
        let dividers = f64::from(cost.divide) / self.divide + f64::from(cost.sqrt) / self.sqrt;
        // Divisions and square roots run in parallel with the other operations.
        elements as f64 * vectors.max(dividers)
    }
}

impl Limits {
    /// The bandwidth of a level with a number of threads.
    pub(crate) fn bandwidth(&self, level: MemoryLevel, threads: usize) -> Option<&Bandwidth> {
        self.bandwidth.iter().find(|b| b.level == level && b.threads == threads)
    }

    /// The arithmetic rates of a dtype with a number of threads.
    pub(crate) fn peak(&self, dtype: &str, threads: usize) -> Option<&Peak> {
        self.peaks.iter().find(|p| p.dtype == dtype && p.threads == threads)
    }

    /// Measures every loop in several rounds and keeps the best rate of each. Calls `progress` after each round.
    pub(crate) fn measure(setup: Setup<'_>, effort: LimitEffort, arena: &mut Arena, progress: &dyn Fn()) -> Limits {
        let mut counts = vec![1, setup.threads];
        counts.dedup();
        let mut limits = Limits { bandwidth: Vec::new(), peaks: Vec::new() };
        for _ in 0..effort.rounds {
            for &threads in &counts {
                let setup = Setup { threads, ..setup };
                for level in setup.levels.all() {
                    limits.update_bandwidth(setup, level, arena, effort.budget);
                }
                for (dtype, double) in [("f32", false), ("f64", true)] {
                    let rate = |op| operation_rate(setup, op, double, effort.budget);
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

    fn update_bandwidth(&mut self, setup: Setup<'_>, level: MemoryLevel, arena: &mut Arena, budget: Duration) {
        let threads = setup.threads;
        let Some(set) = setup.levels.working_set(level) else { return };
        // Each core has its own L1 and L2. The threads share the other levels.
        let bytes_per_thread = if level < MemoryLevel::L3 { set } else { set / threads };
        let at = self.bandwidth.iter().position(|b| b.level == level && b.threads == threads).unwrap_or_else(|| {
            let working_set = bytes_per_thread * threads;
            self.bandwidth.push(Bandwidth { threads, level, working_set, fill: 0.0, copy: 0.0, add: 0.0, read: 0.0 });
            self.bandwidth.len() - 1
        });
        for traffic in Traffic::ALL {
            for non_temporal in [false, true] {
                if non_temporal && (!stream::AVAILABLE || level < MemoryLevel::L3 || traffic == Traffic::Read) {
                    continue;
                }
                let probe = TrafficProbe { traffic, non_temporal, bytes_per_thread };
                let rate = probe.bandwidth(setup, arena, budget);
                let best = self.bandwidth[at].rate_mut(traffic);
                *best = best.max(rate);
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

/// One measurement of memory bandwidth.
struct TrafficProbe {
    traffic: Traffic,
    /// Whether the loop uses non-temporal stores.
    non_temporal: bool,
    /// Bytes of the arrays of each thread.
    bytes_per_thread: usize,
}

impl TrafficProbe {
    /// The rate in GB/s of all threads together; 0 if the arena is too small.
    fn bandwidth(&self, setup: Setup<'_>, arena: &mut Arena, budget: Duration) -> f64 {
        let &TrafficProbe { traffic, non_temporal, bytes_per_thread } = self;
        let Setup { isa, threads, .. } = setup;
        let (reads, writes) = traffic.arrays();
        let array = (bytes_per_thread / (reads + writes) / GRAIN).max(1) * GRAIN;
        let size = |k: usize| if k < reads || (k == 2 && writes == 1) { array } else { 0 };
        let per_thread = [size(0), size(1), size(2)];
        let Some(mut places) = arena.place(&per_thread.repeat(threads)) else { return 0.0 };
        places.iter_mut().for_each(|p| cast_slice_mut::<u8, f32>(p).fill(1.0));
        let arrays = places.chunks_exact_mut(3).filter_map(|three| {
            let [x, y, out] = three else { return None };
            Some(LoopArrays { x: cast_slice(x), y: cast_slice(y), out: cast_slice_mut(out) })
        });
        let mut work: Vec<_> = arrays
            .map(|mut arrays| {
                move |passes: usize| limit_loops::traffic(isa, traffic, non_temporal, &mut arrays, passes)
            })
            .collect();
        (threads * array * (reads + writes)) as f64 / seconds_per_pass(&mut work, budget) / 1e9
    }
}

/// The rate in Gop/s of a loop in registers, of all threads together.
fn operation_rate(setup: Setup<'_>, op: Arithmetic, double: bool, budget: Duration) -> f64 {
    let Setup { isa, threads, .. } = setup;
    let operations_per_pass = limit_loops::arithmetic(isa, op, double, 1);
    let work = move |passes: usize| {
        limit_loops::arithmetic(isa, op, double, passes);
    };
    operations_per_pass * threads as f64 / seconds_per_pass(&mut vec![work; threads], budget) / 1e9
}

/// Runs each closure on its own thread, all at the same time, and returns the seconds of one pass in the shortest of several
/// samples. The samples take about `budget` in total. A sample lasts from the first start to the last end of a thread. It is
/// short, so that some samples are not disturbed by other programs.
fn seconds_per_pass<F: FnMut(usize) + Send>(work: &mut [F], budget: Duration) -> f64 {
    /// Seconds of a sample: long compared with the time in which the threads start.
    const SAMPLE: f64 = 200e-6;
    const MIN_SAMPLES: usize = 3;
    let [first, others @ ..] = work else { return 1.0 };
    first(1);
    let start = Instant::now();
    first(1);
    let once = start.elapsed().as_secs_f64().max(1e-9);
    let passes = (SAMPLE.min(budget.as_secs_f64()) / once).ceil().clamp(1.0, 1e9) as usize;
    let samples = ((budget.as_secs_f64() / (once * passes as f64)) as usize).max(MIN_SAMPLES);
    let barrier = SpinBarrier::new(others.len() + 1);
    let run_samples = |work: &mut F| -> Vec<(Instant, Instant)> {
        let sample = |_| {
            barrier.wait();
            let start = Instant::now();
            work(passes);
            (start, Instant::now())
        };
        (0..samples).map(sample).collect()
    };
    let spans: Vec<Vec<(Instant, Instant)>> = thread::scope(|scope| {
        let others: Vec<_> = others.iter_mut().map(|work| scope.spawn(|| run_samples(work))).collect();
        let own = run_samples(first);
        others.into_iter().filter_map(|t| t.join().ok()).chain([own]).collect()
    });
    let seconds = |sample: usize| {
        let threads = || spans.iter().filter_map(|spans| spans.get(sample));
        let (start, end) = (threads().map(|s| s.0).min(), threads().map(|s| s.1).max());
        start.zip(end).map_or(f64::INFINITY, |(start, end)| (end - start).as_secs_f64())
    };
    (0..samples).map(seconds).fold(f64::INFINITY, f64::min).max(1e-9) / passes as f64
}

/// A barrier that spins. Waking up a sleeping thread takes as long as a sample.
struct SpinBarrier {
    threads: usize,
    arrived: AtomicUsize,
}

impl SpinBarrier {
    fn new(threads: usize) -> SpinBarrier {
        SpinBarrier { threads, arrived: AtomicUsize::new(0) }
    }

    /// Returns when every thread has called it as many times as this one.
    fn wait(&self) {
        let earlier = self.arrived.fetch_add(1, Ordering::AcqRel);
        let all = (earlier / self.threads + 1) * self.threads;
        let mut spins = 0u32;
        while self.arrived.load(Ordering::Acquire) < all {
            spins += 1;
            // With fewer cores than threads, another thread needs this core.
            if spins.is_multiple_of(1000) { thread::yield_now() } else { std::hint::spin_loop() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bandwidth() -> Bandwidth {
        Bandwidth { threads: 1, level: MemoryLevel::L2, working_set: 0, fill: 10.0, copy: 20.0, add: 30.0, read: 50.0 }
    }

    #[test]
    fn the_traffic_of_a_loop_takes_the_time_of_that_loop() {
        let b = bandwidth();
        for (reads, writes, gb) in [(0, 1000, 10.0), (500, 500, 20.0), (800, 400, 30.0), (1000, 0, 50.0)] {
            let ns = (reads + writes) as f64 / gb;
            assert!((b.ns(reads, writes) - ns).abs() < 1e-9, "{reads} {writes}");
        }
        assert_eq!(b.ns(0, 0), 0.0);
    }

    #[test]
    fn time_per_byte_is_interpolated_between_loops() {
        let b = bandwidth();
        let mut last = 0.0;
        for writes in 0..=100 {
            let ns = b.ns(100 - writes, writes);
            assert!(ns > last, "{writes}: {ns} after {last}");
            last = ns;
        }
        // Three reads and one write: a quarter of the bytes is written, between a third (add) and none (read).
        assert!((b.ns(300, 100) - 400.0 * (0.25 / 50.0 + 0.75 / 30.0)).abs() < 1e-9);
    }

    #[test]
    fn arithmetic_takes_the_time_of_the_slowest_unit() {
        let p = Peak { threads: 1, dtype: "f32".into(), fma: 100.0, multiply_add: 50.0, divide: 5.0, sqrt: 4.0 };
        let cost = |fma, simple, divide, sqrt| Cost { fma, simple, divide, sqrt };
        assert_eq!(p.ns(1000, cost(1, 0, 0, 0)), 20.0);
        assert_eq!(p.ns(1000, cost(1, 2, 0, 0)), 60.0);
        assert_eq!(p.ns(1000, cost(1, 2, 1, 1)), 450.0);
        assert_eq!(cost(1, 2, 1, 1).operations(), 6);
    }

    #[test]
    fn limits_are_measured_on_every_isa() {
        let levels = MemoryLevels::detect(true);
        let mut arena = Arena::new(2 * levels.largest()).unwrap();
        let effort = LimitEffort { rounds: 1, budget: Duration::from_micros(200) };
        for isa in Isa::available() {
            let limits = Limits::measure(Setup { isa, threads: 2, levels: &levels }, effort, &mut arena, &|| ());
            assert_eq!(limits.bandwidth.len(), 2 * levels.all().count());
            for b in &limits.bandwidth {
                assert!(Traffic::ALL.iter().all(|&t| b.rate(t).is_finite() && b.rate(t) > 0.0), "{isa} {b:?}");
            }
            for p in &limits.peaks {
                // Only finite and positive: other tests run at the same time.
                let figures = [p.fma, p.multiply_add, p.divide, p.sqrt];
                assert!(figures.iter().all(|f| f.is_finite() && *f > 0.0), "{isa} {p:?}");
            }
        }
    }
}
