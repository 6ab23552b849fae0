// SPDX-License-Identifier: Apache-2.0
// Cases left undefined by newer pages, by other unpacker instructions and by decisions, beside UNPACR's functional
// model.
#include "support/unpack_undefined.hpp"

namespace tessera::test {

namespace {

using namespace unpacr;
using B = UndefinedBench;

constexpr std::uint32_t row = 16, first_row = 4 * row;
constexpr std::uint32_t unpacr_nop = 0x43000000, setdvalid = 0x57000000, setc16 = 0xB2000000;

void wrap_src_b(B& b) {
    b.state().write(state::cells::unpacker(1, Unpacker::src_row_t0), 60);
    b.last(10 * row - 1);
    b.unpacr(to_src_b);
    EXPECT_EQ(b.src(60, 0, 1), 0u);
    EXPECT_EQ(b.src(0, 0, 1), 4 * row);
}

constexpr Undefined rows[] = {
    {"SrcBRowWrap", "srcb-row-wrap", "a row of SrcB from 64 on", false, true, "unpack.srcb-row-wrap", "wraps",
     "UNPACR_Regular, Functional model; spec-notes A13", wrap_src_b},
    {"SrcBRowWrapOfBlackhole", "srcb-row-wrap", "a row of SrcB from 64 on", true, false, "",
     "wraps, as the vendor's kernels expect", "spec-notes A13", wrap_src_b},
    {"DstWithSetOvrd", "dst-with-set-ovrd", "unpack to Dst with SetOvrdWithAddr", true, true, "unpack.dst-set-ovrd",
     "bits 4 and 5 of the row are dropped", "UNPACR_Regular, Functional model; spec-notes A16",
     [](B& b) {
         b.set("REG2_Unpack_If_Sel", 1);
         b.output(first_row + (64 + 3 * 16 + 2) * row);
         b.adc(0, Adc::x, 32);
         b.last(47);
         b.unpacr();
         EXPECT_EQ(b.dst(66, 0), 32u);
         EXPECT_EQ(b.dst(66 + 48, 0), 0u);
     }},
    {"SrcAAfterDst", "srca-after-dst", "what SrcA's bank holds after an unpack to Dst", true, true,
     "unpack.dst-clobbers-src-a", "what it held", "UNPACR_Regular, Functional model; spec-notes A17",
     [](B& b) {
         set_field(b.state(), "SRCA_SET_SetOvrdWithAddr", 0);
         b.set("REG2_Unpack_If_Sel", 1);
         b.unpacr();
         EXPECT_EQ(b.stored(0, 0), untouched);
         EXPECT_EQ(b.dst(0, 9), 9u);
     }},
    {"TilizeSubByte", "tilize-sub-byte", "tilize mode with BFP4 or BFP2", true, true, "unpack.tilize-sub-byte",
     "rows of 16 datums", "UNPACR_Regular, Functional model; spec-notes A8",
     [](B& b) {
         b.both_formats(F::Bfp4_b);
         b.set("REG2_Force_shared_exp", 1);
         set_field(b.state(), "UNP0_FORCED_SHARED_EXP_shared_exp", 127);
         b.set("REG2_Tileize_mode", 1);
         b.set("REG2_Shift_amount_cntx0", 3);
         b.output(first_row, 1);
         b.byte(tile, 0x4);       // 1.0
         b.byte(tile + 48, 0x6);  // 1.5
         b.last(31);
         b.unpacr();
         EXPECT_EQ(b.stored(0, 0), 0x7Fu);
         EXPECT_EQ(b.stored(1, 0), 0x2007Fu);
     }},
    {"StaleRowStarts", "stale-row-starts", "a row start that L1 no longer holds, in a cache that was not flushed", true,
     true, "unpack.stale-row-starts", "as it was when its line of L1 was read",
     "UNPACR (Flush unpacker decompression row start cache); spec-notes A70",
     [](B& b) {
         b.set("REG0_TileDescriptor_IsUncompressed", 0);
         b.set("REG0_TileDescriptor_XDim", 16);
         b.word(0, 0);
         b.word(1, 3);
         for (std::uint32_t i = 0; i < 8; ++i) b.word(8 + 32 + i, 0);  // no zeros behind any datum
         b.last(15);
         b.unpacr();
         EXPECT_EQ(b.src(0, 1), 9u);
         EXPECT_EQ(b.src(0, 3), untouched);
         b.word(1, 1);
         state::write(b.state(), state::Storage::src_a, 1, untouched);
         b.unpacr();
         EXPECT_EQ(b.src(0, 1), 9u);
     }},
    {"ContextCountNonLog2", "context-count-non-log2", "Context_count_non_log2, which no text describes", true, false,
     "unpack.context-count-non-log2", "the counter returns to 0 there", "spec-notes A25",
     [](B& b) {
         b.set("REG2_Context_count", 3);
         b.set("REG2_Context_count_non_log2", 3);
         b.set("REG2_Context_count_non_log2_en", 1);
         b.state().write(state::cells::unpacker(0, Unpacker::context_counter_t0), 2);
         b.unpacr(counts);
         EXPECT_EQ(b.counter(), 0u);
     }},
    {"ContextCountInc", "context-count-inc", "CfgContextCntInc, which no functional model has", true, true,
     "unpack.context-count-inc", "UNPACR with a context counts as if it used the counter", "spec-notes A26",
     [](B& b) {
         b.set("REG2_Disable_zero_compress_cntx0", 1);
         b.set("REG2_Context_count", 2);
         set_field(b.state(), "UNPACK_MISC_CFG_CfgContextCntInc_0", 1);
         b.last(15);
         b.unpacr(multi_context);
         EXPECT_EQ(b.counter(), 1u);
     }},
    {"Bit5ToSrcB", "unpacr-bit5", "bit 5 of UNPACR (srcb_bcast), unpacker 1", true, false, "unpack.srcb-broadcast",
     "each row goes to eight rows from it on", "spec-notes A57",
     [](B& b) {
         b.last(15);
         b.unpacr(to_src_b | broadcast);
         EXPECT_EQ(b.src(0, 9, 1), 9u);
         EXPECT_EQ(b.src(7, 9, 1), 9u);
         EXPECT_EQ(b.src(8, 9, 1), untouched);
     }},
    {"Bit5ToSrcA", "unpacr-bit5", "bit 5 of UNPACR (srcb_bcast, rareb_en), unpacker 0", true, true,
     "unpack.bit5-ignored", "ignored", "spec-notes A57",
     [](B& b) {
         b.last(15);
         b.unpacr(broadcast);
         EXPECT_EQ(b.src(0, 9), 9u);
         EXPECT_EQ(b.src(1, 9), untouched);
     }},
    {"Bit5OfWormholeToSrcB", "unpacr-bit5", "bit 5 of UNPACR (rareb_en), unpacker 1", false, true,
     "unpack.bit5-ignored", "ignored", "spec-notes A57",
     [](B& b) {
         b.last(15);
         b.unpacr(to_src_b | broadcast);
         EXPECT_EQ(b.src(0, 9, 1), 9u);
         EXPECT_EQ(b.src(1, 9, 1), untouched);
     }},
    {"Bit14", "unpacr-bit14", "bit 14 of UNPACR", true, true, "isa.undefined-bits", "ignored",
     "UNPACR_Regular, Encoding",
     [](B& b) {
         b.last(15);
         b.unpacr(1u << 14);
         EXPECT_EQ(b.src(0, 9), 9u);
         EXPECT_EQ(b.src(1, 9), untouched);
     }},
    {"FlushAndCount", "unpacr-flush-and-count", "the bits of the flush form and of the counting form at once", true,
     true, "isa.undefined-bits", "flushes", "spec-notes C3",
     [](B& b) {
         b.set("REG2_Context_count", 2);
         b.state().write(state::cells::row_cache(0, 0, state::RowCache::line), 7);
         b.unpacr(flush | counts);
         EXPECT_EQ(b.counter(), 0u);
         EXPECT_EQ(b.state()[state::cells::row_cache(0, 0, state::RowCache::line)], 0u);
     }},
    {"BaseBeyond32Bits", "base-wraps", "a base address whose 16-fold has more than 32 bits", true, true,
     "unpack.base-wraps", "the tile begins at the low 32 bits", "UNPACR_Regular, Functional model; spec-notes A36",
     [](B& b) {
         b.set("REG3_Base_address", (tile / 16 - 1) | 0x80000000);
         b.unpacr();
         EXPECT_EQ(b.src(0, 5), 5u);
     }},
    {"ThrottleMode3", "throttle-mode", "Throttle_mode 3", false, true, "unpack.throttle-mode", "x4", "spec-notes F1",
     [](B& b) {
         b.set("REG2_Throttle_mode", 3);
         b.unpacr();
         EXPECT_EQ(b.src(0, 5), 5u);
     }},
    {"NopBothBanks", "unpacr_nop-both-banks", "UNPACR_NOP that clears both banks, and waits as UNPACR", true, true, "unpack.both-banks",
     "clears both", "UNPACR_NOP (ZEROSRC); spec-notes A63",
     [](B& b) {
         for (unsigned bank = 0; bank < 2; ++bank) b.state().bank(state::Src::b, bank).datums.fill(0x12340000);
         b.execute(unpacr_nop | to_src_b | 1 | (b.blackhole() ? 3u << 4 : 3u << 3));
         EXPECT_EQ(b.stored(0, 0, 1), 0u);
         EXPECT_EQ(b.stored(64 + 63, 15, 1), 0u);
     }},
    {"NopClearsToOne", "unpacr_nop-clear-one-or-immediate", "UNPACR_NOP that clears to one", true, false,
     "unpack.clear-value", "1.0 of FP16, BF16 or TF32, or integer 1 with exponent 16", "spec-notes A81",
     [](B& b) {
         b.execute(unpacr_nop | to_src_b | 1 | 2u << 2 | 1u << 6);
         EXPECT_EQ(b.stored(3, 3, 1), 0x7Fu);
     }},
    {"NopClearsToAnImmediate", "unpacr_nop-clear-one-or-immediate", "UNPACR_NOP that clears to NOP_REG_CLR_VAL", true,
     false, "unpack.clear-value", "its low 19 bits, in stored order", "spec-notes A81",
     [](B& b) {
         set_field(b.state(), "UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val", 0xFFFD1234);
         b.execute(unpacr_nop | to_src_b | 1 | 3u << 2);
         EXPECT_EQ(b.stored(3, 3, 1), 0x51234u);
     }},
    {"NopMode6", "unpacr_nop-mode", "mode 6 of UNPACR_NOP", false, true, "unpack.nop-mode", "does nothing",
     "spec-notes C4", [](B& b) { b.execute(unpacr_nop | 6); }},
    {"NopPopsAStream", "unpacr_nop-register", "what UNPACR_NOP's pop and register writes are ordered with", true, true,
     "unpack.nop-unsupported", "the register is written when the unpacker comes to it",
     "UNPACR_NOP (OverlayClear, SETREG); spec-notes A80",
     [](B& b) {
         b.execute(unpacr_nop | 0);
         EXPECT_EQ(b.state()[state::cells::stream_data_clear(0)], 1u);
     }},
    {"NopWritesElsewhere", "unpacr_nop-register", "UNPACR_NOP's write to a register that is not part of the state",
     true, true, "mmio-unmapped", "", "UNPACR_NOP (SETREG); spec-notes A80",
     [](B& b) { b.execute(unpacr_nop | (b.blackhole() ? 7 : 4) | 1u << 4); }},
    {"SetdvalidOfAQueuedBank", "setdvalid-queued", "SETDVALID while UNPACRs are queued that will hand over", true, true,
     "unpack.setdvalid-queued", "hands over the bank of the next UNPACR", "SETDVALID; spec-notes A82",
     [](B& b) {
         b.state().write(state::cells::unpacker(0, Unpacker::next_bank), 1);
         b.step_.execute(setdvalid | 1);  // the reference has no queue
         EXPECT_EQ(b.state()[state::cells::bank_owner(state::Src::a, 1)], 1u);
     }},
    {"SetdvalidsFormat", "setdvalid-format", "the format that a bank implies after SETDVALID", true, false,
     "unpack.setdvalid-format", "stays as it was", "SETDVALID; spec-notes A82",
     [](B& b) {
         b.state().write(state::cells::implied_format(state::Src::b, 0), 5);
         b.execute(setdvalid | 2);
         EXPECT_EQ(b.state()[state::cells::implied_format(state::Src::b, 0)], 5u);
     }},
    {"Setc16Index", "setc16-index", "SETC16 of a word that thread configuration does not have", true, true,
     "config.index", "", "SETC16, Functional model",
     [](B& b) { b.execute(setc16 | b.state().arch().thread_config_words << 16); }},
};

}  // namespace

std::span<const Undefined> undefined_beside_the_model() { return rows; }

}  // namespace tessera::test
