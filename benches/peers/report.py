"""What stands below the table: what eltwise lacks, where a peer is faster, what was wrong."""

from .measure import OURS, Row
from .table import markdown_row, number

# A bar row above this is more than noise.
NOISE = 1.05


def missing(rows: list[Row]) -> dict[str, int]:
    """Operators that eltwise does not have, and how many rows wait for each."""
    found: dict[str, int] = {}
    for row in rows:
        if row.missing:
            found[row.missing] = found.get(row.missing, 0) + 1
    return found


def behind(rows: list[Row]) -> list[Row]:
    """Rows where a peer is faster, the worst first."""
    return sorted((row for row in rows if (row.ratio or 0) > 1), key=lambda row: -row.ratio)


def without_column(rows: list[Row]) -> list[tuple[Row, str]]:
    """Rows with an engine's figure but none of ours, and why."""
    found = []
    for row in rows:
        if OURS not in row.figures and row.figures:
            found.append((row, row.wrong.get(OURS) or row.skipped.get(OURS) or "not loaded"))
    return found


def bar(rows: list[Row]) -> tuple[int, list[Row]]:
    """How many bar rows were compared, and those where a peer is faster by more than the noise."""
    compared = [row for row in rows if row.case.bar and row.ratio is not None]
    return len(compared), [row for row in behind(compared) if row.ratio > NOISE]


def wrong(rows: list[Row]) -> dict[str, list[Row]]:
    """The rows of each engine whose result is not NumPy's."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        for engine in row.wrong:
            found.setdefault(engine, []).append(row)
    return found


def markdown(rows: list[Row]) -> str:
    """The closing lists; also what is printed on the screen."""
    lines: list[str] = []
    ours = [row for row in rows if row.ratio is not None]
    if ours:
        lines += _bar(*bar(rows))
        lines += ["## Where a peer is faster", ""]
        lines += _behind(behind(rows)) or ["Nowhere."]
    absent = missing(rows)
    if absent:
        lines += ["", "## Operators that eltwise does not have yet", ""]
        lines.append(", ".join(f"{op} ({n} row{'s' * (n > 1)})" for op, n in sorted(absent.items())))
    other = [(row, why) for row, why in without_column(rows) if not row.missing and why != "not loaded"]
    if other:
        lines += ["", "## Other rows without our figure", ""]
        lines += [f"* {row.case.group} {row.case.name}: {why}" for row, why in other]
    mistakes = wrong(rows)
    if mistakes:
        lines += ["", "## Results that are not NumPy's", ""]
        for engine, those in mistakes.items():
            names = ", ".join(f"{row.case.group} {row.case.name}" for row in those)
            count = f"{len(those)} row{'s' * (len(those) > 1)}"
            lines.append(f"* {engine}, {count}: {names}. The first: {those[0].wrong[engine]}")
    return "\n".join(lines) + "\n" if lines else ""


def _bar(count: int, lost: list[Row]) -> list[str]:
    if not count:
        return []
    held = f"{count - len(lost)} of {count} at or ahead of the best peer (ours/best at most {NOISE})"
    return ["## The bar", "", f"Contiguous, broadcast and cast rows over float32 from 1024 elements: {held}.", ""]


def _behind(rows: list[Row]) -> list[str]:
    if not rows:
        return []
    lines = [markdown_row(["case", "bar", "ours", "best peer", "", "ours/best", "medians"])]
    lines.append("|---|---|---:|---:|---|---:|---:|")
    for row in rows:
        peer = row.best_peer
        lines.append(
            markdown_row(
                [
                    f"{row.case.group} {row.case.name}",
                    "bar" if row.case.bar else "",
                    number(row.figures[OURS].best),
                    number(row.figures[peer].best),
                    peer,
                    f"{row.ratio:.2f}",
                    f"{row.median_ratio:.2f}",
                ]
            )
        )
    return lines
