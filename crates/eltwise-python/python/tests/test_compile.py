"""`eltwise.compile`: compiled expressions equal NumPy's evaluation of the same text, step by step."""

import itertools
import pickle
import threading

import eltwise
import numpy as np
import pytest
from reference import expected
from support import BF16, BOOL, FLOATS, INTEGERS, LAYOUTS, assert_same, choose, outcome, values

TEXTS = [
    "a*b + c",
    "-(a + b) * (c - a)",
    "a < b",
    "(a + b) * (a + b) - c * (a + b)",
    "maximum(a, b) + minimum(b, c)",
    "add(a, multiply(b, c))",
]
NUMPY = {
    name: getattr(np, name) for name in ("add", "multiply", "maximum", "minimum", "sqrt", "abs", "logical_not")
} | {"where": choose}


def evaluated(text, names, *operands):
    """The expression evaluated by NumPy."""
    with np.errstate(all="ignore"):
        return eval(text, {"__builtins__": {}} | NUMPY, dict(zip(names, operands)))  # noqa: S307


@pytest.mark.parametrize("text", TEXTS)
def test_every_layout_equals_numpy(text, isas):
    f = eltwise.compile(text, "abc")
    for dtype in INTEGERS + FLOATS:
        # No zeros: NumPy does not specify which of two zeros is the maximum.
        operands = [values(dtype, (33, 17), i) for i in range(3)]
        if dtype in FLOATS:
            with np.errstate(invalid="ignore"):
                operands = [np.where(o == 0, o.dtype.type(1), o) for o in operands]
        result = evaluated(text, "abc", *operands)
        for isa in isas():
            for layout in LAYOUTS:
                got = f(operands[0], LAYOUTS[layout](operands[1]), operands[2])
                assert_same(got, result, f"{text} {dtype} {layout} {isa}")


@pytest.mark.parametrize("text", ["a*b + c", "(a + b) * c", "where(a < b, a, c)", "a + 2*b - c"])
def test_mixed_dtypes_promote_as_numpy(text):
    f = eltwise.compile(text, "abc")
    for dtypes in itertools.product(["?", "i1", "u2", "i4", "f2", "f4", "f8"], repeat=3):
        operands = [np.arange(1, 9).astype(d) for d in dtypes]
        result, error = outcome(evaluated, text, "abc", *operands)
        got, raised = outcome(f, *operands)
        assert (raised is None) == (error is None), f"{text} {dtypes}: {raised}, NumPy: {error}"
        if error is None:
            assert_same(got, result, f"{text} {dtypes}")


@pytest.mark.parametrize(
    "text", ["a + 1", "2*a - 0.5", "a < 3", "1.5", "where(a > 1, a, 7)", "maximum(a, 0)", "a == 2"]
)
def test_literals_are_weak(text):
    f = outcome(eltwise.compile, text, "a")[0]
    for dtype in [BOOL, *INTEGERS, *[d for d in FLOATS if d != BF16]] if "a" in text else []:
        a = np.array([1, 0, 1, 1, 0]).astype(dtype) if dtype == BOOL else np.arange(1, 6).astype(dtype)
        result, error = outcome(evaluated, text, "a", a)
        got, raised = outcome(f, a)
        assert (raised is None) == (error is None), f"{text} {dtype}: {raised}, NumPy: {error}"
        if error is None:
            assert_same(got, result, f"{text} {dtype}")
    for scalar in (3, 2.5):
        if "a" in text:
            assert_same(f(scalar), np.asarray(evaluated(text, "a", scalar)), f"{text} {scalar}")


def test_literals_out_of_range_raise():
    f = eltwise.compile("a + 300", "a")
    assert_same(f(np.ones(3, "i2")), np.full(3, 301, "i2"))
    for dtype in ("u1", "i1"):
        with pytest.raises((OverflowError, ValueError), match="300"):
            f(np.ones(3, dtype))


def test_names_give_the_order_of_the_parameters():
    x, y, z = (values("f4", (9,), i) for i in range(3))
    result = expected("add", expected("multiply", x, y), z)
    for f in (
        eltwise.compile("a*b + c"),
        eltwise.compile("a*b + c", None),
        eltwise.compile("a*b + c", "abc"),
        eltwise.compile("a*b + c", ["a", "b", "c"]),
        eltwise.compile("a*b + c", ("a", "b", "c")),
        eltwise.compile("first*second_1 + _third", ["first", "second_1", "_third"]),
    ):
        assert_same(f(x, y, z), result, f.names)
    swapped = eltwise.compile("a*b + c", "cab")
    assert_same(swapped(z, x, y), result)
    assert tuple(swapped.names) == ("c", "a", "b") and swapped.expression == "a*b + c"
    assert tuple(eltwise.compile("y - x").names) == ("y", "x")
    unused = eltwise.compile("a + 1", "ab")
    assert_same(unused(x, y), expected("add", x, np.ones_like(x)))


@pytest.mark.parametrize(
    "names",
    ["ab", "", [], ["a"], ["a", "b", "b"], "aab", ["a", "b", 3], ["a", "b", ""], ["a", "b", "c d"], 7, {"a": 1}],
)
def test_invalid_names_raise(names):
    with pytest.raises((ValueError, TypeError)):
        eltwise.compile("a*b + c", names)


def test_cast_accepts_dtype_names_with_and_without_quotes():
    a, b = values("i4", (40,)), values("i4", (40,), 1)
    result = expected("add", a.astype("f4"), b.astype("f4"))
    for name in ("float32", "'float32'", '"float32"', "f32"):
        assert_same(eltwise.compile(f"cast(a, {name}) + cast(b, {name})", "ab")(a, b), result, name)


def test_rank_zero_results_are_scalars():
    f = eltwise.compile("a*b + c", "abc")
    got = f(np.float32(2), np.float32(3), 4)
    assert type(got) is np.float32 and got == 10
    assert_same(f(2, 3, 4), np.int64(10))
    assert_same(f(np.zeros(0, "f4"), 1, 2), np.zeros(0, "f4"))
    assert_same(f([1.0, 2.0], [[1], [2]], True), np.array([[2.0, 3], [3, 5]]))


def test_out_in_every_layout_and_over_operands():
    f = eltwise.compile("a*b + c", "abc")
    x, y, z = values("f4", (6, 5)), values("f4", (5,), 1), values("f4", (6, 1), 2)
    with np.errstate(all="ignore"):
        result = x * y + z
    for layout in LAYOUTS:
        out = LAYOUTS[layout](np.zeros((6, 5), "f4"))
        if layout == "read-only":
            with pytest.raises(ValueError):
                f(x, y, z, out=out)
        else:
            assert f(x, y, z, out=out) is out
            assert_same(np.asarray(out, "f4"), result, layout)
    larger = np.zeros((2, 6, 5), "f4")
    assert_same(f(x, y, z, out=larger), np.stack([result, result]))
    wide = np.zeros((6, 5), "f8")
    assert_same(f(x, y, z, out=wide), result.astype("f8"))
    for bad, error in [(np.zeros(5, "f4"), ValueError), (np.zeros((6, 5), "i4"), TypeError), ([1.0], TypeError)]:
        with pytest.raises(error):
            f(x, y, z, out=bad)
    x, original = x.copy(), x
    assert f(x, y, z, out=x) is x
    assert_same(x, result)
    memory = values("f4", (2000,))
    a, b, c, out = memory[:900], memory[3:903], memory[50:950], memory[1:901]
    with np.errstate(all="ignore"):
        result = a * b + c
    assert_same(f(a, b, c, out=out), result)
    assert_same(f(original, original, original), evaluated("a*b + c", "abc", original, original, original))


def test_explain_mentions_the_steps():
    f = eltwise.compile("sqrt(a*b) + c", "abc")
    x = np.ones((3, 4), "f4")
    text = f.explain(x, x[0], 1.0)
    assert isinstance(text, str)
    assert all(step in text for step in ("sqrt", "multiply", "add"))
    assert "3, 4" in text and ("f32" in text or "float32" in text)
    assert f.explain(x, x, x, out=np.zeros_like(x))
    assert "f64" in f.explain(x.astype("f8"), x, x) or "float64" in f.explain(x.astype("f8"), x, x)
    with pytest.raises(ValueError):
        f.explain(x, np.ones(3), 1)
    with pytest.raises(TypeError):
        f.explain(x)


@pytest.mark.parametrize(
    "text, marked",
    [
        ("a +", 3),
        ("a + sqr(b)", 4),
        ("(a + b", 0),
        ("a $ b", 2),
        ("a + b)", 5),
        ("clamp(a, b)", 0),
        ("a < b < c", 6),
        ("", 0),
        ("1.2.3 + a", 3),
        ("cast(a, float31)", 8),
        ("a\n+ * b", 2),
    ],
)
def test_parse_errors_show_the_place(text, marked):
    with pytest.raises(ValueError) as raised:
        eltwise.compile(text)
    lines = str(raised.value).splitlines()
    carets = [line for line in lines if "^" in line and not line.strip("^ ")]
    assert carets, raised.value
    assert carets[0].index("^") >= 0 and len(lines) >= 2, marked


@pytest.mark.parametrize("text", [None, 3, b"a + b", [1], object()])
def test_expressions_that_are_not_str_raise(text):
    with pytest.raises(TypeError):
        eltwise.compile(text)


def test_long_and_deep_expressions_compile_or_raise():
    x = np.ones(3, "f4")
    assert_same(eltwise.compile(" + ".join(["a"] * 500))(x), np.full(3, 500, "f4"))
    deep = eltwise.compile("(" * 2000 + "a" + ")" * 2000)
    assert_same(deep(x), x)
    for text in (
        "(" * 100_000,
        "-" * 100_000 + "a",
        "sqrt(" * 20_000 + "a" + ")" * 20_000,
        "a" * 100_000,
        "a+" * 50_000 + "a",
    ):
        f, error = outcome(eltwise.compile, text)
        assert error in (None, ValueError)
        if f is not None:
            assert outcome(f, x)[1] in (None, ValueError)


def test_wrong_numbers_of_operands_raise():
    f = eltwise.compile("a*b + c", "abc")
    for operands in ((), (1,), (1, 2), (1, 2, 3, np.zeros(()), 5)):
        with pytest.raises(TypeError):
            f(*operands)
    for keywords in ({"nonsense": 1}, {"d": 2}):
        with pytest.raises(TypeError):
            f(1, 2, 3, **keywords)


def test_errors_name_the_operands():
    f = eltwise.compile("a*b + c", "abc")
    with pytest.raises(ValueError, match=r"\[3, 4\].*\[5, 4\]") as raised:
        f(np.ones((3, 4), "f4"), np.ones((5, 4), "f4"), 1)
    assert "float32" in str(raised.value) or "f32" in str(raised.value)
    for operands in ((np.ones(3, "c8"), 1, 2), (None, 1, 2), (np.array([None]), 1, 2), ("a", "b", "c")):
        with pytest.raises(TypeError):
            f(*operands)
    with pytest.raises(TypeError):
        eltwise.compile("a & b")(np.ones(3, "f4"), np.ones(3, "f4"))


def test_cached_programs_and_plans_fit_changing_dtypes_and_shapes():
    """A cached program or plan of one call is never used for other dtypes or layouts."""
    f = eltwise.compile("a*b + a", "ab")
    rng = np.random.default_rng(0)
    kinds = [(d, s) for d in ("f4", "f8", "i2", "u1", "f2") for s in ((), (3,), (4, 3), (1, 3), (0, 3), (4, 1))]
    for _ in range(400):
        (d, s), (e, t) = (kinds[i] for i in rng.integers(0, len(kinds), 2))
        a, b = np.arange(np.prod(s, dtype=int)).reshape(s).astype(d), np.full(t, 3, e)
        if rng.integers(2) and a.ndim == 2:
            a = np.asfortranarray(a)
        result, error = outcome(evaluated, "a*b + a", "ab", a, b)
        got, raised = outcome(f, a, b)
        assert (raised is None) == (error is None)
        if error is None:
            assert_same(got, result, f"{d}{s} {e}{t}")


def test_many_threads_share_one_function():
    f = eltwise.compile("a*b + a", "ab")
    wrong = []

    def work(n):
        for i in range(200):
            a = np.full((n, 1 + i % 7), n, ["f4", "f8", "i4"][i % 3])
            got = f(a, 2)
            if got.dtype != a.dtype or got.shape != a.shape or not (got == 3 * n).all():
                wrong.append((n, i))

    workers = [threading.Thread(target=work, args=(n,)) for n in range(1, 7)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    assert not wrong


def test_repr_and_read_only_attributes():
    f = eltwise.compile("a*b + c", "abc")
    assert "a*b + c" in repr(f)
    assert f.expression == "a*b + c" and tuple(f.names) == ("a", "b", "c")
    for name in ("expression", "names"):
        with pytest.raises(AttributeError):
            setattr(f, name, "x")


def test_pickles_are_equal():
    for f in (
        eltwise.compile("a*b + c", "cab"),
        eltwise.compile("first + 1"),
        eltwise.compile("exp(a) * b - c", accuracy="correct", contract=True),
    ):
        loaded = pickle.loads(pickle.dumps(f))
        assert (loaded.expression, loaded.names) == (f.expression, f.names)
        assert repr(loaded) == repr(f)
        operands = [np.float32(2.5)] * len(f.names)
        assert_same(loaded(*operands), f(*operands))


def test_contract_does_not_round_the_product():
    a, c = np.float32(1 + 2**-12), np.float32(-1 - 2**-11)
    assert eltwise.compile("a * b + c", "abc")(a, a, c) == 0
    f = eltwise.compile("a * b + c", "abc", contract=True)
    assert f(a, a, c) == np.float32(2**-24)
    assert repr(f) == "eltwise.compile('a * b + c', ['a', 'b', 'c'], contract=True)"
    assert eltwise.compile("-c - a * b", "abc", contract=True)(a, a, c) == np.float32(-(2**-24))


def test_broadcast_modes_in_the_text():
    a, b = values("i4", (2, 3, 4, 5)), values("i4", (3, 4), 1)
    f = eltwise.compile("add(a, b, broadcast=pdpd, axis=1) * a", "ab")
    assert_same(f(a, b), (a + b.reshape(3, 4, 1)) * a)
    g = eltwise.compile("a + broadcast_to(b, [3, 1, 4])", "ab")
    assert_same(g(a[0, 0, :, :1], b[:, None]), a[0, 0, :, :1] + np.broadcast_to(b[:, None], (3, 1, 4)))
