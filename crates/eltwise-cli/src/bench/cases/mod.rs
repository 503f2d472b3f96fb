//! The fixed set of cases. Names stay as they are, for saved runs are compared by them; a case that changes gets a new name.
//!
//! | question | module |
//! |---|---|
//! | one operator over dense operands, by dtype and level of the memory | [`operators`] |
//! | one operator over broadcast, transposed and strided operands | [`layouts`] |
//! | programs of several operators | [`fused`] |
//! | shapes of real models | [`models`] |
//! | what a call costs besides its elements | [`calls`] |

mod calls;
mod fused;
mod layouts;
mod models;
mod operators;

use eltwise::{DType, Layout};

use crate::error::Result;

use super::case::{Case, What, result_dtype};
use super::level::{Level, Levels};
use super::limits::Cost;

/// The order of the groups.
const GROUPS: [&str; 7] = ["operators/", "math/", "fused/", "layouts/", "models/", "threads/", "calls/"];

/// With `--quick` no case has more bytes of operands.
const MOST_QUICK: usize = 8 << 20;

/// The value of an element by plain Rust.
type Value = fn(&[f64]) -> f64;

/// All cases for this machine; those on all threads when there are several.
pub(crate) fn all(levels: &Levels, threads: usize, quick: bool) -> Result<Vec<Case>> {
    let mut all = operators::cases(levels)?;
    all.extend(layouts::cases()?);
    all.extend(fused::cases(levels)?);
    all.extend(models::cases()?);
    all.extend(calls::cases()?);
    let rank = |case: &Case| GROUPS.iter().position(|group| case.name.starts_with(group));
    all.sort_by_key(rank);
    all.retain(|case| {
        let bytes: usize = case.operands.iter().filter_map(|l| l.shape().bytes(l.dtype().size()).ok()).sum();
        (threads > 1 || case.what != What::RunOnAll) && (!quick || bytes <= MOST_QUICK)
    });
    Ok(all)
}

/// A row of a table of dense cases.
struct Dense {
    name: &'static str,
    expression: &'static str,
    dtypes: &'static [DType],
    value: Value,
    cost: Option<Cost>,
    levels: &'static [Level],
}

/// One case for each level, with as many elements as fit the level's working set.
fn dense(group: &str, rows: &[Dense], levels: &Levels, what: What) -> Result<Vec<Case>> {
    /// Elements are a multiple of this.
    const GRAIN: usize = 256;
    let mut cases = Vec::new();
    for row in rows {
        for &level in row.levels {
            let Some(bytes) = levels.working_set(level) else { continue };
            let result = result_dtype(row.expression, row.dtypes)?;
            let element: usize = row.dtypes.iter().chain([&result]).map(|d| d.size()).sum();
            let count = (bytes / element / GRAIN).max(1) * GRAIN;
            let operands =
                row.dtypes.iter().map(|&d| Layout::contiguous(d, [count])).collect::<std::result::Result<_, _>>()?;
            cases.push(Case {
                name: format!("{group}/{}/{}", row.name, level.name()),
                expression: row.expression.to_string(),
                operands,
                value: row.value,
                cost: row.cost,
                what,
            });
        }
    }
    Ok(cases)
}

/// Fused multiply-adds, simple operations, divisions, square roots of an element.
const fn cost(fma: u32, simple: u32, divide: u32, sqrt: u32) -> Option<Cost> {
    Some(Cost { fma, simple, divide, sqrt })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use eltwise::Isa;

    use super::*;

    #[test]
    fn every_case_binds_and_has_a_name_of_its_own() {
        for quick in [false, true] {
            let cases = all(&Levels::found(quick), 2, quick).unwrap();
            assert!(cases.len() > if quick { 40 } else { 70 }, "{}", cases.len());
            let names: HashSet<&str> = cases.iter().map(|c| &c.name[..]).collect();
            assert_eq!(names.len(), cases.len());
            for case in cases {
                let name = case.name.clone();
                case.bind(Isa::current()).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
        let one = all(&Levels::found(true), 1, true).unwrap();
        assert!(one.iter().all(|c| c.what != What::RunOnAll));
    }
}
