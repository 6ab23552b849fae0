# SPDX-License-Identifier: Apache-2.0
"""Sweeps: many runs from one file (docs/sweeps.md).

    results = tessera.sweep("formats.toml", html="formats.html")
    for row in results.rows():
        print(row["format"], row["fidelity"], row["error_rms"])
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

if TYPE_CHECKING:
    from tessera.sweeps.products import SweepResults
    from tessera.sweeps.progress import Progress

Path = Union[str, os.PathLike[str]]


def sweep(specification: Union[Path, Mapping[str, Any]], *, results: Optional[Path] = None, workers: Optional[int] = None,
          dask: Any = None, against: Optional[Path] = None, junit: Optional[Path] = None, html: Optional[Path] = None,
          csv: Optional[Path] = None, parquet: Optional[Path] = None, png: Optional[Path] = None, svg: Optional[Path] = None,
          progress: Optional[Callable[[Progress], None]] = None) -> SweepResults:
    """Does all runs of a sweep that its results file lacks, and returns its SweepResults.

    specification  path of a sweep file (docs/sweeps.md), or a mapping with the same keys. In a mapping, functions may be callables,
                   and the values of an axis any iterable
    results        the results file; default: the sweep file's name with .sqlite; for a mapping it must be given
    workers        processes, of which no more are started than there are runs; 0: none, all runs in this process; None: one for each
                   hardware thread, but 0 in a worker of another sweep
    dask           address of a Dask scheduler, 'local', or a distributed.Client: the runs are done there
    against        another results file. SweepResults.changes then has what differs
    junit          writes the comparison as JUnit XML; needs `against`
    html           writes the report, one page
    csv, parquet   write all rows
    png, svg       write the picture of the report
    progress       called with a Progress, ten times a second at most

    A run that fails is a row. Ctrl-C lets the runs at hand end, stores them and raises KeyboardInterrupt; the next call goes on there.
    Raises Error, before the first run, for a wrong sweep ('sweep.…'). After runs, it raises Error with a note if a file cannot be made, if
    the results file takes no more ('sweep.write'), or if a file that runs read has changed meanwhile ('sweep.changed').
    """
    from tessera.sweeps.entry import do_sweep

    return do_sweep(specification, results=results, workers=workers, dask=dask, against=against, junit=junit, html=html, csv=csv,
                    parquet=parquet, png=png, svg=svg, progress=progress)


__all__ = ["sweep"]
