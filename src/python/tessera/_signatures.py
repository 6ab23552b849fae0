# SPDX-License-Identifier: Apache-2.0
"""Signatures of the extension's functions, as pybind11 puts them in front of docstrings, in words of Python."""

from __future__ import annotations

import ast
import re
from typing import Any, NamedTuple, Optional

NO_DEFAULT = object()


class Parameter(NamedTuple):
    """Of a function: its type as an expression of Python; whether it is given by name only."""

    name: str
    type: str
    by_name: bool
    default: Any = NO_DEFAULT


class Signature(NamedTuple):
    """Parameters of a function without self, and its result type."""

    parameters: list[Parameter]
    result: str
    is_method: bool


def _python_type(text: str) -> str:
    """Without the module's name, and without the length that an array has."""
    text = re.sub(r"\btessera\._core\.|\btessera\.(?=\w)", "", text)
    text = re.sub(r"numpy\.ndarray\[([\w.]+)\]", r"NDArray[\1]", text)
    text = re.sub(r"\bnumpy\.ndarray\b", "NDArray[Any]", text)
    text = re.sub(r"\bbuffer\b", "Buffer", text)
    text = re.sub(r"\bdict\b", "Dict[str, Any]", text)
    text = re.sub(r"\btuple\b", "Tuple[Any, ...]", text)
    return re.sub(r"(?<=[\w\]])\[\d+\]", "", text)


def split(name: str, doc: Optional[str]) -> tuple[Optional[Signature], str]:
    """The signature, and the docstring behind it."""
    match = re.match(rf"{re.escape(name)}(\(.*\) -> .+)\n?", doc or "")
    if not match:
        return None, doc or ""
    [function] = ast.parse(f"def f{_python_type(match.group(1))}: ...").body
    assert isinstance(function, ast.FunctionDef) and function.returns
    plain, named = function.args.args, function.args.kwonlyargs
    defaults: list[Optional[ast.expr]] = [None] * (len(plain) - len(function.args.defaults))
    defaults += [*function.args.defaults, *function.args.kw_defaults]
    parameters = [
        Parameter(one.arg, ast.unparse(one.annotation) if one.annotation else "Any", one in named,
                  NO_DEFAULT if default is None else ast.literal_eval(default))
        for one, default in zip([*plain, *named], defaults)]
    is_method = bool(parameters) and parameters[0].name == "self"
    text = (doc or "")[match.end():].strip()
    return Signature(parameters[is_method:], ast.unparse(function.returns), is_method), text
