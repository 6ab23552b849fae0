# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's state by name."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tessera import _core
from tessera._arguments import given, is_index, refuse, wrong
from tessera.errors import error_of


def _refuse_value(message: str) -> NoReturn:
    raise error_of("argument.value", message)


def _refuse_position(message: str) -> NoReturn:
    raise error_of("argument.position", message)


def _dimensions_of(part: Any) -> int:
    """How many dimensions a part of an index takes, as in numpy; of '...' unknown."""
    if part is None:
        return 0
    try:
        values = np.asarray(part)
    except ValueError:  # rows of different lengths, which numpy refuses as an index
        return 1
    return values.ndim if values.dtype == bool else 1


def _comparable(other: object) -> Any:
    """As numpy compares it with each element. With a plain text, numpy 1 compares the whole array, and warns."""
    if isinstance(other, Section):
        return np.asarray(other)
    return np.asarray(other, object) if isinstance(other, (str, bytes)) else other


class _OfACore:
    """A view of a core; not usable without it."""

    def __init__(self, core: _core.Core) -> None:
        if not isinstance(core, _core.Core):
            wrong(f"{type(self).__name__}(): ", "core", "a Core", core)
        self._core = core

    def __reduce__(self) -> NoReturn:
        refuse(f"a {type(self).__name__} is a view of a Core and cannot be pickled: pickle the Core, or a copy as an array")


class Section(_OfACore):
    """A part of the state: an array of unsigned integers with the indices of numpy.

    Labels of a dimension are indices, too: core.state['rwc'][1, 'dst']. Reading gives a copy; assigning writes. Values with more
    than `bits` bits are refused. An element with fewer bits keeps those that it has. SrcA, SrcB and Dst are in stored order here, as
    in hardware (docs/internals/layout.md); core.src_a, core.src_b
    and core.dst show them in plain order.
    """

    def __init__(self, core: _core.Core, name: str) -> None:
        super().__init__(core)
        self.name = name
        dimensions, self.bits, self.size = core._section(name)
        self.dimensions: tuple[str, ...] = tuple(dimension["name"] for dimension in dimensions)
        self.labels: tuple[tuple[str, ...], ...] = tuple(tuple(dimension["labels"]) for dimension in dimensions)
        self.shape: tuple[int, ...] = tuple(dimension["size"] for dimension in dimensions)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name} {size}" for name, size in zip(self.dimensions, self.shape))
        return f"<tessera state '{self.name}': {sizes or 'one element'} of {self.bits} bits>"

    def __array__(self, dtype: DTypeLike = None, copy: Any = None) -> NDArray[Any]:
        if copy is False:
            _refuse_value(f"{self.name} is always read as a copy: copy=False is not possible")
        values = self._core._read(self.name, 0, self.size).reshape(self.shape)
        return values if dtype is None else values.astype(dtype)

    def __eq__(self, other: object) -> Any:
        """The elements that are equal, as numpy compares arrays: to a text, none. Sections have no hash."""
        try:
            return np.asarray(self) == _comparable(other)
        except ValueError as error:  # of shapes that do not fit
            message = str(error)
        _refuse_value(f"{self.name}: {message}")

    def __ne__(self, other: object) -> Any:
        return np.logical_not(self == other)

    def __len__(self) -> int:
        if not self.shape:
            refuse(f"{self.name} is one element: it has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """The elements of the first dimension, each as of section[number]."""
        return (self[number] for number in range(len(self)))

    def __contains__(self, value: object) -> bool:
        """Whether an element has this value."""
        return bool(np.any(self == value))

    def __getitem__(self, key: Any) -> Any:
        """An int for one element, else an array: a copy."""
        elements = self._at(key)
        if elements.ndim == 0:
            return int(self._core._read(self.name, int(elements), 1)[0])
        return np.asarray(self).reshape(-1)[elements]

    def __setitem__(self, key: Any, value: ArrayLike) -> None:
        elements = self._at(key)
        try:
            values = np.asarray(value)
        except ValueError:  # rows of different lengths
            refuse(f"{self.name} takes integers, not {given(value)}")
        if values.dtype.kind == "O" and all(map(is_index, values.flat)):
            values = np.array([operator.index(one) for one in values.flat], object).reshape(values.shape)
        elif values.dtype.kind not in "iub":
            refuse(f"{self.name} takes integers, not {given(value)}")
        try:
            values = np.broadcast_to(values, elements.shape)
        except ValueError:
            _refuse_value(f"{self.name}: values of shape {values.shape} do not fill elements of shape {elements.shape}")
        if values.size and (values.min() < 0 or int(values.max()) >> self.bits):
            _refuse_value(f"{self.name} takes 0 to {(1 << self.bits) - 1}")
        for element, one in zip(np.ravel(elements), np.ravel(values)):
            self._core._write(self.name, int(element), int(one))

    def _at(self, key: Any) -> NDArray[np.int64]:
        """The numbers of the elements that numpy would reach by that key."""
        numbers = self._key(key)
        try:
            return np.asarray(np.arange(self.size).reshape(self.shape)[numbers])
        except (IndexError, ValueError, TypeError) as error:  # TypeError: a label that bounds a slice
            message = str(error)
        except OverflowError:  # of an int of 64 bits, as numpy counts in 63
            message = "an index of 64 bits is out of bounds"
        _refuse_position(f"{self.name}: {message}")

    def _key(self, key: Any) -> tuple[Any, ...]:
        parts = key if isinstance(key, tuple) else (key,)
        rest = len(self.shape) - sum(_dimensions_of(part) for part in parts if part is not Ellipsis)
        numbers, at = [], 0
        for part in parts:
            numbers.append(self._number(part, at) if isinstance(part, str) else part)
            at += max(rest, 0) if part is Ellipsis else _dimensions_of(part)
        return tuple(numbers)

    def _number(self, label: str, at: int) -> int:
        labels = self.labels[at] if at < len(self.labels) else ()
        if label not in labels:
            _refuse_position(f"'{label}' is not an index of {self.name}: {', '.join(labels) or 'it has numbers there'}")
        return labels.index(label)


class State(_OfACore, Mapping[str, Section]):
    """All state of the coprocessor, as Sections by name."""

    def __getitem__(self, name: str) -> Section:
        if not isinstance(name, str):
            refuse(f"a section of the state has a name, a str, not {given(name)}")
        return Section(self._core, name)

    def __repr__(self) -> str:
        return f"<tessera.State: {len(self)} sections>"

    def get(self, key: str, default: Any = None) -> Any:
        """The Section of that name, or `default` if there is none."""
        # Mapping's own one waits for a KeyError, and an unknown name is an InputError.
        return self[key] if key in self else default

    def __eq__(self, other: object) -> bool:
        """Whether all sections have equal values; False for another architecture."""
        if not isinstance(other, State):
            return NotImplemented
        return list(self) == list(other) and all(np.array_equal(np.asarray(self[name]), np.asarray(other[name])) for name in self)

    def __iter__(self) -> Iterator[str]:
        return iter(self._core._section_names())

    def __len__(self) -> int:
        return len(self._core._section_names())

    def __contains__(self, name: object) -> bool:
        return name in self._core._section_names()


class Config(_OfACore):
    """Fields of the configuration by their names in cfg_defines.h (docs/reference/registers.md).

    core.config['THCON_SEC0_REG2_Out_data_format'] is the value in bank 0, core.config[name, 1] the value in bank 1. Fields of
    thread configuration need their thread: core.config['ADDR_MOD_AB_SEC0_SrcAIncr', 1]. Assigning sets only the field: no bank
    is reset, no random generator is seeded. Raises Error 'regs.unknown-field', 'regs.index', 'regs.value'.
    """

    def __getitem__(self, key: Union[str, tuple[str, int]]) -> int:
        return self._core._read_field(*self._place(key))

    def __setitem__(self, key: Union[str, tuple[str, int]], value: int) -> None:
        try:
            number = operator.index(value)
        except TypeError:
            refuse(f"a field takes an int, not {given(value)}")
        if not 0 <= number < 1 << 32:
            _refuse_value("a field takes 0 and above, within its width")
        self._core._write_field(*self._place(key), number)

    def __repr__(self) -> str:
        return f"<tessera.Config: {len(self)} fields>"

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal, in both banks and all threads; False for another architecture. Configs have no hash."""
        if not isinstance(other, Config):
            return NotImplemented
        return list(self) == list(other) and all(self._values(name) == other._values(name) for name in self)

    def _values(self, name: str) -> list[int]:
        return [self._core._read_field(name, index) for index in range(3 if self._core._field_space(name) == "thread" else 2)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._core._field_names())

    def __len__(self) -> int:
        return len(self._core._field_names())

    def __contains__(self, name: object) -> bool:
        return name in self._core._field_names()

    def _place(self, key: Union[str, tuple[str, int]]) -> tuple[str, int]:
        if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], str) and is_index(key[1]):
            name, index = key[0], operator.index(key[1])
            if not 0 <= index < 1 << 32:
                _refuse_position("banks and threads are numbered from 0")
            return name, index
        if not isinstance(key, str):
            refuse(f"a field is a name, or a name and a bank or thread, not {given(key)}")
        if self._core._field_space(key) == "thread":
            _refuse_position(f"{key} is a field of each thread: config['{key}', thread]")
        return key, 0
