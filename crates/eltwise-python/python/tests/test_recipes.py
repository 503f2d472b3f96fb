"""The recipes compute what they say."""

import eltwise
import numpy as np
import pytest
from recipes import typed
from support import assert_same

RNG = np.random.default_rng(41)


def test_images_are_normalised():
    image = RNG.integers(0, 256, (20, 30, 3), "u1")
    mean, std = np.array([123, 117, 104], "f4"), np.array([58, 57, 57], "f4")
    assert_same(typed.images(image), ((image.astype("f4") - mean) / std).astype("f2"))


def test_distances_are_great_circles():
    # Berlin; Madrid, 1,869 km from it; the antipode.
    latitude, longitude = np.array([52.52, 40.4168, -52.52]), np.array([13.405, -3.7038, 13.405 - 180])
    assert typed.haversine(latitude, longitude) == pytest.approx([0, 1869, 6371 * np.pi], rel=2e-3)


def test_columns_are_clipped_and_logarithmic():
    table = (RNG.standard_normal((50, 4)) * 20).astype("f4")
    clipped = np.clip(table, -10, 10)
    expected = np.where(clipped > 0, eltwise.log(np.abs(clipped)), clipped)
    assert typed.columns(table) is table
    assert_same(table, expected)


def test_results_are_those_of_the_functions():
    x = RNG.standard_normal(100)
    sine, cosine = typed.parts(x)
    assert_same(sine, eltwise.sin(eltwise.fraction(x)))
    assert_same(cosine, eltwise.cos(eltwise.fraction(x)))
    x, y = RNG.standard_normal((2, 100)).astype("f4")
    assert_same(typed.evaluated(x, y), eltwise.compile("(0.5 - x)**2 + 0.8*(y - x**2)**2")(x, y))
    threads = eltwise.get_num_threads()
    assert typed.settings().startswith("scalar, 2 threads, ")
    eltwise.set_num_threads(threads)
