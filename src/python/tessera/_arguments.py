# SPDX-License-Identifier: Apache-2.0
"""Errors for wrong arguments of the extension's functions: the argument's name, the accepted types, the given value."""

from __future__ import annotations

import ast
import difflib
import inspect
import operator
import os
import reprlib
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any, NamedTuple, NoReturn, Optional

from tessera import _core
from tessera._signatures import NO_DEFAULT, Parameter, Signature, split

_MOST_ELEMENTS = 1 << 24  # of a sequence that is looked through for a wrong one
UINT32, UINT64 = range(1 << 32), range(1 << 64)
SIGNED = range(-(1 << 63), 1 << 63)
"""Of 64 bits."""
# Integers that an argument takes, by its function and name, or by its name alone; 64 bits for others.
_LIMITS = {**dict.fromkeys(("word", "words", "thread", "tile", "runs", "done", "fidelity", "dst_bits", "row_datums",
                            "digest_size", "shared_exponent", "phase", "column", "row", "threads", "grid", "harvested",
                            "KernelImage.place.address", "KernelImage.frames.address", "KernelImage.function.address"), UINT32),
           **dict.fromkeys(("symbols", "registers", "Execution.run_until.index"), SIGNED)}

_WORDS = {"int": "an int", "str": "a str", "bool": "a bool", "Path": "a path (str, bytes or os.PathLike)",
          "Format": "a DataFormat or its name", "Buffer": "bytes or a contiguous array", "None": "None", "bytes": "bytes",
          "object": "any object", "Any": "any object", "float": "a number", "PacketCallback": "a function"}
# Of these public functions work is done by others, which must not be named.
_INTERNAL = {"ArrayOptions", "ConvertOptions", "TensorForm", "Core._write_l1", "Core._read", "Core._write", "Core._section",
             "Core._read_field", "Core._write_field", "Core._field_space", "Chip._tile", "Chip._load", "Chip._write_dram",
             "Chip._read_dram", "Chip._dram_place"}


def _repr(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # of a class of the caller's
        return "a value without words"


def given(value: object) -> str:
    """A value for people, with its type."""
    if value is None:
        return "None"
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"an array of {getattr(value, 'dtype', type(value).__name__)} of shape {shape}"
    if isinstance(value, int) and value.bit_length() > 256:  # Python writes no int of more than 4,300 digits
        return f"an int of {value.bit_length()} bits"
    if isinstance(value, (int, str, float, bytes)) and len(text := _repr(value)) <= 60:
        return f"{text} ({type(value).__name__})"
    if type(value) in (list, tuple):
        return f"a {type(value).__name__} of {len(value)}"  # type: ignore[arg-type]
    article = "an" if type(value).__name__[:1] in "AEIOUaeiou" else "a"
    return f"{article} {type(value).__name__}"


def _alternatives(kind: ast.expr) -> list[ast.expr]:
    if isinstance(kind, ast.Subscript) and isinstance(kind.value, ast.Name):
        if kind.value.id == "Union":
            assert isinstance(kind.slice, ast.Tuple)
            return [one for element in kind.slice.elts for one in _alternatives(element)]
        if kind.value.id == "Optional":
            return [*_alternatives(kind.slice), ast.Constant(None)]
    return [kind]


def _inner(kind: ast.Subscript) -> list[ast.expr]:
    return kind.slice.elts if isinstance(kind.slice, ast.Tuple) else [kind.slice]


def _words(kind: ast.expr, plural: bool = False) -> str:
    """The values of a type in words."""
    each = _alternatives(kind)
    if len(each) > 1:
        words = [_words(one, plural) for one in each]
        return f"{', '.join(words[:-1])} or {words[-1]}"
    if isinstance(kind, ast.Constant):
        return "None"
    if isinstance(kind, ast.Subscript):
        inner = _inner(kind)
        name = ast.unparse(kind.value)
        if name == "List":
            return f"a sequence of {_words(inner[0], True)}"
        if name == "Dict":
            return f"a dict from {_words(inner[0])} to {_words(inner[1])}"
        if name == "Tuple":
            return f"({', '.join(_words(one) for one in inner)})"
        return "an array"
    name = ast.unparse(kind)
    if plural and name in ("int", "str"):
        return name
    return _WORDS.get(name, f"a {name}")


def _elements(value: Any) -> Optional[list[Any]]:
    """Of a sequence, which a text is not; as many as it says that it has."""
    if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__getitem__"):
        return None
    try:
        return [value[at] for at in range(len(value))] if len(value) <= _MOST_ELEMENTS else None
    except Exception:  # a class of the caller's may raise any
        return None


def _own(value: Any) -> Any:
    """A copy of a dict or list: while the extension reads its values, code of the caller's may run and change it."""
    return dict.copy(value) if isinstance(value, dict) else list(value) if isinstance(value, list) else value


def is_index(value: object) -> bool:
    """Whether a value can be taken as an int."""
    try:
        operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def is_within(value: Any, limits: range) -> bool:
    """Whether a value can be taken as an int within limits."""
    return is_index(value) and operator.index(value) in limits


class _Misfit(NamedTuple):
    """A value that is not of the type that it is to have, and its place in the argument."""

    place: tuple[str, ...]
    kind: ast.expr
    value: Any


def _misfit(kind: ast.expr, value: Any, limits: range, place: tuple[str, ...] = ()) -> Optional[_Misfit]:
    """The first value in a value that is not of its type, with integers within limits; None if all are."""
    each = _alternatives(kind)
    if len(each) > 1:
        misfits = [_misfit(one, value, limits, place) for one in each]
        inner = [one for one in misfits if one and len(one.place) > len(place)]
        return None if None in misfits else inner[0] if inner else _Misfit(place, kind, value)
    if not isinstance(kind, ast.Subscript):
        return None if _takes(kind, value, limits) else _Misfit(place, kind, value)
    parts = _parts(kind, value)
    if parts is None:
        return _Misfit(place, kind, value)
    found = (_misfit(of, part, limits, (*place, where)) for where, of, part in parts)
    return next((one for one in found if one), None)


def _parts(kind: ast.Subscript, value: Any) -> Optional[Iterable[tuple[str, ast.expr, Any]]]:
    """Of a container: the place, type and value of each part; None for a value that is no such container."""
    inner, container = _inner(kind), ast.unparse(kind.value)
    if container == "Dict":
        return _entries(inner, value) if isinstance(value, dict) else None
    if container not in ("List", "Tuple"):
        return ()
    elements = _elements(value)
    if elements is None or container == "Tuple" and len(elements) != len(inner):
        return None
    if container == "List":
        return ((f"element {at}", inner[0], one) for at, one in enumerate(elements))
    return ((f"value {at}", of, one) for at, (of, one) in enumerate(zip(inner, elements)))


def _entries(kinds: list[ast.expr], values: dict[Any, Any]) -> Iterator[tuple[str, ast.expr, Any]]:
    for key, value in values.items():
        yield "a key", kinds[0], key
        yield f"the value of {reprlib.repr(key)}", kinds[1], value


def _takes(kind: ast.expr, value: Any, limits: range) -> bool:
    """Whether a value is of a type that has no parts, with integers within limits."""
    if isinstance(kind, ast.Constant):
        return value is None
    wanted = ast.unparse(kind)
    if wanted == "int":
        return is_within(value, limits)
    if wanted == "str":
        return isinstance(value, (str, bytes)) and (isinstance(value, bytes) or _is_text(value))
    if wanted == "float":
        return _is_float(value)
    if wanted == "bool":
        return value is None or hasattr(type(value), "__bool__")
    if wanted == "Path":
        return isinstance(value, (str, bytes, os.PathLike))
    if wanted == "Format":
        return _is_text(value) if isinstance(value, str) else is_index(value)
    if wanted == "bytes":
        return isinstance(value, bytes)
    if wanted == "PacketCallback":
        return callable(value)
    cls = getattr(_core, wanted, None)
    return not isinstance(cls, type) or isinstance(value, cls)


def _is_float(value: Any) -> bool:
    if not hasattr(type(value), "__float__") and not is_index(value):
        return False
    try:
        float(value)
    except Exception:  # OverflowError, or one of a class of the caller's
        return False
    return True


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _exceeded(kind: ast.expr, value: object, limits: range) -> str:
    """The limit that a value of the right type exceeds."""
    if any(isinstance(one, ast.Name) and one.id == "int" for one in _alternatives(kind)) and is_index(value):
        return f" of {limits[0]} to {limits[-1]}"
    if any(isinstance(one, ast.Name) and one.id == "float" for one in _alternatives(kind)) and is_index(value):
        return " within ±1.8e308"
    if isinstance(value, str) and not _is_text(value):
        return " that UTF-8 can encode"
    return ""


def refuse(message: str) -> NoReturn:
    """Raises ArgumentError."""
    from tessera.errors import ArgumentError
    raise ArgumentError("argument.type", message)


def wrong(where: str, name: str, takes: str, value: object, place: tuple[str, ...] = ()) -> NoReturn:
    """Raises ArgumentError for an argument of another type, or for the value at a place in it."""
    refuse(_wrong_type(where, name, takes, value, place))


def _wrong_type(where: str, name: str, takes: str, value: object, place: tuple[str, ...]) -> str:
    inside = f": {', '.join(place)}" if place else ""
    return f"{where}argument '{name}'{inside} takes {takes}, not {given(value)}"


def _mistake(where: str, qualified: str, parameters: list[Parameter], args: tuple[Any, ...],
             kwargs: dict[str, Any]) -> Optional[str]:
    """The first argument that the function does not take, in a sentence; None if it takes all."""
    places = [one for one in parameters if not one.by_name]
    if len(args) > len(places):
        named = ", ".join(f"'{one.name}'" for one in parameters if one.by_name)
        return (f"{where}{len(args)} positional arguments were given; it takes at most {len(places)}"
                + (f"; {named}: by name only" if named else ""))
    bound = dict(zip((one.name for one in places), args))
    names = [one.name for one in parameters]
    for name, value in kwargs.items():
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            return (f"{where}unknown argument '{name}'"
                    + (f"; did you mean '{near[0]}'?" if near else f": {', '.join(names) or 'it takes no arguments'}"))
        if name in bound:
            return f"{where}argument '{name}' is given twice"
        bound[name] = value
    for one in parameters:
        if one.name not in bound and one.default is NO_DEFAULT:
            return f"{where}argument '{one.name}' is missing: it takes {_words(_parsed(one))}"
    for one in parameters:
        limits = _LIMITS.get(f"{qualified}.{one.name}", _LIMITS.get(one.name, UINT64))
        misfit = _misfit(_parsed(one), bound[one.name], limits) if one.name in bound else None
        if misfit:
            takes = _words(misfit.kind) + _exceeded(misfit.kind, misfit.value, limits)
            return _wrong_type(where, one.name, takes, misfit.value, misfit.place)
    return None


def _parsed(parameter: Parameter) -> ast.expr:
    return ast.parse(parameter.type, mode="eval").body


def _inspected(signature: Signature) -> inspect.Signature:
    kinds = {False: inspect.Parameter.POSITIONAL_OR_KEYWORD, True: inspect.Parameter.KEYWORD_ONLY}
    each = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)] if signature.is_method else []
    each += [inspect.Parameter(one.name, kinds[one.by_name], annotation=one.type,
                               default=inspect.Parameter.empty if one.default is NO_DEFAULT else one.default)
             for one in signature.parameters]
    return inspect.Signature(each, return_annotation=signature.result)


def _covered(function: Callable[..., Any], name: str, qualified: str) -> Callable[..., Any]:
    """The function, with errors in plain words."""
    signature, doc = split(name, function.__doc__)
    if signature is None:
        return function
    where = "" if qualified.removesuffix(".__init__") in _INTERNAL else f"{qualified.removesuffix('.__init__')}(): "
    parameters, selves = signature.parameters, int(signature.is_method)

    def call(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = tuple(map(_own, args)), {name: _own(value) for name, value in kwargs.items()}
        try:
            return function(*args, **kwargs)
        except Exception as error:
            from tessera.errors import Error
            of_the_caller = error.__traceback__ is not None and error.__traceback__.tb_next is not None  # a callback, a signal's handler
            if of_the_caller or isinstance(error, Error):
                raise
            mistake = _mistake(where, qualified, parameters, args[selves:], kwargs)
            if mistake is None and str(error).startswith(f"{name}(): incompatible "):  # by pybind11
                mistake = f"{where}does not take these arguments: {', '.join(map(given, (*args[selves:], *kwargs.values())))}"
            if mistake is None:
                raise
        refuse(mistake)

    call.__name__, call.__qualname__, call.__module__, call.__doc__ = name, qualified, "tessera", doc
    call.__signature__ = _inspected(signature)  # type: ignore[attr-defined]
    return call


def _not_made(name: str) -> Callable[..., NoReturn]:
    def __init__(self: object, *args: Any, **kwargs: Any) -> NoReturn:
        refuse(f"{name}: functions of tessera give these; they are not made by hand")

    return __init__


def cover(module: ModuleType) -> None:
    """Covers every function and class of the extension, and gives public ones the package's name."""
    for name, value in list(vars(module).items()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            _cover_class(value, name)
        elif callable(value) and not isinstance(value, type):
            setattr(module, name, _covered(value, name, name))


def _cover_class(cls: type[Any], qualified: str) -> None:
    cls.__module__ = "tessera"
    if not (getattr(vars(cls).get("__init__"), "__doc__", None) or "").startswith("__init__("):
        cls.__init__ = _not_made(qualified)
    for name, value in list(vars(cls).items()):
        if isinstance(value, staticmethod):
            setattr(cls, name, staticmethod(_covered(value.__func__, name, f"{qualified}.{name}")))
        elif isinstance(value, type) and value.__module__ == _core.__name__:
            _cover_class(value, f"{qualified}.{name}")
        elif callable(value) and (value.__doc__ or "").startswith(f"{name}("):
            setattr(cls, name, _covered(value, name, f"{qualified}.{name}"))
