# SPDX-License-Identifier: Apache-2.0
"""Functions of the user: callables, or 'FILE.py:NAME'."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable
from typing import Any, Optional, cast

from tessera.sweeps.descriptions import describe, is_installed
from tessera.sweeps.refusal import named, nearest, refuse
from tessera.sweeps.specification import Function


def parts(name: str, folder: str) -> tuple[str, str]:
    """The absolute path and the name in 'FILE.py:NAME'."""
    path, _, function = name.rpartition(":")
    return os.path.normpath(os.path.join(folder, path)), function


_imported: dict[str, tuple[str, tuple[int, int]]] = {}
"""Files by the names of their modules, each with its mark as it was then: files of sweeps, and modules that belong to them."""


def mark(path: str) -> tuple[int, int]:
    """Size and time of a file: others mean that it has changed. Raises OSError."""
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def _alias(path: str) -> str:
    """The name of the module that a file of functions becomes."""
    return "_tessera_sweep_" + hashlib.blake2b(path.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def is_loaded(path: str) -> bool:
    """Whether load() has imported this file, so that runs of this process and of those forked from it do not read it."""
    return _alias(path) in sys.modules


def _remember(folder: str, earlier: set[str]) -> None:
    """Notes the modules that the file of a sweep in this folder has imported, and all that lie beside it."""
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if not isinstance(path, str) or not path.endswith(".py") or name == "__main__" or name.partition(".")[0] == "tessera":
            continue
        path = os.path.abspath(path)
        own = name not in earlier or path.startswith(os.path.join(folder, ""))
        if own and not is_installed(name) and os.path.isfile(path) and _imported.get(name, ("",))[0] != path:
            _imported[name] = path, mark(path)


def _forget(name: str) -> None:
    sys.modules.pop(name, None)
    package, _, own = name.rpartition(".")
    if package in sys.modules:  # it may have no file, and then stays
        vars(sys.modules[package]).pop(own, None)


def forget_changed() -> None:
    """Lets load() import files again if one has changed since: their runs get new keys, and must not have old results.

    All are forgotten together, as each may hold what it took from another.
    """
    if all(os.path.isfile(path) and mark(path) == known for path, known in _imported.values()):
        return
    for name in _imported:
        _forget(name)
    _imported.clear()


def load(function: Function, folder: str) -> Callable[..., Any]:
    """The function. Its file is imported once a process, until forget_changed(). Raises Error 'sweep.function'."""
    if callable(function):
        return function
    path, name = parts(function, folder)
    alias = _alias(path)
    module = sys.modules.get(alias)
    if module is None:
        spec = importlib.util.spec_from_file_location(alias, path)
        if spec is None or spec.loader is None or not os.path.isfile(path):
            refuse("sweep.function", f"{path}: no such Python file")
        _imported[alias] = path, mark(path)
        module = importlib.util.module_from_spec(spec)
        earlier = set(sys.modules)
        sys.modules[alias] = module
        sys.path.insert(0, os.path.dirname(path))  # for modules beside it
        try:
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            del sys.modules[alias]
            refuse("sweep.function", f"{path} cannot be imported: {named(error)}", path)
        finally:
            sys.path.remove(os.path.dirname(path))
            _remember(os.path.dirname(path), earlier)
    found: Any = getattr(module, name, None)
    if not callable(found):
        names = [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]
        refuse("sweep.function", f"{path} has no function '{name}'{nearest(name, names) or '; it has ' + (', '.join(names) or 'none')}")
    return cast(Callable[..., Any], found)


def signature_of(function: Callable[..., Any]) -> Optional[inspect.Signature]:
    """The arguments; None of functions of C that do not tell them."""
    try:
        return inspect.signature(function)
    except Exception:  # ValueError, or one of the caller's own __signature__
        return None


def check_takes_run(function: Callable[..., Any], key: str) -> None:
    """Raises Error 'sweep.function' if a function of `reference` or `metrics` cannot be called with one argument, the run."""
    signature = signature_of(function)
    if signature is None:
        return
    try:
        signature.bind(None)
    except TypeError:
        name = getattr(function, "__name__", "the function")
        refuse("sweep.function", f"'{key}': {name}{signature} must take one argument, the run")


def source(function: Function, folder: str) -> str:
    """A text that changes with the function: its name in a file, which is an input, or a digest of all that it is. For the keys of runs."""
    return parts(function, folder)[1] if isinstance(function, str) else describe(function)
