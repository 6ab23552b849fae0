# SPDX-License-Identifier: Apache-2.0
"""`against`: what differs between two results files, as an object, as text, as JUnit XML and as an exit status."""

import os
import shutil
import sqlite3
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

import tessera
from sweeps import ENVIRONMENT, code_of, command
from tessera.sweeps.comparison import compare
from tessera.sweeps.store import Results


def measure(n, unit):
    """Numbers that follow from the axes alone."""
    if n == 3:
        raise RuntimeError("three")
    return {"cycles": 100 * n, "error_rms": n / 4, "own": len(unit)}


def sweep(folder, name, **more):
    table = {"name": "gate", "python": measure, "axes": {"n": [1, 2, 3], "unit": ["m", "mm"]}, **more.pop("table", {})}
    return tessera.sweep(table, results=folder / name, workers=0, **more)


def change_rows(path, statement, *values):
    connection = sqlite3.connect(path)
    assert connection.execute(statement, values).rowcount == 1
    connection.commit()
    connection.close()


def old_and_new(tmp_path, *changes):
    """A results file, and a copy of it with some values changed."""
    sweep(tmp_path, "old.sqlite")
    shutil.copy(tmp_path / "old.sqlite", tmp_path / "new.sqlite")
    for change in changes:
        change_rows(tmp_path / "new.sqlite", *change)
    return Results.open(tmp_path / "new.sqlite"), Results.open(tmp_path / "old.sqlite")


def told(changes):
    return [(change.kind, change.configuration, [(one.group, one.name, one.old, one.new) for one in change.differences]) for change in changes]


def test_nothing_has_changed(tmp_path):
    sweep(tmp_path, "old.sqlite")
    results = sweep(tmp_path, "new.sqlite", against=tmp_path / "old.sqlite")
    assert not results.changes and told(results.changes) == []
    assert (results.changes.compared, results.changes.counts) == (6, {})


def test_each_kind_of_difference_is_told(tmp_path):
    set_one = "UPDATE runs SET {} = ? WHERE n = ? AND unit = ?"
    new, old = old_and_new(tmp_path, (set_one.format("cycles"), 110, 1, "m"), (set_one.format("state"), "00ff", 1, "m"),
                           (set_one.format("error_rms"), 0.25, 2, "m"), (set_one.format("findings"), '{"b": 1, "a": 2}', 2, "mm"),
                           (set_one.format("own"), None, 1, "mm"), (set_one.format("status"), "lost", 3, "m"))
    change_rows(tmp_path / "old.sqlite", set_one.format("findings"), '{"c": 3, "a": 1}', 2, "mm")
    states = {(row["n"], row["unit"]): row["state"] for row in old.rows()}
    changes = compare(new, old)
    assert told(changes) == [
        ("changed", {"n": 1, "unit": "m"}, [("bits", "state", states[1, "m"], "00ff"), ("cycles", "cycles", 100, 110)]),
        ("changed", {"n": 1, "unit": "mm"}, [("measures", "own", 2, None)]),
        ("changed", {"n": 2, "unit": "m"}, [("errors", "error_rms", 0.5, 0.25)]),
        ("changed", {"n": 2, "unit": "mm"}, [("findings", "finding a", 1, 2), ("findings", "finding b", 0, 1), ("findings", "finding c", 3, 0)]),
        ("changed", {"n": 3, "unit": "m"}, [("status", "status", "error (RuntimeError)", "lost (RuntimeError)")])]
    assert changes and (changes.compared, changes.changed, changes.added, changes.removed) == (6, 5, 0, 0)
    assert changes.counts == {"bits": 1, "cycles": 1, "errors": 1, "findings": 1, "measures": 1, "status": 1}
    assert "cycles 100 → 110 (+10.0%)" in str(changes) and "error_rms 0.5 → 0.25 (-50.0%)" in str(changes)


def test_of_a_run_that_met_a_limit_nothing_else_is_compared(tmp_path):
    met = "UPDATE runs SET status = 'fault', code = 'limit.time', state = ?, cycles = ? WHERE n = 1 AND unit = 'm'"
    new, old = old_and_new(tmp_path, (met, "00ff", 7))
    assert told(compare(new, old)) == [("changed", {"n": 1, "unit": "m"}, [("status", "status", "good", "fault (limit.time)")])]
    change_rows(tmp_path / "old.sqlite", met, "00fe", 9)
    assert not compare(new, old)


def test_findings_in_another_order_are_the_same(tmp_path):
    set_findings = "UPDATE runs SET findings = ? WHERE n = 1 AND unit = 'm'"
    new, old = old_and_new(tmp_path, (set_findings, '{"b": 1, "a": 2}'))
    change_rows(tmp_path / "old.sqlite", set_findings, '{"a": 2, "b": 1}')
    assert not compare(new, old)


def test_times_in_seconds_are_not_compared(tmp_path):
    new, old = old_and_new(tmp_path, ("UPDATE runs SET seconds = 12345 WHERE n = ? AND unit = 'm'", 1))
    assert not compare(new, old)


def test_runs_of_one_file_alone(tmp_path):
    sweep(tmp_path, "old.sqlite", table={"axes": {"n": [1, 2], "unit": ["m"]}})
    results = sweep(tmp_path, "new.sqlite", table={"axes": {"n": [2, 4], "unit": ["m"]}}, against=tmp_path / "old.sqlite")
    assert told(results.changes) == [("added", {"n": 4, "unit": "m"}, []), ("removed", {"n": 1, "unit": "m"}, [])]
    assert (results.changes.compared, results.changes.changed) == (1, 0) and results.changes


def test_another_order_and_rows_of_an_earlier_form_do_not_matter(tmp_path):
    sweep(tmp_path, "old.sqlite", table={"axes": {"n": [1, 2, 3], "unit": ["m", "mm", "km"]}})
    sweep(tmp_path, "old.sqlite", table={"axes": {"n": [2, 1], "unit": ["mm", "m"]}})
    results = sweep(tmp_path, "new.sqlite", table={"axes": {"n": [1, 2], "unit": ["m", "mm"]}}, against=tmp_path / "old.sqlite")
    assert not results.changes and results.changes.compared == 4


def wider(n, unit, extra=0):
    return measure(n, unit)


def test_an_axis_more_with_one_value_is_matched_by_the_others(tmp_path):
    sweep(tmp_path, "old.sqlite")
    table = {"python": wider, "axes": {"extra": [7], "n": [1, 2], "unit": ["m", "mm"]}}
    results = sweep(tmp_path, "new.sqlite", table=table, against=tmp_path / "old.sqlite")
    assert told(results.changes) == [("removed", {"n": 3, "unit": "m"}, []), ("removed", {"n": 3, "unit": "mm"}, [])]
    assert results.changes.compared == 4
    assert results.changes.first[0].name == "n=3 unit=m"


def test_an_axis_more_with_several_values_says_which(tmp_path):
    sweep(tmp_path, "old.sqlite")
    table = {"python": wider, "axes": {"extra": [7, 8], "n": [1], "unit": ["m", "mm"]}}
    with pytest.raises(tessera.Error, match=r"n=1 unit=m, which differ in extra") as error:
        sweep(tmp_path, "new.sqlite", table=table, against=tmp_path / "old.sqlite")
    assert error.value.code == "sweep.against"
    with pytest.raises(tessera.Error, match="which differ in extra"):
        compare(Results.open(tmp_path / "old.sqlite"), Results.open(tmp_path / "new.sqlite"))


def test_no_axis_in_common(tmp_path):
    sweep(tmp_path, "old.sqlite")
    code, message = code_of(sweep, tmp_path, "new.sqlite", table={"python": abs, "axes": {"x": [1, 2]}}, against=tmp_path / "old.sqlite")
    assert code == "sweep.against" and "n, unit" in message
    assert not (tmp_path / "new.sqlite").exists()


def test_measures_of_one_file_alone_are_named_and_not_compared(tmp_path):
    sweep(tmp_path, "old.sqlite")
    results = sweep(tmp_path, "new.sqlite", table={"metrics": lambda measured: {"fresh": 1}}, against=tmp_path / "old.sqlite")
    assert not results.changes and results.changes.only_new == ["fresh"] and results.changes.only_old == []
    assert "not compared, as only the new results have it: fresh" in str(results.changes)


def test_the_own_results_file_is_refused(tmp_path):
    sweep(tmp_path, "old.sqlite")
    os.link(tmp_path / "old.sqlite", tmp_path / "link.sqlite")
    for path in ("old.sqlite", "link.sqlite"):
        code, message = code_of(sweep, tmp_path, "old.sqlite", against=tmp_path / path)
        assert code == "sweep.against" and "own results file" in message


def test_files_that_are_no_results(tmp_path):
    (tmp_path / "text").write_text("no results, but more than a hundred bytes of text" * 4)
    for path, code in (("none", "sweep.open"), ("text", "sweep.results")):
        assert code_of(sweep, tmp_path, "new.sqlite", against=tmp_path / path)[0] == code
    assert not (tmp_path / "new.sqlite").exists()


def test_a_summary_shows_twenty_and_counts_the_rest(tmp_path):
    axes = {"n": {"from": 1, "to": 40}, "unit": ["m"]}
    sweep(tmp_path, "old.sqlite", table={"python": lambda n, unit: n, "axes": axes})
    results = sweep(tmp_path, "new.sqlite", table={"python": lambda n, unit: n + (n > 5), "axes": axes}, against=tmp_path / "old.sqlite")
    lines = str(results.changes).splitlines()
    shown = [line for line in lines if line.startswith("  n=")]
    assert [line.split(":")[0].strip() for line in shown] == [f"n={n} unit=m" for n in range(6, 26)]
    assert lines[-1] == "  and 15 more" and "40 runs compared, 35 changed" in lines[0]


# --- JUnit


def test_junit_has_a_case_for_each_run(tmp_path):
    sweep(tmp_path, "old.sqlite", table={"axes": {"n": [1, 2, 3], "unit": ["m", "\x01<\"&\n"]}})
    change_rows(tmp_path / "old.sqlite", "UPDATE runs SET cycles = ? WHERE n = 2 AND unit = 'm'", 160)
    results = sweep(tmp_path, "new.sqlite", table={"axes": {"n": [2, 3, 4], "unit": ["m", "\x01<\"&\n"]}}, against=tmp_path / "old.sqlite",
                    junit=tmp_path / "report.xml")
    root = ElementTree.parse(tmp_path / "report.xml").getroot()
    cases = list(root.iter("testcase"))
    odd = "\ufffd<\"&\n"  # of two characters that XML cannot hold as such, one is replaced and one is escaped
    assert [case.get("name") for case in cases] == [f"n={n} unit={unit}" for n in (2, 3, 4) for unit in ("m", odd)] + [
        f"n=1 unit={unit}" for unit in ("m", odd)]
    failures = {case.get("name"): case.find("failure") for case in cases if case.find("failure") is not None}
    assert set(failures) == {"n=2 unit=m", "n=4 unit=m", f"n=4 unit={odd}", "n=1 unit=m", f"n=1 unit={odd}"}
    assert failures["n=2 unit=m"].get("type") == "cycles"
    assert failures["n=2 unit=m"].get("message") == failures["n=2 unit=m"].text == "cycles 160 → 200 (+25.0%)"
    for element in (root, root.find("testsuite")):
        assert {name: element.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
            "tests": "8", "failures": "5", "errors": "0", "skipped": "0"}
    assert {case.get("classname") for case in cases} == {"gate"} == {root.find("testsuite").get("name")}
    assert float(root.get("time")) == pytest.approx(sum(row["seconds"] for row in results.rows()), abs=1e-5)


def test_junit_needs_something_to_compare_with(tmp_path):
    assert code_of(sweep, tmp_path, "new.sqlite", junit=tmp_path / "report.xml")[0] == "sweep.value"
    assert not (tmp_path / "new.sqlite").exists()


# --- Exit status


def status_of(folder, **options):
    done = subprocess.run(command(specification="gate.toml", quiet=True, workers=0, **options), cwd=folder, env=ENVIRONMENT, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_exit_status(tmp_path):
    (tmp_path / "measure.py").write_text("def run(n):\n    if n == 3:\n        raise ValueError('three')\n    return {'cycles': n}\n")
    (tmp_path / "gate.toml").write_text('python = "measure.py:run"\naxes = { n = [1, 2] }\n')
    assert status_of(tmp_path)[0] == 0
    shutil.copy(tmp_path / "gate.sqlite", tmp_path / "old.sqlite")
    assert status_of(tmp_path, against="old.sqlite")[0] == 0
    (tmp_path / "measure.py").write_text((tmp_path / "measure.py").read_text().replace("'cycles': n", "'cycles': n + 1"))
    status, text = status_of(tmp_path, against="old.sqlite")
    assert status == 1 and "n=1: state" in text and "cycles 1 → 2 (+100.0%)" in text
    assert status_of(tmp_path)[0] == 0
    # A failed run alone is status 1. Held against a file with the same failure, it is no change.
    (tmp_path / "gate.toml").write_text('python = "measure.py:run"\naxes = { n = [1, 2, 3] }\n')
    assert status_of(tmp_path)[0] == 1
    shutil.copy(tmp_path / "gate.sqlite", tmp_path / "old.sqlite")
    assert status_of(tmp_path, against="old.sqlite")[0] == 0
    assert status_of(tmp_path, against="gate.sqlite")[0] == 2
