//! What the tests share: programs over arrays.

use eltwise::{Array, Program};
use eltwise_onnx::View;

/// Runs a program over arrays.
pub(crate) fn run(program: &Program, arrays: &[&Array]) -> Vec<Array> {
    let layouts: Vec<_> = arrays.iter().map(|array| array.layout()).collect();
    let plan = program.bind(&layouts).unwrap();
    let mut outs: Vec<Array> = plan.output_layouts().iter().map(|l| Array::with_layout(l.clone()).unwrap()).collect();
    let inputs: Vec<_> = arrays.iter().map(|array| array.view()).collect();
    let mut views: Vec<_> = outs.iter_mut().map(Array::view_mut).collect();
    let _ = plan.run(&inputs, &mut views).unwrap();
    outs
}

/// An array in the shape of a view, if there is one. `shape` is that of its elements, and `rank` that of the operand that aligns it.
pub(crate) fn viewed(array: &Array, view: Option<View>, shape: &[usize], rank: usize) -> Array {
    let Some(view) = view else { return array.clone() };
    let mut copy = Array::zeros(array.dtype(), view.shape(shape, rank).unwrap()).unwrap();
    copy.bytes_mut().copy_from_slice(array.bytes());
    copy
}
