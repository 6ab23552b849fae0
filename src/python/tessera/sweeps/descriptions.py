# SPDX-License-Identifier: Apache-2.0
"""Digests that differ where values differ, of functions too: for the keys of runs."""

from __future__ import annotations

import dis
import functools
import hashlib
import os
import pickle
import sys
import sysconfig
import types
from collections.abc import Iterator
from typing import Any, Union

_PLAIN = (type(None), bool, int, float, complex, str, bytes)


def is_installed(module: str) -> bool:
    """Whether a module belongs to Python or to an installed package."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is None or "-packages" in file or file.startswith(sysconfig.get_path("stdlib"))


def global_names(code: types.CodeType) -> Iterator[str]:
    """The global names that code reads, and the code in it: lambdas, comprehensions, functions."""
    yield from (each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_NAME", "LOAD_GLOBAL"))
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from global_names(each)


def _code(code: types.CodeType) -> str:
    """All of code but where it stands."""
    constants = [_code(each) if isinstance(each, types.CodeType) else sorted(map(repr, each)) if isinstance(each, frozenset) else repr(each)
                 for each in code.co_consts]
    return repr((code.co_code, code.co_exceptiontable, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
                 code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags))


def _is_of_library(value: Any) -> bool:
    """Whether an installed module has this function or class under its name."""
    module = value.__module__
    if module is None or module == "__main__" or not (is_installed(module) or module.startswith("tessera.")):
        return False
    found: Any = sys.modules.get(module)
    for name in value.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is value


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the name has no value yet
        return "empty cell"


def _of_function(function: types.FunctionType) -> tuple[Any, ...]:
    names = sorted(set(global_names(function.__code__)) & function.__globals__.keys())
    return (_code(function.__code__), function.__defaults__, function.__kwdefaults__, [_content(cell) for cell in function.__closure__ or ()],
            {name: function.__globals__[name] for name in names})


def _of_class(kind: type) -> tuple[Any, ...]:
    held: dict[str, Any] = {}
    for name, value in vars(kind).items():
        if isinstance(value, property):
            held[name] = value.fget
        elif isinstance(value, (staticmethod, classmethod)):
            held[name] = value.__func__
        elif isinstance(value, types.FunctionType) or type(value) in _PLAIN and not name.startswith("__"):
            held[name] = value
    return kind.__bases__, held


def _described(*about: str) -> None:
    """Stands in a pickle for what is described. Such a pickle is never read."""


class _Describer(pickle.Pickler):
    """Pickles functions and classes of the user with all that they hold and refer to, where pickle has their names alone."""

    def persistent_id(self, value: Any) -> Any:
        if type(value) in (set, frozenset):  # their order differs from process to process
            return "set", sorted(map(describe, value))
        return None

    # What a value holds is its state: pickle then knows the value already, should it hold itself.
    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType):
            return _described, ("module", value.__name__)
        if isinstance(value, functools._lru_cache_wrapper):
            return _described, ("cached",), value.__wrapped__
        if not isinstance(value, (types.FunctionType, type)) or _is_of_library(value):
            return NotImplemented
        held = _of_function(value) if isinstance(value, types.FunctionType) else _of_class(value)
        return _described, (str(value.__module__), value.__qualname__), held


class _Sink:
    """A file of which the digest alone is kept."""

    def __init__(self) -> None:
        self.digest = hashlib.blake2b(digest_size=16)

    def write(self, content: Union[bytes, memoryview]) -> None:
        self.digest.update(content)


def describe(value: Any) -> str:
    """Equal digests mean equal values, and functions that do the same.

    A function has its code, defaults, what it encloses, and what its global names stand for; other modules, and functions and classes of
    installed ones, have their names alone. A value that pickle refuses gets another digest each time.
    """
    sink = _Sink()
    try:
        _Describer(sink, 5).dump(value)
    except Exception:  # also one of the user's own methods for pickle
        return os.urandom(16).hex()
    return sink.digest.hexdigest()
