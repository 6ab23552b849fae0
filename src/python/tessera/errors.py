# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions with fields."""


class Error(Exception):
    """Why something could not be read, built or started. Nothing has run.

    code     stable, e.g. 'asm.unknown-instruction'
    message  what is wrong, in one sentence
    file     '' when no file is involved
    line     from 1; 0 when unknown
    column   from 1; 0 when unknown
    """

    def __init__(self, code, message, file="", line=0, column=0, text=None):
        super().__init__(code, message, file, line, column, text)
        self.code = code
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self):
        return self.args[-1] or f"{self.message} [{self.code}]"


class Fault(Exception):
    """A run has ended because no result exists. All state of the core can be read as it was.

    run          the Run
    code         stable, e.g. 'deadlock' (docs/reference/findings.md)
    message      what is the matter, in one sentence
    thread       0 to 2; -1: no single thread
    index        of the op in the thread's program; -1: none
    position     which one it is of what the op's MOP or REPLAY expanded to; -1: no expansion
    cycle        when it was noticed
    instruction  disassembly; '' when none
    place        'file:line' of the program's text or a kernel's source; '' when unknown
    core         RISC-V core whose instruction it is, or whose instruction pushed it; '' when none
    pc           address of that core's instruction; -1: unknown
    function     'function+0x12' of that address; '' when unknown
    frames       of a kernel: (function, 'file:line') of each function that the instruction is in, each inlined into
                 the one before it
    values       the values that led to it, by name
    hardware     what hardware does, where that is known
    cure         what to change
    source       document and section
    """

    FIELDS = ("code", "message", "thread", "index", "position", "cycle", "instruction", "place", "core", "pc",
              "function", "frames", "values", "hardware", "cure", "source")

    def __init__(self, run):
        super().__init__(run)
        self.run = run
        for field in self.FIELDS:
            setattr(self, field, getattr(run.fault, field))

    def __str__(self):
        blocked = self.run.describe_blocked()
        return self.run.fault.describe() + ("\n" + blocked if blocked else "")
