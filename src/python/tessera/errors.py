# SPDX-License-Identifier: Apache-2.0
"""All exceptions of the module. All of them are Errors.

Error                          the base
    Fault                      a run has ended without a result
        ChipFault              the same, of a chip
    InputError, ValueError     a program, a file's content or a value that cannot be used
    FileError, OSError         a file that cannot be read or written
    StateError, RuntimeError   the core is running, or has gone on since
    ArgumentError, TypeError   an argument that is missing, unknown or of another type
    PositionError, IndexError  an element that there is not
"""

from __future__ import annotations

from typing import Any, ClassVar, Optional, Union

from tessera._core import ChipRun, FaultDiagnosis, Run, __version__


class Error(Exception):
    """Why something could not be read, built, started or ended well.

    code     stable, e.g. 'asm.unknown-instruction'
    message  what is wrong, in one sentence
    file     '' when no file is involved
    line     from 1; 0 when unknown
    column   from 1; 0 when unknown
    """

    def __init__(self, code: str, message: str, file: str = "", line: int = 0, column: int = 0,
                 text: Optional[str] = None) -> None:
        super().__init__(code, message, file, line, column, text)
        self.code = code
        self.message = message
        self.file = file
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return str(self.args[-1] or f"{self.message} [{self.code}]")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.args == getattr(other, "args", None)

    def __hash__(self) -> int:
        return hash((self.code, self.message))

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = type(self), __version__, self.args
        notes = getattr(self, "__notes__", None)  # of add_note(), which Python has from 3.11 on
        return (_restored, arguments, {"__notes__": notes}) if notes else (_restored, arguments)


class InputError(Error, ValueError):
    """A program, the content of a file or a value cannot be used. Nothing has run."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class StateError(Error, RuntimeError):
    """The core is running, or another run has used it since."""


class ArgumentError(Error, TypeError):
    """An argument is missing, unknown or of another type. Nothing was done."""


class PositionError(Error, IndexError):
    """An element or a place of the state does not exist."""


class Fault(Error):
    """A run has ended without a result. All state of the core can be read as it was.

    run          the Run
    code         stable, e.g. 'deadlock' (docs/reference/findings.md)
    message      what is wrong, in one sentence
    thread       0 to 2; -1: no single thread
    index        position of the op in the thread's program, from 0; -1: none
    position     number of the instruction within the expansion of the op's MOP or REPLAY, from 0; -1: no expansion
    cycle        in which it was noticed; None without a clock ('functional')
    instruction  disassembly; '' if there is none
    place        'file:line' of the program's text or a kernel's source; '' if unknown
    core         the RISC-V core that executes or pushed the instruction; '' if there is none
    pc           address of that core's instruction; -1: unknown
    function     'function+0x12' of that address; '' if unknown
    frames       the functions that contain a kernel's instruction, as (function, 'file:line'); each is inlined into
                 the one before it
    values       the values that led to it, by name
    registers    x1 to x31 by ABI name, if a RISC-V core's own instruction failed; else empty
    hardware     what hardware does, if that is known
    cure         what to change
    source       document and section
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("code", "message", "thread", "index", "position", "cycle", "instruction", "place",
                                         "core", "pc", "function", "frames", "values", "registers", "hardware", "cure", "source")
    thread: int
    index: int
    position: int
    cycle: Optional[int]
    instruction: str
    place: str
    core: str
    pc: int
    function: str
    frames: list[tuple[str, str]]
    values: dict[str, int]
    registers: dict[str, int]
    hardware: str
    cure: str
    source: str

    def __init__(self, run: Run) -> None:
        if not isinstance(run, Run) or run.fault is None:
            raise ArgumentError("argument.type", "this Run ended without a fault")
        self.run = run
        self._take(run.fault, run)

    def _take(self, fault: FaultDiagnosis, run: Union[Run, ChipRun]) -> None:
        super().__init__(fault.code, fault.message)
        self.args = (run,)
        for field in self.FIELDS:
            setattr(self, field, getattr(fault, field))

    def __str__(self) -> str:
        assert self.run.fault is not None
        blocked = self.run.describe_blocked()
        return self.run.fault.describe() + ("\n" + blocked if blocked else "")


class ChipFault(Fault):
    """A run of a chip has ended without a result. The state of all tiles can be read as it was.

    run  the ChipRun, which has the Run of each tile

    The message names the tile. All other fields are those of Fault.
    """

    run: ChipRun  # type: ignore[assignment]

    def __init__(self, run: ChipRun) -> None:
        if not isinstance(run, ChipRun) or run.fault is None:
            raise ArgumentError("argument.type", "this ChipRun ended without a fault")
        self.run = run
        self._take(run.fault, run)

    def __str__(self) -> str:
        assert self.run.fault is not None
        return f"{self.run.fault.describe()}\n{self.run.describe_waits()}{self.run.describe_blocked()}".rstrip()


_CLASSES: dict[str, type[Error]] = {
    "argument.type": ArgumentError, "argument.position": PositionError, "run.busy": StateError, "run.over": StateError,
    "regs.index": PositionError}


def error_of(code: str, message: str, file: str = "", line: int = 0, column: int = 0, text: Optional[str] = None) -> Error:
    """The Error of a code, of its class."""
    chosen = _CLASSES.get(code, InputError)
    if code.endswith((".open", ".read", ".write")):
        chosen = FileError
    return chosen(code, message, file, line, column, text)


def _restored(kind: type[Error], version: str, args: tuple[Any, ...]) -> Error:
    if version != __version__:
        raise InputError("pickle.version", f"a {kind.__name__} pickled by tessera {version} is not read by tessera "
                                           f"{__version__}: pickle it again")
    return kind(*args)
