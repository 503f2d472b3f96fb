"""Calls as users write them. mypy and pyright check their types; `test_recipes.py` runs them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import eltwise


def images(image: NDArray[np.uint8]) -> NDArray[Any]:
    """Normalise an image by the mean and the standard deviation of each channel, as f16."""
    normalise = eltwise.compile("(cast(image, float32) - mean) / std", ["image", "mean", "std"])
    mean, std = np.array([123.0, 117.0, 104.0], "f4"), np.array([58.0, 57.0, 57.0], "f4")
    normalised: NDArray[np.float32] = normalise(image, mean=mean, std=std)
    return eltwise.cast(normalised, "float16")


def haversine(latitude: NDArray[np.float64], longitude: NDArray[np.float64]) -> NDArray[Any]:
    """Great-circle distances in km from the first place to every place, given in degrees."""
    distance = eltwise.compile(
        """
        p = deg2rad(a); q = deg2rad(c);                             # latitudes
        h = square(sin((q - p) / 2)) + cos(p) * cos(q) * square(sin(deg2rad(d - b) / 2));
        12742 * asin(sqrt(h))
        """,
        ["a", "b", "c", "d"],
    )
    result: NDArray[np.float64] = distance(latitude[0], longitude[0], latitude, longitude)
    return result


def columns(table: NDArray[np.float32]) -> NDArray[Any]:
    """Clip every column of a table, and take the logarithm where it is positive, in place."""
    eltwise.clip(table, a_min=-10, a_max=10, out=table)
    return eltwise.log(table, out=table, where=table > 0)


def parts(x: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The sine and the cosine of the fractions of numbers, in one pass."""
    fraction, _ = eltwise.modf(x)
    both: tuple[NDArray[Any], NDArray[Any]] = eltwise.compile("sin(x); cos(x)")(fraction)
    return both


def evaluated(x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[Any]:
    """An expression over the variables of this function."""
    result: NDArray[np.float32] = eltwise.evaluate("(0.5 - x)**2 + 0.8*(y - x**2)**2")
    return result


def settings() -> str:
    """The instruction set and the number of threads."""
    with eltwise.isa("scalar"):
        lowest = eltwise.isa()
    eltwise.set_num_threads(2)
    return f"{lowest}, {eltwise.get_num_threads()} threads, {len(eltwise.operators())} operators on {eltwise.isas()}"
