//! An execution provider for ONNX Runtime, as a library that the runtime loads. It claims groups of elementwise nodes and computes each
//! group as one pass of [`eltwise`] over memory, on the session's threads.
//!
//! The library serves ONNX Runtime 1.24 and later. `docs/onnxruntime.md` says how to use it, and what it claims.
//!
//! | module | contents |
//! |---|---|
//! | `abi` | the structs of the interface |
//! | `api` | the runtime's functions; errors and panics as its statuses |
//! | `factory` | what the runtime asks for first; makes a provider for each session |
//! | `fused_node` | a group of nodes as one node: plans by shape, runs |
//! | `handles` | the runtime's graphs, nodes, values and tensors |
//! | `model` | a graph of the runtime as plain lists, for `eltwise_onnx` |
//! | `options` | the options of a session |
//! | `pool` | the session's threads as an executor |
//! | `provider` | claims groups and compiles them |
//! | `report` | what was claimed, as JSON |

mod abi;
mod api;
mod factory;
mod fused_node;
mod handles;
mod model;
mod options;
mod pool;
mod provider;
mod report;

use core::ffi::{c_char, c_void};
use core::ptr;

use ort_sys::{OrtApiBase, OrtLogger, OrtStatusPtr};

use crate::api::Api;
use crate::factory::Factory;

/// Makes the factory of the provider. ONNX Runtime calls it when the library is registered.
///
/// # Safety
/// As ONNX Runtime's header says of `CreateEpApiFactoriesFn`: `ort_api_base` is the runtime's, `factories` has room for
/// `max_factories` pointers, and `num_factories` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn CreateEpFactories(
    _registered_name: *const c_char,
    ort_api_base: *const OrtApiBase,
    _default_logger: *const OrtLogger,
    factories: *mut *mut c_void,
    max_factories: usize,
    num_factories: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: the caller's contract.
    unsafe {
        *num_factories = 0;
        let api = match Api::load(ort_api_base) {
            Ok(api) => api,
            Err(status) => return status,
        };
        api.guard(|| {
            if max_factories > 0 {
                *factories = Factory::new(api).into_table().cast();
                *num_factories = 1;
            }
            Ok(())
        })
    }
}

/// Releases a factory that [`CreateEpFactories`] made.
///
/// # Safety
/// The factory is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ReleaseEpFactory(factory: *mut c_void) -> OrtStatusPtr {
    if !factory.is_null() {
        // SAFETY: the caller's contract.
        unsafe { Factory::release(factory.cast()) };
    }
    OrtStatusPtr(ptr::null_mut())
}
