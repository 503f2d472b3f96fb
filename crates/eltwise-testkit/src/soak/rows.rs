//! [`for_each_row`]: visits the rows of several operands by the definition of strides, with no planner.

/// Calls `visit` for each row of `shape` in C order, with the number of columns, the position of the row's first
/// element in every operand, and the stride along the row in every operand. `firsts` are the positions of the elements
/// `[0, 0, ...]`.
pub(super) fn for_each_row(
    shape: &[usize],
    firsts: &[usize],
    strides: &[&[isize]],
    mut visit: impl FnMut(usize, &[usize], &[isize]),
) {
    if shape.contains(&0) {
        return;
    }
    let outer = shape.len().saturating_sub(1);
    let columns = shape.last().copied().unwrap_or(1);
    let along: Vec<isize> = strides.iter().map(|s| s.last().copied().unwrap_or(0)).collect();
    let (mut index, mut positions) = (vec![0usize; outer], firsts.to_vec());
    loop {
        visit(columns, &positions, &along);
        let mut axis = outer;
        loop {
            if axis == 0 {
                return;
            }
            axis -= 1;
            index[axis] += 1;
            let carries = index[axis] == shape[axis];
            let steps = if carries { 1 - shape[axis] as isize } else { 1 };
            for (position, s) in positions.iter_mut().zip(strides) {
                *position = position.wrapping_add_signed(steps.wrapping_mul(s[axis]));
            }
            if !carries {
                break;
            }
            index[axis] = 0;
        }
    }
}
