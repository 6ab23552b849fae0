# SPDX-License-Identifier: Apache-2.0
"""tessera check --junit and tessera run --sarif: what CI systems and editors read, held against --json and against what the formats
require."""

import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

import tessera
from kernels import ROOT

CLI = Path(tessera.__file__).resolve().parents[2] / "tessera"
MISTAKES = sorted(path.relative_to(ROOT) for path in ROOT.glob("examples/mistakes/*/*.toml"))


def run(*arguments, status=None):
    done = subprocess.run([CLI, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert status is None or done.returncode == status, done.stderr
    return done


# --- JUnit


def case(folder, name, gpr=7):
    """A case that a run of a small job passes, unless another value is expected."""
    job = folder / "job.toml"
    job.write_text('arch = "blackhole"\n[threads]\nmath = ["""\n.gpr 3 = 7\n"""]\n', encoding="utf-8")
    recorded = json.loads(run("record", job, status=0).stdout)
    recorded["expect"]["gpr"]["1"]["3"] = gpr
    path = folder / name
    path.write_text(json.dumps(recorded), encoding="utf-8")
    return path


def counts(element):
    return {name: int(element.get(name)) for name in ("tests", "failures", "errors", "skipped")}


def test_junit_has_every_case_with_its_end(tmp_path):
    odd = 'odd <&">.json'
    good, bad, odd_name = case(tmp_path, "good.json"), case(tmp_path, "bad.json", 8), case(tmp_path, odd)
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    report = tmp_path / "report.xml"
    told = json.loads(run("check", good, bad, broken, odd_name, "--junit", report, "--json").stdout)
    root = ElementTree.parse(report).getroot()
    assert root.tag == "testsuites"
    assert counts(root) == {"tests": 4, "failures": 1, "errors": 1, "skipped": 0}
    cases = {one.get("file"): one for one in root.iter("testcase")}
    assert list(cases) != [] and set(cases) == {str(good), str(bad), str(broken), str(odd_name)}
    assert sum(counts(suite)["tests"] for suite in root.iter("testsuite")) == 4
    assert float(root.get("time")) == pytest.approx(sum(float(one.get("time")) for one in cases.values()), abs=0.002)
    assert all(float(one.get("time")) >= 0 for one in cases.values())

    for one in told["cases"]:
        element = cases[one["path"]]
        assert element.get("classname") == one["category"]
        assert element.get("name") == one["id"]
        failure = element.find("failure")
        assert (failure is None) == (one["verdict"] == "passed")
        if failure is not None:
            assert failure.text == one["difference"]
            assert failure.get("message") == one["difference"].splitlines()[0]
    assert "[case.syntax]" in cases[str(broken)].find("error").text
    assert cases[str(odd_name)].get("name") == f"{tmp_path.name}/odd <&\">"


def test_junit_takes_time_of_runs(tmp_path):
    path, report = case(tmp_path, "long.json"), tmp_path / "report.xml"
    long = json.loads(path.read_text(encoding="utf-8"))
    text = '.repeat 200000\nINCRWC rwc_d=1\n.end\n.gpr 3 = 7\n'
    job = tmp_path / "job.toml"
    job.write_text(f'arch = "blackhole"\n[threads]\nmath = ["""\n{text}"""]\n', encoding="utf-8")
    long = json.loads(run("record", job, status=0).stdout)
    path.write_text(json.dumps(long), encoding="utf-8")
    run("check", path, "--junit", report, status=0)
    assert float(ElementTree.parse(report).getroot().find("testsuite/testcase").get("time")) > 0


def test_junit_says_what_a_list_expects(tmp_path):
    good, listed = case(tmp_path, "good.json"), tmp_path / "list.txt"
    listed.write_text(f"{tmp_path.name}/good\n", encoding="utf-8")
    report = tmp_path / "report.xml"
    run("check", good, "--not-yet", listed, "--junit", report, status=1)
    failure = ElementTree.parse(report).getroot().find("testsuite/testcase/failure")
    assert failure.get("message") == "passed, but is on the list"


def test_junit_is_not_written_over_an_input(tmp_path):
    good = case(tmp_path, "good.json")
    before = good.read_bytes()
    assert "[output.input]" in run("check", good, "--junit", good, status=2).stderr
    assert good.read_bytes() == before


# --- SARIF

# Required and allowed members of the written objects, by SARIF 2.1.0 (OASIS).
REQUIRED = {
    "log": {"version", "runs"},
    "run": {"tool"},
    "tool": {"driver"},
    "toolComponent": {"name"},
    "invocation": {"executionSuccessful"},
    "reportingDescriptor": {"id"},
    "result": {"message"},
    "stack": {"frames"},
}
ALLOWED = {
    "log": {"$schema", "version", "runs"},
    "run": {"tool", "invocations", "results"},
    "tool": {"driver"},
    "toolComponent": {"name", "semanticVersion", "rules"},
    "invocation": {"executionSuccessful"},
    "reportingDescriptor": {"id", "shortDescription", "fullDescription", "help", "helpUri", "defaultConfiguration"},
    "reportingConfiguration": {"level"},
    "result": {"ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations", "stacks", "occurrenceCount", "properties"},
    "location": {"id", "physicalLocation", "logicalLocations", "message"},
    "physicalLocation": {"artifactLocation", "region"},
    "artifactLocation": {"uri"},
    "region": {"startLine"},
    "logicalLocation": {"fullyQualifiedName", "kind"},
    "message": {"text"},
    "stack": {"message", "frames"},
    "stackFrame": {"location"},
}
PARTS = {
    "log": {"runs": "run"},
    "run": {"tool": "tool", "invocations": "invocation", "results": "result"},
    "tool": {"driver": "toolComponent"},
    "toolComponent": {"rules": "reportingDescriptor"},
    "reportingDescriptor": {"shortDescription": "message", "fullDescription": "message", "help": "message", "defaultConfiguration": "reportingConfiguration"},
    "result": {"message": "message", "locations": "location", "relatedLocations": "location", "stacks": "stack"},
    "location": {"physicalLocation": "physicalLocation", "logicalLocations": "logicalLocation", "message": "message"},
    "physicalLocation": {"artifactLocation": "artifactLocation", "region": "region"},
    "stack": {"message": "message", "frames": "stackFrame"},
    "stackFrame": {"location": "location"},
}
LEVELS = {"none", "note", "warning", "error"}


def check_object(kind, value):
    assert isinstance(value, dict), kind
    assert REQUIRED.get(kind, set()) <= set(value) <= ALLOWED[kind], (kind, value)
    for name, part in PARTS.get(kind, {}).items():
        if name in value:
            for one in value[name] if isinstance(value[name], list) else [value[name]]:
                check_object(part, one)
    if "level" in value:
        assert value["level"] in LEVELS
    if kind == "region":
        assert value["startLine"] >= 1
    if kind == "message":
        assert value["text"] and isinstance(value["text"], str)
    if kind == "artifactLocation":
        assert quote(unquote(value["uri"]), safe="/:-._~") == value["uri"]


def sarif(tmp_path, *arguments):
    path = tmp_path / "run.sarif"
    told = json.loads(run("run", *arguments, "--no-output", "--json", "--sarif", path).stdout)
    log = json.loads(path.read_text(encoding="utf-8"))
    check_object("log", log)
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    assert only["tool"]["driver"]["semanticVersion"] == tessera.__version__
    return told, only


def place_of(location):
    where = location["physicalLocation"]
    return f"{unquote(where['artifactLocation']['uri'])}:{where['region']['startLine']}"


def expected_level(finding):
    return {"info": "note"}.get(finding["level"], finding["level"])


@pytest.mark.parametrize("job", MISTAKES, ids=str)
def test_sarif_has_what_json_has(tmp_path, job):
    told, only = sarif(tmp_path, job)
    results, rules = only["results"], only["tool"]["driver"]["rules"]
    diagnoses = told["findings"] + ([told["fault"]] if told["fault"] else [])
    assert len(results) == len(diagnoses)
    assert [one["id"] for one in rules] == list(dict.fromkeys(one["code"] for one in diagnoses))
    for result, one in zip(results, diagnoses):
        assert result["ruleId"] == one["code"] == rules[result["ruleIndex"]]["id"]
        assert result["level"] == (expected_level(one) if "level" in one else "error")
        assert result["message"]["text"].startswith(one["message"])
        assert one["cure"] in result["message"]["text"]
        page, _, anchor = unquote(rules[result["ruleIndex"]]["helpUri"].removeprefix("file://")).partition("#")
        headings = [line[3:] for line in Path(page).read_text(encoding="utf-8").splitlines() if line.startswith("## ")]
        assert one["code"] in headings and anchor == one["code"].replace(".", "")
        (location,) = result["locations"]
        if one["place"]:
            assert place_of(location) == one["place"]
            assert location["message"]["text"] == one["instruction"]
        # The message names the other instruction's line in brackets.
        named = re.findall(r"\(([^()\s]+:\d+)\)", one["message"])
        assert [place_of(other) for other in result.get("relatedLocations", [])] == named


def test_sarif_names_the_other_instruction(tmp_path):
    _, only = sarif(tmp_path, "examples/mistakes/wrong_wait/wrong.toml")
    (result,) = [one for one in only["results"] if one["ruleId"] == "hazard.dst"]
    lines = (ROOT / "examples/mistakes/wrong_wait/threads.tts").read_text(encoding="utf-8").splitlines()
    at = [result["locations"][0]["physicalLocation"]["region"]["startLine"],
          result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"]]
    mnemonics = [lines[line - 1].split()[0].removeprefix("tt").upper() for line in at]
    told = [result["locations"][0]["message"]["text"], result["relatedLocations"][0]["message"]["text"]]
    assert mnemonics == [text.split()[0] for text in told]
    assert mnemonics[0] == "PACR"


def test_sarif_of_a_hang_has_who_waits(tmp_path):
    told, only = sarif(tmp_path, "examples/deadlock/hangs/job.toml")
    result = only["results"][-1]
    assert result["ruleId"] == "deadlock" == told["fault"]["code"]
    waiting = [one for one in told["blocked"] if not one["finished"] and one["place"]]
    assert waiting
    assert [place_of(one) for one in result["relatedLocations"]] == [one["place"] for one in told["blocked"] if one["place"]]
    for one in waiting:
        assert any(one["waits_for"] in other["message"]["text"] for other in result["relatedLocations"])
    # A fault of the run as a whole has no line: the job itself is named.
    if not told["fault"]["place"]:
        assert result["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "examples/deadlock/hangs/job.toml"}}


def test_sarif_levels_and_counts(tmp_path):
    for level, written in (("info", "note"), ("warning", "warning"), ("error", "error")):
        told, only = sarif(tmp_path, "examples/mistakes/wrong_wait/wrong.toml", "--finding", f"hazard.dst={level}")
        results = [one for one in only["results"] if one["ruleId"] == "hazard.dst"]
        assert [one["level"] for one in results] == [written]
        assert only["tool"]["driver"]["rules"][0]["defaultConfiguration"] == {"level": "warning"}
        assert [one["occurrenceCount"] for one in only["results"]] == [one["count"] for one in told["findings"]]


def test_sarif_of_a_good_run_is_empty(tmp_path):
    _, only = sarif(tmp_path, "examples/mistakes/wrong_wait/right.toml")
    assert only["results"] == [] and only["tool"]["driver"]["rules"] == []


def test_sarif_paths_are_uris(tmp_path):
    folder = tmp_path / "a b%#ä"
    folder.mkdir()
    for name in ("threads.tts", "wrong.toml"):
        (folder / name).write_bytes((ROOT / "examples/mistakes/wrong_wait" / name).read_bytes())
    _, only = sarif(tmp_path, folder / "wrong.toml")
    uri = only["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == (folder / "threads.tts").as_uri()


def test_sarif_is_not_written_over_an_input():
    job = "examples/mistakes/wrong_wait/wrong.toml"
    before = (ROOT / job).read_bytes()
    assert "[output.input]" in run("run", job, "--sarif", job, status=2).stderr
    assert (ROOT / job).read_bytes() == before
