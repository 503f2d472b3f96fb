"""Figures as text."""


def line(row: dict) -> str:
    """A row while the program runs."""
    return (
        f"{row['model']:20} {row['threads']} threads  ratio {row['ratio']:.3f} (bar {row['bar']:.2f})  CPU {row['cpu_ms']:8.2f} ms  "
        f"claimed {row['claimed']}/{row['nodes']} in {row['groups']}  share {row['share']:.2f}  "
        f"elementwise {row['elementwise_ratio']:.2f}  creation {row['creation']:.2f}  difference {row['error']:.2g} tolerances"
        + (f"  memory {row['memory']:.2f}" if "memory" in row else "")
    )


def table(rows: list[dict]) -> str:
    """The rows as a table of Markdown."""
    columns = ["model", "threads", "CPU provider", "ratio", "elementwise share", "elementwise ratio", "nodes claimed", "groups"]
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    for row in rows:
        cells = [
            row["model"], row["threads"], f"{row['cpu_ms']:.2f} ms", f"{row['ratio']:.2f}", f"{row['share']:.0%}",
            f"{row['elementwise_ratio']:.2f}", f"{row['claimed']} of {row['nodes']}", row["groups"],
        ]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)
