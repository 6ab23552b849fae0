# SPDX-License-Identifier: Apache-2.0
"""Comparisons of a script whose last line is "NAME: N same, M differ"."""

import sys
from pathlib import Path


class Comparisons:
    def __init__(self, tells_same=True):
        """`tells_same`: not only differences have a line."""
        self.same = self.differ = 0
        self.tells_same = tells_same

    def compare(self, what, expected, actual):
        self.count(what, expected == actual, f"expected {expected!r:.500}, got {actual!r:.500}")

    def count(self, what, is_same, otherwise):
        """`otherwise`: how it differs, if it does."""
        if is_same:
            self.same += 1
            if self.tells_same:
                print(f"same    {what}", flush=True)
        else:
            self.differ += 1
            print(f"DIFFER  {what}: {otherwise}", flush=True)

    def finish(self):
        """The last line, and the end of the script."""
        print(f"{Path(sys.argv[0]).name}: {self.same} same, {self.differ} differ")
        sys.exit(self.differ > 0)
