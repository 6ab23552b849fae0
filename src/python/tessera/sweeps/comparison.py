# SPDX-License-Identifier: Apache-2.0
"""The differences between two results files: the regression gate of `--against`."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tessera.sweeps.measures import LIMIT_CODES
from tessera.sweeps.refusal import refuse
from tessera.sweeps.store import Results, quoted, reading, uri

SHOWN = 20
"""Changes that a summary shows."""

GROUPS = ("status", "bits", "errors", "cycles", "findings", "measures")
"""Kinds of differences, in the order in which they are told. 'measures' are the user's own."""

_OF_TIME = ("cycles", "instructions", "overlapped")


def _group(measure: str) -> str:
    if measure.startswith("error_"):
        return "errors"
    return "cycles" if measure in _OF_TIME or measure.startswith(("busy.", "waited.")) else "measures"


@dataclass(frozen=True)
class Difference:
    """One thing that a run has otherwise in the two files.

    group  one of GROUPS
    name   'status', 'state', 'finding CODE', or a measure
    old    value in the old file; None: unknown
    new    value in the new file
    """

    group: str
    name: str
    old: Any
    new: Any

    def __str__(self) -> str:
        text = f"{self.name} {_shown(self.old)} → {_shown(self.new)}"
        if all(isinstance(value, (int, float)) for value in (self.old, self.new)) and self.old and self.group != "findings":
            text += f" ({(self.new - self.old) / abs(self.old):+.1%})"
        return text


def _shown(value: Any) -> str:
    return "none" if value is None or value == "" else f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Change:
    """A run that differs.

    kind           'changed', 'added' (only the new file has it) or 'removed' (only the old one)
    number         its place in the file that has it, the new one first
    configuration  the values of its axes
    differences    what differs; empty unless 'changed'
    seconds        that the run took; 0 if it is removed
    """

    kind: str
    number: int
    configuration: dict[str, Any]
    differences: tuple[Difference, ...]
    seconds: float

    @property
    def name(self) -> str:
        """The configuration as one line."""
        return name_of(self.configuration)

    @property
    def reason(self) -> str:
        """The difference, in one line."""
        if self.kind == "changed":
            return "; ".join(map(str, self.differences))
        return "only in the new results" if self.kind == "added" else "only in the old results"

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def name_of(configuration: dict[str, Any]) -> str:
    """The values of the axes as one line."""
    return " ".join(f"{axis}={value}" for axis, value in configuration.items())


class Changes:
    """The differences of two results files. True if there are any.

    compared       runs that are in both
    changed        of these, runs that differ
    added          runs that only the new file has
    removed        runs that only the old file has
    counts         runs that differ, by group
    seconds        of all runs of the new file
    first          the first SHOWN of them
    only_new       measures that only the new file has; they are not compared
    only_old       measures that only the old file has
    """

    def __init__(self, new: Results, old: Results) -> None:
        self.new_path, self.old_path = new.path, old.path
        self.versions = (old.version, new.version)
        self.name = new.name
        self.measures = [name for name in new.measures if name in old.measures and name not in old.axes]
        self.only_new = [name for name in new.measures if name not in old.measures]
        self.only_old = [name for name in old.measures if name not in new.measures]
        self.axes = check_comparable(new.axes, old)
        self.all_axes = [*new.axes, *(axis for axis in old.axes if axis not in new.axes)]
        self.matched = _matched(new, old, self.axes)
        self.values = ["status", "code", "state", "findings", *self.measures]
        self.compared = self.changed = self.added = self.removed = 0
        self.counts: dict[str, int] = {}
        self.first: list[Change] = []
        for change in self._look():
            if len(self.first) < SHOWN:
                self.first.append(change)
            if change.kind == "changed":
                self.changed += 1
                for group in {one.group for one in change.differences}:
                    self.counts[group] = self.counts.get(group, 0) + 1
            elif change.kind == "added":
                self.added += 1
            else:
                self.removed += 1
        self.compared = len(new) - self.added
        self.seconds: float = next(new.ask("SELECT total(seconds) FROM runs NOT INDEXED WHERE number IS NOT NULL"))[0]

    def __bool__(self) -> bool:
        return self.changed + self.added + self.removed > 0

    def __iter__(self) -> Iterator[Change]:
        """All runs that differ: those of the new file in order of their numbers, then removed ones."""
        return self._look()

    def unchanged_too(self) -> Iterator[Change]:
        """The same with all runs that do not differ, as 'changed' without differences."""
        return self._look(all_rows=True)

    def _connect(self) -> sqlite3.Connection:
        """A connection with the rows of both files by what matches them: SQLite makes no index of its own for tables like `runs`."""
        connection = sqlite3.connect(f"file:{uri(self.new_path)}?mode=ro", uri=True)
        connection.execute("PRAGMA cache_size = -65536")  # KiB; the rest is in temporary files
        connection.execute("ATTACH ? AS before", [f"file:{uri(self.old_path)}?mode=ro"])
        matched = ", ".join(map(quoted, self.matched))
        old = ", ".join(map(quoted, dict.fromkeys(["number", "configuration", *self.matched, *self.values])))
        connection.execute(f"CREATE TEMP TABLE old AS SELECT {old} FROM before.runs NOT INDEXED WHERE number IS NOT NULL")
        connection.execute(f"CREATE INDEX temp.of_old ON old ({matched})")
        return connection

    def _look(self, all_rows: bool = False) -> Iterator[Change]:
        with reading(f"{self.old_path}, or {self.new_path},"):
            yield from self._found(all_rows)

    def _found(self, all_rows: bool) -> Iterator[Change]:
        values = self.values
        sides = [f"{side}.{quoted(name)}" for name in values for side in ("old", "new")]
        differs = " OR ".join(f"old.{quoted(name)} IS NOT new.{quoted(name)}" for name in values)
        match = " AND ".join(f"old.{quoted(name)} = new.{quoted(name)}" for name in self.matched)
        connection = self._connect()
        try:
            (in_old,) = connection.execute("SELECT count(*) FROM temp.old").fetchone()
            found = connection.execute(
                f"SELECT new.number, new.configuration, new.seconds, old.number, {', '.join(sides)} FROM main.runs AS new "
                f"LEFT JOIN temp.old AS old ON {match} WHERE new.number IS NOT NULL"
                + ("" if all_rows else f" AND (old.number IS NULL OR {differs})") + " ORDER BY new.number")
            for number, configuration, seconds, old_number, *both in found:
                differences = tuple(self._differences(values, both)) if old_number is not None else ()
                if differences or all_rows or old_number is None:
                    yield Change("added" if old_number is None else "changed", number, self._ordered(configuration), differences, seconds)
            (paired,) = connection.execute(f"SELECT count(*) FROM main.runs AS new NOT INDEXED JOIN temp.old AS old ON {match} "
                                           "WHERE new.number IS NOT NULL").fetchone()
            if paired == in_old:
                return
            columns = ", ".join(map(quoted, self.matched))
            connection.execute(f"CREATE TEMP TABLE new AS SELECT {columns} FROM main.runs NOT INDEXED WHERE number IS NOT NULL")
            connection.execute(f"CREATE INDEX temp.of_new ON new ({columns})")
            for number, configuration in connection.execute(
                    f"SELECT old.number, old.configuration FROM temp.old AS old WHERE NOT EXISTS (SELECT 1 FROM temp.new AS new WHERE {match}) "
                    "ORDER BY old.number"):
                yield Change("removed", number, self._ordered(configuration), (), 0.0)
        finally:
            connection.close()

    def _ordered(self, configuration: str) -> dict[str, Any]:
        values = json.loads(configuration)
        return {axis: values[axis] for axis in self.all_axes if axis in values}

    def _differences(self, names: list[str], both: list[Any]) -> Iterator[Difference]:
        pairs = {name: (old, new) for name, old, new in zip(names, both[::2], both[1::2])}
        ends = [status if not code else f"{status} ({code})" for status, code in zip(pairs["status"], pairs["code"])]
        if ends[0] != ends[1]:
            yield Difference("status", "status", *ends)
        if any(code in LIMIT_CODES for code in pairs["code"]):
            return
        if pairs["state"][0] != pairs["state"][1]:
            yield Difference("bits", "state", *pairs["state"])
        for name in self.measures:
            if pairs[name][0] != pairs[name][1]:
                yield Difference(_group(name), name, *pairs[name])
        old, new = (json.loads(text) for text in pairs["findings"])
        for code in sorted(old.keys() | new.keys()):
            if old.get(code, 0) != new.get(code, 0):
                yield Difference("findings", f"finding {code}", old.get(code, 0), new.get(code, 0))

    def __str__(self) -> str:
        """The first changes and all counts, for a terminal."""
        versions = f" ({' → '.join(self.versions)})" if self.versions[0] != self.versions[1] else ""
        lines = [f"against {self.old_path}{versions}: {self.compared:,} runs compared, {self.changed:,} changed, "
                 f"{self.added:,} only here, {self.removed:,} only there"]
        for names, where in ((self.only_new, "new"), (self.only_old, "old")):
            if names:
                lines.append(f"  not compared, as only the {where} results have it: {', '.join(names)}")
        if self.counts:
            lines.append("  changed in " + ", ".join(f"{group} {self.counts[group]:,}" for group in GROUPS if group in self.counts))
        lines += [f"  {change}" for change in self.first]
        rest = self.changed + self.added + self.removed - len(self.first)
        if rest:
            lines.append(f"  and {rest:,} more")
        return "\n".join(lines)


def check_comparable(axes: list[str], old: Results) -> list[str]:
    """The axes that both have. Raises Error 'sweep.against' if there are none."""
    common = [axis for axis in axes if axis in old.axes]
    if not common:
        refuse("sweep.against", f"{old.path} has none of the axes {', '.join(axes)}; its own are {', '.join(old.axes) or 'none'}")
    return common


def _matched(new: Results, old: Results, common: list[str]) -> list[str]:
    """The columns by which two rows are one run. Raises Error 'sweep.against' if a row may be several."""
    if set(new.axes) == set(old.axes):
        return ["configuration"]
    columns = ", ".join(map(quoted, common))
    for results, other in ((new, old), (old, new)):
        twice = results.ask(f"SELECT {columns} FROM runs WHERE number IS NOT NULL GROUP BY {columns} HAVING count(*) > 1 LIMIT 1")
        for row in twice:
            own = [axis for axis in results.axes if axis not in other.axes]
            refuse("sweep.against", f"{results.path} has several runs with {name_of(dict(zip(common, row)))}, which differ in "
                                    f"{', '.join(own)}; {other.path} has no such axis: no run is the one to compare with")
    return common


def compare(new: Results, old: Results) -> Changes:
    """Holds each run of `new` against the run of `old` with the same configuration.

    Where one of the files has more axes, runs are matched by the axes of both. Raises Error 'sweep.against' if that does not say which
    run is which. Times in seconds are not compared.
    """
    return Changes(new, old)
