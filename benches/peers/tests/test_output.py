"""Timing, the table, the summary, the overhead mode and missing operators."""

import contextlib
import functools
import gc
import importlib
import io
import itertools
import json
import sys
import types
import unittest
import unittest.mock

import numpy as np

from .. import engines, overhead, report, table, timing
from ..case import build
from ..measure import Row
from ..timing import Figures
from . import support


def row(name="add(a, b)", bar=False, **us) -> Row:
    made = Row(support.case(name, bar=bar), 1000, 12000)
    made.figures = {engine: Figures([best, best * 1.5, best * 2], 100) for engine, best in us.items()}
    return made


class Table(unittest.TestCase):
    def test_a_row_has_figures_best_peer_ratio_and_bandwidth(self):
        line = table.cells(row(eltwise=3.0, numpy=2.0, torch=6.0), ["eltwise", "numpy", "torch", "jax"])
        self.assertEqual(line, ["add(a, b)/float32", "3.00", "2.00", "6.00", "-", "numpy", "1.50", "4.0"])

    def test_without_eltwise_the_bandwidth_is_the_best_peers(self):
        line = table.cells(row(numpy=2.0, torch=6.0), ["numpy", "torch"])
        self.assertEqual(line[-3:], ["numpy", "-", "6.0"])

    def test_eltwise_is_not_a_peer(self):
        made = row(eltwise=1.0, numpy=2.0)
        self.assertEqual((made.best_peer, made.ratio, made.median_ratio), ("numpy", 0.5, 0.5))
        self.assertIsNone(row(eltwise=1.0).ratio)

    def test_a_wrong_result_is_shown_as_wrong(self):
        made = row(numpy=2.0)
        made.wrong["torch"] = "1 of 1000 elements differ"
        self.assertEqual(table.cell(made, "torch"), "wrong")

    def test_numbers_have_three_significant_digits(self):
        self.assertEqual([table.number(x) for x in (0.04218, 1.2345, 45.67, 789.4)], ["0.042", "1.23", "45.7", "789"])

    def test_markdown_is_a_table(self):
        text = table.markdown({"CPU": "x"}, {"numpy": "2"}, [row("where(a|b)", numpy=1)], ["numpy"])
        lines = [x for x in text.splitlines() if x.startswith("|")]
        self.assertIn("| numpy | 2 |", lines)
        self.assertIn("| where(a\\|b)/float32 | 1.00 | numpy | - | 12.0 |", lines)
        self.assertEqual({x.replace("\\|", "").count("|") for x in lines[-3:]}, {6})

    def test_rows_serialise_to_json(self):
        found = json.loads(json.dumps(table.json_row(row(eltwise=3.0, numpy=2.0))))
        self.assertEqual(found["ours_over_best"], 1.5)
        self.assertEqual(found["us"]["eltwise"]["median"], 4.5)

    def test_passes_are_merged(self):
        first, second = row(eltwise=3.0, numpy=2.0, torch=9.0), row(eltwise=1.0, numpy=4.0)
        second.wrong["torch"] = "1 of 1000 elements differ"
        first.merge(second)
        self.assertEqual((first.figures["eltwise"].best, first.figures["numpy"].best), (1.0, 2.0))
        self.assertEqual(first.figures["eltwise"].rounds, 6)
        self.assertNotIn("torch", first.figures)


class Report(unittest.TestCase):
    def test_rows_with_a_faster_peer_are_sorted_by_ratio(self):
        rows = [row("add(a, b)", eltwise=3, numpy=2), row("a - b", eltwise=1, numpy=2)]
        rows.append(row("a * b", eltwise=9, numpy=3))
        self.assertEqual([r.case.name for r in report.behind(rows)], ["a * b/float32", "add(a, b)/float32"])
        self.assertIn("| test a * b/float32 |  | 9.00 | 3.00 | numpy | 3.00 | 3.00 |", report.markdown(rows))

    def test_the_release_bar_tolerates_noise_only(self):
        rows = [row("add(a, b)", True, eltwise=1.04, numpy=1), row("a - b", True, eltwise=1.2, numpy=1)]
        rows.append(row(eltwise=9, numpy=1))
        count, lost = report.bar(rows)
        self.assertEqual((count, [r.case.name for r in lost]), (2, ["a - b/float32"]))

    def test_missing_operators_are_counted(self):
        rows = [row("exp(a)", numpy=1), row("exp(b)", numpy=1)]
        for r in rows:
            r.missing = "exp"
        self.assertIn("exp (2 rows)", report.markdown(rows))


class Timing(unittest.TestCase):
    def interleave(self, costs: dict[str, list[int]], budget: float):
        """Times calls with these costs in nanoseconds, repeated, on a fake clock; returns figures, turns and sleeps."""
        clock = types.SimpleNamespace(now=0, slept=0, order=[])
        clock.perf_counter_ns = lambda: clock.now
        clock.sleep = lambda seconds: setattr(clock, "slept", clock.slept + 1)

        def call(name, costs):
            clock.order.append(name)
            clock.now += next(costs)

        calls = {name: functools.partial(call, name, itertools.cycle(x)) for name, x in costs.items()}
        with unittest.mock.patch.object(timing, "time", clock):
            figures = timing.interleave(calls, budget, settle=0.01)
        self.clock = clock
        return figures, [a for a, b in zip(clock.order, [*clock.order[1:], ""], strict=True) if a != b], clock.slept

    def test_figures_are_microseconds_per_call(self):
        found, _, _ = self.interleave({"a": [2_000], "b": [50_000, 150_000]}, 0.05)
        self.assertEqual((found["a"].best, found["a"].median, found["a"].count), (2.0, 2.0, 500))
        self.assertEqual((found["b"].best, found["b"].median), (100.0, 100.0))

    def test_best_and_median_differ_with_noise(self):
        # A batch is one call, and the untimed call before it consumes every other cost.
        found, _, _ = self.interleave({"a": [50_000_000, 20_000_000, 30_000_000, 20_000_000]}, 0.05)
        self.assertEqual((found["a"].best, found["a"].median), (20.0e3, 20.0e3))
        found, _, _ = self.interleave({"a": [50_000_000, 20_000_000, 30_000_000]}, 0.05)
        self.assertEqual((found["a"].best, found["a"].median), (20.0e3, 30.0e3))

    def test_long_calls_are_timed_with_warm_caches(self):
        # Two calibrations consume the first six costs. Then each turn has eight untimed calls.
        costs = [400_000] * 6 + ([500_000] * 8 + [250_000] * 2) * 60
        found, _, _ = self.interleave({"a": costs}, 0.01)
        self.assertEqual((found["a"].best, found["a"].median, found["a"].count), (250.0, 250.0, 2))

    def test_one_long_call_warms_up_all_engines(self):
        _, turns, _ = self.interleave({"a": [20_000], "b": [40_000]}, 0.005)
        self.assertGreater(turns.count("a"), 0)
        calls = self.clock.order.count("a")
        self.assertGreater(calls, 5 * (timing.WARM_UP * 1e9 + timing.BATCH * 1e9) / 20_000)

    def test_rounds_rotate_and_slow_engines_stop_early(self):
        found, turns, slept = self.interleave({"a": [1_000], "b": [1_000], "slow": [10_000_000]}, 0.021)
        self.assertEqual((found["a"].rounds, found["slow"].rounds), (21, 7))
        # After the calibration, each round starts with the next engine.
        self.assertEqual(turns[2:12], ["slow", "a", "b", "slow", "b", "slow", "a", "slow", "a", "b"])
        self.assertEqual(slept, 49)

    def test_the_garbage_collector_is_enabled_again(self):
        with timing.no_gc():
            self.assertFalse(gc.isenabled())
        self.assertTrue(gc.isenabled())


class Overhead(unittest.TestCase):
    def run_quietly(self, ours, theirs):
        with contextlib.redirect_stdout(io.StringIO()) as text:
            ok = overhead.run(ours, theirs, rounds=3)
        return ok, text.getvalue()

    def test_a_slower_call_misses_the_bar(self):
        def slow(x, y, out):
            return np.add(np.add(x, y), 0, out=out)

        ok, text = self.run_quietly(slow, np.add)
        self.assertFalse(ok, text)
        ok, text = self.run_quietly(np.add, slow)
        self.assertTrue(ok, text)

    def test_a_wrong_sum_is_an_error(self):
        with self.assertRaises(AssertionError):
            self.run_quietly(np.subtract, np.add)


class Missing(unittest.TestCase):
    def test_missing_operators_are_reported(self):
        fake = types.ModuleType("eltwise")
        fake.add = np.add
        fake.set_num_threads = lambda n: None
        fake.isa = lambda: "scalar"
        adapter = f"{engines.__name__}.eltwise"
        with unittest.mock.patch.dict(sys.modules, {"eltwise": fake}):
            sys.modules.pop(adapter, None)
            engine = importlib.import_module(adapter).Adapter(engines.Settings())
            self.assertEqual(engine.missing(build(support.case("sqrt(a)", 1))), "sqrt")
            problem = build(support.case())
            self.assertIsNone(engine.missing(problem))
            np.testing.assert_array_equal(engine.prepare(problem).result(), np.add(*problem.arrays))


if __name__ == "__main__":
    unittest.main()
