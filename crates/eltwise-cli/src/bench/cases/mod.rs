//! The fixed set of cases; see [`all`]. Saved runs are compared by the names of cases, so a case that changes gets a new name.
//!
//! | module | cases |
//! |---|---|
//! | [`operators`] | one operator over dense operands, by dtype and memory level |
//! | [`layouts`] | one operator over broadcast, transposed and strided operands |
//! | [`fused`] | programs of several operators |
//! | [`models`] | shapes of real models |
//! | [`calls`] | the overhead of calls and plans |

mod calls;
mod fused;
mod layouts;
mod models;
mod operators;

use eltwise::{DType, Layout};

use crate::error::Result;

use super::case::{Action, Case, result_dtype};
use super::limits::Cost;
use super::memory_level::{MemoryLevel, MemoryLevels};

/// The groups in the order of the output.
const GROUPS: [&str; 7] = ["operators/", "math/", "fused/", "layouts/", "models/", "threads/", "calls/"];

/// The largest number of bytes of the operands of a case with `--quick`.
const MAX_QUICK_BYTES: usize = 8 << 20;

/// Computes the value of an element from the values of the operands.
type Value = fn(&[f64]) -> f64;

/// All cases for this machine. Cases on all threads are left out if `threads` is 1.
pub(crate) fn all(levels: &MemoryLevels, threads: usize, quick: bool) -> Result<Vec<Case>> {
    let mut cases = operators::cases(levels)?;
    cases.extend(layouts::cases()?);
    cases.extend(fused::cases(levels)?);
    cases.extend(models::cases()?);
    cases.extend(calls::cases()?);
    let rank = |case: &Case| GROUPS.iter().position(|group| case.name.starts_with(group));
    cases.sort_by_key(rank);
    cases.retain(|case| {
        let bytes: usize = case.operands.iter().filter_map(|l| l.shape().bytes(l.dtype().size()).ok()).sum();
        (threads > 1 || case.action != Action::RunOnAll) && (!quick || bytes <= MAX_QUICK_BYTES)
    });
    Ok(cases)
}

/// A row of a table of cases over dense operands.
struct DenseRow {
    name: &'static str,
    expression: &'static str,
    dtypes: &'static [DType],
    value: Value,
    cost: Option<Cost>,
    levels: &'static [MemoryLevel],
}

/// One case for each row and level, with as many elements as fit in the working set of the level.
fn dense(group: &str, rows: &[DenseRow], levels: &MemoryLevels, action: Action) -> Result<Vec<Case>> {
    /// The number of elements is a multiple of this.
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
                action,
            });
        }
    }
    Ok(cases)
}

/// The cost of an element; the parameters are the fields of [`Cost`].
const fn cost(fma: u32, simple: u32, divide: u32, sqrt: u32) -> Option<Cost> {
    Some(Cost { fma, simple, divide, sqrt })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use eltwise::Isa;

    use super::*;

    #[test]
    fn every_case_binds_and_has_a_unique_name() {
        for quick in [false, true] {
            let cases = all(&MemoryLevels::detect(quick), 2, quick).unwrap();
            assert!(cases.len() > if quick { 40 } else { 70 }, "{}", cases.len());
            let names: HashSet<&str> = cases.iter().map(|c| &c.name[..]).collect();
            assert_eq!(names.len(), cases.len());
            for case in cases {
                let name = case.name.clone();
                case.bind(Isa::current()).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
        let one = all(&MemoryLevels::detect(true), 1, true).unwrap();
        assert!(one.iter().all(|c| c.action != Action::RunOnAll));
    }
}
