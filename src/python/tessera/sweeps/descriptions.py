# SPDX-License-Identifier: Apache-2.0
"""Digests that differ where values differ, of functions too: for the keys of runs."""

from __future__ import annotations

import dis
import functools
import hashlib
import os
import pathlib
import pickle
import sys
import sysconfig
import types
from collections.abc import Iterator
from typing import Any, Union

_INSTALLED = {"site-packages", "dist-packages"}
_LIBRARY = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]

_SAYS_NOTHING = {"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__annotate__", "__annotate_func__",
                 "__annotations_cache__", "__firstlineno__", "__static_attributes__", "__orig_bases__", "__parameters__", "__type_params__",
                 "_abc_impl"}
"""Names in classes that no result depends on. Python 3.13 and later have some of them alone."""

_OF_C = (types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType, types.MethodDescriptorType,
         types.ClassMethodDescriptorType)
"""Members of classes that are not written in Python: known by name."""


def is_installed(module: str) -> bool:
    """Whether a module belongs to Python or to an installed package."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if not isinstance(file, str):
        return True
    path = pathlib.PurePath(file)
    return not _INSTALLED.isdisjoint(path.parts) or any(path.is_relative_to(each) for each in _LIBRARY)


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


def _is_of_library(value: Any, given: bool) -> bool:
    """Whether an installed module has this function or class under its name. One that the user gave may be the user's own all the same."""
    module = value.__module__
    if module is None or module == "__main__":
        return False
    if not module.startswith("tessera.") and (not is_installed(module) or given and hasattr(sys.modules.get(module), "__file__")):
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
            {name: function.__globals__[name] for name in names}, vars(function))


def _of_class(kind: type) -> tuple[Any, ...]:
    return type(kind), kind.__bases__, {name: value for name, value in vars(kind).items() if name not in _SAYS_NOTHING}


def _of_wrapper(value: Any) -> Any:
    """The content of an object that pickle refuses only because it knows no way to make it again; else None."""
    if isinstance(value, property):
        return value.fget, value.fset, value.fdel
    if isinstance(value, (staticmethod, classmethod)):
        return (value.__func__,)
    if isinstance(value, functools.cached_property):  # of Python 3.11 it has a lock
        return value.func, value.attrname
    if isinstance(value, functools._lru_cache_wrapper):
        return (value.__wrapped__,)
    if isinstance(value, types.MappingProxyType):
        return (dict(value),)
    return None


def _given(value: Any) -> Any:
    """The function or class of Python code that a value given by the user stands for, or None."""
    while isinstance(value, functools.partial):
        value = value.func
    if not callable(value):
        return None
    if isinstance(value, types.FunctionType):
        return value
    if isinstance(value, types.MethodType):
        value = value.__self__
    kind = value if isinstance(value, type) else type(value)
    return kind if any(isinstance(each, types.FunctionType) for each in vars(kind).values()) else None


def _is_part(value: Any, whole: Any) -> bool:
    """Whether a function or class is another one, or defined in it."""
    if value is whole:
        return True
    return whole is not None and value.__module__ == whole.__module__ and bool(value.__qualname__.startswith(whole.__qualname__ + "."))


def _described(*about: str) -> None:
    """Stands in a pickle for what is described. Such a pickle is never read."""


class _Sink:
    """A file of which the digest alone is kept."""

    def __init__(self) -> None:
        self.digest = hashlib.blake2b(digest_size=16)

    def write(self, content: Union[bytes, memoryview]) -> None:
        self.digest.update(content)


class _Sets:
    """Describes the sets in a value: each set and each element once, however often the value leads to it."""

    def __init__(self, given: Any) -> None:
        self.given = given
        self.digests: dict[int, tuple[Any, str]] = {}  # with the objects, lest others get their ids
        self.described: dict[int, tuple[Any, Any]] = {}

    def digest(self, value: Any) -> str:
        """The digest of a value by itself. Raises what pickle raises."""
        if id(value) not in self.digests:
            sink = _Sink()
            _Describer(sink, self).dump(value)
            self.digests[id(value)] = value, sink.digest.hexdigest()
        return self.digests[id(value)][1]

    def describe(self, value: Any) -> Any:
        """The digests of the elements in order: the set's own order differs from process to process. Raises ValueError."""
        if id(value) not in self.described:
            self.described[id(value)] = value, None
            elements = sorted(map(self.digest, value))
            base: Any = set if isinstance(value, set) else frozenset
            state = None if type(value) is base else self.digest(base.__reduce__(value)[2])
            self.described[id(value)] = value, ("set", type(value), elements, state)
        found = self.described[id(value)][1]
        if found is None:
            raise ValueError("a set that an element of it leads to")
        return found


class _Describer(pickle.Pickler):
    """Pickles functions and classes of the user with all that they hold and refer to, where pickle has their names alone."""

    def __init__(self, sink: _Sink, sets: _Sets) -> None:
        super().__init__(sink, 5)
        self.sets = sets

    def persistent_id(self, value: Any) -> Any:
        return self.sets.describe(value) if isinstance(value, (set, frozenset)) else None

    # The content of a value is its state: pickle then knows the value already, should it hold itself.
    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType):
            return _described, ("module", value.__name__)
        if isinstance(value, _OF_C):
            return _described, (type(value).__name__, value.__qualname__)
        held = _of_wrapper(value)
        if held is not None:
            return _described, (type(value).__name__,), held
        if not isinstance(value, (types.FunctionType, type)) or _is_of_library(value, _is_part(value, self.sets.given)):
            return NotImplemented
        held = _of_function(value) if isinstance(value, types.FunctionType) else _of_class(value)
        return _described, (str(value.__module__), value.__qualname__), held


def describe(value: Any) -> str:
    """Equal digests mean equal values, and functions that do the same.

    A function has its code, defaults, attributes, what it encloses, and what its global names stand for; a class all that is in it. Other
    modules, and functions and classes of installed ones, have their names alone, unless the value itself is such a callable. A value that
    pickle refuses, or with a set that an element of it leads to, gets another digest each time.
    """
    try:
        return _Sets(_given(value)).digest(value)
    except Exception:  # also one of the user's own methods for pickle
        return os.urandom(16).hex()


class Descriptions:
    """describe() of objects, each described once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}  # with the objects, lest others get their ids

    def __call__(self, value: Any) -> str:
        if id(value) not in self._known:
            self._known[id(value)] = value, describe(value)
        return self._known[id(value)][1]
