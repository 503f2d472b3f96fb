"""Compiled functions with keywords, a mask and several outputs; names and comments in texts; `evaluate`."""

import inspect
import pickle

import eltwise
import numpy as np
import pytest
from support import assert_same

RNG = np.random.default_rng(40)
A, B, C = (RNG.standard_normal((30, 50)).astype("f4") for _ in range(3))


def test_operands_are_given_by_position_or_name():
    f = eltwise.compile("a * b + c")
    for call in (f(A, B, C), f(A, B, c=C), f(c=C, b=B, a=A)):
        assert_same(call, A * B + C)
    out = np.zeros_like(A)
    assert f(A, b=B, c=C, out=out) is out
    assert_same(out, A * B + C)
    for arguments, keywords, message in [
        ((A, B), {}, r"takes 3 operands \(a, b, c\), 2 given"),
        ((A, B, C, C), {}, "4 given"),
        ((A, B), {"b": B}, "multiple values for operand 'b'"),
        ((A, B, C), {"d": B}, "unexpected keyword argument 'd', expected a, b, c, out, where, progress"),
    ]:
        with pytest.raises(TypeError, match=message):
            f(*arguments, **keywords)
    assert str(inspect.signature(f)) == "(a, b, c, *, out=None, where=True, progress=None)"
    shadowed = eltwise.compile("out + where", ["out", "where"])
    assert_same(shadowed(A, B), A + B)
    assert_same(shadowed(where=A, out=B), A + B)


def test_where_is_a_mask_of_the_result():
    f, mask, out = eltwise.compile("a * b + c"), A > 0, B.copy()
    f(A, B, C, where=mask, out=out)
    assert_same(out, np.where(mask, A * B + C, B))
    assert_same(f(A, B, C, where=mask), np.where(mask, A * B + C, np.float32(0)))
    in_place = A.copy()
    f(in_place, B, C, where=mask, out=in_place)
    assert_same(in_place, np.where(mask, A * B + C, A))
    divided = eltwise.compile("a // b + 1")
    x, y = np.arange(6), np.array([1, 0, 2, 0, 3, 0])
    assert_same(divided(x, y, where=y != 0), np.where(y != 0, x // np.where(y == 0, 1, y) + 1, 0))


def test_several_expressions_return_a_tuple():
    for text in ("sin(a); cos(a)", ["sin(a)", "cos(a)"], ["sin(a) # first", "cos(a)"]):
        f = eltwise.compile(text)
        sine, cosine = f(A)
        assert_same(sine, eltwise.sin(A))
        assert_same(cosine, eltwise.cos(A))
    outs = np.zeros_like(A), None
    sine, cosine = f(A, out=outs)
    assert sine is outs[0]
    assert_same(cosine, eltwise.cos(A))
    swapped = A.copy(), B.copy()
    eltwise.compile("b; a + 0", ["a", "b"])(*swapped, out=swapped)
    assert_same(swapped[0], B)
    assert_same(swapped[1], A + 0)
    one = eltwise.compile(["a + 1"])(A)
    assert isinstance(one, tuple) and len(one) == 1
    assert_same(one[0], A + 1)
    mask, low, high = A > 0, B.copy(), C.copy()
    eltwise.compile("a - 1; a + 1")(A, out=(low, high), where=mask)
    assert_same(low, np.where(mask, A - 1, B))
    assert_same(high, np.where(mask, A + 1, C))
    scalars = eltwise.compile("a + 1; a < 1")(np.float32(2))
    assert scalars == (3, False) and isinstance(scalars[0], np.float32)
    for out in (A, (A,), (A, B, C), (A, 1)):
        with pytest.raises(TypeError, match="out"):
            f(A, out=out)
    kept = A.copy()
    for out, message in [((kept, np.zeros(3)), "shape"), ((kept, kept), "outputs 0 and 1 share memory")]:
        with pytest.raises(ValueError, match=message):
            f(B, out=out)
        assert_same(kept, A)


def test_texts_have_aliases_comments_and_names():
    for text, expected in [
        ("arctan2(a, b)", eltwise.atan2(A, B)),
        ("absolute(a) + power(b, 2)", abs(A) + B * B),
        ("mod(a, b)", np.mod(A, B)),
        ("t = a * b; t + t", A * B + A * B),
        ("t = a * b  # a product\n; u = t + 1; u * t  # the end", (A * B + 1) * (A * B)),
        ("a * pi + e", A * np.float32(np.pi) + np.float32(np.e)),
    ]:
        f = eltwise.compile(text)
        assert_same(f(A, B) if "b" in f.inputs else f(A), expected, text)
    for text, message in [
        ("ln(a)", "did you mean `log`"),
        ("a > 2 & b < 3", r"write \(a > 2\) & \(b < 3\)"),
        ("t = a", "an expression after the assignment"),
    ]:
        with pytest.raises(ValueError, match=message):
            eltwise.compile(text)
    with pytest.raises(ValueError, match="`a` is a parameter"):
        eltwise.compile("a = 1; a", ["a"])
    with pytest.raises(ValueError, match="parameter 0 is \"a b\", expected a name"):
        eltwise.compile("a", ["a b"])
    odd = eltwise.compile("a # \u200b\x07'\"")
    assert eval(repr(odd)) == odd


def test_functions_are_equal_if_they_compute_the_same():
    f = eltwise.compile("a + b")
    assert f == eltwise.compile("a + b") and hash(f) == hash(eltwise.compile("a + b"))
    others = [eltwise.compile(*a, **k) for a, k in [
        (("a + b", "ba"), {}), (("a - b",), {}), ((["a + b"],), {}), (("a + b",), {"contract": True}),
        (("a + b",), {"accuracy": "fast"})]]
    assert all(f != other for other in others) and f != "a + b"
    for g in [f, *others, eltwise.compile("sin(a); cos(a)")]:
        again = pickle.loads(pickle.dumps(g))
        assert again == g and repr(again) == repr(g) and eval(repr(g)) == g
    assert f.text == f.expression == "a + b" and f.inputs == f.names == ("a", "b")


def test_result_type_needs_no_arrays():
    f = eltwise.compile("a / b")
    assert f.result_type("i4", "i4") == np.float64
    assert f.result_type(np.float32, "f2") == np.float32
    assert eltwise.compile("a < 1; a * 2").result_type("u1") == (np.bool_, np.uint8)
    with pytest.raises(TypeError, match=r"takes 2 dtypes \(a, b\), 1 given"):
        f.result_type("f4")
    with pytest.raises(TypeError):
        eltwise.compile("a & 1").result_type("f4")


GLOBAL = np.arange(5.0)


def test_evaluate_takes_the_callers_variables():
    a, b = A, B
    assert_same(eltwise.evaluate("a * b + 1"), A * B + 1)
    assert_same(eltwise.evaluate("GLOBAL + 1"), GLOBAL + 1)
    out = np.zeros_like(A)
    assert eltwise.evaluate("a - b", out=out, where=a > 0) is out
    assert_same(out, np.where(A > 0, A - B, np.float32(0)))
    assert_same(eltwise.evaluate("x + GLOBAL", {"x": 2.0}), GLOBAL + 2)
    assert_same(eltwise.evaluate("x + y", {"x": a, "y": b}), A + B)
    assert len(eltwise.evaluate(["sin(a)", "cos(a)"])) == 2
    assert_same([eltwise.evaluate("GLOBAL * n") for n in (2,) for GLOBAL in (a,)][0], a * 2)
    out = 3
    assert eltwise.evaluate("out * 2") == 6
    with pytest.raises(NameError, match="'nowhere', which is not a variable of the caller"):
        eltwise.evaluate("nowhere + 1")
    del b


def test_variables_with_names_of_constants_are_used():
    e, inf = np.array([10.0, 20.0]), 3.0
    assert eltwise.evaluate("e * 2").tolist() == [20.0, 40.0]
    assert eltwise.evaluate("e * inf + 1e5").tolist() == [100030.0, 100060.0]
    assert eltwise.evaluate("e + pi", {"e": 1.0}) == 1 + np.pi
    assert eltwise.evaluate("e = pi; e * 2", {}) == 2 * np.pi
    del e
    assert eltwise.evaluate("a*2.e-1 # e", {"a": 10.0, "e": "text"}) == 2
    assert eltwise.evaluate("e = a*2; e + 1", {"a": 1.0, "e": 5.0}) == 3
    assert eltwise.evaluate("e * 1.0", {"e": np}) == np.e  # a module is not a value
    assert eltwise.evaluate("x == inf", {"x": np.inf}) and inf == 3
