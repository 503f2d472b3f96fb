//! Shapes of results, as far as a graph tells them: [`Graph::infer_shapes`].

use crate::graph::{Dim, Graph};
use crate::operators::{ResultShape, result_shape};

impl Graph<'_> {
    /// Infers the shapes of results of elementwise nodes from those of their operands.
    ///
    /// An axis keeps a number that the model declares. A symbol is replaced by that of the operands: many models declare every size
    /// that varies as unknown, and a group of nodes needs to know which of them are equal.
    pub fn infer_shapes(&mut self) {
        let symbol = |dim: &Dim| if let Dim::Symbol(symbol) = dim { symbol + 1 } else { 0 };
        let mut next = self.values.iter().flat_map(|value| value.shape.iter().flatten()).map(symbol).max().unwrap_or(0);
        for node in &self.nodes {
            let Some(result) = node.results.first().copied().flatten() else { continue };
            let first = &node.operands[..node.operands.len().min(1)];
            let operands: Vec<Option<usize>> = match result_shape(&node.node) {
                Some(ResultShape::Broadcast) => node.operands.clone(),
                Some(ResultShape::QLinear) => node.operands.iter().step_by(3).take(2).copied().collect(),
                Some(ResultShape::Expanded) | None => continue,
                Some(_) => first.to_vec(),
            };
            let operands: Option<Vec<&[Dim]>> =
                operands.iter().flatten().map(|&operand| self.values[operand].shape.as_deref()).collect();
            let Some(operands) = operands.filter(|operands| !operands.is_empty()) else { continue };
            let computed = broadcast(&operands, broadcast_operands);
            let rank = computed.len();
            let declared = self.values[result].shape.take().filter(|declared| declared.len() == rank);
            let axis = |(axis, computed): (usize, Option<Dim>)| {
                let declared = declared.as_ref().map(|declared| declared[axis]);
                let size = declared.filter(|dim| matches!(dim, Dim::Size(_)));
                size.or(computed).or(declared).unwrap_or_else(|| {
                    next += 1;
                    Dim::Symbol(next - 1)
                })
            };
            self.values[result].shape = Some(computed.into_iter().enumerate().map(axis).collect());
        }
    }
}

/// The shape to which shapes broadcast, by a rule for the sizes of an axis. `None` is an axis for which the rule has no size.
pub(crate) fn broadcast(shapes: &[&[Dim]], rule: fn(Dim, Dim) -> Option<Dim>) -> Vec<Option<Dim>> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut joined = vec![Some(Dim::Size(1)); rank];
    for shape in shapes {
        for (joined, &dim) in joined[rank - shape.len()..].iter_mut().zip(*shape) {
            *joined = joined.and_then(|joined| rule(joined, dim));
        }
    }
    joined
}

/// The size to which two sizes of operands broadcast.
fn broadcast_operands(a: Dim, b: Dim) -> Option<Dim> {
    broadcast_dims(a, b).or(match (a, b) {
        // They broadcast, so the symbol is this number or 1.
        (Dim::Symbol(_), Dim::Size(_)) => Some(b),
        (Dim::Size(_), Dim::Symbol(_)) => Some(a),
        _ => None,
    })
}

/// The size to which two sizes broadcast in every run; `None` if there may be none.
pub(crate) fn broadcast_dims(a: Dim, b: Dim) -> Option<Dim> {
    match (a, b) {
        (Dim::Size(1), other) | (other, Dim::Size(1)) => Some(other),
        _ => (a == b).then_some(a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{GraphNode, Value};
    use crate::node::Node;

    const N: Dim = Dim::Symbol(0);
    const M: Dim = Dim::Symbol(1);

    /// The shape of an operator's result over operands of these shapes, declared as `declared`.
    fn inferred(op_type: &str, operands: &[Option<&[Dim]>], declared: Option<&[Dim]>) -> Option<Vec<Dim>> {
        let value = |shape: &Option<&[Dim]>| Value { shape: shape.map(<[Dim]>::to_vec), ..Value::default() };
        let values = operands.iter().chain([&declared]).map(value).collect();
        let count = operands.len();
        let node = GraphNode {
            node: Node::new(op_type, 18),
            operands: (0..count).map(Some).collect(),
            results: vec![Some(count)],
            is_assigned: false,
        };
        let mut graph = Graph { values, nodes: vec![node] };
        graph.infer_shapes();
        graph.values.pop().unwrap().shape
    }

    #[test]
    fn shapes_are_those_of_operands_as_far_as_they_are_known() {
        let (size, one) = (Dim::Size(8), Dim::Size(1));
        // What the model declares is less than what the operands say.
        assert_eq!(inferred("Exp", &[Some(&[N, size])], Some(&[M, M])), Some(vec![N, size]));
        assert_eq!(inferred("Add", &[Some(&[N, one]), Some(&[one, size])], None), Some(vec![N, size]));
        // The symbol is 8, or the model is wrong, or 1.
        assert_eq!(inferred("Add", &[Some(&[N]), Some(&[size])], None), Some(vec![size]));
        // Two symbols: what is declared, or a new symbol.
        assert_eq!(inferred("Add", &[Some(&[N]), Some(&[M])], Some(&[size])), Some(vec![size]));
        assert_eq!(inferred("Add", &[Some(&[N]), Some(&[M])], None), Some(vec![Dim::Symbol(2)]));
        // Bounds have no part in it.
        assert_eq!(inferred("Clip", &[Some(&[N, size]), Some(&[M])], None), Some(vec![N, size]));
        // Nothing is known of an operand.
        assert_eq!(inferred("Add", &[Some(&[N]), None], Some(&[M])), Some(vec![M]));
        assert_eq!(inferred("MatMul", &[Some(&[N]), Some(&[N])], Some(&[M])), Some(vec![M]));
    }
}
