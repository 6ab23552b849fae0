# SPDX-License-Identifier: Apache-2.0
"""Which columns the pictures begin with: [report] of the sweep file, or else what there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tessera.sweeps.refusal import nearest, refuse
from tessera.sweeps.specification import Specification
from tessera.sweeps.store import Results, quoted

ERRORS = ("error_rms", "error_max", "error_ulp")
COSTS = ("cycles", "instructions", "seconds")


@dataclass(frozen=True)
class Choice:
    """Names of columns; '' if there is none.

    error  upwards in the scatter picture, and the value of the heat map
    cost   to the right in the scatter picture
    heat   the two axes of the heat map: rows, columns; both '' if the sweep has fewer than two axes with several values
    """

    error: str
    cost: str
    heat: tuple[str, str]


def check_choice(specification: Specification) -> None:
    """Raises Error for a [report] that no results could satisfy: 'sweep.value', 'sweep.report'."""
    where = f"{specification.file}: " if specification.file else ""
    for key in ("error", "cost"):
        name = specification.report.get(key, "")
        if not isinstance(name, str):
            refuse("sweep.value", f"{where}[report] {key} is the name of a measure or an axis, not {name!r}")
    heat = specification.report.get("heat", ["", ""])
    if not isinstance(heat, (list, tuple)) or len(heat) != 2 or not all(isinstance(name, str) for name in heat):
        refuse("sweep.value", f"{where}[report] heat is a list of two axes, not {heat!r}")
    axes = [axis.name for axis in specification.axes]
    for name in heat:
        if name and name not in axes:
            refuse("sweep.report", f"{where}[report] heat: no axis is called '{name}'{nearest(name, axes) or '; axes are ' + ', '.join(axes)}")


def numeric(results: Results, names: Sequence[str]) -> list[str]:
    """Of these columns, those with numbers alone, and at least one."""
    if not names:
        return []
    questions = ", ".join(f"count({quoted(name)}) > 0 AND NOT max(typeof({quoted(name)}) IN ('text', 'blob'))" for name in names)
    found = results.connection.execute(f"SELECT {questions} FROM runs WHERE number IS NOT NULL").fetchone()
    return [name for name, good in zip(names, found) if good]


def choose(results: Results) -> Choice:
    """The columns of a results file. Raises Error 'sweep.report' if [report] names a column that no run has a number in."""
    wanted = results.specification.get("report", {})
    known = numeric(results, [*results.axes, *results.measures, "seconds"])
    for key in ("error", "cost"):
        name = wanted.get(key)
        if name and name not in known:
            refuse("sweep.report", f"[report] {key} = '{name}': no run has such a number{nearest(name, known) or '; there are ' + ', '.join(known)}")
    measures = [name for name in known if name in results.measures]
    cost = wanted.get("cost") or next((name for name in COSTS if name in known), "")
    own = [name for name in measures if name != cost]
    error = wanted.get("error") or next((name for name in ERRORS if name in own), own[0] if own else "")
    heat = wanted.get("heat")
    if not heat:
        several = [name for name in results.axes if _several(results, name)]
        heat = several[:2] if len(several) >= 2 else ["", ""]
    return Choice(error, cost, (heat[0], heat[1]))


def _several(results: Results, axis: str) -> bool:
    name = quoted(axis)
    least, most = results.connection.execute(f"SELECT min({name}), max({name}) FROM runs WHERE number IS NOT NULL").fetchone()
    return bool(least != most)
