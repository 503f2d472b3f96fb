"""Type stubs, written by tools/python-stubs.py."""

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Literal, TypeAlias, overload

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

_Array: TypeAlias = NDArray[Any]
_Out: TypeAlias = _Array | tuple[_Array] | None
_Outs: TypeAlias = tuple[_Array | None, _Array | None] | None
_Progress: TypeAlias = Callable[[float], object] | bool | None
_Mode: TypeAlias = Literal["numpy", "none", "unidirectional", "pdpd"]
_Accuracy: TypeAlias = Literal["fast", "correct"]
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order: TypeAlias = Literal["K", "C", "F", "A"]

__version__: str

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
    # The result is an array, or a tuple of arrays for several expressions.
    def __call__(self, *operands: ArrayLike, out: _Out | tuple[_Array | None, ...] = None, where: ArrayLike = True, progress: _Progress = None, **keywords: ArrayLike) -> Any: ...
    def result_type(self, *dtypes: DTypeLike) -> Any: ...
    def explain(self, *operands: ArrayLike, out: _Out | tuple[_Array | None, ...] = None, where: ArrayLike = True, **keywords: ArrayLike) -> str: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class LoweredIsa:
    """What `isa(name)` returns: a context manager."""

    def __enter__(self) -> LoweredIsa: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

def abs(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The absolute value of x. Integers wrap, so abs(MIN) is MIN."""

@overload
def abs_difference(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """|x - y|. A difference outside a signed integer dtype wraps."""

@overload
def abs_difference(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """|x - y|. A difference outside a signed integer dtype wraps."""

def absolute(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The absolute value of x. Integers wrap, so abs(MIN) is MIN."""

def acos(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse cosine of x in radians, from 0 to pi. NaN for |x| > 1."""

def acosh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic cosine of x, at least 0. NaN for x < 1."""

@overload
def add(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + y. Integers wrap."""

@overload
def add(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + y. Integers wrap."""

@overload
def addcdiv(x: ArrayLike, y: ArrayLike, z: ArrayLike, value: ArrayLike = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + value * y / z: the product, the quotient, then the sum, each rounded. f16 and bf16 are computed in f32 and rounded once at the end."""

@overload
def addcdiv(x1: ArrayLike, x2: ArrayLike, z: ArrayLike, value: ArrayLike = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + value * y / z: the product, the quotient, then the sum, each rounded. f16 and bf16 are computed in f32 and rounded once at the end."""

@overload
def addcmul(x: ArrayLike, y: ArrayLike, z: ArrayLike, value: ArrayLike = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + value * y * z: the products from left to right, then the sum, each rounded. f16 and bf16 are computed in f32 and rounded once at the end. Integers wrap."""

@overload
def addcmul(x1: ArrayLike, x2: ArrayLike, z: ArrayLike, value: ArrayLike = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + value * y * z: the products from left to right, then the sum, each rounded. f16 and bf16 are computed in f32 and rounded once at the end. Integers wrap."""

def arccos(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse cosine of x in radians, from 0 to pi. NaN for |x| > 1."""

def arccosh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic cosine of x, at least 0. NaN for x < 1."""

def arcsin(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse sine of x in radians, from -pi/2 to pi/2. Returns x for zeros, NaN for |x| > 1."""

def arcsinh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic sine of x. Returns x for zeros."""

def arctan(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse tangent of x in radians, from -pi/2 to pi/2. Returns x for zeros."""

def arctan2(y: ArrayLike, x: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """atan2(y, x): the angle of the point (x, y) in radians, from -pi to pi. The signs of zeros count."""

def arctanh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic tangent of x. Returns x for zeros, infinities for 1 and -1, NaN for |x| > 1."""

def asin(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse sine of x in radians, from -pi/2 to pi/2. Returns x for zeros, NaN for |x| > 1."""

def asinh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic sine of x. Returns x for zeros."""

def atan(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse tangent of x in radians, from -pi/2 to pi/2. Returns x for zeros."""

def atan2(y: ArrayLike, x: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """atan2(y, x): the angle of the point (x, y) in radians, from -pi to pi. The signs of zeros count."""

def atanh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse hyperbolic tangent of x. Returns x for zeros, infinities for 1 and -1, NaN for |x| > 1."""

def bitcast(x: ArrayLike, dtype: DTypeLike | None = None, out: _Out = None) -> _Array:
    """bitcast(x, dtype): the bits of x as another dtype of the same size."""

@overload
def bitwise_and(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The bits set in both x and y. Logical and for bool."""

@overload
def bitwise_and(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The bits set in both x and y. Logical and for bool."""

def bitwise_count(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The number of set bits of |x|, as in NumPy: 1 for -1."""

def bitwise_invert(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with all bits inverted. Logical not for bool."""

@overload
def bitwise_left_shift(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted left by y bits. 0 if y is negative or not below the width."""

@overload
def bitwise_left_shift(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted left by y bits. 0 if y is negative or not below the width."""

def bitwise_not(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with all bits inverted. Logical not for bool."""

@overload
def bitwise_or(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The bits set in x or y, or both. Logical or for bool."""

@overload
def bitwise_or(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The bits set in x or y, or both. Logical or for bool."""

@overload
def bitwise_right_shift(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x."""

@overload
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x."""

@overload
def bitwise_xor(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The bits set in exactly one of x and y. Logical xor for bool."""

@overload
def bitwise_xor(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The bits set in exactly one of x and y. Logical xor for bool."""

def broadcast_arrays(*arrays: ArrayLike) -> tuple[_Array, ...]:
    """Views of arrays in the shape that they broadcast to, without copies."""

def broadcast_shapes(*shapes: int | Sequence[int], broadcast: _Mode | Literal["bidirectional"] = "numpy", axis: int = -1, target: int | Sequence[int] | None = None) -> tuple[int, ...]:
    """The shape that shapes broadcast to."""

def broadcast_to(x: ArrayLike, shape: int | Sequence[int], broadcast: _Mode | Literal["bidirectional"] = "numpy", axis: int = -1) -> _Array:
    """A read-only view of an array in a different shape, its elements repeated, without a copy."""

def cast(x: ArrayLike, dtype: DTypeLike | None = None, out: _Out = None) -> _Array:
    """cast(x, dtype), rounded once. Floats to integers round toward zero and saturate, NaN becomes 0. Integers to integers wrap. To bool: x != 0."""

def cast_saturating(x: ArrayLike, dtype: DTypeLike | None = None, out: _Out = None) -> _Array:
    """cast(x, dtype) with values out of range replaced by the nearest value in range, also from integer to integer; for float dtypes, that is the largest finite one."""

def cbrt(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The cube root of x, with the sign of x."""

def ceil(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The smallest integer that is not below x. -0.0 for -1 < x <= -0.0."""

def celu(x: ArrayLike, alpha: ArrayLike = 1, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """maximum(x, 0) + minimum(0, alpha * expm1(x / alpha))."""

def clamp(x: ArrayLike, lo: ArrayLike, hi: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """clamp(x, lo, hi) = minimum(maximum(x, lo), hi). NaN propagates; the result is hi if lo > hi."""

def clamped_logit(x: ArrayLike, eps: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """logit(clamp(x, eps, 1 - eps)). NaN for NaN."""

def clip(x: ArrayLike, min: ArrayLike | None = None, max: ArrayLike | None = None, out: _Out = None, *, a_min: ArrayLike | None = None, a_max: ArrayLike | None = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Limit x to the range [min, max]."""

def compile(expression: str | Sequence[str], names: str | Sequence[str] | None = None, *, accuracy: _Accuracy | None = None, contract: bool = False) -> Compiled:
    """Compiles an expression into a function of arrays."""

def copy(x: ArrayLike, out: _Out = None) -> _Array:
    """x, unchanged, in any layout. Moves bits."""

@overload
def copysign(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with the sign of y."""

@overload
def copysign(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with the sign of y."""

def cos(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The cosine of x in radians, accurate for all finite x. NaN for infinities."""

def cosh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The hyperbolic cosine of x."""

def deg2rad(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * (pi / 180): degrees to radians, within 1 ULP. Returns x for zeros and infinities."""

def dequantize_linear(x: ArrayLike, scale: ArrayLike, zero_point: ArrayLike = 0, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """(x - zero_point) * scale, computed in f32. The difference is rounded to f32 first; f16 rounds the result again."""

def digamma(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The derivative of lgamma. -inf for +0.0, +inf for -0.0 and +inf, NaN for negative integers and -inf."""

@overload
def divide(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / y. IEEE 754 division for floats. Integers round toward zero; x / 0 is 0, and MIN / -1 wraps to MIN."""

@overload
def divide(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / y. IEEE 754 division for floats. Integers round toward zero; x / 0 is 0, and MIN / -1 wraps to MIN."""

def divmod(x: ArrayLike, y: ArrayLike, out: _Outs = None, *, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[_Array, _Array]:
    """Return (floor_divide(x, y), remainder(x, y))."""

def elu(x: ArrayLike, alpha: ArrayLike = 1, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x if x > 0, else alpha * expm1(x)."""

def entr(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """-x * log(x). +0 for 0 and 1, -inf for x < 0."""

@overload
def equal(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x == y. False if either operand is NaN."""

@overload
def equal(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x == y. False if either operand is NaN."""

def erf(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t * t) from 0 to x. Returns x for zeros."""

def erfc(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1 - erf(x), accurate for large x."""

def erfcinv(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse of erfc. +inf for zeros, 0 for 1, -inf for 2, NaN outside 0 to 2."""

def erfcx(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """exp(x * x) * erfc(x), the scaled complementary error function."""

def erfinv(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse of erf. Returns x for zeros, infinities for 1 and -1, NaN for |x| > 1."""

def evaluate(text: str | Sequence[str], local_dict: Mapping[str, Any] | None = None, global_dict: Mapping[str, Any] | None = None, out: _Out | tuple[_Array | None, ...] = None, *, where: ArrayLike = True, accuracy: _Accuracy | None = None, contract: bool = False, progress: _Progress = None) -> Any:
    """Compute an expression over the caller's variables, such as `eltwise.evaluate("a * b + c")`."""

def exp(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """e to the power of x."""

def exp10(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """10 to the power of x."""

def exp2(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """2 to the power of x. Exact for integers."""

def expm1(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """exp(x) - 1, accurate near zero. Returns x for zeros."""

def exponent(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The exponent e in x = mantissa(x) * 2^e, as frexp returns it. 0 for zeros, infinities and NaN."""

def exprel(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """(exp(x) - 1) / x, accurate near zero. 1 for 0, +0 for -inf."""

@overload
def float_power(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y in f64, whatever the dtype of x and y."""

@overload
def float_power(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y in f64, whatever the dtype of x and y."""

def floor(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The largest integer that is not above x. floor(-0.0) is -0.0."""

@overload
def floor_divide(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The floor of the exact quotient x / y, rounded once, so 1.0 // 0.1 is 9. x // 0 is x / 0 for floats and 0 for integers; MIN // -1 wraps to MIN."""

@overload
def floor_divide(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The floor of the exact quotient x / y, rounded once, so 1.0 // 0.1 is 9. x // 0 is x / 0 for floats and 0 for integers; MIN // -1 wraps to MIN."""

@overload
def fma(x: ArrayLike, y: ArrayLike, z: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * y + z, rounded once. f16 and bf16 compute one fma in f32 and round the result again. Integers wrap."""

@overload
def fma(x1: ArrayLike, x2: ArrayLike, z: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * y + z, rounded once. f16 and bf16 compute one fma in f32 and round the result again. Integers wrap."""

@overload
def fmax(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The larger of x and y (IEEE 754-2019 maximumNumber). If one is NaN, the result is the other; -0.0 < +0.0."""

@overload
def fmax(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The larger of x and y (IEEE 754-2019 maximumNumber). If one is NaN, the result is the other; -0.0 < +0.0."""

@overload
def fmin(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The smaller of x and y (IEEE 754-2019 minimumNumber). If one is NaN, the result is the other; -0.0 < +0.0."""

@overload
def fmin(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The smaller of x and y (IEEE 754-2019 minimumNumber). If one is NaN, the result is the other; -0.0 < +0.0."""

@overload
def fmod(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The exact remainder of x / y with the quotient rounded toward zero. It has the sign of x. fmod(x, 0) is 0 for integers."""

@overload
def fmod(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The exact remainder of x / y with the quotient rounded toward zero. It has the sign of x. fmod(x, 0) is 0 for integers."""

def fraction(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - trunc(x) with the sign of x, the fractional part that modf returns. 0 for infinities."""

def frexp(x: ArrayLike, out: _Outs = None, *, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[_Array, _Array]:
    """Return (mantissa(x), exponent(x)): x = mantissa * 2**exponent with 0.5 <= abs(mantissa) < 1."""

def gammaln(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(|gamma(x)|). +inf for 0, negative integers and +inf, -inf for -inf."""

@overload
def gcd(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The greatest common divisor of |x| and |y|; 0 if both are 0. A result of -MIN wraps to MIN."""

@overload
def gcd(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The greatest common divisor of |x| and |y|; 0 if both are 0. A result of -MIN wraps to MIN."""

def gelu(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / 2 * erfc(-x / sqrt(2)). -0.0 for -inf."""

def gelu_tanh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))). -0.0 for -inf."""

def get_num_threads() -> int:
    """The largest number of threads that a call may use, including the calling thread. See `eltwise.set_num_threads`."""

@overload
def greater(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x > y. False if either operand is NaN."""

@overload
def greater(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x > y. False if either operand is NaN."""

@overload
def greater_equal(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x >= y. False if either operand is NaN."""

@overload
def greater_equal(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x >= y. False if either operand is NaN."""

def hard_sigmoid(x: ArrayLike, alpha: ArrayLike = 0.2, beta: ArrayLike = 0.5, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """clamp(fma(alpha, x, beta), 0, 1)."""

def hard_swish(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * (clamp(x + 3, 0, 6) / 6). -0 for finite x <= -3, x for x >= 3."""

def hard_tanh(x: ArrayLike, lo: ArrayLike = -1, hi: ArrayLike = 1, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """clamp(x, lo, hi). NaN propagates."""

def hardshrink(x: ArrayLike, lambd: ArrayLike = 0.5, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """+0 if |x| <= lambd, else x. NaN for NaN."""

def heaviside(x: ArrayLike, h: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """heaviside(x, h): 0 if x < 0, h if x is 0, 1 if x > 0. NaN for NaN."""

@overload
def hypot(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """sqrt(x * x + y * y) without intermediate overflow. +inf if either operand is infinite, even if the other is NaN."""

@overload
def hypot(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """sqrt(x * x + y * y) without intermediate overflow. +inf if either operand is infinite, even if the other is NaN."""

def i0(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The modified Bessel function of the first kind of order 0."""

def i0e(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """exp(-|x|) * i0(x)."""

def i1(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The modified Bessel function of the first kind of order 1. Returns x for zeros and infinities."""

def i1e(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """exp(-|x|) * i1(x). Returns x for zeros, a zero with the sign of x for infinities."""

def invert(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with all bits inverted. Logical not for bool."""

@overload
def isa() -> str: ...
@overload
def isa(name: str) -> LoweredIsa: ...

def isas() -> tuple[str, ...]:
    """The names of the instruction sets (ISAs) that this machine has kernels for, lowest first, as a tuple of str."""

@overload
def isclose(x: ArrayLike, y: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: ArrayLike = False, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x == y, or y is finite and |x - y| <= atol + rtol * |y|, each operation rounded in the compute type. Two NaN are close only with equal_nan."""

@overload
def isclose(x1: ArrayLike, x2: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: ArrayLike = False, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x == y, or y is finite and |x - y| <= atol + rtol * |y|, each operation rounded in the compute type. Two NaN are close only with equal_nan."""

def isfinite(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is neither infinite nor NaN."""

def isinf(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is +inf or -inf."""

def isnan(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is NaN."""

def isneginf(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is -inf."""

def isposinf(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is +inf."""

@overload
def lcm(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The least common multiple of |x| and |y|; 0 if either is 0. The result wraps."""

@overload
def lcm(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The least common multiple of |x| and |y|; 0 if either is 0. The result wraps."""

def ldexp(x: ArrayLike, n: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * 2^n, rounded once, for integers n (i32 or i64). Returns x for zeros."""

def leading_zeros(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The number of zero bits above the highest set bit. The width for 0."""

def leaky_relu(x: ArrayLike, alpha: ArrayLike = 0.01, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """alpha * x if x < 0, else x."""

@overload
def left_shift(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted left by y bits. 0 if y is negative or not below the width."""

@overload
def left_shift(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted left by y bits. 0 if y is negative or not below the width."""

@overload
def lerp(x: ArrayLike, y: ArrayLike, t: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """lerp(x, y, t) = fma(t, y, fma(-t, x, x)). If x and y are finite, the result is x for t = 0 and y for t = 1, except for the sign of zeros."""

@overload
def lerp(x1: ArrayLike, x2: ArrayLike, t: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """lerp(x, y, t) = fma(t, y, fma(-t, x, x)). If x and y are finite, the result is x for t = 0 and y for t = 1, except for the sign of zeros."""

@overload
def less(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x < y. False if either operand is NaN."""

@overload
def less(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x < y. False if either operand is NaN."""

@overload
def less_equal(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x <= y. False if either operand is NaN."""

@overload
def less_equal(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x <= y. False if either operand is NaN."""

def lgamma(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(|gamma(x)|). +inf for 0, negative integers and +inf, -inf for -inf."""

def log(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The natural logarithm of x. -inf for zeros, NaN for x < 0."""

def log10(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The logarithm of x to base 10. -inf for zeros, NaN for x < 0."""

def log1p(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The natural logarithm of 1 + x, accurate near zero. Returns x for zeros, -inf for -1, NaN for x < -1."""

def log2(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The logarithm of x to base 2, exact for powers of 2. -inf for zeros, NaN for x < 0."""

def log_ndtr(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(ndtr(x)) without intermediate underflow. -0.0 for +inf."""

def log_sigmoid(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(sigmoid(x)) = -softplus(-x) without intermediate underflow."""

@overload
def logaddexp(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(exp(x) + exp(y)) without intermediate overflow."""

@overload
def logaddexp(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(exp(x) + exp(y)) without intermediate overflow."""

@overload
def logaddexp2(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log2(exp2(x) + exp2(y)) without intermediate overflow."""

@overload
def logaddexp2(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log2(exp2(x) + exp2(y)) without intermediate overflow."""

def logb(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The exponent e in |x| = m * 2^e with 1 <= m < 2, also for subnormals. -inf for zeros, +inf for infinities."""

@overload
def logical_and(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x and y are both true. Numbers other than 0, including NaN, are true."""

@overload
def logical_and(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x and y are both true. Numbers other than 0, including NaN, are true."""

def logical_not(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x is false. Numbers other than 0, including NaN, are true."""

@overload
def logical_or(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x or y, or both, are true. Numbers other than 0, including NaN, are true."""

@overload
def logical_or(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether x or y, or both, are true. Numbers other than 0, including NaN, are true."""

@overload
def logical_xor(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether exactly one of x and y is true. Numbers other than 0, including NaN, are true."""

@overload
def logical_xor(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether exactly one of x and y is true. Numbers other than 0, including NaN, are true."""

def logit(x: ArrayLike, eps: ArrayLike | None = None, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(x / (1 - x)), accurate near 1/2. -inf for zeros, +inf for 1, NaN outside 0 to 1."""

def mantissa(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The mantissa m in x = m * 2^exponent(x) with 0.5 <= |m| < 1, as frexp returns it. Returns x for zeros, infinities and NaN."""

def maximum(*operands: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The larger of x and y (IEEE 754-2019 maximum). NaN propagates, and -0.0 < +0.0."""

def mean(*operands: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The sum of all n operands divided by n. f16 and bf16 are computed in f32 and rounded once at the end."""

def minimum(*operands: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The smaller of x and y (IEEE 754-2019 minimum). NaN propagates, and -0.0 < +0.0."""

def mish(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * tanh(softplus(x)). -0.0 for -inf."""

@overload
def mod(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The remainder of x / y with the sign of y: fmod(x, y), plus y if the signs differ. A zero result of floats has the sign of y. x % 0 is 0 for integers."""

@overload
def mod(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The remainder of x / y with the sign of y: fmod(x, y), plus y if the signs differ. A zero result of floats has the sign of y. x % 0 is 0 for integers."""

def modf(x: ArrayLike, out: _Outs = None, *, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[_Array, _Array]:
    """Return (fraction(x), trunc(x)). Their sum is x, and both have its sign. The fraction of an infinity is a zero."""

@overload
def multiply(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * y. Integers wrap."""

@overload
def multiply(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * y. Integers wrap."""

def nan_to_num(x: ArrayLike, nan: ArrayLike = 0, posinf: ArrayLike | None = None, neginf: ArrayLike | None = None, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x with NaN replaced by nan, +inf by posinf and -inf by neginf; by default 0 and the largest finite numbers of the dtype."""

def ndtr(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The distribution function of the normal distribution: erfc(-x / sqrt(2)) / 2."""

def ndtri(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The inverse of ndtr. -inf for zeros, 0 for 1/2, +inf for 1, NaN outside 0 to 1."""

def negative(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """-x. Integers wrap, so -MIN is MIN."""

@overload
def nextafter(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The next number after x in the direction of y, in the dtype of x. Returns y if x == y, NaN if either is NaN."""

@overload
def nextafter(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The next number after x in the direction of y, in the dtype of x. Returns y if x == y, NaN if either is NaN."""

@overload
def not_equal(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x != y. True if either operand is NaN."""

@overload
def not_equal(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x != y. True if either operand is NaN."""

def operators() -> tuple[str, ...]:
    """The names of all operators, as a tuple of str."""

def parametric_selu(x: ArrayLike, alpha: ArrayLike = 1.6732632423543772, gamma: ArrayLike = 1.0507009873554805, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """gamma * x if x > 0, else gamma * alpha * expm1(x)."""

def parametric_softplus(x: ArrayLike, beta: ArrayLike = 1, threshold: ArrayLike | None = None, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(1 + exp(beta * x)) / beta; x where beta * x > threshold, by default nowhere."""

def popcount(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The number of set bits of x. Negative numbers are in two's complement."""

def positive(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x, unchanged."""

@overload
def pow(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y; 1 if y is 0. IEEE 754-2019 pow for floats. Integers are exact and wrap; if y < 0, the result is 1 for x = 1, 1 or -1 for x = -1, and 0 for other x."""

@overload
def pow(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y; 1 if y is 0. IEEE 754-2019 pow for floats. Integers are exact and wrap; if y < 0, the result is 1 for x = 1, 1 or -1 for x = -1, and 0 for other x."""

@overload
def pow_constant(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y, as programs compute `pow` with a constant y: by products if y is an integer of at most 64 in magnitude, by a root if it is 0.5 or -0.5, else as `pow`."""

@overload
def pow_constant(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y, as programs compute `pow` with a constant y: by products if y is an integer of at most 64 in magnitude, by a root if it is 0.5 or -0.5, else as `pow`."""

@overload
def power(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y; 1 if y is 0. IEEE 754-2019 pow for floats. Integers are exact and wrap; if y < 0, the result is 1 for x = 1, 1 or -1 for x = -1, and 0 for other x."""

@overload
def power(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to the power of y; 1 if y is 0. IEEE 754-2019 pow for floats. Integers are exact and wrap; if y < 0, the result is 1 for x = 1, 1 or -1 for x = -1, and 0 for other x."""

def prelu(x: ArrayLike, slope: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """prelu(x, slope): slope * x if x < 0, else x."""

def psi(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The derivative of lgamma. -inf for +0.0, +inf for -0.0 and +inf, NaN for negative integers and -inf."""

def quantize_linear(x: ArrayLike, scale: ArrayLike, zero_point: ArrayLike = 0, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """round(x / scale) + zero_point, with halves rounded to even, saturating. f16 divides in f32, and the sum is exact. 0 for NaN."""

def rad2deg(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * (180 / pi): radians to degrees, within 1 ULP. Returns x for zeros and infinities."""

def reciprocal(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1 / x, correctly rounded."""

def relu(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """maximum(x, +0). relu(-0.0) is +0.0; NaN propagates."""

def relu6(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """minimum(maximum(x, +0), 6). NaN propagates."""

@overload
def remainder(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The remainder of x / y with the sign of y: fmod(x, y), plus y if the signs differ. A zero result of floats has the sign of y. x % 0 is 0 for integers."""

@overload
def remainder(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The remainder of x / y with the sign of y: fmod(x, y), plus y if the signs differ. A zero result of floats has the sign of y. x % 0 is 0 for integers."""

@overload
def right_shift(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x."""

@overload
def right_shift(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x."""

def rint(x: ArrayLike, out: _Out = None, *, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Return the nearest integers as floats, ties to even. `eltwise.round` returns integers unchanged instead."""

def round(x: ArrayLike, decimals: ArrayLike = 0, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The nearest integer to x; halves round to even. The sign of x is kept, also for zeros."""

def round_decimals(x: ArrayLike, decimals: ArrayLike = 0, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x to n = decimals decimal places: round(x * 10^n) / 10^n, each rounded, or x if x * 10^n overflows; for n < 0 round(x / 10^-n) * 10^-n. Halves round to even. Integers are computed in f64 and saturate."""

def round_half_away(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The nearest integer to x; halves round away from zero. The sign of x is kept, also for zeros."""

def rsqrt(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1 / sqrt(x). An infinity with the sign of x for zeros, NaN for x < 0."""

@overload
def saturating_add(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + y, limited to the range of the dtype."""

@overload
def saturating_add(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + y, limited to the range of the dtype."""

@overload
def saturating_multiply(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * y, limited to the range of the dtype."""

@overload
def saturating_multiply(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * y, limited to the range of the dtype."""

@overload
def saturating_subtract(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - y, limited to the range of the dtype."""

@overload
def saturating_subtract(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - y, limited to the range of the dtype."""

def scalb(x: ArrayLike, n: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * 2^n, rounded once. The fraction of n is dropped. Returns x for zeros, NaN if either operand is NaN."""

def selu(x: ArrayLike, alpha: ArrayLike = 1.6732632423543772, gamma: ArrayLike = 1.0507009873554805, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1.0507009873554805 * x if x > 0, else 1.0507009873554805 * 1.6732632423543772 * expm1(x)."""

def set_num_threads(n: int) -> None:
    """Sets the number of threads that calls may use."""

@overload
def shift_left(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted left by y bits. 0 if y is negative or not below the width."""

@overload
def shift_left(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted left by y bits. 0 if y is negative or not below the width."""

@overload
def shift_right(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x."""

@overload
def shift_right(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x shifted right by y bits, extending the sign. If y is negative or not below the width, 0, or -1 for negative x."""

def show_config(mode: Literal["stdout", "dicts"] = "stdout") -> dict[str, dict[str, Any]] | None:
    """Print or return the version, the instruction sets and the threads, for reports of bugs."""

def shrink(x: ArrayLike, lambd: ArrayLike = 0.5, bias: ArrayLike = 0, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x + bias if x < -lambd, x - bias if x > lambd, else +0. +0 for NaN."""

def sigmoid(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """1 / (1 + exp(-x))."""

def sign(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """-1, 0 or 1, the sign of x. +0.0 for -0.0, NaN for NaN."""

def signbit(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """Whether the sign bit of x is set, also for -0.0 and NaN."""

def silu(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * sigmoid(x). -0.0 for -inf."""

def sin(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The sine of x in radians, accurate for all finite x. Returns x for zeros, NaN for infinities."""

def sinc(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """sin(pi * x) / (pi * x). 1 for 0, +0 for other integers and infinities."""

def sincos(x: ArrayLike, out: _Outs = None, *, accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> tuple[_Array, _Array]:
    """Return (sin(x), cos(x)) for x in radians. Both are NaN for infinities."""

def sinh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The hyperbolic sine of x. Returns x for zeros."""

def softcap(x: ArrayLike, c: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """c * tanh(x / c)."""

def softplus(x: ArrayLike, beta: ArrayLike = 1, threshold: ArrayLike | None = None, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """log(1 + exp(x)) without intermediate overflow."""

def softsign(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / (1 + |x|)."""

def spacing(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The distance from x to the next number of the dtype away from zero, with the sign of x. The smallest subnormal for zeros, NaN for infinities."""

def sqrt(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The square root of x, correctly rounded. NaN for x < 0; sqrt(-0.0) is -0.0."""

def square(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * x. Integers wrap."""

@overload
def squared_difference(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """(x - y) * (x - y), with both operations rounded. Integers wrap."""

@overload
def squared_difference(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """(x - y) * (x - y), with both operations rounded. Integers wrap."""

@overload
def subtract(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - y. Integers wrap."""

@overload
def subtract(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - y. Integers wrap."""

def sum(*operands: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast", where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The sum of all operands, from left to right. f16 and bf16 are added in f32 and rounded once at the end. Integers wrap."""

def swish(x: ArrayLike, alpha: ArrayLike = 1, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * sigmoid(alpha * x). x / 2 for alpha = 0; at infinite x the limit, x or a zero with its sign."""

def tan(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The tangent of x in radians, accurate for all finite x. Returns x for zeros, NaN for infinities."""

def tanh(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The hyperbolic tangent of x. Returns x for zeros."""

def tanhshrink(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x - tanh(x), accurate near zero. Returns x for zeros and infinities."""

def thresholded_relu(x: ArrayLike, alpha: ArrayLike = 1, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x if x > alpha, else +0. +0 for NaN."""

def trailing_zeros(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The number of zero bits below the lowest set bit. The width for 0."""

@overload
def true_divide(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / y. IEEE 754 division for floats. Integers round toward zero; x / 0 is 0, and MIN / -1 wraps to MIN."""

@overload
def true_divide(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / y. IEEE 754 division for floats. Integers round toward zero; x / 0 is 0, and MIN / -1 wraps to MIN."""

def trunc(x: ArrayLike, out: _Out = None, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """The integer part of x. The sign of x is kept, also for zeros."""

@overload
def trunc_divide(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / y rounded toward zero. x / 0 is 0, and MIN / -1 wraps to MIN."""

@overload
def trunc_divide(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x / y rounded toward zero. x / 0 is 0, and MIN / -1 wraps to MIN."""

def where(cond: ArrayLike, x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", accuracy: _Accuracy = "fast") -> _Array:
    """where(cond, x, y): x if cond is true, else y. Moves bits."""

@overload
def xlog1py(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * log1p(y). +0 for x = 0, unless y is NaN."""

@overload
def xlog1py(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * log1p(y). +0 for x = 0, unless y is NaN."""

@overload
def xlogy(x: ArrayLike, y: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * log(y). +0 for x = 0, unless y is NaN."""

@overload
def xlogy(x1: ArrayLike, x2: ArrayLike, out: _Out = None, broadcast: _Mode = "numpy", axis: int = -1, accuracy: _Accuracy = "fast", *, where: ArrayLike = True, dtype: DTypeLike | None = None, casting: _Casting = "same_kind", order: _Order = "K", subok: bool = True) -> _Array:
    """x * log(y). +0 for x = 0, unless y is NaN."""
