#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the table of docs/silicon.md: predicted against measured cycles, fitted and held-out values in two colours, a band of ten percent.

    build/tessera bench --silicon --json --filter "^[^ND]" | bench/silicon/plot.py docs/silicon.png

Values that are a quarter off have the names of their rows. Of a chip's two states both are drawn if Tessera predicts both, else the one
that is nearer to the prediction.
"""

import json
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import ScalarFormatter  # noqa: E402

BAND = 0.10
NAMED = 0.25  # a value that is further off has its name
NEAR = 0.05  # places of which one has the names of both
SERIES = ((False, "fitted", "#2a78d6", "o"), (True, "held out", "#d9601a", "D"))
INK, MUTED = "#222222", "#777777"


def points_of(row):
    """Measured and predicted cycles: of both states of a chip if both are predicted, else of the state that is nearer to the prediction."""
    predicted = row["predicted"]
    if row["other"] and row["predicted_other"]:
        return [(row["published"], predicted), (row["other"], row["predicted_other"])]
    values = [row["published"]] + ([row["other"]] if row["other"] else [])
    return [(min(values, key=lambda value: abs(predicted / value - 1)), predicted)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows = [row for row in json.load(sys.stdin)["rows"] if not row["error"]]
    figure, axes = pyplot.subplots(figsize=(7.2, 6.4), dpi=110)
    least = 0.8 * min(min(point) for row in rows for point in points_of(row))
    most = 1.25 * max(max(point) for row in rows for point in points_of(row))
    line = [least, most]
    axes.fill_between(line, [(1 - BAND) * x for x in line], [(1 + BAND) * x for x in line], color="#e4e4e0", linewidth=0,
                      label="within 10 %")
    axes.plot(line, line, color=MUTED, linewidth=0.8)
    outside = []  # places, with the rows there
    for held_out, name, colour, marker in SERIES:
        of = [row for row in rows if row["held_out"] == held_out]
        places = [(row["row"], point) for row in of for point in points_of(row)]
        axes.scatter([x for _, (x, _) in places], [y for _, (_, y) in places], s=26, marker=marker, color=colour,
                     edgecolor="white", linewidth=0.6, label=f"{name} ({len(of)})", zorder=3)
        for row, place in places:
            if abs(place[1] / place[0] - 1) > NAMED:
                near = [names for at, names in outside if abs(at[0] / place[0] - 1) < NEAR and abs(at[1] / place[1] - 1) < NEAR]
                if not near:
                    outside.append((place, {row}))
                for names in near:
                    names.add(row)
    for (x, y), names in outside:
        low = y < x
        axes.annotate(", ".join(sorted(names)), (x, y), xytext=(6 if low else -6, -2), textcoords="offset points", ha="left" if low else "right",
                      va="center", fontsize=9, color=INK)
    for axis, label in ((axes.xaxis, "cycles measured on a chip"), (axes.yaxis, "cycles predicted by Tessera")):
        axis.set_label_text(label, color=INK)
    axes.set(xscale="log", yscale="log", xlim=line, ylim=line, aspect="equal")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(ScalarFormatter())
        axis.set_ticks([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000])
        axis.set_minor_formatter("")
    axes.tick_params(which="both", colors=MUTED, labelcolor=INK)
    axes.grid(True, color="#eeeeee", linewidth=0.7)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(MUTED)
    axes.legend(loc="upper left", frameon=False, labelcolor=INK)
    figure.savefig(sys.argv[1], bbox_inches="tight", metadata={"Software": None})


main()
