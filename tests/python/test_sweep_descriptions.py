# SPDX-License-Identifier: Apache-2.0
"""How a sweep knows callables, values and modules again: what has changed is run again, what has not is looked up."""

import dataclasses
import enum
import functools
import importlib
import subprocess
import sys
import threading

import numpy as np
import pytest

import tessera
from sweeps import ENVIRONMENT, folder  # noqa: F401
from tessera.sweeps.descriptions import describe


@pytest.mark.parametrize("place, line", [("", "import sweep_helper"), ("lib", "import sweep_helper"),
                                         ("lib/sweep_parts", "from sweep_parts import sweep_helper")])
def test_a_changed_module_of_the_function_is_imported_again(folder, monkeypatch, place, line):
    monkeypatch.syspath_prepend(folder / "lib")
    (folder / place).mkdir(parents=True, exist_ok=True)
    helper = folder / place / "sweep_helper.py"
    for name in ("one", "two"):
        (folder / f"{name}.py").write_text(f"{line}\ndef go(n): return n * sweep_helper.FACTOR\n")
    for factor in (1, 20, 300):
        helper.write_text(f"FACTOR = {factor}\n")
        for name in ("one", "two"):
            spec = {"python": str(folder / f"{name}.py:go"), "axes": {"n": [1, 2]}, "inputs": [str(helper)]}
            rows = tessera.sweep(spec, results=folder / f"{name}.sqlite", workers=0).rows()
            assert [row["value"] for row in rows] == [factor, 2 * factor]
    for name in ("sweep_helper", "sweep_parts", "sweep_parts.sweep_helper"):
        sys.modules.pop(name, None)


def enclosing(k):
    return lambda n: n * k


def scaled(n, k):
    return n * k


def defined(text, **names):
    """f as a text defines it."""
    exec(text, names)
    return names["f"]


class Scale:
    """A callable with a state."""

    def __init__(self, k):
        self.k = k

    def __call__(self, n):
        return n * self.k

    def method(self, n):
        return n * self.k


@pytest.mark.parametrize("make", [
    enclosing, Scale, lambda k: Scale(k).method, lambda k: functools.partial(scaled, k=k), lambda k: functools.lru_cache(enclosing(k)),
    lambda k: functools.partial(enclosing(k)), lambda k: lambda n, values=[Scale(k)]: values[0](n),
    lambda k: defined(f"def f(n): return sum(v * {k} for v in [n])"), lambda k: defined(f"f = lambda n: (lambda m: m * {k})(n)"),
    lambda k: defined(f"def f(n, k={k}): return n * k"), lambda k: defined(f"def f(n, *, k={k}): return n * k"),
    lambda k: defined("def f(n): return n * K", K=k), lambda k: defined("def f(n): return g(n)", g=enclosing(k)),
    lambda k: defined(f"class C:\n def __init__(self, n): self.value = n * {k}\ndef f(n): return C(n).value"),
    lambda k: defined("def f(n): return int(n * a[500, 500])", a=np.pad([[k]], 500)),
    lambda k: defined(f"class C:\n table = ({k},)\ndef f(n): return n * C.table[0]"),
    lambda k: defined(f"class C:\n table = {{'k': lambda n: n * {k}}}\ndef f(n): return C.table['k'](n)"),
    lambda k: defined("class C:\n k = a\ndef f(n): return int(n * C.k)", a=np.int64(k)),
    lambda k: defined(f"class C(E):\n A = {k}\ndef f(n): return n * C.A.value", E=enum.Enum, __name__="made"),
    lambda k: defined(f"class C:\n @c\n def k(self): return {k}\ndef f(n): return n * C().k", c=functools.cached_property),
    lambda k: defined(f"class C:\n @c\n def k(self): return {k}\ndef f(n): return n * C().k()", c=functools.lru_cache),
    lambda k: defined(f"class C:\n def g(self, n, k): return n * k\n h = p(g, k={k})\ndef f(n): return C().h(n)", p=functools.partialmethod),
    lambda k: defined(f"class C:\n h = property(None, lambda self, n: setattr(self, 'n', n * {k}))\n"
                      "def f(n):\n c = C()\n c.h = n\n return c.n"),
    lambda k: defined(f"@d(frozen=True)\nclass C:\n k: int = {k}\ndef f(n): return n * C().k", d=dataclasses.dataclass, __name__=__name__),
    lambda k: defined(f"def f(n): return n * f.scale\nf.scale = {k}")],
    ids=lambda make: "")
def test_a_callable_is_known_by_all_that_it_holds(folder, make):
    def values(k):
        results = tessera.sweep({"python": make(k), "axes": {"n": [1, 2]}}, results=folder / "r.sqlite", workers=0)
        return [(row["value"], row["seconds"]) for row in results.rows()]

    first = values(2)
    assert [value for value, _ in first] == [2, 4]
    assert values(2) == first  # a look-up: not even the time is another
    assert [value for value, _ in values(3)] == [3, 6]


def test_a_callable_that_refers_to_itself_is_known(folder):
    def down(n):
        return down(n - 1) if n else 5

    def seconds():
        return tessera.sweep({"python": down, "axes": {"n": [3]}}, results=folder / "r.sqlite", workers=0).columns(["seconds"])

    assert seconds() == seconds()


def test_a_callable_that_pickle_refuses_is_run_each_time(folder):
    lock, calls = threading.Lock(), folder / "calls"

    def function(n):
        with lock, open(calls, "a") as file:
            file.write("x")
        return n

    for count in (1, 2):
        assert tessera.sweep({"python": function, "axes": {"n": [1]}}, results=folder / "r.sqlite").counts() == {"good": 1}
        assert calls.read_text() == "x" * count


def printed_by_each_process(text):
    """What a program prints, which is the same whatever the order of its sets."""
    found = {subprocess.run([sys.executable, "-c", text], env=dict(ENVIRONMENT, PYTHONHASHSEED=str(seed)), check=True,
                            capture_output=True, text=True).stdout for seed in range(1, 5)}
    assert len(found) == 1
    return found.pop()


def test_descriptions_do_not_depend_on_the_process():
    text = ("from tessera.sweeps.descriptions import describe\nnames = {'a', 'b', 'c', 'd'}\n"
            "print(describe(lambda n: n in names or n in {'e', 'f', 'g'}))")
    printed_by_each_process(text)


@pytest.mark.parametrize("place", ["my-packages", "lib/site-packages"])
def test_a_callable_in_a_module_is_known_by_its_code(folder, monkeypatch, place):
    path = folder / place / "own_module.py"
    path.parent.mkdir(parents=True)
    monkeypatch.syspath_prepend(path.parent)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def described(factor):
        path.write_text(f"def f(n): return n * {factor}\ndef g(n): return f(n)\nclass C:\n def __call__(self, n): return n * {factor}\n")
        sys.modules.pop("own_module", None)
        module = importlib.import_module("own_module")
        values = [module.f, functools.partial(module.f, 1), module.C(), module.C().__call__, module.g]
        found = [describe(value) for value in values[:4 if "site" in place else 5]]
        del sys.modules["own_module"]
        return found

    first = described(2)
    assert described(2) == first
    assert all(one != other for one, other in zip(described(3), first))


class Node:
    """Leads to others by a set."""

    def __init__(self, *below):
        self.below = set(below)


def test_each_set_is_described_once():
    def layers(depth):
        below = []
        for _ in range(depth):
            below = [Node(*below), Node(*below)]
        return below

    assert describe(layers(60)) == describe(layers(60)) != describe(layers(59))  # 2 to the 60th paths lead to the last ones


def test_a_set_that_its_elements_lead_to_never_matches():
    nodes = [Node() for _ in range(8)]
    for node in nodes:
        node.below.update(nodes)
    assert describe(nodes) != describe(nodes)


def test_sets_of_own_kinds_do_not_depend_on_the_process():
    text = ("from tessera.sweeps.descriptions import describe\nclass Names(set): pass\nnames = Names('abcdefg')\nnames.more = 1\n"
            "first = describe(names)\nnames.more = 2\nprint(first, describe(names))")
    first, second = printed_by_each_process(text).split()
    assert first != second


def test_a_setting_is_described_once(folder):
    class Counted:
        described = []

        def __reduce__(self):
            self.described.append(1)
            return object, ()

    value = Counted()
    spec = {"python": lambda **values: 1, "axes": {"n": range(50), "which": [{"name": "one", "value": value}]}}
    assert tessera.sweep(spec, results=folder / "r.sqlite", workers=0).counts() == {"good": 50}
    assert len(Counted.described) == 1


def test_values_are_known_in_whole(folder):
    def states(a):
        spec = {"function": "convert", "values": {"a": a, "to": "Float32"}, "axes": {"arch": ["blackhole"]}}
        return [row["state"] for row in tessera.sweep(spec, results=folder / "r.sqlite", workers=0).rows()]

    a = np.ones((64, 64), np.float32)
    first = states(a)
    a[30, 30] = 500  # repr() of an array leaves this element out
    assert states(a) != first
    axis = [{"name": "one", "a": a.copy()}]
    spec = {"function": "convert", "values": {"to": "Float32"}, "axes": {"which": axis}}
    first = tessera.sweep(spec, results=folder / "s.sqlite", workers=0).columns(["state"])
    axis[0]["a"][30, 30] = 7
    assert tessera.sweep(spec, results=folder / "s.sqlite", workers=0).columns(["state"]) != first
