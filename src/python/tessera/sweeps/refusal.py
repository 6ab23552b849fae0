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


def text_of(error: BaseException) -> str:
    """The text of an exception of the caller's, whose __str__() may raise."""
    try:
        return str(error)
    except Exception as failure:
        return f"no text: its __str__() raises {type(failure).__name__}"


def named(error: BaseException) -> str:
    """The type of an exception, and its text if it has one."""
    return ": ".join(filter(None, (type(error).__name__, text_of(error))))


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
