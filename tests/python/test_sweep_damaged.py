# SPDX-License-Identifier: Apache-2.0
"""Results files with wrong bytes or values: what cannot be read is an Error, and never another exception."""

import io
import random
import sqlite3

import pytest

import tessera
from sweeps import folder, sweep_of  # noqa: F401  (a fixture)
from tessera.sweeps.comparison import compare
from tessera.sweeps.export import write_csv
from tessera.sweeps.report.page import write_html
from tessera.sweeps.store import Results
from tessera.sweeps.summary import summary


@pytest.fixture
def good(folder):  # noqa: F811
    tessera.sweep(sweep_of(folder, "placed", 30), results=folder / "good.sqlite", workers=0).close()
    return folder / "good.sqlite"


def everything(path, good):
    """All that a results file is read for."""
    yield "summary", lambda results: summary(results)
    yield "rows", lambda results: list(results.rows())
    yield "columns", lambda results: results.columns(results.columns_of_rows)
    yield "values", lambda results: [results.distinct(name) for name in results.axes]
    yield "kinds", lambda results: [results.kinds(name) for name in results.measures]
    yield "csv", lambda results: write_csv(results, io.BytesIO())
    yield "html", lambda results: write_html(results, io.BytesIO())
    yield "text", repr
    yield "against", lambda results: list(compare(Results.open(good), results))
    yield "new", lambda results: str(compare(results, Results.open(good)))


def refusals(path, good):
    """Codes of the Errors, by use; any other exception leaves."""
    codes = {}
    for use, call in everything(path, good):
        try:
            results = Results.open(path)
        except tessera.Error as error:
            return {"open": error.code}
        try:
            call(results)
        except tessera.Error as error:
            codes[use] = error.code
        finally:
            results.close()
    return codes


def test_wrong_bytes(good, tmp_path):
    chosen = random.Random(5)
    content = good.read_bytes()
    assert refusals(good, good) == {}
    refused = 0
    for _ in range(150):
        changed = bytearray(content)
        for _ in range(chosen.choice((1, 4, 40))):
            changed[chosen.randrange(len(changed))] = chosen.randrange(256)
        if chosen.randrange(5) == 0:
            del changed[chosen.randrange(len(changed)):]
        path = tmp_path / "damaged.sqlite"
        path.write_bytes(changed)
        codes = refusals(path, good)
        assert set(codes.values()) <= {"sweep.results", "sweep.against", "sweep.report"}, codes
        refused += bool(codes)
    assert refused > 20


@pytest.mark.parametrize("change", [
    "UPDATE sweep SET value = 'x' WHERE key = 'axes'",
    "UPDATE sweep SET value = 'x' WHERE key = 'total'",
    "UPDATE sweep SET value = '[1]' WHERE key = 'specification'",
    "DELETE FROM sweep WHERE key = 'form'",
    "DROP TABLE runs",
    "UPDATE runs SET configuration = 'x'",
    "UPDATE runs SET configuration = '[]'",
    "UPDATE runs SET findings = '{'",
    "UPDATE runs SET configuration = CAST(x'ff' AS TEXT)",
])
def test_wrong_values(good, tmp_path, change):
    path = tmp_path / "wrong.sqlite"
    path.write_bytes(good.read_bytes())
    with sqlite3.connect(path) as file:
        file.execute(change)
    file.close()
    codes = refusals(path, good)
    assert codes and set(codes.values()) <= {"sweep.results", "sweep.against"}, codes
