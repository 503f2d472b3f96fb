"""The rows as text, Markdown and JSON."""

from .measure import Row

HEAD = ["case", "best peer", "ours/best", "GB/s"]


def number(us: float) -> str:
    """Microseconds with about three significant digits: 0.042, 1.23, 45.6, 789."""
    if us < 1:
        return f"{us:.3f}"
    if us < 10:
        return f"{us:.2f}"
    return f"{us:.1f}" if us < 100 else f"{us:.0f}"


def columns(engines: list[str]) -> list[str]:
    return [HEAD[0], *engines, *HEAD[1:]]


def cells(row: Row, engines: list[str]) -> list[str]:
    """The cells of a row: name, microseconds of each engine, best peer, ratio, GB/s."""
    return [row.case.name, *(cell(row, e) for e in engines), row.best_peer or "-", ratio(row.ratio), gbs(row.bandwidth)]


def cell(row: Row, engine: str) -> str:
    if engine in row.figures:
        return number(row.figures[engine].best)
    return "wrong" if engine in row.wrong else "-"


def ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def gbs(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def text_line(values: list[str]) -> str:
    """A line of text: the case left-aligned, figures right-aligned."""
    return f"{values[0]:<58}" + "".join(f"{v:>10}" for v in values[1:])


def text_head(engines: list[str]) -> str:
    return text_line(columns(engines))


def text_row(row: Row, engines: list[str]) -> str:
    return text_line(cells(row, engines))


def markdown_row(values: list[str]) -> str:
    return "| " + " | ".join(v.replace("|", "\\|") for v in values) + " |"


def markdown(header: dict[str, str], versions: dict[str, str], rows: list[Row], engines: list[str]) -> str:
    """Header and one table per group, without the summary."""
    lines = ["Microseconds per call, best batch; `-`: not supported; `wrong`: differs from NumPy's result, not timed."]
    lines += ["", markdown_row(["", ""]), "|---|---|"]
    lines += [markdown_row([title, value]) for title, value in {**header, **versions}.items()]
    group = None
    for row in rows:
        if row.case.group != group:
            group = row.case.group
            lines += ["", f"## {group.capitalize()}", "", markdown_row(columns(engines))]
            lines.append("|---|" + "---:|" * len(engines) + "---|---:|---:|")
        lines.append(markdown_row(cells(row, engines)))
    return "\n".join(lines) + "\n"


def json_row(row: Row) -> dict:
    """All data of a row."""
    return {
        "group": row.case.group,
        "case": row.case.name,
        "expression": row.case.expression,
        "inputs": [_input(x) for x in row.case.inputs],
        "out": row.case.out,
        "bar": row.case.bar,
        "elements": row.elements,
        "bytes": row.nbytes,
        "us": {name: _figures(x) for name, x in row.figures.items()},
        "ulp": row.ulp,
        "best_peer": row.best_peer,
        "ours_over_best": row.ratio,
        "skipped": row.skipped,
        "wrong": row.wrong,
        "missing": row.missing,
    }


def _figures(x) -> dict:
    return {"best": x.best, "median": x.median, "rounds": x.rounds, "calls_a_round": x.count}


def _input(data) -> dict:
    return {"shape": list(data.shape), "dtype": data.dtype, "values": data.values, "view": repr(data.view or "dense")}
