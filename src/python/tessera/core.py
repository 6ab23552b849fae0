# SPDX-License-Identifier: Apache-2.0
"""The core, with its state by name."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tessera import _core
from tessera._arguments import UINT64, is_within, wrong
from tessera.errors import error_of
from tessera.state import Config, Section, State
from tessera.tensors import Bytes, Format, memory_bytes


class Core(_core.Core):
    """A Tensix coprocessor with its L1 and its RISC-V cores.

    arch   'blackhole' or 'wormhole'; or a Core, for a snapshot with the same state; or a Job, for a core with its memory in place
    reset  the contents of memory before anything has run. 'silicon': a read of memory that was never written is a finding of level
           info. 'vendor-sim': no such finding. A Core and a Job have their own

    Cores are independent: each may run in a thread of its own. A core between two runs can be pickled, with all its state.
    """

    @property
    def state(self) -> State:
        """All state of the coprocessor, by name: core.state['semaphore_value'][1]."""
        return State(self)

    @property
    def config(self) -> Config:
        """Configuration fields by name: core.config['ALU_FORMAT_SPEC_REG0_SrcA']."""
        return Config(self)

    @property
    def gpr(self) -> Section:
        """GPRs: core.gpr[thread, 0 to 63]."""
        return self.state["gpr"]

    @property
    def lregs(self) -> NDArray[np.float32]:
        """LRegs of the vector unit as a copy, float32 of shape (registers, lanes); view(numpy.uint32) shows the bits."""
        return np.asarray(self.state["lregs"]).astype(np.uint32).view(np.float32)

    @property
    def rwc(self) -> Section:
        """Counters of the matrix unit: core.rwc[thread, 'dst']."""
        return self.state["rwc"]

    @property
    def adc(self) -> Section:
        """Address counters: core.adc[thread, 'unpacker0', channel, 'x']; the units are unpacker0, unpacker1, packers."""
        return self.state["adc"]

    def write_l1(self, address: int, data: Union[Bytes, ArrayLike], format: Optional[Format] = None,
                 layout: str = "tiles", *, compressed: bool = False) -> None:
        """Writes data into L1.

        address     of the first byte
        data        bytes or a contiguous array of integers, copied as they are; with a format, a matrix
        format      a DataFormat or its name. The matrix becomes the bytes of tilize(). An unpacker that reads another format there
                    gives finding 'l1.format'
        layout      with a format: 'tiles' or 'rows', as in tilize()
        compressed  with a format: whether zeros are left out, as in tilize(); by keyword. An unpacker that takes them for an array with
                    all its zeros gives finding 'l1.format', too

        An array of floats needs a format: L1 has no float64, and few kernels read float32. Raises InputError 'l1.range' and the errors
        of tilize(); nothing is written then.
        """
        where = "Core.write_l1(): "
        if not is_within(address, UINT64):
            wrong(where, "address", f"an int of 0 to {UINT64[-1]}", address)
        self._write_l1(address, memory_bytes(where, "L1", "write_l1", data, format, layout, compressed), format, compressed)

    if TYPE_CHECKING:  # an object has it from Python 3.11 on, which older type checkers do not know
        def __getstate__(self) -> Any: ...

    def __reduce__(self) -> tuple[Any, ...]:
        made = type(self)._restored, (_core.__version__, self._image())
        state = self.__getstate__()
        return made if state is None else (*made, state)

    @classmethod
    def _restored(cls, version: str, image: bytes) -> Core:
        if version != _core.__version__:
            raise error_of("pickle.version", f"a Core pickled by tessera {version} is not read by tessera {_core.__version__}: "
                                             "pickle it again")
        return cls._of(_core.Core._of_image(image))

    @classmethod
    def _of(cls, source: _core.Core) -> Core:
        """A core of this class with the state of another one. A subclass may make its objects of other arguments, so it is not asked."""
        core = _core.Core.__new__(cls)
        _core.Core.__init__(core, source)
        return core

    def _set_attributes(self, state: Any) -> None:
        """Takes what __getstate__() gave, as pickle does."""
        if state is None:
            return
        if hasattr(self, "__setstate__"):
            self.__setstate__(state)
            return
        attributes, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
        self.__dict__.update(attributes or {})
        for name, value in (slots or {}).items():
            setattr(self, name, value)

    def __copy__(self) -> Core:
        core = self._of(self)
        core._set_attributes(self.__getstate__())
        return core

    def __deepcopy__(self, memo: dict[int, Any]) -> Core:
        core = self._of(self)
        memo[id(self)] = core
        core._set_attributes(copy.deepcopy(self.__getstate__(), memo))
        return core
