// SPDX-License-Identifier: Apache-2.0
// Meanings of bits. Source registers and Dst are kept in the hardware's stored order (docs/internals/layout.md).
"use strict";

const floatBits = new DataView(new ArrayBuffer(4));
function floatOf(bits) {
    floatBits.setUint32(0, bits >>> 0);
    return floatBits.getFloat32(0);
}

/** An FP16; all exponents are those of numbers, as the hardware has them. */
function halfOf(bits) {
    const exponent = bits >> 10 & 0x1F, mantissa = bits & 0x3FF;
    const magnitude = exponent ? (1 + mantissa / 1024) * 2 ** (exponent - 15) : mantissa * 2 ** -24;
    return bits & 0x8000 ? -magnitude : magnitude;
}
const signMagnitude = (sign, magnitude) => sign ? -magnitude : magnitude;
const bf16Of = bits => floatOf(bits << 16);

/** The upper 19 bits of an FP32 from a source register's datum. */
const srcPlain = x => ((x & 0x40000) << 13 | (x & 0xFF) << 23 | (x >> 8 & 0x3FF) << 13) >>> 0;
/** A BF16 from a datum of Dst. */
const dstPlain = x => x & 0x8000 | (x & 0x7F00) >> 8 | (x & 0x00FF) << 7;
/** A value of the 32-bit view from a datum and the one eight rows further. */
const dstJoin = (high, low) => (dstPlain(high) << 16 | low) >>> 0;

const hex = (value, digits) => (value >>> 0).toString(16).toUpperCase().padStart(digits, "0");

function showFloat(value) {
    if (Number.isInteger(value) && Math.abs(value) < 1e6) return Object.is(value, -0) ? "-0" : String(value);
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞";
    const magnitude = Math.abs(value);
    return magnitude >= 1e-3 && magnitude < 1e6 ? String(Number(value.toPrecision(4))) : value.toExponential(2);
}
/** All of its digits. */
const showExactly = (format, bits) => format.signed ? showExact(format.value(bits)) : format.show(bits);
const showExact = value => Object.is(value, -0) ? "-0" : String(value);

/** A way to read bits: `value` gives a number for heat and text, `show` the text. Raw bits have no sign. */
const asFloat = value => ({value, show: bits => showFloat(value(bits)), signed: true});
const asInteger = value => ({value, show: bits => showExact(value(bits)), signed: true});
const asHex = digits => ({value: bits => bits, show: bits => hex(bits, digits), signed: false});

/** By kind of memory and name of the format; the first of a kind is the one to begin with. */
const FORMATS = {
    src: {
        "BF16/TF32": asFloat(x => floatOf(srcPlain(x))),
        FP16: asFloat(x => halfOf((srcPlain(x) >>> 16 & 0x8000) | (srcPlain(x) >>> 13 & 0x7FFF))),
        INT8: asInteger(x => signMagnitude(x & 0x40000, (x & 0xFF) ? x >> 8 & 0x3FF : 0)),
        "raw hex": asHex(5),
    },
    dst16: {
        BF16: asFloat(x => bf16Of(dstPlain(x))),
        FP16: asFloat(x => halfOf(x & 0x8000 | (x & 0x1F) << 10 | x >> 5 & 0x3FF)),
        INT8: asInteger(x => signMagnitude(x & 0x8000, (x & 0x1F) ? x >> 5 & 0x3FF : 0)),
        "raw hex": asHex(4),
    },
    dst32: {
        FP32: asFloat(floatOf),
        INT32: asInteger(x => signMagnitude(x >>> 31, x & 0x7FFFFFFF)),
        "raw hex": asHex(8),
    },
    lreg: {
        FP32: asFloat(floatOf),
        INT32: asInteger(x => x | 0),
        UINT32: asInteger(x => x >>> 0),
        "raw hex": asHex(8),
    },
    l1: {
        BF16: {...asFloat(bf16Of), bytes: 2},
        FP16: {...asFloat(halfOf), bytes: 2},
        TF32: {...asFloat(x => floatOf(x & 0xFFFFE000)), bytes: 4},
        FP32: {...asFloat(floatOf), bytes: 4},
        INT8: {...asInteger(x => signMagnitude(x & 0x80, x & 0x7F)), bytes: 1},
        UINT8: {...asInteger(x => x), bytes: 1},
        UINT16: {...asInteger(x => x), bytes: 2},
        INT32: {...asInteger(x => x | 0), bytes: 4},
        UINT32: {...asInteger(x => x >>> 0), bytes: 4},
        "raw bytes": {...asHex(2), bytes: 1},
        "raw words": {...asHex(8), bytes: 4},
    },
};
/** Of FORMATS.l1, by the name that a job gives an output. */
const L1_FORMAT_OF = {Float16_b: "BF16", Float16: "FP16", Tf32: "TF32", Float32: "FP32", Int8: "INT8", UInt8: "UINT8",
                      UInt16: "UINT16", Int32: "INT32", UInt32: "UINT32"};
