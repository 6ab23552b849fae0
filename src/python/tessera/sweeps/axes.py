# SPDX-License-Identifier: Apache-2.0
"""The axes of a sweep: names with values."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Union

from tessera.sweeps.refusal import named, nearest, refuse, shown

Value = Union[str, int, float, bool]
Settings = dict[str, Any]
"""Arguments of a run by dotted name."""


def identity(value: Value) -> tuple[type, Value]:
    """Tells values of an axis apart: to Python, 1, 1.0 and True are equal."""
    return type(value), value


@dataclass(frozen=True)
class Point:
    """One value of an axis: how rows show it, and what it sets."""

    shown: Value
    settings: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Axis:
    """A name with at least one value."""

    name: str
    points: tuple[Point, ...]

    @property
    def sets(self) -> set[str]:
        """The names of all settings that its values change."""
        return {name for point in self.points for name, _ in point.settings}


MOST_VALUES = 10_000_000
MOST_LEVELS = 64
"""Of lists and tables in each other."""
MOST_BITS = 1022
"""Of a whole number: then the difference of two is a double."""
RANGE = {"from", "to", "step"}
FILES = {"files"}


def _is_axis(value: Any) -> bool:
    return not isinstance(value, Mapping) or bool(value.keys() & (RANGE | FILES)) or not value


def flatten(code: str, table: Mapping[str, Any], is_leaf: Callable[[Any], bool], prefix: str = "") -> dict[str, Any]:
    """Nested tables as one, with dotted names. Refuses a name that is no text, or that two spellings give."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if not isinstance(key, str):
            refuse(code, f"a name is a text, not {shown(key)}")
        found = {prefix + key: value} if is_leaf(value) else flatten(code, value, is_leaf, f"{prefix}{key}.")
        for name in found:
            if name in flat:
                refuse(code, f"'{name}' is given twice: once as nested tables, once with a dot in a name")
        flat.update(found)
    return flat


_PLAIN = {str, int, float, bool}


def _levels(value: Any) -> Iterator[list[Any]]:
    """A value, then all values in it, then those in these, without end if it holds itself. No list or table is twice in a level."""
    level = [value]
    while level:
        yield level
        others = (each for each in level if type(each) not in _PLAIN)
        holders = {id(each): each for each in others if isinstance(each, (list, tuple, Mapping))}
        level = [each for holder in holders.values() for each in (holder.values() if isinstance(holder, Mapping) else holder)]


def _bounded_levels(code: str, what: str, value: Any) -> Iterator[list[Any]]:
    for depth, level in enumerate(_levels(value)):
        if depth > MOST_LEVELS:
            refuse(code, f"{what} is nested too deeply: {MOST_LEVELS} levels of lists and tables at most")
        yield level


def check_nesting(code: str, what: str, value: Any) -> None:
    """Refuses lists and tables within more than MOST_LEVELS others, or that hold themselves."""
    for _ in _bounded_levels(code, what, value):
        pass


def check_value(code: str, what: str, value: Any) -> None:
    """Refuses texts and numbers that no row can hold, also in lists and tables, and names there that are no texts. Other values pass."""
    if type(value) in _PLAIN:
        _check_plain(code, what, value)
        return
    for level in _bounded_levels(code, what, value):
        for each in level:
            if type(each) not in _PLAIN:
                _check_names(code, what, each)
            _check_plain(code, what, each)


def _check_names(code: str, what: str, value: Any) -> None:
    for name in value if isinstance(value, Mapping) else ():
        if not isinstance(name, str):
            refuse(code, f"{what}: a name is a text, not {shown(name)}")


def _check_plain(code: str, what: str, value: Any) -> None:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            refuse(code, f"{what}: {value[max(error.start - 10, 0):error.end]!r} cannot be encoded as UTF-8")
    elif isinstance(value, int) and value.bit_length() > MOST_BITS:
        refuse(code, f"{what}: a whole number has {MOST_BITS} bits at most, not {value.bit_length():,}")


def check_name(code: str, what: str, name: str) -> None:
    """Refuses a name that no column can have."""
    check_value(code, what, name)
    if "\0" in name:
        refuse(code, f"{what}: {name!r} has a NUL character")


def _range(name: str, table: Mapping[str, Any]) -> list[Value]:
    for key in table:
        if key not in RANGE:
            refuse("sweep.axis", f"axis '{name}': a range has from, to and step, not '{key}'{nearest(key, RANGE)}")
    for key in ("from", "to"):
        if key not in table:
            refuse("sweep.axis", f"axis '{name}': a range needs '{key}'")
    first, last, step = (plain(value) for value in (table["from"], table["to"], table.get("step", 1)))
    for key, value in (("from", first), ("to", last), ("step", step)):
        if not isinstance(value, (int, float)) or isinstance(value, bool) or value != value or abs(value) == float("inf"):
            refuse("sweep.axis", f"axis '{name}': '{key}' is a number, not {shown(value)}")
        check_value("sweep.axis", f"axis '{name}': '{key}'", value)
    if step == 0:
        refuse("sweep.axis", f"axis '{name}': 'step' must not be 0")
    steps = (last - first) / step + 1e-9
    if steps < 0:
        refuse("sweep.axis", f"axis '{name}' is empty: from {first} to {last} in steps of {step}")
    if steps >= MOST_VALUES:
        refuse("sweep.size", f"axis '{name}' has {steps + 1:,.0f} values; an axis has {MOST_VALUES:,} at most")
    count = int(steps) + 1
    if all(isinstance(value, int) for value in (first, last, step)):
        return range(first, last + (1 if step > 0 else -1), step)  # type: ignore[return-value]
    return [first + index * step for index in range(count)]


def _files(name: str, table: Mapping[str, Any], folder: str) -> list[Value]:
    if set(table) != FILES or not isinstance(table["files"], str):
        refuse("sweep.axis", f"axis '{name}': files = \"PATTERN\" stands alone")
    found = sorted(glob.glob(table["files"], root_dir=folder or ".", recursive=True))
    found = [path for path in found if os.path.isfile(os.path.join(folder, path))]
    if not found:
        refuse("sweep.axis", f"axis '{name}' is empty: no file is '{os.path.join(folder, table['files'])}'")
    return list(found)


def plain(value: Any) -> Any:
    """A number of numpy as one of Python; anything else as it is."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 1) == 0 else value


def _point(name: str, value: Any, position: int) -> Point:
    value = plain(value)
    if isinstance(value, Mapping):
        check_nesting("sweep.axis", f"axis '{name}': value {position}", value)
        settings = flatten("sweep.axis", value, lambda one: not isinstance(one, Mapping) or "random" in one)
        label = settings.pop("name", None)
        if not isinstance(label, (str, int, float)):
            refuse("sweep.axis", f"axis '{name}': value {position} sets several arguments; give it a name: {{ name = \"…\", … }}")
        if not settings:
            refuse("sweep.axis", f"axis '{name}': value '{label}' sets nothing")
        for what, each in (("name", label), *settings.items()):
            check_value("sweep.axis", f"axis '{name}': '{what}' of value {position}", each)
        return Point(label, tuple(settings.items()))
    if not isinstance(value, (str, int, float)):
        refuse("sweep.axis", f"axis '{name}': value {position} is {shown(value)}; values are numbers, texts, true, false, or tables with a name")
    check_value("sweep.axis", f"axis '{name}': value {position}", value)
    return Point(value, ((name, value),))


def _elements(name: str, values: Iterable[Any]) -> Iterator[Any]:
    """The values of an iterable, in which code of the caller's may run."""
    position = 1
    try:
        for value in values:
            yield value
            position += 1
    except (Exception, SystemExit) as error:
        refuse("sweep.axis", f"axis '{name}': value {position} raises {named(error)}")


def _points(name: str, values: Iterable[Any], limit: int) -> Iterator[Point]:
    for position, value in enumerate(_elements(name, values), 1):
        if position > limit:  # asked at each value, as an iterable may have no end
            refuse("sweep.size", f"axis '{name}' has more values than the limit of {limit:,} combinations; shorten it, or raise 'limit'")
        yield _point(name, value, position)


def read_axis(name: str, values: Any, folder: str, limit: int = MOST_VALUES) -> Axis:
    """An axis of at most `limit` values, as a sweep file or a caller writes it: a list, a range {from, to, step}, or {files}."""
    values = plain(values)
    if isinstance(values, Mapping):
        values = _files(name, values, folder) if values.keys() & FILES else _range(name, values)
    elif isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        refuse("sweep.axis", f"axis '{name}' has one value, {shown(values)}; write a list, or move it to [values]")
    points = tuple(_points(name, values, limit))
    if not points:
        refuse("sweep.axis", f"axis '{name}' is empty")
    seen: dict[tuple[type, Value], Point] = {}
    for point in points:
        if point.shown != point.shown:
            refuse("sweep.axis", f"axis '{name}' has the value NaN, which does not even equal itself; give it a name: "
                                 f"{{ name = \"NaN\", {name} = nan }}")
        other = seen.setdefault(identity(point.shown), point)
        if shown(other.shown) != shown(point.shown):
            refuse("sweep.axis", f"axis '{name}' has {shown(other.shown)} and {shown(point.shown)}, which are equal numbers; give one a name: "
                                 f"{{ name = \"-0.0\", {name} = -0.0 }}")
        if other is not point:
            refuse("sweep.axis", f"axis '{name}' has {shown(point.shown)} twice")
    return Axis(name, points)


def read_axes(table: Any, folder: str, limit: int = MOST_VALUES) -> tuple[Axis, ...]:
    """All axes of a table, each of at most `limit` values. Nested tables are dotted names. Raises InputError 'sweep.axis', 'sweep.size'."""
    if not isinstance(table, Mapping):
        refuse("sweep.axis", "axes are a table: names with their values")
    flat = flatten("sweep.axis", table, _is_axis)
    if not flat:
        refuse("sweep.axis", "a sweep needs at least one axis")
    for name in flat:
        check_name("sweep.axis", "the name of an axis", name)
    axes = tuple(read_axis(name, values, folder, limit) for name, values in flat.items())
    owner: dict[str, str] = {}
    for axis in axes:
        for name in axis.sets:
            if name in owner:
                refuse("sweep.axis", f"axes '{owner[name]}' and '{axis.name}' both set '{name}'")
            owner[name] = axis.name
    return axes
