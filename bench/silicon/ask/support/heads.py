# SPDX-License-Identifier: Apache-2.0
"""Heads of the kernels of this folder: question, core, words, assumed costs, and the formulas that give them."""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent.parent
CHIPS = ("blackhole", "wormhole")


def kernels():
    return sorted(FOLDER.glob("*.cpp"))


def head_of(source):
    """The keys of a kernel's head, each a list of values. Indented lines continue a value; a line without a key is a remark."""
    head, key = {}, None
    for line in source.read_text().splitlines()[1:]:
        if not line.startswith("//"):
            break
        if found := re.match(r"// ([A-Z]\w*(?: blackhole| wormhole)?):\s+(.*)", line):
            key = found[1]
            head.setdefault(key, []).append(found[2])
        elif line.startswith("//   ") and key:
            head[key][-1] += " " + line[2:].strip()
        else:
            key = None
    return head


def asked(head, chip):
    """For each cost on a chip: name, Tessera's value, the file that has it, formula. A value is "Assumed" or "Documented", never measured;
    these keys and "Answer" may name a chip."""
    formulas = dict(value.split(" = ", 1) for key in ("Answer", f"Answer {chip}") for value in head.get(key, []))
    rows = []
    for basis in ("Assumed", "Documented"):
        for value in head.get(basis, []) + head.get(f"{basis} {chip}", []):
            name, number, place = re.fullmatch(r"(\S+) = (\S+) in (\S+)", value).groups()
            rows.append((name, float(number), place, formulas[name], basis.lower()))
    return rows


def answer(formula, words):
    """The cost that follows from a kernel's words; None if they are outside of what the kernel tries."""
    try:
        return eval(formula, {"w": words})  # noqa: S307: formulas are this folder's own
    except (StopIteration, ValueError, ZeroDivisionError):
        return None


def words_used(head):
    """How many words a kernel reports."""
    return 1 + max(int(number) for number in re.findall(r"(\d+):", head["Words"][0]))


def table(folder):
    """The table of docs/silicon.md; `folder` leads from that page to this folder."""
    lines = ["| question | assumed, or documented and not measured | kernel |", "|---|---|---|"]
    for source in kernels():
        head = head_of(source)
        values = {}
        for chip in CHIPS:
            for name, value, _, _, basis in asked(head, chip):
                values.setdefault(name, {})[chip] = f"{value:g}" + " documented" * (basis == "documented")
        costs = []
        for name, of in values.items():
            if len(set(of.values())) == 1 and len(of) == len(CHIPS):
                costs.append(f"`{name}` {of[CHIPS[0]]}")
            else:
                costs.append(f"`{name}` " + ", ".join(f"{value} ({chip.capitalize()})" for chip, value in of.items()))
        question = head["Question"][0]
        lines.append(f"| {question[0].upper()}{question[1:]} | {'; '.join(costs)} | [{source.stem}]({folder}/{source.name}) |")
    return "\n".join(lines) + "\n"
