# SPDX-License-Identifier: Apache-2.0
"""The files that a sweep reads: regular ones of bounded size, as the library reads (docs/limits.md)."""

from __future__ import annotations

import errno
import os
import stat
from typing import Optional

MOST_TEXT_BYTES = 64 << 20
MOST_BYTES = 4 << 30
"""Of an array."""


def check_file(path: str, most: Optional[int] = None) -> None:
    """Raises OSError for what is no regular file, which may have no end, and for a file of more than `most` bytes."""
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    if most is not None and status.st_size > most:
        raise OSError(errno.EFBIG, f"it has {status.st_size} bytes, and at most {most} are read")


def read_bytes(path: str, most: int) -> bytes:
    """All bytes of a file. Raises OSError as check_file()."""
    check_file(path, most)
    with open(path, "rb") as file:
        content = file.read(most + 1)  # files of /proc have the size 0, and others may grow meanwhile
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most} bytes, and at most {most} are read")
    return content
