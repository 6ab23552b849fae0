# SPDX-License-Identifier: Apache-2.0
"""Wrong sweeps, told in one sentence each."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NoReturn

from tessera.errors import error_of


def refuse(code: str, message: str, file: str = "", line: int = 0) -> NoReturn:
    """Raises the Error of a wrong sweep."""
    place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
    raise error_of(code, message, file, line, 0, f"{place}{message} [{code}]" if place else None)


def nearest(name: str, known: Iterable[str]) -> str:
    """'; did you mean 'x'?' if a known name is close, else ''."""
    found = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean '{found[0]}'?" if found else ""
