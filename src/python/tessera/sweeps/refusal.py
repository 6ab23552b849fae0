# SPDX-License-Identifier: Apache-2.0
"""Wrong sweeps, told in one sentence each."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NoReturn

from tessera._arguments import given
from tessera.errors import error_of


_END = 1000
"""Characters that are left of each end of a long message, as the library leaves bytes."""


def shown(value: object) -> str:
    """repr() of a value of the caller's; in other words where that is long or fails: of large numbers, of lists that hold themselves."""
    if isinstance(value, int) and value.bit_length() > 256:
        return given(value)
    try:
        return repr(value)
    except Exception:  # RecursionError, or one of a class of the caller's
        return given(value)


def reason(error: BaseException) -> str:
    """The text of an exception of others' code, or its type if it has none."""
    try:
        return str(error) or type(error).__name__
    except Exception as failure:
        return f"{type(error).__name__} without a text: its __str__() raises {type(failure).__name__}"


def refuse(code: str, message: str, file: str = "", line: int = 0) -> NoReturn:
    """Raises the Error of a wrong sweep."""
    if len(message) > 2 * _END:
        message = f"{message[:_END]} … {message[-_END:]}"
    place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
    raise error_of(code, message, file, line, 0, f"{place}{message} [{code}]" if place else None)


def nearest(name: str, known: Iterable[str]) -> str:
    """'; did you mean 'x'?' if a known name is close, else ''."""
    found = difflib.get_close_matches(str(name), list(known), 1)
    return f"; did you mean '{found[0]}'?" if found else ""
