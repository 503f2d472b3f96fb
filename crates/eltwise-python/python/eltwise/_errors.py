"""Errors of functions that call functions of the compiled module."""

import re


def renamed(error, name, others, parameters=()):
    """The error with the public name of a function, and of its parameters, in place of the names of the functions that it calls.

    `parameters` are pairs of a name in the message and the public name.
    """
    if type(error) not in (TypeError, ValueError, OverflowError) or len(error.args) != 1:
        return error
    begin, end, rest = str(error.args[0]).partition("): ")
    begin = re.sub(rf"^({'|'.join(others)})\b", name, begin)
    for given, public in parameters:
        begin = re.sub(rf"\b{given}(?=[:,])", public, begin)
    rest = re.sub(rf"^({'|'.join(others)})\b(?= does not take)", name, rest)
    return type(error)(begin + end + rest).with_traceback(error.__traceback__)
