#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The error of each format in each fidelity on one real product: the rows of a photograph in cosines.

Prints a table, and writes it as out/fidelity.svg. Exit status 1 when a phase more makes a product worse, or when HiFi4 is
worse than the rounding of the inputs explains.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import tessera
from tessera.arrays import FIDELITIES

SIZE = 256
PHOTOGRAPH = "/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg"
OUT = Path(__file__).resolve().parent / "out"
FORMATS = ("Tf32", "Float16", "Float16_b", "Bfp8", "Bfp8_b", "Int8", "Lf8", "Fp8_e4m3", "Bfp4_b", "Bfp2_b")


def photograph():
    """Its middle in grey around 0, -0.5 to 0.5."""
    image = Image.open(PHOTOGRAPH).convert("L")
    left, top = (image.width - SIZE) // 2, (image.height - SIZE) // 2
    return np.asarray(image.crop((left, top, left + SIZE, top + SIZE)), np.float32) / 255 - np.float32(0.5)


def cosines():
    """The matrix of the discrete cosine transform (DCT-II), one frequency per column."""
    place, frequency = np.mgrid[:SIZE, :SIZE]
    matrix = np.cos(np.pi * (place + 0.5) * frequency / SIZE) * np.sqrt(2 / SIZE)
    matrix[:, 0] /= np.sqrt(2)
    return matrix.astype(np.float32)


def error(result):
    """The root of the mean square difference from the exact product, relative to the product's own."""
    return np.sqrt(np.mean((result - exact) ** 2) / np.mean(exact**2))


# Below these, an exponent is 0 and a number is 0 for the matrix unit; the others' are far away.
SMALLEST = {"Float16": 2.0**-14, "Lf8": 2.0**-14, "Fp8_e4m3": 2.0**-6}


def held(array, format):
    """What the matrix unit sees of it."""
    values = tessera.unpack_tiles(tessera.tilize(array, format), array.shape, format).astype(np.float64)
    return np.where(np.abs(values) < SMALLEST.get(format, 0), 0, values)


def errors_of(format):
    """Of the exact product of what the matrix unit sees, and of the machine's in each fidelity. Dst and result have 32 bits."""
    # Integers are scaled to their range.
    scale = [127 / np.abs(x).max() if format == "Int8" else 1 for x in (a, b)]
    x, y = a * np.float32(scale[0]), b * np.float32(scale[1])
    inputs = error(held(x, format) @ held(y, format) / scale[0] / scale[1])
    out = None if format == "Int8" else "Float32"
    return [inputs] + [error(tessera.matmul(x, y, format=format, fidelity=name, dst_bits=32, out=out)
                             / scale[0] / scale[1]) for name in FIDELITIES]


def svg(table):
    """Dots on a logarithmic scale, a line per format."""
    left, top, step, width = 110, 60, 34, 620
    low, high = np.floor(np.log10(min(map(min, table.values())))), 0
    colours = ("#888888", "#c1272d", "#e08a1e", "#2f8f4e", "#0050a0")
    x = lambda value: left + (np.log10(value) - low) / (high - low) * width
    bottom = top + step * len(table)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 40}" height="{bottom + 60}" '
             'font-family="sans-serif" font-size="13">', '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{left}" y="22">Relative error of a photograph\'s cosine transform (256 x 256 x 256)</text>']
    for i, name in enumerate(("inputs alone",) + FIDELITIES):
        lines.append(f'<circle cx="{left + 8 + 110 * i}" cy="38" r="5" fill="{colours[i]}"/>'
                     f'<text x="{left + 18 + 110 * i}" y="43">{name}</text>')
    for power in range(int(low), high + 1):
        lines.append(f'<line x1="{x(10.0**power)}" y1="{top}" x2="{x(10.0**power)}" y2="{bottom}" stroke="#ddd"/>'
                     f'<text x="{x(10.0**power)}" y="{bottom + 20}" text-anchor="middle">1e{power}</text>')
    for row, (format, values) in enumerate(table.items()):
        y = top + step * row + step / 2
        lines.append(f'<text x="{left - 10}" y="{y + 5}" text-anchor="end">{format}</text>'
                     f'<line x1="{left}" y1="{y}" x2="{left + width}" y2="{y}" stroke="#ddd"/>')
        lines += [f'<circle cx="{x(value):.1f}" cy="{y}" r="5" fill="{colours[i]}" fill-opacity="0.8"/>'
                  for i, value in enumerate(values)]
    return "\n".join(lines + ["</svg>\n"])


OUT.mkdir(exist_ok=True)
a, b = photograph(), cosines()
exact = a.astype(np.float64) @ b.astype(np.float64)

print(f"{'':12}{'inputs alone':>14}" + "".join(f"{name:>12}" for name in FIDELITIES))
table = {}
for format in FORMATS:
    table[format] = errors_of(format)
    print(f"{format:12}{table[format][0]:14.2e}" + "".join(f"{value:12.2e}" for value in table[format][1:]))
(OUT / "fidelity.svg").write_text(svg(table), encoding="utf-8")
print("plot: examples/fidelity/out/fidelity.svg")

for format, (inputs, *phases) in table.items():
    if any(more > 1.01 * fewer for fewer, more in zip(phases, phases[1:])):
        sys.exit(f"fidelity.py: a phase more makes {format} worse")
    # HiFi4 has all bits of a product but SrcA's last one (Tf32, Float16); eight products are added with 10 bits.
    if phases[-1] > 1.05 * inputs + 2.0**-10:
        sys.exit(f"fidelity.py: HiFi4 of {format} is worse than the rounding of its inputs explains")
