"""Cases, expressions, and chains of calls."""

import unittest

import numpy as np

from .. import cases, check
from ..case import build
from ..cases.make import broadcast
from ..engines import chain
from ..engines.base import Settings
from ..engines.numpy import Adapter
from ..expression import Apply, Input, Number, operators, parse
from ..operators import TABLE
from . import support


class Cases(unittest.TestCase):
    def test_names_are_unique_and_operators_are_known(self):
        everything = cases.everything()
        names = [(c.group, c.name) for c in everything]
        self.assertEqual(len(names), len(set(names)))
        used = {op for c in everything for op in operators(c.tree)}
        self.assertEqual(used - set(TABLE), set())
        self.assertGreater(len(everything), 500)

    def test_the_release_bar_has_float32_cases_from_1024_elements(self):
        for c in cases.everything():
            if c.bar:
                self.assertIn(c.group, ("contiguous", "broadcast", "casts"))
                self.assertIn("float32", c.name)
        self.assertTrue(broadcast("add", "float32", "row", (128, 8), (8,)).bar)
        self.assertFalse(broadcast("add", "float32", "row", (127, 8), (8,)).bar)
        self.assertFalse(broadcast("add", "float16", "row", (128, 8), (8,)).bar)
        bar = [c.name for c in cases.everything() if c.bar]
        self.assertIn("add/float32/n=1024", bar)
        self.assertIn("cast/float32 to float16/n=1024", bar)
        self.assertIn("less/float32/row [1024,1024] [1024]", bar)
        self.assertNotIn("add/float32/n=64", bar)
        self.assertNotIn("cast/float32 to float16/n=64", bar)

    def test_numpy_runs_the_small_cases(self):
        engine = Adapter(Settings())
        small = [c for c in cases.everything() if c.group == "call"]
        for c in small:
            problem = build(c)
            check.compare(engine.prepare(problem).result(), check.reference(problem))


class Expressions(unittest.TestCase):
    def test_expressions_parse_to_trees(self):
        a, b = Input("a"), Input("b")
        self.assertEqual(parse("a * b + 1.5"), Apply("add", (Apply("multiply", (a, b)), Number(1.5))))
        self.assertEqual(parse("-a"), Apply("negative", (a,)))
        self.assertEqual(parse("clamp(a, -1, 1)"), Apply("clamp", (a, Number(-1), Number(1))))
        self.assertEqual(parse("cast(a, 'float16')"), Apply("cast", (a,), "float16"))
        self.assertEqual(parse("a < b"), Apply("less", (a, b)))

    def test_unsupported_syntax_is_an_error(self):
        for text in ("a if b else a", "a.b", "f(x=a)", "a ** b"):
            with self.assertRaises(ValueError, msg=text):
                parse(text)


class Chains(unittest.TestCase):
    def plan(self, expression, operands, in_place=True):
        return chain.plan(build(support.case(expression, operands)), lambda op: in_place)

    def test_intermediate_results_reuse_the_result_array(self):
        plan = self.plan("a * b + c", 3)
        self.assertEqual([s.op for s in plan.steps], ["multiply", "add"])
        self.assertEqual([s.target.index for s in plan.steps], [0, 0])

    def test_two_live_values_have_different_arrays(self):
        plan = self.plan("a * b + b * c", 3)
        self.assertEqual([s.target.index for s in plan.steps], [0, 1, 0])

    def test_operators_that_are_not_in_place_do_not_overwrite_their_operand(self):
        plan = self.plan("sqrt(a * b)", 2, in_place=False)
        self.assertEqual([s.target.index for s in plan.steps], [1, 0])

    def test_numpy_chains_match_the_reference(self):
        engine = Adapter(Settings())
        for expression, operands in (
            ("a * b + b * c", 3),
            ("sigmoid(a * b)", 2),
            ("silu(a) * b", 2),
            ("relu(a + b) - sqrt(abs(a))", 2),
            ("where(a < b, a, b * 2.0)", 2),
            ("cast(a * b, 'float32') + b", 2),
        ):
            problem = build(support.case(expression, operands))
            check.compare(engine.prepare(problem).result(), check.reference(problem))


class Arrays(unittest.TestCase):
    def test_arrays_are_aligned_and_repeatable(self):
        first, second = build(support.case()), build(support.case())
        for x, y in zip(first.arrays, second.arrays, strict=True):
            self.assertEqual(x.ctypes.data % 64, 0)
            np.testing.assert_array_equal(x, y)
        self.assertFalse(np.array_equal(first.arrays[0], first.arrays[1]))


if __name__ == "__main__":
    unittest.main()
