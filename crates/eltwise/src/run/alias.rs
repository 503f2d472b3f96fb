//! Checks that outputs do not overlap other operands in memory that the caller manages: [`Plan::check_at`].

use eltwise_core::{Error, Layout, may_overlap};

use crate::plan::Plan;

impl Plan {
    /// Checks whether the plan may run over operands at these addresses: [`Plan::run_at`] makes the same check. An
    /// address is that of element `[0, 0, ...]`, which is not the lowest one if a stride is negative. Only compares
    /// addresses and dereferences none.
    ///
    /// # Errors
    /// [`Error::Count`] if the number of inputs or outputs is not the program's. [`Error::Alias`] if an output shares a
    /// byte with another operand, except with an input at the same address with the same strides that the plan does not
    /// read after it has written the output.
    pub fn check_at(&self, inputs: &[*const u8], outputs: &[*mut u8]) -> Result<(), Error> {
        self.check_counts(inputs.len(), outputs.len())?;
        self.check_overlap(&|i| inputs[i].cast_mut(), &|o| outputs[o])
    }

    /// Checks that no output shares a byte with another operand, unless it is exactly an input that it may overwrite.
    pub(super) fn check_overlap(
        &self,
        input: &impl Fn(usize) -> *mut u8,
        output: &impl Fn(usize) -> *mut u8,
    ) -> Result<(), Error> {
        for (o, layout) in self.0.outputs.iter().enumerate() {
            let written = (output(o).addr(), layout);
            for (i, layout) in self.0.inputs.iter().enumerate() {
                let read = (input(i).addr(), layout);
                let is_in_place = output(o) == input(i) && self.may_alias(o, i);
                if !is_in_place && may_overlap(written, read) {
                    return Err(alias_error(o, written, || self.input_name(i), read));
                }
            }
            for (p, layout) in self.0.outputs[..o].iter().enumerate() {
                let earlier = (output(p).addr(), layout);
                if may_overlap(written, earlier) {
                    return Err(alias_error(o, written, || format!("output {p}"), earlier));
                }
            }
        }
        Ok(())
    }
}

/// The error of an output that overlaps an operand. `written` and `read` are their addresses and layouts.
#[cold]
#[inline(never)]
fn alias_error(
    output: usize,
    written: (usize, &Layout),
    operand: impl FnOnce() -> String,
    read: (usize, &Layout),
) -> Error {
    let at = |(address, layout): (usize, &Layout)| format!("({layout} at {address:#x})");
    Error::Alias { output: format!("output {output} {}", at(written)), operand: format!("{} {}", operand(), at(read)) }
}

#[cfg(test)]
mod tests {
    use eltwise_core::DType;

    use super::*;
    use crate::Program;

    /// The message of an overlap gives the layouts and the addresses of both operands.
    #[test]
    fn an_overlap_names_layouts_and_addresses() {
        let program = Program::parse("a + 1; a - 1", &[("a", DType::F32)]).unwrap();
        let plan = program.bind(&[&Layout::contiguous(DType::F32, [4]).unwrap()]).unwrap();
        let check = |input: usize, outputs: [usize; 2]| {
            let outputs = outputs.map(core::ptr::without_provenance_mut);
            plan.check_at(&[core::ptr::without_provenance(input)], &outputs).map_err(|e| e.to_string())
        };
        assert_eq!(check(0x1000, [0x2000, 0x3000]), Ok(()));
        let error = check(0x1000, [0x1004, 0x2000]).unwrap_err();
        assert!(error.starts_with("output 0 (f32[4] at 0x1004) overlaps input a (f32[4] at 0x1000): "), "{error}");
        let error = check(0x1000, [0x2000, 0x2000]).unwrap_err();
        assert!(error.starts_with("output 1 (f32[4] at 0x2000) overlaps output 0 (f32[4] at 0x2000): "), "{error}");
    }
}
