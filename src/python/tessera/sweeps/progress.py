# SPDX-License-Identifier: Apache-2.0
"""The line on the terminal: how far, how fast, how many failed, how long still."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional

BAR = 24
Show = Callable[["Progress"], None]
"""Called now and then with the state; what `progress=` takes."""


class Progress:
    """Counts of a sweep that runs.

    total    runs of the sweep
    found    of these, with a result in the file from before
    done     done now
    failed   of all, with another status than 'good'
    """

    def __init__(self, total: int, show: Optional[Show]) -> None:
        self.total = total
        self.found = 0
        self.done = 0
        self.failed = 0
        self.begin = time.monotonic()
        self.show = show
        self.shown = 0.0

    @property
    def rate(self) -> float:
        """Runs a second, of those done now."""
        return self.done / max(time.monotonic() - self.begin, 1e-9)

    @property
    def left(self) -> Optional[float]:
        """Seconds that the rest takes at this rate; None until one is done."""
        return (self.total - self.found - self.done) / self.rate if self.done else None

    def update(self, last: bool = False) -> None:
        """Shows the state, ten times a second at most."""
        now = time.monotonic()
        if self.show is not None and (last or now - self.shown >= 0.1):
            self.shown = now
            self.show(self)


def _time(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def line(progress: Progress) -> str:
    """The state as one line."""
    done = progress.found + progress.done
    share = done / progress.total if progress.total else 1.0
    full = int(share * BAR)
    parts = [f"[{'#' * full}{'.' * (BAR - full)}] {done:,} of {progress.total:,}"]
    if progress.found:
        parts.append(f"{progress.found:,} known")
    if progress.done:
        parts.append(f"{progress.rate:,.0f}/s" if progress.rate >= 10 else f"{progress.rate:.1f}/s")
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    if progress.left is not None and done < progress.total:
        parts.append(f"{_time(progress.left)} left")
    return ", ".join(parts)


class Terminal:
    """Shows progress on standard error: one line that is written over on a terminal; else a line every ten seconds.

    Nothing, if standard error is closed or takes no more.
    """

    def __init__(self, stream: Any = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.is_terminal = self.stream is not None and self.stream.isatty()
        self.last = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        ended = progress.found + progress.done >= progress.total
        if self.is_terminal:
            self._write("\r\x1b[K" + line(progress) + ("\n" if ended else ""))
        elif ended or time.monotonic() - self.last >= 10:
            self.last = time.monotonic()
            self._write(line(progress) + "\n")

    def _write(self, text: str) -> None:
        if self.stream is None:
            return
        try:
            self.stream.write(text)
            self.stream.flush()
        except OSError:
            self.stream = None
