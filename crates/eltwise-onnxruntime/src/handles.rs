//! The runtime's graphs, nodes and values: [`GraphHandle`], [`NodeHandle`], [`ValueHandle`]. They are valid during the call that gave
//! them, `'a`.

use core::ffi::{CStr, c_char, c_void};
use core::marker::PhantomData;
use core::ptr;
use core::slice;

use eltwise::DType;
use eltwise_onnx::{FourBits, data_type, four_bit_data_type};
use ort_sys::{
    OrtApi, OrtGraph, OrtNode, OrtOpAttr, OrtOpAttrType, OrtStatusPtr, OrtTensorTypeAndShapeInfo, OrtTypeInfo,
    OrtValue, OrtValueInfo,
};

use crate::api::{Api, Failure, Outcome, ask, bytes, text};

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident($type:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name<'a> {
            api: Api,
            pointer: *const $type,
            borrow: PhantomData<&'a $type>,
        }

        impl<'a> $name<'a> {
            /// A handle.
            ///
            /// # Safety
            /// The pointer is the runtime's and valid for `'a`.
            pub(crate) const unsafe fn new(api: Api, pointer: *const $type) -> $name<'a> {
                $name { api, pointer, borrow: PhantomData }
            }

            /// The runtime's pointer.
            #[allow(dead_code, reason = "not every handle is given back")]
            pub(crate) const fn pointer(self) -> *const $type {
                self.pointer
            }
        }
    };
}

handle!(
    /// A graph: of the model, of the body of a node, or the nodes of a group.
    GraphHandle(OrtGraph)
);
handle!(
    /// A node.
    NodeHandle(OrtNode)
);
handle!(
    /// A value: a name, a type, and for constants the elements.
    ValueHandle(OrtValueInfo)
);

/// An attribute of a node.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum AttributeValue {
    Int(i64),
    Float(f32),
    Text(String),
}

/// The elements of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ElementType {
    pub(crate) dtype: DType,
    /// How they lie in memory, if they have four bits; `dtype` is that of their bytes.
    pub(crate) four_bits: Option<FourBits>,
}

impl ElementType {
    /// The elements with a number of `ONNXTensorElementDataType`; `None` if they are not supported.
    fn new(number: i32) -> Option<ElementType> {
        let whole = data_type(number.into()).map(|dtype| ElementType { dtype, four_bits: None });
        let pairs = |dtype| ElementType { dtype, four_bits: Some(FourBits::TwoPerByte) };
        whole.or_else(|| four_bit_data_type(number.into()).map(pairs))
    }
}

/// The elements and the axes of a tensor.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TensorType<'a> {
    /// `None` if they are not supported.
    pub(crate) elements: Option<ElementType>,
    /// The size and the symbol of each axis. A size that is not known is negative, a symbol may be empty. `None` if not even the number
    /// of axes is known.
    pub(crate) axes: Option<Vec<(i64, &'a str)>>,
}

/// A dense tensor in memory that lives for `'a`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tensor<'a> {
    elements: ElementType,
    shape: &'a [usize],
    /// The first element. All elements of the shape are readable for `'a`.
    data: *const u8,
}

/// A function that returns the number of something.
type CountOf<H> = unsafe extern "system" fn(*const H, *mut usize) -> OrtStatusPtr;
/// A function that writes so many pointers.
type ItemsOf<H, T> = unsafe extern "system" fn(*const H, *mut *const T, usize) -> OrtStatusPtr;

/// All pointers that a pair of functions lists.
///
/// # Safety
/// The functions are the runtime's, for one list of the handle, which is valid.
unsafe fn list<H, T>(api: Api, handle: *const H, count: CountOf<H>, items: ItemsOf<H, T>) -> Outcome<Vec<*const T>> {
    let mut number = 0;
    // SAFETY: the caller's contract.
    api.check(unsafe { count(handle, &raw mut number) })?;
    let mut found = vec![ptr::null(); number];
    // SAFETY: the caller's contract; there is room for `number` pointers.
    api.check(unsafe { items(handle, found.as_mut_ptr(), number) })?;
    Ok(found)
}

impl<'a> GraphHandle<'a> {
    /// The name.
    pub(crate) fn name(self) -> Outcome<&'a str> {
        // SAFETY: the handle is valid, and the text as long as the graph.
        unsafe { Ok(text(ask!(self.api, Graph_GetName(self.pointer) -> *const c_char))) }
    }

    /// The nodes, in any order.
    pub(crate) fn nodes(self) -> Outcome<Vec<NodeHandle<'a>>> {
        let OrtApi { Graph_GetNumNodes: count, Graph_GetNodes: items, .. } = self.api.ort;
        // SAFETY: the handle is valid, and the nodes as long as the graph.
        unsafe {
            Ok(list(self.api, self.pointer, *count, *items)?
                .into_iter()
                .map(|node| NodeHandle::new(self.api, node))
                .collect())
        }
    }
}

impl<'a> NodeHandle<'a> {
    /// The name, which may be empty.
    pub(crate) fn name(self) -> Outcome<&'a str> {
        // SAFETY: the handle is valid, and the text as long as the node.
        unsafe { Ok(text(ask!(self.api, Node_GetName(self.pointer) -> *const c_char))) }
    }

    /// The operator.
    pub(crate) fn op_type(self) -> Outcome<&'a str> {
        // SAFETY: the handle is valid, and the text as long as the node.
        unsafe { Ok(text(ask!(self.api, Node_GetOperatorType(self.pointer) -> *const c_char))) }
    }

    /// The operator's domain; empty for ONNX's own.
    pub(crate) fn domain(self) -> Outcome<&'a str> {
        // SAFETY: the handle is valid, and the text as long as the node.
        unsafe { Ok(text(ask!(self.api, Node_GetDomain(self.pointer) -> *const c_char))) }
    }

    /// The provider that has claimed the node; empty if none has.
    pub(crate) fn provider(self) -> Outcome<&'a str> {
        // SAFETY: the handle is valid, and the text as long as the node.
        unsafe { Ok(text(ask!(self.api, Node_GetEpName(self.pointer) -> *const c_char))) }
    }

    /// The first opset with this definition of the operator.
    pub(crate) fn since_version(self) -> Outcome<i64> {
        // SAFETY: the handle is valid.
        unsafe { Ok(ask!(self.api, Node_GetSinceVersion(self.pointer) -> i32).into()) }
    }

    /// The operands; `None` for those that are left out.
    pub(crate) fn inputs(self) -> Outcome<Vec<Option<ValueHandle<'a>>>> {
        let OrtApi { Node_GetNumInputs: count, Node_GetInputs: items, .. } = self.api.ort;
        // SAFETY: the handle is valid, and the values as long as the node.
        unsafe { self.values(*count, *items) }
    }

    /// The results; `None` for those that are left out.
    pub(crate) fn outputs(self) -> Outcome<Vec<Option<ValueHandle<'a>>>> {
        let OrtApi { Node_GetNumOutputs: count, Node_GetOutputs: items, .. } = self.api.ort;
        // SAFETY: the handle is valid, and the values as long as the node.
        unsafe { self.values(*count, *items) }
    }

    /// The values that the graphs inside of the node use.
    pub(crate) fn implicit_inputs(self) -> Outcome<Vec<Option<ValueHandle<'a>>>> {
        let OrtApi { Node_GetNumImplicitInputs: count, Node_GetImplicitInputs: items, .. } = self.api.ort;
        // SAFETY: the handle is valid, and the values as long as the node.
        unsafe { self.values(*count, *items) }
    }

    /// Values of the node.
    ///
    /// # Safety
    /// The functions are the runtime's, for one list of values.
    unsafe fn values(
        self,
        count: CountOf<OrtNode>,
        items: ItemsOf<OrtNode, OrtValueInfo>,
    ) -> Outcome<Vec<Option<ValueHandle<'a>>>> {
        // SAFETY: the caller's contract.
        let pointers = unsafe { list(self.api, self.pointer, count, items)? };
        // An operand that is left out is NULL, or a value without a name.
        let value = |pointer: *const OrtValueInfo| -> Outcome<Option<ValueHandle<'a>>> {
            if pointer.is_null() {
                return Ok(None);
            }
            // SAFETY: the caller's contract.
            let value = unsafe { ValueHandle::new(self.api, pointer) };
            Ok((!value.name()?.is_empty()).then_some(value))
        };
        pointers.into_iter().map(value).collect()
    }

    /// The attributes that are an integer, a float or a text. Elementwise operators have no others.
    pub(crate) fn attributes(self) -> Outcome<Vec<(&'a str, AttributeValue)>> {
        let OrtApi { Node_GetNumAttributes: count, Node_GetAttributes: items, .. } = self.api.ort;
        // SAFETY: the handle is valid.
        let pointers = unsafe { list(self.api, self.pointer, *count, *items)? };
        let mut attributes = vec![];
        for pointer in pointers {
            // SAFETY: an attribute of the node, valid as long as it.
            let name = unsafe { text(ask!(self.api, OpAttr_GetName(pointer) -> *const c_char)) };
            // SAFETY: as above.
            if let Some(value) = unsafe { self.attribute(pointer)? } {
                attributes.push((name, value));
            }
        }
        Ok(attributes)
    }

    /// The value of an attribute; `None` if it is of another type.
    ///
    /// # Safety
    /// The attribute is the node's.
    unsafe fn attribute(self, pointer: *const OrtOpAttr) -> Outcome<Option<AttributeValue>> {
        // Read as a number: later versions may have other types.
        // SAFETY: the caller's contract.
        let kind = unsafe { ask!(self.api, OpAttr_GetType(pointer) -> i32) };
        let is = |expected: OrtOpAttrType| kind == expected as i32;
        // SAFETY: the caller's contract; the buffers are writable for their lengths.
        let read = |kind: OrtOpAttrType, buffer: *mut c_void, bytes: usize| unsafe {
            let mut needed = 0;
            let status = (self.api.ort.ReadOpAttr)(pointer, kind, buffer, bytes, &raw mut needed);
            (self.api.check(status), needed)
        };
        if is(OrtOpAttrType::ORT_OP_ATTR_INT) {
            let mut value = 0i64;
            read(OrtOpAttrType::ORT_OP_ATTR_INT, (&raw mut value).cast(), size_of::<i64>()).0?;
            return Ok(Some(AttributeValue::Int(value)));
        }
        if is(OrtOpAttrType::ORT_OP_ATTR_FLOAT) {
            let mut value = 0f32;
            read(OrtOpAttrType::ORT_OP_ATTR_FLOAT, (&raw mut value).cast(), size_of::<f32>()).0?;
            return Ok(Some(AttributeValue::Float(value)));
        }
        if is(OrtOpAttrType::ORT_OP_ATTR_STRING) {
            let mut bytes = vec![0u8; 64];
            let (mut outcome, needed) = read(OrtOpAttrType::ORT_OP_ATTR_STRING, bytes.as_mut_ptr().cast(), bytes.len());
            if needed > bytes.len() {
                bytes.resize(needed, 0);
                outcome = read(OrtOpAttrType::ORT_OP_ATTR_STRING, bytes.as_mut_ptr().cast(), needed).0;
            }
            outcome?;
            // Some versions count a NUL at the end.
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            bytes.truncate(end.min(needed));
            return Ok(String::from_utf8(bytes).ok().map(AttributeValue::Text));
        }
        Ok(None)
    }
}

impl<'a> ValueHandle<'a> {
    /// The name, which no other value of the model has in the same scope.
    pub(crate) fn name(self) -> Outcome<&'a CStr> {
        // SAFETY: the handle is valid, and the text as long as the value.
        unsafe { Ok(bytes(ask!(self.api, GetValueInfoName(self.pointer) -> *const c_char))) }
    }

    /// Whether the value is a result of its graph.
    pub(crate) fn is_graph_output(self) -> Outcome<bool> {
        // SAFETY: the handle is valid.
        unsafe { Ok(ask!(self.api, ValueInfo_IsGraphOutput(self.pointer) -> u8) != 0) }
    }

    /// The type; `None` if the value is no tensor.
    pub(crate) fn tensor_type(self) -> Outcome<Option<TensorType<'a>>> {
        // SAFETY: the handle is valid; types are valid as long as the value, and symbols as long as the type. The buffers have room for
        // all axes.
        unsafe {
            let type_info = ask!(self.api, GetValueInfoTypeInfo(self.pointer) -> *const OrtTypeInfo);
            if type_info.is_null() {
                return Ok(None);
            }
            let info = ask!(self.api, CastTypeInfoToTensorInfo(type_info) -> *const OrtTensorTypeAndShapeInfo);
            if info.is_null() {
                return Ok(None);
            }
            let elements = ElementType::new(ask!(self.api, GetTensorElementType(info) -> i32));
            if !(self.api.ort.TensorTypeAndShape_HasShape)(info) {
                return Ok(Some(TensorType { elements, axes: None }));
            }
            let rank = ask!(self.api, GetDimensionsCount(info) -> usize);
            let (mut sizes, mut symbols) = (vec![0i64; rank], vec![ptr::null(); rank]);
            self.api.check((self.api.ort.GetDimensions)(info, sizes.as_mut_ptr(), rank))?;
            self.api.check((self.api.ort.GetSymbolicDimensions)(info, symbols.as_mut_ptr(), rank))?;
            let axes = sizes.into_iter().zip(symbols.into_iter().map(|symbol| text(symbol))).collect();
            Ok(Some(TensorType { elements, axes: Some(axes) }))
        }
    }

    /// The tensor, if the value is a constant of a dtype that we have.
    pub(crate) fn constant(self) -> Outcome<Option<Tensor<'a>>> {
        // SAFETY: the handle is valid, and the tensor as long as the value.
        unsafe {
            if ask!(self.api, ValueInfo_IsConstantInitializer(self.pointer) -> u8) == 0 {
                return Ok(None);
            }
            let value = ask!(self.api, ValueInfo_GetInitializerValue(self.pointer) -> *const OrtValue);
            if value.is_null() { Ok(None) } else { Tensor::read(self.api, value) }
        }
    }
}

impl<'a> Tensor<'a> {
    /// A tensor.
    ///
    /// # Safety
    /// All elements of the shape follow each other from `data` on, and are readable for `'a`.
    pub(crate) const unsafe fn new(elements: ElementType, shape: &'a [usize], data: *const u8) -> Tensor<'a> {
        Tensor { elements, shape, data }
    }

    pub(crate) fn elements(&self) -> ElementType {
        self.elements
    }

    pub(crate) fn shape(&self) -> &'a [usize] {
        self.shape
    }

    /// The address of the first element.
    pub(crate) fn data(&self) -> *const u8 {
        self.data
    }

    /// The tensor of a value; `None` if its dtype is not one of ours. Allocates nothing.
    ///
    /// # Safety
    /// The value is a dense tensor, valid for `'a`.
    #[inline]
    pub(crate) unsafe fn read(api: Api, value: *const OrtValue) -> Outcome<Option<Tensor<'a>>> {
        let (mut kind, mut shape, mut rank) = (0i32, ptr::null(), 0);
        // SAFETY: the caller's contract. The runtime writes a type, which is read as a number, and the shape's address and length.
        let status = unsafe {
            (api.ort.GetTensorElementTypeAndShapeDataReference)(
                value,
                (&raw mut kind).cast(),
                &raw mut shape,
                &raw mut rank,
            )
        };
        api.check(status)?;
        let Some(elements) = ElementType::new(kind) else { return Ok(None) };
        // SAFETY: the caller's contract. Sizes of a tensor are not negative, and `usize` has 64 bits (asserted below).
        let shape = if rank == 0 { &[] } else { unsafe { slice::from_raw_parts(shape.cast::<usize>(), rank) } };
        // SAFETY: the caller's contract.
        let data = unsafe { ask!(api, GetTensorData(value) -> *const u8) };
        Ok(Some(Tensor { elements, shape, data }))
    }

    /// The elements' bytes.
    ///
    /// # Errors
    /// More elements than the address space has.
    pub(crate) fn bytes(&self) -> Outcome<&'a [u8]> {
        let elements = self.shape.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
        let bytes = elements.and_then(|elements| match self.elements.four_bits {
            Some(FourBits::TwoPerByte) => Some(elements.div_ceil(2)),
            _ => elements.checked_mul(self.elements.dtype.size()),
        });
        let bytes =
            bytes.ok_or_else(|| Failure::invalid(format_args!("a tensor of shape {:?} is too large", self.shape)))?;
        if bytes == 0 {
            return Ok(&[]);
        }
        // SAFETY: the type's invariant: so many bytes are readable for `'a`.
        Ok(unsafe { slice::from_raw_parts(self.data, bytes) })
    }
}

const _: () = assert!(size_of::<usize>() == size_of::<i64>(), "shapes of the runtime are read as `usize`");
