//! Chains of steps over tiles: [`ChainShape`] is a chain without addresses, and [`run`](ChainShape::run) calls its kernel.

use core::mem::MaybeUninit;
use core::ops::Range;

use eltwise_core::chain::MAX_LINKS;
use eltwise_kernels::Operand;
use eltwise_kernels::chain::{ChainCall, ChainKernel, Link, LinkPointers, chain_kernel};
use eltwise_plan::Schedule;
use eltwise_plan::bind::loop_nest::Loops;
use eltwise_plan::strategy::chain::{Chain, ChainLink};
use eltwise_plan::tuning::MIN_CHAIN_ROW;
use eltwise_simd::Isa;
use smallvec::SmallVec;

use super::sources::{CallLoop, ShapeOperand, Source, coalesced_loops, source_and_strides};

/// A chain over tiles of one size, without addresses.
#[derive(Clone, Debug)]
pub(super) struct ChainShape {
    /// The steps.
    pub(super) steps: Range<usize>,
    kernel: ChainKernel,
    rows: usize,
    cols: usize,
    first: ShapeOperand,
    links: SmallVec<[Link; 4]>,
    /// The step of each link, and where its operands and its result are.
    sources: SmallVec<[(usize, [Source; LINK_OPERANDS]); 4]>,
    /// The loops around rows and columns, outermost first.
    outer_loops: SmallVec<[ChainLoop; 1]>,
}

/// A loop around the rows and columns of a chain. Its strides are those of the first operand, then of the operands and the result of
/// each link.
type ChainLoop = CallLoop<SmallVec<[isize; INLINE_OPERANDS]>>;

/// The operands of a link: two others and a result.
const LINK_OPERANDS: usize = 3;

/// The operands of a chain of four links: its first, and those of the links. Longer chains are on the heap.
const INLINE_OPERANDS: usize = 1 + 4 * LINK_OPERANDS;

impl ChainShape {
    /// The shape of a chain over a tile of these iterations; `None` if its rows are short, if an operand is strided along them, or if this
    /// build has no kernel.
    pub(super) fn new(schedule: &Schedule, chain: &Chain, steps: &[usize], isa: Isa) -> Option<ChainShape> {
        let kernel = chain_kernel(chain.dtype, isa)?;
        let size = chain.dtype.size();
        // The first operand, then the operands and the result of each link; `true` for results.
        let slot = |link: &ChainLink, k: usize| {
            let number = link.others[k]?;
            Some(schedule.steps[link.step].args[number])
        };
        let first = schedule.steps[chain.steps.start].args[0];
        let mut slots = SmallVec::<[_; INLINE_OPERANDS]>::from_slice(&[(Some(first), false)]);
        for link in &chain.links {
            let result = link.is_last.then(|| schedule.steps[link.step].result);
            slots.extend([(slot(link, 0), false), (slot(link, 1), false), (result, true)]);
        }
        let walked: SmallVec<[(Source, Loops<isize>); INLINE_OPERANDS]> =
            slots.iter().map(|&(slot, _)| source_and_strides(schedule, slot, size, steps)).collect();
        let mut loops: SmallVec<[ChainLoop; 4]> =
            coalesced_loops(steps, |axis| walked.iter().map(|(_, strides)| strides[axis]).collect());
        // The columns are contiguous or one element in all operands.
        let columns = loops.pop()?;
        let is_run = |(k, &stride): (usize, &isize)| {
            let (slot, is_result) = slots[k];
            slot.is_none() || stride == size as isize || stride == 0 && !is_result
        };
        if columns.count * size < MIN_CHAIN_ROW || !columns.strides.iter().enumerate().all(is_run) {
            return None;
        }
        let rows = loops.pop();
        let operand = |k: usize| ShapeOperand {
            source: walked[k].0,
            row: rows.as_ref().map_or(0, |rows| rows.strides[k]),
            splat: columns.strides[k] == 0,
        };
        let mut links = SmallVec::new();
        let mut sources = SmallVec::new();
        for (i, link) in chain.links.iter().enumerate() {
            let all: [ShapeOperand; LINK_OPERANDS] = core::array::from_fn(|k| operand(1 + i * LINK_OPERANDS + k));
            links.push(Link {
                op: link.op,
                position: link.position as u8,
                is_stored: link.is_stored,
                splat: [all[0].splat, all[1].splat],
                row: all.map(|operand| operand.row),
            });
            sources.push((link.step, all.map(|operand| operand.source)));
        }
        Some(ChainShape {
            steps: chain.steps.clone(),
            kernel,
            rows: rows.as_ref().map_or(1, |rows| rows.count),
            cols: columns.count,
            first: operand(0),
            links,
            sources,
            outer_loops: loops.into_iter().collect(),
        })
    }

    /// Computes the steps of the chain before `end` over a tile. `address` gives the first element of a source.
    ///
    /// # Safety
    /// The operands are valid over the tile: inputs for reading, results for writing. The CPU has the ISA of the shape.
    #[inline]
    pub(super) unsafe fn run(&self, end: usize, address: impl Fn(Source) -> *mut u8) {
        let mut pointers = [const { MaybeUninit::<LinkPointers>::uninit() }; MAX_LINKS];
        let mut count = 0;
        for (into, (_, sources)) in pointers.iter_mut().zip(self.sources.iter().take_while(|(step, _)| *step < end)) {
            into.write(sources.map(&address));
            count += 1;
        }
        // SAFETY: so many were just written.
        let pointers = unsafe { core::slice::from_raw_parts_mut(pointers.as_mut_ptr().cast::<LinkPointers>(), count) };
        let first = Operand { ptr: address(self.first.source), row: self.first.row, splat: self.first.splat };
        // SAFETY: the caller's contract.
        unsafe { self.run_iterations(&self.outer_loops, first, pointers) };
    }

    /// Calls the kernel for all iterations of the outer loops.
    ///
    /// # Safety
    /// As for [`ChainShape::run`].
    unsafe fn run_iterations(&self, outer_loops: &[ChainLoop], mut first: Operand, pointers: &mut [LinkPointers]) {
        let Some((outer, inner)) = outer_loops.split_first() else {
            let call = ChainCall {
                rows: self.rows,
                cols: self.cols,
                first,
                count: pointers.len(),
                links: self.links.as_ptr(),
                pointers: pointers.as_ptr(),
            };
            // SAFETY: the caller's contract.
            unsafe { (self.kernel)(&call) };
            return;
        };
        let step = |first: &mut Operand, pointers: &mut [LinkPointers], times: isize| {
            first.ptr = first.ptr.wrapping_offset(outer.strides[0].wrapping_mul(times));
            for (pointer, stride) in pointers.as_flattened_mut().iter_mut().zip(&outer.strides[1..]) {
                *pointer = pointer.wrapping_offset(stride.wrapping_mul(times));
            }
        };
        for _ in 0..outer.count {
            // SAFETY: the caller's contract.
            unsafe { self.run_iterations(inner, first, pointers) };
            step(&mut first, pointers, 1);
        }
        step(&mut first, pointers, -(outer.count as isize));
    }
}
