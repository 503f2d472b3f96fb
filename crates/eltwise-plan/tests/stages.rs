//! How programs are shared out among stages.

use eltwise_plan::bind::Place;
use eltwise_plan::plan::Strategy;
use eltwise_plan::stages::Stored;
use eltwise_plan::{
    Binding, Broadcast, Custom, DType, Error, Hoist, Layout, Machine, Op, Program, ProgramBuilder, Schedule, Shape,
    Staging, ValueId,
};

fn layout(shape: &[usize]) -> Layout {
    Layout::contiguous(DType::F32, Shape::new(shape)).unwrap()
}

/// A program over f32 inputs, and its outputs as `build` makes them.
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

/// Binds all stages.
fn stages(program: &Program, shapes: &[&[usize]], hoist: Hoist) -> Result<(Vec<Binding>, Vec<Stored>, usize), Error> {
    let layouts: Vec<Layout> = shapes.iter().map(|s| layout(s)).collect();
    let inputs: Vec<&Layout> = layouts.iter().collect();
    let mut staging = Staging::new(program, &inputs, hoist)?;
    let mut all = Vec::new();
    for stage in 0..staging.stages() {
        let mut binding = Binding::default();
        staging.bind(stage, &mut binding, program, &inputs, None, false)?;
        // Every stage can be planned.
        let schedule = Schedule::new(binding.clone(), &Machine::default());
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
fn a_program_of_one_shape_is_one_stage_as_it_always_was() {
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
fn a_row_is_computed_before_and_read_as_a_leaf() {
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
    // The stored value is output 1 of one output, and input 3 of three inputs.
    assert_eq!((bindings[0].leaves[0].index, bindings[0].leaves[0].output), (1, true));
    let read = &bindings[1].leaves[2];
    assert_eq!((read.index, read.output, &read.strides[..]), (3, false, &[0isize, 4][..]));
    assert_eq!(bindings[1].steps[0].args[..], [Place::Leaf(1), Place::Leaf(2)]);
    // Without, it is one stage.
    assert_eq!(ops(&stages(&p, &shapes, Hoist::Never).unwrap().0), [vec![Op::Add, Op::Sqrt, Op::Multiply]]);
}

#[test]
fn what_saves_little_stays() {
    let of = |op| {
        program(move |s, [x, v]| {
            let less = s.step(op, &[v]);
            vec![s.step(Op::Multiply, &[x, less])]
        })
    };
    let (p, root) = (of(Op::Negative), of(Op::Sqrt));
    let count = |x: &[usize], v: &[usize]| stages(&p, &[x, v], Hoist::Gain).unwrap().0.len();
    assert_eq!(count(&[16], &[1]), 1);
    assert_eq!(count(&[100_000], &[1]), 2);
    // Repeated four times: reading it from memory costs more than the sign, and less than a root, which takes three additions.
    assert_eq!(count(&[4, 100_000], &[100_000]), 1);
    assert_eq!(stages(&root, &[&[4, 100_000], &[100_000]], Hoist::Gain).unwrap().0.len(), 2);
    assert_eq!(count(&[40, 100_000], &[100_000]), 2);
    // More memory than a stored value is given.
    assert_eq!(count(&[40, 10_000_000], &[10_000_000]), 1);
    let forced = stages(&p, &[&[16], &[1]], Hoist::Always).unwrap().0;
    assert_eq!(forced.len(), 2);
}

#[test]
fn stages_of_stages() {
    // A scalar in a row in a matrix; another scalar shares the first stage.
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
fn outputs_of_several_shapes() {
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
    let indices = |b: &Binding| b.leaves.iter().map(|l| (l.output, l.index)).collect::<Vec<_>>();
    assert_eq!(indices(&bindings[0]), [(true, 1), (false, 2)]);
    // The root is read from the memory of output 1, which is stored value 0: input 3 of three.
    assert_eq!(indices(&bindings[1]), [(true, 0), (true, 2), (true, 3), (false, 0), (false, 1), (false, 3)]);

    let apart = program(|s, [a, b]| vec![s.step(Op::Exp, &[a]), s.step(Op::Exp, &[b])]);
    assert_eq!(stages(&apart, &[&[3, 1], &[1, 4]], Hoist::Gain).unwrap().0.len(), 2);
    let error = stages(&apart, &[&[3], &[4]], Hoist::Gain).unwrap_err().to_string();
    assert_eq!(
        error,
        "outputs have no common iteration shape: cannot broadcast [3] with [4] (numpy): axis 0 is 3 and 4"
    );
}

#[test]
fn outputs_without_elements_need_nothing() {
    let p = program(|s, [a, v]| {
        let root = s.step(Op::Sqrt, &[v]);
        vec![s.step(Op::Multiply, &[a, root]), s.step(Op::Exp, &[v])]
    });
    let (bindings, stored, _) = stages(&p, &[&[0, 4], &[4]], Hoist::Always).unwrap();
    assert_eq!(stored, [Stored::Output(0), Stored::Output(1)]);
    assert_eq!(ops(&bindings), [vec![Op::Sqrt, Op::Multiply], vec![Op::Exp]]);
}

#[test]
fn the_layouts_of_outputs_do_not_depend_on_stages() {
    let p = program(|s, [x, v, w]| {
        let sum = s.step(Op::Add, &[v, w]);
        let root = s.step(Op::Exp, &[sum]);
        vec![s.step(Op::Multiply, &[x, root]), root]
    });
    let turned = |shape: [usize; 2]| Layout::strided(DType::F32, shape, [4, 4 * shape[0] as isize]).unwrap();
    let one = Layout::contiguous(DType::F32, [1, 1]).unwrap();
    for (v, w) in [(turned([40, 50]), layout(&[40, 50])), (turned([40, 50]), turned([40, 50])), (one, turned([40, 50]))]
    {
        let x = Layout::contiguous(DType::F32, [30, 1, 1]).unwrap();
        let inputs = [&x, &v, &w];
        let bound = |hoist, c_order| {
            let mut staging = Staging::new(&p, &inputs, hoist).unwrap();
            let mut outputs = Vec::new();
            for stage in 0..staging.stages() {
                let mut binding = Binding::default();
                staging.bind(stage, &mut binding, &p, &inputs, None, c_order).unwrap();
                outputs.extend(binding.leaves.iter().zip(&binding.outputs).map(|(l, o)| (l.index, o.clone())));
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

/// The first size at which a value is computed before what reads it.
fn first_hoisted(
    program: &Program,
    own: usize,
    over: impl Fn(usize) -> [usize; 2],
    sizes: std::ops::Range<usize>,
) -> usize {
    let count = |n: usize| stages(program, &[&over(n), &[own]], Hoist::Gain).unwrap().0.len();
    let first = sizes.clone().find(|&n| count(n) == 2).expect("a size at which it pays");
    assert!(first > sizes.start && (first..sizes.end).all(|n| count(n) == 2));
    first
}

#[test]
fn a_value_is_hoisted_from_the_size_at_which_it_pays() {
    let of = |ops: &'static [Op]| {
        program(move |s, [x, v]| {
            let less = ops.iter().fold(v, |value, &op| s.step(op, &[value]));
            vec![s.step(Op::Multiply, &[x, less])]
        })
    };
    // One element: work for n - 1 others is worth 8 additions, and 4096 for the stage. The work of `negative` is 1, of
    // `exp` 72 / 11, of `log` 105 / 11, of two steps the sum.
    let row = |n| [1, n];
    assert_eq!(first_hoisted(&of(&[Op::Negative]), 1, row, 4000..4200), 4104 + 1);
    assert_eq!(first_hoisted(&of(&[Op::Exp]), 1, row, 600..800), 4104 / 6 + 1);
    assert_eq!(first_hoisted(&of(&[Op::Log]), 1, row, 400..600), 4104 / 9 + 1);
    assert_eq!(first_hoisted(&of(&[Op::Negative, Op::Exp]), 1, row, 500..700), 4104_usize.div_ceil(7) + 1);
    assert_eq!(first_hoisted(&of(&[Op::Exp, Op::Negative]), 1, row, 500..700), 4104_usize.div_ceil(7) + 1);
    // Many elements: 8 for each of them.
    let rows = |n| [n, 8192];
    assert_eq!(first_hoisted(&of(&[Op::Negative]), 8192, rows, 2..30), 10);
    // Up to 16 MiB.
    let most = |own: usize| stages(&of(&[Op::Exp]), &[&[40, own], &[own]], Hoist::Gain).unwrap().0.len();
    assert_eq!([1 << 22, (1 << 22) + 1].map(most), [2, 1]);
    // A function of the caller's is as much work as 8 additions.
    let custom = Custom { id: 1, name: "mine", arity: 1, from: DType::F32, to: DType::F32 };
    let mine = program(|s, [x, v]| {
        let less = s.0.custom(custom, &[v], Broadcast::Numpy).unwrap();
        vec![s.step(Op::Multiply, &[x, less])]
    });
    assert_eq!(first_hoisted(&mine, 1, row, 400..600), 4104 / 8 + 1);
}

#[test]
fn what_is_as_large_as_its_readers_stays_with_them() {
    let p = program(|s, [x, v]| {
        let root = s.step(Op::Sqrt, &[v]);
        let product = s.step(Op::Multiply, &[x, root]);
        vec![s.step(Op::Exp, &[product])]
    });
    let (bindings, stored, scratch) = stages(&p, &[&[100, 300], &[300]], Hoist::Always).unwrap();
    assert_eq!(ops(&bindings), [vec![Op::Sqrt], vec![Op::Multiply, Op::Exp]]);
    assert_eq!((stored, scratch), (vec![Stored::Scratch(0), Stored::Output(0)], 1216));
    assert_eq!(bindings[1].leaves.len(), 3);
}

#[test]
fn later_stored_values_are_later_inputs() {
    let p = program(|s, [x, row, t]| {
        let (a, b) = (s.step(Op::Exp, &[t]), s.step(Op::Log, &[t]));
        let r = s.step(Op::Add, &[row, b]);
        let y = s.step(Op::Multiply, &[x, r]);
        vec![s.step(Op::Add, &[y, a])]
    });
    let (bindings, stored, _) = stages(&p, &[&[500, 1000], &[1000], &[1]], Hoist::Always).unwrap();
    assert_eq!(stored.len(), 4);
    let indices = |b: &Binding| b.leaves.iter().map(|l| (l.output, l.index)).collect::<Vec<_>>();
    // Of three inputs, stored value 0 is input 3: stage 1 reads value 1, stage 2 values 0 and 2.
    assert_eq!(indices(&bindings[0]), [(true, 1), (true, 2), (false, 2)]);
    assert_eq!(indices(&bindings[1]), [(true, 3), (false, 1), (false, 4)]);
    assert_eq!(indices(&bindings[2]), [(true, 0), (false, 0), (false, 3), (false, 5)]);
}

#[test]
fn a_stage_can_be_bound_again() {
    let p = program(|s, [x, v]| {
        let root = s.step(Op::Sqrt, &[v]);
        vec![s.step(Op::Multiply, &[x, root])]
    });
    let (x, v) = (layout(&[100, 300]), layout(&[300]));
    let inputs = [&x, &v];
    let mut staging = Staging::new(&p, &inputs, Hoist::Always).unwrap();
    for stage in [0, 0, 1, 1] {
        let mut binding = Binding::default();
        staging.bind(stage, &mut binding, &p, &inputs, None, false).unwrap();
        assert_eq!(ops(&[binding]), [[vec![Op::Sqrt]], [vec![Op::Multiply]]][stage]);
    }
}

/// What is between stages is dense, and tells the order of all its axes; what it is made of does not.
#[test]
fn outputs_lie_as_without_stages_where_what_is_between_would_tell_more() {
    let p = program(|s, [x, v, w]| {
        let sum = s.step(Op::Add, &[v, w]);
        vec![s.step(Op::Multiply, &[x, sum])]
    });
    let x = Layout::strided(DType::F32, [3, 40, 50], [8000, 4, 160]).unwrap();
    let (v, w) = (layout(&[40, 1]), layout(&[1, 50]));
    let backwards = Layout::strided(DType::F32, [1, 50], [4, -4]).unwrap();
    for w in [w, backwards] {
        let inputs = [&x, &v, &w];
        for (c_order, expected) in [(false, x.clone()), (true, layout(&[3, 40, 50]))] {
            for hoist in [Hoist::Always, Hoist::Never] {
                let mut staging = Staging::new(&p, &inputs, hoist).unwrap();
                let mut binding = Binding::default();
                for stage in 0..staging.stages() {
                    staging.bind(stage, &mut binding, &p, &inputs, None, c_order).unwrap();
                }
                assert_eq!(binding.outputs[0], expected, "{hoist:?} {c_order}");
            }
        }
    }
}
