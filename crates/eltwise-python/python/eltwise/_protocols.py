"""Operands of other libraries: their data are computed as NumPy arrays, and the result is an object of the same library.

`call` is what the compiled module calls for operands that are no arrays, numbers or sequences. A library is asked by the
module of the operand's class, so that it is never imported for a call that does not have its objects.
"""

import functools
import inspect
import warnings

import numpy

from . import _eltwise

#: The parameters of functions that are not operands.
_OPTIONS = frozenset(("out", "broadcast", "axis", "accuracy", "where", "dtype", "casting", "order", "subok", "shape"))


#: NumPy's names of operands.
_NUMPYS_OPERANDS = {"x": "x1", "y": "x2"}


@functools.cache
def _positional(function):
    """The names of the parameters that a function of the package takes by position; None for any number of operands."""
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return None
    return [parameter.name for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]


class Call:
    """A call: operands by position, and the options `out` and `where` apart from the others."""

    def __init__(self, function, operands, options):
        options, operands = dict(options), list(operands)
        self.name = function.__name__
        if isinstance(function, _eltwise.Compiled):
            self.name = f"the function of {function.text!r}"
            # Operands that are given by name are operands by position.
            rest = [name for name in function.inputs[len(operands) :] if name in options]
            if len(operands) + len(rest) == len(function.inputs):
                operands += [options.pop(name) for name in rest]
        elif (names := _positional(function)) is not None:
            self.take_by_position(names, operands, options)
        if _is_of(options.get("dtype"), "torch"):
            options["dtype"] = str(options["dtype"]).rpartition(".")[2]
        self.function, self.operands, self.options = function, operands, options
        out = options.get("out")
        self.outs = out if isinstance(out, tuple) else (out,)

    def take_by_position(self, names, operands, options):
        """Make options that are given by position options by name, and operands that are given by name operands by position."""
        if len(operands) > len(names):
            raise TypeError(f"{self.name}() takes at most {len(names)} positional arguments ({len(operands)} given)")
        count = next((i for i, name in enumerate(names) if name in _OPTIONS), len(names))
        for name, value in zip(names[count:], operands[count:], strict=False):
            if name in options:
                raise TypeError(f"{self.name}() got multiple values for argument {name!r}")
            options[name] = value
        del operands[count:]
        for name in names[len(operands) : count]:
            given = [alias for alias in (name, _NUMPYS_OPERANDS.get(name)) if alias in options]
            if len(given) != 1:
                break
            operands.append(options.pop(given[0]))

    def values(self):
        """All operands and outputs, and operands that are given by name."""
        others = [value for name, value in self.options.items() if name not in ("out", "progress")]
        return [*self.operands, *others, *self.outs]

    def named_operands(self):
        """The operands that are given by name, and the mask."""
        return {name: value for name, value in self.options.items() if name == "where" or name not in _OPTIONS}

    def has_outs(self):
        return any(out is not None for out in self.outs)

    def run(self, plain):
        """The results of the function with every operand and output changed by `plain`, as a tuple."""
        options = {name: plain(value) for name, value in self.options.items() if name != "out"}
        if self.has_outs():
            outs = tuple(map(plain, self.outs))
            options["out"] = outs if isinstance(self.options["out"], tuple) else outs[0]
        return self.function(*map(plain, self.operands), **options)

    def results(self, plain, wrap):
        """The given outputs, and new results changed by `wrap`, as the call returns them."""
        result = self.run(plain)
        if not isinstance(result, tuple):
            return self.outs[0] if self.outs[0] is not None else wrap(result)
        outs = self.outs if len(self.outs) == len(result) else (None,) * len(result)
        return tuple(wrap(new) if out is None else out for new, out in zip(result, outs, strict=True))


def handled(function, operands, options):
    """As `call`, and `NotImplemented` at once for operands without objects of other libraries."""
    if any(map(_eltwise._is_foreign, (*operands, *options.values()))):
        return call(function, operands, options)
    return NotImplemented


def call(function, operands, options):
    """Return the result of a function of this package, if some operands are objects of other libraries.

    `NotImplemented` if there is nothing special about them: they are then converted by `numpy.asarray`.
    """
    this = Call(function, operands, options)
    values = this.values()
    for value in values:
        if getattr(type(value), "__array_ufunc__", numpy.ndarray.__array_ufunc__) is None:
            raise TypeError(f"{this.name}(): {_kind(value)} refuses functions of arrays (its __array_ufunc__ is None)")
    for library in _LIBRARIES:
        found = next((value for value in values if library.takes(value)), None)
        if found is not None:
            return library.call(this, found)
    return NotImplemented


def _kind(value):
    """The name of an object's class, for messages."""
    cls = type(value)
    return f"{cls.__module__.partition('.')[0]}.{cls.__qualname__}"


def _is_of(value, *libraries):
    """Whether an object's class, or one that it derives from, is of a library."""
    return any(cls.__module__.partition(".")[0] in libraries for cls in type(value).__mro__)


def _outputs(function):
    """The number of results of a function; 0 if it returns one that is no tuple."""
    if isinstance(function, _eltwise.Compiled):
        return function.outputs if function.returns_tuple else 0
    return 2 if function.__name__ in ("divmod", "modf", "frexp", "sincos") else 0


class _Pandas:
    """Series and DataFrames, whose labels must be equal."""

    @staticmethod
    def takes(value):
        return _is_of(value, "pandas") and hasattr(value, "to_numpy") and hasattr(value, "index")

    @staticmethod
    def call(this, first):
        if any(map(_Pandas.takes, this.outs)):
            raise TypeError(f"{this.name}(): out is a {_kind(first)}, expected a numpy.ndarray")
        if any(map(_Xarray.takes, this.values())):
            raise TypeError(f"{this.name}(): operands are of pandas and of xarray, whose labels are not compared: convert one")
        frames = [value for value in this.values() if _Pandas.takes(value)]
        model = max(frames, key=lambda frame: frame.ndim)
        _Pandas.check(this, frames, model)
        if model.ndim == 1:
            names = {value.name for value in this.operands if _Pandas.takes(value)} or {model.name}
            name = names.pop() if len(names) == 1 else None
            return this.results(_Pandas.plain, lambda new: _Pandas.labelled(this, model, new, name=name))
        dtypes = [dtype for frame in frames for dtype in frame.dtypes]
        if all(isinstance(dtype, numpy.dtype) and dtype == dtypes[0] for dtype in dtypes) or this.has_outs():
            return this.results(_Pandas.plain, lambda new: _Pandas.labelled(this, model, new, columns=model.columns))
        if this.options.get("broadcast", "numpy") != "numpy":
            raise TypeError(f"{this.name}(): a DataFrame has columns of several dtypes, for which broadcast is \"numpy\" only")
        # Columns of different dtypes are computed one by one.
        columns = [this.run(lambda value, i=i: _Pandas.column(value, i, model)) for i in range(model.shape[1])]
        if not isinstance(columns[0], tuple):
            return _Pandas.frame(model, columns)
        return tuple(_Pandas.frame(model, part) for part in zip(*columns, strict=True))

    @staticmethod
    def check(this, frames, model):
        """Checks that labels are equal, and that no value is missing."""
        advice = "expected equal labels: call x.align(y) first, or pass x.to_numpy()"
        for frame in frames:
            if frame.ndim != model.ndim:
                raise ValueError(f"{this.name}(): a Series and a DataFrame are operands, {advice}")
            if not frame.index.equals(model.index):
                raise ValueError(f"{this.name}(): the indexes of two operands differ, {advice}")
            if frame.ndim == 2 and not frame.columns.equals(model.columns):
                raise ValueError(f"{this.name}(): the columns of two operands differ, {advice}")
            for column in [frame] if frame.ndim == 1 else [frame.iloc[:, i] for i in range(frame.shape[1])]:
                if not isinstance(column.dtype, numpy.dtype) and column.isna().any():
                    raise TypeError(
                        f"{this.name}(): a column of dtype {column.dtype} has missing values, which no array has: call"
                        " x.fillna(...) or x.to_numpy(na_value=...)"
                    )

    @staticmethod
    def plain(value):
        return value.to_numpy() if _Pandas.takes(value) or _Index.takes(value) else value

    @staticmethod
    def labelled(this, model, new, **labels):
        """A result with the labels of an operand."""
        shape = getattr(new, "shape", ())
        if shape != model.shape:
            raise ValueError(f"{this.name}(): the result has shape {shape}, for which a {_kind(model)} of shape {model.shape} has no labels")
        result = model.__class__(new, index=model.index, **labels)
        result.attrs = dict(model.attrs)
        return result

    @staticmethod
    def column(value, i, model):
        """Column i of an operand that has columns."""
        if _Pandas.takes(value):
            return value.iloc[:, i].to_numpy()
        shape = numpy.shape(value)
        if not shape:
            return value
        if not all(given in (1, size) for given, size in zip(shape[::-1], model.shape[::-1], strict=False)) or len(shape) > 2:
            raise ValueError(f"an operand of shape {shape} does not broadcast to the shape {model.shape} of a DataFrame")
        return numpy.broadcast_to(value, model.shape)[:, i]

    @staticmethod
    def frame(model, columns):
        frame = model.__class__(dict(enumerate(columns)), index=model.index)
        frame.columns, frame.attrs = model.columns, dict(model.attrs)
        return frame


class _Index:
    """Indexes of pandas, which have no labels."""

    @staticmethod
    def takes(value):
        return _is_of(value, "pandas") and hasattr(value, "get_indexer")

    @staticmethod
    def call(this, first):
        import pandas

        if any(_Index.takes(value) and value.hasnans and not isinstance(value.dtype, numpy.dtype) for value in this.values()):
            raise TypeError(f"{this.name}(): an Index of dtype {first.dtype} has missing values, which no array has")
        if any(_Tensors.takes(value) for value in this.values()):
            raise TypeError(f"{this.name}(): operands are a pandas Index and a tensor: convert one")

        def wrap(new):
            if numpy.ndim(new) != 1:
                raise ValueError(f"{this.name}(): the result has shape {new.shape}, which no pandas Index has")
            return pandas.Index(new, name=first.name)

        return this.results(_Pandas.plain, wrap)


class _Xarray:
    """DataArrays, Variables and Datasets: dimensions are matched by name, and coordinates must be equal."""

    @staticmethod
    def takes(value):
        return _is_of(value, "xarray") and hasattr(value, "dims")

    @staticmethod
    def call(this, first):
        import xarray

        if this.has_outs():
            raise TypeError(f"{this.name}(): operands are of xarray, for which out is not supported: assign the result")
        named = this.named_operands()
        fixed = {name: value for name, value in this.options.items() if name not in named and name != "out"}
        count, outputs = len(this.operands), _outputs(this.function)

        def compute(*arrays):
            result = this.function(*arrays[:count], **dict(zip(named, arrays[count:], strict=True)), **fixed)
            return result[0] if outputs == 1 else result

        try:
            result = xarray.apply_ufunc(
                compute,
                *this.operands,
                *named.values(),
                output_core_dims=[[]] * max(outputs, 1),
                join="exact",
                keep_attrs="override",
                dask="allowed",
            )
        except xarray.AlignmentError as error:
            raise ValueError(f"{this.name}(): the coordinates of two operands differ: {error}") from None
        return (result,) if outputs == 1 else result


class _Dask:
    """Arrays of dask, which are computed later, block by block."""

    @staticmethod
    def takes(value):
        return _is_of(value, "dask") and hasattr(value, "chunks")

    @staticmethod
    def call(this, first):
        from ._dask import call

        return call(this)


class _Tensors:
    """Tensors of PyTorch, JAX and others, which share their memory through DLPack."""

    @staticmethod
    def takes(value):
        return hasattr(type(value), "__dlpack__") and not isinstance(value, (numpy.ndarray, numpy.generic))

    @staticmethod
    def call(this, first):
        def plain(value):
            return _array_of(this.name, value) if _Tensors.takes(value) else value

        return this.results(plain, lambda array: _tensor_like(this, first, array))


#: DLPack's numbers of devices.
_DEVICES = {1: "CPU", 2: "CUDA", 4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "ROCm", 13: "CUDA managed", 14: "oneAPI"}


def _array_of(name, tensor):
    """The memory of a tensor as an array."""
    try:
        device = int(tensor.__dlpack_device__()[0])
        where = _DEVICES.get(device, f"device {device}")
    except (AttributeError, ValueError, RuntimeError, BufferError):
        device, where = None, str(getattr(tensor, "device", "no device, as inside a compiled function"))
    # 3 and 11 are memory of the CPU that CUDA and ROCm can reach.
    if device not in (1, 3, 11):
        raise TypeError(f"{name}(): a {_kind(tensor)} is on {where}, expected the CPU: move it, as with .cpu()")
    if getattr(tensor, "requires_grad", False):
        raise TypeError(f"{name}(): a {_kind(tensor)} requires gradients, which are not computed: use .detach()")
    if _is_of(tensor, "torch"):
        import torch

        if tensor.dtype == torch.bfloat16:
            return tensor.view(torch.int16).numpy().view(_bfloat16())
        try:
            return tensor.numpy()
        except (RuntimeError, TypeError) as error:
            raise TypeError(f"{name}(): the memory of a {_kind(tensor)} is not an array of numbers: {error}") from None
    if _is_of(tensor, "jax", "jaxlib"):
        return numpy.asarray(tensor)
    return numpy.from_dlpack(tensor)


def _tensor_like(this, first, array):
    """A result as a tensor of the library of `first`."""
    array = numpy.asarray(array)
    if _is_of(first, "torch"):
        import torch

        if array.dtype.name == "bfloat16":
            return torch.from_numpy(array.view(numpy.int16)).view(torch.bfloat16)
        return torch.from_numpy(array)
    if _is_of(first, "jax", "jaxlib"):
        import jax

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = jax.numpy.asarray(array)
        # Floats become float32 without x64, as everywhere in JAX, unless float64 is asked for.
        if result.dtype != array.dtype and (array.dtype.kind != "f" or "dtype" in this.options):
            raise TypeError(f"{this.name}(): the result is {array.dtype}, which JAX has only with jax_enable_x64, not {result.dtype}")
        return result
    library = getattr(first, "__array_namespace__", None)
    return array if library is None else library().from_dlpack(array)


def _bfloat16():
    import ml_dtypes

    return ml_dtypes.bfloat16


#: Functions of NumPy for ours of another name.
_NUMPY_NAMES = {
    "pow": "power", "atan2": "arctan2", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh",
    "acosh": "arccosh", "atanh": "arctanh", "bitwise_not": "invert", "shift_left": "left_shift", "shift_right": "right_shift",
    "abs": "absolute", "clamp": "clip", "round": "rint",
}  # fmt: skip


def _of_numpy(this):
    """NumPy's ufunc (or `clip`) for the function of a call, or None."""
    name = this.function.__name__
    numpys = getattr(numpy, _NUMPY_NAMES.get(name, name), None)
    return numpys if isinstance(numpys, numpy.ufunc) or numpys is numpy.clip else None


class _Others:
    """Classes with an `__array_ufunc__` of their own, such as quantities with units: their library computes, by NumPy's function."""

    @staticmethod
    def takes(value):
        implementation = getattr(type(value), "__array_ufunc__", None)
        return implementation is not None and implementation is not numpy.ndarray.__array_ufunc__

    @staticmethod
    def call(this, first):
        if isinstance(first, numpy.ma.MaskedArray):
            return NotImplemented  # refused with advice
        numpys = _of_numpy(this)
        options = {n: v for n, v in this.options.items() if (n, v) not in (("accuracy", "fast"), ("broadcast", "numpy"))}
        operands = [*this.operands, *(options.pop(n) for n in ("x", "x1", "y", "x2") if n in options)]
        known = numpys is not None and len(operands) == getattr(numpys, "nin", 3)
        if not known or not {"accuracy", "broadcast", "axis"}.isdisjoint(options):
            raise TypeError(
                f"{this.name}(): a {_kind(first)} computes by itself through NumPy's functions, and there is none for this call;"
                " pass its data as a numpy.ndarray, and make the result an object again"
            )
        return numpys(*operands, **options)


class _Subclasses:
    """Subclasses of NumPy's arrays, such as memory maps: the result is wrapped as NumPy does."""

    @staticmethod
    def takes(value):
        is_subclass = isinstance(value, numpy.ndarray) and type(value) is not numpy.ndarray
        return is_subclass and not isinstance(value, numpy.ma.MaskedArray)

    @staticmethod
    def call(this, first):
        models = [value for value in this.operands if _Subclasses.takes(value)]
        model = max(models, key=lambda value: value.__array_priority__, default=None)
        if model is None or not this.options.get("subok", True):
            return this.results(_Subclasses.plain, lambda new: new)
        arguments = (*this.operands, *(this.outs if "out" in this.options else ()))
        context = (_of_numpy(this) or this.function, arguments, 0)
        return this.results(_Subclasses.plain, lambda new: _Subclasses.wrapped(model, new, context))

    @staticmethod
    def plain(value):
        return value.view(numpy.ndarray) if _Subclasses.takes(value) else value

    @staticmethod
    def wrapped(model, new, context):
        array, is_scalar = numpy.asarray(new), not isinstance(new, numpy.ndarray)
        try:
            return model.__array_wrap__(array, context, is_scalar)
        except TypeError:
            # Before NumPy 2 the method had two parameters.
            return model.__array_wrap__(array, context)


_LIBRARIES = (_Pandas, _Index, _Xarray, _Dask, _Tensors, _Others, _Subclasses)
