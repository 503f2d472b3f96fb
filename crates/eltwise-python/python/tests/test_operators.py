"""Every operator equals the reference, for every dtype it takes, in every layout, on every ISA."""

import eltwise
import numpy as np
import pytest
from reference import BINARY, BOOLS_AS_INT8, MATH, MIXED, OPERATORS, PLAIN, cast, expected
from support import BF16, BOOL, FLOATS, LAYOUTS, NUMERIC, OPAQUE, REPEATS, assert_same, choose, kind, values

SHAPES = [
    (),
    (1,),
    (7,),
    (64,),
    (131,),
    (0,),
    (2, 0, 3),
    (5, 3),
    (33, 17),
    (300, 3),
    (3, 70),
    (4, 1, 6),
    (5, 3, 4),
    (2, 3, 4, 5),
]
LENGTHS = [
    *range(36),
    47,
    48,
    49,
    *range(62, 67),
    95,
    96,
    97,
    *range(126, 131),
    255,
    256,
    257,
    511,
    513,
    1023,
    1025,
    4097,
]
COMPUTED = [(name, d) for name in PLAIN for d in NUMERIC if OPERATORS[name].takes(d)]
#: Shapes of operands that broadcast; a fourth operand has the shape of the first.
BROADCAST_SHAPES = [
    ((5, 3), (3,), ()),
    ((300, 3), (300, 1), (1, 3)),
    ((1, 40), (9, 1), (9, 40)),
    ((2, 3, 4, 5), (3, 1, 1), (5,)),
    ((), (17,), (1, 1)),
    ((0, 4), (1, 4), (1,)),
    ((4, 1, 6), (5, 1), (4, 5, 6)),
]


def operands(name, dtype, shapes):
    """Operands of an operator. The condition of `where` is bool."""
    dtypes = [BOOL, dtype, dtype] if name == "where" else [dtype] * OPERATORS[name].arity
    return [values(d, shapes[seed % len(shapes)], seed) for seed, d in enumerate(dtypes)]


def cases(name, dtype):
    """Descriptions, operands in many layouts, and expected results."""
    arity = OPERATORS[name].arity
    for shape in SHAPES:
        plain = operands(name, dtype, [shape])
        result = expected(name, *plain)
        for i in range(len(LAYOUTS)):
            chosen = [
                list(LAYOUTS)[(i * (1 + 2 * n) + n * shape[-1] if shape else i) % len(LAYOUTS)] for n in range(arity)
            ]
            yield f"{shape} {chosen}", [LAYOUTS[c](x) for c, x in zip(chosen, plain)], result
        if shape in [(5, 3), (3, 70), (5, 3, 4)]:
            for i in range(len(REPEATS)):
                repeated = [[*REPEATS.values()][(i + n) % len(REPEATS)](x) for n, x in enumerate(plain)]
                yield f"{shape} all repeated {i}", repeated, expected(name, *repeated)
                for n in range(arity if arity > 1 else 0):
                    one = plain[:n] + [[*REPEATS.values()][i](plain[n])] + plain[n + 1 :]
                    yield f"{shape} operand {n} repeated {i}", one, expected(name, *one)
    for shapes in BROADCAST_SHAPES if arity > 1 else []:
        plain = operands(name, dtype, shapes)
        for layout in ("c", "fortran", "reversed", "unaligned"):
            laid_out = [LAYOUTS[layout](x) for x in plain]
            yield f"{shapes} {layout}", laid_out, expected(name, *np.broadcast_arrays(*plain))


def test_every_operator_has_a_reference():
    assert set(eltwise.operators()) == {*OPERATORS, *MIXED, *MATH}
    assert all(callable(getattr(eltwise, name)) for name in eltwise.operators())


@pytest.mark.filterwarnings("ignore:divide by zero encountered:RuntimeWarning")
@pytest.mark.parametrize("name, dtype", COMPUTED, ids=lambda v: str(v))
def test_every_layout_equals_the_reference(name, dtype, isas):
    function = getattr(eltwise, name)
    for about, arrays, result in cases(name, dtype):
        for isa in isas():
            got = function(*arrays)
            assert_same(got, result, f"{name} {dtype} {about} {isa}", exact=OPERATORS[name].gives == "moved")


@pytest.mark.filterwarnings("ignore:divide by zero encountered:RuntimeWarning")
@pytest.mark.parametrize("name, dtype", COMPUTED, ids=lambda v: str(v))
def test_every_length_equals_a_part_of_a_long_array(name, dtype, isas):
    """Lengths around those of vectors, at several start offsets."""
    function = getattr(eltwise, name)
    arrays = operands(name, dtype, [(max(LENGTHS) + 5,)])
    result = expected(name, *arrays)
    for isa in isas():
        for n in LENGTHS:
            at = n % 5
            got = function(*[x[at : at + n] for x in arrays])
            assert_same(got, result[at : at + n], f"{name} {dtype} [{at}:{at + n}] {isa}")


LARGE = [((300_001,),) * 3, ((700, 500),) * 3, ((600, 500), (500,), (600, 1)), ((90_000, 3), (3,), (90_000, 1))]


@pytest.mark.filterwarnings("ignore:divide by zero encountered:RuntimeWarning")
@pytest.mark.parametrize("name", PLAIN)
def test_large_arrays_equal_the_reference(name):
    """Large enough for several threads: contiguous, transposed, strided, broadcast."""
    dtype = np.dtype("f4") if OPERATORS[name].takes(np.dtype("f4")) else np.dtype("u2")
    function = getattr(eltwise, name)
    for shapes in LARGE:
        plain = operands(name, dtype, shapes)
        result = expected(name, *np.broadcast_arrays(*plain))
        for layout in ("c", "fortran", "gaps", "unaligned"):
            got = function(LAYOUTS[layout](plain[0]), *plain[1:])
            assert_same(got, result, f"{name} {shapes} {layout}")


@pytest.mark.parametrize("target", NUMERIC, ids=str)
@pytest.mark.parametrize("source", NUMERIC, ids=str)
def test_cast_equals_the_reference(source, target, isas):
    for shape in [(), (0,), (3001,), (33, 17), (300, 3)]:
        x = values(source, shape)
        result = cast(x, target)
        for layout, arrange in LAYOUTS.items():
            for isa in isas():
                got = eltwise.cast(arrange(x), target)
                assert_same(got, result, f"{source} to {target} {shape} {layout} {isa}", exact=source == target)


def test_cast_accepts_every_spelling_of_a_dtype():
    x = values("f4", (4, 3))
    for name in ("int16", np.int16, np.dtype("i2"), "i2", "h"):
        assert_same(eltwise.cast(x, name), cast(x, np.int16), name)
        assert_same(eltwise.cast(x, dtype=name), cast(x, np.int16), name)
    for out in (np.zeros((4, 3), "i2"), np.zeros((2, 4, 3), "i2")):
        assert eltwise.cast(x, out=out) is eltwise.cast(x, out=(out,)) is eltwise.cast(x, "i2", (out,)) is out
        assert_same(out, np.broadcast_to(cast(x, "i2"), out.shape))
    assert_same(eltwise.cast(x, bool), cast(x, bool))
    assert_same(eltwise.cast(x, float), cast(x, "f8"))
    assert_same(eltwise.cast([1, 2], "bfloat16"), np.array([1, 2], BF16))
    for bad in (None, "c8", object, "M8[s]", "no such dtype", 3.5):
        with pytest.raises((TypeError, ValueError)):
            eltwise.cast(x, bad)
    for out in (None, [1.0], 3, "out", (), (3.0,)):
        with pytest.raises(TypeError, match="cast"):
            eltwise.cast(x, out=out)


@pytest.mark.parametrize("dtype", NUMERIC + OPAQUE, ids=str)
def test_copy_and_where_keep_the_bits(dtype):
    for shape in SHAPES:
        x, y, cond = values(dtype, shape), values(dtype, shape, 1), values(bool, shape)
        for layout, arrange in LAYOUTS.items():
            if layout != "big-endian":
                assert_same(eltwise.copy(arrange(x)), x, f"copy {shape} {layout}", exact=True)
                got = eltwise.where(arrange(cond), arrange(x), LAYOUTS["fortran"](y))
                assert_same(got, np.where(cond, x, y), f"where {shape} {layout}", exact=True)


@pytest.mark.parametrize("dtype", OPAQUE, ids=str)
def test_opaque_elements_are_moved_into_out(dtype):
    """Into any layout, in place, and from a reversed view of the output."""
    x, y, cond = values(dtype, (6, 5)), values(dtype, (5,), 1), values(bool, (6, 5))
    for layout in ("c", "fortran", "reversed", "gaps", "unaligned"):
        out = LAYOUTS[layout](np.zeros_like(x))
        assert eltwise.copy(x, out=out) is out
        assert_same(out, x, f"copy {layout}", exact=True)
        assert eltwise.where(cond, y, out, out=out) is out
        assert_same(out, np.where(cond, y, x), f"where {layout}", exact=True)
    result = x[::-1].copy()
    eltwise.copy(x[::-1], out=x)
    assert_same(x, result, "reversed in place", exact=True)
    larger = np.zeros((2, 6, 5), dtype)
    assert_same(eltwise.copy(x, out=larger), np.stack([x, x]), exact=True)
    for bad in (np.zeros((6, 5), "V5"), np.zeros((6, 5), object), np.zeros((6, 5), "f4")):
        before = bad.copy()
        with pytest.raises(TypeError, match="copy"):
            eltwise.copy(x, out=bad)
        assert (bad == before).all()


@pytest.mark.parametrize("dtype", ["c8", "c16", "M8[s]", "m8[ns]", "U1"])
def test_big_endian_opaque_elements_keep_their_values(dtype):
    x, cond = values(dtype, (40,)), values(bool, (40,))
    swapped = x.astype(np.dtype(dtype).newbyteorder(">"))
    for got in (eltwise.copy(swapped), eltwise.where(cond, swapped, swapped), eltwise.where(cond, x, swapped)):
        assert got.dtype.newbyteorder("<") == x.dtype
        assert_same(got.astype(x.dtype), x, exact=True)


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
def test_a_condition_may_have_any_dtype(dtype):
    cond, x, y = values(dtype, (40, 3)), values("i4", (3,)), values("i4", (40, 1), 1)
    with np.errstate(invalid="ignore"):
        truth = cond.astype("f4") != 0 if dtype == BF16 else cond != 0
    assert_same(eltwise.where(cond, x, y), np.where(truth, x, y))


def test_where_promotes_opaque_dtypes_as_numpy():
    cond, z = values(bool, (4, 3)), np.arange(3) * (1 + 2j)
    for x, y in (
        (z, 0),
        (z, [1, 2, 3]),
        (2.5, z),
        (z.astype("c8"), 1.5),
        (z, np.float32(3)),
        (z, z[0]),
        (z.astype("c8"), z),
    ):
        assert_same(eltwise.where(cond, x, y), choose(cond, x, y), exact=True)
    day = np.arange(3).astype("M8[D]")
    for x, y in ((day, day[0]), (day, np.datetime64("NaT", "D")), (day, day.astype("M8[s]"))):
        assert_same(eltwise.where(cond, x, y), np.where(cond, x, y), exact=True)
    out = np.zeros((2, 4, 3), "c16")
    assert eltwise.where(cond, z, -z, out=out) is out
    assert_same(out, np.broadcast_to(np.where(cond, z, -z), out.shape))
    for bad in (np.zeros((4, 3)), np.zeros((4, 3), "c8"), np.zeros((4, 3), "i8")):
        with pytest.raises(TypeError, match="where"):
            eltwise.where(cond, z, -z, out=bad)
    with pytest.raises(TypeError, match="where"):
        eltwise.where(cond, z, day)


def test_every_nonzero_byte_of_a_bool_is_true():
    raw = np.arange(256, dtype=np.uint8)
    x = raw.view(bool)
    assert_same(eltwise.logical_not(x), raw == 0)
    assert_same(eltwise.logical_and(x, x[::-1]), (raw != 0) & (raw[::-1] != 0))
    assert_same(eltwise.cast(x, "i4"), (raw != 0).astype("i4"))
    assert_same(eltwise.where(x, raw, 0), raw)
    assert_same(eltwise.copy(x), x, exact=True)


def test_unsupported_dtypes_raise():
    for name in PLAIN:
        for dtype in NUMERIC:
            promotes = kind(dtype) in "biu" and OPERATORS[name].kinds == "f"
            promotes = promotes or (kind(dtype) == "b" and name in BOOLS_AS_INT8)
            if not OPERATORS[name].takes(dtype) and not promotes:
                with pytest.raises(TypeError, match=name):
                    getattr(eltwise, name)(*operands(name, dtype, [(3,)] * 3))


@pytest.mark.parametrize("name", BINARY)
def test_16_bit_floats_round_once(name):
    """All pairs of a sample of values, with special values."""
    for dtype in FLOATS[:2]:
        if OPERATORS[name].takes(dtype):
            x = values(dtype, (500, 1))
            y = values(dtype, (500,), 1)
            result = expected(name, *np.broadcast_arrays(x, y))
            assert_same(getattr(eltwise, name)(x, y), result, f"{name} {dtype}")
