# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's state by name."""

import operator
from collections.abc import Mapping

import numpy as np


class Section:
    """One part of the state, as an array of unsigned integers that numpy's indices reach.

    Where a dimension has labels, they may be used: core.state['rwc'][1, 'dst']. Reading a whole section or a part gives
    a copy; assigning writes. Values of more than the section's `bits` are refused, and an element that has fewer keeps
    its own. SrcA, SrcB and Dst are in stored order here, as hardware has them (docs/layout.md); core.src_a, core.src_b
    and core.dst show them in plain order.
    """

    def __init__(self, core, name):
        self._core = core
        self.name = name
        dimensions, self.bits, self.size = core._section(name)
        self.dimensions = tuple(dimension["name"] for dimension in dimensions)
        self.labels = tuple(tuple(dimension["labels"]) for dimension in dimensions)
        self.shape = tuple(dimension["size"] for dimension in dimensions)

    def __repr__(self):
        sizes = ", ".join(f"{name} {size}" for name, size in zip(self.dimensions, self.shape))
        return f"<tessera state '{self.name}': {sizes or 'one element'} of {self.bits} bits>"

    def __array__(self, dtype=None, copy=None):
        values = self._core._read(self.name, 0, self.size).reshape(self.shape)
        return values if dtype is None else values.astype(dtype)

    def __len__(self):
        return len(self._elements())

    def __getitem__(self, key):
        elements = self._elements()[self._key(key)]
        if np.ndim(elements) == 0:
            return int(self._core._read(self.name, int(elements), 1)[0])
        return np.asarray(self)[self._key(key)]

    def __setitem__(self, key, value):
        elements = self._elements()[self._key(key)]
        values = np.broadcast_to(np.asarray(value), np.shape(elements))
        if values.dtype.kind not in "iub":
            raise TypeError(f"{self.name} takes integers")
        if values.size and (values.min() < 0 or int(values.max()) >> self.bits):
            raise ValueError(f"{self.name} takes 0 to {(1 << self.bits) - 1}")
        for element, one in zip(np.ravel(elements), np.ravel(values)):
            self._core._write(self.name, int(element), int(one))

    def _elements(self):
        return np.arange(self.size).reshape(self.shape)

    def _key(self, key):
        parts = key if isinstance(key, tuple) else (key,)
        return tuple(self._number(part, at) if isinstance(part, str) else part for at, part in enumerate(parts))

    def _number(self, label, at):
        labels = self.labels[at] if at < len(self.labels) else ()
        if label not in labels:
            raise IndexError(f"'{label}' is no index of {self.name}: {', '.join(labels) or 'it has numbers there'}")
        return labels.index(label)


class State(Mapping):
    """All that the coprocessor remembers, as Sections by name."""

    def __init__(self, core):
        self._core = core

    def __getitem__(self, name):
        return Section(self._core, name)

    def __iter__(self):
        return iter(self._core._section_names())

    def __len__(self):
        return len(self._core._section_names())

    def __contains__(self, name):
        return name in self._core._section_names()


class Config:
    """Fields of the configuration by their names in cfg_defines.h (docs/reference/registers.md).

    core.config['THCON_SEC0_REG2_Out_data_format'] is what bank 0 holds, core.config[name, 1] what bank 1 holds. Fields of
    thread configuration need their thread: core.config['ADDR_MOD_AB_SEC0_SrcAIncr', 1]. Assigning sets the field and
    nothing else: no bank is reset, no generator seeded. Raises Error 'regs.unknown-field', 'regs.index', 'regs.value'.
    """

    def __init__(self, core):
        self._core = core

    def __getitem__(self, key):
        return self._core._read_field(*self._place(key))

    def __setitem__(self, key, value):
        value = operator.index(value)
        if not 0 <= value < 1 << 32:
            raise ValueError("a field takes 0 and above, within its width")
        self._core._write_field(*self._place(key), value)

    def __iter__(self):
        return iter(self._core._field_names())

    def __len__(self):
        return len(self._core._field_names())

    def __contains__(self, name):
        return name in self._core._field_names()

    def _place(self, key):
        if isinstance(key, tuple):
            name, index = key
            index = operator.index(index)
            if index < 0:
                raise IndexError("banks and threads are numbered from 0")
            return name, index
        if self._core._field_space(key) == "thread":
            raise IndexError(f"{key} is a field of each thread: config['{key}', thread]")
        return key, 0
