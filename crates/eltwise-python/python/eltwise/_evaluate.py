"""`evaluate`, which takes the operands of an expression from the caller's variables."""

import functools
import re
import sys

from . import _eltwise

#: Names of the frames of comprehensions, before Python 3.12.
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
#: Constants of texts, comments, and parts that are named.
_CONSTANTS = re.compile(r"(?<![\w.])(?:e|pi|inf|nan|largest|true|false)\b(?!\s*\()")
_COMMENT = re.compile(r"#.*")
_PART = re.compile(r"(\w+)\s*=(?!=)")


@functools.lru_cache(maxsize=256)
def _compiled(text, accuracy, contract, shadowed):
    """A compiled expression in which the names `shadowed` are parameters, not constants."""
    function = _eltwise.compile(text, accuracy=accuracy, contract=contract)
    if not shadowed:
        return function
    return _eltwise.compile(text, [*function.inputs, *shadowed], accuracy=accuracy, contract=contract)


def _scopes(frame):
    """The variables of a caller: of comprehensions, local and global ones."""
    scopes = []
    # A comprehension has a separate frame; names are mostly those of the function around it.
    while frame.f_code.co_name in _COMPREHENSIONS and frame.f_back is not None:
        scopes.append(frame.f_locals)
        frame = frame.f_back
    return [*scopes, frame.f_locals, frame.f_globals]


def _shadowed(text, scopes):
    """The names of constants in a text that are variables with numbers or arrays."""
    text = _COMMENT.sub("", text if isinstance(text, str) else ";".join(text))
    found = dict.fromkeys(_CONSTANTS.findall(text))
    if not found:
        return ()
    parts = _PART.findall(text)
    values = {name: next((scope[name] for scope in scopes if name in scope), None) for name in found if name not in parts}
    return tuple(name for name, value in values.items() if isinstance(value, _NUMBERS) or hasattr(value, "__array__"))


#: What may be an operand, besides arrays.
_NUMBERS = (bool, int, float, list)


def evaluate(text, variables=None, out=None, *, where=True, accuracy=None, contract=False, progress=None):
    """Compute an expression over the caller's variables, such as `eltwise.evaluate("a * b + c")`.

    The text is compiled once, and kept for the next calls. `eltwise.compile` describes it.

    Parameters
    ----------
    text : str or sequence of str
        The expression, or several. Its names are variables of the caller: local ones, then global ones. Variables of a
        function around the caller need `variables`. A variable with the name of a constant, such as `e`, is used instead of it.
    variables : mapping of str to array_like, optional
        Where to look names up instead of the local variables: a dict, a DataFrame.
    out : numpy.ndarray or tuple, optional
        The array to write; for several expressions a tuple of arrays or None.
    where : array_like of bool, optional
        The elements to compute, as for a compiled function.
    accuracy : {"fast", "correct"}, optional
        See `eltwise.compile`.
    contract : bool
        See `eltwise.compile`.
    progress : callable or bool, optional
        See `eltwise.Compiled`.

    Returns
    -------
    numpy.ndarray or NumPy scalar, or a tuple of them
        As a call of `eltwise.compile(text)`.

    Raises
    ------
    NameError
        A name that is not a variable.
    TypeError, ValueError, OverflowError
        See `eltwise.compile` and the call of its result.

    Examples
    --------
    >>> a, b = np.arange(3.0), 2.0
    >>> eltwise.evaluate("a**2 + b")
    array([2., 3., 6.])
    """
    text = text if isinstance(text, str) else tuple(text)
    scopes = _scopes(sys._getframe(1))
    if variables is not None:
        scopes = [variables, scopes[-1]]
    function = _compiled(text, accuracy, contract, _shadowed(text, scopes))
    operands = []
    for name in function.inputs:
        scope = next((scope for scope in scopes if name in scope), None)
        if scope is None:
            raise NameError(f"evaluate(): {text!r} has the name {name!r}, which is not a variable of the caller; pass it in variables")
        operands.append(scope[name])
    options = {} if where is True else {"where": where}
    options.update((name, value) for name, value in [("out", out), ("progress", progress)] if value is not None)
    return function(*operands, **options)
