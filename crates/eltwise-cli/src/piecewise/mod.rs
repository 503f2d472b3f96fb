//! Out-of-core evaluation: evaluates a program over files of any size, piece by piece, in a fixed amount of memory. The main
//! type is [`PiecewiseEval`].
//!
//! A piece is a box of the result; it and the parts of the operands that it is computed from take about a megabyte. A worker
//! thread reads those parts, runs a plan for the layouts of the piece, writes the parts of the results, and takes the next
//! piece.
//!
//! | module | contents |
//! |---|---|
//! | [`piece_grid`] | how the result is divided into pieces |
//! | [`subarray`] | the part of an array that belongs to a piece, as runs of contiguous bytes in its file |
//! | [`preview_collector`] | the first elements of results that are printed instead of written |

mod piece_grid;
mod preview_collector;
mod subarray;

use std::time::{Duration, Instant};

use eltwise::{Array, DType, Layout, Plan, Status, View, ViewMut};

use self::piece_grid::{Piece, PieceGrid};
use self::preview_collector::PreviewCollector;
use self::subarray::Subarray;
use crate::args::Options;
use crate::error::Result;
use crate::expression::Evaluation;
use crate::files::output::Output;
use crate::threads::{Threads, Worker};

/// An evaluation whose results are divided into pieces.
pub(crate) struct PiecewiseEval<'a> {
    evaluation: &'a Evaluation,
    options: &'a Options,
    /// The plan for whole operands and results.
    whole: &'a Plan,
    /// The plan for pieces of full size; `None` if one piece is the whole result.
    piece_plan: Option<Plan>,
    grid: PieceGrid,
    /// Whether a piece needs only its part of each operand. Otherwise there is one piece, with whole operands and results.
    is_split: bool,
}

/// The outcome of a run.
pub(crate) struct EvalOutcome {
    pub(crate) status: Status,
    pub(crate) threads: usize,
    pub(crate) time: Duration,
    /// The first elements of each result, if they are not written to files.
    pub(crate) previews: Vec<String>,
}

impl<'a> PiecewiseEval<'a> {
    /// Divides the results of `whole`, the plan of `evaluation`, into pieces. The results are dense.
    ///
    /// # Errors
    /// A piece that cannot be planned.
    pub(crate) fn new(evaluation: &'a Evaluation, options: &'a Options, whole: &'a Plan) -> Result<PiecewiseEval<'a>> {
        let outputs = whole.output_layouts();
        let shape = outputs.first().map_or(&[][..], |l| l.shape().dims());
        let arrays: Vec<&Layout> = outputs.iter().chain(evaluation.operands.iter().map(|o| o.layout())).collect();
        let is_split = evaluation.aligns_last_axes() && outputs.iter().all(|l| l.shape().dims() == shape);
        let grid = if is_split { PieceGrid::new(shape, &arrays) } else { PieceGrid::whole(shape) };
        let mut eval = PiecewiseEval { evaluation, options, whole, piece_plan: None, grid, is_split };
        if eval.size() != shape {
            let (inputs, outputs) = eval.subarrays(&eval.full_piece())?;
            eval.piece_plan = Some(eval.plan_piece(&inputs, &outputs)?);
        }
        Ok(eval)
    }

    /// The number of pieces.
    pub(crate) fn count(&self) -> usize {
        self.grid.count()
    }

    /// The full size of a piece along each axis. The last piece along an axis may be smaller.
    pub(crate) fn size(&self) -> &[usize] {
        self.grid.size()
    }

    /// The plan of every piece that has the full size.
    pub(crate) fn plan(&self) -> &Plan {
        self.piece_plan.as_ref().unwrap_or(self.whole)
    }

    /// Evaluates every piece. Writes the results to `files`, one for each result. Without files it keeps a preview of each.
    ///
    /// # Errors
    /// The first error of a read, a run or a write.
    pub(crate) fn run(&self, files: &[Output], threads: &Threads) -> Result<EvalOutcome> {
        let previews = PreviewCollector::new(self.whole.output_layouts());
        let started = Instant::now();
        let workers = threads.run(self.grid.count(), || {
            let buffers = PieceBuffers::new(self)?;
            let status = Status::default();
            Ok(PieceWorker { eval: self, files, previews: &previews, buffers, inputs: None, edge_plan: None, status })
        })?;
        let time = started.elapsed();
        let threads = workers.len().max(1);
        let status = workers.into_iter().fold(Status::default(), |status, w| status | w.status);
        let previews = if files.is_empty() { previews.into_previews() } else { Vec::new() };
        Ok(EvalOutcome { status, threads, time, previews })
    }

    /// The first piece, extended to the full size if the result is empty.
    fn full_piece(&self) -> Piece {
        Piece { at: vec![0; self.size().len()], size: self.size().to_vec() }
    }

    /// The parts of the operands and of the results that belong to a piece.
    fn subarrays(&self, piece: &Piece) -> Result<(Vec<Subarray>, Vec<Subarray>)> {
        let subarray = |l| if self.is_split { Subarray::new(l, piece) } else { Subarray::whole(l) };
        let inputs = self.evaluation.operands.iter().map(|o| subarray(o.layout())).collect::<Result<_>>()?;
        Ok((inputs, self.whole.output_layouts().iter().map(subarray).collect::<Result<_>>()?))
    }

    fn plan_piece(&self, inputs: &[Subarray], outputs: &[Subarray]) -> Result<Plan> {
        let inputs: Vec<&Layout> = inputs.iter().map(|s| &s.layout).collect();
        self.evaluation.plan_piece(self.options, &inputs, outputs.iter().map(|s| s.layout.clone()).collect())
    }
}

/// One thread's memory for the operands and results of a piece.
struct PieceBuffers {
    inputs: Vec<Array>,
    outputs: Vec<Array>,
}

impl PieceBuffers {
    fn new(eval: &PiecewiseEval<'_>) -> Result<PieceBuffers> {
        let (inputs, outputs) = eval.subarrays(&eval.full_piece())?;
        let allocate = |subarrays: &[Subarray]| -> Result<Vec<Array>> {
            let buffer = |s: &Subarray| {
                // Reports the shape and dtype of the subarray instead of those of the byte buffer.
                let (shape, element_bytes) = (s.layout.shape().clone(), s.layout.dtype().size());
                let error = |_| eltwise::Error::TooLarge { shape, element_bytes };
                Ok(Array::zeros(DType::U8, [s.bytes()]).map_err(error)?)
            };
            subarrays.iter().map(buffer).collect()
        };
        Ok(PieceBuffers { inputs: allocate(&inputs)?, outputs: allocate(&outputs)? })
    }
}

/// One thread of a run.
struct PieceWorker<'a> {
    eval: &'a PiecewiseEval<'a>,
    files: &'a [Output],
    previews: &'a PreviewCollector<'a>,
    buffers: PieceBuffers,
    /// The parts of the operands that are in the buffers.
    inputs: Option<Vec<Subarray>>,
    /// The last plan for a piece that is smaller than the full size, and its size.
    edge_plan: Option<(Vec<usize>, Plan)>,
    status: Status,
}

impl Worker for PieceWorker<'_> {
    fn task(&mut self, number: usize) -> Result<()> {
        let piece = self.eval.grid.get(number);
        let (inputs, outputs) = self.eval.subarrays(&piece)?;
        self.read(&inputs)?;
        self.evaluate(&piece, &inputs, &outputs)?;
        self.write(&piece, &outputs)?;
        self.inputs = Some(inputs);
        Ok(())
    }
}

impl PieceWorker<'_> {
    /// Reads the operands of a piece into the buffers, except those that the last piece used too.
    fn read(&mut self, inputs: &[Subarray]) -> Result<()> {
        let last = self.inputs.take();
        for (i, (operand, subarray)) in self.eval.evaluation.operands.iter().zip(inputs).enumerate() {
            if last.as_ref().is_none_or(|last| last[i] != *subarray) {
                let buffer = self.buffers.inputs[i].bytes_mut();
                subarray.runs(|at, range| operand.read(&mut buffer[range], at))?;
            }
        }
        Ok(())
    }

    /// Runs the plan of a piece over the buffers.
    fn evaluate(&mut self, piece: &Piece, inputs: &[Subarray], outputs: &[Subarray]) -> Result<()> {
        let is_full_size = piece.size == self.eval.size();
        if !is_full_size && self.edge_plan.as_ref().is_none_or(|(size, _)| *size != piece.size) {
            self.edge_plan = Some((piece.size.clone(), self.eval.plan_piece(inputs, outputs)?));
        }
        let plan = match &self.edge_plan {
            Some((_, plan)) if !is_full_size => plan,
            _ => self.eval.plan(),
        };
        let views = inputs.iter().zip(&self.buffers.inputs);
        let views = views.map(|(s, buffer)| Ok(View::from_bytes(buffer.bytes(), s.layout.clone(), 0)?));
        let results = outputs.iter().zip(&mut self.buffers.outputs);
        let results = results.map(|(s, buffer)| Ok(ViewMut::from_bytes(buffer.bytes_mut(), s.layout.clone(), 0)?));
        let views = views.collect::<Result<Vec<_>>>()?;
        self.status |= plan.run(&views, &mut results.collect::<Result<Vec<_>>>()?)?;
        Ok(())
    }

    /// Writes the results of a piece to their files, or keeps the elements that belong to a preview.
    fn write(&self, piece: &Piece, outputs: &[Subarray]) -> Result<()> {
        for (i, (subarray, buffer)) in outputs.iter().zip(&self.buffers.outputs).enumerate() {
            match self.files.get(i) {
                Some(file) => subarray.runs(|at, range| file.write(&buffer.bytes()[range], at))?,
                None if self.eval.is_split => self.previews.keep(i, piece, subarray, buffer.bytes()),
                None => {
                    let whole = Piece::whole(self.eval.whole.output_layouts()[i].shape().dims());
                    self.previews.keep(i, &whole, subarray, buffer.bytes());
                }
            }
        }
        Ok(())
    }
}
