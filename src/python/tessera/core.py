# SPDX-License-Identifier: Apache-2.0
"""The core, with its state by name."""

import numpy as np

from tessera import _core
from tessera.state import Config, State


class Core(_core.Core):
    """A Tensix coprocessor with its L1.

    arch   'blackhole' or 'wormhole'
    reset  what memory holds before anything has run: 'silicon', where reading what was never written is a finding of
           level info, or 'vendor-sim', without

    Core(other) is a snapshot: a core of its own with the same state. Core(job) has the memory of a Job in place. Cores share nothing; each may run in its own thread.
    """

    @property
    def state(self):
        """All that the coprocessor remembers, by name: core.state['semaphore_value'][1]."""
        return State(self)

    @property
    def config(self):
        """Configuration fields by name: core.config['ALU_FORMAT_SPEC_REG0_SrcA']."""
        return Config(self)

    @property
    def gpr(self):
        """GPRs: core.gpr[thread, 0 to 63]."""
        return self.state["gpr"]

    @property
    def lregs(self):
        """LRegs of the vector unit as a copy, float32 of shape (registers, lanes); view(numpy.uint32) shows the bits."""
        return self.state["lregs"][...].astype(np.uint32).view(np.float32)

    @property
    def rwc(self):
        """Counters of the matrix unit: core.rwc[thread, 'dst']."""
        return self.state["rwc"]

    @property
    def adc(self):
        """Address counters: core.adc[thread, 'unpacker0', channel, 'x']; the units are unpacker0, unpacker1, packers."""
        return self.state["adc"]

    def __copy__(self):
        return type(self)(self)

    def __deepcopy__(self, memo):
        return type(self)(self)
