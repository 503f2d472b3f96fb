//! [`PlanCache`]: the plans of a program for the layouts of its last calls.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use arc_swap::ArcSwapOption;
use eltwise_core::{DType, Error, Layout, Shape, Strides};
use smallvec::SmallVec;

use super::{BindOptions, Plan};
use crate::exec::Layouts;
use crate::program::Program;

/// Slots of a set: the associativity of the cache.
const WAYS: usize = 8;

/// The hit at which a plan is made again, for many runs.
const PLANNED_AGAIN_AT: u64 = 3;

/// The plans of a program for the layouts of its last calls, for callers whose shapes change from call to call.
///
/// A call with layouts that the cache has gets their plan without a lock and in some tens of nanoseconds. It allocates nothing but
/// for a thread's first call, and for more than four inputs. Other layouts are [bound](Program::bind), and their plan replaces one
/// that was not used lately. A plan is first made for one run, and at its third hit again for many: see
/// [`BindOptions::runs`](field@BindOptions::runs). Results do not depend on it.
///
/// ```
/// use eltwise::{Array, BindOptions, DType, PlanCache, Program};
///
/// let program = Program::parse("a * b + 1", &[("a", DType::F32), ("b", DType::F32)])?;
/// let cache = PlanCache::new(program, BindOptions::new(), 64);
/// for n in [2, 3, 2] {
///     let (a, b) = (Array::zeros(DType::F32, [n, 4])?, Array::zeros(DType::F32, [4])?);
///     let plan = cache.plan(&[a.layout(), b.layout()])?;
///     let mut out = Array::with_layout(plan.output_layouts()[0].clone())?;
///     plan.run(&[a.view(), b.view()], &mut [out.view_mut()])?;
///     assert!(out.as_slice::<f32>()?.iter().all(|&x| x == 1.0));
/// }
/// assert_eq!((cache.counts().hits, cache.counts().misses), (1, 2));
/// # Ok::<(), eltwise::Error>(())
/// ```
#[derive(Debug)]
pub struct PlanCache {
    program: Program,
    options: BindOptions,
    /// Sets of [`WAYS`] slots. The hash of the layouts selects the set.
    slots: Box<[ArcSwapOption<Entry>]>,
    /// The slot of the last call.
    last: AtomicUsize,
    /// The slot of a set at which the search for one to replace begins.
    next: AtomicUsize,
    misses: AtomicU64,
    /// Hits of plans that were replaced.
    earlier_hits: AtomicU64,
}

/// A plan in the cache. Its layouts are the key.
#[derive(Debug)]
struct Entry {
    plan: Arc<Plan>,
    /// Whether the caller gave the layouts of the outputs.
    has_given_outputs: bool,
    hits: AtomicU64,
    /// Whether it was hit since the last search for an entry to replace.
    was_used: AtomicBool,
}

/// The parts of a [`Layout`], for callers who have them and need no layout if the plan is in the cache.
#[derive(Clone, Copy, Eq, Debug)]
pub struct LayoutParts<'a> {
    /// The dtype of the elements.
    pub dtype: DType,
    /// The sizes of the axes.
    pub shape: &'a [usize],
    /// The strides of the axes, in bytes; `None` for those of a C-contiguous array.
    pub strides: Option<&'a [isize]>,
}

impl<'a> From<&'a Layout> for LayoutParts<'a> {
    #[inline]
    fn from(layout: &'a Layout) -> LayoutParts<'a> {
        LayoutParts { dtype: layout.dtype(), shape: layout.shape(), strides: Some(layout.strides()) }
    }
}

impl PartialEq for LayoutParts<'_> {
    /// Compares element by element. `==` on slices calls `memcmp`, and glibc's version for AVX-512 issues a masked load at the dangling
    /// address of an empty slice, after which Zen 4 runs the next thousands of loads one after the other.
    #[inline]
    fn eq(&self, other: &LayoutParts<'_>) -> bool {
        self.dtype == other.dtype
            && self.shape.iter().eq(other.shape)
            && match (self.strides, other.strides) {
                (Some(own), Some(other)) => own.iter().eq(other),
                (None, None) => true,
                (Some(strides), None) | (None, Some(strides)) => self.is_contiguous(strides),
            }
    }
}

impl LayoutParts<'_> {
    /// Whether strides for the shape are those of [`Strides::contiguous`].
    fn is_contiguous(&self, strides: &[isize]) -> bool {
        let mut step = self.dtype.size() as isize;
        let are_equal = self.shape.iter().zip(strides).rev().all(|(&size, &stride)| {
            let is_equal = stride == step;
            step = step.wrapping_mul(size.max(1) as isize);
            is_equal
        });
        are_equal && strides.len() == self.shape.len()
    }

    fn layout(&self) -> Result<Layout, Error> {
        match self.strides {
            Some(strides) => Layout::strided(self.dtype, Shape::new(self.shape), Strides::new(strides)),
            None => Layout::contiguous(self.dtype, self.shape),
        }
    }
}

/// The layouts of a call: the key of its plan.
#[derive(Clone, Copy)]
struct Key<'a> {
    inputs: &'a [LayoutParts<'a>],
    /// `None` if the plan chooses them.
    outputs: Option<&'a [LayoutParts<'a>]>,
}

/// How often a [`PlanCache`] had the plan of a call. While threads use the cache, a few calls may not be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct PlanCacheCounts {
    /// Calls whose plan the cache had.
    pub hits: u64,
    /// Calls whose layouts were bound, and those whose layouts could not be bound.
    pub misses: u64,
    /// Plans in the cache.
    pub plans: usize,
}

impl PlanCache {
    /// An empty cache for `capacity` plans of a program. It may hold up to four times as many, and at least 8. `options` hold for all of
    /// them, but `options.outputs` is not read.
    ///
    /// With [`BindOptions::runs`](field@BindOptions::runs), plans are made for so many runs, and only once.
    pub fn new(program: Program, mut options: BindOptions, capacity: usize) -> PlanCache {
        // Twice as many slots, because hashes do not fill all sets alike.
        let sets = capacity.div_ceil(WAYS / 2).max(1).next_power_of_two();
        let slots = (0..sets * WAYS).map(|_| ArcSwapOption::empty()).collect();
        let (last, next) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (misses, earlier_hits) = (AtomicU64::new(0), AtomicU64::new(0));
        options.outputs = None;
        PlanCache { program, options, slots, last, next, misses, earlier_hits }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The plan for inputs of these layouts. The plan chooses the layouts of the outputs.
    ///
    /// # Errors
    /// Those of [`Program::bind`].
    #[inline]
    pub fn plan(&self, inputs: &[&Layout]) -> Result<Arc<Plan>, Error> {
        let inputs: SmallVec<[LayoutParts<'_>; 4]> = inputs.iter().map(|&layout| layout.into()).collect();
        self.plan_of(&inputs, None)
    }

    /// The plan for inputs and outputs of these layouts.
    ///
    /// # Errors
    /// Those of [`Program::bind_with`].
    #[inline]
    pub fn plan_to(&self, inputs: &[&Layout], outputs: &[&Layout]) -> Result<Arc<Plan>, Error> {
        let inputs: SmallVec<[LayoutParts<'_>; 4]> = inputs.iter().map(|&layout| layout.into()).collect();
        let outputs: SmallVec<[LayoutParts<'_>; 2]> = outputs.iter().map(|&layout| layout.into()).collect();
        self.plan_of(&inputs, Some(&outputs))
    }

    /// The plan for inputs of these layouts, and for outputs if they are given.
    ///
    /// # Errors
    /// Those of [`Program::bind_with`], [`Layout::strided`] and [`Layout::contiguous`].
    #[inline]
    pub fn plan_of(&self, inputs: &[LayoutParts<'_>], outputs: Option<&[LayoutParts<'_>]>) -> Result<Arc<Plan>, Error> {
        self.plan_of_checked(inputs, outputs, || Ok(()))
    }

    /// As [`PlanCache::plan_of`], for callers with rules of their own: layouts that the cache does not have are bound only if `check`
    /// accepts them.
    ///
    /// # Errors
    /// Those of `check` and of [`PlanCache::plan_of`].
    #[inline]
    pub fn plan_of_checked<E: From<Error>>(
        &self,
        inputs: &[LayoutParts<'_>],
        outputs: Option<&[LayoutParts<'_>]>,
        check: impl FnOnce() -> Result<(), E>,
    ) -> Result<Arc<Plan>, E> {
        let key = Key { inputs, outputs };
        match self.find(key) {
            Ok(plan) => Ok(plan?),
            Err(set) => {
                check()?;
                Ok(self.add(key, set)?)
            }
        }
    }

    /// The plan for these layouts, if the cache has it, or else the slots for it.
    fn find(&self, key: Key<'_>) -> Result<Result<Arc<Plan>, Error>, Range<usize>> {
        // Most calls repeat the layouts of the last one.
        let last = self.last.load(Ordering::Relaxed);
        if let Some(plan) = self.hit(last, key) {
            return Ok(plan);
        }
        let set = self.set(key);
        for slot in set.clone().filter(|&slot| slot != last) {
            if let Some(plan) = self.hit(slot, key) {
                self.last.store(slot, Ordering::Relaxed);
                return Ok(plan);
            }
        }
        Err(set)
    }

    /// The plan in a slot, if it is for these layouts.
    #[inline]
    fn hit(&self, slot: usize, key: Key<'_>) -> Option<Result<Arc<Plan>, Error>> {
        let found = self.slots[slot].load();
        let entry = found.as_ref().filter(|entry| entry.is_for(key))?;
        let hits = entry.hits.fetch_add(1, Ordering::Relaxed) + 1;
        if !entry.was_used.load(Ordering::Relaxed) {
            entry.was_used.store(true, Ordering::Relaxed);
        }
        if hits == PLANNED_AGAIN_AT && self.options.runs.is_none() && entry.plan.was_searched() {
            return Some(self.plan_again(slot, entry, key));
        }
        Some(Ok(Arc::clone(&entry.plan)))
    }

    /// Replaces the plan in a slot by one for many runs.
    #[cold]
    fn plan_again(&self, slot: usize, entry: &Arc<Entry>, key: Key<'_>) -> Result<Arc<Plan>, Error> {
        let again = self.entry(key, None, PLANNED_AGAIN_AT)?;
        let plan = Arc::clone(&again.plan);
        // Hits of this moment are not counted. If another thread has replaced the entry, its plan stays.
        self.slots[slot].compare_and_swap(entry, Some(again));
        Ok(plan)
    }

    /// Binds the layouts and adds their plan to a set.
    #[cold]
    fn add(&self, key: Key<'_>, set: Range<usize>) -> Result<Arc<Plan>, Error> {
        self.misses.fetch_add(1, Ordering::Relaxed);
        let entry = self.entry(key, Some(1), 0)?;
        let plan = Arc::clone(&entry.plan);
        let slot = self.slot_to_replace(set);
        self.last.store(slot, Ordering::Relaxed);
        if let Some(replaced) = self.slots[slot].swap(Some(entry)) {
            self.earlier_hits.fetch_add(replaced.hits.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        Ok(plan)
    }

    /// How often the cache had the plan of a call.
    pub fn counts(&self) -> PlanCacheCounts {
        let mut counts = PlanCacheCounts {
            hits: self.earlier_hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            plans: 0,
        };
        for entry in self.slots.iter().filter_map(ArcSwapOption::load_full) {
            counts.plans += 1;
            counts.hits += entry.hits.load(Ordering::Relaxed);
        }
        counts
    }

    /// Binds the layouts for so many runs, unless the options have another number.
    fn entry(&self, key: Key<'_>, runs: Option<usize>, hits: u64) -> Result<Arc<Entry>, Error> {
        let made = |parts: &[LayoutParts<'_>]| parts.iter().map(LayoutParts::layout).collect::<Result<Vec<_>, _>>();
        let (inputs, outputs) = (made(key.inputs)?, key.outputs.map(made).transpose()?);
        let inputs: SmallVec<[&Layout; 4]> = inputs.iter().collect();
        let outputs = outputs.as_ref().map(|outputs| outputs.iter().collect::<SmallVec<[&Layout; 2]>>());
        let options = BindOptions { runs: self.options.runs.or(runs), ..self.options.clone() };
        let layouts = Layouts { inputs: &inputs, outputs: outputs.as_deref(), c_order: options.c_order };
        Ok(Arc::new(Entry {
            plan: Arc::new(Plan::new(&self.program, layouts, &options)?),
            has_given_outputs: outputs.is_some(),
            hits: AtomicU64::new(hits),
            was_used: AtomicBool::new(hits > 0),
        }))
    }

    /// The slots for these layouts.
    fn set(&self, key: Key<'_>) -> Range<usize> {
        let mut hash = 0u64;
        let mut add = |number: u64| hash = (hash.rotate_left(5) ^ number).wrapping_mul(0x517c_c1b7_2722_0a95);
        for layout in key.inputs.iter().chain(key.outputs.unwrap_or(&[])) {
            add(layout.dtype as u64);
            layout.shape.iter().for_each(|&size| add(size as u64));
            let strides = layout.strides.filter(|strides| !layout.is_contiguous(strides));
            strides.unwrap_or_default().iter().for_each(|&stride| add(stride as u64));
        }
        // The high bits depend on all numbers.
        let sets = self.slots.len() / WAYS;
        let set = (hash >> 32) as usize & (sets - 1);
        set * WAYS..(set + 1) * WAYS
    }

    /// An empty slot of a set, or else the next one that was not used since the last search (CLOCK replacement).
    fn slot_to_replace(&self, set: Range<usize>) -> usize {
        if let Some(empty) = set.clone().find(|&slot| self.slots[slot].load().is_none()) {
            return empty;
        }
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let mut slots = (0..WAYS).map(|i| set.start + (first + i) % WAYS);
        let was_used = |slot: usize| {
            self.slots[slot].load().as_ref().is_some_and(|entry| entry.was_used.swap(false, Ordering::Relaxed))
        };
        slots.find(|&slot| !was_used(slot)).unwrap_or(set.start + first % WAYS)
    }
}

impl Entry {
    fn is_for(&self, key: Key<'_>) -> bool {
        let are_equal = |given: &[LayoutParts<'_>], own: &[Layout]| {
            given.len() == own.len() && given.iter().zip(own).all(|(given, own)| *given == own.into())
        };
        self.has_given_outputs == key.outputs.is_some()
            && are_equal(key.inputs, self.plan.input_layouts())
            && key.outputs.is_none_or(|outputs| are_equal(outputs, self.plan.output_layouts()))
    }
}
