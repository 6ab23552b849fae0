# SPDX-License-Identifier: Apache-2.0
"""Array arguments of a sweep: files, lists, or random numbers with a seed."""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessera._arguments import SIGNED, given
from tessera.sweeps.axes import Settings, plain
from tessera.sweeps.files import MOST_BYTES, check_file
from tessera.sweeps.refusal import named, nearest, refuse, shown

DATA_SEED = "data.seed"
"""The setting that seeds all random arrays of a run."""

DRAWS: dict[str, tuple[str, ...]] = {"normal": ("mean", "scale"), "uniform": ("low", "high"), "integers": ("low", "high")}
DEFAULTS = {"mean": 0.0, "scale": 1.0, "low": 0, "high": 1}
MOST_FLOAT32 = float(np.finfo(np.float32).max)
MOST_NUMBERS = 1 << 28
"""Of a random array."""


def is_random(value: Any) -> bool:
    """Whether a setting is a description of random numbers."""
    return isinstance(value, Mapping) and "random" in value


def _check_shape(name: str, shape: Any) -> None:
    if not isinstance(shape, (list, tuple)) or not 1 <= len(shape) <= 2:
        refuse("sweep.array", f"'{name}': random numbers need a shape of one or two sizes, not {shown(shape)}")
    sizes = [plain(size) for size in shape]
    for size in sizes:
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            refuse("sweep.array", f"'{name}': the sizes of a shape are whole numbers from 1 on, not {shown(size)}")
    if math.prod(sizes) > MOST_NUMBERS:
        refuse("sweep.array", f"'{name}': shape {sizes} has {math.prod(sizes):,} numbers; a random array has {MOST_NUMBERS:,} at most")


def _is_finite(value: Any) -> bool:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond float64
        return False


def _check_draws(name: str, value: Mapping[str, Any]) -> None:
    """Checks what the generator is given."""
    kind = value["random"]
    keys = DRAWS[kind]
    for key in keys:
        if key in value and not _is_finite(value[key]):
            refuse("sweep.array", f"'{name}': '{key}' is a finite number, not {given(value[key])}")
        if kind != "integers" and key in value and abs(value[key]) > MOST_FLOAT32:
            refuse("sweep.array", f"'{name}': '{key}' is beyond float32, which ends at {MOST_FLOAT32:.8g}: {given(value[key])}")
        if kind == "integers" and key in value and (value[key] != int(value[key]) or int(value[key]) not in SIGNED):
            refuse("sweep.array", f"'{name}': '{key}' of integers is a whole number of {SIGNED[0]} to {SIGNED[-1]}, not {shown(value[key])}")
    first, second = (value.get(key, DEFAULTS[key]) for key in keys)
    if kind == "normal" and second < 0:
        refuse("sweep.array", f"'{name}': 'scale' is a number from 0 on, not {shown(second)}")
    if kind != "normal" and first > second:
        refuse("sweep.array", f"'{name}': 'low' is {shown(first)}, above 'high', which is {shown(second)}")


def check_random(name: str, value: Mapping[str, Any]) -> None:
    """Raises Error 'sweep.array' for a description that random_array() cannot use."""
    kind = value["random"]
    if not isinstance(kind, str) or kind not in DRAWS:
        refuse("sweep.array", f"'{name}': no random numbers are {shown(kind)}; known are {', '.join(DRAWS)}")
    known = ("random", "shape", "seed", *DRAWS[kind])
    for key in value:
        if key not in known:
            refuse("sweep.array", f"'{name}': unknown key '{key}' of random numbers{nearest(key, known)}")
    _check_shape(name, value.get("shape"))
    _check_draws(name, value)
    seed = value.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool):
        refuse("sweep.array", f"'{name}': 'seed' is a whole number, not {shown(seed)}")


def random_array(name: str, value: Mapping[str, Any], data_seed: int) -> NDArray[Any]:
    """The array of a description: the same for the same name, description and seed, on any machine.

    float32 of numpy's generator PCG64 for 'normal' and 'uniform' (low to below high), int64 for 'integers' (low to high, both
    included). Raises Error 'sweep.array' if a number is beyond float32.
    """
    drawn: NDArray[Any]
    generator = np.random.Generator(np.random.PCG64([zlib.crc32(name.encode()), value.get("seed", 0) % 2**64, data_seed % 2**64]))
    first, second = (value.get(key, DEFAULTS[key]) for key in DRAWS[value["random"]])
    if value["random"] == "normal":
        drawn = generator.normal(first, second, value["shape"])
    elif value["random"] == "uniform":
        drawn = generator.uniform(first, second, value["shape"])
    else:
        drawn = generator.integers(int(first), int(second), value["shape"], endpoint=True)
        return drawn
    with np.errstate(over="ignore"):
        drawn = drawn.astype(np.float32)
    if not np.isfinite(drawn).all():
        refuse("sweep.array", f"'{name}': a random number is beyond float32, which ends at {MOST_FLOAT32:.8g}: lower 'mean' or 'scale'")
    return drawn


def read_array(name: str, path: str) -> NDArray[Any]:
    """An array of a .npy file. Raises Error 'sweep.array'."""
    try:
        check_file(path, MOST_BYTES)
        array: Any = np.load(path, allow_pickle=False)
    except OSError as error:
        refuse("sweep.array", f"'{name}': {path}: {error.strerror or error}")
    except Exception as error:  # of many kinds: numpy reads headers as Python, and archives
        refuse("sweep.array", f"'{name}': {path}: {named(error)}")
    if not isinstance(array, np.ndarray):
        refuse("sweep.array", f"'{name}': {path}: it is an archive of arrays, not a .npy file")
    return array


class Arrays:
    """Turns settings into arrays, and keeps files that were read."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.files: dict[str, NDArray[Any]] = {}

    def path(self, value: str) -> str:
        """A path of the sweep file, made absolute."""
        return os.path.normpath(os.path.join(self.folder, value))

    def array(self, name: str, value: Any, data_seed: int) -> NDArray[Any]:
        """The array of an argument: a path, a description of random numbers, or numbers."""
        if isinstance(value, str):
            path = self.path(value)
            if path not in self.files:
                self.files[path] = read_array(name, path)
            return self.files[path]
        if is_random(value):
            check_random(name, value)
            return random_array(name, value, data_seed)
        try:
            return np.asarray(value)
        except Exception as error:  # of lists of different lengths, of more than 32 levels, or one of a class of the caller's
            refuse("sweep.value", f"'{name}': numpy makes no array of {given(value)}: {named(error)}")


def data_seed(settings: Settings) -> int:
    """The seed of the run's random arrays, 0 by default."""
    seed = settings.get(DATA_SEED, 0)
    if not isinstance(seed, int) or isinstance(seed, bool):
        refuse("sweep.array", f"'{DATA_SEED}' is a whole number, not {shown(seed)}")
    return seed
