"""Operands of other libraries: their data are computed as NumPy arrays, and the result is an object of the same library.

`call` is what the compiled module calls for operands that are no arrays, numbers or sequences. A library is asked by the
module of the operand's class, so that it is never imported for a call that does not have its objects.
"""

import numpy

from . import _eltwise

#: Options whose values are operands, too.
_ARRAYS = ("out", "where")


def call(function, operands, options):
    """Return the result of a function of this package for operands of which some are objects of other libraries.

    `NotImplemented` if there is nothing special about them: they are then converted by `numpy.asarray`.
    """
    values = [*operands, *(value for name, value in options.items() if name in _ARRAYS or _is_operand(function, name))]
    values = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    for value in values:
        if getattr(type(value), "__array_ufunc__", numpy.ndarray.__array_ufunc__) is None:
            raise TypeError(f"{_name(function)}(): {_kind(value)} refuses functions of arrays (its __array_ufunc__ is None)")
    for library in _LIBRARIES:
        found = next((value for value in values if library.takes(value)), None)
        if found is not None:
            return library.call(function, operands, options, found)
    return NotImplemented


def _is_operand(function, name):
    """Whether an option is an operand that was given by name."""
    return name not in ("axis", "broadcast", "accuracy", "dtype", "casting", "order", "subok")


def _name(function):
    return getattr(function, "__name__", None) or f"the function of {function.text!r}"


def _kind(value):
    """The name of an object's class, for messages."""
    cls = type(value)
    return f"{cls.__module__.partition('.')[0]}.{cls.__qualname__}"


def _module(value):
    return type(value).__module__.partition(".")[0]


def _mapped(operands, options, change):
    """The arguments of a call with every operand and output changed."""
    def of(value):
        return tuple(map(change, value)) if isinstance(value, tuple) else change(value)

    changed = {name: of(value) if _is_operand(None, name) else value for name, value in options.items()}
    return [change(operand) for operand in operands], changed


def _wrapped(result, wrap):
    """The result of a call with every array changed."""
    return tuple(map(wrap, result)) if isinstance(result, tuple) else wrap(result)


class _Pandas:
    """Series and DataFrames, whose labels must be equal."""

    @staticmethod
    def takes(value):
        return _module(value) == "pandas" and hasattr(value, "to_numpy") and hasattr(value, "index")

    @staticmethod
    def call(function, operands, options, first):
        frames = [v for v in [*operands, *options.values()] if _Pandas.takes(v)]
        model = max(frames, key=lambda frame: frame.ndim)
        for frame in frames:
            of_same_kind = frame.ndim == model.ndim
            if not frame.index.equals(model.index) if of_same_kind else True:
                what = "the indexes of two operands differ" if of_same_kind else "a Series and a DataFrame are operands"
                raise ValueError(f"{_name(function)}(): {what}, expected equal labels: call x.align(y) first, or pass x.to_numpy()")
            if model.ndim == 2 and not frame.columns.equals(model.columns):
                raise ValueError(f"{_name(function)}(): the columns of two operands differ, expected equal labels: call x.align(y) first")
        if _Pandas.takes(options.get("out")):
            raise TypeError(f"{_name(function)}(): out is a {_kind(first)}, expected a numpy.ndarray")
        plain, plain_options = _mapped(operands, options, lambda v: v.to_numpy() if _Pandas.takes(v) else v)
        names = {frame.name for frame in frames} if model.ndim == 1 else ()
        labels = {"index": model.index}
        labels |= {"columns": model.columns} if model.ndim == 2 else {"name": names.pop() if len(names) == 1 else None}

        def wrap(result):
            fits = getattr(result, "shape", ()) == model.shape
            return model.__class__(result, **labels) if fits else result

        return _wrapped(function(*plain, **plain_options), wrap)


class _Xarray:
    """DataArrays, Variables and Datasets: dimensions are matched by name, and coordinates must be equal."""

    @staticmethod
    def takes(value):
        return _module(value) == "xarray" and hasattr(value, "dims")

    @staticmethod
    def call(function, operands, options, first):
        import xarray

        if options.get("out") is not None:
            raise TypeError(f"{_name(function)}(): operands are of xarray, for which out is not supported")
        where = {"where": options["where"]} if "where" in options else {}
        named = [name for name in options if _is_operand(function, name) and name not in _ARRAYS]
        fixed = {name: value for name, value in options.items() if name not in named and name != "where"}
        count, outputs = len(operands), _outputs(function)
        given = [*operands, *(options[name] for name in named), *where.values()]

        def compute(*arrays):
            more = dict(zip([*named, *where], arrays[count:], strict=True))
            return function(*arrays[:count], **more, **fixed)

        try:
            return xarray.apply_ufunc(
                compute, *given, output_core_dims=[[]] * outputs, join="exact", keep_attrs="override", dask="allowed"
            )
        except ValueError as error:
            if "join" in str(error) or "align" in str(error):
                raise ValueError(f"{_name(function)}(): the coordinates of two operands differ: {error}") from None
            raise


def _outputs(function):
    """The number of results of a function."""
    if isinstance(function, _eltwise.Compiled):
        return function.outputs
    return 2 if function.__name__ in ("divmod", "modf", "frexp", "sincos") else 1


class _Dask:
    """Arrays of dask, which are computed later, block by block."""

    @staticmethod
    def takes(value):
        return _module(value) == "dask" and hasattr(value, "chunks")

    @staticmethod
    def call(function, operands, options, first):
        from ._dask import call

        return call(function, operands, options)


class _Tensors:
    """Tensors of PyTorch, JAX and others, which share their memory through DLPack."""

    @staticmethod
    def takes(value):
        return hasattr(type(value), "__dlpack__") and not isinstance(value, (numpy.ndarray, numpy.generic))

    @staticmethod
    def call(function, operands, options, first):
        plain, plain_options = _mapped(operands, options, lambda v: _array_of(function, v) if _Tensors.takes(v) else v)
        out = options.get("out")
        result = function(*plain, **plain_options)
        if out is not None and not isinstance(out, tuple):
            return out
        outs = out if isinstance(out, tuple) else (None,) * (len(result) if isinstance(result, tuple) else 1)
        wrapped = _wrapped(result, lambda array: _tensor_like(first, array))
        if not isinstance(wrapped, tuple):
            return outs[0] if outs[0] is not None else wrapped
        return tuple(old if old is not None else new for old, new in zip(outs, wrapped, strict=True))


#: DLPack's numbers of devices.
_DEVICES = {1: "CPU", 2: "CUDA", 4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "ROCm", 13: "CUDA managed", 14: "oneAPI"}


def _array_of(function, tensor):
    """The memory of a tensor as an array."""
    try:
        device = int(tensor.__dlpack_device__()[0])
        name = _DEVICES.get(device, f"device {device}")
    except (ValueError, RuntimeError, BufferError):
        device, name = None, str(getattr(tensor, "device", "another device"))
    # 3 and 11 are memory of the CPU that CUDA and ROCm can reach.
    if device not in (1, 3, 11):
        raise TypeError(f"{_name(function)}(): a {_kind(tensor)} is on {name}, expected the CPU: move it, as with .cpu()")
    if getattr(tensor, "requires_grad", False):
        raise TypeError(f"{_name(function)}(): a {_kind(tensor)} requires gradients, which are not computed: use .detach()")
    if _module(tensor) == "torch":
        import torch

        if tensor.dtype == torch.bfloat16:
            return tensor.view(torch.int16).numpy().view(_bfloat16())
        return tensor.numpy()
    if _module(tensor) in ("jax", "jaxlib"):
        return numpy.asarray(tensor)
    return numpy.from_dlpack(tensor)


def _tensor_like(first, array):
    """An array as a tensor of the library of `first`."""
    array = numpy.asarray(array)
    if _module(first) == "torch":
        import torch

        if array.dtype.name == "bfloat16":
            return torch.from_numpy(array.view(numpy.int16)).view(torch.bfloat16)
        return torch.from_numpy(array)
    if _module(first) in ("jax", "jaxlib"):
        import jax

        return jax.numpy.asarray(array)
    library = getattr(first, "__array_namespace__", None)
    if library is None:
        return array
    return library().from_dlpack(array)


def _bfloat16():
    import ml_dtypes

    return ml_dtypes.bfloat16


#: Functions of NumPy for ours of another name.
_NUMPY_NAMES = {
    "pow": "power", "atan2": "arctan2", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh",
    "acosh": "arccosh", "atanh": "arctanh", "bitwise_not": "invert", "shift_left": "left_shift", "shift_right": "right_shift",
    "abs": "absolute", "clamp": "clip", "round": "rint",
}  # fmt: skip


class _Others:
    """Classes with an `__array_ufunc__` of their own, such as quantities with units: their library computes, by NumPy's function."""

    @staticmethod
    def takes(value):
        implementation = getattr(type(value), "__array_ufunc__", None)
        return implementation is not None and implementation is not numpy.ndarray.__array_ufunc__

    @staticmethod
    def call(function, operands, options, first):
        if isinstance(first, numpy.ma.MaskedArray):
            return NotImplemented  # refused with advice
        name = getattr(function, "__name__", None)
        numpys = getattr(numpy, _NUMPY_NAMES.get(name, name or ""), None)
        if not isinstance(numpys, numpy.ufunc) and numpys is not numpy.clip:
            raise TypeError(
                f"{_name(function)}(): a {_kind(first)} computes by itself through NumPy's functions, and there is none for this one;"
                " pass its data as a numpy.ndarray, and make the result an object again"
            )
        return numpys(*operands, **options)


class _Subclasses:
    """Subclasses of NumPy's arrays, such as memory maps: the result is wrapped as NumPy does."""

    @staticmethod
    def takes(value):
        return isinstance(value, numpy.ndarray) and type(value) is not numpy.ndarray and not isinstance(value, numpy.ma.MaskedArray)

    @staticmethod
    def call(function, operands, options, first):
        plain, plain_options = _mapped(operands, options, lambda v: v.view(numpy.ndarray) if _Subclasses.takes(v) else v)
        result = function(*plain, **plain_options)
        out = options.get("out")
        if out is not None:
            return out if isinstance(result, tuple) or not isinstance(out, tuple) else out[0]
        if not options.get("subok", True):
            return result
        model = max(filter(_Subclasses.takes, operands), key=lambda v: v.__array_priority__, default=None)
        if model is None:
            return result

        def wrap(array):
            is_scalar = not isinstance(array, numpy.ndarray)
            return model.__array_wrap__(numpy.asarray(array), None, is_scalar)

        return _wrapped(result, wrap)


_LIBRARIES = (_Pandas, _Xarray, _Dask, _Tensors, _Others, _Subclasses)
