#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Machine instructions of whole commands, counted by valgrind's callgrind, and the part of the dynamic loader: what a short command costs.

    bench/command_instructions.py [--build BUILD]

Call examples/prepare first.
"""

import argparse
import re
import tempfile
from pathlib import Path

from callgrind import profiled

ROOT = Path(__file__).resolve().parent.parent
SMALL = ["SETDMAREG Payload_SigSel=5 RegIndex16b=16", "SETRWC BitMask=0xF", "ZEROACC clear_mode=3",
         "SFPLOADI lreg_ind=1 instr_mod0=0 imm16=16000", "SFPMOV lreg_c=1 lreg_dest=2", *["NOP"] * 15]
TWENTY_OPS = "a job of twenty ops"
COMMANDS = ["--version", TWENTY_OPS, "run examples/matmul/matmul.toml --symbol PHASES=1 --no-output",
            "run examples/add/add.toml --no-output"]


def counted(words):
    """Machine instructions of the command, and of what the loader does before it."""
    profile, _ = profiled(words, ROOT)
    # A function has its name where it comes first, later its number. The cost of a call stands on the line behind its "calls=".
    number = re.search(r"fn=\((\d+)\) dl_main", profile)[1]
    loader = re.search(rf"^cfn=\({number}\).*\ncalls=.*\n\S+ (\d+)$", profile, re.M)[1]
    return int(re.search(r"^summary: (\d+)", profile, re.M)[1]), int(loader)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build"))
    tessera = str(Path(parser.parse_args().build) / "tessera")
    print("callgrind, AVX2; millions.\n\n| command | machine instructions | of the loader |\n|---|--:|--:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "small.tts").write_text("\n".join(SMALL) + "\n")
        (folder / "small.toml").write_text('arch = "blackhole"\n[threads]\nmath = "small.tts"\n')
        for command in COMMANDS:
            is_small = command == TWENTY_OPS
            words = ["run", str(folder / "small.toml"), "--no-output"] if is_small else command.split()
            all_of_it, loader = counted([tessera, *words])
            print(f"| {command if is_small else f'`tessera {command}`'} | {all_of_it / 1e6:.1f} | {loader / 1e6:.1f} |", flush=True)


main()
