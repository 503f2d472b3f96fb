"""Random calls of the Python package, and checks of their results.

Every call is made twice: on contiguous copies of the operands without an output, and as it was drawn, with operands between
guard pages in any layout, and an output that may overlap them. The first result is compared with the rules (`rules.py`), the
second with the first: the same bits or the same kind of error, and no other byte written.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Callable

import eltwise
import ml_dtypes
import numpy as np
import rules
from guarded_memory import PAGE_BYTES, elements_per_byte, page_of
from rules import native

DOCUMENTED = (TypeError, ValueError, OverflowError, MemoryError, NotImplementedError)
DTYPES = [np.dtype(d) for d in "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 >i4 >f8 c8 S3 O V2".split()]
DTYPES.insert(12, np.dtype(ml_dtypes.bfloat16))
#: The number of dtypes, from the first, that the engine computes with.
COMPUTED = 13
OPERATORS = [name for name in eltwise.operators() if name != "broadcast_to"]
PAIRS = {
    "divmod": ("floor_divide", "remainder"),
    "modf": ("fraction", "trunc"),
    "frexp": ("mantissa", "exponent"),
    "sincos": ("sin", "cos"),
}
#: Expressions, and the same as calls of functions.
EXPRESSIONS = {
    "a * b + c": lambda e, a, b, c: e.add(e.multiply(a, b), c),
    "maximum(a, b) * 2": lambda e, a, b: e.multiply(e.maximum(a, b), 2),
    "(a - b) / c": lambda e, a, b, c: e.divide(e.subtract(a, b), c),
    "where(a < b, c, a)": lambda e, a, b, c: e.where(e.less(a, b), c, a),
    "relu(a) + relu(a)": lambda e, a: e.add(e.relu(a), e.relu(a)),
    "cast(a, f64) * 0.5": lambda e, a: e.multiply(e.cast(a, "f8"), 0.5),
    "clamp(a, b, c) - abs_difference(b, c)": lambda e, a, b, c: e.subtract(e.clamp(a, b, c), e.abs_difference(b, c)),
    "a": lambda e, a: e.copy(a),
}
KEYWORDS = {
    "broadcast": ["numpy", "pdpd", "none", "unidirectional", "", None, 3],
    "axis": [-1, 0, 1, 2, -2, 2**70, "0", 1.5],
    "accuracy": ["fast", "correct", "exact", "best", None],
}
JUNK = [None, 3, -1, 2.5, 2**40, 10**30, True, 1j, "a", b"b", [1, 2.0], [[1], [2, 3]], (), {}, object(), np.float32(2)]


@dataclass
class Call:
    """A call to judge."""

    name: str
    operands: list
    #: Makes the call on contiguous copies of the operands, and lists the results.
    dense_call: Callable
    #: Makes the call on the operands as drawn.
    function: Callable
    #: Whether the library must accept the contiguous copies.
    must: bool
    keywords: dict[str, Any] = field(default_factory=dict)
    #: From contiguous operands, the expected result and whether it is exact. None if no rule decides.
    compute: Callable | None = None


class Case:
    """A random call. `below(n)` is the source of random choices; `library` is the package under test."""

    def __init__(self, below, pages, library=eltwise):
        self.below = below
        self.pages = list(pages)
        self.library = library
        #: Counts of the functions called and of the comparisons made.
        self.counts = Counter()

    def one(self, options):
        return options[self.below(len(options))]

    def shape(self):
        rank = self.below(5)
        return tuple(self.one([1, 2, 3, 4, 5, 1, 17, 0] if self.below(20) == 0 else [1, 2, 3, 4, 5, 1]) for _ in range(rank))

    def reduced(self, shape):
        shape = shape[self.below(len(shape) + 1) if self.below(3) == 0 else 0 :]
        return tuple(1 if self.below(5) == 0 else self.one([2, 3, 6]) if self.below(60) == 0 else n for n in shape)

    def array(self, shape, dtype, over=None):
        """An array at one end of a page, or overlapping another array in it. If it does not fit, a new array on the heap."""
        if dtype.hasobject:
            return np.full(shape, 3, dtype)
        strides, step = [0] * len(shape), dtype.itemsize
        axes = list(range(len(shape)))
        while axes:
            axis = axes.pop(self.below(len(axes)) if self.below(3) == 0 else -1)
            way = self.below(12)
            strides[axis] = {0: 0, 1: -step, 2: step + self.below(9), 3: self.below(40) - 20}.get(way, step)
            step = max(step, abs(strides[axis]) * shape[axis])
        reach = [(n - 1) * s for n, s in zip(shape, strides)]
        low, high = sum(r for r in reach if r < 0), sum(r for r in reach if r > 0) + dtype.itemsize
        if 0 in shape or high - low > PAGE_BYTES or not self.pages:
            return np.ones(shape, dtype)
        if over is not None:
            starts = PAGE_BYTES - high + low + 1
            return np.ndarray(shape, dtype, over, self.below(starts) // 8 * 8 % starts - low, strides)
        page = self.pages.pop()
        page.bytes[:] = np.frombuffer(self.bytes(PAGE_BYTES), np.uint8)
        array = np.ndarray(shape, dtype, page.bytes, -low if self.below(2) else PAGE_BYTES - high, strides)
        # NumPy accepts only the bytes 0 and 1 for a bool.
        if dtype == bool or self.below(4):
            array[...] = self.values(shape, dtype)
        array.flags.writeable = self.below(40) != 0
        return array

    def bytes(self, count):
        return random.Random(self.below(1 << 16)).randbytes(count)

    def values(self, shape, dtype):
        return np.random.default_rng(self.below(1 << 16)).integers(0, 2 if dtype == bool else 9, shape)

    def operand(self, shape, dtype):
        """An operand, mostly of this dtype."""
        if self.below(40) == 0:
            return self.one(JUNK)
        if self.below(25) == 0:
            dtype = self.one(DTYPES)
        return self.array(self.reduced(shape), dtype)

    def operands(self, name, count, shape):
        """Operands, mostly of dtypes that the operator takes."""
        takes = [dtypes for d in DTYPES[:COMPUTED] if (dtypes := rules.dtypes_of(name, d, count))]
        if not takes or self.below(6) == 0:
            takes = [(self.one(DTYPES),) * count]
        return [self.operand(shape, dtype) for dtype in self.one(takes)]

    def output(self, shape, dtype, operands):
        """An output that mostly fits. It may be an operand or overlap one."""
        if self.below(30) == 0:
            return self.one(JUNK)
        arrays = [x for x in operands if page_of(x) is not None]
        way = self.below(6)
        if arrays and way == 0:
            return self.one(arrays)
        if self.below(8) == 0:
            dtype = self.one([np.dtype(bool), *DTYPES])
        return self.array(shape, dtype, page_of(self.one(arrays)) if arrays and way == 1 else None)

    def keywords(self, name):
        """Keyword options, mostly none."""
        return {k: self.one(KEYWORDS[k]) for k in KEYWORDS if self.below(25) == 0}

    def run(self):
        """Makes one random call and checks it."""
        shape = self.shape()
        way = self.below(20)
        if way == 0:
            self.view(shape)
        elif way in (1, 2):
            self.pair(self.one(list(PAIRS)), shape)
        elif way in (3, 4):
            self.expression(self.one(list(EXPRESSIONS)), shape)
        else:
            self.operator(self.one(OPERATORS), shape)

    def operator(self, name, shape):
        function = getattr(self.library, name)
        operands = self.operands(name, self.one(rules.arities(name)), shape)
        keywords = self.keywords(name)
        must, convert = rules.must_take(name, operands) and not keywords, None
        if name in ("cast", "cast_saturating", "bitcast"):
            keywords, convert = {}, self.one(DTYPES[:COMPUTED] if self.below(10) else DTYPES)
            if name == "bitcast" and convert == bool:
                # NumPy does not specify how it treats other bytes than 0 and 1 in a bool.
                convert = np.dtype("u1")
            must = name != "bitcast" and type(operands[0]) is np.ndarray and convert in rules.NUMERIC
            must = must and native(operands[0].dtype) in rules.NUMERIC
        compute = lambda dense: rules.value(name, dense)  # noqa: E731
        alike = None if must or keywords else rules.as_numpy(name, [dense_copy(x) for x in operands])
        if alike is not None:
            must, compute = True, lambda dense: (alike, True)
        if name == "cast":
            compute = lambda dense: (rules.reference.cast(dense[0], native(convert)), True)  # noqa: E731
        if convert is not None:
            keywords["dtype"] = convert
        self.judge(Call(name, operands, lambda dense: [function(*dense, **keywords)], function, must, keywords, compute),
                   self.chosen(shape, operands, 1, name, convert))

    def chosen(self, shape, operands, results, name, dtype=None):
        """The outputs of a call, or None for a call without outputs."""
        if self.below(2):
            return None
        first = next((x.dtype for x in operands[::-1] if isinstance(x, np.ndarray)), np.dtype("f4"))
        if dtype is None and name in rules.reference.OPERATORS and rules.reference.OPERATORS[name].gives == "bool":
            first = np.dtype(bool)
        dtypes = [dtype or first, np.dtype("i4") if name == "frexp" else first]
        if name in ("exponent", "quantize_linear"):
            dtypes = [np.dtype("i4") if name == "exponent" else first]
        outs = [self.output(shape, native(d), operands) for d in dtypes[:results]]
        return tuple(None if results > 1 and self.below(4) == 0 else out for out in outs)

    def pair(self, name, shape):
        parts = [getattr(self.library, part) for part in PAIRS[name]]
        operands = self.operands(PAIRS[name][0], 2 if name == "divmod" else 1, shape)
        self.judge(Call(name, operands, lambda dense: [part(*dense) for part in parts], getattr(self.library, name),
                        rules.must_take(PAIRS[name][0], operands)),
                   self.chosen(shape, operands, 2, name))

    def expression(self, text, shape):
        steps = EXPRESSIONS[text]
        count = steps.__code__.co_argcount - 1
        dtype = self.one([d for d in DTYPES[:COMPUTED] if d != bool])
        operands = [self.operand(shape, dtype) for _ in range(count)]
        # Separate calls promote dtypes step by step; an expression first promotes Python numbers to the dtype of all its arrays.
        plain = all(type(x) is np.ndarray and x.dtype == operands[0].dtype for x in operands)
        plain = plain and native(operands[0].dtype) in rules.NUMERIC
        compiled = self.library.compile(text, list("abc")[:count])
        self.judge(Call("compile", operands,
                        (lambda dense: [steps(self.library, *dense)]) if plain else (lambda dense: [compiled(*dense)]),
                        compiled, plain and rules.joined(operands) is not None and operands[0].dtype != bool),
                   self.chosen(shape, operands, 1, text))

    def view(self, shape):
        """Broadcast views, and the errors of invalid ones, are those of NumPy."""
        x = self.array(self.reduced(shape), self.one(DTYPES))
        y = self.array(self.reduced(shape), self.one(DTYPES))
        for name, arguments in [("broadcast_to", (x, shape)), ("broadcast_arrays", (x, y))]:
            expected, failure = outcome(getattr(np, name), *arguments)
            got, error = outcome(getattr(self.library, name), *arguments)
            assert (error is None) == (failure is None), f"{name}: {error}, NumPy: {failure}"
            self.counts[name] += 1
            if error is None:
                expected, got = (r if isinstance(r, (tuple, list)) else (r,) for r in (expected, got))
                for mine, theirs in zip(got, expected, strict=True):
                    assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), f"{name}: {mine.shape}"
                    assert mine.__array_interface__["data"][0] == theirs.__array_interface__["data"][0], name
                    assert mine.size == 0 or all(m == t for n, m, t in zip(mine.shape, mine.strides, theirs.strides) if n > 1), name
                self.counts["views"] += 1

    def judge(self, call, outs):
        """Makes a call on contiguous copies and as drawn, with the outputs `outs`, and compares the results."""
        name, operands, keywords = call.name, call.operands, call.keywords
        shown = f"{name} of {[getattr(o, 'dtype', o) for o in operands]}, {keywords}"
        self.counts[name] += 1
        dense = [dense_copy(operand) for operand in operands]
        results, failure = outcome(call.dense_call, dense)
        if call.must:
            assert failure is None, f"{shown}: raised: {failure}"
            self.counts["must accept"] += 1
            computed = call.compute(dense) if call.compute else None
            if computed is not None:
                expected, exact = computed
                equal = rules.same if exact else rules.near
                assert equal(results[0], expected), f"{shown}: {results[0]!r}, expected {expected!r}"
                self.counts["value"] += 1
        self.counts["rejected" if failure else "accepted"] += 1

        single = outs if outs is None or len(outs) > 1 else outs[0]
        if single is not None:
            keywords = keywords | {"out": single}
        outs = outs or (None,)
        written = [out for out in outs if page_of(out) is not None]
        pages = {id(page): page for x in [*operands, *outs] if (page := page_of(x)) is not None}
        before = {key: page.copy() for key, page in pages.items()}
        fit = self.fit(results, outs, keywords)
        got, error = outcome(call.function, *operands, **keywords)
        for key, page in pages.items():
            changed = page != before[key]
            for out in written:
                if id(page_of(out)) == key and out.flags.writeable:
                    changed &= elements_per_byte(out) == 0
            assert not changed.any(), f"{shown} wrote at {np.flatnonzero(changed)} of {PAGE_BYTES}"

        if failure is not None:
            assert error is not None, f"{shown}: a result, but of dense copies: {failure!r}"
            assert single is not None or type(error) is type(failure), f"{shown}: {error!r}, but of dense copies: {failure!r}"
        elif error is not None:
            assert not fit, f"{shown}, out {described(outs)}: raised: {error!r}"
            self.counts["out rejected"] += 1
        else:
            assert fit is not False, f"{shown}, out {described(outs)}: taken"
            got = [got] if len(results) == 1 else got
            for result, mine, out in zip(results, got, (*outs, None)):
                if out is None:
                    assert rules.same(mine, result, True), f"{shown}: {mine!r}, of dense copies {result!r}"
                    self.counts["layout"] += 1
                elif fit:
                    assert mine is out, f"{shown}: not the array out"
                    expected = rules.written(result, out)
                    now = np.asarray(out).astype(expected.dtype)
                    assert rules.same(now, expected), f"{shown}, out {described(outs)}: {now!r}, expected {expected!r}"
                    self.counts["out"] += 1

    def fit(self, results, outs, keywords):
        """Whether the outputs of a call can be written. None if no rule decides."""
        if results is None:
            return None
        given = [out for out in outs if out is not None]
        if len(given) > 1 and all(isinstance(out, np.ndarray) for out in given) and np.shares_memory(*given):
            return False
        verdicts = [
            rules.fits(np.asarray(result), out)
            for result, out in zip(results, (*outs, None))
            if out is not None
        ]
        return False if False in verdicts else None if None in verdicts else True


def dense_copy(operand):
    """A contiguous copy of an operand in native byte order. Operands that are not arrays are returned unchanged."""
    return np.array(operand, native(operand.dtype), order="C") if isinstance(operand, np.ndarray) else operand


def described(outs):
    return [(str(out.dtype), out.shape, out.strides) if isinstance(out, np.ndarray) else out for out in outs]


def outcome(function, *arguments, **keywords):
    """The result of a call, or None and the documented error that it raised."""
    try:
        return function(*arguments, **keywords), None
    except DOCUMENTED as error:
        return None, error
