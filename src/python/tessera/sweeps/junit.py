# SPDX-License-Identifier: Apache-2.0
"""A comparison as JUnit XML: a test case for each run."""

from __future__ import annotations

import re
from typing import IO
from xml.sax.saxutils import escape

from tessera.sweeps.comparison import Change, Changes

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text), {'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


def _element(suite: str, change: Change) -> str:
    head = f'    <testcase classname="{suite}" name="{_text(change.name)}" time="{change.seconds:.6f}"'
    if change.kind == "changed" and not change.differences:
        return head + "/>\n"
    groups = ",".join(dict.fromkeys(one.group for one in change.differences)) or change.kind
    lines = "\n".join(map(str, change.differences)) or change.reason
    return f'{head}>\n      <failure type="{groups}" message="{_text(change.reason)}">{_text(lines)}</failure>\n    </testcase>\n'


def write_junit(changes: Changes, file: IO[bytes]) -> None:
    """Every run of both files. Those that changed, and those of one file alone, are failures; the text says what changed, from → to."""
    name = _text(changes.name)
    tests = changes.compared + changes.added + changes.removed
    counts = (f'tests="{tests}" failures="{changes.changed + changes.added + changes.removed}" errors="0" skipped="0" '
              f'time="{changes.seconds:.6f}"')
    file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tessera sweep" {counts}>\n'
               f'  <testsuite name="{name}" {counts}>\n'.encode())
    for change in changes.unchanged_too():
        file.write(_element(name, change).encode())
    file.write(b"  </testsuite>\n</testsuites>\n")
