//! The last step of a non-temporal run is outside of the chain of the steps before it.

use eltwise::{Array, BindOptions, CpuModel, DType, Layout, Program, Technique};

/// The reference of an expression.
type Function = fn(f32) -> f32;

#[test]
fn the_last_step_of_a_non_temporal_run_has_stores_of_its_own() {
    // Outputs beyond this last-level cache are written with non-temporal stores.
    let model = CpuModel { llc: 1 << 18, double_pumped_512: false, ..CpuModel::default() };
    eltwise::set_cpu_model(model).expect("this file has one test");
    let n = (1 << 18) + 77;
    let numbers: Vec<f32> = (0..n).map(|i| (i % 1000) as f32 / 50.0 - 10.0).collect();
    let x = Array::from_slice(&numbers, [n]).unwrap();
    let layout = Layout::contiguous(DType::F32, [n]).unwrap();
    // Two steps leave one before the last, which is no chain; five end with a fused step.
    let cases: [(&str, Function); 3] = [
        ("relu(x) / 7", |x| x.max(0.0) / 7.0),
        ("clamp(x + 3, 0, 6) * x / 6", |x| (x + 3.0).clamp(0.0, 6.0) * x / 6.0),
        ("sqrt(abs(clamp(x, -4, 6) / 3)) * 2 + 1", |x| (x.clamp(-4.0, 6.0) / 3.0).abs().sqrt() * 2.0 + 1.0),
    ];
    for (text, expected) in cases {
        let program = Program::parse(text, &[("x", DType::F32)]).unwrap();
        let expected: Vec<f32> = numbers.iter().copied().map(expected).collect();
        for non_temporal in [true, false] {
            let options = BindOptions::new().outputs([layout.clone()]).non_temporal(non_temporal);
            let plan = program.bind_with(&[x.layout()], &options).unwrap();
            assert_eq!(plan.is_non_temporal(), non_temporal, "{}", plan.explain(1));
            assert!(plan.techniques().contains(&Technique::Chained));
            let mut out = Array::with_layout(layout.clone()).unwrap();
            let _ = plan.run(&[x.view()], &mut [out.view_mut()]).unwrap();
            assert_eq!(out.as_slice::<f32>().unwrap(), expected, "{text}, non-temporal: {non_temporal}");
        }
    }
}
