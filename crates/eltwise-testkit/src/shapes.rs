//! Shapes that broadcast, in every mode.

use eltwise::{Broadcast, Op, Shape};
use proptest::prelude::*;

use crate::arrangement::MOST_AXES;

/// Operand shapes, and the mode that brings them together.
#[derive(Clone, Debug)]
pub struct Family {
    /// How they come together.
    pub mode: Broadcast,
    /// The shape of each operand.
    pub shapes: Vec<Shape>,
}

/// A shape of rank 0 to 8 with sizes 0 to 70 and at most `most` elements.
pub fn shape(most: usize) -> impl Strategy<Value = Shape> {
    let size = prop_oneof![
        30 => 2..5usize,
        15 => Just(1usize),
        20 => 5..18usize,
        20 => 18..71usize,
        1 => Just(0usize),
    ];
    (prop::collection::vec(size, 0..=8), any::<u8>()).prop_map(move |(mut sizes, turn)| {
        // Another axis comes first each time, so that not the same axes are cut down.
        let (rank, mut left) = (sizes.len(), most);
        for i in 0..rank {
            let size = &mut sizes[(i + usize::from(turn)) % rank];
            *size = (*size).min(left);
            left /= (*size).max(1);
            left = left.max(1);
        }
        sizes.into_iter().collect()
    })
}

/// A shape of mostly few and sometimes up to 20,000 elements.
pub fn any_shape() -> impl Strategy<Value = Shape> {
    prop_oneof![6 => shape(300), 3 => shape(3_000), 1 => shape(20_000)]
}

/// How one operand differs from the common shape.
#[derive(Clone, Copy, Debug)]
struct Reduced {
    /// Leading axes that it lacks.
    drop: u8,
    /// Axes on which its size is 1.
    ones: u16,
}

impl Reduced {
    /// The shape without its first axes, with ones.
    fn of(self, shape: &[usize]) -> Shape {
        let drop = usize::from(self.drop).min(shape.len());
        (drop..shape.len()).map(|a| if self.ones >> (a % MOST_AXES) & 1 == 1 { 1 } else { shape[a] }).collect()
    }
}

fn reduced() -> impl Strategy<Value = Reduced> {
    let drop = prop_oneof![3 => Just(0u8), 1 => 0..9u8];
    let ones = prop_oneof![3 => Just(0u16), 2 => any::<u16>(), 1 => Just(u16::MAX)];
    (drop, ones).prop_map(|(drop, ones)| Reduced { drop, ones })
}

/// Shapes for the operands of `op`, in any mode that it takes; operators over any number of operands get up to four.
pub fn family(op: Op) -> impl Strategy<Value = Family> {
    let counts = *op.counts().start()..=(*op.counts().end()).min(4);
    (any_shape(), prop::array::uniform4(reduced()), any::<u8>(), any::<(u8, u8, u8)>(), counts).prop_map(
        move |(common, reduced, mode, place, count)| match (count, mode % 5) {
            (1, _) if op == Op::BroadcastTo => {
                let (input, target) = (reduced[0].of(&common), reduced[1].of(&common));
                Family { mode: Broadcast::Bidirectional { target }, shapes: vec![input] }
            }
            (arity, 0) => Family { mode: Broadcast::None, shapes: vec![common; arity] },
            (2, 1) => Family { mode: Broadcast::Unidirectional, shapes: vec![common.clone(), reduced[1].of(&common)] },
            (2, 2) => pdpd(&common, reduced[1].ones, place),
            (arity, _) => {
                let shapes = reduced[..arity].iter().map(|r| r.of(&common)).collect();
                Family { mode: Broadcast::Numpy, shapes }
            }
        },
    )
}

/// B is a run of A's axes, some of them 1, with 1s behind that do not count.
fn pdpd(a: &Shape, ones: u16, (start, length, behind): (u8, u8, u8)) -> Family {
    let rank = a.rank();
    let start = usize::from(start) % (rank + 1);
    let length = usize::from(length) % (rank - start + 1);
    let mut b: Vec<usize> = a[start..start + length].to_vec();
    for (i, size) in b.iter_mut().enumerate() {
        if ones >> (i % MOST_AXES) & 1 == 1 {
            *size = 1;
        }
    }
    b.extend(vec![1; usize::from(behind) % (rank - length + 1)]);
    let axis = if start == rank - b.len() && behind.is_multiple_of(2) { -1 } else { start as i64 };
    Family { mode: Broadcast::Pdpd { axis }, shapes: vec![a.clone(), b.into_iter().collect()] }
}
