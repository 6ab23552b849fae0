# SPDX-License-Identifier: Apache-2.0
"""Which columns the pictures begin with: [report] of the sweep file, or else what there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from tessera.sweeps.measures import OF_RUNS
from tessera.sweeps.refusal import nearest, refuse, shown
from tessera.sweeps.report.profile import Profile, profile
from tessera.sweeps.specification import Specification
from tessera.sweeps.store import Results

ERRORS = ("error_rms", "error_max", "error_ulp")
COSTS = ("cycles", "instructions", "seconds")
COLUMNS = ("error", "cost")


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


def _known_measures(specification: Specification) -> Optional[list[str]]:
    """The measures that runs of a sweep have; None if only its functions know them."""
    if specification.kind == "python" or specification.metrics is not None:
        return None
    errors = ERRORS if specification.kind == "function" or specification.reference is not None else ()
    return [*errors, *(OF_RUNS if specification.kind == "job" else ()), "seconds"]


def _check_column(specification: Specification, key: str, name: str) -> None:
    """Raises Error 'sweep.report' if no run can have a number of that name."""
    measures = _known_measures(specification)
    if measures is None or not name:
        return
    numeric = [axis.name for axis in specification.axes if any(isinstance(point.shown, (int, float)) for point in axis.points)]
    known = [*numeric, *measures]
    if name not in known:
        where = f"{specification.file}: " if specification.file else ""
        hint = "; errors of a job need 'reference'" if name in ERRORS else nearest(name, known) or "; there are " + ", ".join(known)
        refuse("sweep.report", f"{where}[report] {key} = '{name}': no run can have such a number{hint}")


def check_choice(specification: Specification) -> None:
    """Raises Error for a [report] that no results could satisfy: 'sweep.value', 'sweep.report'."""
    where = f"{specification.file}: " if specification.file else ""
    for key in COLUMNS:
        name = specification.report.get(key, "")
        if not isinstance(name, str):
            refuse("sweep.value", f"{where}[report] {key} is the name of a measure or an axis, not {shown(name)}")
        _check_column(specification, key, name)
    heat = specification.report.get("heat", ["", ""])
    are_two = isinstance(heat, (list, tuple)) and len(heat) == 2 and all(isinstance(name, str) for name in heat)
    if not are_two or bool(heat[0]) != bool(heat[1]):
        refuse("sweep.value", f"{where}[report] heat is a list of two axes, not {shown(heat)}")
    axes = [axis.name for axis in specification.axes]
    for name in heat:
        if name and name not in axes:
            refuse("sweep.report", f"{where}[report] heat: no axis is called '{name}'{nearest(name, axes) or '; axes are ' + ', '.join(axes)}")


def _numeric(results: Results, profiles: Mapping[str, Profile]) -> list[str]:
    return [name for name in (*results.axes, *results.measures, "seconds") if profiles[name].is_numeric]


def _check_wanted(results: Results, known: Sequence[str]) -> None:
    for key in COLUMNS:
        name = results.specification.get("report", {}).get(key)
        if name and name not in known and results.counts().get("good"):
            refuse("sweep.report", f"[report] {key} = '{name}': no run has such a number{nearest(name, known) or '; there are ' + ', '.join(known)}")


def check_results(results: Results) -> None:
    """Raises Error 'sweep.report' as choose() does, for sweeps without pictures."""
    if results.specification.get("report", {}).keys() & set(COLUMNS):
        _check_wanted(results, _numeric(results, profile(results, (*results.axes, *results.measures, "seconds"))))


def choose(results: Results, profiles: Mapping[str, Profile]) -> Choice:
    """The columns of a results file, by the profiles of axes, measures and seconds.

    Raises Error 'sweep.report' if [report] names a column in which no run has a number, though some run is good.
    """
    known = _numeric(results, profiles)
    _check_wanted(results, known)
    wanted: dict[str, Any] = {key: value for key, value in results.specification.get("report", {}).items() if key not in COLUMNS or value in known}
    cost = wanted.get("cost", "") or next((name for name in COSTS if name in known), "")
    own = [name for name in results.measures if name in known and name != cost]
    error = wanted.get("error", "") or next((name for name in ERRORS if name in own), own[0] if own else "")
    several = [name for name in results.axes if profiles[name].varies]
    heat = wanted.get("heat") or (several if len(several) >= 2 else ["", ""])
    return Choice(error, cost, (heat[0], heat[1]))
