# SPDX-License-Identifier: Apache-2.0
"""The answer of a sweep on a terminal: all rows if they are few, else ranges; the Pareto front; what the timing seeds change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from tessera.sweeps.measures import OF_RUNS
from tessera.sweeps.store import ENDED, Results, quoted, reading

MOST_ROWS = 40
MOST_FAILURES = 5
LEADING_MEASURES = ("cycles", "error_max", "error_rms", "error_ulp")
TIMING_AXES = ("seed", "timing")
SELECTED = "FROM runs WHERE number IS NOT NULL"


def text_of(value: Any) -> str:
    """A cell: at most six digits of a float, and no characters that a terminal obeys."""
    if value is None:
        return ""
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if text.isprintable() else "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def table(header: Sequence[str], rows: Sequence[Sequence[Any]], indent: str = "  ") -> list[str]:
    """Columns wide enough for all; numbers to the right."""
    cells = [[text_of(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *cells)]
    right = [all(isinstance(row[place], (int, float, type(None))) for row in rows) for place in range(len(header))]
    lines = []
    for row in [list(header), *cells]:
        aligned = [cell.rjust(width) if to_right else cell.ljust(width) for cell, width, to_right in zip(row, widths, right)]
        lines.append((indent + "  ".join(aligned)).rstrip())
    return lines


def shown_measures(results: Results) -> list[str]:
    """The measures that a table begins with: cycles and errors, then the user's own. Parts of cycles are left to the file."""
    own = [name for name in results.measures if name not in (*LEADING_MEASURES, *OF_RUNS)]
    return [name for name in LEADING_MEASURES if name in results.measures] + own


def pareto(results: Results, cost: str, error: str) -> list[dict[str, Any]]:
    """The good rows that no other row beats in both measures, cheapest first."""
    found = results.ask(
        f"SELECT number, {quoted(cost)}, {quoted(error)} {SELECTED} AND status = 'good' AND typeof({quoted(cost)}) IN ('integer', 'real') "
        f"AND typeof({quoted(error)}) IN ('integer', 'real') ORDER BY 2, 3, 1")
    front, best = [], float("inf")
    for number, _, value in found:
        if value < best:
            best = value
            front.append(number)
    return [row for number in front for row in _rows(results, f"number = {number}")]


def _rows(results: Results, condition: str = "true", most: int = -1) -> list[dict[str, Any]]:
    names = results.columns_of_rows
    return [dict(zip(names, values)) for values in results.select(names, condition, most)]


def _axes_of_pareto(results: Results) -> Optional[tuple[str, str]]:
    wanted = results.specification.get("report", {})
    cost, error = wanted.get("cost", "cycles"), wanted.get("error", "error_rms")
    known = (*results.axes, *results.measures)
    return (cost, error) if cost in known and error in known else None


def _ranges(results: Results, measures: Sequence[str]) -> list[str]:
    rows = []
    for name in measures:
        column = quoted(name)
        ((least, mean, most),) = results.ask(f"SELECT min({column}), avg({column}), max({column}) {SELECTED}")
        if isinstance(least, (int, float)) and isinstance(most, (int, float)):
            rows.append((name, least, mean, most))
    return table(("measure", "least", "mean", "most"), rows) if rows else []


def _timing(results: Results) -> list[str]:
    lines = []
    for axis in TIMING_AXES:
        if axis not in results.axes:
            continue
        others = ", ".join(quoted(name) for name in results.axes if name != axis)
        # A run that was refused, or did not end by itself, says nothing. End states can be the same only where there are two of them.
        ((groups, differ, compared),) = results.ask(
            "SELECT count(*), total(ends > 1), total(states > 1) FROM (SELECT total(state != '') AS states, "
            f"count(DISTINCT CASE WHEN {ENDED} AND status != 'error' THEN state || status || code END) AS ends {SELECTED} "
            + (f"GROUP BY {others})" if others else ")"))
        found, does = (int(differ), "depends") if differ else (int(compared), "does not depend")
        if found:
            some = differ or found < groups
            lines.append(f"{axis}: the end state {does} on it"
                         + (f", in {found:,} of {groups:,} configurations of the other axes" if others and some else ""))
    return lines


def _failures(results: Results) -> list[str]:
    lines = []
    found = list(results.ask(f"SELECT status, code, message, count(*), min(number) {SELECTED} AND status != 'good' "
                             "GROUP BY 1, 2, 3 ORDER BY 5"))
    for status, code, message, count, number in found[:MOST_FAILURES]:
        (row,) = _rows(results, f"number = {number}")
        where = ", ".join(f"{name} = {row[name]}" for name in results.axes)
        first = message.splitlines()[0] if message else code
        lines.append(f"{status}, {count:,} times: {first}" if count > 1 else f"{status}: {first}")
        lines.append(f"  {'first ' if count > 1 else ''}with {where}")
    if len(found) > MOST_FAILURES:
        lines.append(f"and {len(found) - MOST_FAILURES:,} other failures")
    return lines


def summary(results: Results) -> str:
    """Several lines for people."""
    with reading(results.path):
        return "\n".join(_lines(results))


def _lines(results: Results) -> list[str]:
    counts = results.counts()
    failed = {status: count for status, count in counts.items() if status != "good"}
    told = ", ".join([f"{counts.get('good', 0):,} good"] + [f"{count:,} {status}" for status, count in sorted(failed.items())])
    lines = [f"{results.name}: {len(results):,} runs, {told}; rows in {results.path}"]
    measures = shown_measures(results)
    if len(results) <= MOST_ROWS:
        columns = [*results.axes, *measures]
        rows = _rows(results)
        findings = any(row["findings"] != "{}" for row in rows)
        header = [*columns, *(["findings"] if findings else []), *(["status"] if failed else [])]
        cells = [[*(row[name] for name in columns), *([row["findings"].strip("{}").replace('"', "")] if findings else []),
                  *([row["code"] or "good"] if failed else [])] for row in rows]
        lines += table(header, cells)
    else:
        lines += _ranges(results, measures)
    axes = _axes_of_pareto(results)
    front = pareto(results, *axes) if axes else []
    if axes and 1 <= len(front) < len(results):
        lines.append(f"no other run has both fewer {axes[0]} and less {axes[1]}:")
        columns = [*results.axes, *axes]
        lines += table(columns, [[row[name] for name in columns] for row in front[:MOST_ROWS]])
    lines += _timing(results)
    if failed:
        lines += _failures(results)
    return lines
