#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints "PASSED FAILED SKIPPED" of a report: GoogleTest's (--gtest_output=json:FILE) or pytest's (--junitxml=FILE.xml)."""

import json
import sys
import xml.etree.ElementTree


def results_of_googletest(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            name = f"{suite['name']}.{test['name']}"
            if test["status"] != "RUN" or test["result"] == "SKIPPED":
                yield name, "skipped"
            else:
                yield name, "failed" if test.get("failures") else "passed"


def results_of_pytest(path):
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.find("skipped") is not None:
            yield name, "skipped"
        else:
            bad = case.find("failure") is not None or case.find("error") is not None
            yield name, "failed" if bad else "passed"


report = sys.argv[1]
counts = {"passed": 0, "failed": 0, "skipped": 0}
for name, result in (results_of_pytest if report.endswith(".xml") else results_of_googletest)(report):
    counts[result] += 1
    if result == "skipped":
        print(f"SKIPPED {name}", file=sys.stderr)
print(*counts.values())
