//! Hoisting: which values of a program are computed once, in an earlier stage, and how stages pass them on.

use eltwise_core::{Broadcast, DType, Error, Layout, Op, Shape};
use eltwise_plan::bind::hoist::Stored;
use eltwise_plan::bind::{Layouts, Place};
use eltwise_plan::strategy::Strategy;
use eltwise_plan::{Binding, Custom, Hoist, Program, ProgramBuilder, Schedule, StagedProgram, Target, ValueId};

fn layout(shape: &[usize]) -> Layout {
    Layout::contiguous(DType::F32, Shape::new(shape)).unwrap()
}

/// A program over f32 inputs with the outputs that `build` returns.
fn program<const N: usize>(build: impl Fn(&mut Steps, [ValueId; N]) -> Vec<ValueId>) -> Program {
    let mut steps = Steps(ProgramBuilder::new());
    let names = ["a", "b", "c", "d"];
    let inputs = core::array::from_fn(|i| steps.0.input(names[i], DType::F32));
    build(&mut steps, inputs).into_iter().for_each(|out| steps.0.output(out));
    steps.0.finish().unwrap()
}

struct Steps(ProgramBuilder);

impl Steps {
    fn step(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        self.0.step(op, args, None, Broadcast::Numpy).unwrap()
    }
}

/// Binds all stages. Returns the bindings, the places of the stored values and the bytes of scratch.
fn stages(program: &Program, shapes: &[&[usize]], hoist: Hoist) -> Result<(Vec<Binding>, Vec<Stored>, usize), Error> {
    let layouts: Vec<Layout> = shapes.iter().map(|s| layout(s)).collect();
    let inputs: Vec<&Layout> = layouts.iter().collect();
    let mut staging = StagedProgram::new(program, &inputs, hoist)?;
    let mut all = Vec::new();
    for stage in 0..staging.stages() {
        let mut binding = Binding::default();
        staging.bind(stage, &mut binding, program, Layouts { inputs: &inputs, outputs: None, c_order: false })?;
        // Every stage has a schedule.
        let schedule = Schedule::new(binding.clone(), &Target::default());
        assert_eq!(schedule.strategy == Strategy::Empty, binding.shape.contains(&0));
        all.push(binding);
    }
    let (stored, scratch) = staging.places(program)?;
    Ok((all, stored, scratch))
}

/// The operators of each stage.
fn ops(bindings: &[Binding]) -> Vec<Vec<Op>> {
    bindings.iter().map(|b| b.steps.iter().filter_map(|s| s.op.op()).collect()).collect()
}

#[test]
fn a_program_without_hoisted_values_is_one_stage_with_the_plain_binding() {
    let p = program(|s, [a, b, c]| {
        let sum = s.step(Op::Add, &[a, b]);
        vec![s.step(Op::Multiply, &[sum, c]), sum]
    });
    let shapes: [&[usize]; 3] = [&[100, 200], &[200], &[1]];
    for hoist in [Hoist::Gain, Hoist::Always, Hoist::Never] {
        let (bindings, stored, scratch) = stages(&p, &shapes, hoist).unwrap();
        let layouts = shapes.map(layout);
        let whole = Binding::new(&p, &layouts.each_ref(), None, false).unwrap();
        assert_eq!((bindings, stored, scratch), (vec![whole], vec![], 0));
    }
}

#[test]
fn a_hoisted_row_is_an_input_of_the_next_stage() {
    let p = program(|s, [x, v, eps]| {
        let sum = s.step(Op::Add, &[v, eps]);
        let root = s.step(Op::Sqrt, &[sum]);
        vec![s.step(Op::Multiply, &[x, root])]
    });
    let shapes: [&[usize]; 3] = [&[100, 300], &[300], &[]];
    let (bindings, stored, scratch) = stages(&p, &shapes, Hoist::Gain).unwrap();
    assert_eq!(ops(&bindings), [vec![Op::Add, Op::Sqrt], vec![Op::Multiply]]);
    assert_eq!((stored, scratch), (vec![Stored::Scratch(0), Stored::Output(0)], 1216));
    assert_eq!(bindings[0].shape, Shape::from([300]));
    // The stored value comes after the outputs and inputs of the program: it is output 1 and input 3.
    assert_eq!((bindings[0].operands[0].index, bindings[0].operands[0].output), (1, true));
    let read = &bindings[1].operands[2];
    assert_eq!((read.index, read.output, &read.strides[..]), (3, false, &[0isize, 4][..]));
    assert_eq!(bindings[1].steps[0].args[..], [Place::Operand(1), Place::Operand(2)]);
    // Without hoisting there is one stage.
    assert_eq!(ops(&stages(&p, &shapes, Hoist::Never).unwrap().0), [vec![Op::Add, Op::Sqrt, Op::Multiply]]);
}

#[test]
fn values_that_save_little_are_not_hoisted() {
    let product_with = |op| {
        program(move |s, [x, v]| {
            let small = s.step(op, &[v]);
            vec![s.step(Op::Multiply, &[x, small])]
        })
    };
    let (p, root) = (product_with(Op::Negative), product_with(Op::Sqrt));
    let count = |x: &[usize], v: &[usize]| stages(&p, &[x, v], Hoist::Gain).unwrap().0.len();
    assert_eq!(count(&[16], &[1]), 1);
    assert_eq!(count(&[100_000], &[1]), 2);
    // A value that is read four times: loading it costs more than a negation, and less than a root, which is three
    // additions.
    assert_eq!(count(&[4, 100_000], &[100_000]), 1);
    assert_eq!(stages(&root, &[&[4, 100_000], &[100_000]], Hoist::Gain).unwrap().0.len(), 2);
    assert_eq!(count(&[40, 100_000], &[100_000]), 2);
    // A value of more memory than a stored value may have.
    assert_eq!(count(&[40, 10_000_000], &[10_000_000]), 1);
    let always = stages(&p, &[&[16], &[1]], Hoist::Always).unwrap().0;
    assert_eq!(always.len(), 2);
}

#[test]
fn a_stage_may_read_hoisted_values() {
    // A scalar is read by a row, which is read by a matrix. Another scalar is in the first stage too.
    let p = program(|s, [x, row, t]| {
        let t1 = s.step(Op::Exp, &[t]);
        let t2 = s.step(Op::Log, &[t]);
        let r = s.step(Op::Add, &[row, t1]);
        let r = s.step(Op::Exp, &[r]);
        let y = s.step(Op::Multiply, &[x, r]);
        vec![s.step(Op::Add, &[y, t2])]
    });
    let (bindings, stored, scratch) = stages(&p, &[&[500, 1000], &[1000], &[1]], Hoist::Gain).unwrap();
    assert_eq!(ops(&bindings), [vec![Op::Exp, Op::Log], vec![Op::Add, Op::Exp], vec![Op::Multiply, Op::Add]]);
    assert_eq!(stored, [Stored::Scratch(0), Stored::Scratch(64), Stored::Scratch(128), Stored::Output(0)]);
    assert_eq!(scratch, 128 + 4032);
}

#[test]
fn outputs_of_several_shapes_are_written_in_several_stages() {
    let p = program(|s, [a, b, v]| {
        let product = s.step(Op::Multiply, &[a, b]);
        let root = s.step(Op::Sqrt, &[v]);
        vec![product, root, s.step(Op::Add, &[product, root]), product]
    });
    let (bindings, stored, scratch) = stages(&p, &[&[4, 6], &[4, 6], &[6]], Hoist::Never).unwrap();
    assert_eq!(ops(&bindings), [vec![Op::Sqrt], vec![Op::Multiply, Op::Add, Op::Copy]]);
    assert_eq!((stored, scratch), (vec![Stored::Output(1), Stored::Output(0), Stored::Output(2)], 0));
    let shapes: Vec<Vec<&Shape>> = bindings.iter().map(|b| b.outputs.iter().map(Layout::shape).collect()).collect();
    assert_eq!(shapes, [vec![&Shape::from([6])], vec![&Shape::from([4, 6]); 3]]);
    let indices = |b: &Binding| b.operands.iter().map(|l| (l.output, l.index)).collect::<Vec<_>>();
    assert_eq!(indices(&bindings[0]), [(true, 1), (false, 2)]);
    // The root is output 1 and stored value 0. The second stage reads it as input 3.
    assert_eq!(indices(&bindings[1]), [(true, 0), (true, 2), (true, 3), (false, 0), (false, 1), (false, 3)]);

    let independent = program(|s, [a, b]| vec![s.step(Op::Exp, &[a]), s.step(Op::Exp, &[b])]);
    assert_eq!(stages(&independent, &[&[3, 1], &[1, 4]], Hoist::Gain).unwrap().0.len(), 2);
    let error = stages(&independent, &[&[3], &[4]], Hoist::Gain).unwrap_err().to_string();
    assert_eq!(
        error,
        "outputs have no common iteration shape: cannot broadcast [3] with [4] (numpy): axis 0 is 3 and 4"
    );
}

#[test]
fn values_for_outputs_without_elements_are_not_hoisted() {
    let p = program(|s, [a, v]| {
        let root = s.step(Op::Sqrt, &[v]);
        vec![s.step(Op::Multiply, &[a, root]), s.step(Op::Exp, &[v])]
    });
    let (bindings, stored, _) = stages(&p, &[&[0, 4], &[4]], Hoist::Always).unwrap();
    assert_eq!(stored, [Stored::Output(0), Stored::Output(1)]);
    assert_eq!(ops(&bindings), [vec![Op::Sqrt, Op::Multiply], vec![Op::Exp]]);
}

#[test]
fn the_layouts_of_outputs_do_not_depend_on_hoisting() {
    let p = program(|s, [x, v, w]| {
        let sum = s.step(Op::Add, &[v, w]);
        let root = s.step(Op::Exp, &[sum]);
        vec![s.step(Op::Multiply, &[x, root]), root]
    });
    let transposed = |shape: [usize; 2]| Layout::strided(DType::F32, shape, [4, 4 * shape[0] as isize]).unwrap();
    let one = Layout::contiguous(DType::F32, [1, 1]).unwrap();
    for (v, w) in [
        (transposed([40, 50]), layout(&[40, 50])),
        (transposed([40, 50]), transposed([40, 50])),
        (one, transposed([40, 50])),
    ] {
        let x = Layout::contiguous(DType::F32, [30, 1, 1]).unwrap();
        let inputs = [&x, &v, &w];
        let bound = |hoist, c_order| {
            let mut staging = StagedProgram::new(&p, &inputs, hoist).unwrap();
            let mut outputs = Vec::new();
            for stage in 0..staging.stages() {
                let mut binding = Binding::default();
                staging.bind(stage, &mut binding, &p, Layouts { inputs: &inputs, outputs: None, c_order }).unwrap();
                outputs.extend(binding.operands.iter().zip(&binding.outputs).map(|(l, o)| (l.index, o.clone())));
            }
            outputs.sort_by_key(|o| o.0);
            outputs.truncate(2);
            outputs
        };
        for c_order in [false, true] {
            assert_eq!(bound(Hoist::Always, c_order), bound(Hoist::Never, c_order));
            assert_eq!(
                bound(Hoist::Never, c_order)[0].1.is_contiguous(),
                c_order || v == layout(&[40, 50]) || w == layout(&[40, 50])
            );
        }
    }
}

/// The first of `sizes` from which on a value of `elements` elements is hoisted. `shape` gives the shape of the step that
/// uses it for a size.
fn first_hoisted(
    program: &Program,
    elements: usize,
    shape: impl Fn(usize) -> [usize; 2],
    sizes: std::ops::Range<usize>,
) -> usize {
    let count = |n: usize| stages(program, &[&shape(n), &[elements]], Hoist::Gain).unwrap().0.len();
    let first = sizes.clone().find(|&n| count(n) == 2).expect("the value is hoisted at some size");
    assert!(first > sizes.start && (first..sizes.end).all(|n| count(n) == 2));
    first
}

#[test]
fn a_value_is_hoisted_from_the_size_at_which_it_pays() {
    let product_with = |ops: &'static [Op]| {
        program(move |s, [x, v]| {
            let small = ops.iter().fold(v, |value, &op| s.step(op, &[value]));
            vec![s.step(Op::Multiply, &[x, small])]
        })
    };
    // Costs in additions. One element: the work saved for n - 1 elements must exceed 8 for the element plus 4096 for the
    // stage. The work of `negative` is 1, of `exp` 72 / 11, of `log` 105 / 11, and of two steps the sum.
    let row = |n| [1, n];
    assert_eq!(first_hoisted(&product_with(&[Op::Negative]), 1, row, 4000..4200), 4104 + 1);
    assert_eq!(first_hoisted(&product_with(&[Op::Exp]), 1, row, 600..800), 4104 / 6 + 1);
    assert_eq!(first_hoisted(&product_with(&[Op::Log]), 1, row, 400..600), 4104 / 9 + 1);
    assert_eq!(first_hoisted(&product_with(&[Op::Negative, Op::Exp]), 1, row, 500..700), 4104_usize.div_ceil(7) + 1);
    assert_eq!(first_hoisted(&product_with(&[Op::Exp, Op::Negative]), 1, row, 500..700), 4104_usize.div_ceil(7) + 1);
    // Many elements: 8 for each element.
    let rows = |n| [n, 8192];
    assert_eq!(first_hoisted(&product_with(&[Op::Negative]), 8192, rows, 2..30), 10);
    // Values up to 16 MiB.
    let count = |n: usize| stages(&product_with(&[Op::Exp]), &[&[40, n], &[n]], Hoist::Gain).unwrap().0.len();
    assert_eq!([1 << 22, (1 << 22) + 1].map(count), [2, 1]);
    // A custom operator counts as 8 additions.
    let custom = Custom { id: 1, name: "mine", arity: 1, from: DType::F32, to: DType::F32 };
    let mine = program(|s, [x, v]| {
        let small = s.0.custom(custom, &[v], Broadcast::Numpy).unwrap();
        vec![s.step(Op::Multiply, &[x, small])]
    });
    assert_eq!(first_hoisted(&mine, 1, row, 400..600), 4104 / 8 + 1);
}

#[test]
fn values_as_large_as_their_readers_are_not_hoisted() {
    let p = program(|s, [x, v]| {
        let root = s.step(Op::Sqrt, &[v]);
        let product = s.step(Op::Multiply, &[x, root]);
        vec![s.step(Op::Exp, &[product])]
    });
    let (bindings, stored, scratch) = stages(&p, &[&[100, 300], &[300]], Hoist::Always).unwrap();
    assert_eq!(ops(&bindings), [vec![Op::Sqrt], vec![Op::Multiply, Op::Exp]]);
    assert_eq!((stored, scratch), (vec![Stored::Scratch(0), Stored::Output(0)], 1216));
    assert_eq!(bindings[1].operands.len(), 3);
}

#[test]
fn stored_values_are_numbered_after_the_inputs() {
    let p = program(|s, [x, row, t]| {
        let (a, b) = (s.step(Op::Exp, &[t]), s.step(Op::Log, &[t]));
        let r = s.step(Op::Add, &[row, b]);
        let y = s.step(Op::Multiply, &[x, r]);
        vec![s.step(Op::Add, &[y, a])]
    });
    let (bindings, stored, _) = stages(&p, &[&[500, 1000], &[1000], &[1]], Hoist::Always).unwrap();
    assert_eq!(stored.len(), 4);
    let indices = |b: &Binding| b.operands.iter().map(|l| (l.output, l.index)).collect::<Vec<_>>();
    // Stored value 0 is input 3. Stage 1 reads value 1, and stage 2 reads values 0 and 2.
    assert_eq!(indices(&bindings[0]), [(true, 1), (true, 2), (false, 2)]);
    assert_eq!(indices(&bindings[1]), [(true, 3), (false, 1), (false, 4)]);
    assert_eq!(indices(&bindings[2]), [(true, 0), (false, 0), (false, 3), (false, 5)]);
}

#[test]
fn a_stage_can_be_bound_twice() {
    let p = program(|s, [x, v]| {
        let root = s.step(Op::Sqrt, &[v]);
        vec![s.step(Op::Multiply, &[x, root])]
    });
    let (x, v) = (layout(&[100, 300]), layout(&[300]));
    let inputs = [&x, &v];
    let mut staging = StagedProgram::new(&p, &inputs, Hoist::Always).unwrap();
    for stage in [0, 0, 1, 1] {
        let mut binding = Binding::default();
        staging.bind(stage, &mut binding, &p, Layouts { inputs: &inputs, outputs: None, c_order: false }).unwrap();
        assert_eq!(ops(&[binding]), [[vec![Op::Sqrt]], [vec![Op::Multiply]]][stage]);
    }
}

/// A hoisted value is dense, so its strides order all of its axes. The strides of the inputs of the hoisted step do
/// not, and the layout of the output must follow these.
#[test]
fn the_layout_of_an_output_ignores_the_strides_of_hoisted_values() {
    let p = program(|s, [x, v, w]| {
        let sum = s.step(Op::Add, &[v, w]);
        vec![s.step(Op::Multiply, &[x, sum])]
    });
    let x = Layout::strided(DType::F32, [3, 40, 50], [8000, 4, 160]).unwrap();
    let (v, w) = (layout(&[40, 1]), layout(&[1, 50]));
    let reversed = Layout::strided(DType::F32, [1, 50], [4, -4]).unwrap();
    for w in [w, reversed] {
        let inputs = [&x, &v, &w];
        for (c_order, expected) in [(false, x.clone()), (true, layout(&[3, 40, 50]))] {
            for hoist in [Hoist::Always, Hoist::Never] {
                let mut staging = StagedProgram::new(&p, &inputs, hoist).unwrap();
                let mut binding = Binding::default();
                for stage in 0..staging.stages() {
                    staging.bind(stage, &mut binding, &p, Layouts { inputs: &inputs, outputs: None, c_order }).unwrap();
                }
                assert_eq!(binding.outputs[0], expected, "{hoist:?} {c_order}");
            }
        }
    }
}
