//! One block of memory for all operands of a case and of its contiguous operation.

use eltwise::{Array, DType, Error, Layout};
use eltwise_benches::operand::fill;

/// Between the ends of operands: pages, so that no two begin at the same place of a cache's sets, and lines, so that no
/// load waits for a store 4096 bytes away.
const STAGGER: usize = 3 * 4096 + 1024;
/// The most operands in a block: three inputs, of two kinds, and an output.
const MOST: usize = 7;

/// The block: inputs one after the other, then the output.
pub struct Memory {
    block: Array,
    /// Where each input begins; then where the output begins, and ends.
    begins: Vec<usize>,
}

impl Memory {
    /// A block for inputs and an output of at most `bytes` bytes together.
    ///
    /// # Errors
    /// When it does not fit the address space.
    pub fn new(bytes: usize) -> Result<Memory, Error> {
        let block = Array::zeros(DType::U8, [bytes + (MOST + 1) * (4096 + STAGGER)])?;
        Ok(Memory { block, begins: vec![0] })
    }

    /// Lays out inputs of these dtypes and bytes, fills them with values that suit every operator, and makes room for an
    /// output of `output` bytes.
    ///
    /// # Errors
    /// [`Error::Bounds`] when the block is too small.
    pub fn arrange(&mut self, inputs: &[(DType, usize)], output: usize) -> Result<(), Error> {
        self.begins.clear();
        let mut at = 0;
        for (k, &(dtype, bytes)) in inputs.iter().enumerate() {
            self.begins.push(at);
            let end = self.end(at + bytes)?;
            fill(&mut self.block.bytes_mut()[at..end], dtype, 12345 + k as u32);
            at += bytes.next_multiple_of(4096) + STAGGER;
        }
        self.begins.push(at);
        let end = self.end(at + output)?;
        self.begins.push(end);
        Ok(())
    }

    /// `end`, if the block reaches so far.
    fn end(&self, end: usize) -> Result<usize, Error> {
        let given = self.block.bytes().len();
        if end <= given {
            return Ok(end);
        }
        Err(Error::Bounds { what: "the operands of a case".into(), needed: end, given })
    }

    /// The memory of each input, and that of the output.
    pub fn split(&mut self) -> (Vec<&[u8]>, &mut [u8]) {
        let &[ref inputs @ .., begin, end] = &self.begins[..] else { return (vec![], &mut []) };
        let (before, output) = self.block.bytes_mut().split_at_mut(begin);
        let before = &*before;
        let ends = inputs.iter().skip(1).chain([&begin]);
        let inputs = inputs.iter().zip(ends).map(|(&from, &to)| &before[from..to]).collect();
        (inputs, &mut output[..end - begin])
    }

    /// The memory of an input, to put other values there.
    pub fn input_mut(&mut self, k: usize) -> &mut [u8] {
        let (from, to) = (self.begins[k], self.begins[k + 1]);
        &mut self.block.bytes_mut()[from..to]
    }

    /// Writes bytes to the output that no result has, so that elements which a run leaves out are found.
    pub fn poison(&mut self) {
        let (from, to) = (self.begins[self.begins.len() - 2], self.begins[self.begins.len() - 1]);
        self.block.bytes_mut()[from..to].fill(0xd5);
    }
}

/// The bytes between the first and the last of a layout.
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
    fn operands_lie_apart_and_staggered() {
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
