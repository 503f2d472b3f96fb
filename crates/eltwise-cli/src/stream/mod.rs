//! A run over files of any size: piece by piece, in memory that does not depend on theirs.
//!
//! A piece is a box of the result of about a megabyte with what it is computed from. A thread reads the parts of the
//! inputs that belong to it, runs a plan for its layouts, and writes the parts of the results, then takes the next.

mod firsts;
mod part;
mod pieces;

use std::time::{Duration, Instant};

use eltwise::{Array, DType, Layout, Plan, Status, View, ViewMut};

use self::firsts::Firsts;
use self::part::Part;
use self::pieces::{Piece, Pieces};
use crate::args::Options;
use crate::error::Result;
use crate::expression::Bound;
use crate::files::output::Output;
use crate::threads::{Threads, Worker};

/// An evaluation, cut into pieces.
pub(crate) struct Stream<'a> {
    bound: &'a Bound,
    options: &'a Options,
    outputs: &'a [Layout],
    pieces: Pieces,
    /// Whether a piece needs parts of the operands; else the one piece needs all of each.
    cut: bool,
}

/// What a run was like.
pub(crate) struct Run {
    pub(crate) status: Status,
    pub(crate) threads: usize,
    pub(crate) time: Duration,
    /// The first elements of each result, when they go to no files.
    pub(crate) firsts: Vec<String>,
}

impl<'a> Stream<'a> {
    /// Cuts the evaluation of `bound` into dense results of these layouts.
    pub(crate) fn new(bound: &'a Bound, options: &'a Options, outputs: &'a [Layout]) -> Stream<'a> {
        let shape = outputs.first().map_or(&[][..], |l| l.shape().dims());
        let arrays: Vec<&Layout> = outputs.iter().chain(bound.operands.iter().map(|o| o.layout())).collect();
        let cut = bound.aligns_last_axes() && outputs.iter().all(|l| l.shape().dims() == shape);
        let pieces = if cut { Pieces::new(shape, &arrays) } else { Pieces::whole(shape) };
        Stream { bound, options, outputs, pieces, cut }
    }

    /// How many pieces there are.
    pub(crate) fn count(&self) -> usize {
        self.pieces.count()
    }

    /// The size of a piece along each axis.
    pub(crate) fn size(&self) -> &[usize] {
        self.pieces.size()
    }

    /// The plan of the first piece, which is that of all whole ones.
    pub(crate) fn plan(&self) -> Result<Plan> {
        let zero = vec![0; self.pieces.size().len()];
        let (inputs, outputs) = self.parts(&Piece { at: zero, size: self.pieces.size().to_vec() })?;
        self.bind(&inputs, &outputs)
    }

    /// Computes every piece. The results go to `files`, one each, or nowhere but for their first elements.
    pub(crate) fn run(&self, files: &[Output], threads: &Threads) -> Result<Run> {
        let firsts = Firsts::new(self.outputs);
        let started = Instant::now();
        let workers = threads.run(self.pieces.count(), || {
            let memory = Memory::new(self)?;
            Ok(Runner { stream: self, files, firsts: &firsts, memory, plan: None, status: Status::default() })
        })?;
        let time = started.elapsed();
        let threads = workers.len().max(1);
        let status = workers.into_iter().fold(Status::default(), |status, w| status | w.status);
        let firsts = if files.is_empty() { firsts.texts() } else { Vec::new() };
        Ok(Run { status, threads, time, firsts })
    }

    /// The parts of the inputs and of the results that belong to a piece.
    fn parts(&self, piece: &Piece) -> Result<(Vec<Part>, Vec<Part>)> {
        let part = |l| if self.cut { Part::new(l, piece) } else { Part::whole(l) };
        let inputs = self.bound.operands.iter().map(|o| part(o.layout())).collect::<Result<_>>()?;
        Ok((inputs, self.outputs.iter().map(part).collect::<Result<_>>()?))
    }

    fn bind(&self, inputs: &[Part], outputs: &[Part]) -> Result<Plan> {
        let inputs: Vec<&Layout> = inputs.iter().map(|p| &p.layout).collect();
        self.bound.bind(self.options, &inputs, outputs.iter().map(|p| p.layout.clone()).collect(), self.cut)
    }
}

/// Memory for the parts of one piece.
struct Memory {
    inputs: Vec<Array>,
    outputs: Vec<Array>,
}

impl Memory {
    fn new(stream: &Stream<'_>) -> Result<Memory> {
        let (inputs, outputs) =
            stream.parts(&Piece { at: vec![0; stream.size().len()], size: stream.size().to_vec() })?;
        let of = |parts: &[Part]| -> Result<Vec<Array>> {
            let bytes = |p: &Part| {
                // The error is of the part, not of its bytes.
                let (shape, element_bytes) = (p.layout.shape().clone(), p.layout.dtype().size());
                let error = |_| eltwise::Error::TooLarge { shape, element_bytes };
                Ok(Array::zeros(DType::U8, [p.bytes()]).map_err(error)?)
            };
            parts.iter().map(bytes).collect()
        };
        Ok(Memory { inputs: of(&inputs)?, outputs: of(&outputs)? })
    }
}

/// One thread's share of a run.
struct Runner<'a> {
    stream: &'a Stream<'a>,
    files: &'a [Output],
    firsts: &'a Firsts<'a>,
    memory: Memory,
    /// The plan of the last piece, with its parts.
    plan: Option<(Plan, Vec<Part>, Piece)>,
    status: Status,
}

impl Worker for Runner<'_> {
    fn task(&mut self, number: usize) -> Result<()> {
        let piece = self.stream.pieces.get(number);
        let (inputs, outputs) = self.stream.parts(&piece)?;
        let last = self.plan.take();
        for (i, (operand, part)) in self.stream.bound.operands.iter().zip(&inputs).enumerate() {
            // What repeats is still there from the last piece.
            if last.as_ref().is_none_or(|(_, parts, _)| parts[i] != *part) {
                let memory = self.memory.inputs[i].bytes_mut();
                part.runs(|at, range| operand.read(&mut memory[range], at))?;
            }
        }
        let plan = match last {
            Some((plan, _, like)) if like.size == piece.size => plan,
            _ => self.stream.bind(&inputs, &outputs)?,
        };
        let views = inputs.iter().zip(&self.memory.inputs);
        let views =
            views.map(|(p, m)| Ok(View::from_bytes(m.bytes(), p.layout.clone(), 0)?)).collect::<Result<Vec<_>>>()?;
        let results = outputs.iter().zip(&mut self.memory.outputs);
        let results = results.map(|(p, m)| Ok(ViewMut::from_bytes(m.bytes_mut(), p.layout.clone(), 0)?));
        self.status |= plan.run(&views, &mut results.collect::<Result<Vec<_>>>()?)?;
        for (i, (part, memory)) in outputs.iter().zip(&self.memory.outputs).enumerate() {
            match self.files.get(i) {
                Some(file) => part.runs(|at, range| file.write(&memory.bytes()[range], at))?,
                None if self.stream.cut => self.firsts.keep(i, &piece, part, memory.bytes()),
                None => {
                    let whole = Piece::whole(self.stream.outputs[i].shape().dims());
                    self.firsts.keep(i, &whole, part, memory.bytes());
                }
            }
        }
        self.plan = Some((plan, inputs, piece));
        Ok(())
    }
}
