//! [`Memory`]: one block for all operands of a pattern and of its contiguous operation.

use eltwise::{Array, DType, Error, Layout};
use eltwise_benches::operand::fill;

/// Bytes between operands: whole pages, so that operands map to different cache sets, and some lines, so that no load
/// has a false dependency on a store 4096 bytes away.
const STAGGER: usize = 3 * 4096 + 1024;
/// The largest number of operands in a block: three inputs, twice for special and ordinary values, and an output.
const MAX_OPERANDS: usize = 7;

/// The byte that [`Memory::poison`] fills the output with.
pub const POISON: u8 = 0xd5;

/// The block: the inputs one after the other, then the output.
pub struct Memory {
    block: Array,
    /// The start of each input, the start of the output, and its end.
    bounds: Vec<usize>,
}

impl Memory {
    /// A block for inputs and an output of at most `bytes` bytes together.
    ///
    /// # Errors
    /// If it does not fit the address space.
    pub fn new(bytes: usize) -> Result<Memory, Error> {
        let block = Array::zeros(DType::U8, [bytes + (MAX_OPERANDS + 1) * (4096 + STAGGER)])?;
        Ok(Memory { block, bounds: vec![0] })
    }

    /// Places inputs of these dtypes and bytes, fills them with values in the domain of every operator, and places an
    /// output of `output` bytes.
    ///
    /// # Errors
    /// [`Error::Bounds`] if the block is too small.
    pub fn arrange(&mut self, inputs: &[(DType, usize)], output: usize) -> Result<(), Error> {
        self.bounds.clear();
        let mut start = 0;
        for (k, &(dtype, bytes)) in inputs.iter().enumerate() {
            self.bounds.push(start);
            let end = self.end(start + bytes)?;
            fill(&mut self.block.bytes_mut()[start..end], dtype, 12345 + k as u32);
            start += bytes.next_multiple_of(4096) + STAGGER;
        }
        self.bounds.push(start);
        let end = self.end(start + output)?;
        self.bounds.push(end);
        Ok(())
    }

    /// `end`, if it is in the block.
    fn end(&self, end: usize) -> Result<usize, Error> {
        let given = self.block.bytes().len();
        if end <= given {
            return Ok(end);
        }
        Err(Error::Bounds { what: "the operands of a case".into(), needed: end, given })
    }

    /// The memory of each input, and that of the output.
    pub fn split(&mut self) -> (Vec<&[u8]>, &mut [u8]) {
        let &[ref inputs @ .., begin, end] = &self.bounds[..] else { return (vec![], &mut []) };
        let (before, output) = self.block.bytes_mut().split_at_mut(begin);
        let before = &*before;
        let ends = inputs.iter().skip(1).chain([&begin]);
        let inputs = inputs.iter().zip(ends).map(|(&from, &to)| &before[from..to]).collect();
        (inputs, &mut output[..end - begin])
    }

    /// The memory of an input.
    pub fn input_mut(&mut self, k: usize) -> &mut [u8] {
        let (from, to) = (self.bounds[k], self.bounds[k + 1]);
        &mut self.block.bytes_mut()[from..to]
    }

    /// Fills the output with bytes that no result has, so that elements which a run does not write are detected.
    pub fn poison(&mut self) {
        let (from, to) = (self.bounds[self.bounds.len() - 2], self.bounds[self.bounds.len() - 1]);
        self.block.bytes_mut()[from..to].fill(POISON);
    }
}

/// The length of the byte range that a layout covers.
///
/// # Errors
/// As [`Layout::span`].
pub fn size_of_layout(layout: &Layout) -> Result<usize, Error> {
    let (low, high) = layout.span()?;
    Ok((high - low) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_disjoint_and_staggered() {
        let bytes = 4 << 20;
        let inputs = [(DType::F32, bytes), (DType::F32, bytes)];
        let mut memory = Memory::new(3 * bytes).unwrap();
        memory.arrange(&inputs, bytes).unwrap();
        let (ins, out) = memory.split();
        let mut starts: Vec<usize> = ins.iter().map(|i| i.as_ptr().addr()).collect();
        starts.push(out.as_ptr().addr());
        assert!(ins.iter().all(|i| i.len() >= bytes) && out.len() == bytes);
        assert_ne!(ins[0][..512], ins[1][..512]);
        for pair in starts.windows(2) {
            let distance = pair[1] - pair[0];
            assert!(distance >= bytes);
            assert_ne!(distance % (2 << 20), 0);
            assert_ne!(distance % 4096, 0);
            assert_eq!(distance % 64, 0);
        }
        assert!(memory.arrange(&inputs, 4 * bytes).is_err());
    }
}
