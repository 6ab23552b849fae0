# SPDX-License-Identifier: Apache-2.0
"""The matrix unit's arithmetic in exact rationals (docs/internals/numerics.md 1 to 6), held against what an explained element tells.

For scripts/check_explained; it shares nothing with Tessera.
"""
import struct
from fractions import Fraction
from math import floor

HALF = Fraction(1, 2)
NARROW = ("Float16", "Lf8")  # formats with exponents of five bits


def two(exponent):
    return Fraction(2) ** exponent


def half_up(x):
    return floor(x + HALF)


def half_away(x):
    return half_up(x) if x >= 0 else -half_up(-x)


def parse(text):
    """A value of an explanation: an integer, or an integer times a power of two."""
    mantissa, _, exponent = text.partition("*2^")
    return int(mantissa) * two(int(exponent or 0))


class Datum:
    """A datum of a source register: sign, exponent, significand (of integers the magnitude)."""

    def __init__(self, sign, exponent, fraction, kind):
        self.sign, self.exponent, self.fraction = -1 if sign else 1, exponent, fraction
        self.integer = kind == "Int8"
        self.bias = 15 if kind in NARROW else 127
        self.zero = exponent == 0
        self.bits = (sign << 31) | (exponent << 23) | (fraction << 13)
        if self.integer:
            self.significand = Fraction(fraction)
        else:
            self.significand = Fraction(0) if self.zero else 1 + Fraction(fraction, 1024)

    def part(self, significand):
        return self.sign * significand * (1 if self.integer else two(self.exponent - self.bias))

    @property
    def value(self):
        return self.part(self.significand)


def datums(raw, kind, arch):
    """The bytes of a tile as unpacked to a source register."""
    if kind == "Float16_b":
        return [Datum(x >> 15, x >> 7 & 255, (x & 127) << 3, kind) for (x,) in struct.iter_unpack("<H", raw)]
    if kind == "Tf32":
        return [Datum(x >> 31, x >> 23 & 255, x >> 13 & 1023, kind) for (x,) in struct.iter_unpack("<I", raw)]
    if kind == "Float16":
        return [Datum(x >> 15, x >> 10 & 31, x & 1023, kind) for (x,) in struct.iter_unpack("<H", raw)]
    if kind == "Lf8":  # E5M2; on Blackhole seven ones are the largest number
        full = 0x7F if arch == "blackhole" else None
        return [Datum(x >> 7, x >> 2 & 31, 1023 if x & 0x7F == full else (x & 3) << 8, kind) for x in raw]
    return [Datum(x >> 7, 16 if x & 127 else 0, x & 127, kind) for x in raw]


class Mode:
    def __init__(self, arch, kind, wide, phase):
        self.wormhole, self.kind, self.phase = arch == "wormhole", kind, phase
        self.integer, self.narrow = kind == "Int8", kind in NARROW
        self.wide = wide or self.integer
        self.bias = 15 if self.narrow and not self.wide else 127
        self.divided = 5 * (phase & 1) + 7 * (phase >> 1)

    def numbers(self):
        return "integers" if self.integer else "5-bit exponents" if self.narrow else "8-bit exponents"

    def slice_a(self, x):
        s = x.significand
        if self.integer:
            return Fraction(int(s) % 32 if self.phase & 1 else int(s) // 32 % 8 * 32)
        return Fraction(floor(s * 512) % 32, 512) if self.phase & 1 else Fraction(floor(s * 16), 16)

    def slice_b(self, x):
        s = x.significand
        if self.integer:
            return Fraction(int(s) % 16 if self.phase & 2 else int(s) // 16 * 16)
        return Fraction(floor(s * 1024) % 16, 1024) if self.phase & 2 else Fraction(floor(s * 64), 64)

    def rebias(self):
        """The sum of two operands' exponents plus this is the product's exponent."""
        return self.bias - 2 * (15 if self.narrow else 127) - self.divided

    # Dst as value, biased exponent; and back.
    def read(self, bits):
        if self.integer:
            return (-1 if bits >> 31 else 1) * (bits & 0x7FFFFFFF), 0
        fraction_bits = 23 if self.wide else 10 if self.narrow else 7
        exponent_bits = 5 if self.narrow and not self.wide else 8
        exponent = bits >> fraction_bits & (1 << exponent_bits) - 1
        significand = 1 + Fraction(bits & (1 << fraction_bits) - 1, 1 << fraction_bits)
        sign = -1 if bits >> (fraction_bits + exponent_bits) else 1
        return (sign * significand * two(exponent - self.bias) if exponent else Fraction(0)), exponent


class Check:
    """Compares the explanation with the computed values, and collects differences."""

    def __init__(self):
        self.wrong = []

    def __call__(self, name, told, computed):
        if told != computed:
            self.wrong.append(f"{name}: told {told}, computed {computed}")

    def value(self, name, told, computed):
        self(name, None if told is None else parse(told), computed)


def check_operand(check, name, told, x, part, mode, scale):
    check(name + " bits", told["bits"], x.bits)
    check(name + " zero", told["zero"], x.zero)
    check.value(name + " value", told["value"], x.value)
    check.value(name + " used", told["used"], x.part(part))
    check(name + " slice", told["slice"], x.sign * part * scale)


def check_product(check, name, told, a, b, mode):
    """Exact value of the slices, exponent, exact value of all bits."""
    part_a, part_b = mode.slice_a(a), mode.slice_b(b)
    if mode.integer:
        check_operand(check, name + " a", told["a"], a, part_a, mode, 1)
        check_operand(check, name + " b", told["b"], b, part_b, mode, 1)
        value = a.part(part_a) * b.part(part_b)
        check(name + " mantissa", told["mantissa"], value)
        check.value(name + " value", told["value"], value)
        return value, 0, a.value * b.value
    check_operand(check, name + " a", told["a"], a, part_a, mode, 512 if mode.phase & 1 else 16)
    check_operand(check, name + " b", told["b"], b, part_b, mode, 1024 * 8 if mode.phase & 2 else 64)
    value = a.part(part_a) * b.part(part_b)
    zero = a.zero or b.zero
    exponent = max(mode.rebias(), 0) if zero else a.exponent + b.exponent + mode.rebias()
    check(name + " exponent", told["exponent"], exponent)
    check.value(name + " value", told["value"], value)
    check(name + " mantissa", told["mantissa"], value / two(exponent - mode.bias - 10))
    return value, exponent, a.value * b.value


def finish(check, told, bits, result, exact, whole, end):
    check("result bits", told["result_bits"], bits)
    check("end", told["end"], end)
    check.value("exact", told["exact"], exact)
    check.value("whole", told["whole"], whole)
    if result is None:
        check("result", told["result"].lstrip("-"), "infinity")
        check("error", told["error"], None)
        return
    check.value("result", told["result"], result)
    check.value("error", told["error"], result - exact)
    check.value("whole error", told["whole_error"], result - whole)
    if end in ("stored", "zero"):
        steps = told["products"] + told["terms"] + [s for s in (told["sum"], told["rounding"]) if s]
        check("error and what was dropped", result - exact, -sum(parse(s["dropped"]) for s in steps))


def accumulate(check, told, terms, exact, whole, mode, old):
    """Terms (name, value, exponent) onto Dst."""
    old_value, old_exponent = mode.read(old) if told["accumulates"] else (Fraction(0), 0)
    check.value("old value", told["old_value"], old_value)
    exact, whole = exact + old_value, whole + old_value
    terms = terms + [("Dst", old_value, old_exponent)]
    common = max(exponent for _, _, exponent in terms)
    check("terms", [t["name"] for t in told["terms"]], [t[0] for t in terms])
    if common <= 0:
        return finish(check, told, 0, Fraction(0), exact, whole, "flushed")
    unit = two(common - mode.bias - 23)
    total = Fraction(0)
    for line, (name, value, exponent) in zip(told["terms"], terms):
        nearest = half_away if name == "Dst" else half_up
        aligned = nearest(value / unit)
        kept = aligned if mode.wide else nearest(Fraction(aligned, 8192)) * 8192
        check(name + " exponent", line["exponent"], exponent)
        check(name + " mantissa", line["mantissa"], value / two(exponent - mode.bias - 23))
        check(name + " shift", line["shift"], common - exponent)
        check(name + " aligned", line["aligned"], aligned)
        check(name + " kept", line["kept"], kept)
        check.value(name + " dropped", line["dropped"], value - kept * unit)
        total += kept
    rounding = told["rounding"]
    check("common exponent", rounding["common_exponent"], common)
    check("sum", rounding["sum"], total)
    if total == 0:
        return finish(check, told, 0, Fraction(0), exact, whole, "zero")

    magnitude = abs(total * unit)
    exponent = 0
    while two(exponent + 1) <= magnitude:
        exponent += 1
    while two(exponent) > magnitude:
        exponent -= 1
    fraction_bits = 23 if mode.wide else 10 if mode.narrow else 7
    significand = Fraction(half_away(magnitude / two(exponent) * 2**fraction_bits), 2**fraction_bits)
    if significand == 2:
        significand, exponent = Fraction(1), exponent + 1
    biased = exponent + mode.bias
    bug = mode.wormhole and mode.wide and total == -1
    if bug:
        biased += 27
    check("leading-sign bug", rounding["leading_sign_bug"], bug)
    check("rounded exponent", rounding["exponent"], biased)
    check("rounded mantissa", rounding["mantissa"], significand * 2**23)
    sign = 1 if total < 0 else 0
    rounded = (-1 if sign else 1) * significand * two(biased - mode.bias)
    check.value("rounding dropped", rounding["dropped"], total * unit - rounded)
    if biased <= 0:
        return finish(check, told, 0, Fraction(0), exact, whole, "flushed")
    exponent_bits = 5 if mode.narrow and not mode.wide else 8
    top = sign << (fraction_bits + exponent_bits)
    if exponent_bits == 5 and biased > 31:
        largest = (-1 if sign else 1) * (2 - two(-10)) * two(31 - 15)
        return finish(check, told, top | 0x7FFF, largest, exact, whole, "saturated")
    if exponent_bits == 8 and biased >= 255:
        return finish(check, told, top | 255 << fraction_bits, None, exact, whole, "saturated")
    bits = top | biased << fraction_bits | int((significand - 1) * 2**fraction_bits)
    finish(check, told, bits, rounded, exact, whole, "stored")


def accumulate_integer(check, told, term, whole, mode, old):
    old_value = mode.read(old)[0] if told["accumulates"] else 0
    check.value("old value", told["old_value"], old_value)
    exact = old_value + term
    result = max(-(2**31 - 1), min(2**31 - 1, exact))
    bits = (1 << 31 if result < 0 else 0) | abs(int(result))
    end = "saturated" if result != exact else "stored" if result else "zero"
    finish(check, told, bits, result, exact, old_value + whole, end)


def check_products(check, told, pairs, mode, old):
    check("products", len(told["products"]), 16)
    lines = [check_product(check, f"product {k}", line, a, b, mode)
             for k, (line, (a, b)) in enumerate(zip(told["products"], pairs))]
    exact, whole = sum(line[0] for line in lines), sum(line[2] for line in lines)
    if mode.integer:
        return accumulate_integer(check, told, exact, whole, mode, old)
    terms = []
    for g, first in enumerate((0, 8)):
        exponent = max(line[1] for line in lines[first : first + 8])
        unit = two(exponent - mode.bias - 10)
        group = told["groups"][g]
        total = 0
        for k in range(first, first + 8):
            aligned = half_away(lines[k][0] / unit) if exponent > 0 else 0
            check(f"product {k} shift", told["products"][k]["shift"], exponent - lines[k][1])
            check(f"product {k} aligned", told["products"][k]["aligned"], aligned)
            check.value(f"product {k} dropped", told["products"][k]["dropped"], lines[k][0] - aligned * unit)
            total += aligned
        check(f"group {g} exponent", group["exponent"], exponent)
        check(f"group {g} sum", group["sum"], total)
        check(f"group {g} vanishes", group["vanishes"], exponent <= 0)
        terms.append((f"products {first} to {first + 7}", total * unit, max(exponent, 0)))
    accumulate(check, told, terms, exact, whole, mode, old)


def check_elwmul(check, told, a, b, mode, old):
    value, exponent, whole = check_product(check, "product", told["products"][0], a, b, mode)
    if mode.integer:
        return accumulate_integer(check, told, value, whole, mode, old)
    term = ("product", value, exponent) if exponent > 0 else ("product", Fraction(0), max(mode.rebias(), 0))
    check.value("product dropped", told["products"][0]["dropped"], value - term[1])
    accumulate(check, told, [term], value, whole, mode, old)


def check_sum(check, told, a, b, sign, mode, old):
    line = told["sum"]
    check("a bits", line["a"]["bits"], a.bits)
    check("b bits", line["b"]["bits"], b.bits)
    check.value("a value", line["a"]["value"], a.value)
    check.value("b value", line["b"]["value"], sign * b.value)
    whole = a.value + sign * b.value
    if mode.integer:
        check("sum", line["mantissa"], whole)
        return accumulate_integer(check, told, whole, whole, mode, old)
    swapped = abs(a.value) < abs(b.value)
    large, small = (sign * b.value, a.value) if swapped else (a.value, sign * b.value)
    large_exponent = (b if swapped else a).exponent
    unit = two(large_exponent - a.bias - 10)
    magnitude = half_up(abs(small) / unit)
    aligned = -magnitude if small < 0 else magnitude
    check("swapped", line["swapped"], swapped)
    check("aligned", line["aligned"], aligned)
    mantissa = large / unit + aligned
    check("sum mantissa", line["mantissa"], mantissa)
    rebias = 112 if mode.narrow and mode.wide else 0
    exponent = (large_exponent + rebias if large_exponent else 97 if rebias else 0) - mode.divided
    check("sum exponent", line["exponent"], exponent)
    scale = two(-mode.divided)
    value = mantissa * unit * scale
    check.value("sum dropped", line["dropped"], whole * scale - value)
    accumulate(check, told, [("sum", value, exponent)], whole * scale, whole, mode, old)


def check_maximum(check, told, column, scales, mode, old):
    """Numbers are compared as sign and magnitude, exponents of nine bits above mantissas of ten."""
    def key(sign, exponent, fraction):
        return sign * (exponent * 1024 + fraction)

    double = 0 if mode.integer else 30 if mode.narrow else 254
    if mode.integer:
        best = (key(-1 if old >> 31 else 1, (old >> 10) & 0x1FF, old & 1023),)
        best = best + (Fraction(best[0]),)
    else:
        fp16 = mode.narrow and not mode.wide
        fraction_bits, exponent_bits = (10, 5) if fp16 else (23, 8) if mode.wide else (7, 8)
        sign = -1 if old >> (fraction_bits + exponent_bits) else 1
        exponent = (old >> fraction_bits & (1 << exponent_bits) - 1) + mode.bias
        fraction = (old & (1 << fraction_bits) - 1) * 1024 >> fraction_bits
        value = sign * (1 + Fraction(fraction, 1024)) * two(exponent - 2 * mode.bias)
        best = (key(sign, exponent, fraction), value if exponent > mode.bias else Fraction(0))
    winner = 0
    for place, row in enumerate([4, 5, 6, 7, 0, 1, 2, 3, *range(8, 16)], 1):
        x, scale = column[row], scales[row].exponent
        if scale == 0:
            candidate = (key(-1, 511, 1023), None)
        elif x.exponent == 0:
            candidate = (0, Fraction(0))
        elif mode.integer:
            candidate = (key(x.sign, 0, x.fraction), x.value)
        else:
            candidate = (key(x.sign, x.exponent + scale, x.fraction), x.part(x.significand) * two(scale - x.bias))
        line = told["candidates"][place]
        check(f"candidate {place} bits", line["bits"], x.bits)
        check(f"candidate {place} compared", line["compared"], candidate[0])
        check(f"candidate {place} value", line["value"] if candidate[1] is None else parse(line["value"]),
              "lowest" if candidate[1] is None else candidate[1])
        if candidate[0] >= best[0]:
            best, winner = candidate, place
    check("winner", [i for i, c in enumerate(told["candidates"]) if c["wins"]], [winner])
    magnitude, sign = abs(best[0]), 1 if best[0] < 0 else 0
    exponent, fraction = magnitude >> 10, magnitude & 1023
    if mode.integer:
        bits = sign << 31 | magnitude & 0x1FFF
        check("result bits", told["result_bits"], bits)
    elif mode.narrow and not mode.wide:
        bits = 0 if exponent % 64 == 0 else sign << 15 | (exponent - 15) % 32 << 10 | fraction
        check("result bits", told["result_bits"], bits)
    elif mode.wide:
        bits = 0 if exponent == 0 else sign << 31 | (exponent - 127) % 256 << 23 | fraction << 13
        check("result bits", told["result_bits"], bits)
    else:
        bits = 0 if exponent == 0 else sign << 15 | (exponent - 127) % 256 << 7 | fraction >> 3
        check("result bits", told["result_bits"], bits)
    if best[1] is not None:
        check.value("exact", told["exact"], best[1])
        check.value("error", told["error"], parse(told["result"]) - best[1])
