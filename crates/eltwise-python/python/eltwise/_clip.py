"""`clip`, with NumPy's and the array API's optional bounds."""

from . import _eltwise


def clip(x, min=None, max=None, out=None, broadcast="numpy", accuracy="fast"):
    """Clamps x to [min, max]; None is no bound. See `eltwise.clamp`, `eltwise.maximum` and `eltwise.minimum`."""
    if min is not None and max is not None:
        return _eltwise.clamp(x, min, max, out=out, broadcast=broadcast, accuracy=accuracy)
    if min is not None:
        return _eltwise.maximum(x, min, out=out, broadcast=broadcast, accuracy=accuracy)
    if max is not None:
        return _eltwise.minimum(x, max, out=out, broadcast=broadcast, accuracy=accuracy)
    return _eltwise.copy(x, out=out)
