# SPDX-License-Identifier: Apache-2.0
"""Types of the arguments of tessera.sweep()."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from tessera._arguments import is_index, wrong
from tessera.sweeps.refusal import refuse

MOST_WORKERS = 4096
_WHERE = "sweep(): "
_PATH = "a path (str or os.PathLike)"


def _is_path(value: Any) -> bool:
    if not isinstance(value, (str, os.PathLike)):
        return False
    try:
        return b"\0" not in os.fsencode(value)
    except Exception:  # UnicodeEncodeError, or one of a class of the caller's
        return False


def check_arguments(specification: Any, workers: Any, progress: Any, **paths: Any) -> None:
    """Raises ArgumentError, which names the argument, and Error 'sweep.value' for an empty path. `paths` may be None."""
    if not (isinstance(specification, Mapping) and all(isinstance(key, str) for key in specification) or _is_path(specification)):
        wrong(_WHERE, "specification", f"{_PATH} or a mapping of names", specification)
    if workers is not None and not (is_index(workers) and 0 <= workers <= MOST_WORKERS):
        wrong(_WHERE, "workers", f"an int of 0 to {MOST_WORKERS} or None", workers)
    if progress is not None and not callable(progress):
        wrong(_WHERE, "progress", "a function or None", progress)
    for name, path in paths.items():
        if path is not None and not _is_path(path):
            wrong(_WHERE, name, f"{_PATH} or None", path)
    for name, path in {"specification": specification, **paths}.items():
        if isinstance(path, (str, os.PathLike)) and not os.fspath(path):
            refuse("sweep.value", f"{_WHERE}the path of '{name}' is empty")
