//! The bits of the math functions are the same on every ISA and in every release: hashes of their results over fixed
//! inputs are listed in `docs/bits-v2.txt`.
//!
//! Changed bits are a breaking change, which the changelog names. `ELTWISE_BLESS=1 cargo test -p eltwise --test
//! math_bits` then writes the new hashes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use eltwise::{Accuracy, Array, BindOptions, Broadcast, DType, Isa, Op, Program};
use eltwise_testkit::{Random, check};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bits-v2.txt");

/// The number of inputs of a function. Inputs are the same on every machine and must never change.
const COUNT: usize = 1 << 16;

/// The bits of input `i` of operand `operand`: all patterns of 16-bit floats; for wider dtypes patterns at a stride,
/// numbers between -16 and 16, and numbers close to 1.
fn input(dtype: DType, operand: usize, i: usize, random: &mut Random) -> u64 {
    let r = random.bits();
    let (width, fraction) = match dtype {
        DType::F16 | DType::BF16 if operand == 0 => return i as u64,
        DType::F16 => (16, 10),
        DType::BF16 => (16, 7),
        DType::F32 => (32, 23),
        _ => (64, 52),
    };
    let bias = (1u64 << (width - fraction - 2)) - 1;
    let sign = (r >> 63) << (width - 1);
    let low = (r >> 3) & ((1 << fraction) - 1);
    match i % 4 {
        0 | 1 => ((i as u64) << (width - 16)) | (r & ((1 << (width - 16)) - 1)),
        2 => sign | ((bias - 3 + (r >> 60 & 7)) << fraction) | low,
        _ => (bias << fraction).wrapping_add((r & 0xffff) as i16 as u64) & (u64::MAX >> (65 - width)),
    }
}

fn operand(dtype: DType, which: usize) -> Array {
    let mut array = Array::zeros(dtype, [COUNT]).unwrap();
    let mut random = Random(which as u64 + 1);
    for (i, element) in array.bytes_mut().chunks_exact_mut(dtype.size()).enumerate() {
        element.copy_from_slice(&input(dtype, which, i, &mut random).to_le_bytes()[..dtype.size()]);
    }
    array
}

/// FNV-1a over the elements. All NaNs count as one value.
fn hash(array: &Array) -> u64 {
    let dtype = array.dtype();
    let size = dtype.size();
    let infinity: u64 = match dtype {
        DType::F16 => 0x7c00,
        DType::BF16 => 0x7f80,
        DType::F32 => 0x7f80_0000,
        _ => 0x7ff0_0000_0000_0000,
    };
    let magnitude = u64::MAX >> (65 - 8 * size);
    array.bytes().chunks_exact(size).fold(0xcbf2_9ce4_8422_2325, |hash, element| {
        let mut bits = [0; 8];
        bits[..size].copy_from_slice(element);
        let bits = u64::from_le_bytes(bits);
        let bits = if bits & magnitude > infinity { u64::MAX } else { bits };
        bits.to_le_bytes().iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    })
}

fn computed(op: Op, dtype: DType, tier: Accuracy, isa: Isa, inputs: &[Array]) -> Option<u64> {
    let dtypes = vec![dtype; op.arity()];
    let program = Program::single_at(op, &dtypes, None, Broadcast::Numpy, tier).ok()?;
    let layouts: Vec<_> = inputs[..op.arity()].iter().map(Array::layout).collect();
    let plan = program.bind_with(&layouts, &BindOptions::new().isa(isa)).ok()?;
    let views: Vec<_> = inputs[..op.arity()].iter().map(Array::view).collect();
    let out = plan.run_to_arrays(&eltwise::Serial, &views).unwrap();
    Some(hash(&out[0]))
}

#[test]
fn every_isa_has_the_published_bits() {
    let isas = check::isas();
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        let inputs = [0, 1, 2].map(|which| operand(dtype, which));
        for &op in Op::ALL.iter().filter(|op| op.info().is_math(dtype)) {
            for tier in Accuracy::ALL {
                for &isa in &isas {
                    let Some(hash) = computed(op, dtype, tier, isa, &inputs) else { continue };
                    let name = format!("{op} {dtype} {tier}");
                    let first = *found.entry(name.clone()).or_insert(hash);
                    assert_eq!(hash, first, "{name}: the bits of {isa} differ from those of {}", isas[0]);
                }
            }
        }
    }
    if std::env::var_os("ELTWISE_BLESS").is_some_and(|value| value == "1") {
        let mut text = String::from("# Hashes of math functions' results; see crates/eltwise/tests/math_bits.rs.\n");
        found.iter().for_each(|(name, hash)| writeln!(text, "{name} {hash:016x}").unwrap());
        std::fs::write(FILE, text).unwrap();
        panic!("{FILE} was written: review it, then run again without ELTWISE_BLESS");
    }
    let file = std::fs::read_to_string(FILE).expect("docs/bits-v2.txt is part of the repository");
    let published: BTreeMap<&str, &str> =
        file.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.rsplit_once(' ')).collect();
    assert!(!found.is_empty());
    for (name, hash) in &found {
        assert_eq!(published.get(name.as_str()), Some(&format!("{hash:016x}").as_str()), "{name}: bits changed");
    }
    // A build without some dtypes has fewer rows than the file.
    if DType::ALL.into_iter().all(eltwise::kernels::is_built) {
        assert_eq!(found.len(), published.len(), "docs/bits-v2.txt has rows of functions that do not exist");
    }
}
