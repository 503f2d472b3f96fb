//! logaddexp, logaddexp2.

use crate::common::{INF, NAN, test_functions};

const SUMS: &[([f64; 2], f64)] = &[
    ([-INF, -INF], -INF),
    ([-INF, 2.5], 2.5),
    ([2.5, -INF], 2.5),
    ([-0.0, -INF], 0.0),
    ([INF, -INF], INF),
    ([INF, INF], INF),
    ([3.0, INF], INF),
    ([NAN, -INF], NAN),
    ([INF, NAN], NAN),
];
const SUMS2: &[([f64; 2], f64)] = &[([3.0, 3.0], 4.0), ([-1.0, -1.0], 0.0), ([-INF, 2.5], 2.5), ([NAN, INF], NAN)];

test_functions! {
    logaddexp_f32 = f32::logaddexp(x, y) {
        special_values: SUMS;
        edge_values: ();
        ulp_error_at_most: (0.54, &[[[-100.0, 100.0], [-100.0, 100.0]], [[-1.0, 1.0], [-1.0, 1.0]], [[-3.0, 0.0], [-3.0, 0.0]]]);
        same_bits: &[[[-100.0, 100.0], [-100.0, 100.0]], [[-1.0, 1.0], [-1.0, 1.0]], [[-3.0, 0.0], [-3.0, 0.0]]];
    }
    logaddexp_f64 = f64::logaddexp(x, y) {
        special_values: SUMS;
        edge_values: ();
        ulp_error_at_most: (0.51, &[[[-800.0, 800.0], [-800.0, 800.0]], [[-1.0, 1.0], [-1.0, 1.0]], [[-3.0, 0.0], [-3.0, 0.0]]]);
        same_bits: &[[[-800.0, 800.0], [-800.0, 800.0]], [[-1.0, 1.0], [-1.0, 1.0]], [[-3.0, 0.0], [-3.0, 0.0]]];
    }
    logaddexp_to_narrow = to_narrow::logaddexp(x, y) {
        narrows_correctly: &[[[-100.0, 100.0], [-100.0, 100.0]], [[-1.0, 1.0], [-1.0, 1.0]]];
        same_bits: &[[[-100.0, 100.0], [-100.0, 100.0]], [[-1.0, 1.0], [-1.0, 1.0]]];
    }
    logaddexp2_f32 = f32::logaddexp2(x, y) {
        special_values: SUMS2;
        edge_values: ();
        ulp_error_at_most: (0.54, &[[[-100.0, 100.0], [-100.0, 100.0]], [[-1.0, 1.0], [-1.0, 1.0]], [[-3.0, 0.0], [-3.0, 0.0]]]);
        same_bits: &[[[-100.0, 100.0], [-100.0, 100.0]], [[-1.0, 1.0], [-1.0, 1.0]], [[-3.0, 0.0], [-3.0, 0.0]]];
    }
    logaddexp2_f64 = f64::logaddexp2(x, y) {
        special_values: SUMS2;
        edge_values: ();
        ulp_error_at_most: (0.82, &[[[-1100.0, 1100.0], [-1100.0, 1100.0]], [[-1.0, 1.0], [-1.0, 1.0]], [[-3.0, 0.0], [-3.0, 0.0]]]);
        same_bits: &[[[-1100.0, 1100.0], [-1100.0, 1100.0]], [[-1.0, 1.0], [-1.0, 1.0]], [[-3.0, 0.0], [-3.0, 0.0]]];
    }
    logaddexp2_to_narrow = to_narrow::logaddexp2(x, y) {
        narrows_correctly: &[[[-100.0, 100.0], [-100.0, 100.0]], [[-1.0, 1.0], [-1.0, 1.0]]];
        same_bits: &[[[-100.0, 100.0], [-100.0, 100.0]], [[-1.0, 1.0], [-1.0, 1.0]]];
    }
}
