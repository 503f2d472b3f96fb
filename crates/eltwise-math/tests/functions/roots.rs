//! rsqrt, cbrt, hypot.

use crate::common::{INF, NAN, test_functions};

const RSQRT: &[(f64, f64)] = &[(0.0, INF), (-0.0, -INF), (-1.0, NAN), (-INF, NAN), (INF, 0.0), (4.0, 0.5), (NAN, NAN)];
const CBRT: &[(f64, f64)] = &[(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (-27.0, -3.0), (NAN, NAN)];
const HYPOT: &[([f64; 2], f64)] = &[
    ([0.0, -0.0], 0.0),
    ([-3.0, 4.0], 5.0),
    ([INF, NAN], INF),
    ([NAN, -INF], INF),
    ([-INF, 2.0], INF),
    ([2.0, NAN], NAN),
    ([1e-38, 0.0], 1e-38),
];

test_functions! {
    rsqrt_f32 = f32::rsqrt(x) {
        special_values: RSQRT;
        edge_values: ();
        decreasing_between_samples: &[[1e-45, 3.4e38], [0.25, 4.0]];
        representable_results: 20;
        ulp_error_at_most: (0.63, &[[1e-45, 3.4e38], [0.25, 4.0]]);
        same_bits: &[[1e-45, 3.4e38], [0.25, 4.0]];
    }
    rsqrt_f64 = f64::rsqrt(x) {
        special_values: RSQRT;
        edge_values: ();
        decreasing_between_samples: &[[5e-324, 1e308], [0.25, 4.0]];
        representable_results: 20;
        ulp_error_at_most: (0.503, &[[5e-324, 1e308], [0.25, 4.0]]);
        same_bits: &[[5e-324, 1e308], [0.25, 4.0]];
    }
    cbrt_f32 = f32::cbrt(x) {
        special_values: CBRT;
        edge_values: ();
        increasing: &[[-3.4e38, 3.4e38], [0.125, 8.0]];
        representable_results: 40;
        ulp_error_at_most: (0.503, &[[-3.4e38, 3.4e38], [-8.0, 8.0]]);
        same_bits: &[[-3.4e38, 3.4e38], [-8.0, 8.0]];
    }
    cbrt_f64 = f64::cbrt(x) {
        special_values: CBRT;
        edge_values: ();
        increasing: &[[-1e308, 1e308], [0.125, 8.0]];
        representable_results: 40;
        ulp_error_at_most: (0.503, &[[-1e308, 1e308], [-8.0, 8.0]]);
        same_bits: &[[-1e308, 1e308], [-8.0, 8.0]];
    }
    hypot_f32 = f32::hypot(x, y) {
        special_values: HYPOT;
        edge_values: ();
        representable_results: 500;
        ulp_error_at_most: (0.91, &[[[-3e38, 3e38], [-3e38, 3e38]], [[-2.0, 2.0], [-2.0, 2.0]]]);
        same_bits: &[[[-3e38, 3e38], [-3e38, 3e38]], [[-2.0, 2.0], [-2.0, 2.0]]];
    }
    hypot_f64 = f64::hypot(x, y) {
        special_values: HYPOT;
        edge_values: ();
        representable_results: 500;
        ulp_error_at_most: (0.76, &[[[-1e308, 1e308], [-1e308, 1e308]], [[-2.0, 2.0], [-2.0, 2.0]]]);
        same_bits: &[[[-1e308, 1e308], [-1e308, 1e308]], [[-2.0, 2.0], [-2.0, 2.0]]];
    }
    hypot_to_narrow = to_narrow::hypot(x, y) {
        narrows_correctly: &[[[-3e38, 3e38], [-3e38, 3e38]], [[-2.0, 2.0], [-2.0, 2.0]]];
        same_bits: &[[[-3e38, 3e38], [-3e38, 3e38]], [[-2.0, 2.0], [-2.0, 2.0]]];
    }
}
