// SPDX-License-Identifier: Apache-2.0
// Random programs with SFPLOADMACRO: the engine against the reference's schedule, given the same instructions in the same
// cycles.
#include <map>
#include <memory>
#include <random>

#include "reference/vector_macro.hpp"
#include "state/inventory.hpp"
#include "support/macro_run.hpp"

namespace tessera {
namespace {

using namespace test;

// One sub-unit takes random numbers.
constexpr const char* templates[] = {
    "SFPMAD lreg_src_a=1 lreg_src_b=2 lreg_src_c=3",
    "SFPMUL lreg_src_a=4 lreg_src_b=5 lreg_src_c=9",
    "SFPADDI imm16_math=16512",
    "SFPMULI imm16_math=16448",
    "SFP_STOCH_RND rnd_mode=1 lreg_src_c=1 instr_mod1=1",
    "SFPSHFT2 imm12_math=5 lreg_src_c=3 instr_mod1=5",
    "SFPSHFT2 lreg_src_c=3 instr_mod1=3",
    "SFPSHFT2 lreg_src_c=2 instr_mod1=0",
    "SFPSWAP lreg_src_c=2 instr_mod1=1",
    "SFPSWAP lreg_src_c=3",
    "SFPIADD lreg_c=3 instr_mod1=4",
    "SFPAND lreg_c=2",
    "SFPOR lreg_c=3",
    "SFPAND imm12_math=4 lreg_c=2 instr_mod1=1",
    "SFPOR imm12_math=5 lreg_c=3 instr_mod1=1",
    "SFPXOR lreg_c=2",
    "SFPNOT lreg_c=2",
    "SFPSHFT imm12_math=7 lreg_c=2 instr_mod1=1",
    "SFPMOV lreg_c=5 instr_mod1=1",
    "SFPABS lreg_c=5",
    "SFPTRANSP",
    "SFPSETSGN lreg_c=3",
    "SFPIADD lreg_c=3",
    "SFPSETCC lreg_c=2 instr_mod1=2",
    "SFPLZ lreg_c=4 instr_mod1=2",
    "SFPEXEXP lreg_c=1 instr_mod1=2",
    "SFPCOMPC",
    "SFPENCC imm12_math=3 instr_mod1=10",
    "SFPPUSHC",
    "SFPPOPC instr_mod1=3",
    "SFPNOP",
};

class MacroReference : public testing::TestWithParam<Arch> {
protected:
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    std::uint32_t word_of(const std::string& line) {
        const auto program = assemble(line, GetParam());
        if (!program) throw std::runtime_error(program.error().describe());
        return program->threads[0][0].value;
    }
    /// In both machines.
    void set(const char* section, std::size_t i, std::uint32_t value) {
        const auto* place = state::inventory(GetParam()).find(section);
        machine->core.write(machine->section(section), i, value);
        state::write(*reference, place->storage, place->element(i), value);
    }
    std::uint32_t template_word() {
        const std::string line = templates[below(std::size(templates))];
        if (line == "SFPNOP" || one_in(8)) return word_of("SFPNOP");
        return word_of(line + " lreg_dest=" + std::to_string(one_in(2) ? below(8) : 12 + below(4)));
    }
    std::uint32_t sequence() {
        std::uint32_t word = 0;
        for (unsigned unit = 0; unit < 4; ++unit) {
            const std::uint32_t code = one_in(3) ? 0 : unit == 3 ? 3 : one_in(8) ? 2 : 4 + below(4);
            word |= (code | below(8) << 3 | below(4) << 6) << 8 * unit;
        }
        return word;
    }
    void prepare() {
        machine = std::make_unique<MacroRun>(GetParam());
        reference = std::make_unique<state::State>(GetParam());
        for (unsigned i = 0; i < 17 * 32; ++i)
            if (i < 8 * 32 || i >= 16 * 32) set("lregs", i, one_in(2) ? 0x3F000000 + below(1 << 26) : random());
        for (unsigned i = 0; i < 1024 * 16; ++i) set("dst", i, i < 256 * 16 ? below(0x10000) : 0);
        for (unsigned i = 0; i < 32; ++i) set("prng", i, random());
        const bool by_instructions = one_in(2);
        const std::uint32_t misc = 4 | below(16) << 4 | (by_instructions ? below(16) : 0) << 8;
        for (unsigned item = 0; item < 8; ++item) {
            const std::uint32_t value = item < 4 ? template_word() : sequence();
            for (unsigned column = 0; column < 8; ++column) set("macro", column * 9 + item, value);
        }
        for (unsigned column = 0; column < 8; ++column) set("macro", column * 9 + 8, misc);
        if (one_in(2)) set("lane_flags", 0, random());
    }
    std::string program() {
        std::string text;
        unsigned places = 0;
        for (unsigned n = 0; n < 30; ++n) {
            const unsigned address = places % 32 * 2;
            switch (below(8)) {
                case 0: text += "NOP\n"; break;
                case 1:
                case 2: text += "SFPNOP\n"; break;
                case 3: text += fmt::format("SFPLOADI lreg_ind={} imm16={}\n", below(8), below(0x10000)); break;
                case 4: text += fmt::format("SFPNOT lreg_c={} lreg_dest={}\n", below(8), below(8)); break;
                default: ++places; text += macro(below(4), below(8) & 3, address + 64);
            }
        }
        return text + nops(16);
    }
    /// The vector instructions that the thread issued, by cycle.
    std::map<std::uint64_t, std::uint32_t> issued(const Program& ran) const {
        std::map<std::uint64_t, std::uint32_t> words;
        for (const auto& event : machine->events) {
            const bool scheduled = ran.threads[1][static_cast<std::size_t>(event.index)].value != event.word;
            if (event.unit == "vector" && !scheduled) words[event.start] = event.word;
        }
        return words;
    }

    std::mt19937 random{20261120};
    std::unique_ptr<MacroRun> machine;
    std::unique_ptr<state::State> reference;
};

TEST_P(MacroReference, RandomPrograms) {
    unsigned scheduled = 0;
    for (unsigned trial = 0; trial < 400; ++trial) {
        prepare();
        const std::string text = program();
        machine->run(text);
        const auto assembled = assemble(text, GetParam(), "math", 1);
        ASSERT_TRUE(assembled);
        const auto words = issued(*assembled);
        scheduled += static_cast<unsigned>(machine->events.size());
        reference::MacroSchedule schedule(*reference);
        const std::uint64_t first = words.begin()->first, last = words.rbegin()->first + 16;
        for (std::uint64_t cycle = first; cycle <= last; ++cycle) {
            const auto it = words.find(cycle);
            const auto outcome = it == words.end() ? schedule.cycle({})
                                                   : schedule.cycle(reference::MacroSchedule::Issued{1, it->second});
            ASSERT_EQ(outcome, reference::Outcome::done);
        }
        for (const char* name : {"lregs", "dst", "lane_flags", "lane_flags_enable", "lane_flag_stack",
                                 "lane_flag_stack_size", "prng", "last_rotated"}) {
            const auto& section = machine->section(name);
            const auto* place = state::inventory(GetParam()).find(name);
            for (std::size_t i = 0; i < section.size; ++i)
                ASSERT_EQ(machine->core.read(section, i), state::read(*reference, place->storage, place->element(i)))
                    << "trial " << trial << ", " << section.describe(i) << "\n"
                    << text;
        }
    }
    EXPECT_GT(scheduled, 400u * 50);
}

INSTANTIATE_TEST_SUITE_P(Archs, MacroReference, testing::ValuesIn(all_archs), arch_name);

}  // namespace
}  // namespace tessera
