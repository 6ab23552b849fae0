# SPDX-License-Identifier: Apache-2.0
"""The scatter picture with its Pareto front, and the heat map, as one file of matplotlib."""

from __future__ import annotations

from importlib import import_module
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tessera.sweeps.packages import require
from tessera.sweeps.report.choice import Choice, choose
from tessera.sweeps.report.columns import Column, read_columns
from tessera.sweeps.report.profile import profile
from tessera.sweeps.store import Results, reading
from tessera.sweeps.summary import pareto, text_of

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c", "#a08c00")  # Okabe and Ito
MARKS = "os^DvPX*"
MOST_CELLS = 60  # of an axis; a longer one gets no heat map
MOST_DRAWN = 20_000  # points as vectors; more are drawn as one image within the SVG
MOST_OF_A_LABEL = 40  # characters
SPREAD = 50  # a scale is logarithmic if its values are positive and this far apart


def _label(text: str) -> str:
    """A text that matplotlib shows as it is: it takes $ for mathematics, and leaves out labels that begin with _."""
    shown = text if len(text) <= MOST_OF_A_LABEL else text[:MOST_OF_A_LABEL - 1] + "…"
    return (" " if shown.startswith("_") else "") + shown.replace("$", r"\$")


def _groups(column: Column) -> tuple[list[str], NDArray[Any]]:
    """The values of a column as texts, and the place of each row's among them; -1: unknown."""
    if column.texts is not None:
        return column.texts, column.values.astype(np.int64)
    known = np.isfinite(column.values)
    values, places = np.unique(column.values[known], return_inverse=True)
    of_rows = np.full(len(column.values), -1)
    of_rows[known] = places
    return [f"{value:g}" for value in values], of_rows


def _scale(values: NDArray[Any]) -> str:
    known = values[np.isfinite(values)]
    return "log" if len(known) and known.min() > 0 and known.max() > SPREAD * known.min() else "linear"


def _scatter(plot: Any, results: Results, choice: Choice, columns: dict[str, Column]) -> None:
    x, y = columns[choice.cost].values, columns[choice.error].values
    shown = np.isfinite(x) & np.isfinite(y)
    many = int(shown.sum()) > MOST_DRAWN
    labels, of_rows = _groups(columns[choice.heat[1]]) if choice.heat[1] else ([""], np.zeros(len(x), np.int64))
    if len(labels) <= len(COLOURS):
        for place, label in enumerate(labels):
            rows = shown & (of_rows == place)
            plot.scatter(x[rows], y[rows], s=4 if many else 28, c=COLOURS[place], marker=MARKS[place], linewidths=0, label=_label(label), rasterized=many)
        if len(labels) > 1:
            plot.legend(title=_label(choice.heat[1]), fontsize="small")
    else:
        plot.scatter(x[shown], y[shown], s=4 if many else 28, c=of_rows[shown], cmap="cividis", linewidths=0, rasterized=many)
    front = pareto(results, choice.cost, choice.error)
    plot.plot([row[choice.cost] for row in front], [row[choice.error] for row in front], "k--", drawstyle="steps-post", linewidth=1,
              gid="pareto-front")
    plot.set(xlabel=_label(choice.cost), ylabel=_label(choice.error), xscale=_scale(x), yscale=_scale(y), title="dashed: the Pareto front")


def heat_cells(columns: dict[str, Column], choice: Choice) -> tuple[list[str], list[str], NDArray[np.float64]]:
    """Labels of rows, labels of columns, and the mean of the error of each cell, NaN where no run has it."""
    rows, of_rows = _groups(columns[choice.heat[0]])
    across, of_columns = _groups(columns[choice.heat[1]])
    values = columns[choice.error].values
    known = ~np.isnan(values) & (of_rows >= 0) & (of_columns >= 0)
    places = of_rows[known] * len(across) + of_columns[known]
    counts = np.bincount(places, minlength=len(rows) * len(across))
    sums = np.bincount(places, values[known], len(rows) * len(across))
    cells = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)
    return rows, across, cells.reshape(len(rows), len(across))


def _heat(figure: Any, plot: Any, choice: Choice, columns: dict[str, Column]) -> None:
    rows, across, cells = heat_cells(columns, choice)
    if max(len(rows), len(across)) > MOST_CELLS:
        plot.text(0.5, 0.5, f"no heat map: an axis has more than {MOST_CELLS} values", ha="center", transform=plot.transAxes)
        plot.set_axis_off()
        return
    image = plot.imshow(cells, cmap="cividis", aspect="auto")
    figure.colorbar(image, ax=plot)
    plot.set_xticks(range(len(across)), map(_label, across), rotation=30 if len(across) > 5 else 0)
    plot.set_yticks(range(len(rows)), map(_label, rows))
    plot.set(xlabel=_label(choice.heat[1]), ylabel=_label(choice.heat[0]), title=f"mean of {_label(choice.error)}")
    if cells.size <= 100:
        known = cells[np.isfinite(cells)].tolist()
        middle: float = (min(known) + max(known)) / 2 if known else 0.0
        for row, column in np.argwhere(np.isfinite(cells)):
            value = float(cells[row, column])
            plot.text(column, row, text_of(float(f"{value:.3g}")), ha="center", va="center", color="k" if value > middle else "w",
                      fontsize="small")


def _write(results: Results, file: IO[bytes], form: str) -> None:
    require("matplotlib", f"'{form}'")
    figures = import_module("matplotlib.figure")
    names = ["number", *results.axes, *results.measures, "seconds"]
    with reading(results.path):
        profiles = profile(results, names)
        choice = choose(results, profiles)
        columns = {column.name: column for column in read_columns(
            results, [name for name in dict.fromkeys([choice.cost, choice.error, *choice.heat]) if name], profiles)}
    has_heat, has_points = bool(choice.heat[0] and choice.error), bool(choice.cost and choice.error)
    figure = figures.Figure(figsize=(12 if has_heat else 7, 5), layout="constrained")
    plots = figure.subplots(1, 2 if has_heat else 1, squeeze=False)[0]
    figure.suptitle(_label(results.name))
    if has_points:
        _scatter(plots[0], results, choice, columns)
    else:
        plots[0].text(0.5, 0.5, "no two measures have numbers", ha="center", transform=plots[0].transAxes)
        plots[0].set_axis_off()
    if has_heat:
        _heat(figure, plots[1], choice, columns)
    # The same rows give the same bytes: no date.
    figure.savefig(file, format=form, dpi=150, metadata={"Date": None} if form == "svg" else {})


def write_png(results: Results, file: IO[bytes]) -> None:
    """The picture as PNG. Raises Error 'sweep.package' without matplotlib, 'sweep.report' as the page does."""
    _write(results, file, "png")


def write_svg(results: Results, file: IO[bytes]) -> None:
    """The picture as SVG, with texts as outlines."""
    _write(results, file, "svg")
