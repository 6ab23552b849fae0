# SPDX-License-Identifier: Apache-2.0
"""The command that repeats a run, as a template for all rows: the page fills in the values of the axes."""

from __future__ import annotations

import keyword
import math
import os
import re
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

import numpy as np

from tessera._core import DataFormat
from tessera.errors import Error
from tessera.sweeps.arrays import DATA_SEED, is_random
from tessera.sweeps.axes import identity
from tessera.sweeps.refusal import refuse
from tessera.sweeps.store import MOST_VALUES, REPR, Results
from tessera.sweeps.targets.array_function import FUNCTIONS
from tessera.sweeps.targets.job import LIMITS, number_of, toml_text

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


def _is_code(value: Any) -> bool:
    """Whether a value was no plain data, so that only its repr() is known."""
    return isinstance(value, dict) and REPR in value


def _has_code(value: Any) -> bool:
    if isinstance(value, (dict, list)) and not _is_code(value):
        return any(map(_has_code, value.values() if isinstance(value, dict) else value))
    return _is_code(value)


def _code(value: Any) -> str:
    """A value as text of Python."""
    if _is_code(value):
        return str(value[REPR])
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_code(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_code, value)) + "]"
    return repr(value) if not isinstance(value, float) or math.isfinite(value) else f"float('{value}')"


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

    @property
    def imports(self) -> str:
        """Lines for the names in repr() of values that are no plain data. They stand first, as numpy has names of ours."""
        has_code = any(_has_code(value) for name in self.names for value in self.values(name))
        return "import datetime\nfrom numpy import *\n" if has_code else ""

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
            if kinds == {float}:
                about["texts"] = {_key(value): text(name, value) for value in (math.inf, -math.inf)}
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


def _whole(name: str, value: Any) -> Any:
    """The value of a symbol or register field. A sweep takes more spellings of a number than the command does, and the same names of formats."""
    if isinstance(value, str) and value in DataFormat.__members__:
        return value
    try:
        return number_of(name, value)
    except Error:  # its run is refused, too
        return value


def _job(template: Template) -> list[Part]:
    def option(name: str, value: Any) -> str:
        kind, _, rest = name.partition(".")
        if kind in ("symbols", "registers"):
            return f" --{kind[:-1]} {shlex.quote(f'{rest}={_whole(name, value)}')}"
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


def _argument(name: str, text: str) -> str:
    # Python reads some letters in names as others.
    is_name = name.isidentifier() and name.isascii() and not keyword.iskeyword(name)
    return f"{name}={text}, " if is_name else f"**{{{name!r}: {text}}}, "


def _call(template: Template, value_of: Text, skipped: tuple[str, ...]) -> list[Part]:
    parts: list[Part] = []
    for name in template.names:
        if name not in skipped:
            parts += [template.part(name, lambda name, value: _argument(name.replace(".", "_"), value_of(name, value)))]
    return parts


def _function(template: Template) -> list[Part]:
    arrays = {name for function in FUNCTIONS.values() for name in function.arguments}

    def value_of(name: str, value: Any) -> str:
        if is_random(value):
            return _random(name, value)
        if name not in arrays or _is_code(value):
            return _code(value)
        return f"np.load({template.path(value)!r})" if isinstance(value, str) else f"np.asarray({_code(value)})"

    function = template.described.get("function")
    named: Part = function if function else template.part("function", lambda _, value: str(value))
    return [template.imports, "import numpy as np\nfrom tessera import arrays\n", *([_DRAW, *_seed(template)] if template.draws else []),
            "print(arrays.", named, "(", *_call(template, value_of, (DATA_SEED, "function")), "))"]


def _python(template: Template) -> list[Part]:
    def value_of(name: str, value: Any) -> str:
        return _random(name, value) if is_random(value) else _code(value)

    function = template.described.get("python")
    skipped = (DATA_SEED,) if template.draws else ()
    drawn: list[Part] = [template.imports, *([_DRAW, *_seed(template)] if template.draws else [])]
    if _is_code(function):
        return [*drawn, f"# run: {_code(function)}, which tessera.sweep() was given\nprint(run(", *_call(template, value_of, skipped), "))"]
    return [*drawn, "from tessera.sweeps.functions import load\n", f"run = load({function!r}, {template.folder!r})\n",
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
        function = described.get("python")
        source = function.rpartition(":")[0] if isinstance(function, str) else ""
        file = [template.path(source) if kind == "python" and source.endswith(".py") else
                os.path.abspath(str(described["file"])) if described.get("file") else ""]
    if kind != "job":
        parts = ["python3 - <<'END'\n", *parts, "\nEND\n"]
    return {"kind": kind, "parts": parts, "file": file, "settings": template.settings, "described": MOST_VALUES}
