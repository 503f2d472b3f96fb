//! Planning any program over any layouts of any size. It never panics. The plan has the shape that the broadcasting
//! rules give, visits every element of every operand once, computes what the program says, and stays within its
//! scratch.
#![no_main]

use eltwise::{DType, Error, ErrorKind, Layout};
use eltwise_core::{Shape, Strides};
use eltwise_fuzz::memory::LayoutSpec;
use eltwise_fuzz::programs::ProgramSpec;
use eltwise_fuzz::sizes::{Size, shape};
use eltwise_fuzz::{broadcast_rules, plan_invariants};
use eltwise_plan::{BindOptions, CpuModel, KernelCapabilities, Target, ValueId};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    program: ProgramSpec,
    /// A common shape that may be too large to allocate; `None` for the program's shape.
    sizes: Option<Vec<Size>>,
    /// The strides of each input; `None` for the strides of its layout.
    strides: Vec<Option<Vec<i64>>>,
    outputs: Option<LayoutSpec>,
    c_order: bool,
    vector: u8,
    l2: u32,
    permutes: bool,
}

/// A layout with the given strides, or with the strides of `spec` if none are given.
fn layout(spec: &LayoutSpec, strides: Option<&Vec<i64>>, dtype: DType, shape: &[usize]) -> Result<Layout, Error> {
    match strides {
        Some(strides) => {
            let strides: Vec<isize> = strides.iter().map(|&s| s as isize).chain([0; 16]).take(shape.len()).collect();
            Layout::strided(dtype, Shape::new(shape), Strides::new(&strides))
        }
        None => spec.layout(dtype, shape, true),
    }
}

fuzz_target!(|input: Input| {
    let common = input.sizes.as_ref().map_or_else(|| input.program.shape(), |s| shape(&s[..s.len().min(9)]));
    let Ok(program) = input.program.program(&common) else { return };
    let operands = input.program.operands(&common);
    let strides = input.strides.iter().map(Option::as_ref).chain([None; 4]);
    let layouts: Result<Vec<Layout>, Error> = (input.program.inputs().zip(&operands).zip(strides))
        .map(|((spec, (dtype, shape)), strides)| layout(&spec.layout, strides, *dtype, shape))
        .collect();
    let layouts = match layouts {
        Ok(layouts) => layouts,
        Err(error) => return assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}"),
    };
    let dims: Vec<Vec<usize>> = operands.into_iter().map(|(_, shape)| shape).collect();
    let outputs: Option<Vec<Layout>> = match (&input.outputs, broadcast_rules::shapes(&program, &dims)) {
        (Some(spec), Some(shapes)) => {
            let layout = |out: &ValueId| spec.layout(program.value(*out).dtype, &shapes[out.index()], false).ok();
            program.outputs().iter().map(layout).collect()
        }
        _ => None,
    };
    let target = Target {
        cpu: CpuModel {
            l1: (input.l2 as usize) >> (input.vector % 8),
            l2: input.l2 as usize,
            llc: input.l2 as usize * 16,
            double_pumped_512: input.permutes != (input.vector % 2 == 0),
            ..CpuModel::default()
        },
        kernels: KernelCapabilities {
            vector_bytes: [16, 32, 64][usize::from(input.vector) % 3],
            fma: input.vector % 2 == 0,
            permutes: input.permutes,
            ..KernelCapabilities::default()
        },
        options: BindOptions { non_temporal: input.vector >= 128, runs: usize::from(input.vector) },
    };
    plan_invariants::plan(&program, &layouts, outputs.as_deref(), input.c_order, &target);
});
