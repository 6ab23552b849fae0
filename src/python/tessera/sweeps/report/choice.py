# SPDX-License-Identifier: Apache-2.0
"""Which columns the pictures begin with: [report] of the sweep file, or else what there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tessera.sweeps.refusal import nearest, refuse
from tessera.sweeps.report.profile import Profile
from tessera.sweeps.specification import Specification
from tessera.sweeps.store import Results

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


def choose(results: Results, profiles: Mapping[str, Profile]) -> Choice:
    """The columns of a results file, by the profiles of axes, measures and seconds.

    Raises Error 'sweep.report' if [report] names a column in which no run has a number.
    """
    wanted = results.specification.get("report", {})
    known = [name for name in [*results.axes, *results.measures, "seconds"] if profiles[name].is_numeric]
    for key in ("error", "cost"):
        name = wanted.get(key)
        if name and name not in known:
            refuse("sweep.report", f"[report] {key} = '{name}': no run has such a number{nearest(name, known) or '; there are ' + ', '.join(known)}")
    cost = wanted.get("cost") or next((name for name in COSTS if name in known), "")
    own = [name for name in results.measures if name in known and name != cost]
    error = wanted.get("error") or next((name for name in ERRORS if name in own), own[0] if own else "")
    several = [name for name in results.axes if profiles[name].varies]
    heat = wanted.get("heat") or (several if len(several) >= 2 else ["", ""])
    return Choice(error, cost, (heat[0], heat[1]))
