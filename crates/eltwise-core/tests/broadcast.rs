//! The public functions of broadcasting: the shape alone, and errors about the number of operands.

use eltwise_core::{Broadcast, Error, Shape, broadcast_shapes};

fn modes() -> [Broadcast; 5] {
    [
        Broadcast::None,
        Broadcast::Numpy,
        Broadcast::Unidirectional,
        Broadcast::Pdpd { axis: -1 },
        Broadcast::Bidirectional { target: Shape::from([2, 3]) },
    ]
}

#[test]
fn broadcast_shapes_gives_the_shape_of_the_alignment() {
    let (full, row) = (Shape::from([2, 3]), Shape::from([3]));
    for mode in modes() {
        let shapes: &[&Shape] = match mode {
            Broadcast::None => &[&full, &full],
            Broadcast::Bidirectional { .. } => &[&row],
            _ => &[&full, &row],
        };
        assert_eq!(broadcast_shapes(&mode, shapes).unwrap(), full, "{mode}");
        assert_eq!(mode.align(shapes).unwrap().shape, full, "{mode}");
    }
    assert!(broadcast_shapes(&Broadcast::Numpy, &[&full, &Shape::from([2])]).is_err());
}

#[test]
fn count_errors_give_the_expected_number() {
    let one = Shape::from([3]);
    for (mode, expected) in modes().into_iter().zip([1, 1, 2, 2, 1]) {
        let counts: &[usize] =
            if expected == 1 && !matches!(mode, Broadcast::Bidirectional { .. }) { &[0] } else { &[0, 3] };
        for &count in counts {
            let error = broadcast_shapes(&mode, &vec![&one; count]).unwrap_err();
            let right = Error::Count { what: "operands to broadcast", given: count, expected };
            assert_eq!(error, right, "{mode} of {count}");
        }
    }
}
