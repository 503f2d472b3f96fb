//! Any shapes in any mode: `Broadcast::align` equals the rule as written, axis by axis, and never panics.
#![no_main]

use eltwise_plan::{Broadcast, Error, ErrorKind, Shape};
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

/// Mostly sizes that go together.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Size {
    One,
    Two,
    Zero,
    Small(u8),
    Any(u64),
}

#[derive(Arbitrary, Debug)]
struct Input {
    mode: Mode,
    shapes: Vec<Vec<Size>>,
}

fn shape(sizes: &[Size]) -> Vec<usize> {
    sizes
        .iter()
        .map(|&size| match size {
            Size::One => 1,
            Size::Two => 2,
            Size::Zero => 0,
            Size::Small(n) => usize::from(n % 8),
            Size::Any(n) => n as usize,
        })
        .collect()
}

/// NumPy's rule: `None` is a refusal.
fn numpy(shapes: &[Vec<usize>]) -> Option<Vec<usize>> {
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

/// PaddlePaddle's rule: B, padded with 1s to A's rank.
fn pdpd(a: &[usize], b: &[usize], axis: i64) -> Option<Vec<usize>> {
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

/// The elements of a shape, if they can be counted.
fn countable(dims: &[usize]) -> bool {
    dims.contains(&0)
        || dims.iter().try_fold(1u128, |n, &d| n.checked_mul(d as u128)).is_some_and(|n| n <= isize::MAX as u128)
}

fuzz_target!(|input: Input| {
    let shapes: Vec<Vec<usize>> = input.shapes.iter().map(|s| shape(s)).collect();
    let borrowed: Vec<Shape> = shapes.iter().map(|s| s[..].into()).collect();
    let borrowed: Vec<&Shape> = borrowed.iter().collect();
    let most = match input.mode {
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

    if shapes.is_empty() || shapes.len() > most {
        assert!(matches!(found, Err(Error::Count { .. })), "{mode} of {shapes:?}: {found:?}");
        return;
    }
    match (expected, found) {
        (Some(expected), Ok(found)) => {
            assert_eq!(found.shape.dims(), expected, "{mode} of {shapes:?}");
            assert!(countable(&expected), "{mode} of {shapes:?} is too large");
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
            assert!(!countable(&expected), "{mode} of {shapes:?}: {error}");
        }
        (None, Err(error)) => {
            assert_eq!(error.kind(), ErrorKind::Broadcast, "{mode} of {shapes:?}: {error}");
            assert!(!error.to_string().is_empty());
        }
        (None, Ok(found)) => panic!("{mode} of {shapes:?} gave {}", found.shape),
    }
});
