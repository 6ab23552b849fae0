#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints "PASSED FAILED SKIPPED" of a GoogleTest report (--gtest_output=json:FILE)."""

import json
import sys

passed = failed = skipped = 0
with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
for suite in report["testsuites"]:
    for test in suite["testsuite"]:
        if test["status"] != "RUN" or test["result"] == "SKIPPED":
            skipped += 1
            print(f"SKIPPED {suite['name']}.{test['name']}", file=sys.stderr)
        elif test.get("failures"):
            failed += 1
        else:
            passed += 1
print(passed, failed, skipped)
