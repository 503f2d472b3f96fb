//! Checks before a run: the number of operands, their layouts, and the scratch. Overlaps are in `alias.rs`.

use core::mem::MaybeUninit;

use eltwise_core::{Error, Layout};

use crate::plan::Plan;

impl Plan {
    /// Checks the number of operands.
    #[inline]
    pub(super) fn check_counts(&self, inputs: usize, outputs: usize) -> Result<(), Error> {
        let (ins, outs) = (self.0.inputs.len(), self.0.outputs.len());
        if inputs != ins {
            return Err(Error::Count { what: "inputs", given: inputs, expected: ins });
        }
        if outputs != outs {
            return Err(Error::Count { what: "outputs", given: outputs, expected: outs });
        }
        Ok(())
    }

    /// Checks that layouts are those the plan was bound to. Strides of axes of size 1 may differ.
    #[inline]
    pub(super) fn check_layouts<'l>(
        &self,
        inputs: impl ExactSizeIterator<Item = &'l Layout> + Clone,
        outputs: impl ExactSizeIterator<Item = &'l Layout> + Clone,
    ) -> Result<(), Error> {
        if have_layouts(inputs.clone(), &self.0.inputs) && have_layouts(outputs.clone(), &self.0.outputs) {
            return Ok(());
        }
        self.layouts_error(inputs, outputs)
    }

    /// The error of [`Plan::check_layouts`].
    #[cold]
    #[inline(never)]
    fn layouts_error<'l>(
        &self,
        inputs: impl ExactSizeIterator<Item = &'l Layout>,
        outputs: impl ExactSizeIterator<Item = &'l Layout>,
    ) -> Result<(), Error> {
        self.check_counts(inputs.len(), outputs.len())?;
        for (i, (given, expected)) in inputs.zip(&self.0.inputs).enumerate() {
            if !given.places_as(expected) {
                return Err(layout_error(self.input_name(i), given, expected));
            }
        }
        for (o, (given, expected)) in outputs.zip(&self.0.outputs).enumerate() {
            if !given.places_as(expected) {
                return Err(layout_error(format!("output {o}"), given, expected));
            }
        }
        Ok(())
    }

    /// Checks that the caller's scratch, if there is any, is large enough.
    #[inline]
    pub(super) fn check_scratch(&self, scratch: Option<&[MaybeUninit<u8>]>) -> Result<(), Error> {
        match scratch.map(<[_]>::len) {
            Some(given) if given < self.scratch() => {
                Err(Error::Bounds { what: "scratch (bytes)".into(), needed: self.scratch(), given })
            }
            _ => Ok(()),
        }
    }

    /// The name of an input in errors.
    pub(super) fn input_name(&self, input: usize) -> String {
        format!("input {}", self.0.program.inputs()[input].name)
    }
}

/// Whether layouts are as many as expected, and place their elements as these do.
#[inline(always)]
pub(super) fn have_layouts<'l>(given: impl ExactSizeIterator<Item = &'l Layout>, expected: &[Layout]) -> bool {
    given.len() == expected.len() && given.zip(expected).all(|(given, expected)| given.places_as(expected))
}

/// The error of an operand whose layout is not the one that the plan was bound to.
fn layout_error(what: String, given: &Layout, expected: &Layout) -> Error {
    if given.dtype() != expected.dtype() {
        Error::DType { what, given: given.dtype(), expected: expected.dtype() }
    } else if given.shape() != expected.shape() {
        Error::Shape { what, given: given.shape().clone(), expected: expected.shape().clone() }
    } else {
        Error::Strides { what, given: given.strides().clone(), expected: expected.strides().clone() }
    }
}
