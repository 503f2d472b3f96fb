//! elu, celu, selu, softcap.

use crate::common::{INF, NAN, test_functions};

const ELU: &[([f64; 2], f64)] = &[
    ([0.0, 2.0], 0.0),
    ([-0.0, 2.0], -0.0),
    ([-INF, 2.0], -2.0),
    ([INF, 2.0], INF),
    ([3.0, 2.0], 3.0),
    ([-800.0, 2.0], -2.0),
    ([NAN, 2.0], NAN),
];
const SELU: &[(f64, f64)] = &[(0.0, 0.0), (-0.0, -0.0), (-INF, -1.758_099_340_847_376_9), (INF, INF), (NAN, NAN)];
const SOFTCAP: &[([f64; 2], f64)] = &[
    ([0.0, 2.0], 0.0),
    ([-0.0, 2.0], -0.0),
    ([INF, 2.0], 2.0),
    ([-INF, -2.0], -2.0),
    ([3.0, INF], 3.0),
    ([INF, INF], NAN),
    ([0.0, 0.0], NAN),
    ([NAN, 2.0], NAN),
];

test_functions! {
    elu_f32 = f32::elu(x, alpha) {
        special_values: ELU;
        edge_values: ();
        ulp_error_at_most: (0.5094, &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]]);
        same_bits: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    elu_f64 = f64::elu(x, alpha) {
        special_values: ELU;
        edge_values: ();
        ulp_error_at_most: (0.75, &[[[-750.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]]);
        same_bits: &[[[-750.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    elu_correctly_rounded = correctly_rounded::elu(x, alpha) {
        special_values: ELU;
        correctly_rounded: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
        same_bits: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    elu_to_narrow = to_narrow::elu(x, alpha) {
        narrows_correctly: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
        same_bits: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    celu_f32 = f32::celu(x, alpha) {
        special_values: ELU;
        edge_values: ();
        ulp_error_at_most: (0.51, &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]]);
        same_bits: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    celu_f64 = f64::celu(x, alpha) {
        special_values: ELU;
        edge_values: ();
        ulp_error_at_most: (0.75, &[[[-750.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]]);
        same_bits: &[[[-750.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    celu_correctly_rounded = correctly_rounded::celu(x, alpha) {
        special_values: ELU;
        correctly_rounded: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
        same_bits: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    celu_to_narrow = to_narrow::celu(x, alpha) {
        narrows_correctly: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
        same_bits: &[[[-105.0, 5.0], [0.1, 10.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    selu_f32 = f32::selu(x) {
        special_values: SELU;
        edge_values: ();
        increasing: &[[-105.0, 5.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.5086, &[[-105.0, 5.0], [-1.0, 1.0]]);
        same_bits: &[[-105.0, 5.0], [-1.0, 1.0]];
    }
    selu_f64 = f64::selu(x) {
        special_values: SELU;
        edge_values: ();
        increasing_between_samples: &[[-750.0, 5.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.75, &[[-750.0, 5.0], [-1.0, 1.0]]);
        same_bits: &[[-750.0, 5.0], [-1.0, 1.0]];
    }
    selu_correctly_rounded = correctly_rounded::selu(x) {
        special_values: SELU;
        correctly_rounded: &[[-105.0, 5.0], [-1.0, 1.0]];
        same_bits: &[[-105.0, 5.0], [-1.0, 1.0]];
    }
    selu_to_narrow = to_narrow::selu(x) {
        narrows_correctly: &[[-105.0, 5.0], [-1.0, 1.0]];
        same_bits: &[[-105.0, 5.0], [-1.0, 1.0]];
    }
    softcap_f32 = f32::softcap(x, c) {
        special_values: SOFTCAP;
        edge_values: ();
        ulp_error_at_most: (0.5061, &[[[-100.0, 100.0], [1.0, 50.0]], [[-1.0, 1.0], [-2.0, 2.0]]]);
        same_bits: &[[[-100.0, 100.0], [1.0, 50.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    softcap_f64 = f64::softcap(x, c) {
        special_values: SOFTCAP;
        edge_values: ();
        ulp_error_at_most: (0.75, &[[[-100.0, 100.0], [1.0, 50.0]], [[-1.0, 1.0], [-2.0, 2.0]]]);
        same_bits: &[[[-100.0, 100.0], [1.0, 50.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
    softcap_to_narrow = to_narrow::softcap(x, c) {
        narrows_correctly: &[[[-100.0, 100.0], [1.0, 50.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
        same_bits: &[[[-100.0, 100.0], [1.0, 50.0]], [[-1.0, 1.0], [-2.0, 2.0]]];
    }
}
