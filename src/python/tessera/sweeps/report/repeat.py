# SPDX-License-Identifier: Apache-2.0
"""The command that repeats a run, as a template for all rows: the page fills in the values of the axes."""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

import numpy as np

from tessera.sweeps.arrays import DATA_SEED, is_random
from tessera.sweeps.axes import identity
from tessera.sweeps.refusal import refuse
from tessera.sweeps.store import MOST_VALUES, Results
from tessera.sweeps.targets.array_function import FUNCTIONS
from tessera.sweeps.targets.job import LIMITS, toml_text

Part = Union[str, dict[str, str]]
"""A text, or {"setting": NAME}, which stands for the text of a setting of the row."""

Text = Callable[[str, Any], str]
"""A setting's text in the command, from its name and value."""


def _key(value: Any) -> str:
    """A value of an axis as the results file has it, as text."""
    return str(int(value) if isinstance(value, bool) else value)


def _texts(values: Sequence[Any], texts: Sequence[str]) -> dict[str, Optional[str]]:
    """Texts by value. None of values that rows may show alike, such as 1, true and "1"."""
    equal, alike = Counter(values), Counter(map(_key, values))
    return {_key(value): text if equal[value] == alike[_key(value)] == 1 else None for value, text in zip(values, texts)}


def _framed(texts: dict[str, Optional[str]]) -> dict[str, Any]:
    """Texts by value, in few words: what stands before and after a value in its text, and the texts that are otherwise."""
    frame = next((text.partition(value) for value, text in texts.items() if text and value and value in text), None)
    if frame is None:
        return {"texts": texts}
    before, _, after = frame
    return {"before": before, "after": after, "texts": {value: text for value, text in texts.items() if text != before + value + after}}


class Template:
    """Gathers parts, and the texts of settings.

    described  `Results.specification`
    fixed      settings that do not vary, with their values
    axes       the values of each axis; of a long one with names for its values, the first ones
    axis_of    settings that vary, with their axis
    """

    def __init__(self, results: Results) -> None:
        self.described = described = results.specification
        self.folder = str(described.get("folder", ""))
        self.fixed: dict[str, Any] = described.get("values", {})
        self.named: dict[str, list[dict[str, Any]]] = described.get("settings", {})
        self.axes = {name: self._all_values(results, name, values) for name, values in described.get("axes", {}).items()}
        self.axis_of: dict[str, str] = {}
        for axis in self.axes:
            for settings in self.named.get(axis, [{axis: None}]):
                self.axis_of.update(dict.fromkeys(settings, axis))
        self.settings: dict[str, Any] = {}

    def _all_values(self, results: Results, name: str, described: list[Any]) -> list[Any]:
        """Of a long axis of texts also those that only rows have."""
        if len(described) < MOST_VALUES or name in self.named or results.kinds(name) in ({"integer"}, {"real"}):
            return described
        return list({identity(value): value for value in [*described, *results.distinct(name)]}.values())

    @property
    def names(self) -> list[str]:
        """All settings."""
        return [*self.fixed, *self.axis_of]

    def values(self, name: str) -> list[Any]:
        """The values that a setting may have."""
        if name in self.fixed:
            return [self.fixed[name]]
        axis = self.axis_of.get(name, name)
        return [settings[name] for settings in self.named[axis] if name in settings] if axis in self.named else self.axes.get(axis, [])

    @property
    def draws(self) -> bool:
        """Whether a run draws random arrays."""
        return any(is_random(value) for name in self.names for value in self.values(name))

    def is_code(self, name: str, value: Any) -> bool:
        """Whether a value was no plain data, so that only its repr() is known. Sweep files and axes without names have plain data alone."""
        is_plain = self.described.get("file") or name in self.axis_of and self.axis_of[name] not in self.named
        return not is_plain and isinstance(value, str) and (value.startswith(("array(", "<")) or "\n" in value)

    def part(self, name: str, text: Text, use: str = "") -> Part:
        """The text of a setting in every row. A second text of the same setting has another `use`."""
        if name in self.fixed:
            return text(name, self.fixed[name])
        axis = self.axis_of[name]
        values = self.axes[axis]
        about: dict[str, Any] = {"axis": axis}
        kinds = {type(value) for value in values}
        if axis in self.named:
            about["texts"] = _texts(values, [text(name, settings[name]) if name in settings else "" for settings in self.named[axis]])
        elif kinds == {int} or kinds == {float}:  # a long range is not listed: the number goes between the texts
            number = 1234567.0 if kinds == {float} else 1234567
            about["before"], found, about["after"] = text(name, number).partition(str(number))
            about["real"] = kinds == {float}
            if not found:
                return ""
        else:
            texts = _texts(values, [text(name, value) for value in values])
            about.update(_framed(texts) if kinds == {str} else {"texts": texts})
        key = f"{use} {name}".strip()
        self.settings[key] = about
        return {"setting": key}

    def path(self, value: str) -> str:
        """A path of the sweep file, made absolute."""
        return os.path.normpath(os.path.join(self.folder, value))


def _seed(template: Template) -> list[Part]:
    if DATA_SEED in template.names:
        return ["seed = ", template.part(DATA_SEED, lambda name, value: repr(value)), "\n"]
    return ["seed = 0\n"]


def _random(name: str, value: Any) -> str:
    return f"random_array({name!r}, {value!r}, seed)"


_DRAW = "from tessera.sweeps.arrays import random_array\n"


def _job(template: Template) -> list[Part]:
    def option(name: str, value: Any) -> str:
        kind, _, rest = name.partition(".")
        if kind in ("symbols", "registers"):
            return f" --{kind[:-1]} {shlex.quote(f'{rest}={value}')}"
        if name in LIMITS:
            number = np.format_float_positional(value, trim="0") if isinstance(value, float) else value  # the option takes no exponent
            return f" --{name.replace('_', '-')} {number}"
        if is_random(value):
            return f' --set {name}="\\"$PWD/{name}.npy\\""'
        if isinstance(value, str) and value and os.path.isfile(template.path(value)):
            value = template.path(value)
        word = isinstance(value, str) and re.fullmatch(r"[A-Za-z_]\w*", value) and value not in ("true", "false", "inf", "nan")
        return f" --set {shlex.quote(f'{name}={value if word else toml_text(value)}')}"

    def save(name: str, value: Any) -> str:
        return f"np.save({f'{name}.npy'!r}, np.atleast_2d({_random(name, value)}))\n" if is_random(value) else ""

    others = [name for name in template.names if name not in ("job", DATA_SEED)]
    parts: list[Part] = []
    if template.draws:
        parts = ["python3 - <<'END'\nimport numpy as np\n" + _DRAW, *_seed(template), *(template.part(name, save, "save") for name in others),
                 "END\n"]
    return [*parts, "tessera run ", _file(template, "job", shlex.quote, "run"), *(template.part(name, option) for name in others)]


def _file(template: Template, kind: str, show: Callable[[str], str] = str, use: str = "") -> Part:
    path = template.described.get(kind)
    return show(template.path(path)) if path else template.part(kind, lambda _, value: show(template.path(value)), use)


def _call(template: Template, value_of: Text, skipped: tuple[str, ...]) -> list[Part]:
    parts: list[Part] = []
    for name in template.names:
        if name not in skipped:
            parts += [template.part(name, lambda name, value: f"{name.replace('.', '_')}={value_of(name, value)}, ")]
    return parts


def _function(template: Template) -> list[Part]:
    arrays = {name for function in FUNCTIONS.values() for name in function.arguments}

    def value_of(name: str, value: Any) -> str:
        if name in arrays and not template.is_code(name, value):
            return _random(name, value) if is_random(value) else f"np.load({template.path(value)!r})" if isinstance(value, str) else f"np.asarray({value!r})"
        return str(value) if template.is_code(name, value) else repr(value)

    function = template.described.get("function")
    named: Part = function if function else template.part("function", lambda _, value: str(value))
    return ["import numpy as np\nfrom tessera import arrays\n", *([_DRAW, *_seed(template)] if template.draws else []),
            "print(arrays.", named, "(", *_call(template, value_of, (DATA_SEED, "function")), "))"]


def _python(template: Template) -> list[Part]:
    def value_of(name: str, value: Any) -> str:
        return _random(name, value) if is_random(value) else str(value) if template.is_code(name, value) else repr(value)

    function = str(template.described.get("python"))
    skipped = (DATA_SEED,) if template.draws else ()
    drawn: list[Part] = [_DRAW, *_seed(template)] if template.draws else []
    if template.is_code("python", function):
        return [*drawn, f"# run: {function}, which tessera.sweep() was given\nprint(run(", *_call(template, value_of, skipped), "))"]
    return ["from tessera.sweeps.functions import load\n", *drawn, f"run = load({function!r}, {template.folder!r})\n",
            "print(run(", *_call(template, value_of, skipped), "))"]


def repeat(results: Results) -> dict[str, Any]:
    """For the page: `parts` of the command, `file` (parts of the path of what is run), the texts of `settings` by name, and how many
    named values of an axis are `described` at most.

    A setting's text is that of its value in `texts`, None if it is unknown; of any other value, the value between `before` and `after`,
    which are there unless the command of such a row is unknown.
    """
    template = Template(results)
    described = template.described
    kind = described.get("kind")
    if kind not in ("job", "function", "python"):
        refuse("sweep.results", "the results file does not say what was run")
    file: list[Part]
    if kind == "job":
        parts = _job(template)
        file = [_file(template, "job")]
    else:
        parts = _function(template) if kind == "function" else _python(template)
        source = str(described.get("python", "")).rpartition(":")[0]
        file = [template.path(source) if kind == "python" and source.endswith(".py") else
                os.path.abspath(str(described["file"])) if described.get("file") else ""]
    if kind != "job":
        parts = ["python3 - <<'END'\n", *parts, "\nEND\n"]
    return {"kind": kind, "parts": parts, "file": file, "settings": template.settings, "described": MOST_VALUES}
