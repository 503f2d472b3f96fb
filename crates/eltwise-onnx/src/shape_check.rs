//! Shapes of a call: [`ShapeCheck`] knows which operands the nodes of a group accept.
//!
//! The expressions of a group broadcast all operands with each other. ONNX is stricter: a scale has one element, or as many as an axis.

use std::collections::HashMap;

use crate::graph::GraphNode;
use crate::node::{Alignment, View};
use crate::operators::ResultShape;

/// The nodes of a group, for the shapes of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShapeCheck {
    nodes: Vec<CheckedNode>,
    /// The shapes of constants that are immediate operands.
    constants: HashMap<usize, Vec<usize>>,
}

/// What the shapes of a node depend on.
#[derive(Clone, Debug)]
struct CheckedNode {
    op_type: String,
    shape: ResultShape,
    /// The operands and the first result, as indices of values.
    operands: Vec<Option<usize>>,
    result: Option<usize>,
    /// The elements of operand 1 of `Expand`.
    integers: Option<Vec<i64>>,
    /// How scales and zero points are aligned.
    alignment: Option<Alignment>,
    /// The operands that have no view, because the model declares that they have one element.
    plain: Vec<usize>,
    /// The rank of operand 0, as the model declares it: views count its axes.
    rank: Option<usize>,
}

impl ShapeCheck {
    /// Adds a node. `views` are those that its operands need, `plain` the operands that are taken without theirs, and `rank` that of
    /// operand 0, if the model declares it.
    pub(crate) fn add(
        &mut self,
        node: &GraphNode<'_>,
        shape: ResultShape,
        integers: Option<Vec<i64>>,
        views: &[(usize, View)],
        (plain, rank): (Vec<usize>, Option<usize>),
    ) {
        self.nodes.push(CheckedNode {
            op_type: node.node.op_type.into(),
            shape,
            operands: node.operands.clone(),
            result: node.results.first().copied().flatten(),
            integers,
            alignment: views.iter().find(|(operand, _)| *operand > 0).map(|(_, view)| view.alignment),
            plain,
            rank,
        });
    }

    /// Adds the shape of a constant that is no input of the program.
    pub(crate) fn add_constant(&mut self, value: usize, shape: Vec<usize>) {
        self.constants.insert(value, shape);
    }

    /// Checks the shapes of the inputs of a call.
    pub(crate) fn check<'s>(&self, shape_of: impl Fn(usize) -> Option<&'s [usize]>) -> Result<(), String> {
        let mut results: HashMap<usize, Vec<usize>> = HashMap::new();
        for node in &self.nodes {
            let shape = |operand: usize| {
                let value = node.operands.get(operand).copied().flatten()?;
                let known = results.get(&value).or_else(|| self.constants.get(&value));
                known.cloned().or_else(|| shape_of(value).map(<[usize]>::to_vec))
            };
            let shapes: Vec<Option<Vec<usize>>> = (0..node.operands.len()).map(shape).collect();
            let which = |why| if self.nodes.len() == 1 { why } else { format!("{}: {why}", node.op_type) };
            let computed = node.result_shape(&shapes).map_err(which)?;
            results.extend(node.result.zip(computed));
        }
        Ok(())
    }
}

impl CheckedNode {
    /// The shape of the result; `None` if that of an operand is not known.
    fn result_shape(&self, shapes: &[Option<Vec<usize>>]) -> Result<Option<Vec<usize>>, String> {
        let Some(Some(first)) = shapes.first() else { return Ok(None) };
        let others = || shapes.iter().enumerate().skip(1).filter_map(|(i, shape)| Some((i, shape.as_ref()?)));
        match self.shape {
            ResultShape::Broadcast => {
                let mut joined = first.clone();
                for (_, shape) in others() {
                    joined = broadcast(&joined, shape)?;
                }
                return Ok((self.operands.iter().flatten().count() == 1 + others().count()).then_some(joined));
            }
            ResultShape::Expanded => {
                let sizes = self.integers.iter().flatten().map(|&size| usize::try_from(size).unwrap_or(0));
                return broadcast(first, &sizes.collect::<Vec<usize>>()).map(Some);
            }
            ResultShape::Channels => {
                let channels = first.get(1).copied().unwrap_or(1);
                for (i, shape) in others() {
                    expect(i, shape, &[channels], first)?;
                }
            }
            ResultShape::Bias => {
                for (i, shape) in others() {
                    let last = first.last().ok_or("operand 0 is a scalar, expected a last axis")?;
                    expect(i, shape, &[*last], first)?;
                }
            }
            ResultShape::Scalars => others().try_for_each(|(i, shape)| expect_one_element(i, shape))?,
            ResultShape::QLinear => {
                others().filter(|(i, _)| *i != 3).try_for_each(|(i, shape)| expect_one_element(i, shape))?;
                let Some(Some(second)) = shapes.get(3) else { return Ok(None) };
                return broadcast(first, second).map(Some);
            }
            ResultShape::Quantised => {
                for (i, shape) in others() {
                    self.check_scale(i, shape, first)?;
                }
                if let [_, Some(scale), Some(zero_point)] = shapes
                    && scale != zero_point
                    && !(is_one_element(scale) && is_one_element(zero_point))
                {
                    return Err(format!("a scale of shape {scale:?} has a zero point of shape {zero_point:?}"));
                }
            }
            ResultShape::Like => {}
        }
        Ok(Some(first.clone()))
    }

    /// Checks the shape of a scale or a zero point of an operand 0 with shape `x`.
    fn check_scale(&self, operand: usize, shape: &[usize], x: &[usize]) -> Result<(), String> {
        let index = |axis: i64| {
            let number = if axis < 0 { axis + x.len() as i64 } else { axis };
            let index = usize::try_from(number).ok().filter(|&index| index < x.len());
            index.ok_or_else(|| format!("axis {axis} is not an axis of an operand of shape {x:?}"))
        };
        let expected = match self.alignment {
            Some(Alignment::Blocks { axis, size }) => {
                let (mut expected, index) = (x.to_vec(), index(axis)?);
                if !x[index].is_multiple_of(size) {
                    let found = x[index];
                    return Err(format!("axis {axis} has {found} elements, expected a multiple of block_size {size}"));
                }
                expected[index] /= size;
                expected
            }
            _ if is_one_element(shape) => return Ok(()),
            _ if self.plain.contains(&operand) => {
                return Err(format!("operand {operand} has shape {shape:?}, and the model declares one element"));
            }
            Some(Alignment::AlongAxis(axis)) => vec![x[index(axis)?]],
            _ => vec![],
        };
        if let Some(rank) = self.rank.filter(|&rank| rank != x.len()) {
            return Err(format!("operand 0 has shape {x:?}, and the model declares rank {rank}"));
        }
        expect(operand, shape, &expected, x)
    }
}

fn is_one_element(shape: &[usize]) -> bool {
    matches!(shape, [] | [1])
}

fn expect_one_element(operand: usize, shape: &[usize]) -> Result<(), String> {
    match is_one_element(shape) {
        true => Ok(()),
        false => Err(format!("operand {operand} has shape {shape:?}, expected one element")),
    }
}

/// Checks the shape of an operand next to an operand 0 of shape `x`.
fn expect(operand: usize, shape: &[usize], expected: &[usize], x: &[usize]) -> Result<(), String> {
    if shape == expected {
        return Ok(());
    }
    Err(format!("operand {operand} has shape {shape:?}, expected {expected:?} for an operand of shape {x:?}"))
}

/// The shape to which two shapes broadcast.
fn broadcast(a: &[usize], b: &[usize]) -> Result<Vec<usize>, String> {
    let (longer, shorter) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut joined = longer.to_vec();
    for (joined, &size) in joined[longer.len() - shorter.len()..].iter_mut().zip(shorter) {
        match (*joined, size) {
            (1, other) => *joined = other,
            (_, 1) => {}
            (own, other) if own == other => {}
            _ => return Err(format!("cannot broadcast {a:?} with {b:?}")),
        }
    }
    Ok(joined)
}
