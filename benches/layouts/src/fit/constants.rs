//! [`constants`]: the numbers of a model that are measured on a machine.

use eltwise::CpuModel;
use eltwise_plan::cpu_model::{CopyCosts, TileCosts};

/// The times of copies and kernel calls in a model, in the order of their fields.
pub fn constants(cpu: &mut CpuModel) -> Vec<&mut u32> {
    let CopyCosts {
        call: copy_call,
        run: copy_run,
        element,
        permute_64,
        permute_16,
        permute_row,
        vector_64,
        vector_16,
        transpose,
        transpose_row,
    } = &mut cpu.copies;
    let TileCosts {
        tile,
        call,
        unit_row,
        unit_vector,
        unit_64,
        unit_16,
        // The time of planning is no part of a run.
        index: _,
        row,
        vector,
        far_scratch,
        packed_memory,
        run,
        line,
    } = &mut cpu.tiles;
    let mut all = vec![copy_call, element, permute_row, transpose_row, tile, call, unit_vector, vector, far_scratch];
    for list in [copy_run, unit_row, row, packed_memory, run, line] {
        all.extend(list);
    }
    for list in [permute_64, permute_16, vector_64, vector_16] {
        all.extend(list);
    }
    for list in unit_64.iter_mut().chain(unit_16) {
        all.extend(list);
    }
    all.extend(transpose.as_flattened_mut());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_of_a_run_is_listed_once() {
        let mut cpu = CpuModel::ZEN4;
        constants(&mut cpu).into_iter().enumerate().for_each(|(i, constant)| *constant = i as u32);
        assert!(constants(&mut cpu).into_iter().enumerate().all(|(i, &mut constant)| constant == i as u32));
        let (all, planning) = (size_of::<CopyCosts>() + size_of::<TileCosts>(), size_of_val(&cpu.tiles.index));
        assert_eq!(constants(&mut cpu).len(), (all - planning) / size_of::<u32>());
    }
}
