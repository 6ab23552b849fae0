# SPDX-License-Identifier: Apache-2.0
"""Packages that only some outputs need."""

from __future__ import annotations

import importlib
from types import ModuleType

from tessera.sweeps.refusal import refuse

CURES = {"distributed": "install Debian's package python3-distributed, or run: pip install distributed",
         "matplotlib": "install Debian's package python3-matplotlib, or run: pip install matplotlib",
         "pyarrow": "run: pip install pyarrow (with a numpy older than 2: pip install 'pyarrow<20')"}


def require(package: str, option: str) -> ModuleType:
    """Imports a package. Raises Error 'sweep.package' if a package cannot be imported. It may be there and not fit its neighbours."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        why = "which is missing" if isinstance(error, ModuleNotFoundError) and error.name == package else f"which cannot be imported ({error})"
        refuse("sweep.package", f"{option} needs the Python package {package}, {why}: {CURES[package]}")
