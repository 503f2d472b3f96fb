"""The summary below the table: cases with a faster peer, operators that eltwise lacks, wrong results."""

from .measure import OURS, Row
from .table import markdown_row, number

# Ratios up to this are noise.
NOISE = 1.05


def missing(rows: list[Row]) -> dict[str, int]:
    """Operators that eltwise does not have, with the number of rows for each."""
    found: dict[str, int] = {}
    for row in rows:
        if row.missing:
            found[row.missing] = found.get(row.missing, 0) + 1
    return found


def behind(rows: list[Row]) -> list[Row]:
    """Rows with a faster peer, largest ratio first."""
    return sorted((row for row in rows if (row.ratio or 0) > 1), key=lambda row: -row.ratio)


def without_column(rows: list[Row]) -> list[tuple[Row, str]]:
    """Rows with a figure of a peer but none of eltwise, and the reason."""
    found = []
    for row in rows:
        if OURS not in row.figures and row.figures:
            found.append((row, row.wrong.get(OURS) or row.skipped.get(OURS) or "not loaded"))
    return found


def bar(rows: list[Row]) -> tuple[int, list[Row]]:
    """The number of rows of the release bar, and those with a peer that is faster by more than the noise."""
    compared = [row for row in rows if row.case.bar and row.ratio is not None]
    return len(compared), [row for row in behind(compared) if row.ratio > NOISE]


def wrong(rows: list[Row]) -> dict[str, list[Row]]:
    """The rows with a wrong result, by engine."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        for engine in row.wrong:
            found.setdefault(engine, []).append(row)
    return found


def markdown(rows: list[Row]) -> str:
    """The summary as Markdown, which is also printed."""
    lines: list[str] = []
    ours = [row for row in rows if row.ratio is not None]
    if ours:
        lines += _bar(*bar(rows))
        lines += ["## Cases with a faster peer", ""]
        lines += _behind(behind(rows)) or ["None."]
    absent = missing(rows)
    if absent:
        lines += ["", "## Operators missing in eltwise", ""]
        lines.append(", ".join(f"{op} ({n} row{'s' * (n > 1)})" for op, n in sorted(absent.items())))
    other = [(row, why) for row, why in without_column(rows) if not row.missing and why != "not loaded"]
    if other:
        lines += ["", "## Other cases without a figure of eltwise", ""]
        lines += [f"* {row.case.group} {row.case.name}: {why}" for row, why in other]
    mistakes = wrong(rows)
    if mistakes:
        lines += ["", "## Wrong results", ""]
        for engine, those in mistakes.items():
            names = ", ".join(f"{row.case.group} {row.case.name}" for row in those)
            count = f"{len(those)} row{'s' * (len(those) > 1)}"
            lines.append(f"* {engine}, {count}: {names}. The first: {those[0].wrong[engine]}")
    return "\n".join(lines) + "\n" if lines else ""


def _bar(count: int, lost: list[Row]) -> list[str]:
    if not count:
        return []
    passed = f"{count - len(lost)} of {count} are not slower than the best peer (ours/best at most {NOISE})"
    text = f"Contiguous, broadcast and cast cases over float32 from 1024 elements: {passed}."
    return ["## Release bar", "", text, ""]


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
