//! Random operand shapes that broadcast, in every mode: [`broadcast_case`].

use eltwise::{Broadcast, Op, Shape};
use proptest::prelude::*;

use crate::arrangement::MAX_AXES;

/// Operand shapes, and the mode in which they broadcast.
#[derive(Clone, Debug)]
pub struct BroadcastCase {
    /// The broadcast mode.
    pub mode: Broadcast,
    /// The shape of each operand.
    pub shapes: Vec<Shape>,
}

/// A shape of rank 0 to 8 with sizes 0 to 70 and at most `max_elements` elements.
pub fn shape(max_elements: usize) -> impl Strategy<Value = Shape> {
    let size = prop_oneof![
        30 => 2..5usize,
        15 => Just(1usize),
        20 => 5..18usize,
        20 => 18..71usize,
        1 => Just(0usize),
    ];
    (prop::collection::vec(size, 0..=8), any::<u8>()).prop_map(move |(mut sizes, start)| {
        // Start at a random axis, so that the limit does not always shorten the last axes.
        let (rank, mut left) = (sizes.len(), max_elements);
        for i in 0..rank {
            let size = &mut sizes[(i + usize::from(start)) % rank];
            *size = (*size).min(left);
            left /= (*size).max(1);
            left = left.max(1);
        }
        sizes.into_iter().collect()
    })
}

/// A shape of up to 20,000 elements, mostly of few.
pub fn any_shape() -> impl Strategy<Value = Shape> {
    prop_oneof![6 => shape(300), 3 => shape(3_000), 1 => shape(20_000)]
}

/// How the shape of an operand differs from the common shape.
#[derive(Clone, Copy, Debug)]
struct Reduced {
    /// The number of leading axes that are missing.
    drop: u8,
    /// Bit `i` is set if axis `i` has size 1.
    ones: u16,
}

impl Reduced {
    /// The reduced shape of an operand that broadcasts to `shape`.
    fn of(self, shape: &[usize]) -> Shape {
        let drop = usize::from(self.drop).min(shape.len());
        (drop..shape.len()).map(|a| if self.ones >> (a % MAX_AXES) & 1 == 1 { 1 } else { shape[a] }).collect()
    }
}

fn reduced() -> impl Strategy<Value = Reduced> {
    let drop = prop_oneof![3 => Just(0u8), 1 => 0..9u8];
    let ones = prop_oneof![3 => Just(0u16), 2 => any::<u16>(), 1 => Just(u16::MAX)];
    (drop, ones).prop_map(|(drop, ones)| Reduced { drop, ones })
}

/// Shapes for the operands of `op`, in any mode that it takes. Operators over any number of operands get up to four.
pub fn broadcast_case(op: Op) -> impl Strategy<Value = BroadcastCase> {
    let counts = *op.counts().start()..=(*op.counts().end()).min(op.arity().max(4));
    (any_shape(), prop::array::uniform5(reduced()), any::<u8>(), any::<(u8, u8, u8)>(), counts).prop_map(
        move |(common, reduced, mode, place, count)| match (count, mode % 5) {
            (1, _) if op == Op::BroadcastTo => {
                let (input, target) = (reduced[0].of(&common), reduced[1].of(&common));
                BroadcastCase { mode: Broadcast::Bidirectional { target }, shapes: vec![input] }
            }
            (arity, 0) => BroadcastCase { mode: Broadcast::None, shapes: vec![common; arity] },
            (2, 1) => {
                BroadcastCase { mode: Broadcast::Unidirectional, shapes: vec![common.clone(), reduced[1].of(&common)] }
            }
            (2, 2) => pdpd(&common, reduced[1].ones, place),
            (arity, _) => {
                let shapes = reduced[..arity].iter().map(|r| r.of(&common)).collect();
                BroadcastCase { mode: Broadcast::Numpy, shapes }
            }
        },
    )
}

/// PDPD: B is a run of A's axes, some of them 1, followed by 1s that do not count.
fn pdpd(a: &Shape, ones: u16, (start, length, trailing): (u8, u8, u8)) -> BroadcastCase {
    let rank = a.rank();
    let start = usize::from(start) % (rank + 1);
    let length = usize::from(length) % (rank - start + 1);
    let mut b: Vec<usize> = a[start..start + length].to_vec();
    for (i, size) in b.iter_mut().enumerate() {
        if ones >> (i % MAX_AXES) & 1 == 1 {
            *size = 1;
        }
    }
    b.extend(vec![1; usize::from(trailing) % (rank - length + 1)]);
    let axis = if start == rank - b.len() && trailing.is_multiple_of(2) { -1 } else { start as i64 };
    BroadcastCase { mode: Broadcast::Pdpd { axis }, shapes: vec![a.clone(), b.into_iter().collect()] }
}
