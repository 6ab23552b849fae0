# SPDX-License-Identifier: Apache-2.0
"""The steps of tessera.sweep(): check everything, run, compare, write."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Optional, Union

from tessera.errors import Error
from tessera.sweeps.arguments import check_arguments
from tessera.sweeps.execution import execute, make_pool
from tessera.sweeps.output import NO_STREAM, cannot_write
from tessera.sweeps.plan import Plan
from tessera.sweeps.products import Products, SweepResults
from tessera.sweeps.progress import Progress
from tessera.sweeps.refusal import refuse
from tessera.sweeps.specification import Specification, current_folder, read_specification
from tessera.sweeps.store import Store

Path = Union[str, os.PathLike[str]]


def _results_path(specification: Specification, results: Optional[Path]) -> str:
    if results is not None:
        path = os.fsdecode(results)
        if path == "-":
            cannot_write(path, NO_STREAM)
        return path
    if not specification.file:
        refuse("sweep.value", "sweep(): a sweep from a mapping needs results=, the path of its results file")
    return os.path.splitext(specification.file)[0] + ".sqlite"


@contextmanager
def _folder_stays() -> Iterator[None]:
    """Without workers, functions of the sweep run in this process, and may change its folder."""
    folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield
    finally:
        os.fchdir(folder)
        os.close(folder)


def do_sweep(source: Union[Path, Mapping[str, Any]], *, results: Optional[Path], workers: Optional[int], dask: Any,
             against: Optional[Path], junit: Optional[Path], html: Optional[Path], csv: Optional[Path], parquet: Optional[Path],
             png: Optional[Path], svg: Optional[Path], progress: Optional[Callable[[Progress], None]]) -> SweepResults:
    """tessera.sweep(), whose docstring says what the arguments are."""
    check_arguments(source, workers, progress, results=results, against=against, junit=junit, html=html, csv=csv, parquet=parquet,
                    png=png, svg=svg)
    if not all(os.path.isabs(each) for each in (results, against, junit, html, csv, parquet, png, svg) if each is not None):
        current_folder()
    specification = read_specification(source)
    path = _results_path(specification, results)
    products = Products(specification, path, against, junit=junit, html=html, csv=csv, parquet=parquet, png=png, svg=svg)
    plan = Plan(specification, path)
    products.check(plan)
    state = Progress(plan.total, progress)
    with make_pool(plan, workers, dask) as pool:
        store = Store(path)
        try:
            store.begin(plan)
            with _folder_stays():
                execute(plan, store, pool, state)
            store.finish()
        except Error as error:
            if state.done:
                error.add_note(f"rows of the runs before are in {path}")
            raise
        finally:
            store.close()
    found = SweepResults.open(path)
    try:
        products.make(found)
    except Error as error:
        error.add_note(f"the runs are done; rows in {path}")
        raise
    return found
