//! Runs over tiles.

use eltwise_kernels::table::is_built;
use eltwise_plan::bind::BoundOperand;

use super::*;
use crate::{Array, BindOptions, DType, Hoist, Layout, Program, View};

/// The bytes of the output of a run of five tasks over `x` and `y`, with regular and with non-temporal stores,
/// `shift` elements after a cache line.
fn outputs(text: &str, [x, y]: [&View<'_>; 2], shift: usize) -> [Vec<u8>; 2] {
    let inputs = [("x", DType::F32), ("y", DType::F32)];
    let options = BindOptions::new().hoist(Hoist::Never);
    let plan = Program::parse(text, &inputs).unwrap().bind_with(&[x.layout(), y.layout()], &options).unwrap();
    let layout = &plan.output_layouts()[0];
    let size = layout.dtype().size();
    let bytes = layout.shape().bytes(size).unwrap();
    [false, true].map(|non_temporal| {
        let mut out = vec![0xa5u8; bytes + 256];
        let start = out.as_mut_ptr().align_offset(64) + shift * size;
        let exec = plan.exec().unwrap();
        let place = |operand: &BoundOperand| match operand.output {
            true => out.as_mut_ptr().wrapping_add(start),
            false => [x, y][operand.index].as_ptr().cast_mut(),
        };
        let pointers: Vec<*mut u8> = exec.schedule.binding.operands.iter().map(place).collect();
        // SAFETY: the pointers are to arrays with the plan's layouts and to room for the output, which is no input.
        let run = Run { non_temporal, ..unsafe { Run::new(exec, &pointers) } };
        // Tasks start at any tile.
        (0..5).for_each(|task| run.task(task, 5));
        assert!(
            out[..start].iter().chain(&out[start + bytes..]).all(|&b| b == 0xa5),
            "{text}: bytes around the output"
        );
        out[start..start + bytes].to_vec()
    })
}

fn array(shape: &[usize]) -> Array {
    let elements: usize = shape.iter().product();
    let values: Vec<f32> = (0..elements).map(|i| (i * 37 % 1013) as f32 * 0.37 - 100.0).collect();
    Array::from_slice(&values, shape).unwrap()
}

#[test]
fn tiles_with_non_temporal_stores_equal_those_with_regular_stores() {
    // Outputs of 4, 1, 2 and 8 bytes, of dtypes that this build has.
    let texts = [
        ("x - y", DType::F32),
        ("maximum(x * y, y)", DType::F32),
        ("sqrt(x * x + y * y)", DType::F32),
        ("where(x < y, x, y * 2)", DType::F32),
        ("abs(x - y) / 3 - x", DType::F32),
        ("x * y - x < y * 2", DType::Bool),
        ("cast(sqrt(x * x + y * y), i16)", DType::I16),
        ("cast(sqrt(x * x + y * y), f64)", DType::F64),
    ];
    let texts: Vec<&str> = texts.iter().filter(|(_, dtype)| is_built(*dtype)).map(|(text, _)| *text).collect();
    for (a, b) in [
        (&[9001usize] as &[usize], &[9001usize] as &[usize]),
        (&[4096], &[1]),
        (&[3, 5000], &[3, 1]),
        (&[5, 7, 700], &[7, 1]),
        (&[40, 300], &[300]),
        (&[17], &[17]),
        // Single steps over tiles of at most 4 KiB, whose operands are permuted or packed once.
        (&[1, 64, 3], &[90, 1, 3]),
        (&[200, 1, 5], &[1, 40, 5]),
        (&[300, 1, 7], &[1, 9, 1]),
    ] {
        let (x, y) = (array(a), array(b));
        let backwards = x.view().flipped(a.len() - 1).unwrap();
        for text in &texts {
            for shift in [0, 1, 15] {
                for x in [&x.view(), &backwards] {
                    let [regular, non_temporal] = outputs(text, [x, &y.view()], shift);
                    assert_eq!(regular, non_temporal, "{text} of {a:?} and {b:?}, {shift} elements off a line");
                }
            }
        }
    }
}

/// No step is fused with another, and each reads the value of the one before.
#[test]
fn programs_of_many_steps_equal_their_definition() {
    for steps in [7usize, 8, 9, 40] {
        let text = (0..steps).fold("x".to_string(), |text, i| {
            if i.is_multiple_of(2) { format!("maximum({text}, y)") } else { format!("({text} - y)") }
        });
        let inputs = [("x", DType::F32), ("y", DType::F32)];
        let (x, y) = (array(&[9001]), array(&[9001]));
        let plan = Program::parse(&text, &inputs).unwrap().bind(&[x.layout(), y.layout()]).unwrap();
        assert_eq!(plan.exec().unwrap().schedule.steps.len(), steps, "{text}");
        let [regular, non_temporal] = outputs(&text, [&x.view(), &y.view()], 0);
        let expected = x.as_slice::<f32>().unwrap().iter().zip(y.as_slice::<f32>().unwrap());
        let step = |v: f32, y: f32, i: usize| if i.is_multiple_of(2) { v.max(y) } else { v - y };
        let expected = expected.flat_map(|(&x, &y)| (0..steps).fold(x, |v, i| step(v, y, i)).to_ne_bytes());
        assert!(expected.eq(regular.iter().copied()), "{steps} steps");
        assert_eq!(regular, non_temporal, "{steps} steps");
    }
}

#[test]
fn large_outputs_of_several_steps_are_written_with_non_temporal_stores() {
    let isa = eltwise_simd::Isa::current();
    let target = crate::sys::cpu::target(isa);
    let large = Layout::contiguous(DType::F32, [target.cpu.llc / 4]).unwrap();
    let small = Layout::contiguous(DType::F32, [target.cpu.llc / 16]).unwrap();
    let bind = |text: &str, layout: &Layout| {
        let program = Program::parse(text, &[("x", DType::F32), ("y", DType::F32)]).unwrap();
        program.bind_to(&[layout, layout], &[layout], None).unwrap().is_non_temporal()
    };
    // Double-pumped CPUs: only runs with one input that compute little.
    let computes_little = !target.cpu.double_pumped_512 || isa != eltwise_simd::Isa::Scalar;
    assert_eq!(bind("abs(x) * 2", &large), cfg!(target_arch = "x86_64") && computes_little);
    assert_eq!(bind("sqrt(x * x + y * y)", &large), cfg!(target_arch = "x86_64") && !target.cpu.double_pumped_512);
    assert!(!bind("sqrt(x * x + y * y)", &small) && !bind("abs(x) * 2", &small));
}
