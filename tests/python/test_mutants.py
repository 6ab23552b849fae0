# SPDX-License-Identifier: Apache-2.0
"""scripts/mutants.py: which places of a source are changed, and that a seed says all."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import mutants  # noqa: E402

SOURCE = '''// a + b in a comment
#include "x.hpp"
namespace n {
/* 3 */ static_assert(f(1) == 2);
static_assert(g(1) ==
              3);
int f(const std::vector<int>& v, int&& x) {
    const char* text = "a + b == 4 // no comment";
    if (v.size() > 3 && !x) return 0x1F;
    while (x != 2) {
        log(text);
        x += v[1];
        continue;
    }
    if (const auto y = g(x); y) h(y);
    int z;
    v.reserve(8);
    return a->b(x) + 1;
}
}
HWY_AFTER_NAMESPACE();
'''


def sites(kind, source=SOURCE):
    return list(mutants.sites_of("f.cpp", source, kind, lambda choices: choices[0]))


def changed(kind, source=SOURCE):
    return {(site.line, site.after.strip()) for site in sites(kind, source)}


def test_operators():
    assert changed("operator") == {
        (9, "if (v.size() >= 3 && !x) return 0x1F;"),
        (9, "if (v.size() > 3 || !x) return 0x1F;"),
        (9, "if (v.size() > 3 && x) return 0x1F;"),
        (10, "while (x == 2) {"),
        (12, "x -= v[1];"),
        (18, "return a->b(x) - 1;"),
    }


def test_constants():
    assert changed("constant") == {
        (9, "if (v.size() > 2 && !x) return 0x1F;"),
        (9, "if (v.size() > 3 && !x) return 0x1e;"),
        (10, "while (x != 1) {"),
        (12, "x += v[0];"),
        (18, "return a->b(x) + 0;"),
    }
    assert changed("constant", "bool b = true;\nint x = 0;\n") == {(1, "bool b = false;"), (2, "int x = 1;")}


def test_conditions():
    assert changed("condition") == {(9, "if (!(v.size() > 3 && !x)) return 0x1F;"), (10, "while (!(x != 2)) {")}


def test_dropped_lines():
    # No declaration, no sole return, nothing that only reserves memory.
    assert {site.line for site in sites("dropped line")} == {9, 11, 12, 13, 15}
    assert {site.after.strip() for site in sites("dropped line")} == {";"}


def test_comments_strings_and_assertions_are_left_alone():
    for kind in mutants.KINDS:
        assert not {1, 2, 3, 4, 5, 6, 8} & {site.line for site in sites(kind)}, kind


def test_a_seed_says_all_and_a_longer_list_begins_with_the_shorter():
    rooms = {"a": [("a.cpp", SOURCE)], "b": [("b.cpp", SOURCE)], "c": [("c.cpp", SOURCE)]}

    def taken(seed, count):
        choice = mutants.Choice(seed, rooms)
        return [choice.take(choice.next()) for _ in range(count)]

    assert taken(1, 20) == taken(1, 20)
    assert taken(1, 20)[:10] == taken(1, 10)
    assert taken(1, 20) != taken(2, 20)
    assert {site.path for site in taken(1, 3)} == {"a.cpp", "b.cpp", "c.cpp"}
    assert {site.kind for site in taken(1, 12)} == set(mutants.KINDS)


def test_an_end_comes():
    choice = mutants.Choice(1, {"a": [("a.cpp", "void f() { g(1); }\n")]})
    while (place := choice.next()) is not None:
        assert choice.take(place)
    assert choice.next() is None
