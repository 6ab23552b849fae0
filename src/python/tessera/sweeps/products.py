# SPDX-License-Identifier: Apache-2.0
"""The files that are made of a results file, and the comparison with another one. All is checked before the first run."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import IO, Any, Optional, Union

from tessera.errors import Error
from tessera.sweeps import comparison, export, junit, packages, report
from tessera.sweeps.output import OutputFile, cannot_write, check_no_input, check_outputs, commit, same_file
from tessera.sweeps.plan import Plan
from tessera.sweeps.refusal import refuse
from tessera.sweeps.report import page, pictures
from tessera.sweeps.specification import Specification
from tessera.sweeps.store import Results

Path = Union[str, os.PathLike[str]]
Write = Callable[[Results, IO[bytes]], None]

WRITERS: Mapping[str, Write] = {"csv": export.write_csv, "parquet": export.write_parquet, "html": page.write_html}
PICTURES: Mapping[str, Write] = {"png": pictures.write_png, "svg": pictures.write_svg}
NEEDED = {"parquet": "pyarrow", "png": "matplotlib", "svg": "matplotlib"}


class SweepResults(Results):
    """A results file, as tessera.sweep() returns it.

    changes  what differs from the file of `against`; None: not compared
    """

    changes: Optional[comparison.Changes] = None


class Products:
    """The products of one call of tessera.sweep(): paths by the names of its arguments."""

    def __init__(self, specification: Specification, results: str, against: Optional[Path], **paths: Optional[Path]) -> None:
        """Raises Error: 'sweep.package', 'sweep.against', 'sweep.value', 'sweep.key'."""
        self.specification = specification
        self.results = results
        self.against = None if against is None else os.fsdecode(against)
        self.paths = {name: os.fsdecode(path) for name, path in paths.items() if path is not None}
        for name in self.paths:
            if name in NEEDED:
                packages.require(NEEDED[name], f"'{name}'")
        report.check_choice(specification)
        if "junit" in self.paths and self.against is None:
            refuse("sweep.value", "'junit' writes a comparison: it needs 'against', the results file to compare with")
        if self.against is not None:
            self._check_against(self.against)

    def _check_against(self, against: str) -> None:
        if same_file(against, self.results):
            refuse("sweep.against", f"{against} is this sweep's own results file, which would be compared with itself; copy the file before the "
                                    "change, and compare with the copy")
        old = Results.open(against)
        try:
            comparison.check_comparable([axis.name for axis in self.specification.axes], old)
        finally:
            old.close()

    def check(self, plan: Plan) -> None:
        """Raises Error for outputs that cannot be written, or that are inputs: 'sweep.write', 'output.input', 'output.twice'."""
        inputs = [*plan.files.known, *([self.specification.file] if self.specification.file else []),
                  *([self.against] if self.against is not None else [])]
        check_no_input(self.results, inputs)
        check_outputs(self.paths.values(), [*inputs, self.results])

    def make(self, results: SweepResults) -> None:
        """Compares and writes. Of several files all appear, or none."""
        files: list[OutputFile] = []
        changes: Any = None
        path = self.results
        try:
            if self.against is not None:
                old = Results.open(self.against)
                try:
                    changes = results.changes = comparison.compare(results, old)
                finally:
                    old.close()
            for name, path in self.paths.items():
                files.append(OutputFile(path))
                if name == "junit":
                    junit.write_junit(changes, files[-1].file)
                elif name in PICTURES:
                    self._draw(results, name, files[-1])
                else:
                    WRITERS[name](results, files[-1].file)
            commit(files)
        except OSError as error:
            if not hasattr(error, "code"):
                cannot_write(path, error.strerror or error)
            raise
        finally:
            for file in files:
                file.discard()

    @staticmethod
    def _draw(results: Results, name: str, output: OutputFile) -> None:
        try:
            PICTURES[name](results, output.file)
        except (Error, OSError):
            raise
        except Exception as error:  # of many kinds: matplotlib has no way for some numbers
            refuse("sweep.write", f"cannot draw '{output.path}': {error}; the same call without '{name}' writes the other files")
