// SPDX-License-Identifier: Apache-2.0
// UndefinedBehaviour() in UNPACR_Regular's functional model, and consequences of its bounds, missing cases and
// integers.
#include "support/unpack_undefined.hpp"

namespace tessera::test {

namespace {

using namespace unpacr;
using B = UndefinedBench;

constexpr std::uint32_t to_context = 10, to_context_adc = 8, row = 16, first_row = 4 * row;

// The tile's first 32 bits in L1 and, truncated to TF32 in stored order, in a source register: sign 0, exponent 0x7F,
// mantissa 0x209.
void one_datum_of_32_bits(B& b, F in, F out) {
    b.formats(in, out);
    b.word(0, 0x2345);
    b.word(1, 0x3FC1);
    b.output(first_row, 4);
    b.last(0);
    b.unpacr();
    EXPECT_EQ(b.stored(0, 0), 0x2097Fu);
}

constexpr Undefined rows[] = {
    // --- UndefinedBehaviour() of UNPACR_Regular
    {"Unpacker1Context", "unpacker1-context", "unpacker 1 with a context of 2 or more", true, true,
     "unpack.unpacker1-context", "reads the registers of that context, whose offset is that of the context modulo 4",
     "UNPACR_Regular, Functional model; spec-notes A24",
     [](B& b) {
         b.set("REG2_Disable_zero_compress_cntx6", 1, 1);
         b.set("REG4_Base_cntx6_address", tile / 16 - 1, 1);
         b.set("REG7_Offset_cntx2_address", 2, 1);
         b.last(15);
         b.unpacr(to_src_b | multi_context | 6u << to_context);
         EXPECT_EQ(b.src(0, 5, 1), 21u);
     }},
    {"ContextAdc3", "context-adc-3", "ContextADC of 3", true, true, "unpack.context-adc-3", "",
     "UNPACR_Regular, Functional model", [](B& b) { b.unpacr(multi_context | 3u << to_context_adc); }},
    {"OutAddressMisaligned32", "out-address-misaligned",
     "an output address that is no multiple of 4 bytes, for 32-bit datums", true, true, "unpack.out-address-misaligned",
     "", "UNPACR_Regular, Functional model; spec-notes A20",
     [](B& b) {
         b.formats(F::Float32, F::Tf32);
         b.output(first_row * 2 + 1, 2);
         b.unpacr();
     }},
    {"OutAddressMisaligned16", "out-address-misaligned",
     "an output address that is no multiple of 2 bytes, for 16-bit datums", true, true, "unpack.out-address-misaligned",
     "", "UNPACR_Regular, Functional model; spec-notes A20",
     [](B& b) {
         b.output(first_row * 2 + 1, 1);
         b.unpacr();
     }},
    {"TransposeMisaligned", "in-address-misaligned",
     "transposition of datums whose first does not begin a line of 16 bytes", true, true,
     "unpack.in-address-misaligned", "", "UNPACR_Regular, Functional model",
     [](B& b) {
         b.set("REG2_Haloize_mode", 1);
         b.adc(0, Adc::x, 1);
         b.unpacr();
     }},
    {"TilizeMisaligned", "in-address-misaligned",
     "tilize mode with datums whose first does not begin a line of 16 bytes", true, true,
     "unpack.in-address-misaligned", "", "UNPACR_Regular, Functional model",
     [](B& b) {
         b.set("REG2_Tileize_mode", 1);
         b.adc(0, Adc::x, 1);
         b.unpacr();
     }},
    {"TilizeWithUpsampling", "tilize-with-upsample-or-compression", "tilize mode with upsampling", true, true,
     "unpack.tilize-conflict", "", "UNPACR_Regular, Functional model",
     [](B& b) {
         b.set("REG2_Tileize_mode", 1);
         b.set("REG2_Upsample_rate", 1);
         b.unpacr();
     }},
    {"TilizeOfACompressedTile", "tilize-with-upsample-or-compression", "tilize mode of a compressed tile", true, true,
     "unpack.tilize-conflict", "", "UNPACR_Regular, Functional model",
     [](B& b) {
         b.set("REG2_Tileize_mode", 1);
         b.set("REG0_TileDescriptor_IsUncompressed", 0);
         b.unpacr();
     }},
    {"DstWithColumnShift", "dst-with-colshift-or-transpose", "unpack to Dst with column shift", true, true,
     "unpack.dst-transposed", "", "UNPACR_Regular, Functional model",
     [](B& b) {
         b.set("REG2_Unpack_If_Sel", 1);
         b.set("REG2_Shift_amount_cntx0", 1);
         b.unpacr();
     }},
    {"DstWithTransposition", "dst-with-colshift-or-transpose", "unpack to Dst with transposition", true, true,
     "unpack.dst-transposed", "", "UNPACR_Regular, Functional model",
     [](B& b) {
         b.set("REG2_Unpack_If_Sel", 1);
         b.set("REG2_Haloize_mode", 1);
         b.unpacr();
     }},
    {"SrcARow64", "srca-row-64", "a row of SrcA from 64 on, with SetOvrdWithAddr", false, true, "unpack.srca-row-64",
     "wraps; SrcRow is not added", "UNPACR_Regular, Functional model; spec-notes A10",
     [](B& b) {
         b.state().write(state::cells::unpacker(0, Unpacker::src_row_t0), 16);
         b.last(70 * row - 1);
         b.unpacr();
         EXPECT_EQ(b.src(0, 0), 64 * row);
         EXPECT_EQ(b.src(6, 0), 6 * row);
     }},
    {"SrcARow64OfBlackhole", "srca-row-64", "a row of SrcA from 64 on, with SetOvrdWithAddr", true, false, "",
     "wraps, as the vendor's simulator for Blackhole has it", "spec-notes A10",
     [](B& b) {
         b.last(70 * row - 1);
         b.unpacr();
         EXPECT_EQ(b.src(0, 0), 64 * row);
         EXPECT_EQ(b.src(6, 0), 6 * row);
     }},
    {"SrcARow16", "srca-row-16", "a row of SrcA from 16 on, without SetOvrdWithAddr", true, true, "unpack.srca-row-16",
     "SrcRow is added, the sum wraps at 64", "UNPACR_Regular, Functional model; spec-notes A11",
     [](B& b) {
         set_field(b.state(), "SRCA_SET_SetOvrdWithAddr", 0);
         b.state().write(state::cells::unpacker(0, Unpacker::src_row_t0), 40);
         b.last(25 * row - 1);
         b.unpacr();
         EXPECT_EQ(b.src(40, 3), 3u);
         EXPECT_EQ(b.src(0, 0), 24 * row);
         EXPECT_EQ(b.src(1, 0), untouched);
     }},
    {"OutsideL1", "l1-address", "a datum, exponent or row start outside L1", true, true, "unpack.l1-address", "",
     "UNPACR_Regular, ReadL1Bytes",
     [](B& b) {
         b.set("REG3_Base_address", b.state().arch().l1_bytes / 16 - 2);
         b.last(8);
         b.unpacr();
     }},
    {"RowStartOutsideL1", "l1-address", "a row start outside L1", true, true, "unpack.l1-address", "",
     "UNPACR_Regular, ReadL1Bytes",
     [](B& b) {
         b.set("REG0_TileDescriptor_IsUncompressed", 0);
         b.set("REG3_Base_address", b.state().arch().l1_bytes / 16 - 1);
         b.unpacr();
     }},
    {"Fp32ToOther", "fp32-to-other", "FP32 to a format other than FP32, TF32, BF16 and FP16", true, true,
     "unpack.fp32-to-other", "", "UNPACR_Regular, FormatConversion",
     [](B& b) {
         b.formats(F::Float32, F::Lf8);
         b.unpacr();
     }},
    {"FormatMismatch", "format-mismatch", "an output format other than the input format, which is not FP32", true, true,
     "unpack.format-mismatch",
     "the datum goes by the input format, output address and view of Dst by the output format",
     "UNPACR_Regular, FormatConversion; spec-notes A68",
     [](B& b) {
         b.formats(F::UInt16, F::Int8);  // an address counts bytes then
         b.output(first_row + 3 * row, 1);
         b.unpacr();
         EXPECT_EQ(b.src(3, 7), 7u);
     }},
    {"FormatExpanded", "format-expanded", "an output format that the vendor's kernel headers name for what comes out", true, true,
     "unpack.format-expanded", "the datum as with equal formats, output address by the output format",
     "is_unpacker_format_conversion_supported_fp32_acc of the vendor's kernel headers; spec-notes A84",
     [](B& b) {
         b.formats(F::Float16_b, F::Float16_b);
         b.output(first_row + 3 * row, 2);
         b.unpacr();
         const auto equal = b.src(3, 7);
         EXPECT_NE(equal, 0u);
         b.formats(F::Float16_b, F::Tf32);
         b.output(first_row + 5 * row, 4);
         b.unpacr();
         EXPECT_EQ(b.src(5, 7), equal);
     }},
    {"Tf32ToSource", "tf32-in-to-src", "TF32 in L1 to a source register", true, true, "unpack.tf32-to-src",
     "as FP32 to TF32: the upper 19 bits", "UNPACR_Regular, FormatConversion; spec-notes A49",
     [](B& b) { one_datum_of_32_bits(b, F::Tf32, F::Tf32); }},
    {"Int32ToSource", "int32-to-src", "INT32 to a source register", true, true, "unpack.int32-to-src",
     "the upper 19 bits, as of FP32", "UNPACR_Regular, FormatConversion; spec-notes A52",
     [](B& b) { one_datum_of_32_bits(b, F::Int32, F::Int32); }},
    {"Fp32ToSource", "fp32-to-src", "FP32 to a source register as FP32", true, true, "unpack.fp32-to-src",
     "as FP32 to TF32: the upper 19 bits", "UNPACR_Regular, FormatConversion; spec-notes A52",
     [](B& b) { one_datum_of_32_bits(b, F::Float32, F::Float32); }},
    {"BlockExponentAboveFiveBits", "bfpa-exponent-range",
     "a datum of BFP8a, BFP4a or BFP2a whose exponent, normalised, is above 31", true, true, "unpack.block-exponent",
     "the low five bits of it", "UNPACR_Regular, BFP8aToFP16; spec-notes A40",
     [](B& b) {
         b.both_formats(F::Bfp8);
         b.set("REG2_Force_shared_exp", 1);
         set_field(b.state(), "UNP0_FORCED_SHARED_EXP_shared_exp", 33);
         b.output(first_row, 1);
         b.byte(tile, 0x40);      // exponent 33: 1
         b.byte(tile + 1, 0x81);  // six zeros before its one: 27, which fits
         b.byte(tile + 2, 0x80);  // no magnitude: no exponent that could be too large
         b.last(2);
         b.unpacr();
         EXPECT_EQ(b.stored(0, 0), 1u);
         EXPECT_EQ(b.stored(0, 1), 0x40000u | 27);
         EXPECT_EQ(b.stored(0, 2), 0x40000u | 31);
     }},
    {"BlockExponentBelowZero", "bfpa-exponent-range",
     "a datum of BFP8a, BFP4a or BFP2a whose exponent, normalised, is below 0", true, true, "unpack.block-exponent",
     "the low five bits of it", "UNPACR_Regular, BFP8aToFP16; spec-notes A40",
     [](B& b) {
         b.both_formats(F::Bfp4);
         b.output(first_row, 1);
         b.byte(tile, 1);  // the first block's exponent; the datums lie behind a line of exponents
         b.byte(tile + 16, 0x14);
         b.last(1);
         b.unpacr();
         EXPECT_EQ(b.stored(0, 0), 1u);
         EXPECT_EQ(b.stored(0, 1), 31u);  // 1 - 2
     }},
    // --- implied by the model: bounds of arrays, missing cases, unsigned arithmetic
    {"BlobIndex8", "blob-index-8", "row search for the blob behind the eighth", true, true, "unpack.blob-index", "",
     "UNPACR_Regular, Functional model; spec-notes A71",
     [](B& b) {
         b.set("REG0_TileDescriptor_BlobsPerXYPlane", 3);
         b.adc(0, Adc::x, 7);
         b.unpacr(row_search);
     }},
    {"UnknownInputFormat", "unknown-format", "input format 12 or 13", true, true, "unpack.unknown-format", "",
     "UNPACR_Regular, Functional model; spec-notes A69",
     [](B& b) {
         b.formats(F(12), F::UInt16);
         b.unpacr();
     }},
    {"UnknownOutputFormat", "unknown-format", "output format 12 or 13", true, true, "unpack.unknown-format", "",
     "UNPACR_Regular, Functional model; spec-notes A69",
     [](B& b) {
         b.formats(F::UInt16, F(13));
         b.unpacr();
     }},
    {"CountNegative", "count-negative", "a last datum before the first, which the model takes for 2^32 datums", true,
     true, "unpack.count-negative", "", "UNPACR_Regular, Functional model; spec-notes A21",
     [](B& b) {
         b.adc(0, Adc::x, 5);
         b.last(3);
         b.unpacr();
     }},
    {"RowStartsDescend", "count-negative", "a row of a compressed tile that ends before it starts", true, true,
     "unpack.count-negative", "", "UNPACR_Regular, Functional model; spec-notes A21",
     [](B& b) {
         b.set("REG0_TileDescriptor_IsUncompressed", 0);
         b.word(0, 9);
         b.unpacr();
     }},
    {"ExponentSectionTooLarge", "l1-address",
     "a tile of more datums than 32 bits count, whose exponent section the model's integers cannot hold", true, true,
     "unpack.l1-address", "", "UNPACR_Regular, Functional model; spec-notes A36",
     [](B& b) {
         b.both_formats(F::Bfp8_b);
         b.output(first_row, 1);
         b.set("REG0_TileDescriptor_XDim", 0xFFFF);
         for (const char* dim : {"YDim", "ZDim", "WDim"}) b.set("REG0_TileDescriptor_" + std::string(dim), 0xFF);
         b.unpacr();
     }},
};

}  // namespace

std::span<const Undefined> undefined_in_the_model() { return rows; }

}  // namespace tessera::test
