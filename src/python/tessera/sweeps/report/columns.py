# SPDX-License-Identifier: Apache-2.0
"""The columns of a results file as arrays: no row is ever an object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from tessera.sweeps.export import BLOCK
from tessera.sweeps.report.profile import Profile
from tessera.sweeps.store import Results, quoted

DIGEST = 16  # hexadecimal digits


@dataclass
class Column:
    """One column, rows in order of their numbers.

    kind    'number': float64, NaN where unknown; 'text': codes of `texts`; 'digest': eight bytes a row, 0 for none
    role    'fixed', 'axis' or 'measure'
    texts   distinct texts: those of an axis in the order of the sweep file, others sorted; None unless 'text'
    """

    name: str
    role: str
    kind: str
    values: NDArray[Any]
    texts: Optional[list[str]] = None


class _Codes(dict[Any, int]):
    """Numbers values as they come."""

    def __missing__(self, value: Any) -> int:
        self[value] = code = len(self)
        return code


def shown(value: Any) -> str:
    """A value as text."""
    return "" if value is None else str(value)


class _Gathered:
    """A column that grows block by block."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.codes = _Codes()
        self.parts: list[NDArray[Any]] = []

    def add(self, values: tuple[Any, ...]) -> None:
        if self.kind == "number":
            self.parts.append(np.array(values, np.float64))
        elif self.kind == "digest":
            digits = "".join(values) if all(values) else "".join(value or "0" * DIGEST for value in values)
            self.parts.append(np.frombuffer(bytes.fromhex(digits), "V8"))
        else:
            self.parts.append(np.fromiter((self.codes[value] for value in values), np.uint32, len(values)))

    def column(self, name: str, role: str, order: NDArray[np.int64], known: Sequence[Any]) -> Column:
        """The column with its rows in `order`; `known` values of an axis come first, in their order."""
        empty: Any = {"number": np.float64, "digest": "V8", "text": np.uint32}[self.kind]
        values = (np.concatenate(self.parts) if self.parts else np.zeros(0, empty))[order]
        self.parts = []
        if self.kind != "text":
            return Column(name, role, self.kind, values)
        place = {shown(value): number for number, value in enumerate(known)}
        texts = sorted({shown(value) for value in self.codes}, key=lambda text: (place.get(text, len(place)), text))
        rank = {text: number for number, text in enumerate(texts)}
        new_codes = np.array([rank[shown(value)] for value in self.codes], np.uint32)
        small = np.uint8 if len(texts) <= 1 << 8 else np.uint16 if len(texts) <= 1 << 16 else np.uint32
        return Column(name, role, "text", new_codes[values].astype(small) if len(values) else values.astype(small), texts)


def _are_digests(results: Results) -> bool:
    (other,) = results.connection.execute(
        f"SELECT max(length(state) NOT IN (0, {DIGEST}) OR state GLOB '*[^0-9a-f]*') FROM runs NOT INDEXED WHERE number IS NOT NULL").fetchone()
    return not other


def read_columns(results: Results, names: Sequence[str], profiles: Mapping[str, Profile]) -> list[Column]:
    """Columns by name, read in one pass."""
    kinds = ["number" if profiles[name].is_exact else "digest" if name == "state" and _are_digests(results) else "text" for name in names]
    gathered = [_Gathered(kind) for kind in kinds]
    numbers: list[NDArray[Any]] = []
    # In the order of the table, then put in order: by the index, each row would be looked up by its key.
    selected = ", ".join(map(quoted, names))
    cursor = results.connection.execute(f"SELECT number, {selected} FROM runs NOT INDEXED WHERE number IS NOT NULL")
    while block := cursor.fetchmany(BLOCK):
        of_rows, *columns = zip(*block)
        numbers.append(np.array(of_rows, np.int64))
        for one, values in zip(gathered, columns):
            one.add(values)
    order = np.argsort(np.concatenate(numbers)) if numbers else np.zeros(0, np.int64)
    values_of_axes = results.specification.get("axes", {})
    return [one.column(name, "axis" if name in results.axes else "measure" if name in results.measures else "fixed", order,
                       values_of_axes.get(name, [])) for name, one in zip(names, gathered)]
