//! The list of patterns: layouts for which an engine may be much slower than for contiguous operands.
//!
//! | patterns | file |
//! |---|---|
//! | broadcast operands: rows, columns, channels, short periods, repeated elements | `broadcast` |
//! | strided, reversed and transposed operands | `strided` |
//! | integer division | `integer_division` |
//! | operands of a few elements | `small` |

mod broadcast;
mod integer_division;
mod small;
mod strided;

use eltwise::DType;

use crate::pattern::Pattern;
use crate::size::Size;

/// The dtypes of every pattern without a list of dtypes.
pub const DTYPES: [DType; 4] = [DType::U8, DType::F16, DType::F32, DType::F64];

/// Every pattern of a size.
pub fn patterns(size: Size) -> Vec<Pattern> {
    let small = if size == Size::L2 { small::patterns() } else { vec![] };
    [broadcast::patterns(size), strided::patterns(size), small, integer_division::patterns()].concat()
}

/// The dtypes of a pattern.
pub fn dtypes(pattern: &Pattern) -> &[DType] {
    if pattern.dtypes.is_empty() { &DTYPES } else { &pattern.dtypes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eltwise::Isa;
    use std::collections::BTreeSet;

    fn bar(title: &str, dtype: DType, size: Size, isa: Isa) -> Option<f64> {
        let all = patterns(size);
        let found = all.iter().find(|p| p.title() == title).unwrap_or_else(|| panic!("no pattern {title:?}"));
        found.bar.limit(dtype, size, isa)
    }

    /// The patterns that must stay in the table, and their bars on AVX-512 and AVX2.
    #[test]
    fn the_table_has_every_family_with_its_bars() {
        let numbered = |family: &str, numbers: &[usize], factor: f64| -> Vec<(String, f64)> {
            numbers.iter().map(|n| (format!("{family}{n}"), factor)).collect()
        };
        let mut expected: Vec<(String, f64)> = [
            ("row 64", 1.15),
            ("row 1000", 1.15),
            ("column 64", 1.15),
            ("column 1000", 1.15),
            ("scalar", 1.15),
            ("outer 64", 1.15),
            ("outer 1024", 1.15),
            ("outer [2,N,1024]", 1.15),
            ("batch norm HW 1", 1.25),
            ("batch norm HW 4", 1.25),
            ("batch norm HW 9", 1.25),
            ("batch norm HW 49", 1.2),
            ("batch norm HW 3136", 1.15),
            ("per_w last axis", 1.15),
            ("per_w column", 1.15),
            ("mask where", 1.15),
            ("mask add", 1.15),
            ("reversed flat", 1.15),
            ("reversed columns", 1.15),
            ("reversed rows", 1.15),
            ("pixels C=3", 1.25),
            ("pixels C=3 ==", 1.25),
            ("both broadcast [N,1,5]+[1,40,5]", 1.25),
            ("both broadcast [N,1,64,1,8]+[1,16,1,8,8]", 1.25),
            ("stride 2", 1.25),
            ("stride 2 both", 1.25),
            ("both transposed K order", 1.1),
            ("both transposed C order", 1.8),
        ]
        .map(|(title, factor)| (title.to_string(), factor))
        .into();
        expected.extend(numbered("period ", &[2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33], 1.25));
        expected.extend(numbered("stretch ", &[2, 3, 5, 9, 15], 1.25));
        expected.extend(numbered("small inner n=", &[2, 3, 5, 8, 16, 17, 32, 64, 128], 1.25));
        for size in Size::ALL {
            for (title, factor) in &expected {
                for isa in [Isa::Avx512, Isa::Avx2] {
                    assert_eq!(bar(title, DType::F32, size, isa), Some(*factor), "{title} {size}");
                }
            }
        }
        for side in [1024, 2048, 4096] {
            assert_eq!(bar(&format!("transposed {side}"), DType::F32, Size::Dram, Isa::Avx512), Some(1.7));
            assert_eq!(bar(&format!("transposed {side}"), DType::U8, Size::Dram, Isa::Avx2), Some(2.3));
        }
        assert_eq!(bar("transposed square", DType::F64, Size::L2, Isa::Avx2), Some(3.0));
        assert_eq!(bar("nchw + nhwc", DType::U8, Size::Dram, Isa::Avx2), Some(1.8));
        for title in ["outer 3", "stride 3", "stride 4", "integer a / scalar i32", "small 24"] {
            assert_eq!(bar(title, DType::F32, Size::L2, Isa::Avx512), None, "{title}");
        }
    }

    #[test]
    fn titles_are_unique_and_every_pattern_fits_every_dtype() {
        for size in Size::ALL {
            let all = patterns(size);
            let titles: BTreeSet<String> = all.iter().map(Pattern::title).collect();
            assert_eq!(titles.len(), all.len());
            for pattern in &all {
                for &dtype in dtypes(pattern) {
                    let fitted = pattern.fit(dtype, 1 << 20).unwrap_or_else(|e| panic!("{}: {e}", pattern.title()));
                    assert!(fitted.traffic.writes > 0);
                    fitted.program.bind(&fitted.inputs.iter().collect::<Vec<_>>()).unwrap();
                }
            }
        }
    }
}
