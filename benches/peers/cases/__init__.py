"""The cases: one module per group, in the order of the table."""

from ..case import Case
from . import broadcast, calls, casts, contiguous, fused, layouts, mathematics, other

GROUPS = (calls, contiguous, broadcast, layouts, casts, mathematics, other, fused)


def everything() -> list[Case]:
    """All cases; no two share a group and a name."""
    return [case for group in GROUPS for case in group.cases()]
