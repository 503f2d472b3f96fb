"""`evaluate`, which takes the operands of an expression from the caller's variables."""

import functools
import sys

from . import _eltwise

#: Names of the frames of comprehensions, before Python 3.12.
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
#: Compiled expressions by text and options.
_compiled = functools.lru_cache(maxsize=256)(_eltwise.compile)


def evaluate(text, local_dict=None, global_dict=None, out=None, *, where=True, progress=None, **options):
    """Compute an expression over the caller's variables, such as `eltwise.evaluate("a * b + c")`.

    The text is compiled once, and kept for the next calls. `eltwise.compile` describes it.

    Parameters
    ----------
    text : str or sequence of str
        The expression, or several. Its names are variables of the caller: local ones, then global ones. Variables of a
        function around the caller need `local_dict`.
    local_dict, global_dict : mapping of str to array_like, optional
        Where to look names up instead.
    out : numpy.ndarray or tuple, optional
        The array to write; for several expressions a tuple of arrays or None.
    where : array_like of bool, optional
        The elements to compute, as for a compiled function.
    progress : callable or bool, optional
        A function of the share that is done, as for a compiled function. True shows a bar.
    **options
        accuracy, contract: see `eltwise.compile`.

    Returns
    -------
    numpy.ndarray or NumPy scalar, or a tuple of them
        As a call of `eltwise.compile(text)`.

    Raises
    ------
    NameError
        A name that is no variable.
    TypeError, ValueError, OverflowError
        See `eltwise.compile` and the call of its result.

    Examples
    --------
    >>> a, b = np.arange(3.0), 2.0
    >>> eltwise.evaluate("a**2 + b")
    array([2., 3., 6.])
    """
    text = text if isinstance(text, str) else tuple(text)
    function = _compiled(text, **options)
    inner = {}
    if local_dict is None or global_dict is None:
        frame = sys._getframe(1)
        # A comprehension has a separate frame; names are mostly those of the function around it.
        while frame.f_code.co_name in _COMPREHENSIONS and frame.f_back is not None:
            inner, frame = {**inner, **frame.f_locals}, frame.f_back
        local_dict = {**frame.f_locals, **inner} if local_dict is None else local_dict
        global_dict = frame.f_globals if global_dict is None else global_dict
    operands = []
    for name in function.inputs:
        if name in local_dict:
            operands.append(local_dict[name])
        elif name in global_dict:
            operands.append(global_dict[name])
        else:
            raise NameError(f"evaluate(): {text!r} has the name {name!r}, which is no variable of the caller; pass it in local_dict")
    given = {"where": where, "out": out, "progress": progress}
    default = {"where": True, "out": None, "progress": None}
    return function(*operands, **{name: value for name, value in given.items() if value is not default[name]})
