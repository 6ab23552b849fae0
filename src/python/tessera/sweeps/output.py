# SPDX-License-Identifier: Apache-2.0
"""Files that appear whole or not at all, by the rules of all commands (docs/jobs.md, Files)."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable
from typing import IO, NoReturn, Optional

from tessera.sweeps.refusal import refuse

_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_ATTEMPTS = 1000
NO_STREAM = "standard output is /dev/stdout, and a file of that name ./-"
"""Why no output is called '-'."""


def same_file(a: str, b: str) -> bool:
    """Whether two paths lead to one file, by links or other spellings. Files that do not exist are compared by folder and name."""
    try:
        return os.path.samefile(a, b)
    except OSError:
        return os.path.exists(a) == os.path.exists(b) and os.path.realpath(a) == os.path.realpath(b)


def cannot_write(path: str, why: object) -> NoReturn:
    """Raises Error 'sweep.write'."""
    refuse("sweep.write", f"cannot write '{path}': {why}")


def _descriptor(path: str) -> Optional[int]:
    found = _DESCRIPTOR.fullmatch(path)
    return int(found[1]) if found else _STREAMS.get(path)


def _receives(path: str) -> bool:
    """Whether the path is a FIFO, a device or a descriptor, which is written to and stays in place. Raises Error 'sweep.write' if nothing
    can be written there. Creates nothing."""
    if not path:
        cannot_write(path, "the path is empty")
    if path == "-":
        cannot_write(path, NO_STREAM)
    try:
        number = _descriptor(path)
        if number is not None:
            os.fstat(number)
            return True
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        mode = 0
    except OSError as error:
        cannot_write(path, error.strerror or error)
    if stat.S_ISLNK(mode):
        # The user may mean the link or its target, so neither is replaced.
        to = os.stat(path).st_mode if os.path.exists(path) else 0
        if not (stat.S_ISCHR(to) or stat.S_ISFIFO(to)):
            cannot_write(path, f"it is a symbolic link to '{os.readlink(path)}', which is not replaced: name the file itself")
        mode = to
    for kind, what in ((stat.S_ISDIR, "a directory"), (stat.S_ISBLK, "a block device"), (stat.S_ISSOCK, "a socket")):
        if kind(mode):
            cannot_write(path, f"it is {what}")
    if mode and not os.access(path, os.W_OK):
        cannot_write(path, "Permission denied")
    if stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
        return True
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        cannot_write(path, f"there is no folder '{folder}'")
    if not os.access(folder, os.W_OK | os.X_OK):
        cannot_write(path, "Permission denied")
    return False


def check_no_input(path: str, inputs: Iterable[str]) -> None:
    """Raises Error 'output.input' if a path is an input."""
    for other in inputs:
        if same_file(path, other):
            which = "an input" if other == path else f"the input '{other}'"
            refuse("output.input", f"the output '{path}' would overwrite {which} of the sweep")


def check_outputs(outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """Raises Error if a path cannot be written ('sweep.write'), is an input ('output.input'), or is given twice ('output.twice').

    A character device may be several outputs.
    """
    inputs = list(inputs)
    earlier: list[str] = []
    for path in outputs:
        _receives(path)
        if not (os.path.exists(path) and stat.S_ISCHR(os.stat(path).st_mode)):
            check_no_input(path, inputs)
            for other in earlier:
                if same_file(path, other):
                    refuse("output.twice", f"two outputs are written to '{path}'" if other == path else
                           f"two outputs are written to one file: '{other}' and '{path}'")
        earlier.append(path)


class OutputFile:
    """A file that only commit() puts in place: a temporary file takes its place and gets the permissions of the old one.

    A FIFO, a device or a descriptor receives the bytes instead. `file` takes them. Raises Error 'sweep.write'.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.receives = _receives(path)
        self.temporary = ""
        self.file: IO[bytes]
        if self.receives:
            self.file = tempfile.TemporaryFile()
            return
        try:
            # Without a name: a process that is killed leaves nothing of it.
            self.file = open(os.open(os.path.dirname(path) or ".", os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o666), "wb+")
        except (AttributeError, OSError):
            self.temporary = self._at_free_name(self._create)
        if os.path.exists(path):
            os.fchmod(self.file.fileno(), stat.S_IMODE(os.stat(path).st_mode))

    def _at_free_name(self, make: Callable[[str], None]) -> str:
        """The temporary name beside the path for which `make` made a file."""
        for attempt in range(_ATTEMPTS):
            temporary = f"{self.path}.{attempt}.part"
            try:
                make(temporary)
            except FileExistsError:
                continue
            except OSError as error:
                cannot_write(self.path, error.strerror or error)
            return temporary
        cannot_write(self.path, "its temporary names are all taken")

    def _create(self, name: str) -> None:
        self.file = open(name, "xb+")

    def _link(self, name: str) -> None:
        os.link(f"/proc/self/fd/{self.file.fileno()}", name, src_dir_fd=self.file.fileno())  # which makes it follow the link

    def finish(self) -> None:
        """All bytes have arrived, or an Error: a full disk shows here."""
        try:
            self.file.flush()
        except OSError as error:
            cannot_write(self.path, error.strerror or error)

    def commit(self) -> None:
        """Puts the file in place, or sends its bytes."""
        self.finish()
        try:
            if self.receives:
                self._send()
            else:
                if not self.temporary:
                    self.temporary = self._at_free_name(self._link)
                self.file.close()
                os.rename(self.temporary, self.path)
                self.temporary = ""
        except OSError as error:
            cannot_write(self.path, error.strerror or error)

    def _send(self) -> None:
        number = _descriptor(self.path)
        self.file.seek(0)
        with open(self.path if number is None else os.dup(number), "wb") as to:
            shutil.copyfileobj(self.file, to)

    def discard(self) -> None:
        """Leaves the path as it was."""
        try:
            self.file.close()
        except OSError:  # a full disk, told before
            pass
        if self.temporary:
            os.remove(self.temporary)
            self.temporary = ""


def commit(files: Iterable[OutputFile]) -> None:
    """Puts all files in place. None, if a device or FIFO refuses its bytes."""
    files = list(files)
    for file in files:
        file.finish()
    for file in sorted(files, key=lambda file: not file.receives):  # a device may refuse; a rename hardly fails
        file.commit()
