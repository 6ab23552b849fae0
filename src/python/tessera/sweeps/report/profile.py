# SPDX-License-Identifier: Apache-2.0
"""The ranges of values in the columns of a results file, found in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tessera.sweeps.store import Results, quoted

EXACT = 2**53  # beyond it a float64 may not hold a whole number


@dataclass(frozen=True)
class Profile:
    """The least and the greatest value of a column; None: it has none. In SQLite's order every text is greater than every number."""

    least: Any
    most: Any

    @property
    def is_numeric(self) -> bool:
        """Whether it has numbers alone, and at least one."""
        return isinstance(self.most, (int, float))

    @property
    def is_exact(self) -> bool:
        """Whether it is numeric, and float64 holds its numbers."""
        return self.is_numeric and not any(isinstance(value, int) and abs(value) > EXACT for value in (self.least, self.most))

    @property
    def varies(self) -> bool:
        """Whether it has two values."""
        return bool(self.least != self.most)


def profile(results: Results, names: Sequence[str]) -> dict[str, Profile]:
    """The profile of each column."""
    if not names:
        return {}
    questions = ", ".join(f"min({quoted(name)}), max({quoted(name)})" for name in names)
    # By the index on `number`, each row would be looked up by its key.
    found = results.connection.execute(f"SELECT {questions} FROM runs NOT INDEXED WHERE number IS NOT NULL").fetchone()
    return {name: Profile(least, most) for name, least, most in zip(names, found[::2], found[1::2])}
