"""Runs one case: prepares and checks every engine, then times those with the right result in turn."""

from dataclasses import dataclass, field

import numpy as np

from . import check, timing
from .case import Case, build
from .engines import Engine, Unsupported
from .timing import Figures

OURS = "eltwise"


@dataclass
class Row:
    """A line of the table."""

    case: Case
    elements: int
    nbytes: int
    figures: dict[str, Figures] = field(default_factory=dict)
    ulp: dict[str, float] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    missing: str | None = None

    @property
    def best_peer(self) -> str | None:
        """The fastest engine that is not ours."""
        peers = {name: x.best for name, x in self.figures.items() if name != OURS}
        return min(peers, key=peers.get) if peers else None

    @property
    def ratio(self) -> float | None:
        """Our best time over the best peer's; below 1, ours is faster."""
        peer = self.best_peer
        if peer is None or OURS not in self.figures:
            return None
        return self.figures[OURS].best / self.figures[peer].best

    @property
    def median_ratio(self) -> float | None:
        """Our median over the best peer's."""
        peer = self.best_peer
        if peer is None or OURS not in self.figures:
            return None
        return self.figures[OURS].median / self.figures[peer].median

    @property
    def bandwidth(self) -> float | None:
        """GB/s of operands and result, of eltwise, or of the best peer without a figure of eltwise."""
        name = OURS if OURS in self.figures else self.best_peer
        return self.nbytes / self.figures[name].best / 1e3 if name else None

    def merge(self, other: "Row"):
        """Adds the samples of another run of the same case."""
        for name, figures in other.figures.items():
            if name in self.figures:
                self.figures[name].samples += figures.samples
            else:
                self.figures[name] = figures
        self.wrong |= other.wrong
        for name in self.wrong:
            self.figures.pop(name, None)


def run(case: Case, engines: list[Engine], budget: float, settle: float = 0.0) -> Row:
    """Checks and times a case. An engine with a wrong result is listed in `Row.wrong` and not timed."""
    problem = build(case)
    reference = check.reference(problem)
    row = Row(case, problem.elements, problem.nbytes)
    calls = {}
    with np.errstate(all="ignore"):
        for engine in engines:
            missing = engine.missing(problem)
            if missing:
                row.missing = missing
                row.skipped[engine.name] = f"no {missing}"
                continue
            poison(problem.out)
            try:
                prepared = engine.prepare(problem)
                poison(problem.out)
                row.ulp[engine.name] = check.compare(prepared.result(), reference)
            except Unsupported as error:
                row.skipped[engine.name] = str(error)
                continue
            except check.WrongResult as error:
                row.wrong[engine.name] = str(error)
                continue
            except Exception as error:  # the failure of one engine does not end the run
                # A failure of eltwise is an error; a peer that fails does not support the case.
                target = row.wrong if engine.name == OURS else row.skipped
                target[engine.name] = f"{type(error).__name__}: {str(error).strip()}"
                continue
            calls[engine.name] = prepared.call
        del reference
        if calls and budget > 0:
            row.figures = timing.interleave(calls, budget, settle)
    return row


def poison(out: np.ndarray | None):
    """Overwrites the result array, so that the result of an earlier call cannot pass the check."""
    if out is not None:
        out.reshape(-1).view(np.uint8)[...] = 0xA5
