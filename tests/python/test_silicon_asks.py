# SPDX-License-Identifier: Apache-2.0
"""Kernels that ask for costs (bench/silicon/ask): their heads, and the table of docs/silicon.md."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench/silicon/ask/support"))

import heads  # noqa: E402


def test_each_kernel_says_what_to_report_and_how_the_answer_follows():
    for source in heads.kernels():
        head = heads.head_of(source)
        for key in ("Question", "Core", "Words", "Report"):
            assert len(head[key]) == 1, (source.name, key)
        asked = [row for chip in heads.CHIPS for row in heads.asked(head, chip)]
        assert asked, source.name
        for name, _, _, formula, _ in asked:
            assert all(int(word) < heads.words_used(head) for word in re.findall(r"\bw\[(\d+)\]", formula)), name


def test_the_formula_answers_the_words_of_a_card():
    head = heads.head_of(heads.FOLDER / "packer_end.cpp")
    # 16 more PACRs took 512 cycles, 32 each; the first took 41 more than a NOP, of which 32 were its writes.
    formula = heads.asked(head, "wormhole")[0][3]
    assert heads.answer(formula, [20, 61, 573]) == 10


def test_words_outside_of_what_a_kernel_tries_have_no_answer():
    head = heads.head_of(heads.FOLDER / "packer_queue.cpp")
    formula = heads.asked(head, "wormhole")[0][3]
    assert heads.answer(formula, [*range(900, 912), 1400, 1464]) is None


def test_the_page_has_the_table():
    page = (ROOT / "docs/silicon.md").read_text()
    assert heads.table("../bench/silicon/ask") in page, "bench/silicon/ask/run --markdown"
