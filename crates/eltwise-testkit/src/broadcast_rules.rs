//! The broadcasting rules as NumPy, ONNX and PaddlePaddle define them, axis by axis, as a reference for the planner.

use eltwise_core::Broadcast;
use eltwise_plan::ir::program::{Node, Program};

/// The common shape by NumPy's rule. `None` if the shapes do not broadcast.
pub fn numpy(shapes: &[Vec<usize>]) -> Option<Vec<usize>> {
    let rank = shapes.iter().map(Vec::len).max()?;
    let axis_from_the_right = |axis: usize| {
        let sizes = shapes.iter().map(|s| if axis < s.len() { s[s.len() - 1 - axis] } else { 1 });
        let mut not_one: Vec<usize> = sizes.filter(|&size| size != 1).collect();
        not_one.dedup();
        match not_one[..] {
            [] => Some(1),
            [size] => Some(size),
            _ => None,
        }
    };
    (0..rank).rev().map(axis_from_the_right).collect()
}

/// The shape of B, padded with 1s to the rank of A, by PaddlePaddle's rule. `None` if the shapes do not broadcast.
pub fn pdpd(a: &[usize], b: &[usize], axis: i64) -> Option<Vec<usize>> {
    if b.len() > a.len() || axis < -1 {
        return None;
    }
    let start = if axis == -1 { a.len() - b.len() } else { usize::try_from(axis).ok()? };
    let mut trimmed = b.to_vec();
    while trimmed.last() == Some(&1) {
        trimmed.pop();
    }
    if start > a.len() || trimmed.len() > a.len() - start {
        return None;
    }
    let mut padded = vec![1; start];
    padded.extend(trimmed);
    padded.resize(a.len(), 1);
    padded.iter().zip(a).all(|(&b, &a)| b == 1 || b == a).then_some(padded)
}

/// Whether the number of elements of a shape is at most `isize::MAX`.
pub fn is_countable(dims: &[usize]) -> bool {
    dims.contains(&0)
        || dims.iter().try_fold(1u128, |n, &d| n.checked_mul(d as u128)).is_some_and(|n| n <= isize::MAX as u128)
}

/// The common shape in a mode. `None` if the shapes do not broadcast.
pub fn common(mode: &Broadcast, shapes: &[Vec<usize>]) -> Option<Vec<usize>> {
    match mode {
        Broadcast::None => shapes.iter().all(|s| *s == shapes[0]).then(|| shapes[0].clone()),
        Broadcast::Numpy => numpy(shapes),
        Broadcast::Unidirectional => numpy(shapes).filter(|common| *common == shapes[0]),
        Broadcast::Pdpd { axis } => pdpd(&shapes[0], &shapes[1], *axis).map(|_| shapes[0].clone()),
        Broadcast::Bidirectional { target } => numpy(&[shapes[0].clone(), target.to_vec()]),
        _ => None,
    }
}

/// The axis of the common shape, of `rank` axes, that axis 0 of operand `operand` is aligned with.
pub fn start(mode: &Broadcast, rank: usize, operand: usize, shape: &[usize]) -> usize {
    match mode {
        Broadcast::None => 0,
        Broadcast::Pdpd { axis: 0.. } if operand == 0 => 0,
        Broadcast::Pdpd { axis: axis @ 0.. } => *axis as usize,
        _ => rank - shape.len(),
    }
}

/// The shapes of all values of a program, for the shapes of its inputs. `None` if a step does not broadcast or is too
/// large.
pub fn shapes(program: &Program, inputs: &[Vec<usize>]) -> Option<Vec<Vec<usize>>> {
    let mut shapes: Vec<Vec<usize>> = Vec::new();
    for value in program.values() {
        let shape = match &value.node {
            Node::Input(i) => inputs[*i].clone(),
            Node::Step { args, broadcast, .. } | Node::Custom { args, broadcast, .. } => {
                let args: Vec<Vec<usize>> = args.iter().map(|a| shapes[a.index()].clone()).collect();
                common(broadcast, &args).filter(|shape| is_countable(shape))?
            }
            _ => Vec::new(),
        };
        shapes.push(shape);
    }
    Some(shapes)
}

/// The indices of all elements of a shape in C order.
pub fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let count: usize = if shape.contains(&0) { 0 } else { shape.iter().product() };
    (0..count).map(move |mut position| {
        let mut index = vec![0; shape.len()];
        for (i, &size) in index.iter_mut().zip(shape).rev() {
            *i = position % size;
            position /= size;
        }
        index
    })
}
