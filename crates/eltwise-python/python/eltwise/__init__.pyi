"""Type stubs, written by tools/python-stubs.py."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias, overload

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

_Array: TypeAlias = NDArray[Any]
# Operands of a call that returns arrays. Objects of other libraries, such as tensors, give objects of their kind.
_Operand: TypeAlias = NDArray[Any] | numpy.generic | float | Sequence[Any]
_Out: TypeAlias = _Array | tuple[_Array] | None
_Outs: TypeAlias = tuple[_Array | None, _Array | None] | None
_Progress: TypeAlias = Callable[[float], object] | bool | None
_Mode: TypeAlias = Literal["numpy", "none", "unidirectional", "pdpd"]
_Accuracy: TypeAlias = Literal["fast", "correct"]
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order: TypeAlias = Literal["K", "C", "F", "A"]

__version__: str

class _Names(Protocol):
    """Where `evaluate` looks names up: a dict, a DataFrame."""

    def __contains__(self, name: Any, /) -> bool: ...
    def __getitem__(self, name: Any, /) -> Any: ...

class Compiled:
    """A compiled expression: a function of arrays. See `compile`."""

    @property
    def text(self) -> str: ...
    @property
    def expression(self) -> str: ...
    @property
    def inputs(self) -> tuple[str, ...]: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def outputs(self) -> int: ...
    @property
    def returns_tuple(self) -> bool: ...
    @property
    def __name__(self) -> str: ...
    # The result is an array, or a tuple of arrays for several expressions.
    def __call__(self, *operands: Any, out: Any = None, where: Any = True, progress: _Progress = None, **keywords: Any) -> Any: ...
    def result_type(self, *dtypes: DTypeLike) -> Any: ...
    def explain(self, *operands: ArrayLike, out: _Out | tuple[_Array | None, ...] = None, where: ArrayLike = True, **keywords: ArrayLike) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class LoweredIsa:
    """What `isa(name)` returns: a context manager."""

    def __enter__(self) -> LoweredIsa: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

@overload
def abs(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The absolute value of x. Integers wrap, so abs(MIN) is MIN."""

@overload
def abs(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def abs_difference(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """|x - y|. A difference outside a signed integer dtype wraps."""

@overload
def abs_difference(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def abs_difference(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def absolute(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The absolute value of x. Integers wrap, so abs(MIN) is MIN."""

@overload
def absolute(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def acos(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse cosine of x in radians, from 0 to pi. NaN for |x| > 1."""

@overload
def acos(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def acosh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic cosine of x, at least 0. NaN for x < 1."""

@overload
def acosh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def add(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + y. Integers wrap."""

@overload
def add(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def add(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def addcdiv(x: _Operand, y: _Operand, z: _Operand, value: _Operand = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + value * y / z: the product, the quotient, then the sum, each rounded. f16 and bf16 are computed in f32 and rounded once at the end."""

@overload
def addcdiv(x1: _Operand, x2: _Operand, z: _Operand, value: _Operand = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def addcdiv(x: Any, y: Any, z: Any, value: Any = 1, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def addcmul(x: _Operand, y: _Operand, z: _Operand, value: _Operand = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + value * y * z: the products from left to right, then the sum, each rounded. f16 and bf16 are computed in f32 and rounded once at the end. Integers wrap."""

@overload
def addcmul(x1: _Operand, x2: _Operand, z: _Operand, value: _Operand = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def addcmul(x: Any, y: Any, z: Any, value: Any = 1, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def arccos(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse cosine of x in radians, from 0 to pi. NaN for |x| > 1."""

@overload
def arccos(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def arccosh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic cosine of x, at least 0. NaN for x < 1."""

@overload
def arccosh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def arcsin(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse sine of x in radians, from -pi/2 to pi/2. Returns x for zeros, NaN for |x| > 1."""

@overload
def arcsin(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def arcsinh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic sine of x. Returns x for zeros."""

@overload
def arcsinh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def arctan(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse tangent of x in radians, from -pi/2 to pi/2. Returns x for zeros."""

@overload
def arctan(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def arctan2(y: _Operand, x: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """atan2(y, x): the angle of the point (x, y) in radians, from -pi to pi. The signs of zeros count."""

@overload
def arctan2(y: Any, x: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def arctanh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic tangent of x. Returns x for zeros, infinities for 1 and -1, NaN for |x| > 1."""

@overload
def arctanh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def asin(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse sine of x in radians, from -pi/2 to pi/2. Returns x for zeros, NaN for |x| > 1."""

@overload
def asin(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def asinh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic sine of x. Returns x for zeros."""

@overload
def asinh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def atan(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse tangent of x in radians, from -pi/2 to pi/2. Returns x for zeros."""

@overload
def atan(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def atan2(y: _Operand, x: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """atan2(y, x): the angle of the point (x, y) in radians, from -pi to pi. The signs of zeros count."""

@overload
def atan2(y: Any, x: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def atanh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic tangent of x. Returns x for zeros, infinities for 1 and -1, NaN for |x| > 1."""

@overload
def atanh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def bitcast(x: _Operand, dtype: DTypeLike | None = None, out: _Out = None) -> _Array:
    """bitcast(x, dtype): the bits of x as another dtype of the same size."""

@overload
def bitcast(x: Any, dtype: DTypeLike | None = None, out: Any = None) -> Any: ...

@overload
def bitwise_and(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The bits set in both x and y. Logical and for bool."""

@overload
def bitwise_and(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def bitwise_and(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def bitwise_count(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The number of set bits of |x|, as in NumPy: 1 for -1."""

@overload
def bitwise_count(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def bitwise_invert(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with all bits inverted. Logical not for bool."""

@overload
def bitwise_invert(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def bitwise_left_shift(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted left by y bits. 0 if y is negative or not below the width."""

@overload
def bitwise_left_shift(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def bitwise_left_shift(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def bitwise_not(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with all bits inverted. Logical not for bool."""

@overload
def bitwise_not(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def bitwise_or(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The bits set in x or y, or both. Logical or for bool."""

@overload
def bitwise_or(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def bitwise_or(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def bitwise_right_shift(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x."""

@overload
def bitwise_right_shift(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def bitwise_right_shift(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def bitwise_xor(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The bits set in exactly one of x and y. Logical xor for bool."""

@overload
def bitwise_xor(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def bitwise_xor(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

def broadcast_arrays(*arrays: ArrayLike) -> tuple[_Array, ...]:
    """Views of arrays in the shape that they broadcast to, without copies."""

def broadcast_shapes(*shapes: int | Sequence[int], broadcast: _Mode | Literal["bidirectional"] = "numpy", axis: int = -1, target: int | Sequence[int] | None = None) -> tuple[int, ...]:
    """The shape that shapes broadcast to."""

def broadcast_to(x: ArrayLike, shape: int | Sequence[int], broadcast: _Mode | Literal["bidirectional"] = "numpy", axis: int = -1) -> _Array:
    """A read-only view of an array in a different shape, its elements repeated, without a copy."""

@overload
def cast(x: _Operand, dtype: DTypeLike | None = None, out: _Out = None) -> _Array:
    """cast(x, dtype), rounded once. Floats to integers round toward zero and saturate, NaN becomes 0. Integers to integers wrap. To bool: x != 0."""

@overload
def cast(x: Any, dtype: DTypeLike | None = None, out: Any = None) -> Any: ...

@overload
def cast_saturating(x: _Operand, dtype: DTypeLike | None = None, out: _Out = None) -> _Array:
    """cast(x, dtype) with values out of range replaced by the nearest value in range, also from integer to integer; for float dtypes, that is the largest finite one."""

@overload
def cast_saturating(x: Any, dtype: DTypeLike | None = None, out: Any = None) -> Any: ...

@overload
def cbrt(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The cube root of x, with the sign of x."""

@overload
def cbrt(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def ceil(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The smallest integer that is not below x. -0.0 for -1 < x <= -0.0."""

@overload
def ceil(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def celu(x: _Operand, alpha: _Operand = 1, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """maximum(x, 0) + minimum(0, alpha * expm1(x / alpha))."""

@overload
def celu(x: Any, alpha: Any = 1, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def clamp(x: _Operand, lo: _Operand, hi: _Operand, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """clamp(x, lo, hi) = minimum(maximum(x, lo), hi). NaN propagates; the result is hi if lo > hi."""

@overload
def clamp(x: Any, lo: Any, hi: Any, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def clamped_logit(x: _Operand, eps: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """logit(clamp(x, eps, 1 - eps)). NaN for NaN."""

@overload
def clamped_logit(x: Any, eps: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def clip(x: _Operand, min: _Operand | None = None, max: _Operand | None = None, out: _Out = None, *, a_min: _Operand | None = None, a_max: _Operand | None = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Limit x to the range [min, max]."""

@overload
def clip(x: Any, min: Any = None, max: Any = None, out: Any = None, *, a_min: Any = None, a_max: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

def compile(expression: str | Sequence[str], names: str | Sequence[str] | None = None, *, accuracy: _Accuracy | None = None, contract: bool = False) -> Compiled:
    """Compiles an expression into a function of arrays."""

@overload
def copy(x: _Operand, out: _Out = None) -> _Array:
    """x, unchanged, in any layout. Moves bits."""

@overload
def copy(x: Any, out: Any = None) -> Any: ...

@overload
def copysign(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with the sign of y."""

@overload
def copysign(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def copysign(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def cos(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The cosine of x in radians, accurate for all finite x. NaN for infinities."""

@overload
def cos(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def cosh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The hyperbolic cosine of x."""

@overload
def cosh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def deg2rad(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * (pi / 180): degrees to radians, within 1 ULP. Returns x for zeros and infinities."""

@overload
def deg2rad(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def dequantize_linear(x: _Operand, scale: _Operand, zero_point: _Operand = 0, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """(x - zero_point) * scale, computed in f32. The difference is rounded to f32 first; f16 rounds the result again."""

@overload
def dequantize_linear(x: Any, scale: Any, zero_point: Any = 0, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def digamma(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The derivative of lgamma. -inf for +0.0, +inf for -0.0 and +inf, NaN for negative integers and -inf."""

@overload
def digamma(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def divide(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / y. Integers become floats, as in NumPy; floor_divide and trunc_divide keep them."""

@overload
def divide(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def divide(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def divmod(x: _Operand, y: _Operand, out: _Outs = None, *, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[_Array, _Array]:
    """Return (floor_divide(x, y), remainder(x, y))."""

@overload
def divmod(x: Any, y: Any, out: Any = None, *, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[Any, Any]: ...

@overload
def elu(x: _Operand, alpha: _Operand = 1, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x if x > 0, else alpha * expm1(x)."""

@overload
def elu(x: Any, alpha: Any = 1, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def entr(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """-x * log(x). +0 for 0 and 1, -inf for x < 0."""

@overload
def entr(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def equal(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x == y. False if either operand is NaN."""

@overload
def equal(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def equal(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def erf(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x. Returns x for zeros."""

@overload
def erf(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def erfc(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1 - erf(x), accurate for large x."""

@overload
def erfc(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def erfcinv(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse of erfc. +inf for zeros, 0 for 1, -inf for 2, NaN outside 0 to 2."""

@overload
def erfcinv(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def erfcx(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """exp(x * x) * erfc(x), the scaled complementary error function."""

@overload
def erfcx(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def erfinv(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse of erf. Returns x for zeros, infinities for 1 and -1, NaN for |x| > 1."""

@overload
def erfinv(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

def evaluate(text: str | Sequence[str], variables: _Names | None = None, out: _Out | tuple[_Array | None, ...] = None, *, where: ArrayLike = True, accuracy: _Accuracy | None = None, contract: bool = False, progress: _Progress = None) -> Any:
    """Compute an expression over the caller's variables, such as `eltwise.evaluate("a * b + c")`."""

@overload
def exp(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """e to the power of x."""

@overload
def exp(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def exp10(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """10 to the power of x."""

@overload
def exp10(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def exp2(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """2 to the power of x. Exact for integers."""

@overload
def exp2(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def expm1(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """exp(x) - 1, accurate near zero. Returns x for zeros."""

@overload
def expm1(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def exponent(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The exponent e in x = mantissa(x) * 2^e, as frexp returns it. 0 for zeros, infinities and NaN."""

@overload
def exponent(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def exprel(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """(exp(x) - 1) / x, accurate near zero. 1 for 0, +0 for -inf."""

@overload
def exprel(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def float_power(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y in f64, whatever the dtype of x and y."""

@overload
def float_power(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def float_power(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def floor(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The largest integer that is not above x. floor(-0.0) is -0.0."""

@overload
def floor(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def floor_divide(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The floor of the exact quotient x / y, rounded once, so 1.0 // 0.1 is 9. x // 0 is x / 0 for floats and 0 for integers; MIN // -1 wraps to MIN."""

@overload
def floor_divide(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def floor_divide(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def fma(x: _Operand, y: _Operand, z: _Operand, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * y + z, rounded once. f16 and bf16 compute one fma in f32 and round the result again. Integers wrap."""

@overload
def fma(x1: _Operand, x2: _Operand, z: _Operand, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def fma(x: Any, y: Any, z: Any, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def fmax(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The larger of x and y (IEEE 754-2019 maximumNumber). If one is NaN, the result is the other; -0.0 < +0.0."""

@overload
def fmax(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def fmax(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def fmin(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The smaller of x and y (IEEE 754-2019 minimumNumber). If one is NaN, the result is the other; -0.0 < +0.0."""

@overload
def fmin(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def fmin(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def fmod(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The exact remainder of x / y with the quotient rounded toward zero. It has the sign of x. fmod(x, 0) is 0 for integers."""

@overload
def fmod(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def fmod(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def fraction(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - trunc(x) with the sign of x, the fractional part that modf returns. 0 for infinities."""

@overload
def fraction(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def frexp(x: _Operand, out: _Outs = None, *, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[_Array, _Array]:
    """Return (mantissa(x), exponent(x)): x = mantissa * 2**exponent with 0.5 <= abs(mantissa) < 1."""

@overload
def frexp(x: Any, out: Any = None, *, accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[Any, Any]: ...

@overload
def gammaln(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(|gamma(x)|). +inf for 0, negative integers and +inf, -inf for -inf."""

@overload
def gammaln(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def gcd(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The greatest common divisor of |x| and |y|; 0 if both are 0. A result of -MIN wraps to MIN."""

@overload
def gcd(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def gcd(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def gelu(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / 2 * erfc(-x / sqrt(2)). -0.0 for -inf."""

@overload
def gelu(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def gelu_tanh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))). -0.0 for -inf."""

@overload
def gelu_tanh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

def get_num_threads() -> int:
    """The largest number of threads that a call may use, including the calling thread. See `eltwise.set_num_threads`."""

@overload
def greater(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x > y. False if either operand is NaN."""

@overload
def greater(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def greater(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def greater_equal(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x >= y. False if either operand is NaN."""

@overload
def greater_equal(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def greater_equal(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def hard_sigmoid(x: _Operand, alpha: _Operand = 0.2, beta: _Operand = 0.5, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """clamp(fma(alpha, x, beta), 0, 1)."""

@overload
def hard_sigmoid(x: Any, alpha: Any = 0.2, beta: Any = 0.5, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def hard_swish(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * (clamp(x + 3, 0, 6) / 6). -0 for finite x <= -3, x for x >= 3."""

@overload
def hard_swish(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def hard_tanh(x: _Operand, lo: _Operand = -1, hi: _Operand = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """clamp(x, lo, hi). NaN propagates."""

@overload
def hard_tanh(x: Any, lo: Any = -1, hi: Any = 1, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def hardshrink(x: _Operand, lambd: _Operand = 0.5, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """+0 if |x| <= lambd, else x. NaN for NaN."""

@overload
def hardshrink(x: Any, lambd: Any = 0.5, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def heaviside(x: _Operand, h: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """heaviside(x, h): 0 if x < 0, h if x is 0, 1 if x > 0. NaN for NaN."""

@overload
def heaviside(x: Any, h: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def hypot(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """sqrt(x * x + y * y) without intermediate overflow. +inf if either operand is infinite, even if the other is NaN."""

@overload
def hypot(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def hypot(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def i0(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The modified Bessel function of the first kind of order 0."""

@overload
def i0(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def i0e(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """exp(-|x|) * i0(x)."""

@overload
def i0e(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def i1(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The modified Bessel function of the first kind of order 1. Returns x for zeros and infinities."""

@overload
def i1(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def i1e(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """exp(-|x|) * i1(x). Returns x for zeros, a zero with the sign of x for infinities."""

@overload
def i1e(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def invert(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with all bits inverted. Logical not for bool."""

@overload
def invert(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def isa() -> str:
    """The name of the instruction set (ISA) in use; with a name, a context manager that lowers it."""

@overload
def isa(name: str) -> LoweredIsa: ...

def isas() -> tuple[str, ...]:
    """The names of the instruction sets (ISAs) that this machine has kernels for, lowest first, as a tuple of str."""

@overload
def isclose(x: _Operand, y: _Operand, rtol: _Operand = 1e-05, atol: _Operand = 1e-08, equal_nan: _Operand = False, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x == y, or y is finite and |x - y| <= atol + rtol * |y|, each operation rounded in the compute type. Two NaN are close only with equal_nan."""

@overload
def isclose(x1: _Operand, x2: _Operand, rtol: _Operand = 1e-05, atol: _Operand = 1e-08, equal_nan: _Operand = False, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def isclose(x: Any, y: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def isfinite(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is neither infinite nor NaN."""

@overload
def isfinite(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def isinf(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is +inf or -inf."""

@overload
def isinf(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def isnan(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is NaN."""

@overload
def isnan(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def isneginf(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is -inf."""

@overload
def isneginf(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def isposinf(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is +inf."""

@overload
def isposinf(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def lcm(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The least common multiple of |x| and |y|; 0 if either is 0. The result wraps."""

@overload
def lcm(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def lcm(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def ldexp(x: _Operand, n: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * 2^n, rounded once, for integers n (i32 or i64). Returns x for zeros."""

@overload
def ldexp(x: Any, n: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def leading_zeros(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The number of zero bits above the highest set bit. The width for 0."""

@overload
def leading_zeros(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def leaky_relu(x: _Operand, alpha: _Operand = 0.01, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """alpha * x if x < 0, else x."""

@overload
def leaky_relu(x: Any, alpha: Any = 0.01, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def left_shift(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted left by y bits. 0 if y is negative or not below the width."""

@overload
def left_shift(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def left_shift(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def lerp(x: _Operand, y: _Operand, t: _Operand, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """lerp(x, y, t) = fma(t, y, fma(-t, x, x)). If x and y are finite, the result is x for t = 0 and y for t = 1, except for the sign of zeros."""

@overload
def lerp(x1: _Operand, x2: _Operand, t: _Operand, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def lerp(x: Any, y: Any, t: Any, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def less(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x < y. False if either operand is NaN."""

@overload
def less(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def less(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def less_equal(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x <= y. False if either operand is NaN."""

@overload
def less_equal(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def less_equal(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def lgamma(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(|gamma(x)|). +inf for 0, negative integers and +inf, -inf for -inf."""

@overload
def lgamma(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def log(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The natural logarithm of x. -inf for zeros, NaN for x < 0."""

@overload
def log(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def log10(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The logarithm of x to base 10. -inf for zeros, NaN for x < 0."""

@overload
def log10(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def log1p(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The natural logarithm of 1 + x, accurate near zero. Returns x for zeros, -inf for -1, NaN for x < -1."""

@overload
def log1p(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def log2(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The logarithm of x to base 2, exact for powers of 2. -inf for zeros, NaN for x < 0."""

@overload
def log2(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def log_ndtr(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(ndtr(x)) without intermediate underflow. -0.0 for +inf."""

@overload
def log_ndtr(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def log_sigmoid(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(sigmoid(x)) = -softplus(-x) without intermediate underflow."""

@overload
def log_sigmoid(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def logaddexp(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(exp(x) + exp(y)) without intermediate overflow."""

@overload
def logaddexp(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def logaddexp(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def logaddexp2(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log2(exp2(x) + exp2(y)) without intermediate overflow."""

@overload
def logaddexp2(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def logaddexp2(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def logb(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The exponent e in |x| = m * 2^e with 1 <= m < 2, also for subnormals. -inf for zeros, +inf for infinities."""

@overload
def logb(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def logical_and(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x and y are both true. Numbers other than 0, including NaN, are true."""

@overload
def logical_and(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def logical_and(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def logical_not(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is false. Numbers other than 0, including NaN, are true."""

@overload
def logical_not(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def logical_or(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x or y, or both, are true. Numbers other than 0, including NaN, are true."""

@overload
def logical_or(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def logical_or(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def logical_xor(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether exactly one of x and y is true. Numbers other than 0, including NaN, are true."""

@overload
def logical_xor(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def logical_xor(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def logit(x: _Operand, eps: _Operand | None = None, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(x / (1 - x)), accurate near 1/2. -inf for zeros, +inf for 1, NaN outside 0 to 1."""

@overload
def logit(x: Any, eps: Any = None, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def mantissa(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The mantissa m in x = m * 2^exponent(x) with 0.5 <= |m| < 1, as frexp returns it. Returns x for zeros, infinities and NaN."""

@overload
def mantissa(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def maximum(*operands: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The larger of x and y (IEEE 754-2019 maximum). NaN propagates, and -0.0 < +0.0."""

@overload
def maximum(*operands: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def mean(*operands: _Operand, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The sum of all n operands divided by n. f16 and bf16 are computed in f32 and rounded once at the end."""

@overload
def mean(*operands: Any, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def minimum(*operands: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The smaller of x and y (IEEE 754-2019 minimum). NaN propagates, and -0.0 < +0.0."""

@overload
def minimum(*operands: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def mish(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * tanh(softplus(x)). -0.0 for -inf."""

@overload
def mish(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def mod(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The remainder of x / y with the sign of y: fmod(x, y), plus y if the signs differ. A zero result of floats has the sign of y. x % 0 is 0 for integers."""

@overload
def mod(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def mod(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def modf(x: _Operand, out: _Outs = None, *, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[_Array, _Array]:
    """Return (fraction(x), trunc(x)). Their sum is x, and both have its sign. The fraction of an infinity is a zero."""

@overload
def modf(x: Any, out: Any = None, *, accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[Any, Any]: ...

@overload
def multiply(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * y. Integers wrap."""

@overload
def multiply(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def multiply(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def nan_to_num(x: _Operand, nan: _Operand = 0, posinf: _Operand | None = None, neginf: _Operand | None = None, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with NaN replaced by nan, +inf by posinf and -inf by neginf; by default 0 and the largest finite numbers of the dtype."""

@overload
def nan_to_num(x: Any, nan: Any = 0, posinf: Any = None, neginf: Any = None, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def ndtr(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The distribution function of the normal distribution: erfc(-x / sqrt(2)) / 2."""

@overload
def ndtr(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def ndtri(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse of ndtr. -inf for zeros, 0 for 1/2, +inf for 1, NaN outside 0 to 1."""

@overload
def ndtri(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def negative(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """-x. Integers wrap, so -MIN is MIN."""

@overload
def negative(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def nextafter(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The next number after x in the direction of y, in the dtype of x. Returns y if x == y, NaN if either is NaN."""

@overload
def nextafter(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def nextafter(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def not_equal(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x != y. True if either operand is NaN."""

@overload
def not_equal(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def not_equal(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

def operators() -> tuple[str, ...]:
    """The names of all operators, as a tuple of str."""

@overload
def parametric_selu(x: _Operand, alpha: _Operand = 1.6732632423543772, gamma: _Operand = 1.0507009873554805, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """gamma * x if x > 0, else gamma * alpha * expm1(x)."""

@overload
def parametric_selu(x: Any, alpha: Any = 1.6732632423543772, gamma: Any = 1.0507009873554805, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def parametric_softplus(x: _Operand, beta: _Operand = 1, threshold: _Operand | None = None, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(1 + exp(beta * x)) / beta; x where beta * x > threshold, by default nowhere."""

@overload
def parametric_softplus(x: Any, beta: Any = 1, threshold: Any = None, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def popcount(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The number of set bits of x. Negative numbers are in two's complement."""

@overload
def popcount(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def positive(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x, unchanged."""

@overload
def positive(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def pow(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y; 1 if y is 0. IEEE 754-2019 pow for floats. Integers are exact and wrap; a negative exponent is a ValueError."""

@overload
def pow(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def pow(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def pow_constant(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y, as programs compute `pow` with a constant y: by products if y is an integer of at most 64 in magnitude, by a root if it is 0.5 or -0.5, else as `pow`."""

@overload
def pow_constant(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def pow_constant(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def power(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y; 1 if y is 0. IEEE 754-2019 pow for floats. Integers are exact and wrap; a negative exponent is a ValueError."""

@overload
def power(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def power(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def prelu(x: _Operand, slope: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """prelu(x, slope): slope * x if x < 0, else x."""

@overload
def prelu(x: Any, slope: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def psi(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The derivative of lgamma. -inf for +0.0, +inf for -0.0 and +inf, NaN for negative integers and -inf."""

@overload
def psi(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def quantize_linear(x: _Operand, scale: _Operand, zero_point: _Operand = 0, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """round(x / scale) + zero_point, with halves rounded to even, saturating. f16 divides in f32, and the sum is exact. 0 for NaN."""

@overload
def quantize_linear(x: Any, scale: Any, zero_point: Any = 0, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def rad2deg(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * (180 / pi): radians to degrees, within 1 ULP. Returns x for zeros and infinities."""

@overload
def rad2deg(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def reciprocal(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1 / x, correctly rounded."""

@overload
def reciprocal(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def relu(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """maximum(x, +0). relu(-0.0) is +0.0; NaN propagates."""

@overload
def relu(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def relu6(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """minimum(maximum(x, +0), 6). NaN propagates."""

@overload
def relu6(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def remainder(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The remainder of x / y with the sign of y: fmod(x, y), plus y if the signs differ. A zero result of floats has the sign of y. x % 0 is 0 for integers."""

@overload
def remainder(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def remainder(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def right_shift(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x."""

@overload
def right_shift(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def right_shift(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def rint(x: _Operand, out: _Out = None, *, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Return the nearest integers as floats, ties to even. `eltwise.round` returns integers unchanged instead."""

@overload
def rint(x: Any, out: Any = None, *, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def round(x: _Operand, decimals: _Operand = 0, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The nearest integer to x; halves round to even. The sign of x is kept, also for zeros."""

@overload
def round(x: Any, decimals: Any = 0, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def round_decimals(x: _Operand, decimals: _Operand = 0, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to n = decimals decimal places: round(x * 10^n) / 10^n, each rounded, or x if x * 10^n overflows; for n < 0 round(x / 10^-n) * 10^-n. Halves round to even. Integers are computed in f64 and saturate."""

@overload
def round_decimals(x: Any, decimals: Any = 0, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def round_half_away(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The nearest integer to x; halves round away from zero. The sign of x is kept, also for zeros."""

@overload
def round_half_away(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def rsqrt(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1 / sqrt(x). An infinity with the sign of x for zeros, NaN for x < 0."""

@overload
def rsqrt(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def saturating_add(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + y, limited to the range of the dtype."""

@overload
def saturating_add(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def saturating_add(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def saturating_multiply(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * y, limited to the range of the dtype."""

@overload
def saturating_multiply(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def saturating_multiply(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def saturating_subtract(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - y, limited to the range of the dtype."""

@overload
def saturating_subtract(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def saturating_subtract(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def scalb(x: _Operand, n: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * 2^n, rounded once. The fraction of n is dropped. Returns x for zeros, NaN if either operand is NaN."""

@overload
def scalb(x: Any, n: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def selu(x: _Operand, alpha: _Operand = 1.6732632423543772, gamma: _Operand = 1.0507009873554805, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1.0507009873554805 * x if x > 0, else 1.0507009873554805 * 1.6732632423543772 * expm1(x)."""

@overload
def selu(x: Any, alpha: Any = 1.6732632423543772, gamma: Any = 1.0507009873554805, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

def set_num_threads(n: int) -> None:
    """Sets the number of threads that calls may use."""

@overload
def shift_left(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted left by y bits. 0 if y is negative or not below the width."""

@overload
def shift_left(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def shift_left(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def shift_right(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x."""

@overload
def shift_right(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def shift_right(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def show_config(mode: Literal["stdout"] = "stdout") -> None:
    """Print or return the version, the instruction sets and the threads, for bug reports."""

@overload
def show_config(mode: Literal["dicts"]) -> dict[str, dict[str, Any]]: ...

@overload
def shrink(x: _Operand, lambd: _Operand = 0.5, bias: _Operand = 0, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + bias if x < -lambd, x - bias if x > lambd, else +0. +0 for NaN."""

@overload
def shrink(x: Any, lambd: Any = 0.5, bias: Any = 0, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def sigmoid(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1 / (1 + exp(-x))."""

@overload
def sigmoid(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def sign(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """-1, 0 or 1, the sign of x. +0.0 for -0.0, NaN for NaN."""

@overload
def sign(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def signbit(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether the sign bit of x is set, also for -0.0 and NaN."""

@overload
def signbit(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def silu(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * sigmoid(x). -0.0 for -inf."""

@overload
def silu(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def sin(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The sine of x in radians, accurate for all finite x. Returns x for zeros, NaN for infinities."""

@overload
def sin(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def sinc(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """sin(pi * x) / (pi * x). 1 for 0, +0 for other integers and infinities."""

@overload
def sinc(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def sincos(x: _Operand, out: _Outs = None, *, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[_Array, _Array]:
    """Return (sin(x), cos(x)) for x in radians. Both are NaN for infinities."""

@overload
def sincos(x: Any, out: Any = None, *, accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[Any, Any]: ...

@overload
def sinh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The hyperbolic sine of x. Returns x for zeros."""

@overload
def sinh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def softcap(x: _Operand, c: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """c * tanh(x / c)."""

@overload
def softcap(x: Any, c: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def softplus(x: _Operand, beta: _Operand = 1, threshold: _Operand | None = None, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(1 + exp(x)) without intermediate overflow."""

@overload
def softplus(x: Any, beta: Any = 1, threshold: Any = None, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def softsign(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / (1 + |x|)."""

@overload
def softsign(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def spacing(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The distance from x to the next number of the dtype away from zero, with the sign of x. The smallest subnormal for zeros, NaN for infinities."""

@overload
def spacing(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def sqrt(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The square root of x, correctly rounded. NaN for x < 0; sqrt(-0.0) is -0.0."""

@overload
def sqrt(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def square(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * x. Integers wrap."""

@overload
def square(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def squared_difference(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """(x - y) * (x - y), with both operations rounded. Integers wrap."""

@overload
def squared_difference(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def squared_difference(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def subtract(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - y. Integers wrap."""

@overload
def subtract(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def subtract(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def sum(*operands: _Operand, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The sum of all operands, from left to right. f16 and bf16 are added in f32 and rounded once at the end. Integers wrap."""

@overload
def sum(*operands: Any, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def swish(x: _Operand, alpha: _Operand = 1, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * sigmoid(alpha * x). x / 2 for alpha = 0; at infinite x the limit, x or a zero with its sign."""

@overload
def swish(x: Any, alpha: Any = 1, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def tan(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The tangent of x in radians, accurate for all finite x. Returns x for zeros, NaN for infinities."""

@overload
def tan(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def tanh(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The hyperbolic tangent of x. Returns x for zeros."""

@overload
def tanh(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def tanhshrink(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - tanh(x), accurate near zero. Returns x for zeros and infinities."""

@overload
def tanhshrink(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def thresholded_relu(x: _Operand, alpha: _Operand = 1, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x if x > alpha, else +0. +0 for NaN."""

@overload
def thresholded_relu(x: Any, alpha: Any = 1, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def trailing_zeros(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The number of zero bits below the lowest set bit. The width for 0."""

@overload
def trailing_zeros(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def true_divide(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / y. Integers become floats, as in NumPy; floor_divide and trunc_divide keep them."""

@overload
def true_divide(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def true_divide(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def trunc(x: _Operand, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The integer part of x. The sign of x is kept, also for zeros."""

@overload
def trunc(x: Any, out: Any = None, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def trunc_divide(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / y rounded toward zero. x / 0 is 0, and MIN / -1 wraps to MIN."""

@overload
def trunc_divide(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def trunc_divide(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def where(cond: _Operand, x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast") -> _Array:
    """where(cond, x, y): x if cond is true, else y. Moves bits."""

@overload
def where(cond: Any, x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast") -> Any: ...

@overload
def xlog1py(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * log1p(y). +0 for x = 0, unless y is NaN."""

@overload
def xlog1py(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def xlog1py(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...

@overload
def xlogy(x: _Operand, y: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * log(y). +0 for x = 0, unless y is NaN."""

@overload
def xlogy(x1: _Operand, x2: _Operand, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array: ...

@overload
def xlogy(x: Any, y: Any, out: Any = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: Any = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> Any: ...
