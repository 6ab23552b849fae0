# SPDX-License-Identifier: Apache-2.0
"""All combinations of a sweep's axes, in order, without a list of them."""

from __future__ import annotations

import builtins
import itertools
import math
import types
from collections.abc import Iterator
from typing import Any

from tessera.sweeps.axes import Point, Settings
from tessera.sweeps.descriptions import global_names
from tessera.sweeps.refusal import named, nearest, refuse
from tessera.sweeps.specification import Specification

Configuration = dict[str, Any]
"""The shown value of each axis, by its name."""


def _name(axis: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in axis)


class Filter:
    """The conditions of `where`: Python expressions in which an axis `a.b` is called a_b."""

    def __init__(self, specification: Specification) -> None:
        self.where = f"{specification.file}: " if specification.file else ""
        self.names: dict[str, str] = {}
        twice = {}
        for axis in specification.axes:
            if (other := self.names.setdefault(_name(axis.name), axis.name)) != axis.name:
                twice[_name(axis.name)] = f"both '{other}' and '{axis.name}' are called"
        self.conditions: list[tuple[str, types.CodeType]] = []
        for text in specification.where:
            try:
                code = compile(text, "where", "eval")
            except (RecursionError, MemoryError):
                refuse("sweep.filter", f"{self.where}where = {text!r}: nested too deeply")
            except (SyntaxError, ValueError) as error:
                refuse("sweep.filter", f"{self.where}where = {text!r}: {getattr(error, 'msg', error)}")
            for name in global_names(code):
                if name in twice:
                    refuse("sweep.filter", f"{self.where}where = {text!r}: {twice[name]} '{name}'; rename one of these axes")
                if name not in self.names and not hasattr(builtins, name):
                    refuse("sweep.filter", f"{self.where}where = {text!r}: no axis is called '{name}'"
                                           f"{nearest(name, self.names) or '; axes are ' + ', '.join(self.names)}")
            self.conditions.append((text, code))

    def __call__(self, configuration: Configuration) -> bool:
        """Whether a configuration is wanted. Raises Error 'sweep.filter' if a condition raises."""
        if not self.conditions:
            return True
        # Comprehensions and lambdas see global names alone.
        values = {name: configuration[axis] for name, axis in self.names.items()} | {"__builtins__": builtins}
        for text, code in self.conditions:
            try:
                if not eval(code, values):
                    return False
            except (Exception, SystemExit) as error:
                refuse("sweep.filter", f"{self.where}where = {text!r} raises {named(error)}, for {configuration}")
        return True


class Space:
    """The combinations that a sweep wants. The last axis varies fastest."""

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.axes = specification.axes
        self.names = [axis.name for axis in self.axes]
        self.filter = Filter(specification)
        combinations = math.prod(len(axis.points) for axis in self.axes)
        if combinations > specification.limit:
            sizes = " x ".join(f"{len(axis.points):,} {axis.name}" for axis in self.axes)
            refuse("sweep.size", f"{self.filter.where}{combinations:,} combinations ({sizes}), more than the limit of "
                                 f"{specification.limit:,}; shorten an axis, or raise 'limit'")

    def _points(self) -> Iterator[tuple[Point, ...]]:
        for points in itertools.product(*(axis.points for axis in self.axes)):
            if self.filter({name: point.shown for name, point in zip(self.names, points)}):
                yield points

    def __iter__(self) -> Iterator[tuple[Configuration, Settings]]:
        """Each configuration, and the settings of its run: the fixed values and those of its axes."""
        fixed = self.specification.values
        for points in self._points():
            settings = dict(fixed)
            for point in points:
                settings.update(point.settings)
            yield {name: point.shown for name, point in zip(self.names, points)}, settings
