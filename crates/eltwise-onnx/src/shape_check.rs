//! Shapes of a call: [`ShapeCheck`] knows which operands the nodes of a group accept.
//!
//! The expressions of a group broadcast all operands with each other. ONNX is stricter: a scale has one element, or as many as an axis.

use std::collections::HashMap;

use eltwise::{Broadcast, Shape, broadcast_shapes};

use crate::node::{Alignment, axis_index};
use crate::operators::ResultShape;

/// The nodes of a group, for the shapes of a call.
#[derive(Clone, Debug, Default)]
pub struct ShapeCheck {
    pub(crate) nodes: Vec<CheckedNode>,
    /// The shapes of constants that are immediate operands.
    pub(crate) constants: HashMap<usize, Vec<usize>>,
}

/// What the shapes of a node depend on.
#[derive(Clone, Debug)]
pub(crate) struct CheckedNode {
    pub(crate) op_type: String,
    pub(crate) shape: ResultShape,
    /// The operands and the first result, as indices of values.
    pub(crate) operands: Vec<Option<usize>>,
    pub(crate) result: Option<usize>,
    /// The elements of operand 1 of `Expand`.
    pub(crate) integers: Option<Vec<i64>>,
    /// How scales and zero points are aligned.
    pub(crate) alignment: Option<Alignment>,
    /// The operands that have no view, because the model declares that they have one element.
    pub(crate) plain: Vec<usize>,
    /// The rank of operand 0, as the model declares it: views count its axes.
    pub(crate) rank: Option<usize>,
}

impl ShapeCheck {
    /// Checks the shapes of a call: the program would broadcast operands that the nodes refuse. `shape_of` has the shapes of the values
    /// that are inputs, as the graph has them.
    ///
    /// # Errors
    /// The shapes that were given and what was expected, with the operator if the group has several.
    pub fn check<'s>(&self, shape_of: impl Fn(usize) -> Option<&'s [usize]>) -> Result<(), String> {
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
                let known: Vec<&Vec<usize>> = shapes.iter().flatten().collect();
                let joined = broadcast(&known)?;
                return Ok((self.operands.iter().flatten().count() == known.len()).then_some(joined));
            }
            ResultShape::Expanded => {
                let sizes = self.integers.iter().flatten().map(|&size| usize::try_from(size).unwrap_or(0));
                return broadcast(&[first, &sizes.collect()]).map(Some);
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
                return broadcast(&[first, second]).map(Some);
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
        let expected = match self.alignment {
            Some(Alignment::Blocks { axis, size }) => {
                let (mut expected, index) = (x.to_vec(), axis_index(axis, x.len())?);
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
            Some(Alignment::AlongAxis(axis)) => vec![x[axis_index(axis, x.len())?]],
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

/// The shape to which shapes broadcast.
fn broadcast(shapes: &[&Vec<usize>]) -> Result<Vec<usize>, String> {
    let shapes: Vec<Shape> = shapes.iter().map(|shape| Shape::new(shape)).collect();
    let shapes: Vec<&Shape> = shapes.iter().collect();
    broadcast_shapes(&Broadcast::Numpy, &shapes).map(|shape| shape.to_vec()).map_err(|error| error.to_string())
}
