//! The layouts of outputs: given layouts are checked, missing ones are chosen.
//!
//! [`Binding::set_outputs`] chooses as NumPy's `order="K"` does: dense, in the axis order of the inputs.

use alloc::format;

use eltwise_core::{DType, Error, Layout, Shape, Strides, shape::INLINE_RANK};
use smallvec::SmallVec;

use crate::bind::{AxisStrides, Binding, Layouts, WrittenValue};
use crate::ir::program::Program;

impl Binding {
    /// Takes or chooses the layouts of the written values. The caller gives layouts of outputs only, so layouts of
    /// values stored between stages are always chosen.
    pub(super) fn set_outputs(
        &mut self,
        program: &Program,
        written: &[WrittenValue],
        layouts: Layouts<'_>,
    ) -> Result<(), Error> {
        let expected = program.outputs().len();
        if let Some(given) = layouts.outputs.map(<[_]>::len).filter(|&given| given != expected) {
            return Err(Error::Count { what: "outputs", given, expected });
        }
        for (operand, &WrittenValue { value, index }) in written.iter().enumerate() {
            let dtype = program.value(value).dtype;
            let layout = match layouts.outputs.and_then(|given| given.get(index)) {
                Some(&given) => {
                    check_output(given, index, dtype, &self.shape)?;
                    given.clone()
                }
                None if layouts.c_order => Layout::contiguous(dtype, self.shape.clone())?,
                None => self.dense_like_inputs(dtype)?,
            };
            let strides = &mut self.operands[operand].strides;
            *strides = AxisStrides::zeros(self.shape.rank());
            for (stride, (&d, &s)) in strides.iter_mut().zip(layout.shape().iter().zip(layout.strides().iter())) {
                *stride = if d == 1 { 0 } else { s };
            }
            self.outputs.push(layout);
        }
        Ok(())
    }

    /// Whether the strides of the inputs place axis `a` outside axis `b`, which is outside `a` in C order; `None` if no input
    /// moves along both.
    fn is_outside(&self, a: usize, b: usize) -> Option<bool> {
        let mut outside = None;
        for operand in self.operands.iter().filter(|l| !l.output) {
            let (sa, sb) = (operand.strides[a].unsigned_abs(), operand.strides[b].unsigned_abs());
            if sa != 0 && sb != 0 {
                outside = Some(sa > sb && outside.unwrap_or(true));
            }
        }
        outside
    }

    /// A dense layout in the axis order of the inputs' strides; in C order if they do not decide.
    fn dense_like_inputs(&self, dtype: DType) -> Result<Layout, Error> {
        let contiguous = Layout::contiguous(dtype, self.shape.clone())?;
        // Axes of size 1 neither decide nor take part in the order.
        let mut order: SmallVec<[usize; INLINE_RANK]> =
            (0..self.shape.rank()).rev().filter(|&axis| self.shape[axis] > 1).collect();
        // NumPy's order "K": an insertion sort, innermost first. An axis moves inward past another if every input that moves
        // along both has the smaller stride along it; in a conflict C order wins. It passes axes that no input compares with it.
        for i in 1..order.len() {
            let mut to = i;
            for j in (0..i).rev() {
                match self.is_outside(order[j], order[i]) {
                    Some(true) => to = j,
                    Some(false) => break,
                    None => {}
                }
            }
            order[to..=i].rotate_right(1);
        }
        if order.is_sorted_by(|a, b| a > b) || self.shape.contains(&0) {
            return Ok(contiguous);
        }
        let mut strides = AxisStrides::zeros(self.shape.rank());
        strides.fill(dtype.size() as isize);
        let mut step = dtype.size() as isize;
        for &axis in &order {
            strides[axis] = step;
            step = step.wrapping_mul(self.shape[axis] as isize);
        }
        Layout::strided(dtype, self.shape.clone(), Strides::new(&strides))
    }
}

fn check_output(layout: &Layout, index: usize, dtype: DType, shape: &Shape) -> Result<(), Error> {
    if layout.dtype() != dtype {
        return Err(Error::DType { what: format!("output {index}"), given: layout.dtype(), expected: dtype });
    }
    if layout.shape() != shape {
        return Err(Error::Shape {
            what: format!("output {index}"),
            given: layout.shape().clone(),
            expected: shape.clone(),
        });
    }
    if layout.overlaps_itself() {
        return Err(Error::OverlappingOutput {
            what: format!("output {index}"),
            shape: shape.clone(),
            strides: layout.strides().clone(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use eltwise_core::{Broadcast, Op};

    fn chosen(shape: &[usize], inputs: &[&[isize]]) -> Strides {
        let dtypes: SmallVec<[DType; 4]> = inputs.iter().map(|_| DType::F32).collect();
        let op = if inputs.len() == 1 { Op::Negative } else { Op::Add };
        let program = Program::single(op, &dtypes, None, Broadcast::Numpy).unwrap();
        let layouts: SmallVec<[Layout; 4]> =
            inputs.iter().map(|&s| Layout::strided(DType::F32, shape, s).unwrap()).collect();
        let layouts: SmallVec<[&Layout; 4]> = layouts.iter().collect();
        Binding::new(&program, &layouts, None, false).unwrap().outputs[0].strides().clone()
    }

    #[test]
    fn outputs_follow_the_inputs_and_c_order_wins_conflicts() {
        assert_eq!(chosen(&[3, 5], &[&[4, 12]]).values(), [4, 12]);
        assert_eq!(chosen(&[3, 5], &[&[4, 12], &[4, 12]]).values(), [4, 12]);
        assert_eq!(chosen(&[3, 5], &[&[4, 12], &[20, 4]]).values(), [20, 4]);
        assert_eq!(chosen(&[3, 5], &[&[20, 4], &[4, 12]]).values(), [20, 4]);
        // An operand decides only between axes along which it moves; the sign of a stride does not matter; an axis along
        // which no input moves does not stop the sort.
        assert_eq!(chosen(&[3, 5], &[&[4, 12], &[0, 4]]).values(), [4, 12]);
        assert_eq!(chosen(&[3, 5], &[&[-4, -12]]).values(), [4, 12]);
        assert_eq!(chosen(&[2, 3, 5], &[&[4, 0, 8]]).values(), [4, 40, 8]);
        // Axes of size 1 take no part in the order.
        assert_eq!(chosen(&[3, 1, 5], &[&[4, 60, 12]]).values(), [4, 4, 12]);
        assert_eq!(chosen(&[3, 1, 5], &[&[20, 4, 4]]).values(), [20, 20, 4]);
    }
}
