"""Errors of functions that call others: the message has the name that the caller used."""

import re


def renamed(error, name, others):
    """The error with `name` in place of the names of other functions, which a call begins or an operator has."""
    if type(error) not in (TypeError, ValueError, OverflowError):
        return error
    pattern = rf"\b({'|'.join(others)})\b(?=\(| does not take| takes )"
    return type(error)(re.sub(pattern, name, str(error)))
