# SPDX-License-Identifier: Apache-2.0
"""Holds the result of a run against its reference, and asks the user's function for numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from tessera.sweeps import functions
from tessera.sweeps.arrays import Arrays
from tessera.sweeps.measures import Measured, Measures, errors, own_measures
from tessera.sweeps.refusal import refuse
from tessera.sweeps.specification import Specification


class Judge:
    """`reference` and `metrics` of a sweep file."""

    def __init__(self, specification: Specification, arrays: Arrays) -> None:
        self.specification = specification
        self.arrays = arrays
        for key, function in (("reference", specification.reference), ("metrics", specification.metrics)):
            if function is not None and not self._is_array(function):
                functions.check_takes_run(functions.load(function, specification.folder), key)

    @staticmethod
    def _is_array(reference: Any) -> bool:
        return isinstance(reference, str) and reference.endswith(".npy")

    @property
    def inputs(self) -> list[str]:
        """Absolute paths of the files that it reads."""
        given = [each for each in (self.specification.reference, self.specification.metrics) if isinstance(each, str)]
        return [self.arrays.path(each) if self._is_array(each) else functions.parts(each, self.specification.folder)[0] for each in given]

    def about(self) -> str:
        """A text that changes with the functions."""
        given = [each for each in (self.specification.reference, self.specification.metrics) if each is not None]
        return " ".join(functions.source(each, self.specification.folder) for each in given)

    def measures(self, measured: Measured, exact: Optional[Callable[[], NDArray[Any]]] = None) -> Measures:
        """Errors of the chosen output, against the sweep's reference or else `exact`, and the user's own numbers."""
        found: Measures = {}
        given = self.specification.reference
        if given is not None or exact is not None:
            at = self.specification.output
            if at >= len(measured.outputs):
                refuse("sweep.reference", f"there is no output {at} to compare: the run has {len(measured.outputs)}")
            if given is None:
                assert exact is not None
                reference = exact()
            elif self._is_array(given):
                reference = self.arrays.array("reference", given, 0)
            else:
                reference = np.asarray(functions.load(given, self.specification.folder)(measured))
            found.update(errors(measured.outputs[at], reference, measured.formats[at]))
        if self.specification.metrics is not None:
            found.update(own_measures(functions.load(self.specification.metrics, self.specification.folder)(measured),
                                      "the function of 'metrics'"))
        return found
