//! A minimal program that adds two f32 arrays. `tools/size.py` prints its size.

use eltwise::{Array, Error};

fn main() -> Result<(), Error> {
    let length = std::env::args().count();
    let (x, y) = (vec![1.5f32; length], vec![2.5f32; length]);
    let sum = eltwise::add(&Array::from_slice(&x, [length])?, &Array::from_slice(&y, [length])?)?;
    println!("{:?}", sum.as_slice::<f32>()?);
    Ok(())
}
