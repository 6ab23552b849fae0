# SPDX-License-Identifier: Apache-2.0
"""All rows as a table of another program: CSV, Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from typing import IO, Any

from tessera.sweeps.packages import require
from tessera.sweeps.store import Results, quoted

BLOCK = 10_000  # rows in memory at once


def exported(results: Results) -> list[str]:
    """The columns of an export, in order: `configuration` says nothing that the axes do not say."""
    return [name for name in results.columns_of_rows if name != "configuration"]


def blocks(results: Results, names: list[str]) -> Iterator[list[tuple[Any, ...]]]:
    """Rows as stored, in order of their numbers, some at a time."""
    rows = results.select(names)
    while block := list(islice(rows, BLOCK)):
        yield block


def write_csv(results: Results, file: IO[bytes]) -> None:
    """RFC 4180 with a line of names, UTF-8. Values are as stored: unknown ones are empty, numbers have all their digits."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text)
    names = exported(results)
    writer.writerow(names)
    for block in blocks(results, names):
        writer.writerows(block)
    text.flush()
    text.detach()


def _kinds(results: Results, names: list[str]) -> list[str]:
    """Of each column: 'text' if it holds any text, else 'real' if it holds any such number, else 'integer'."""
    questions = ", ".join(f"max(typeof({quoted(name)}) IN ('text', 'blob')), max(typeof({quoted(name)}) = 'real'), count({quoted(name)})"
                          for name in names)
    (found,) = results.ask(f"SELECT {questions} FROM runs WHERE number IS NOT NULL")
    return ["text" if text else "real" if real or not count else "integer"
            for text, real, count in zip(found[::3], found[1::3], found[2::3])]


def write_parquet(results: Results, file: IO[bytes]) -> None:
    """A row group for each 10,000 rows. A column of texts and numbers has texts."""
    pyarrow = require("pyarrow", "'parquet'")
    parquet = import_module("pyarrow.parquet")
    names = exported(results)
    kinds = _kinds(results, names)
    types = {"text": pyarrow.string(), "real": pyarrow.float64(), "integer": pyarrow.int64()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in zip(names, kinds)])
    with parquet.ParquetWriter(file, schema) as writer:
        for block in blocks(results, names):
            columns = [[value if value is None or isinstance(value, str) else str(value) for value in column] if kind == "text" else column
                       for kind, column in zip(kinds, zip(*block))]
            writer.write_table(pyarrow.table([pyarrow.array(column, field.type) for column, field in zip(columns, schema)], schema=schema))
