# SPDX-License-Identifier: Apache-2.0
"""The sweep file: what is run, its axes and its measures."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from tessera.sweeps.axes import Axis, check_nesting, check_value, flatten, read_axes
from tessera.sweeps.files import MOST_TEXT_BYTES, read_bytes
from tessera.sweeps.refusal import nearest, refuse, shown

Function = Union[str, Callable[..., Any]]
"""'FILE.py:NAME', or the function itself."""

TARGETS = ("job", "function", "python")
KEYS = (*TARGETS, "name", "values", "axes", "where", "reference", "metrics", "output", "limit", "inputs", "report")
REPORT_KEYS = ("error", "cost", "heat")
DEFAULT_LIMIT = 1_000_000


@dataclass(frozen=True)
class Specification:
    """A checked sweep (docs/sweeps.md). Paths are absolute.

    kind       'job', 'function' or 'python': what `target` is
    target     path of a job, name of a function of tessera.arrays, or a Python function; None: an axis has it
    values     settings that do not vary, by dotted name
    where      filters: Python expressions over axes
    reference  path of a .npy file, or a function of a Measured; None: that of the target, if it has one
    metrics    a function of a Measured that returns numbers by name; None: none
    output     which output of a job is held against the reference, from 0
    inputs     other files that results depend on
    """

    name: str
    file: str
    folder: str
    kind: str
    target: Optional[Function]
    axes: tuple[Axis, ...]
    values: dict[str, Any] = field(default_factory=dict)
    where: tuple[str, ...] = ()
    reference: Optional[Function] = None
    metrics: Optional[Function] = None
    output: int = 0
    limit: int = DEFAULT_LIMIT
    inputs: tuple[str, ...] = ()
    report: dict[str, Any] = field(default_factory=dict)

    def path(self, name: str) -> str:
        """A path of the sweep file, made absolute."""
        return os.path.normpath(os.path.join(self.folder, name))


def current_folder() -> str:
    """The path of the current folder. Raises Error 'sweep.open' if there is none: it may have been deleted."""
    try:
        return os.getcwd()
    except OSError as error:
        refuse("sweep.open", f"the current folder cannot be used: {error.strerror or error}")


def _read_toml(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_bytes(path, MOST_TEXT_BYTES).decode("utf-8-sig"))  # as jobs, which may begin with a byte order mark
    except OSError as error:
        refuse("sweep.open", str(error.strerror or error), path)
    except RecursionError:
        refuse("sweep.syntax", "nested too deeply", path)
    except UnicodeDecodeError:
        refuse("sweep.syntax", "no UTF-8 text", path)
    except ValueError as error:  # a TOMLDecodeError, or a number of too many digits
        refuse("sweep.syntax", str(error), path)


def _is_value(value: Any) -> bool:
    return not isinstance(value, Mapping) or "random" in value or not value


def _read_values(table: Any) -> dict[str, Any]:
    """The settings that do not vary, by dotted name."""
    if not isinstance(table, Mapping):
        refuse("sweep.value", "'values' is a table: names with their values")
    values = flatten("sweep.value", table, _is_value)
    for key, value in values.items():
        check_value("sweep.value", "a name in 'values'", key)
        check_value("sweep.value", f"'{key}' of 'values'", value)
    return values


def _function(table: Mapping[str, Any], key: str, where: str, npy: bool = False, folder: str = "") -> Optional[Function]:
    value = table.get(key)
    if value is None or callable(value):
        return value
    if npy and isinstance(value, str) and value.endswith(".npy"):
        if not os.path.isfile(os.path.join(folder, value)):
            refuse("sweep.open", f"{where}'{key}': there is no file '{value}'")
        return value
    kinds = "a .npy file, or 'FILE.py:FUNCTION'" if npy else "'FILE.py:FUNCTION'"
    if isinstance(value, str) and ".py:" in value:
        return value
    refuse("sweep.value", f"{where}'{key}' is {kinds}, not {shown(value)}")


def _target(table: Mapping[str, Any], kind: str, where: str) -> Function:
    target = table[kind]
    if kind == "python":
        function = _function(table, kind, where)
        if function is None:
            refuse("sweep.value", f"{where}'python' is 'FILE.py:FUNCTION', not None")
        return function
    if isinstance(target, os.PathLike):
        target = os.fsdecode(target)
    if not isinstance(target, str):
        refuse("sweep.value", f"{where}'{kind}' is a text, not {shown(target)}")
    if not target:
        refuse("sweep.value", f"{where}'{kind}' is empty")
    return target


def _check_target_of_axes(kind: str, given: bool, axes: tuple[Axis, ...], values: Mapping[str, Any], where: str) -> None:
    """Refuses values of the axis `kind` that name no job or function, and a second one where the sweep file names it by its key."""
    if given:
        for holder in ["[values]"] * (kind in values) + [f"axis '{axis.name}'" for axis in axes if kind in axis.sets]:
            refuse("sweep.key", f"{where}'{kind}' is given twice: as a key and in {holder}")
        return
    [axis] = [axis for axis in axes if axis.name == kind]
    for position, point in enumerate(axis.points, 1):
        named = dict(point.settings).get(kind)
        if not isinstance(named, (str, os.PathLike)) or not os.fsdecode(named):
            refuse("sweep.axis", f"{where}axis '{kind}': value {position}, {point.shown!r}, names no {kind}")


def _source(source: Union[str, os.PathLike[str], Mapping[str, Any]]) -> tuple[dict[str, Any], str, str, str]:
    """The sweep's table, the path of its file or '', the folder of its paths, and the name that it has without 'name'."""
    if isinstance(source, Mapping):
        return dict(source), "", current_folder(), "sweep"
    file = os.fsdecode(source)
    folder = os.path.dirname(file if os.path.isabs(file) else os.path.join(current_folder(), file))
    return _read_toml(file), file, os.path.normpath(folder), os.path.splitext(os.path.basename(file))[0]


def _check_keys(table: Mapping[str, Any], file: str, where: str) -> None:
    for key, value in table.items():
        check_nesting("sweep.syntax" if file else "sweep.value", f"{where}'{key}'", value)
        if key not in KEYS:
            refuse("sweep.key", f"{where}unknown key '{key}'{nearest(key, KEYS) or '; keys are ' + ', '.join(KEYS)}")
    if "axes" not in table:
        refuse("sweep.key", f"{where}a sweep needs [axes]: names with their values")


def _check_numbers(table: Mapping[str, Any], where: str) -> None:
    for key, least in (("output", 0), ("limit", 1)):
        number = table.get(key, least)
        if not isinstance(number, int) or isinstance(number, bool) or number < least:
            refuse("sweep.value", f"{where}'{key}' is a whole number from {least} on, not {shown(number)}")
        check_value("sweep.value", f"{where}'{key}'", number)


def _kind(table: Mapping[str, Any], axes: tuple[Axis, ...], where: str) -> str:
    """Which of TARGETS a key or an axis names."""
    named = [key for key in TARGETS if key in table] + [axis.name for axis in axes if axis.name in TARGETS[:2]]
    if len(named) != 1:
        refuse("sweep.key", f"{where}a sweep has one of job, function and python, as a key or (job, function) as an axis"
                            + (f"; this one has {' and '.join(named)}" if named else ""))
    return named[0]


def _texts(texts: Any, where: str, what: str) -> tuple[str, ...]:
    if not isinstance(texts, (list, tuple)) or not all(isinstance(each, str) for each in texts):
        refuse("sweep.value", f"{where}{what}")
    return tuple(texts)


def _name(table: Mapping[str, Any], stem: str, where: str) -> str:
    name = table.get("name", stem)
    if not isinstance(name, str) or not name:
        refuse("sweep.value", f"{where}'name' is a text, not {shown(name)}")
    check_value("sweep.value", f"{where}'name'", name)
    return name


def _report(table: Mapping[str, Any], where: str) -> dict[str, Any]:
    report = table.get("report", {})
    if not isinstance(report, Mapping):
        refuse("sweep.value", f"{where}'report' is a table with {', '.join(REPORT_KEYS)}, not {shown(report)}")
    check_value("sweep.value", f"{where}'report'", report)
    for key in report:
        if key not in REPORT_KEYS:
            refuse("sweep.key", f"{where}unknown key '{key}' of [report]{nearest(key, REPORT_KEYS)}")
    return dict(report)


def read_specification(source: Union[str, os.PathLike[str], Mapping[str, Any]]) -> Specification:
    """Reads a sweep from a TOML file, or from a mapping with the same keys; paths are then relative to the current folder.

    In a mapping functions may be callables, and values of axes any iterables. Raises Error: 'sweep.open', 'sweep.syntax',
    'sweep.key' (unknown or missing keys), 'sweep.value', 'sweep.axis', 'sweep.size'.
    """
    table, file, folder, stem = _source(source)
    where = f"{file}: " if file else ""
    _check_keys(table, file, where)
    _check_numbers(table, where)
    limit = table.get("limit", DEFAULT_LIMIT)
    try:
        axes = read_axes(table["axes"], folder, limit)
        values = _read_values(table.get("values", {}))
    except ValueError as error:
        refuse(error.code, where + error.message)  # type: ignore[attr-defined]

    kind = _kind(table, axes, where)
    target = _target(table, kind, where) if kind in table else None
    if kind != "python":
        _check_target_of_axes(kind, target is not None, axes, values, where)
    for axis in axes:
        for name in axis.sets & set(values):
            refuse("sweep.axis", f"{where}'{name}' is in [values] and in axis '{axis.name}'")

    conditions = table.get("where", [])
    return Specification(
        file=file, folder=folder, kind=kind, target=target, axes=axes, values=values, limit=limit,
        where=_texts([conditions] if isinstance(conditions, str) else conditions, where,
                     "'where' is an expression over axes, or a list of them"),
        inputs=_texts(table.get("inputs", []), where, "'inputs' is a list of paths"),
        name=_name(table, stem, where), report=_report(table, where),
        reference=_function(table, "reference", where, True, folder), metrics=_function(table, "metrics", where),
        output=table.get("output", 0))
