//! `Broadcast::align` equals the broadcasting rules and never panics, for any shapes in any mode.
#![no_main]

use eltwise_core::{Broadcast, Error, ErrorKind, Shape};
use eltwise_fuzz::broadcast_rules::{is_countable, numpy, pdpd};
use eltwise_fuzz::sizes::{Size, shape};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Mode {
    None,
    Numpy,
    Unidirectional,
    Pdpd(i8),
    PdpdFar(i64),
    Bidirectional(Vec<Size>),
}

#[derive(Arbitrary, Debug)]
struct Input {
    mode: Mode,
    shapes: Vec<Vec<Size>>,
}

fuzz_target!(|input: Input| {
    let shapes: Vec<Vec<usize>> = input.shapes.iter().map(|s| shape(s)).collect();
    let borrowed: Vec<Shape> = shapes.iter().map(|s| s[..].into()).collect();
    let borrowed: Vec<&Shape> = borrowed.iter().collect();
    let max_operands = match input.mode {
        Mode::None | Mode::Numpy => usize::MAX,
        Mode::Unidirectional | Mode::Pdpd(_) | Mode::PdpdFar(_) => 2,
        Mode::Bidirectional(_) => 1,
    };
    let first = shapes.first().cloned();
    let (mode, expected) = match &input.mode {
        Mode::None => (Broadcast::None, first.filter(|first| shapes.iter().all(|s| s == first))),
        Mode::Numpy => (Broadcast::Numpy, numpy(&shapes)),
        Mode::Unidirectional => {
            (Broadcast::Unidirectional, numpy(&shapes).filter(|common| Some(common) == first.as_ref()))
        }
        Mode::Pdpd(_) | Mode::PdpdFar(_) => {
            let axis = match input.mode {
                Mode::Pdpd(axis) => i64::from(axis % 16),
                Mode::PdpdFar(axis) => axis,
                _ => 0,
            };
            let second_fits = shapes.get(1).is_none_or(|b| pdpd(&shapes[0], b, axis).is_some());
            (Broadcast::Pdpd { axis }, first.filter(|_| second_fits))
        }
        Mode::Bidirectional(target) => {
            let target = shape(target);
            let common = first.and_then(|x| numpy(&[x, target.clone()]));
            (Broadcast::Bidirectional { target: target[..].into() }, common)
        }
    };
    let found = mode.align(&borrowed);

    if shapes.is_empty() || shapes.len() > max_operands {
        assert!(matches!(found, Err(Error::Count { .. })), "{mode} of {shapes:?}: {found:?}");
        return;
    }
    match (expected, found) {
        (Some(expected), Ok(found)) => {
            assert_eq!(found.shape.dims(), expected, "{mode} of {shapes:?}");
            assert!(is_countable(&expected), "{mode} of {shapes:?} is too large");
            assert_eq!(found.starts.len(), shapes.len());
            for (s, &start) in shapes.iter().zip(&found.starts) {
                for (i, &size) in s.iter().enumerate() {
                    let common = expected.get(start + i).copied().unwrap_or(1);
                    assert!(size == common || size == 1, "{mode} of {shapes:?}: starts {:?}", found.starts);
                }
            }
            if let (Broadcast::Pdpd { axis }, [a, b]) = (&mode, &shapes[..]) {
                let padded = pdpd(a, b, *axis).unwrap_or_default();
                let placed: Vec<usize> = (0..a.len())
                    .map(|i| i.checked_sub(found.starts[1]).and_then(|j| b.get(j)).copied().unwrap_or(1))
                    .collect();
                assert_eq!(placed, padded, "{mode} of {shapes:?}");
            }
        }
        (Some(expected), Err(error)) => {
            assert_eq!(error.kind(), ErrorKind::TooLarge, "{mode} of {shapes:?}: {error}");
            assert!(!is_countable(&expected), "{mode} of {shapes:?}: {error}");
        }
        (None, Err(error)) => {
            assert_eq!(error.kind(), ErrorKind::Broadcast, "{mode} of {shapes:?}: {error}");
            assert!(!error.to_string().is_empty());
        }
        (None, Ok(found)) => panic!("{mode} of {shapes:?} gave {}", found.shape),
    }
});
