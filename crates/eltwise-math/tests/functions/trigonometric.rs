//! sin, cos, tan.

use crate::common::{INF, NAN, test_functions};

const SIN: &[(f64, f64)] = &[(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (1e-38, 1e-38)];
const COS: &[(f64, f64)] = &[(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (1e-38, 1.0)];

test_functions! {
    sin_f32 = f32::sin(x) {
        special_values: SIN;
        edge_values: ();
        increasing_between_samples: &[[-1.57, 1.57]];
        ulp_error_at_most: (0.8394, &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]]);
        same_bits: &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]];
    }
    sin_f64 = f64::sin(x) {
        special_values: SIN;
        edge_values: ();
        increasing_between_samples: &[[-1.57, 1.57]];
        ulp_error_at_most: (0.53, &[[-7.0, 7.0], [-4000000.0, 5000000.0], [-1e308, 1e308]]);
        same_bits: &[[-7.0, 7.0], [-4000000.0, 5000000.0], [-1e308, 1e308]];
    }
    sin_correctly_rounded = correctly_rounded::sin(x) {
        special_values: SIN;
        correctly_rounded: &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]];
        hard_inputs: &[0xc50e_72f4];
        same_bits: &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]];
    }
    sin_to_narrow = to_narrow::sin(x) {
        narrows_correctly: &[[-7.0, 7.0], [-3e38, 3e38]];
        same_bits: &[[-7.0, 7.0], [-3e38, 3e38]];
    }
    cos_f32 = f32::cos(x) {
        special_values: COS;
        edge_values: ();
        decreasing_between_samples: &[[0.01, 3.1]];
        ulp_error_at_most: (0.8403, &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]]);
        same_bits: &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]];
    }
    cos_f64 = f64::cos(x) {
        special_values: COS;
        edge_values: ();
        decreasing_between_samples: &[[0.01, 3.1]];
        ulp_error_at_most: (0.53, &[[-7.0, 7.0], [-4000000.0, 5000000.0], [-1e308, 1e308]]);
        same_bits: &[[-7.0, 7.0], [-4000000.0, 5000000.0], [-1e308, 1e308]];
    }
    cos_correctly_rounded = correctly_rounded::cos(x) {
        special_values: COS;
        correctly_rounded: &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]];
        same_bits: &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]];
    }
    cos_to_narrow = to_narrow::cos(x) {
        narrows_correctly: &[[-7.0, 7.0], [-3e38, 3e38]];
        same_bits: &[[-7.0, 7.0], [-3e38, 3e38]];
    }
    tan_f32 = f32::tan(x) {
        special_values: SIN;
        edge_values: ();
        increasing_between_samples: &[[-1.57, 1.57]];
        ulp_error_at_most: (0.976, &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]]);
        same_bits: &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]];
    }
    tan_f64 = f64::tan(x) {
        special_values: SIN;
        edge_values: ();
        increasing_between_samples: &[[-1.57, 1.57]];
        ulp_error_at_most: (0.53, &[[-7.0, 7.0], [-4000000.0, 5000000.0], [-1e308, 1e308]]);
        same_bits: &[[-7.0, 7.0], [-4000000.0, 5000000.0], [-1e308, 1e308]];
    }
    tan_correctly_rounded = correctly_rounded::tan(x) {
        special_values: SIN;
        correctly_rounded: &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]];
        same_bits: &[[-7.0, 7.0], [-4096.0, 4096.0], [-3e38, 3e38]];
    }
}
