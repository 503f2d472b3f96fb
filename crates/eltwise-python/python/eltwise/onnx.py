"""ONNX's elementwise operators over arrays: `run_node`, and `Backend`, which has the interface of `onnx.backend`.

Needs the package onnx. A model may have elementwise operators only; other operators raise NotImplementedError.
"""

import functools

import numpy

try:
    import onnx
    from onnx.backend.base import Backend as _Base
    from onnx.backend.base import BackendRep as _BaseRep
except ImportError:
    raise ModuleNotFoundError("eltwise.onnx needs the package onnx, which is not installed") from None

from ._eltwise import _OnnxNode
from ._eltwise import copy as _copy

__all__ = ["Backend", "BackendRep", "run_node"]


#: The dtypes of four bits, which NumPy keeps in bytes, and those of the bytes.
_FOUR_BITS = {"int4": "int8", "uint4": "uint8"}
#: Their numbers in `TensorProto.DataType`.
_FOUR_BIT_TYPES = (21, 22)


@functools.lru_cache(maxsize=1024)
def _prepared(op_type, domain, opset, attributes, dtypes):
    return _OnnxNode(op_type, domain, opset, {name: value for name, _, value in attributes}, dtypes)


def run_node(op_type, operands, attributes=None, *, opset=None, domain=""):
    """Compute one operator as ONNX defines it.

    Parameters
    ----------
    op_type : str
        The operator, such as "HardSwish".
    operands : sequence of array_like or None
        Operands of any shapes that the operator takes. None is one that is left out. Nothing is promoted: ONNX's operators mostly
        take operands of one dtype.
    attributes : mapping of str to int, float or str, optional
        The attributes that are not the default.
    opset : int, optional
        The version of the operators. Default: the newest that the installed package onnx knows.
    domain : str
        "com.microsoft" for operators of ONNX Runtime.

    Returns
    -------
    numpy.ndarray

    Raises
    ------
    NotImplementedError
        An operator, a dtype or an attribute that is not supported.
    ValueError
        Shapes that the operator does not take.

    Examples
    --------
    >>> import eltwise.onnx
    >>> eltwise.onnx.run_node("HardSigmoid", [np.float32([-4, 0, 4])], {"alpha": 0.25})
    array([0. , 0.5, 1. ], dtype=float32)
    """
    arrays = [None if operand is None else numpy.asarray(operand) for operand in operands]
    if opset is None:
        opset = onnx.defs.onnx_opset_version()
    if op_type == "Expand" and domain in ("", "ai.onnx"):
        return _expanded(*arrays)
    attributes = _typed_attributes(attributes or {}, op_type, opset, domain)
    if attributes.get("block_size", 0) > 0:
        arrays = _whole_blocks(arrays, attributes)
    # In this order, 1 and 1.0 are different keys.
    given = tuple(sorted((name, type(value).__name__, value) for name, value in attributes.items()))
    dtypes = tuple(None if array is None else array.dtype for array in arrays)
    node = _prepared(op_type, domain, opset, given, dtypes)
    result = node(*(array.astype(_FOUR_BITS[array.dtype.name]) if _has_four_bits(array) else array for array in arrays))
    if op_type != "QuantizeLinear":
        return result
    if attributes.get("output_dtype") in _FOUR_BIT_TYPES:
        return result.astype(onnx.helper.tensor_dtype_to_np_dtype(attributes["output_dtype"]))
    return result.astype(arrays[2].dtype) if len(arrays) > 2 and _has_four_bits(arrays[2]) else result


def _typed_attributes(attributes, op_type, opset, domain):
    """The attributes with the types that the operator has. ONNX does not know the operators of ONNX Runtime."""
    try:
        known = onnx.defs.get_schema(op_type, opset, "" if domain == "ai.onnx" else domain).attributes
    except onnx.defs.SchemaError:
        known = None
    typed = {}
    for name, value in attributes.items():
        if known is not None and name not in known:
            raise NotImplementedError(f"{op_type}: no attribute is called {name!r}, expected {', '.join(known) or 'none'}")
        value = value.item() if isinstance(value, numpy.generic) else value
        if not isinstance(value, (int, float, str)):
            raise NotImplementedError(f"{op_type}: attribute {name} is {value!r}, expected an int, a float or a str")
        is_float = known is not None and known[name].type == onnx.defs.OpSchema.AttrType.FLOAT
        typed[name] = float(value) if is_float and not isinstance(value, str) else value
    return typed


def _has_four_bits(array):
    return array is not None and array.dtype.name in _FOUR_BITS


def _expanded(x, shape):
    """x in the shape that it and the given one broadcast to."""
    shape = numpy.broadcast_shapes(x.shape, tuple(map(int, shape)))
    return _copy(x, out=numpy.empty(shape, x.dtype))


def _whole_blocks(operands, attributes):
    """The operands of a quantisation in blocks. If the last block is shorter, scales and zero points are repeated: each element is a block."""
    x, axis, size = operands[0], attributes.get("axis", 1), attributes["block_size"]
    if not -x.ndim <= axis < x.ndim or x.shape[axis] % size == 0:
        return operands
    attributes["block_size"] = 1
    expected = list(x.shape)
    expected[axis] = -(-x.shape[axis] // size)
    for i, operand in enumerate(operands[1:], start=1):
        if operand is not None and list(operand.shape) != expected:
            raise ValueError(f"operand {i} has shape {list(operand.shape)}, expected {expected} for an operand of shape {list(x.shape)}")
    repeated = [
        operand if operand is None else numpy.repeat(operand, size, axis).take(range(x.shape[axis]), axis) for operand in operands[1:]
    ]
    return [x, *repeated]


def _attributes(node):
    """The attributes of a node that are numbers or texts."""
    found = {}
    for attribute in node.attribute:
        value = onnx.helper.get_attribute_value(attribute)
        if isinstance(value, bytes):
            value = value.decode()
        if isinstance(value, (int, float, str)):
            found[attribute.name] = value
    return found


def _constant(attribute):
    """The value of a node `Constant`."""
    value = onnx.helper.get_attribute_value(attribute)
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    dtypes = {"value_float": "float32", "value_floats": "float32", "value_int": "int64", "value_ints": "int64"}
    if attribute.name not in dtypes:
        raise NotImplementedError(f"Constant: attribute {attribute.name} is not supported")
    return numpy.array(value, dtypes[attribute.name])


class BackendRep(_BaseRep):
    """A model that is ready to run."""

    def __init__(self, model):
        self._graph = model.graph
        self._opsets = {imported.domain: imported.version for imported in model.opset_import}
        self._constants = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        self._inputs = [value.name for value in model.graph.input if value.name not in self._constants]

    def run(self, inputs, **kwargs):
        """The outputs of the model, as a tuple of arrays. The inputs are a sequence, or a mapping by name."""
        named = inputs if isinstance(inputs, dict) else dict(zip(self._inputs, inputs, strict=True))
        values = {**self._constants, **named, "": None}
        for node in self._graph.node:
            if node.op_type == "Constant" and node.domain in ("", "ai.onnx"):
                values[node.output[0]] = _constant(node.attribute[0])
                continue
            if sum(map(bool, node.output)) != 1:
                raise NotImplementedError(f"{node.op_type}: a node has {len(node.output)} results, expected 1")
            operands = [values[name] for name in node.input]
            if not all(isinstance(operand, (numpy.ndarray, numpy.generic, type(None))) for operand in operands):
                raise NotImplementedError(f"{node.op_type}: an operand is not a tensor")
            opset = self._opsets.get(node.domain, self._opsets.get("", 1))
            values[node.output[0]] = run_node(node.op_type, operands, _attributes(node), opset=opset, domain=node.domain)
        return tuple(values[output.name] for output in self._graph.output)


class Backend(_Base):
    """The interface of `onnx.backend`, for models with elementwise operators only."""

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        """Return a `BackendRep` of the model."""
        super().prepare(model, device, **kwargs)
        return BackendRep(model)

    @classmethod
    def run_node(cls, node, inputs, device="CPU", outputs_info=None, **kwargs):
        """Return the results of one node, as a tuple of arrays."""
        opset = kwargs.get("opset_version", onnx.defs.onnx_opset_version())
        return (run_node(node.op_type, inputs, _attributes(node), opset=opset, domain=node.domain),)

    @classmethod
    def supports_device(cls, device):
        """Whether a device is the CPU."""
        return device == "CPU"
