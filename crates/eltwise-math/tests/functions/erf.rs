//! erf, erfc.

use crate::common::{INF, NAN, test_functions};

const ERF: &[(f64, f64)] = &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (7.0, 1.0), (NAN, NAN)];
const ERFC: &[(f64, f64)] = &[(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (30.0, 0.0), (-7.0, 2.0), (NAN, NAN)];

test_functions! {
    erf_f32 = f32::erf(x) {
        special_values: ERF;
        edge_values: ();
        increasing_between_samples: &[[-6.0, 6.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.9855, &[[-6.0, 6.0], [-1.0, 1.0]]);
        same_bits: &[[-6.0, 6.0], [-1.0, 1.0]];
    }
    erf_f64 = f64::erf(x) {
        special_values: ERF;
        edge_values: ();
        increasing_between_samples: &[[-6.0, 6.0], [-1.0, 1.0]];
        ulp_error_at_most: (0.75, &[[-6.0, 6.0], [-1.0, 1.0]]);
        same_bits: &[[-6.0, 6.0], [-1.0, 1.0]];
    }
    erfc_f32 = f32::erfc(x) {
        special_values: ERFC;
        edge_values: ();
        decreasing: &[[-5.0, 10.1], [-1.0, 1.0]];
        ulp_error_at_most: (0.9861, &[[-5.0, 10.1], [-1.0, 1.0]]);
        same_bits: &[[-5.0, 10.1], [-1.0, 1.0]];
    }
    erfc_f64 = f64::erfc(x) {
        special_values: ERFC;
        edge_values: ();
        decreasing_between_samples: &[[-7.0, 27.3], [-1.0, 1.0]];
        ulp_error_at_most: (0.78, &[[-7.0, 27.3], [-1.0, 1.0]]);
        same_bits: &[[-7.0, 27.3], [-1.0, 1.0]];
    }
    erfc_to_narrow = to_narrow::erfc(x) {
        narrows_correctly: &[[-5.0, 10.1], [-1.0, 1.0]];
        same_bits: &[[-5.0, 10.1], [-1.0, 1.0]];
    }
}
