// SPDX-License-Identifier: Apache-2.0
// Programs of the math thread with SFPLOADMACRO: configuration as text, and runs that tests can inspect.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera::test {

/// The task of a sub-unit: a template (0 to 3), or a substitute.
struct Step {
    enum Code : unsigned { nothing, undefined, nop, store, first_template };
    unsigned code = nothing;
    unsigned delay = 0;
    bool second_choice = false;  ///< VB instead of VC; for a store: its own VD
    bool hidden = false;         ///< VD is LReg 16

    unsigned bits() const { return code | delay << 3 | unsigned{hidden} << 6 | unsigned{second_choice} << 7; }
};
constexpr Step nop_after(unsigned delay) { return {Step::nop, delay}; }
constexpr Step store_after(unsigned delay, bool hidden = false) { return {Step::store, delay, false, hidden}; }

struct Sequence {
    Step simple, mad, round, store;
};

/// LReg 0 is used up.
inline std::string set_lreg0(std::uint32_t value) {
    return fmt::format("SFPLOADI lreg_ind=0 instr_mod0=10 imm16={}\nSFPLOADI lreg_ind=0 instr_mod0=8 imm16={}\n",
                       value & 0xFFFF, value >> 16);
}
inline std::string set_sequence(unsigned macro, const Sequence& s) {
    const std::uint32_t word = s.simple.bits() | s.mad.bits() << 8 | s.round.bits() << 16 | s.store.bits() << 24;
    return set_lreg0(word) + fmt::format("SFPCONFIG config_dest={}\n", 4 + macro);
}
inline std::string set_misc(unsigned store_mode, unsigned uses_load_mode = 0, unsigned by_instructions = 0) {
    return fmt::format("SFPCONFIG imm16_math={} config_dest=8 instr_mod1=1\n",
                       store_mode | uses_load_mode << 4 | by_instructions << 8);
}
/// `address` is even; datums of 32 bits.
inline std::string macro(unsigned which, unsigned vd, unsigned address, unsigned mode = 4) {
    return fmt::format("SFPLOADMACRO lreg_ind={} instr_mod0={} dest_reg_addr={}\n", which << 2 | (vd & 3), mode,
                       address | vd >> 2);
}
inline std::string nops(unsigned count) {
    std::string text;
    while (count--) text += "SFPNOP\n";
    return text;
}

class MacroRun {
public:
    /// Dst holds FP32 numbers of its own at each place.
    explicit MacroRun(Arch arch, Reset reset = Reset::vendor_sim) : core(arch, reset) {
        const Section& dst = section("dst");
        for (unsigned i = 0; i < 64 * 16; ++i) core.write(dst, i, 0x4000 + 37 * i % 0x3000);
    }

    const Section& section(const char* name) const { return **core.find_section(name); }

    Run run(const std::string& text, RunOptions options = {}) {
        Program program;
        program.arch = core.arch();
        auto assembled = assemble(text, core.arch(), "math", 1);
        if (!assembled) throw std::runtime_error(assembled.error().describe());
        program.threads[1] = assembled->threads[1];
        events.clear();
        options.on_event = [this](const Event& event) { events.push_back(event); };
        auto result = core.run(program, options);
        if (!result) throw std::runtime_error(result.error().describe());
        EXPECT_FALSE(result->fault) << result->fault->describe();
        return *result;
    }
    std::array<std::uint32_t, 32> lreg(unsigned i) const {
        std::array<std::uint32_t, 32> x{};
        for (unsigned lane = 0; lane < 32; ++lane)
            x[lane] = static_cast<std::uint32_t>(core.read(section("lregs"), i * 32 + lane));
        return x;
    }
    std::vector<std::uint64_t> dst() const {
        std::vector<std::uint64_t> x;
        for (unsigned i = 0; i < 1024 * 16; ++i) x.push_back(core.read(section("dst"), i));
        return x;
    }
    /// The n-th event of an instruction, in the order in which they ended.
    const Event& at(const std::string& name, std::size_t n = 0) const {
        for (const auto& event : events)
            if (event.instruction.rfind("tt" + name, 0) == 0 && n-- == 0) return event;
        throw std::out_of_range(name);
    }
    std::size_t count(const std::string& name) const {
        return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const Event& event) {
            return event.instruction.rfind("tt" + name, 0) == 0;
        }));
    }

    Core core;
    std::vector<Event> events;
};

inline std::string arch_name(const testing::TestParamInfo<Arch>& info) {
    return info.param == Arch::blackhole ? "blackhole" : "wormhole";
}

inline bool has(const Run& run, const std::string& code) {
    return std::any_of(run.findings.begin(), run.findings.end(), [&](const Finding& f) { return f.code == code; });
}

}  // namespace tessera::test
