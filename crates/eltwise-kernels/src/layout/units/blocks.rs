//! How a call is cut into blocks, and which loop computes each.

use eltwise_core::tables::{BOTH_WINDOWS, HELD_BYTES, LOOP_WINDOWS, SHARED_VECTORS};
use eltwise_simd::{Entry, Windows};

use super::loops::{Block, Loop};
use super::reader::{CONTIGUOUS, Held, Reader, SPLAT, UnitToken, is_permuted};
use super::{Select, UnitCall, UnitOperand, UnitSource};

/// A call and the loops of its operator. A pointer to the call, because the argument of an entry has no lifetime.
pub(super) struct Job {
    pub(super) call: *const UnitCall,
    pub(super) select: Select,
}

/// Computes calls over elements of `SIZE` bytes, or of several times as many, a block after the other.
pub(super) struct Blocks<const SIZE: usize>;

impl<L: UnitToken<SIZE>, const SIZE: usize> Entry<L, Job> for Blocks<SIZE> {
    #[inline(always)]
    unsafe fn run(l: L, job: &Job) {
        // SAFETY: the caller's contract.
        unsafe { all(l, job) };
    }
}

/// Computes all units of a call.
///
/// # Safety
/// As for [`UnitKernel::run`](super::UnitKernel::run).
#[inline(always)]
unsafe fn all<L: UnitToken<SIZE>, const SIZE: usize>(l: L, job: &Job) {
    // SAFETY: the caller's contract.
    let call = unsafe { &*job.call };
    let (bytes, vector) = (call.bytes, <L as Windows<SIZE>>::BYTES);
    let [a, b] = &call.ins;
    let own = usize::from(rank(a, bytes) < rank(b, bytes));
    let other = 1 - own;
    let is_over = a.ptr == call.out.cast_const() || b.ptr == call.out.cast_const();
    let (select, is_swapped) = (job.select, own == 1);
    // SAFETY: the caller's contract: the tables are valid, and the lists of places are as long.
    unsafe {
        let tables = &*call.tables;
        let places = tables.get::<i64>(call.rows[0]);
        let own = Reader::new(&call.ins[own], tables.get(call.rows[1 + own]), tables);
        let other = Reader::new(&call.ins[other], tables.get(call.rows[1 + other]), tables);
        let (out, step, rows, units) = (call.out, call.step, 0..places.len(), 0..call.units);
        let mut block = Block { out, step, bytes, places: places.as_ptr(), own, other, rows, units, vectors: 0 };
        if !own.is_held(bytes, vector) && !other.is_held(bytes, vector) {
            compute(&mut block, vector, is_over, |way| select(way, is_swapped));
            return;
        }
        let mut held = [Held::uninit(); 2];
        let [own_held, other_held] = &mut held;
        let mut row = 0;
        while row < places.len() {
            block.rows = row..places.len();
            block.own = own.hold(l, bytes, &mut block.rows, own_held);
            block.other = other.hold(l, bytes, &mut block.rows, other_held);
            row = block.rows.end;
            compute(&mut block, vector, is_over, |way| select(way, is_swapped));
        }
    }
}

/// An operand with the higher rank is the own one: one that is permuted for each unit, rather than a contiguous one, rather than
/// one that is permuted once for all units, rather than one element.
fn rank(operand: &UnitOperand, bytes: usize) -> usize {
    match (operand.source, operand.step) {
        (UnitSource::Permuted(_), 0) if bytes <= HELD_BYTES => 1,
        (UnitSource::Permuted(_), _) => 3,
        (UnitSource::Contiguous, _) => 2,
        (UnitSource::Splat, _) => 0,
    }
}

/// Computes a block. `vector`: bytes of a vector. `is_over`: whether the output is over an operand; then no element is computed again.
///
/// # Safety
/// As for [`UnitKernel::run`](super::UnitKernel::run).
unsafe fn compute(block: &mut Block, vector: usize, is_over: bool, select: impl Fn(Loop) -> unsafe fn(&Block)) {
    let (all, units) = (block.bytes.div_ceil(vector), block.units.len());
    // Whole vectors of the last units of a row would reach into what follows the row.
    let short = if block.bytes < vector { units_at_end(block, vector, is_over) } else { 0 };
    let way = if short < units { loop_of(block, vector) } else { Loop::Any };
    let vectors = match way {
        Loop::Any => 0,
        _ if is_over => block.bytes / vector,
        _ => all,
    };
    let loops = Loops { whole: select(way), any: select(Loop::Any), all };
    block.vectors = vectors;
    // SAFETY: the caller's contract.
    unsafe {
        if vectors == 0 || (short == 0 && is_inside(block)) {
            loops.run(block);
            return;
        }
        // Each row has units of its own that the loop does not compute.
        for row in block.rows.clone() {
            block.rows = row..row + 1;
            block.units = 0..inside(block, row).min(units - short);
            block.vectors = vectors;
            loops.run(block);
            block.units = block.units.end..units;
            block.vectors = 0;
            loops.run(block);
            block.units = 0..units;
        }
    }
}

/// The loops for the operands of a block.
struct Loops {
    /// Computes the first vectors of a unit, as many as the block says.
    whole: unsafe fn(&Block),
    /// Computes the others.
    any: unsafe fn(&Block),
    /// The vectors of a unit.
    all: usize,
}

impl Loops {
    /// Computes the units of a block.
    ///
    /// # Safety
    /// As for [`UnitKernel::run`](super::UnitKernel::run); the first loop may compute so many vectors of each unit.
    unsafe fn run(&self, block: &Block) {
        if block.units.start == block.units.end {
            return;
        }
        // SAFETY: the caller's contract.
        unsafe {
            if block.vectors > 0 {
                (self.whole)(block);
            }
            if block.vectors < self.all {
                (self.any)(block);
            }
        }
    }
}

/// The loop for the operands.
fn loop_of(block: &Block, vector: usize) -> Loop {
    let vectors = block.bytes.div_ceil(vector);
    match (block.own.how, block.other.how) {
        (CONTIGUOUS, CONTIGUOUS)
            if block.other.step == 0 && block.bytes == vectors * vector && vectors <= SHARED_VECTORS =>
        {
            Loop::Shared(vectors)
        }
        (own @ (CONTIGUOUS | 1..=LOOP_WINDOWS), other @ (CONTIGUOUS | SPLAT)) if vectors > 1 => Loop::Units(own, other),
        (own @ (CONTIGUOUS | 1..=LOOP_WINDOWS), other @ (CONTIGUOUS | SPLAT)) => Loop::Vectors(own, other),
        (own @ 1..=BOTH_WINDOWS, other) if own == other && vectors == 1 => Loop::Vectors(own, other),
        _ => Loop::Any,
    }
}

/// How many units at the end of a row must be computed exactly, if units are shorter than a vector and follow each other closely: in
/// the output, and in contiguous operands. Those before may be read and stored as whole vectors: the next unit overwrites what is not
/// the unit's. `usize::MAX` if no unit may.
fn units_at_end(block: &Block, vector: usize, is_over: bool) -> usize {
    let (bytes, mut least) = (block.bytes as isize, block.step);
    let mut is_dense = block.step == bytes && !is_over;
    for operand in [&block.own, &block.other] {
        if operand.how == CONTIGUOUS && operand.step != 0 {
            least = least.min(operand.step);
            is_dense &= operand.step >= bytes && operand.step <= vector as isize;
        }
    }
    if is_dense { (vector - block.bytes).div_ceil(least as usize) } else { usize::MAX }
}

/// How many units of a row come before the first one whose windows end past the readable memory. The block begins with the first unit.
///
/// # Safety
/// There is such a row.
unsafe fn inside(block: &Block, row: usize) -> usize {
    let mut units = block.units.len();
    for operand in [&block.own, &block.other] {
        if is_permuted(operand.how) {
            // SAFETY: the caller's contract.
            units = operand.units_inside(units, unsafe { operand.row(row) });
        }
    }
    units
}

/// Whether all windows are readable.
///
/// # Safety
/// The rows are there.
unsafe fn is_inside(block: &Block) -> bool {
    let has_windows = is_permuted(block.own.how) || is_permuted(block.other.how);
    // SAFETY: the caller's contract.
    !has_windows || block.rows.clone().all(|row| unsafe { inside(block, row) } == block.units.len())
}
