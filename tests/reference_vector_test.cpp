// SPDX-License-Identifier: Apache-2.0
// All vector instructions against the reference, on random states. SFPLOADMACRO's schedule is not part of a state.
//
// TESSERA_VECTOR_CASES is the number of instructions of each mnemonic for a chip, each with 32 fresh sets of operands,
// on the best set of vector instructions; the others get a tenth of it. TESSERA_VECTOR_SEED chooses other states.
#include <map>
#include <vector>

#include "reference/models.hpp"
#include "support/each_target.hpp"
#include "support/random_cases.hpp"
#include "support/reference_pair.hpp"

namespace tessera::test {
namespace {

using registers::field;
using state::Rwc;
using state::Src;

constexpr unsigned cases_of_each = 2000;

std::vector<const isa::InstructionSpec*> instructions_of(Arch arch) {
    std::vector<const isa::InstructionSpec*> result;
    for (const auto& spec : isa::table)
        if (spec.unit == isa::Unit::vector && isa::includes(spec.archs, arch) && spec.name != "SFPLOADMACRO" &&
            units::has_behaviour(isa::decode(spec.opcode << 24, arch).mnemonic))
            result.push_back(&spec);
    return result;
}

constexpr auto StateID = field("CFG_STATE_ID_StateID");
constexpr auto src_b_format = field("ALU_FORMAT_SPEC_REG1_SrcB");
constexpr auto src_b_override = field("ALU_FORMAT_SPEC_REG_SrcB_val");
constexpr auto sfpu_format = field("SFPU_DEST_FMT_Base");

class Generator {
public:
    Generator(Arch arch, std::uint64_t seed)
        : pair(arch, 0x56454354 + seed), instructions(instructions_of(arch)), choose(pair.choice) {
        pair.writes_l1 = false;
        pair.randomise_configuration();
        for (std::uint32_t row = 0; row < 1024; ++row) refill_dst_row(row);
        for (std::uint32_t i = 0; i < 17 * 32; ++i) refill_lane(i);
    }

    void run_one() {
        pair.stir_configuration();
        const unsigned thread = choose.below(3);
        pair.write(thread, StateID, choose.below(2));
        for (unsigned i = 0; i < 8; ++i) {
            refill_dst_row(choose.below(1024));
            refill_lane(choose.below(17 * 32));
        }
        for (unsigned lane = 0; lane < 8 * 32; ++lane) refill_lane(lane);
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

        const isa::InstructionSpec& spec = *instructions[pair.cases % instructions.size()];
        std::uint32_t word = spec.opcode << 24 | (choose.word() & 0xFFFFFF);
        // Registers from 12 on are recorded, or stored and compared like others, as the configuration says.
        const unsigned VD = spec.opcode <= 0x73 ? 20 : 4;
        word &= ~(15u << VD);
        word |= (configurable && choose.one_in(8) ? 12 + choose.below(4) : choose.below(12)) << VD;
        refill_lane_state();
        const auto model = reference::model_of(isa::decode(word, pair.arch().arch));
        // The lowest four bits, or those of loads and stores, are the mode.
        ++modes[fmt::format("{} {:2}", spec.name,
                            spec.opcode <= 0x73 || spec.opcode == 0x93 ? word >> 16 & 15 : word & 15)];
        pair.run(thread, word, model, pair.cases % 4096 == 4095);
    }

    ReferencePair pair;
    const std::vector<const isa::InstructionSpec*> instructions;
    std::map<std::string, unsigned> modes;

private:
    std::uint32_t random_format() { return choose.of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15}); }
    // Zeros and denormals, what becomes denormal or saturates in FP16, infinities, small integers of either sign.
    void refill_lane(std::uint32_t lane) {
        const std::uint32_t x = choose.word();
        const std::uint32_t exponent = choose.of({0, 1, 112, 113, 143, 144, 255, choose.below(256)});
        pair.write(state::Storage::lreg, lane,
                   choose.of({x, (x & 0x807FFFFF) | exponent << 23, x & 0x800003FF, 0 - (x & 0x3FF), x & 0x80000000}));
    }
    void refill_lane_state() {
        namespace cells = state::cells;
        const std::uint32_t depth = choose.below(9);
        pair.write(cells::cc_stack_size_block[0], depth);
        for (unsigned n = 0; n < cells::cc_stack_depth; ++n) {
            pair.write(cells::cc_stack_block[2 * n], choose.of({choose.word(), ~0u, 0}));
            pair.write(cells::cc_stack_block[2 * n + 1], choose.below(2));
        }
        const bool configured = configurable && choose.one_in(4);
        const std::uint32_t of_all = choose.word(), masked_rows = choose.one_in(2) ? choose.word() : 0;
        for (unsigned column = 0; column < cells::lane_config_words; ++column) {
            std::uint32_t config = choose.one_in(3) ? choose.word() : of_all;
            config = (config & 0x30FFF) | (masked_rows & 0xF000);
            pair.write(cells::lane_config_block[column], configured ? config : 0);
        }
        for (unsigned n = 0; n < 4; ++n) {
            pair.write(cells::prng_block[choose.below(32)], choose.word());
            pair.write(cells::last_rotated(n), choose.word());
            pair.write(cells::macro(choose.below(8), state::Macro::template_0, choose.below(8)), choose.word());
        }
    }
    void refill_dst_row(std::uint32_t row) {
        for (std::uint32_t c = 0; c < 16; ++c) {
            const std::uint32_t x = choose.word() & 0xFFFF;
            pair.write(state::Storage::dst, row * 16 + c, choose.of({x, x & 0xFFE0, x | 0x1F, x & 0xFF00, x & 0x8000}));
        }
        pair.write(state::Storage::dst_valid, row, !choose.one_in(3));
    }

    Choice& choose;
    // No other instruction configures lanes.
    const bool configurable = units::has_behaviour(isa::mnemonic("SFPCONFIG"));
};

class ReferenceVector : public testing::TestWithParam<Arch> {};

TEST_P(ReferenceVector, AgreesOnRandomStates) {
    const unsigned asked = asked_cases(cases_of_each, "TESSERA_VECTOR_CASES");
    unsigned targets = 0;
    std::map<std::string, unsigned> modes;
    on_each_target([&] {
        Generator generator(GetParam(), random_seed(targets, GetParam(), "TESSERA_VECTOR_SEED"));
        const unsigned each = targets++ == 0 ? asked : std::max(1u, asked / 10);
        const auto cases = static_cast<unsigned>(generator.instructions.size()) * each;
        for (unsigned i = 0; i < cases && !generator.pair.hopeless(); ++i) generator.run_one();
        expect_coverage(generator.pair, cases);
        for (const auto& [mode, count] : generator.modes) modes[mode] += count;
    });
    auto rarest = modes.begin();
    for (auto at = modes.begin(); at != modes.end(); ++at)
        if (at->second < rarest->second) rarest = at;
    std::cout << fmt::format("{} modes, the rarest ({}) {} times\n", modes.size(), rarest->first, rarest->second);
}

INSTANTIATE_TEST_SUITE_P(Archs, ReferenceVector, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
