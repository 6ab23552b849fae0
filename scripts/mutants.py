# SPDX-License-Identifier: Apache-2.0
"""Single changes to C++ sources, chosen by a seed: for scripts/mutate.

A site is one place in one line: an operator, a constant, a condition, or a statement that can be dropped. Comments, strings, declarations of
names, preprocessor lines and assertions have no sites: a change there is never seen, or never compiles.
"""

import dataclasses
import random
import re

KINDS = ("operator", "constant", "condition", "dropped line")

# Binary operators have a space on both sides (.clang-format); template brackets, pointers and references have not.
OPERATORS = {
    "==": ["!="], "!=": ["=="], "<=": ["<", ">="], ">=": [">", "<="], "<": ["<=", ">"], ">": [">=", "<"],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"],
    "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["|"],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="], "<<=": [">>="], ">>=": ["<<="],
}
BINARY = re.compile("(?<= )(" + "|".join(re.escape(each) for each in sorted(OPERATORS, key=len, reverse=True)) + ")(?= |$)")
PREFIX = re.compile(r"(?<=[ (,!~])([!~])(?=[\w(])|(\+\+|--)(?=\w)")
CONSTANT = re.compile(r"(?<![\w.\"'])(0x[0-9a-fA-F']+|\d[\d']*)([uUlL]*)(?![\w.'])|\b(true|false)\b")
IF = re.compile(r"(?:\bif (?:constexpr )?|\bwhile )\(")
STATEMENT = re.compile(
    r"^\s*(?:else )?(?:if \(.*\) )?"  # with its condition
    r"(?:break|continue|return|(?<=\) )return [^;]+"  # of those with a value only what a condition guards
    r"|(?:\+\+|--)?[\w.\->\[\]():*+ ]*?[\w\])](?:\+\+|--)"
    r"|(?:\+\+|--)[\w.\->\[\]()]+"
    r"|[\w.\[\]()*:>\-]+(?:\[[^;]*\])? (?:[+\-|&^*/%]|<<|>>)?= [^;]+"
    r"|[\w.:>\-\[\]]+(?:<[\w:, ]+>)?\([^;]*\));$")
DECLARATIVE = re.compile(r"^\s*(?:using|namespace|template|friend|extern|#|case|default|public|private|protected)\b|^\s*#")
# A change to these changes speed, or nothing.
NO_EFFECT = re.compile(r"\b(?:reserve|shrink_to_fit|__builtin_\w+|noexcept|static_assert|assert|HWY_\w*(?:ASSERT|NAMESPACE|UNROLL)|operator)\b|Lanes\(\)")


@dataclasses.dataclass(frozen=True)
class Site:
    path: str
    line: int  # from 1
    kind: str
    before: str
    after: str


def code_only(text):
    """The text with comments, strings and character literals as spaces; same length, same lines."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
    return token.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def closing(text, opening):
    """Where the parenthesis at `opening` ends, or -1."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if not depth:
            return at
    return -1


def replaced(line, begin, end, by):
    return line[:begin] + by + line[end:]


def other_constants(digits, suffix):
    value = int(digits.replace("'", ""), 0)
    form = "0x{:x}" if digits.startswith("0x") else "{}"
    return [form.format(other) + suffix for other in ([1] if value == 0 else [value - 1, value + 1])]


def changes_of(line, code, kind, choose):
    """The changed lines of one line, one for each place."""
    if kind == "operator":
        for found in BINARY.finditer(code):
            yield replaced(line, *found.span(1), choose(OPERATORS[found[1]]))
        for found in PREFIX.finditer(code):
            yield replaced(line, *found.span(), {"++": "--", "--": "++"}.get(found[2], ""))
    elif kind == "constant":
        for found in CONSTANT.finditer(code):
            by = choose(other_constants(found[1], found[2])) if found[1] else {"true": "false", "false": "true"}[found[3]]
            yield replaced(line, *found.span(), by)
    elif kind == "condition":
        for found in IF.finditer(code):
            end = closing(code, found.end() - 1)
            inner = code[found.end() : end]
            if end < 0 or ";" in inner or re.search(r"(?<![=!<>])=(?!=)", inner):
                continue
            yield replaced(line, found.end(), end, choose([f"!({line[found.end() : end]})", "false", "true"]))
    elif STATEMENT.match(code.rstrip()) and not re.match(r"^\s*(?:const|constexpr|static|auto|return \w+ \{)\b", code):
        indentation = line[: len(line) - len(line.lstrip())]
        yield indentation + ("else ;" if code.lstrip().startswith("else") else ";")


def sites_of(path, text, kind, choose):
    """All sites of one kind in a file's text."""
    lines, codes = text.split("\n"), code_only(text).split("\n")
    asserting = False
    for number, (line, code) in enumerate(zip(lines, codes), 1):
        asserting = asserting or "static_assert" in code
        if asserting:
            asserting = ";" not in code
            continue
        if not code.strip() or DECLARATIVE.match(code) or NO_EFFECT.search(code):
            continue
        for after in changes_of(line, code, kind, choose):
            if after != line:
                yield Site(path, number, kind, line, after)


class Choice:
    """Mutants in the order of a seed. Rooms take turns, and so do kinds; a longer list begins with the shorter one."""

    def __init__(self, seed, rooms):
        """`rooms`: for each name the (path, text) of its files."""
        self.rooms = list(rooms)
        self.turn = 0
        self.waiting = {}
        for room, files in rooms.items():
            for kind in KINDS:
                generator = random.Random(f"{seed}/{room}/{kind}")
                sites = [site for path, text in sorted(files) for site in sites_of(path, text, kind, generator.choice)]
                generator.shuffle(sites)
                self.waiting[room, kind] = sites

    def next(self):
        """The place of the next mutant: room and kind. Every pair of both comes, whatever number of rooms there is."""
        for _ in range(len(self.rooms) * len(KINDS) * 2):
            place = self.rooms[self.turn % len(self.rooms)], KINDS[(self.turn + self.turn // (len(self.rooms) * len(KINDS))) % len(KINDS)]
            self.turn += 1
            if self.waiting[place]:
                return place
        return None

    def take(self, place):
        """A site of that place, or None when there is none left. One that does not compile is replaced by another call."""
        return self.waiting[place].pop() if self.waiting[place] else None
