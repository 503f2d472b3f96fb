//! Any program over any layouts of any size: planning never panics, gives the shape that the rules say, walks every
//! element of every operand once, and keeps within its scratch.
#![no_main]

use eltwise::{DType, Error, ErrorKind, Layout};
use eltwise_fuzz::memory::{Order, indices};
use eltwise_fuzz::programs::ProgramSpec;
use eltwise_fuzz::rules::{self, Size};
use eltwise_plan::bind::Binding;
use eltwise_plan::explain::Explain;
use eltwise_plan::one_call::OneCall;
use eltwise_plan::plan::{Access, Machine, PLANE_SCRATCH, SCRATCH_BYTES, Schedule, Slot, Strategy};
use eltwise_plan::{Shape, Strides};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

/// Below this many elements the walk is compared element by element.
const FEW: usize = 2048;

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

/// The lowest and the highest of the offsets that loops give.
fn reach(sizes: &[usize], strides: &[isize], offset: isize) -> (i128, i128) {
    let (mut low, mut high) = (offset as i128, offset as i128);
    for (&size, &stride) in sizes.iter().zip(strides) {
        let far = (size as i128 - 1) * stride as i128;
        *(if far < 0 { &mut low } else { &mut high }) += far;
    }
    (low, high)
}

/// The offsets of all leaves at every index of loops, in any order.
fn walk(sizes: &[usize], strides: &[(isize, &[isize])]) -> Vec<Vec<isize>> {
    let at = |index: &[usize], (offset, strides): &(isize, &[isize])| {
        index.iter().zip(*strides).fold(*offset, |sum, (&i, &s)| sum.wrapping_add((i as isize).wrapping_mul(s)))
    };
    let mut all: Vec<Vec<isize>> =
        indices(sizes).map(|index| strides.iter().map(|leaf| at(&index, leaf)).collect()).collect();
    all.sort_unstable();
    all
}

/// What holds of every schedule.
fn inspect(schedule: &Schedule, machine: &Machine) {
    let (binding, nest, tile) = (&schedule.binding, &schedule.nest, &schedule.tile);
    if binding.shape.contains(&0) {
        assert_eq!(schedule.strategy, Strategy::Empty);
        assert_eq!(schedule.units(), 0);
        return;
    }
    let elements = binding.shape.elements().expect("it was bound");
    assert_eq!(nest.elements(), elements);
    assert!(nest.sizes.iter().all(|&size| size >= 2), "{nest:?}");
    for (leaf, walked) in binding.leaves.iter().zip(&nest.walks) {
        let given = reach(&binding.shape, &leaf.strides, 0);
        assert_eq!(reach(&nest.sizes, &walked.strides, walked.offset), given, "{leaf:?}");
    }
    if elements <= FEW {
        let given: Vec<_> = binding.leaves.iter().map(|leaf| (0, &leaf.strides[..])).collect();
        let walked: Vec<_> = nest.walks.iter().map(|walk| (walk.offset, &walk.strides[..])).collect();
        assert_eq!(walk(&nest.sizes, &walked), walk(&binding.shape, &given), "the walk");
    }
    assert!(schedule.units() >= 1 && schedule.most_tasks(machine) >= 1);
    let far = schedule.bytes > machine.l2 && tile.rows > 1;
    assert!(schedule.scratch <= if far { PLANE_SCRATCH } else { SCRATCH_BYTES }, "{} bytes", schedule.scratch);
    assert_eq!(schedule.access.len(), binding.leaves.len());
    assert_eq!(schedule.steps.len(), binding.steps.len());
    for access in &schedule.access {
        assert!(!matches!(access, Access::Packed { scratch } if *scratch > schedule.scratch));
    }
    for step in &schedule.steps {
        assert!(!matches!(step.result, Slot::Register(at) if at >= schedule.scratch));
        assert!(!matches!(step.result, Slot::Register(_)) || !step.args.contains(&step.result), "{step:?}");
    }
    if schedule.strategy == Strategy::Tiled {
        let inner: usize = nest.sizes.iter().skip(tile.axis + 1).product();
        assert!(tile.length >= 1 && tile.rows >= 1, "{tile:?}");
        assert!(tile.rows > 1 || tile.inner == inner, "{tile:?} of {:?}", nest.sizes);
        assert!(tile.length <= nest.sizes.get(tile.axis).copied().unwrap_or(1), "{tile:?} of {:?}", nest.sizes);
    }
}

fuzz_target!(|input: Input| {
    let common = input.sizes.as_ref().map_or_else(|| input.program.shape(), |s| rules::shape(&s[..s.len().min(9)]));
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
    let shapes: Vec<Vec<usize>> = operands.into_iter().map(|(_, shape)| shape).collect();
    let expected = rules::outputs(&program, &shapes);

    let dtypes = program.outputs().iter().map(|&o| program.value(o).dtype);
    let outputs: Option<Vec<Layout>> = match (&input.outputs, &expected) {
        (Some(order), Some(shapes)) => {
            dtypes.zip(shapes).map(|(dtype, shape)| order.layout(dtype, shape, false).ok()).collect()
        }
        _ => None,
    };
    let outputs: Option<Vec<&Layout>> = outputs.as_ref().map(|o| o.iter().collect());
    let inputs: Vec<&Layout> = layouts.iter().collect();
    let machine = Machine {
        vector_bytes: [16, 32, 64][usize::from(input.vector) % 3],
        l2: input.l2 as usize,
        llc: input.l2 as usize * 16,
        fuses: input.vector % 2 == 0,
        arranges: input.arranges,
    };
    let bound = Binding::new(&program, &inputs, outputs.as_deref(), input.c_order);
    let binding = match (&expected, bound) {
        (Some(shapes), Ok(binding)) => {
            assert!(shapes.iter().all(|shape| *shape == binding.shape.dims()), "{shapes:?}: {}", binding.shape);
            binding
        }
        (Some(shapes), Err(error)) => {
            let one_shape = shapes.iter().all(|shape| *shape == shapes[0]);
            let refused = matches!(error.kind(), ErrorKind::TooLarge | ErrorKind::Layout);
            return assert!(
                refused && !(one_shape && error.kind() == ErrorKind::Layout && outputs.is_none()),
                "{error}"
            );
        }
        (None, Ok(binding)) => panic!("not refused: {}", binding.shape),
        (None, Err(error)) => {
            return assert!(matches!(error.kind(), ErrorKind::Broadcast | ErrorKind::TooLarge), "{error}");
        }
    };
    let schedule = match Schedule::new(binding, &machine) {
        Ok(schedule) => schedule,
        Err(error) => return assert!(matches!(error, Error::Limit { .. }), "{error}"),
    };
    inspect(&schedule, &machine);
    let explained = Explain {
        program: &program,
        schedule: &schedule,
        machine: &machine,
        isa: "any",
        inputs: &layouts,
        width: 3,
        before: &[],
        stored: &[],
    };
    assert!(!explained.to_string().is_empty());
    if let ([output], Some(call)) = (&schedule.binding.outputs[..], OneCall::of(&schedule)) {
        let found = OneCall::find(&program, &inputs, output, &machine);
        assert!(found.is_none_or(|found| found.call == call), "{call:?}");
    }
});
