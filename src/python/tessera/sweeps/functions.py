# SPDX-License-Identifier: Apache-2.0
"""Functions of the user: callables, or 'FILE.py:NAME'."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable
from typing import Any, cast

from tessera.sweeps.refusal import nearest, refuse
from tessera.sweeps.specification import Function


def parts(name: str, folder: str) -> tuple[str, str]:
    """The absolute path and the name in 'FILE.py:NAME'."""
    path, _, function = name.rpartition(":")
    return os.path.normpath(os.path.join(folder, path)), function


def load(function: Function, folder: str) -> Callable[..., Any]:
    """The function. Its file is imported once a process. Raises Error 'sweep.function'."""
    if callable(function):
        return function
    path, name = parts(function, folder)
    alias = "_tessera_sweep_" + hashlib.blake2b(path.encode(), digest_size=8).hexdigest()
    module = sys.modules.get(alias)
    if module is None:
        spec = importlib.util.spec_from_file_location(alias, path)
        if spec is None or spec.loader is None or not os.path.isfile(path):
            refuse("sweep.function", f"{path}: no such Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[alias] = module
        sys.path.insert(0, os.path.dirname(path))  # for modules beside it
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[alias]
            refuse("sweep.function", f"{path} cannot be imported: {type(error).__name__}: {error}", path)
        finally:
            sys.path.remove(os.path.dirname(path))
    found: Any = getattr(module, name, None)
    if not callable(found):
        names = [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]
        refuse("sweep.function", f"{path} has no function '{name}'{nearest(name, names) or '; it has ' + (', '.join(names) or 'none')}")
    return cast(Callable[..., Any], found)


def check_takes_run(function: Callable[..., Any], key: str) -> None:
    """Raises Error 'sweep.function' if a function of `reference` or `metrics` cannot be called with one argument, the run."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # some functions of C tell no arguments
        return
    try:
        signature.bind(None)
    except TypeError:
        name = getattr(function, "__name__", "the function")
        refuse("sweep.function", f"'{key}': {name}{signature} must take one argument, the run")


def source(function: Function, folder: str) -> str:
    """A text that changes with the function: the path of its file, or its code. For the keys of runs."""
    if isinstance(function, str):
        return parts(function, folder)[1]
    code = getattr(function, "__code__", None)
    about = [getattr(function, "__module__", ""), getattr(function, "__qualname__", repr(type(function)))]
    if code is not None:
        about += [code.co_code.hex(), repr([each for each in code.co_consts if not hasattr(each, "co_code")]), repr(code.co_names)]
    return ":".join(about)
