//! xlogy, xlog1py, entr.

use crate::common::{INF, NAN, test_functions};

const XLOGY: &[([f64; 2], f64)] = &[
    ([0.0, 0.0], 0.0),
    ([-0.0, 0.0], 0.0),
    ([0.0, -1.0], 0.0),
    ([0.0, INF], 0.0),
    ([0.0, NAN], NAN),
    ([2.0, 0.0], -INF),
    ([-2.0, -0.0], INF),
    ([2.0, 1.0], 0.0),
    ([-2.0, 1.0], -0.0),
    ([2.0, -1.0], NAN),
    ([2.0, INF], INF),
    ([INF, 0.5], -INF),
    ([INF, 1.0], NAN),
    ([NAN, 1.0], NAN),
];
const XLOG1PY: &[([f64; 2], f64)] = &[
    ([0.0, -1.0], 0.0),
    ([0.0, -2.0], 0.0),
    ([0.0, NAN], NAN),
    ([2.0, -1.0], -INF),
    ([2.0, -0.0], -0.0),
    ([-2.0, 0.0], -0.0),
    ([2.0, -2.0], NAN),
    ([-2.0, INF], -INF),
    ([INF, 0.0], NAN),
    ([INF, -0.5], -INF),
];
const ENTR: &[(f64, f64)] = &[(0.0, 0.0), (-0.0, 0.0), (1.0, 0.0), (-1.0, -INF), (INF, -INF), (-INF, -INF), (NAN, NAN)];

test_functions! {
    xlogy_f32 = f32::xlogy(x, y) {
        special_values: XLOGY;
        edge_values: ();
        ulp_error_at_most: (0.501, &[[[-100.0, 100.0], [0.0, 10.0]], [[-1e30, 1e30], [0.9, 1.1]]]);
        same_bits: &[[[-100.0, 100.0], [0.0, 10.0]], [[-1e30, 1e30], [0.9, 1.1]]];
    }
    xlogy_f64 = f64::xlogy(x, y) {
        special_values: XLOGY;
        edge_values: ();
        ulp_error_at_most: (0.78, &[[[-100.0, 100.0], [0.0, 10.0]], [[-1e300, 1e300], [0.9, 1.1]]]);
        same_bits: &[[[-100.0, 100.0], [0.0, 10.0]], [[-1e300, 1e300], [0.9, 1.1]]];
    }
    xlog1py_f32 = f32::xlog1py(x, y) {
        special_values: XLOG1PY;
        edge_values: ();
        ulp_error_at_most: (0.501, &[[[-100.0, 100.0], [-1.0, 10.0]], [[-1e30, 1e30], [-0.1, 0.1]]]);
        same_bits: &[[[-100.0, 100.0], [-1.0, 10.0]], [[-1e30, 1e30], [-0.1, 0.1]]];
    }
    xlog1py_f64 = f64::xlog1py(x, y) {
        special_values: XLOG1PY;
        edge_values: ();
        ulp_error_at_most: (0.78, &[[[-100.0, 100.0], [-1.0, 10.0]], [[-1e300, 1e300], [-0.1, 0.1]], [[1.0, 2.0], [-2e-16, 2e-16]], [[1.0, 2.0], [-1e-13, 1e-13]]]);
        same_bits: &[[[-100.0, 100.0], [-1.0, 10.0]], [[-1e300, 1e300], [-0.1, 0.1]]];
    }
    entr_f32 = f32::entr(x) {
        special_values: ENTR;
        edge_values: ();
        ulp_error_at_most: (0.501, &[[0.0, 10.0], [0.9, 1.1], [0.0, 3e38]]);
        same_bits: &[[0.0, 10.0], [0.9, 1.1]];
    }
    entr_f64 = f64::entr(x) {
        special_values: ENTR;
        edge_values: ();
        ulp_error_at_most: (0.78, &[[0.0, 10.0], [0.9, 1.1], [0.0, 1e300]]);
        same_bits: &[[0.0, 10.0], [0.9, 1.1]];
    }
}
