//! Packing and unpacking equal a copy element by element, for every loop nest and on every ISA.

use eltwise_kernels::layout::{self, CopyCall, copy_kernel};
use eltwise_plan::strategy::copy::{CopyLoop, CopyNest, CopyPlan};
use eltwise_plan::{KernelCapabilities, Target};
use eltwise_simd::Isa;
use eltwise_testkit::Random;

/// The byte offsets of all elements of a loop nest, in order.
fn offsets(sizes: &[usize], strides: &[isize]) -> Vec<isize> {
    let mut all = vec![0isize];
    for (&n, &stride) in sizes.iter().zip(strides) {
        all = all.iter().flat_map(|&o| (0..n as isize).map(move |i| o + i * stride)).collect();
    }
    all
}

/// The best plan of a copy for an ISA.
fn plan(size: usize, loops: &[CopyLoop], reads_gaps: bool, isa: Isa) -> CopyPlan {
    let kernels = KernelCapabilities {
        vector_bytes: isa.vector_bytes(),
        blocks: layout::blocks(isa),
        smallest_permuted: layout::smallest_permuted(isa),
        ..KernelCapabilities::default()
    };
    CopyNest::new(size, loops.iter().copied(), reads_gaps).plan(&Target { kernels, ..Target::default() })
}

/// Runs the kernel of a plan.
///
/// # Safety
/// As for the kernel.
unsafe fn copy(plan: &CopyPlan, to: *mut u8, from: *const u8, end: *const u8, isa: Isa) {
    let CopyPlan { table, tables } = plan;
    // SAFETY: the caller's contract.
    unsafe { copy_kernel(table, isa)(&CopyCall { to, from, end, table, tables }) };
}

/// Packs a loop nest whose memory ends with its last element, and compares every element and the bytes after them. If
/// no two elements overlap, unpacks them and compares again.
fn check(size: usize, sizes: &[usize], strides: &[isize], isa: Isa, reads_gaps: bool) {
    let places = offsets(sizes, strides);
    let (low, high) = (*places.iter().min().unwrap(), *places.iter().max().unwrap());
    let source: Vec<u8> = (0..(high - low) as usize + size).map(|i| (i * 7 + i / 251) as u8).collect();
    let origin = source.as_ptr().wrapping_offset(-low);
    let mut dense_stride = size as isize;
    let mut loops: Vec<CopyLoop> = Vec::new();
    for (&n, &stride) in sizes.iter().zip(strides).rev() {
        loops.insert(0, CopyLoop { size: n, from: stride, to: dense_stride });
        dense_stride *= n as isize;
    }
    let packing = plan(size, &loops, reads_gaps, isa);
    let bytes = places.len() * size;
    let mut dense = vec![0xa5u8; bytes + 128];
    // SAFETY: `source` covers the nest, and `dense` the packed elements; the ISA is available.
    unsafe { copy(&packing, dense.as_mut_ptr(), origin, source.as_ptr_range().end, isa) };
    let what = || format!("{size} bytes, {sizes:?} by {strides:?}, {isa}, gaps {reads_gaps}, {:?}", packing.table);
    for (e, &place) in places.iter().enumerate() {
        let expected = &source[(place - low) as usize..][..size];
        assert_eq!(&dense[e * size..][..size], expected, "element {e} of {}", what());
    }
    assert!(dense[bytes..].iter().all(|&b| b == 0xa5), "written past the end: {}", what());
    let mut taken: Vec<isize> = places.clone();
    taken.sort_unstable();
    if taken.windows(2).any(|w| w[1] - w[0] < size as isize) {
        return;
    }
    let mut back = vec![0x5au8; source.len()];
    let target = back.as_mut_ptr().wrapping_offset(-low);
    loops.iter_mut().for_each(|l| (l.from, l.to) = (l.to, l.from));
    let unpacking = plan(size, &loops, false, isa);
    // SAFETY: `back` covers the nest, and `dense` the packed elements; no two elements overlap; the ISA is available.
    unsafe { copy(&unpacking, target, dense.as_ptr(), core::ptr::null(), isa) };
    let mut expected = vec![0x5au8; source.len()];
    for &place in &places {
        let at = (place - low) as usize;
        expected[at..at + size].copy_from_slice(&source[at..at + size]);
    }
    assert_eq!(back, expected, "unpacked, {}, {:?}", what(), unpacking.table);
}

#[test]
fn common_loop_nests_are_packed_on_every_isa() {
    let isas: Vec<Isa> = Isa::available().collect();
    for size in [1usize, 2, 4, 8, 16] {
        let s = size as isize;
        for &isa in &isas {
            for n in 1..=70 {
                for (sizes, strides) in [
                    (vec![n], vec![-s]),
                    (vec![5, n], vec![0, s]),
                    (vec![7, n], vec![s, 0]),
                    (vec![n, 7], vec![s, 0]),
                    (vec![n, 3], vec![0, s]),
                    (vec![n], vec![2 * s]),
                    (vec![n, 4], vec![5 * s, -s]),
                    (vec![2, n, 3], vec![0, 0, s]),
                    (vec![n, 67], vec![s, (n as isize + 2) * s]),
                    (vec![19, n], vec![s, 19 * s]),
                    (vec![70, n], vec![s, -70 * s - 1]),
                    (vec![n, 100], vec![0, -3 * s]),
                    (vec![3, 4 * n], vec![1000 * s, 3 * s]),
                    (vec![4 * n], vec![4 * s]),
                    (vec![40, n], vec![s, 0]),
                    (vec![9, 33, n], vec![n as isize * s, 0, s]),
                    (vec![90, n], vec![(n as isize + 1) * s, s]),
                    (vec![3, 300, 5], vec![5000 * s, 0, s]),
                    (vec![5, 8, n], vec![-300 * s, 0, s]),
                    (vec![9, 40, n], vec![0, s, 41 * s]),
                ] {
                    check(size, &sizes, &strides, isa, false);
                    check(size, &sizes, &strides, isa, true);
                }
            }
        }
    }
}

#[test]
fn random_loop_nests_are_packed_on_every_isa() {
    let mut random = Random(11);
    let isas: Vec<Isa> = Isa::available().collect();
    for case in 0..6000 {
        let size = [1usize, 2, 4, 8, 16][case % 5];
        let sizes: Vec<usize> = (0..random.below(5)).map(|_| [1, 2, 3, 4, 5, 8, 17, 33][random.below(8)]).collect();
        // Dense strides in any order of axes; some are 0, negative, with a gap, or no multiple of the element size.
        let mut strides = vec![0isize; sizes.len()];
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        if random.below(3) == 0 {
            order.sort_by_key(|_| random.below(100));
        }
        let mut step = size as isize;
        for &axis in order.iter().rev() {
            strides[axis] = step;
            match random.below(6) {
                0 => strides[axis] = 0,
                1 => strides[axis] = -step,
                2 => step += size as isize * random.below(3) as isize,
                3 if random.below(4) == 0 => step += 1,
                _ => {}
            }
            if strides[axis] != 0 {
                step *= sizes[axis] as isize;
            }
        }
        if step > 1 << 20 || sizes.iter().product::<usize>() > 1 << 15 {
            continue;
        }
        for &isa in &isas {
            check(size, &sizes, &strides, isa, case % 2 == 0);
        }
    }
}
