"""Wrong results are detected and not timed; right ones pass."""

import unittest

import numpy as np

from .. import check, measure
from ..case import Case, build
from ..data import Data
from . import support


class WrongResults(unittest.TestCase):
    def run_with(self, function):
        good, bad = support.FakeEngine("good", support.right), support.FakeEngine("bad", function)
        return measure.run(support.case(), [good, bad], 0.002), bad

    def test_one_wrong_element_is_reported_and_not_timed(self):
        row, bad = self.run_with(support.one_off)
        self.assertIn("good", row.figures)
        self.assertNotIn("bad", row.figures)
        self.assertIn("1 of 1000 elements differ, the first at [777]", row.wrong["bad"])
        self.assertEqual(bad.calls, 1)

    def test_the_result_of_the_previous_engine_is_not_accepted(self):
        row, _ = self.run_with(support.lazy)
        self.assertIn("1000 of 1000", row.wrong["bad"])

    def test_another_dtype_or_shape_is_wrong(self):
        row, _ = self.run_with(lambda p: np.add(*p.arrays, dtype=np.float64))
        self.assertEqual(row.wrong["bad"], "the result is float64, expected float32")
        row, _ = self.run_with(lambda p: np.add(*p.arrays)[:-1])
        self.assertEqual(row.wrong["bad"], "the result has shape [999], expected [1000]")

    def test_a_peer_that_fails_is_skipped_and_ours_is_wrong(self):
        def fails(problem):
            raise RuntimeError("no kernel")

        engines = [support.FakeEngine("eltwise", fails), support.FakeEngine("peer", fails)]
        row = measure.run(support.case(), engines, 0.002)
        self.assertEqual(row.wrong, {"eltwise": "RuntimeError: no kernel"})
        self.assertEqual(row.skipped, {"peer": "RuntimeError: no kernel"})


class Limits(unittest.TestCase):
    def reference(self, expression, dtype="float32", operands=2):
        return check.reference(build(support.case(expression, operands, dtype)))

    def test_exact_operators_allow_no_ulp(self):
        want = self.reference("maximum(a, b)")
        check.compare(want.values.copy(), want)
        with self.assertRaises(check.WrongResult):
            check.compare(np.nextafter(want.values, np.float32(9)), want)

    def test_arithmetic_allows_one_ulp_and_not_three(self):
        want = self.reference("add(a, b)")
        off = np.nextafter(want.values, np.float32(9))
        self.assertLessEqual(check.compare(off, want), 1)
        for _ in range(2):
            off = np.nextafter(off, np.float32(9))
        with self.assertRaises(check.WrongResult):
            check.compare(off, want)

    def test_float64_computed_in_float32_is_wrong(self):
        for expression, operands in (("add(a, b)", 2), ("sin(a)", 1), ("a * b + c", 3)):
            want = self.reference(expression, "float64", operands)
            with self.assertRaises(check.WrongResult, msg=expression):
                check.compare(want.values.astype(np.float32).astype(np.float64), want)

    def test_a_good_approximation_passes_and_its_error_is_reported(self):
        want = self.reference("sin(a)", operands=1)
        rounded = want.values.astype(np.float32)
        self.assertLessEqual(check.compare(rounded, want), 0.5)
        worse = check.compare(rounded * np.float32(1 + 2.0**-20), want)
        self.assertTrue(6 < worse < 18, worse)
        with self.assertRaises(check.WrongResult):
            check.compare(rounded * np.float32(1.001), want)

    def test_nan_equals_only_nan(self):
        for expression in ("maximum(a, b)", "add(a, b)"):
            want = self.reference(expression)
            got = want.values.copy()
            got[5] = np.nan
            with self.assertRaises(check.WrongResult, msg=expression):
                check.compare(got, want)
            want.values[5] = np.nan
            check.compare(got, want)

    def test_integers_that_saturate_or_lose_bits_are_wrong(self):
        want = self.reference("add(a, b)", "int8")
        a, b = build(support.case("add(a, b)", 2, "int8")).arrays
        with self.assertRaises(check.WrongResult):
            check.compare(np.clip(a.astype(int) + b, -128, 127).astype(np.int8), want)
        want = self.reference("maximum(a, b)", "int64")
        with self.assertRaises(check.WrongResult):
            check.compare(want.values.astype(np.float32).astype(np.int64), want)

    def test_casts_are_exact(self):
        want = check.reference(build(Case("test", "cast", "cast(a, 'float16')", (Data((100,)),))))
        self.assertEqual(want.dtype, np.float16)
        with self.assertRaises(check.WrongResult):
            check.compare(np.nextafter(want.values, np.float16(9)), want)


if __name__ == "__main__":
    unittest.main()
