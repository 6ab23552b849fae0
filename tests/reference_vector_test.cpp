// SPDX-License-Identifier: Apache-2.0
// SFPLOAD, SFPSTORE, SFPLOADI: the units against the reference, on random states.
#include "reference/vector.hpp"

#include "support/reference_pair.hpp"

namespace tessera::test {
namespace {

using registers::field;
using state::Rwc;
using state::Src;

struct Instruction {
    std::uint32_t opcode;
    ReferenceFunction function;
};
constexpr Instruction instructions[] = {
    {0x70, reference::sfpload},
    {0x72, reference::sfpstore},
    {0x71, reference::sfploadi},
};
constexpr unsigned cases = std::size(instructions) * 10000;

constexpr auto StateID = field("CFG_STATE_ID_StateID");
constexpr auto src_b_format = field("ALU_FORMAT_SPEC_REG1_SrcB");
constexpr auto src_b_override = field("ALU_FORMAT_SPEC_REG_SrcB_val");
constexpr auto sfpu_format = field("SFPU_DEST_FMT_Base");

class Generator {
public:
    explicit Generator(Arch arch) : pair(arch, 0x56454354 + static_cast<unsigned>(arch)), choose(pair.choice) {
        pair.randomise_configuration();
        for (std::uint32_t row = 0; row < 1024; ++row) refill_dst_row(row);
        for (std::uint32_t i = 0; i < 12 * 32; ++i) refill_lane(i);
    }

    void run_one() {
        pair.stir_configuration();
        const unsigned thread = choose.below(3);
        pair.write(thread, StateID, choose.below(2));
        for (unsigned i = 0; i < 8; ++i) {
            refill_dst_row(choose.below(1024));
            refill_lane(choose.below(12 * 32));
        }
        pair.write(thread, src_b_format, random_format());
        pair.write(thread, src_b_override, random_format());
        pair.write(thread, sfpu_format, random_format());
        for (unsigned bank = 0; bank < 2; ++bank)
            pair.write(state::cells::implied_format(Src::b, bank), random_format());
        pair.write(state::cells::cc_enable_block[0], !choose.one_in(3));
        pair.write(state::cells::cc_block[0], choose.of({choose.word(), ~0u, 0, 1u << choose.below(32)}));
        const auto rwc = [&](Rwc counter, std::uint32_t bits) {
            pair.write(state::cells::rwc(thread, counter), choose.below(1u << bits));
        };
        rwc(Rwc::dst, 10);
        rwc(Rwc::dst_cr, 10);
        rwc(Rwc::src_a, 6);
        rwc(Rwc::src_b, 6);
        rwc(Rwc::fidelity, 2);
        if (pair.blackhole()) pair.write(state::cells::rwc(thread, Rwc::sp), choose.of({0, choose.below(1024)}));

        // Registers from 12 on are recorded, which the reference does not have.
        const std::uint32_t lreg_ind = choose.below(12);
        const auto& instruction = instructions[pair.cases % std::size(instructions)];
        pair.run(thread, instruction.opcode << 24 | lreg_ind << 20 | (choose.word() & 0xFFFFF), instruction.function,
                 pair.cases % 512 == 511);
    }

    ReferencePair pair;

private:
    std::uint32_t random_format() { return choose.of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15}); }
    // Zeros and denormals, what becomes denormal or saturates in FP16, infinities, small integers of either sign.
    void refill_lane(std::uint32_t lane) {
        const std::uint32_t x = choose.word();
        const std::uint32_t exponent = choose.of({0, 1, 112, 113, 143, 144, 255, choose.below(256)});
        pair.write(state::Storage::lreg, lane,
                   choose.of({x, (x & 0x807FFFFF) | exponent << 23, x & 0x800003FF, 0 - (x & 0x3FF), x & 0x80000000}));
    }
    void refill_dst_row(std::uint32_t row) {
        for (std::uint32_t c = 0; c < 16; ++c) {
            const std::uint32_t x = choose.word() & 0xFFFF;
            pair.write(state::Storage::dst, row * 16 + c, choose.of({x, x & 0xFFE0, x | 0x1F, x & 0xFF00, x & 0x8000}));
        }
        pair.write(state::Storage::dst_valid, row, !choose.one_in(3));
    }

    Choice& choose;
};

class ReferenceVector : public testing::TestWithParam<Arch> {};

TEST_P(ReferenceVector, AgreesOnRandomStates) {
    Generator generator(GetParam());
    for (unsigned i = 0; i < cases && !generator.pair.hopeless(); ++i) generator.run_one();
    expect_coverage(generator.pair, cases);
}

INSTANTIATE_TEST_SUITE_P(Archs, ReferenceVector, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
