# SPDX-License-Identifier: Apache-2.0
"""Traces, reports, pages and races of jobs."""

import json

import pytest

import tessera
from kernels import ROOT

PACKER = ROOT / "examples/seeds/7.3-through-the-packer.toml"


@pytest.fixture
def job():
    return tessera.load_job(PACKER)


def test_lines_are_the_run(job):
    run = tessera.Core(job).run(job)
    lines = [json.loads(line) for line in tessera.trace_lines(job).splitlines()]
    kinds = [line["kind"] for line in lines]
    assert kinds[0] == "header" and kinds[-1] == "end" and "write" not in kinds
    assert kinds.count("instruction") == sum(run.instructions)
    assert "write" in [json.loads(line)["kind"] for line in tessera.trace_lines(job, writes=True).splitlines()]


def test_perfetto_is_json(job):
    assert any(event["ph"] == "X" for event in json.loads(tessera.trace_perfetto(job))["traceEvents"])


def test_the_report_adds_up(job):
    run = tessera.Core(job).run(job)
    report = tessera.trace_report(job)
    assert report.cycles == run.cycles
    for unit in report.units:
        assert unit.busy + unit.waiting + unit.idle == report.cycles
    assert {unit.unit: unit.busy for unit in report.units} == {use.unit: use.busy for use in run.units}
    assert report.path[0].begin == 0 and report.path[-1].end == report.cycles
    assert all(one.end == other.begin for one, other in zip(report.path, report.path[1:]))
    assert report.passages and report.passages[0].pack[0] < report.passages[0].pack[1]
    assert str(report) == report.describe()


def test_a_page_holds_the_run(job):
    page = tessera.view(job)
    assert page.startswith("<!") and "7.3-through-the-packer.toml" in page


def test_races():
    wrong, right = (tessera.load_job(ROOT / f"examples/mistakes/freed_too_early/{name}.toml")
                    for name in ("wrong", "right"))
    report = tessera.find_races(right, runs=10)
    assert report.same and report.schedules == 11 and not report.findings
    report = tessera.find_races(wrong, runs=10)
    assert "hazard.dst" in [finding.code for finding in report.findings]
    assert report.outcomes[0].without_delays and "hazard.dst" in str(report)
    with pytest.raises(tessera.Error, match="100001 schedules are more than 100000"):
        tessera.find_races(wrong, runs=100_001)


def test_what_does_not_run_is_told():
    job = tessera.load_job(ROOT / "examples/deadlock/hangs/job.toml")
    assert json.loads(tessera.trace_lines(job).splitlines()[-1])["kind"] == "end", "a fault is an end"
