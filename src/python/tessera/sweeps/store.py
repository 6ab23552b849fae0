# SPDX-License-Identifier: Apache-2.0
"""The results file: one row a run, in SQLite (docs/sweeps.md, The results file)."""

from __future__ import annotations

import fcntl
import functools
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Optional, TypeVar
from urllib.parse import quote

from tessera._arguments import wrong
from tessera._core import __version__
from tessera.errors import Error
from tessera.sweeps.axes import plain
from tessera.sweeps.measures import LIMIT_CODES, Outcome
from tessera.sweeps.output import cannot_write
from tessera.sweeps.plan import Plan, PlannedRun
from tessera.sweeps.refusal import nearest, refuse, shown

FORM = "1"
APPLICATION = 0x54535357  # "TSSW"
FIXED = ("key", "number", "configuration", "status", "code", "message", "version", "inputs", "seconds", "state", "findings")
MOST_COLUMNS = 660
"""SQLite answers 2,000 questions at once, and export.py has three about each column."""
MOST_VALUES = 1000
"""The file describes so many values of an axis."""
REPR = "repr()"
"""The key of a table that stands in Results.specification for a value that is no plain data: it has the value's repr()."""
ROWS_AT_ONCE = 1000
"""In memory, of rows()."""
ENDED = f"status != 'lost' AND code NOT IN {LIMIT_CODES}"
"""SQL: whether a run ended by itself. One that did not is tried again."""
_TYPES = {"number": "INTEGER", "seconds": "REAL"}
Row = dict[str, Any]
AnyResults = TypeVar("AnyResults", bound="Results")


def quoted(name: str) -> str:
    """A name as SQL text."""
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Raises Error 'sweep.results' in place of what SQLite, JSON or Python raises about a damaged results file."""
    try:
        yield
    except Error:
        raise
    except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError) as error:
        refuse("sweep.results", f"{path} cannot be read as the results of a sweep: {error}")


class Results:
    """A results file, open for reading.

    path           of the file
    name           of the sweep
    axes           names of its axes, in order
    measures       names of its numbers
    total          number of runs of the whole sweep
    version        of tessera that last wrote to it
    specification  the sweep file's keys and values; REPR in place of what is no plain data

    A row is a dict: the columns of FIXED, axes and measures; findings as a dict, configuration as a dict of axes' values; None
    where a value is unknown. A column has a whole number of more than 64 bits as text if it is an axis, else as float.
    """

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection: Optional[sqlite3.Connection] = connection
        about = dict(connection.execute("SELECT key, value FROM sweep"))
        self.name: str = about.get("name", "")
        self.axes: list[str] = json.loads(about.get("axes", "[]"))
        self.measures: list[str] = json.loads(about.get("measures", "[]"))
        self.total = int(about.get("total", 0))
        self.version: str = about.get("version", "")
        self.identity: str = about.get("identity", "")
        self.specification: dict[str, Any] = json.loads(about.get("specification", "{}"))

    @classmethod
    def open(cls: type[AnyResults], path: str) -> AnyResults:
        """Opens a file for reading. Raises Error 'sweep.results' if it is no results file, 'sweep.open' if it cannot be read."""
        if not os.path.isfile(path):
            refuse("sweep.open", f"{path}: no such results file")
        with reading(path):
            connection = sqlite3.connect(f"file:{uri(path)}?mode=ro", uri=True, check_same_thread=False)  # SQLite has locks of its own
            _check(path, connection)
            return cls(path, connection)

    @property
    def connection(self) -> sqlite3.Connection:
        """Of SQLite. Raises Error 'sweep.results' after close()."""
        if self._connection is None:
            refuse("sweep.results", f"the results of {self.path} are closed; tessera.sweep() opens them again")
        return self._connection

    @property
    def columns_of_rows(self) -> list[str]:
        """Names of all columns."""
        return [*FIXED, *self.axes, *self.measures]

    def ask(self, question: str) -> Iterator[tuple[Any, ...]]:
        """The rows that an SQL question finds, as stored."""
        with reading(self.path):
            yield from self.connection.execute(question)

    def select(self, names: Sequence[str], condition: str = "true", most: int = -1) -> Iterator[tuple[Any, ...]]:
        """Columns of the rows for which an SQL condition holds, as stored, in order of their numbers; -1: all such rows."""
        return self.ask(f"SELECT {', '.join(map(quoted, names))} FROM runs WHERE number IS NOT NULL AND {condition} "
                        f"ORDER BY number LIMIT {most}")

    def rows(self) -> Iterator[Row]:
        """The rows of the sweep, in order of their numbers."""
        names = self.columns_of_rows
        last = -1
        # An open cursor would keep the next sweep from writing to the file.
        while page := list(self.select(names, f"number > {last}", ROWS_AT_ONCE)):
            for values in page:
                row = self._row(dict(zip(names, values)))
                last = row["number"]
                yield row

    def _row(self, row: Row) -> Row:
        with reading(self.path):
            row["findings"] = json.loads(row["findings"])
            row["configuration"] = json.loads(row["configuration"])
            row.update((name, value) for name, value in row["configuration"].items() if isinstance(row.get(name), str))
        return row

    def columns(self, names: Sequence[str]) -> dict[str, list[Any]]:
        """Columns as stored, one value a row, in order of their numbers. Raises Error 'sweep.results' for a name that is no column."""
        if isinstance(names, str) or not isinstance(names, Iterable):
            wrong("SweepResults.columns(): ", "names", "a list of names", names)
        names = list(names)
        known = self.columns_of_rows
        for name in names:
            if name not in known:
                refuse("sweep.results", f"no column is called {shown(name)}{nearest(name, known) or '; columns are ' + ', '.join(known)}")
        if not names:
            return {}
        found = list(self.select(names))
        return {name: [values[place] for values in found] for place, name in enumerate(names)}

    def distinct(self, name: str) -> list[Any]:
        """The values of an axis, each once."""
        found = self.ask(f"SELECT {quoted(name)}, configuration FROM runs NOT INDEXED WHERE number IS NOT NULL GROUP BY 1")
        with reading(self.path):
            return [json.loads(configuration)[name] for _, configuration in found]

    def kinds(self, name: str) -> set[str]:
        """The types of a column's values: 'integer', 'real', 'text', 'null'."""
        found = self.ask(f"SELECT DISTINCT typeof({quoted(name)}) FROM runs NOT INDEXED WHERE number IS NOT NULL")
        return {kind for (kind,) in found}

    def counts(self) -> dict[str, int]:
        """Number of rows by status."""
        found = self.ask("SELECT status, count(*) FROM runs NOT INDEXED WHERE number IS NOT NULL GROUP BY status")
        return {status: count for status, count in found}

    def close(self) -> None:
        """Closes the file."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def __len__(self) -> int:
        return sum(self.counts().values())

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {status}" for status, count in sorted(self.counts().items()))
        return f"<tessera sweep {self.name}: {len(self)} of {self.total} runs ({counts}), {self.path}>"


def uri(path: str) -> str:
    """A path as part of an SQLite URI: in ASCII, as its bytes need not be UTF-8."""
    return quote(os.fsencode(os.path.abspath(path)))


def _check(path: str, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        refuse("sweep.results", f"{path} is not a results file of a sweep")
    (form,) = connection.execute("SELECT value FROM sweep WHERE key = 'form'").fetchone()
    if form != FORM:
        refuse("sweep.results", f"{path} has form {form}; this version of tessera reads form {FORM}")


class Store:
    """A results file, open for writing. One process at a time has it."""

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self.lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            refuse("sweep.write", f"{path}: {error.strerror}")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self.lock)
            refuse("sweep.busy", f"{path}: another sweep is writing to it")
        try:
            self._open()
        except BaseException:
            os.close(self.lock)
            raise
        self.columns: list[str] = [row[1] for row in self.connection.execute("PRAGMA table_info(runs)")]
        self.measures: list[str] = []
        self.axes: list[str] = []

    def _open(self) -> None:
        with reading(self.path):
            self.connection = sqlite3.connect(self.path, isolation_level=None)
            if os.fstat(self.lock).st_size:
                _check(self.path, self.connection)
        try:
            self._create()
        except sqlite3.Error as error:
            cannot_write(self.path, error)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All changes, or none. Raises Error 'sweep.write'."""
        columns, measures = list(self.columns), list(self.measures)
        try:
            self.connection.execute("BEGIN")
            yield
            self.connection.execute("COMMIT")
        except BaseException as error:
            self.columns, self.measures = columns, measures
            with suppress(sqlite3.Error):  # on a full disk SQLite may have done it already
                self.connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                cannot_write(self.path, error)
            raise

    def _create(self) -> None:
        fixed = ", ".join(f"{quoted(name)} {_TYPES.get(name, 'TEXT')} NOT NULL" if name not in ("key", "number") else
                          "key TEXT PRIMARY KEY" if name == "key" else "number INTEGER" for name in FIXED)
        self.connection.executescript(f"""
            PRAGMA synchronous = NORMAL;
            BEGIN;
            PRAGMA application_id = {APPLICATION};
            CREATE TABLE IF NOT EXISTS sweep (key TEXT PRIMARY KEY, value TEXT NOT NULL);
            CREATE TABLE IF NOT EXISTS runs ({fixed}) WITHOUT ROWID;
            CREATE INDEX IF NOT EXISTS by_number ON runs (number);
            INSERT OR IGNORE INTO sweep VALUES ('form', '{FORM}');
            COMMIT;""")

    def _set(self, **values: str) -> None:
        self.connection.executemany("INSERT OR REPLACE INTO sweep VALUES (?, ?)", values.items())

    def _add_columns(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.columns:
                self.connection.execute(f"ALTER TABLE runs ADD COLUMN {quoted(name)}")
                self.columns.append(name)

    def _clash(self, names: Iterable[str]) -> Optional[str]:
        """Why these cannot be columns beside those that there are; None if they can."""
        known = {name.lower(): name for name in self.columns}
        for name in names:
            if name in FIXED or known.setdefault(name.lower(), name) != name:
                return f"'{name}': the results file has a column '{known.get(name.lower(), name)}'; choose another name"
        if len(known) > MOST_COLUMNS:
            return f"the results file would have {len(known)} columns; {MOST_COLUMNS} is the most"
        return None

    def begin(self, plan: Plan) -> None:
        """Makes the file that of this sweep: rows of other configurations stay, without a number."""
        with reading(self.path):
            about = Results(self.path, self.connection)
        self.axes = plan.space.names
        same = about.identity == plan.identity
        self.measures = about.measures if same else []
        if clash := self._clash(self.axes):
            refuse("sweep.axis", clash)
        with self._transaction():
            self._add_columns(self.axes)
            if not same:
                self.connection.execute("UPDATE runs SET number = NULL WHERE number IS NOT NULL")
            self._set(name=plan.specification.name, axes=json.dumps(self.axes), total=str(plan.total), identity=plan.identity,
                      version=__version__, specification=json.dumps(_described(plan), default=_stated), measures=json.dumps(self.measures))

    def finish(self) -> None:
        """Adds the measures of rows that were there before this sweep."""
        others = [name for name in self.columns if name not in (*FIXED, *self.axes, *self.measures)]
        if not others:
            return
        counts = ", ".join(f"count({quoted(name)})" for name in others)
        with reading(self.path):
            found = self.connection.execute(f"SELECT {counts} FROM runs NOT INDEXED WHERE number IS NOT NULL").fetchone()
        with self._transaction():
            self.measures += [name for name, count in zip(others, found) if count]
            self._set(measures=json.dumps(self.measures))

    def missing(self, runs: Sequence[PlannedRun]) -> tuple[list[PlannedRun], int]:
        """Of these runs, those without a result, and how many of the others failed. Rows of the others get their numbers. A run that
        has not ended by itself is missing."""
        marks = ", ".join("?" * len(runs))
        with reading(self.path):
            found = self.connection.execute(f"SELECT key, number, status FROM runs WHERE {ENDED} AND key IN ({marks})",
                                            [run.key for run in runs])
            known = {key: (number, status) for key, number, status in found}
        moved = [(run.number, run.key) for run in runs if run.key in known and known[run.key][0] != run.number]
        if moved:
            with self._transaction():
                self.connection.executemany("UPDATE runs SET number = ? WHERE key = ?", moved)
        return [run for run in runs if run.key not in known], sum(status != "good" for _, status in known.values())

    def add(self, results: Sequence[tuple[PlannedRun, Outcome]]) -> None:
        """Stores rows in one transaction. A row of a run that is there already is replaced only if that run had not ended by itself."""
        if not results:
            return
        with self._transaction():
            for run, outcome in results:
                outcome = self._checked(outcome)
                fresh = [name for name in outcome.measures if name not in self.measures]
                if fresh:
                    self._add_columns(fresh)
                    self.measures += fresh
                    self._set(measures=json.dumps(self.measures))
                row = {"key": run.key, "number": run.number, "configuration": run.configuration, "status": outcome.status,
                       "code": _encodable(outcome.code), "message": _encodable(outcome.message), "version": __version__, "inputs": run.inputs,
                       "seconds": outcome.seconds, "state": outcome.state,
                       "findings": json.dumps(outcome.findings) if outcome.findings else "{}",
                       **{name: _axis_value(value) for name, value in run.values.items()},
                       **{name: _measure(value) for name, value in outcome.measures.items()}}
                # Deleted, not updated: measures that the new row lacks must not stay.
                self.connection.execute(f"DELETE FROM runs WHERE key = ? AND NOT ({ENDED})", [run.key])
                self.connection.execute(_insertion(tuple(row)), list(row.values()))

    def _checked(self, outcome: Outcome) -> Outcome:
        fresh = [name for name in outcome.measures if name not in self.measures]
        axis = next((name for name in fresh if name in self.axes), None)
        clash = f"'{axis}' is an axis and a measure; rename one of them" if axis else self._clash(fresh) if fresh else None
        return outcome if clash is None else Outcome("error", "sweep.metric", clash, seconds=outcome.seconds)

    def close(self) -> None:
        """Closes the file and lets others have it."""
        self.connection.close()
        os.close(self.lock)


@functools.lru_cache(maxsize=64)
def _insertion(names: tuple[str, ...]) -> str:
    columns = ", ".join(map(quoted, names))
    return f"INSERT INTO runs ({columns}) VALUES ({', '.join('?' * len(names))}) ON CONFLICT (key) DO NOTHING"


def _is_long(value: Any) -> bool:
    """Whether it is a whole number that SQLite cannot hold."""
    return isinstance(value, int) and not -2**63 <= value < 2**63


def _axis_value(value: Any) -> Any:
    return str(value) if _is_long(value) else int(value) if isinstance(value, bool) else value


def _measure(value: Any) -> Any:
    return float(value) if _is_long(value) else _encodable(value) if isinstance(value, str) else value


def _encodable(text: str) -> str:
    """With escapes in place of characters that UTF-8 cannot encode, such as stray bytes in names of files."""
    return text.encode("utf-8", "backslashreplace").decode()


def _stated(value: Any) -> Any:
    """JSON's form of a value that JSON has not."""
    number = plain(value)
    return number if isinstance(number, (int, float, str)) else {REPR: shown(value)}


def _described(plan: Plan) -> dict[str, Any]:
    specification = plan.specification
    described: dict[str, Any] = {"file": specification.file, "folder": specification.folder, specification.kind: specification.target,
                                 "kind": specification.kind, "values": specification.values, "report": specification.report,
                                 "where": list(specification.where)}
    described["axes"] = {axis.name: [point.shown for point in axis.points[:MOST_VALUES]] for axis in specification.axes}
    # Of values with names, the settings that they stand for.
    described["settings"] = {axis.name: [dict(point.settings) for point in axis.points[:MOST_VALUES]] for axis in specification.axes
                             if any(point.settings != ((axis.name, point.shown),) for point in axis.points)}
    for name in ("reference", "metrics", "output"):
        if getattr(specification, name):
            described[name] = getattr(specification, name)
    return described


