# SPDX-License-Identifier: Apache-2.0
"""Prints the package directory of a prefix's interpreter, relative to the prefix."""

import site
import sys
import sysconfig
from pathlib import Path

prefix = Path(sys.argv[1])
known = [Path(one) for one in site.getsitepackages()]
own = [one.relative_to(prefix) for one in known if one.is_relative_to(prefix / "lib")]
other = Path(sysconfig.get_path("platlib", "posix_prefix", vars={"base": "", "platbase": ""}).lstrip("/"))
print(own[0] if own else other)
