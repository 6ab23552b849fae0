# SPDX-License-Identifier: Apache-2.0
"""A Python function of the user."""

from __future__ import annotations

import time

import numpy as np

from tessera.sweeps import functions
from tessera.sweeps.arrays import DATA_SEED, Arrays, data_seed, is_random
from tessera.sweeps.axes import Settings
from tessera.sweeps.measures import Measured, Outcome, canonical, digest_of_array, own_measures
from tessera.sweeps.refusal import refuse
from tessera.sweeps.specification import Specification
from tessera.sweeps.targets.judge import Judge


class PythonTarget:
    """Calls the function with the settings as keyword arguments (a dot becomes _), random arrays drawn.

    It returns an array, a number, or a mapping of names to numbers; in a mapping, 'result' may be an array.
    """

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.arrays = Arrays(specification.folder)
        self.judge = Judge(specification, self.arrays)
        assert specification.target is not None
        self.function = functions.load(specification.target, specification.folder)
        self.signature = functions.signature_of(self.function)
        self.name = getattr(self.function, "__name__", "the function")

    def _arguments(self, settings: Settings) -> dict[str, object]:
        seed = data_seed(settings)
        arguments: dict[str, object] = {}
        for name, value in settings.items():
            argument = name.replace(".", "_")
            if name == DATA_SEED and (self.signature is None or argument not in self.signature.parameters):
                continue
            if argument in arguments:
                other = next(each for each in settings if each.replace(".", "_") == argument)
                refuse("sweep.argument", f"'{other}' and '{name}' are both the argument '{argument}' of {self.name}(); rename one of them")
            arguments[argument] = self.arrays.array(name, value, seed) if is_random(value) else value
        return arguments

    def check(self, settings: Settings) -> None:
        arguments = self._arguments(settings)
        if self.signature is None:
            return
        try:
            self.signature.bind(**arguments)
        except TypeError as error:
            refuse("sweep.argument", f"{self.name}(): {error}; its arguments are {self.signature}")

    def leads(self, name: str, value: object) -> bool:
        return False

    def inputs(self, settings: Settings) -> list[str]:
        target = self.specification.target
        return self.judge.inputs + ([functions.parts(target, self.specification.folder)[0]] if isinstance(target, str) else [])

    def about(self) -> str:
        assert self.specification.target is not None
        return f"python {functions.source(self.specification.target, self.specification.folder)} {self.judge.about()}"

    def run(self, settings: Settings) -> Outcome:
        begin = time.perf_counter()
        returned = self.function(**self._arguments(settings))
        outcome = Outcome(seconds=time.perf_counter() - begin)
        result = returned
        if hasattr(returned, "items"):
            numbers = {name: value for name, value in returned.items() if name != "result"}
            outcome.measures.update(own_measures(numbers, f"{self.name}()"))
            outcome.state = digest_of_array(np.frombuffer(canonical(numbers).encode("utf-8", "backslashreplace"), np.uint8))
            result = returned.get("result")
        elif np.ndim(returned) == 0:
            outcome.measures.update(own_measures(returned, f"{self.name}()"))
            outcome.state = digest_of_array(np.asarray(returned))
            result = None
        outputs = [] if result is None else [np.asarray(result)]
        if outputs:
            outcome.state = digest_of_array(outputs[0])
        outcome.measures.update(self.judge.measures(Measured(settings, outputs=outputs, formats=[None] * len(outputs))))
        return outcome
