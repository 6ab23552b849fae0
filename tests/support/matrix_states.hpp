// SPDX-License-Identifier: Apache-2.0
// Random states and instructions for the matrix unit: both states of a ReferencePair.
#pragma once

#include "reference/matrix.hpp"
#include "state/lane_config.hpp"
#include "support/reference_pair.hpp"

namespace tessera::test {

struct MatrixInstruction {
    std::uint32_t opcode;
    ReferenceFunction function;
};
inline constexpr MatrixInstruction matrix_instructions[] = {
    {0x12, reference::mova2d},      {0x13, reference::movb2d},      {0x08, reference::movd2a},
    {0x0A, reference::movd2b},      {0x0B, reference::movb2a},      {0x28, reference::elwadd},
    {0x30, reference::elwsub},      {0x27, reference::elwmul},      {0x26, reference::mvmul},
    {0x10, reference::zeroacc},     {0x11, reference::zerosrc},     {0x16, reference::trnspsrcb},
    {0x37, reference::setrwc},      {0x38, reference::incrwc},      {0x36, reference::cleardvalid},
    {0x29, reference::dotpv},       {0x34, reference::gapool},      {0x33, reference::gmpool},
    {0x17, reference::shiftxa},     {0x18, reference::shiftxb},     {0x35, reference::gatesrcrst},
    {0x21, reference::clrexphist},  {0x09, reference::movdbga2d},   {0x0C, reference::movdbgb2d},
    {0x22, reference::convolution}, {0x23, reference::convolution}, {0x3A, reference::convolution},
    {0x25, reference::apool},       {0x32, reference::apool},       {0x24, reference::mpool},
    {0x31, reference::mpool},
};

class MatrixStates {
public:
    explicit MatrixStates(Arch arch, std::uint64_t seed = 0)
        : pair(arch, 0x4D415458 + static_cast<unsigned>(arch) + seed), choose(pair.choice) {
        pair.randomise_configuration();
        for (unsigned i = 0; i < 128; ++i) refill_source_row();
        for (unsigned i = 0; i < 2048; ++i) refill_dst_row();
    }

    void run_one() { run_one(matrix_instructions[pair.cases % std::size(matrix_instructions)]); }

    void run_one(const MatrixInstruction& chosen) {
        run_one(chosen, [](unsigned, std::uint32_t) {});
    }

    /// `before` is called with the thread and the word, when the states are ready for it.
    template <class F>
    void run_one(const MatrixInstruction& chosen, F&& before) {
        pair.stir_configuration();
        thread_ = choose.below(3);
        pair.write(thread_, StateID, choose.below(2));
        near_ = choose.one_in(2) ? choose.between(100, 140) : choose.of({1, 5, 15, 30, 250, 254});
        for (unsigned i = 0; i < 8; ++i) {
            refill_source_row();
            refill_dst_row();
        }
        pair.write(thread_, src_a_format, random_format());
        pair.write(thread_, src_b_format, random_format());
        pair.write(thread_, src_a_override, random_format());
        pair.write(thread_, src_b_override, random_format());
        pair.write(thread_, default_format, random_format());
        pair.write(thread_, int8_math, choose.one_in(6));
        pair.write(thread_, fp16a_force, choose.one_in(8));
        pair.write(thread_, stochastic, choose.one_in(12));
        for (Src src : {Src::a, Src::b}) {
            pair.write(state::cells::matrix_bank(src), choose.below(2));
            for (unsigned bank = 0; bank < 2; ++bank) {
                pair.write(state::cells::bank_owner(src, bank), choose.below(2));
                pair.write(state::cells::implied_format(src, bank), random_format());
            }
        }
        const auto rwc = [&](Rwc counter, std::uint32_t bits) {
            pair.write(state::cells::rwc(thread_, counter), choose.below(1u << bits));
        };
        rwc(Rwc::src_a, 6);
        rwc(Rwc::src_a_cr, 6);
        rwc(Rwc::src_b, 6);
        rwc(Rwc::src_b_cr, 6);
        rwc(Rwc::dst, 10);
        rwc(Rwc::dst_cr, 10);
        rwc(Rwc::fidelity, 2);
        rwc(Rwc::extra_addr_mod_bit, 1);
        block_columns();

        pair.write(state::cells::exp_histogram_block[choose.below(pair.arch().packers * 32)], choose.word());
        pair.write(state::cells::packer(choose.below(pair.arch().packers), state::Packer::exp_histogram_max),
                   choose.below(256));

        const bool exists = isa::decode(chosen.opcode << 24, pair.arch().arch).spec;  // Wormhole has no MOVDBGB2D
        const MatrixInstruction& instruction = exists ? chosen : matrix_instructions[0];
        const std::uint32_t word = instruction.opcode << 24 | (choose.word() & 0xFFFFFF);
        before(thread_, word);
        pair.run(thread_, word, instruction.function, pair.cases % 512 == 511);
    }

    ReferencePair pair;

private:
    using Rwc = state::Rwc;
    using Src = state::Src;
    static constexpr auto StateID = registers::field("CFG_STATE_ID_StateID");
    static constexpr auto src_a_format = registers::field("ALU_FORMAT_SPEC_REG0_SrcA");
    static constexpr auto src_b_format = registers::field("ALU_FORMAT_SPEC_REG1_SrcB");
    static constexpr auto src_a_override = registers::field("ALU_FORMAT_SPEC_REG_SrcA_val");
    static constexpr auto src_b_override = registers::field("ALU_FORMAT_SPEC_REG_SrcB_val");
    static constexpr auto default_format = registers::field("SFPU_DEST_FMT_Base");
    static constexpr auto int8_math = registers::field("ALU_ACC_CTRL_INT8_math_enabled");
    static constexpr auto fp16a_force = registers::field("FP16A_FORCE_Enable");
    static constexpr auto stochastic = registers::field("ALU_ROUNDING_MODE_Fpu_srnd_en");

    // Columns that moves leave alone, in one case of four.
    void block_columns() {
        const bool any = choose.one_in(4);
        for (unsigned columns = 0; columns < state::cells::lane_config_words; ++columns)
            pair.write(state::cells::lane_config_block[columns],
                       any ? choose.below(4) << static_cast<unsigned>(state::LaneConfig::block_dest_mov) : 0);
    }
    std::uint32_t random_format() {
        return choose.one_in(2) ? choose.of({0, 1, 4, 5}) : choose.of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15});
    }
    // Exponents that meet, so that sums cancel and round; zeros; extremes; and those of FP16.
    std::uint32_t random_exponent() {
        switch (choose.below(10)) {
            case 0: return 0;
            case 1: return choose.below(256);
            case 2: return choose.of({255, 254, 31, 32, 1});
            case 3: return choose.below(32);
            default: return (near_ + choose.below(13)) & 0xFF;
        }
    }
    void refill_source_row() {
        const auto storage = choose.one_in(2) ? state::Storage::src_a : state::Storage::src_b;
        const std::uint32_t row = choose.below(128);
        for (std::uint32_t c = 0; c < 16; ++c) {
            std::uint32_t x = choose.word() & 0x7FF00;
            if (choose.one_in(4)) x &= 0x40000;
            pair.write(storage, row * 16 + c, x | random_exponent());
        }
    }
    // Some 32-bit integers are next to the largest.
    // A 16-bit datum of BF16's form has its exponent in the low eight bits, of FP16's form in the low five.
    void refill_dst_row() {
        const std::uint32_t row = choose.below(1024);
        const bool large = choose.one_in(8);
        for (std::uint32_t c = 0; c < 16; ++c) {
            const std::uint32_t x = choose.word();
            const std::uint32_t datum = large              ? x | 0x7FFF
                                        : choose.one_in(4) ? x
                                        : choose.one_in(8) ? 0
                                                           : (x & 0xFF00) | random_exponent();
            pair.write(state::Storage::dst, row * 16 + c, datum & 0xFFFF);
        }
        pair.write(state::Storage::dst_valid, row, !choose.one_in(3));
    }

    Choice& choose;
    unsigned thread_ = 0;
    std::uint32_t near_ = 120;
};

}  // namespace tessera::test
