# SPDX-License-Identifier: Apache-2.0
"""Puts the page together: page/index.html with its styles, scripts and data in it."""

from __future__ import annotations

import os
import re
from typing import IO, Any

from tessera.sweeps.report.choice import Choice, choose
from tessera.sweeps.report.columns import Column, read_columns
from tessera.sweeps.report.packing import json_bytes, packed, planes
from tessera.sweeps.report.profile import profile
from tessera.sweeps.report.repeat import repeat
from tessera.sweeps.store import Results, reading

FORM = "tessera-sweep-1"
PAGE = os.path.join(os.path.dirname(__file__), "page")
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
_SCRIPT = re.compile(r'<script src="([^"]+)"></script>')


def shown_columns(results: Results) -> list[str]:
    """The columns of the table, in order."""
    return ["number", "status", *results.axes, *results.measures, "seconds", "code", "message", "findings", "state"]


def _part(name: str) -> bytes:
    with open(os.path.join(PAGE, name), "rb") as file:
        return file.read()


class _Blocks:
    """Blocks of data, written as soon as they are there: the page is never in memory as a whole."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.count = 0

    def add(self, data: bytes) -> int:
        self.file.write(b'<script type="text/plain" id="block-%d">%b</script>\n' % (self.count, packed(data)))
        self.count += 1
        return self.count - 1

    def column(self, column: Column) -> dict[str, Any]:
        about: dict[str, Any] = {"name": column.name, "role": column.role, "kind": column.kind}
        if column.texts is not None:
            about["texts"] = self.add(json_bytes(column.texts))
            about["bytes"] = column.values.dtype.itemsize
        data = column.values.tobytes() if column.kind == "digest" else planes(column.values)
        return {**about, "block": self.add(data)}


def _about(results: Results, choice: Choice) -> dict[str, Any]:
    return {"form": FORM, "name": results.name, "version": results.version, "results": os.path.abspath(results.path), "total": results.total,
            "choice": {"error": choice.error, "cost": choice.cost, "heat": choice.heat}, "repeat": repeat(results)}


def write_html(results: Results, file: IO[bytes]) -> None:
    """The report as one page that needs nothing else. Raises Error 'sweep.report' for a column of [report] that no run has."""
    with reading(results.path):
        names = shown_columns(results)
        profiles = profile(results, names)
        about = _about(results, choose(results, profiles))
        columns = read_columns(results, names, profiles)
    for line in _part("index.html").splitlines(keepends=True):
        text = line.decode()
        if style := _STYLE.match(text):
            file.write(b"<style>\n" + _part(style[1]) + b"</style>\n")
        elif script := _SCRIPT.match(text):
            file.write(b"<script>\n" + _part(script[1]) + b"</script>\n")
        elif text.startswith('<script type="application/json" id="data">'):
            blocks = _Blocks(file)
            data = {**about, "rows": len(columns[0].values), "columns": [blocks.column(column) for column in columns]}
            # No text of JSON needs '<' as such; in a script it could end it.
            file.write(b'<script type="application/json" id="data">' + json_bytes(data).replace(b"<", b"\\u003c") + b"</script>\n")
        else:
            file.write(line)
