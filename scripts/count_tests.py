#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints "PASSED FAILED SKIPPED" of a report: GoogleTest's (--gtest_output=json:FILE) or pytest's (--junitxml=FILE.xml).

A line for each test that failed follows, with the end of what it said.
"""

import json
import sys
import xml.etree.ElementTree

MOST_SAID = 600


def results_of_googletest(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            name = f"{suite['name']}.{test['name']}"
            if test["status"] != "RUN" or test["result"] == "SKIPPED":
                yield name, "skipped", ""
            else:
                failures = [failure["failure"] for failure in test.get("failures", [])]
                yield name, "failed" if failures else "passed", " ".join(failures)


def results_of_pytest(path):
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.find("skipped") is not None:
            yield name, "skipped", ""
        else:
            bad = case.findall("failure") + case.findall("error")
            yield name, "failed" if bad else "passed", " ".join(f"{one.get('message')} {one.text}" for one in bad)


report = sys.argv[1]
counts = {"passed": 0, "failed": 0, "skipped": 0}
failed = []
for name, result, said in (results_of_pytest if report.endswith(".xml") else results_of_googletest)(report):
    counts[result] += 1
    if result == "skipped":
        print(f"SKIPPED {name}", file=sys.stderr)
    if result == "failed":
        failed.append(f"{name}: {' '.join(said.split())[-MOST_SAID:]}")
print(*counts.values())
print(*failed, sep="\n")
