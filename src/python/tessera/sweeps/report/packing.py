# SPDX-License-Identifier: Apache-2.0
"""Bytes as text of a page: zlib, then base64. page/data.js unpacks them."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEVEL = 4  # most of what stronger levels save, in a fraction of their time


def packed(data: bytes) -> bytes:
    """A block of a page."""
    return base64.b64encode(zlib.compress(data, LEVEL))


def planes(values: NDArray[Any]) -> bytes:
    """The first bytes of all values, then their second ones, and so on: like bytes stand together and compress well."""
    size = values.dtype.itemsize
    little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    return np.ascontiguousarray(little.view(np.uint8).reshape(-1, size).T).tobytes()


def json_bytes(value: Any) -> bytes:
    """JSON without spaces. Infinities are not in it. A byte of a path that is not UTF-8 becomes an escape of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=repr).encode("utf-8", "backslashreplace")
