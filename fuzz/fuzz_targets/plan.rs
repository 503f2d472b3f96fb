//! Any program over any layouts of any size: planning never panics, gives the shape that the rules say, walks every
//! element of every operand once, computes of each what the program says, and keeps within its scratch.
#![no_main]

use eltwise::{DType, Error, ErrorKind, Layout};
use eltwise_fuzz::memory::Order;
use eltwise_fuzz::programs::ProgramSpec;
use eltwise_fuzz::sizes::{Size, shape};
use eltwise_fuzz::{holds, rules};
use eltwise_plan::{Machine, Shape, Strides, ValueId};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    program: ProgramSpec,
    /// Sizes of the common shape that nothing could allocate; without, the program's.
    sizes: Option<Vec<Size>>,
    /// Strides of an input, in order; without, those of its order.
    strides: Vec<Option<Vec<i64>>>,
    outputs: Option<Order>,
    c_order: bool,
    vector: u8,
    l2: u32,
    arranges: bool,
}

/// A layout whose strides are an order's, or any at all where they fit the shape.
fn layout(order: &Order, strides: Option<&Vec<i64>>, dtype: DType, shape: &[usize]) -> Result<Layout, Error> {
    match strides {
        Some(strides) => {
            let strides: Vec<isize> = strides.iter().map(|&s| s as isize).chain([0; 16]).take(shape.len()).collect();
            Layout::strided(dtype, Shape::new(shape), Strides::new(&strides))
        }
        None => order.layout(dtype, shape, true),
    }
}

fuzz_target!(|input: Input| {
    let common = input.sizes.as_ref().map_or_else(|| input.program.shape(), |s| shape(&s[..s.len().min(9)]));
    let Ok(program) = input.program.program(&common) else { return };
    let operands = input.program.operands(&common);
    let strides = input.strides.iter().map(Option::as_ref).chain([None; 4]);
    let layouts: Result<Vec<Layout>, Error> = (input.program.inputs().zip(&operands).zip(strides))
        .map(|((spec, (dtype, shape)), strides)| layout(&spec.order, strides, *dtype, shape))
        .collect();
    let layouts = match layouts {
        Ok(layouts) => layouts,
        Err(error) => return assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}"),
    };
    let dims: Vec<Vec<usize>> = operands.into_iter().map(|(_, shape)| shape).collect();
    let outputs: Option<Vec<Layout>> = match (&input.outputs, rules::shapes(&program, &dims)) {
        (Some(order), Some(shapes)) => {
            let of = |out: &ValueId| order.layout(program.value(*out).dtype, &shapes[out.index()], false).ok();
            program.outputs().iter().map(of).collect()
        }
        _ => None,
    };
    let machine = Machine {
        vector_bytes: [16, 32, 64][usize::from(input.vector) % 3],
        l1: (input.l2 as usize) >> (input.vector % 8),
        l2: input.l2 as usize,
        llc: input.l2 as usize * 16,
        fuses: input.vector % 2 == 0,
        arranges: input.arranges,
        halves: input.arranges != (input.vector % 2 == 0),
        streams: input.vector >= 128,
    };
    holds::plan(&program, &layouts, outputs.as_deref(), input.c_order, &machine);
});
