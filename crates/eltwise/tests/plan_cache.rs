//! The plan cache: hits and misses, its bound, plans made again, threads.

use std::sync::Arc;

use eltwise::{Array, BindOptions, DType, Error, ErrorKind, Layout, LayoutParts, Plan, PlanCache, Program};

fn program() -> Program {
    Program::parse("a * b + a", &[("a", DType::F32), ("b", DType::F32)]).unwrap()
}

fn layout(shape: &[usize]) -> Layout {
    Layout::contiguous(DType::F32, shape).unwrap()
}

fn iota(shape: &[usize]) -> Array {
    let values: Vec<f32> = (0..shape.iter().product::<usize>()).map(|i| i as f32).collect();
    Array::from_slice(&values, shape).unwrap()
}

/// The result for operands `[rows, 3]` and `[3]`, of `0, 1, ...` each.
fn run(plan: &Plan, rows: usize) -> Vec<f32> {
    let (a, b) = (iota(&[rows, 3]), iota(&[3]));
    let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
    let _ = plan.run(&[a.view(), b.view()], &mut [out.view_mut()]).unwrap();
    out.as_slice::<f32>().unwrap().to_vec()
}

fn expected(rows: usize) -> Vec<f32> {
    (0..3 * rows).map(|i| i as f32 * (i % 3) as f32 + i as f32).collect()
}

#[test]
fn equal_layouts_get_one_plan_and_others_another() {
    let cache = PlanCache::new(program(), BindOptions::new(), 16);
    let (a, b) = (layout(&[4, 3]), layout(&[3]));
    let first = cache.plan(&[&a, &b]).unwrap();
    assert!(Arc::ptr_eq(&first, &cache.plan(&[&a, &b]).unwrap()));
    // Other sizes, other strides, outputs that are given.
    let transposed = Layout::strided(DType::F32, [4, 3], [4, 16]).unwrap();
    let others = [
        cache.plan(&[&layout(&[5, 3]), &b]).unwrap(),
        cache.plan(&[&transposed, &b]).unwrap(),
        cache.plan_to(&[&a, &b], &[&layout(&[4, 3])]).unwrap(),
        cache.plan_to(&[&a, &b], &[&transposed]).unwrap(),
    ];
    for (i, plan) in others.iter().enumerate() {
        assert!(!Arc::ptr_eq(&first, plan), "{i}");
        assert!(others[..i].iter().all(|other| !Arc::ptr_eq(other, plan)), "{i}");
    }
    assert_eq!(others[3].output_layouts(), [transposed]);
    let counts = cache.counts();
    assert_eq!((counts.hits, counts.misses, counts.plans), (1, 5, 5));
}

#[test]
fn contiguous_operands_need_no_strides() {
    let cache = PlanCache::new(program(), BindOptions::new().runs(1), 16);
    fn parts(shape: &[usize]) -> LayoutParts<'_> {
        LayoutParts { dtype: DType::F32, shape, strides: None }
    }
    for rows in [4usize, 1, 0, 4] {
        let shape = [rows, 3];
        let plan = cache.plan_of(&[parts(&shape), parts(&[3])], None).unwrap();
        assert_eq!(plan.input_layouts(), [layout(&shape), layout(&[3])]);
        assert_eq!(run(&plan, rows), expected(rows));
        let transposed = Layout::strided(DType::F32, [rows, 3], [4, 16]).unwrap();
        let other = cache.plan(&[&transposed, &layout(&[3])]).unwrap();
        assert_eq!(other.input_layouts()[0], transposed);
        // The plan is that of the layouts with their strides, also after another call.
        assert!(Arc::ptr_eq(&plan, &cache.plan(&[&layout(&shape), &layout(&[3])]).unwrap()));
    }
}

#[test]
fn a_plan_is_made_again_at_its_third_hit_unless_the_runs_are_given() {
    let (a, b) = (layout(&[7, 3]), layout(&[3]));
    let plans = |options: BindOptions| {
        let cache = PlanCache::new(program(), options, 4);
        let plans: Vec<Arc<Plan>> = (0..6).map(|_| cache.plan(&[&a, &b]).unwrap()).collect();
        assert_eq!((cache.counts().hits, cache.counts().misses, cache.counts().plans), (5, 1, 1));
        plans
    };
    let again = plans(BindOptions::new());
    assert!(
        Arc::ptr_eq(&again[0], &again[2]) && !Arc::ptr_eq(&again[2], &again[3]) && Arc::ptr_eq(&again[3], &again[5])
    );
    let once = plans(BindOptions::new().runs(1000));
    assert!(Arc::ptr_eq(&once[0], &once[5]));
    for plan in again.iter().chain(&once) {
        assert_eq!(run(plan, 7), expected(7));
    }
}

#[test]
fn the_cache_is_bounded_and_keeps_what_is_used() {
    let cache = PlanCache::new(program(), BindOptions::new(), 8);
    let b = layout(&[3]);
    let often = layout(&[2, 3]);
    for rows in 3..200 {
        assert_eq!(run(&cache.plan(&[&layout(&[rows, 3]), &b]).unwrap(), rows), expected(rows));
        assert_eq!(run(&cache.plan(&[&often, &b]).unwrap(), 2), expected(2));
    }
    let counts = cache.counts();
    assert_eq!(counts.plans, 16);
    assert_eq!(counts.hits + counts.misses, 2 * 197);
    // The plan of every second call stays.
    assert_eq!(counts.misses, 198);
}

/// Sets of the cache fill unequally, which must not cost plans of a number that the cache is for.
#[test]
fn as_many_layouts_as_the_capacity_stay() {
    let b = layout(&[3]);
    for first in [1, 2, 100, 1000] {
        for step in [1, 2, 16, 100] {
            let cache = PlanCache::new(program(), BindOptions::new(), 16);
            for _ in 0..3 {
                for i in 0..10 {
                    cache.plan(&[&layout(&[first + i * step, 3]), &b]).unwrap();
                }
            }
            assert_eq!((cache.counts().hits, cache.counts().misses), (20, 10), "{first} {step}");
        }
    }
}

#[test]
fn layouts_that_do_not_bind_are_errors_and_leave_no_plan() {
    let cache = PlanCache::new(program(), BindOptions::new(), 0);
    for _ in 0..3 {
        assert_eq!(cache.plan(&[&layout(&[4, 3]), &layout(&[2])]).unwrap_err().kind(), ErrorKind::Broadcast);
    }
    assert!(matches!(cache.plan(&[&layout(&[4, 3])]), Err(Error::Count { .. })));
    let counts = cache.counts();
    assert_eq!((counts.hits, counts.misses, counts.plans), (0, 4, 0));
}

#[test]
fn threads_share_a_cache() {
    let cache = PlanCache::new(program(), BindOptions::new(), 4);
    let b = layout(&[3]);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (cache, b) = (&cache, &b);
            scope.spawn(move || {
                for i in 0..500 {
                    let rows = 1 + (i * (thread + 1)) % 11;
                    assert_eq!(run(&cache.plan(&[&layout(&[rows, 3]), b]).unwrap(), rows), expected(rows));
                }
            });
        }
    });
    let counts = cache.counts();
    assert!(counts.plans <= 8, "{counts:?}");
    assert!(counts.hits + counts.misses <= 2000, "{counts:?}");
}
