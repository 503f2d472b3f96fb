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
    """The rows as a table of Markdown, a line for each model. All but the ratios are of its first row."""
    models = {}
    for row in rows:
        models.setdefault(row["model"], []).append(row)
    threads = sorted({row["threads"] for row in rows})
    columns = ["model", "CPU provider", *(f"{number} thread{'s' * (number > 1)}" for number in threads)]
    columns += ["elementwise share", "its time", "nodes claimed", "groups", "making a session"]
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    for model, measured in models.items():
        first = measured[0]
        ratios = {row["threads"]: f"{row['ratio']:.2f}" for row in measured}
        cells = [
            model, f"{first['cpu_ms']:.2f} ms", *(ratios.get(number, "") for number in threads), f"{first['share']:.0%}",
            f"{first['elementwise_ratio']:.2f}", f"{first['claimed']} of {first['nodes']}", first["groups"], f"{first['creation']:.2f}",
        ]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)
