"""Invalid and nearly valid arguments for the fuzz tests: each factory makes a new one."""

import array
import datetime
import decimal
import fractions
import mmap

import ml_dtypes
import numpy as np
from support import MAX_RANK

MEMORY = np.zeros(4096, np.uint8)
ALL_DTYPES = "? b h i q B H I Q e f d g F D G M8[s] m8[ns] S0 S3 U0 U2 V0 V3 V16 O >f4 >i2 >f8 >c8".split()


class HostileError(Exception):
    """Raised by hostile objects."""


class Subclass(np.ndarray):
    """A plain subclass."""


class Hostile:
    """An object that raises in every protocol."""

    def _raise(self, *args, **kwargs):
        raise HostileError

    __array__ = __index__ = __float__ = __int__ = __bool__ = __len__ = __iter__ = __getitem__ = _raise
    __eq__ = __hash__ = __repr__ = __str__ = __array_ufunc__ = __array_function__ = _raise


class Protocol:
    """An object whose `__array__` returns `result`."""

    def __init__(self, result):
        self.result = result

    def __array__(self, dtype=None, copy=None):
        return self.result


class Interface:
    """An object with the given `__array_interface__`."""

    def __init__(self, interface):
        self.__array_interface__ = interface


class Integer(int):
    """A subclass of int."""


class Float(float):
    """A subclass of float whose `__float__` returns a str."""

    def __float__(self):
        return "no float"


class Text(str):
    """A subclass of str."""


def nested(depth):
    """A list that is nested `depth` times."""
    result = [1.0]
    for _ in range(depth):
        result = [result]
    return result


def cyclic():
    """A list that contains itself."""
    result = []
    result.append(result)
    return result


def strided(shape, strides, dtype="f4"):
    """A view of the shared memory. Views may overlap each other and themselves."""
    return np.ndarray(shape, dtype, MEMORY, 1024, strides)


def read_only(a):
    a.flags.writeable = False
    return a


def mapped():
    return np.frombuffer(mmap.mmap(-1, 64), "f4")


#: Operands that most calls accept.
PLAUSIBLE = [
    *[lambda d=d: np.ones((3, 4), d, order="F") for d in "f4 i4 ? u1 f8 f2 i8".split()],
    *[lambda d=d: np.ones((4,), d) for d in "f4 i4 ? u1 f8 f2 u8".split()],
    lambda: np.ones((3, 1), ml_dtypes.bfloat16),
    lambda: np.ones((1,) * (MAX_RANK - 2) + (3, 4), "f4"),
    lambda: np.ones((2, 3, 4), "c8"),
    lambda: np.ones((0, 3, 4), "f4"),
    lambda: np.ones((3, 8), "f4")[:, ::-2],
    lambda: strided((3, 4), (16, 4)),
    lambda: strided((3, 4), (-16, 4)),
    lambda: strided((3, 4), (17, 5)),
    lambda: strided((3, 4), (4, 4)),
    lambda: strided((3, 4), (0, 4)),
    lambda: strided((3, 4), (-3, 1), "u1"),
    lambda: strided((4, 3, 4), (0, 16, -4), "i4"),
    lambda: strided((3, 4), (1, 3), "f8"),
    lambda: strided((3, 4), (16, 4), ">f4"),
    lambda: strided((), (), "f8"),
    lambda: 3,
    lambda: 2.5,
]
FACTORIES = [
    *PLAUSIBLE,
    lambda: None,
    lambda: ...,
    lambda: NotImplemented,
    lambda: object(),
    lambda: True,
    lambda: 0,
    lambda: -1,
    lambda: 2**31,
    lambda: 2**63,
    lambda: -(2**64),
    lambda: 10**400,
    lambda: 0.0,
    lambda: -0.0,
    lambda: 1e308,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: 1j,
    lambda: Integer(5),
    lambda: Float(5),
    lambda: Text("numpy"),
    lambda: decimal.Decimal("1.5"),
    lambda: fractions.Fraction(1, 3),
    lambda: datetime.date(2020, 1, 1),
    lambda: "",
    lambda: "numpy",
    lambda: "pdpd",
    lambda: "bidirectional",
    lambda: "fast",
    lambda: "correct",
    lambda: "exact",
    lambda: "float32",
    lambda: "a + b",
    lambda: "a\x00b",
    lambda: "\ud800",
    lambda: "a" * 5000,
    lambda: b"bytes",
    lambda: bytearray(b"12345678"),
    lambda: memoryview(b"1234"),
    lambda: memoryview(np.ones((2, 3), "f4")),
    lambda: array.array("f", [1, 2, 3]),
    lambda: array.array("B", b"123"),
    lambda: [],
    lambda: [[]],
    lambda: [1, 2, 3],
    lambda: [1, 2.5, True],
    lambda: [[1, 2], [3]],
    lambda: [None],
    lambda: [1, "a"],
    lambda: [2**100],
    lambda: nested(70),
    lambda: nested(3),
    cyclic,
    lambda: (),
    lambda: (3, 4),
    lambda: (3, -1),
    lambda: (2**62, 2**62),
    lambda: (1,) * 200,
    lambda: (2**50,),
    lambda: (np.ones((3, 4), "f4"),),
    lambda: {},
    lambda: {"a": 1},
    lambda: {1, 2},
    lambda: range(4),
    lambda: slice(None),
    lambda: (i for i in range(3)),
    lambda: iter([1, 2]),
    lambda: int,
    lambda: np.float32,
    lambda: np.dtype("f2"),
    lambda: np.dtype("f4,i4"),
    lambda: np.add,
    lambda: np,
    lambda: Exception("x"),
    Hostile,
    lambda: Protocol(None),
    lambda: Protocol([1]),
    lambda: Protocol(np.ones(3, "f4")),
    lambda: Protocol(np.ones(3, "O")),
    lambda: Interface(None),
    lambda: Interface({"shape": (2,), "typestr": "<f4", "data": (0, False), "version": 3}),
    lambda: Interface({"shape": (2,), "typestr": "<f4", "data": MEMORY, "version": 3}),
    lambda: Interface({"shape": (-2,), "typestr": "<f4", "data": MEMORY, "version": 3}),
    *[lambda d=d: np.zeros((3, 4), d) for d in ALL_DTYPES],
    *[lambda d=d: np.zeros((), d) for d in ALL_DTYPES],
    *[lambda d=d: np.zeros((), d)[()] for d in ALL_DTYPES],
    *[lambda d=d: np.zeros((2, 0), d) for d in ALL_DTYPES],
    *[lambda d=d: np.ones((3, 4), getattr(ml_dtypes, d)) for d in ("bfloat16", "float8_e5m2", "int4", "uint2")],
    lambda: np.ones((1,) * MAX_RANK, "f4"),
    lambda: np.ones((2,) * 10, "i2").transpose(),
    lambda: np.zeros((0,) * MAX_RANK, "i8"),
    lambda: np.zeros((3, 0, 2**40), "f4"),
    lambda: np.broadcast_to(np.float32(1), (2**50,)),
    lambda: np.broadcast_to(np.float32(1), (3, 4)),
    lambda: np.broadcast_to(np.ones((), "O"), (3, 4)),
    lambda: read_only(np.ones((3, 4), "f4")),
    lambda: np.ma.masked_array(np.ones((3, 4), "f4"), np.eye(3, 4)),
    lambda: np.ma.masked,
    lambda: np.ones((3, 4), "f4").view(Subclass),
    lambda: np.rec.array([(1, 2.0)], dtype="i4,f4"),
    lambda: np.zeros(3, "f4,i4"),
    lambda: np.zeros(3, [("a", "O")]),
    lambda: np.zeros(3, "(2,2)f4"),
    lambda: np.array(["a", "bc"]),
    lambda: np.array([None, "a", 3], object),
    lambda: np.char.array(["a"]),
    lambda: np.asmatrix(np.ones((3, 4), "f4")),
    lambda: np.array(["a"], getattr(np.dtypes, "StringDType", lambda: "U1")()),
    lambda: np.datetime64("NaT"),
    lambda: np.void(b"1234"),
    lambda: np.str_("a"),
    mapped,
]
