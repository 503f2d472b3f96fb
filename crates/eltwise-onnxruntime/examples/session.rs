//! A session with the provider, from Rust.
//!
//! usage: session RUNTIME PROVIDER MODEL
//!
//! RUNTIME is the shared library of ONNX Runtime 1.24 or later, such as `onnxruntime/capi/libonnxruntime.so.1.32.0` of its Python
//! package. PROVIDER is the library of this crate, `target/release/libonnxruntime_ep_eltwise.so`. The inputs of MODEL are tensors of
//! f32; they are filled with ones, and an axis of any size gets 2 elements. Prints the outputs' shapes and their first elements.

use std::error::Error;

use ort::session::{Session, SessionInputValue};
use ort::value::{Tensor, ValueType};

const NAME: &str = "EltwiseExecutionProvider";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [runtime, provider, model] = &arguments[..] else {
        return Err("usage: session RUNTIME PROVIDER MODEL".into());
    };
    let environment = ort::init_from(runtime)?.build()?;
    environment.register_ep_library("eltwise", provider)?;
    let devices = environment.devices().filter(|device| device.ep().is_ok_and(|name| name == NAME));
    let options = [("claim".to_string(), "auto".to_string())];
    let mut session = Session::builder(&environment)?.with_devices(devices, Some(&options))?.commit_from_file(model)?;

    let mut inputs: Vec<(String, SessionInputValue<'_>)> = vec![];
    for input in session.inputs() {
        let ValueType::Tensor { shape, .. } = input.dtype() else {
            return Err(format!("input {} is not a tensor", input.name()).into());
        };
        let shape: Vec<i64> = shape.iter().map(|&size| if size < 0 { 2 } else { size }).collect();
        let elements = vec![1.0f32; shape.iter().product::<i64>() as usize];
        inputs.push((input.name().to_string(), Tensor::from_array((shape, elements))?.into()));
    }
    for (name, value) in session.run(inputs)?.iter() {
        let (shape, elements) = value.try_extract_tensor::<f32>()?;
        println!("{name} {shape} {:?}", &elements[..elements.len().min(4)]);
    }
    Ok(())
}
