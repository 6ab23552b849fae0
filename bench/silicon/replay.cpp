// SPDX-License-Identifier: Apache-2.0
// The vector unit, fed by a MOP that replays: no core's pace bounds it. Cycles are the difference of two numbers of replays.
#include <fmt/format.h>

#include <algorithm>

#include "silicon/measurement.hpp"
#include "silicon/tile_loops.hpp"

namespace tessera::bench::silicon {

namespace {

constexpr unsigned few_mops = 2, many_mops = 8, replays_of_mop = 128;

/// Cycles of a vector of 32 datums. A replay of `body` handles so many of them.
std::function<Result<double>(const Machine&)> vectors(std::string setup, std::string body, unsigned vectors_of_body) {
    return [=](const Machine& machine) -> Result<double> {
        const auto length = std::count(body.begin(), body.end(), '\n');
        double cycles = 0;
        for (const unsigned mops : {many_mops, few_mops}) {
            const auto loops =
                loops_of(machine.arch,
                         fmt::format(".thread math\n.repeat SETUP\n.cfg ADDR_MOD_DST_SEC6_DestIncr = 2\n{0}.drain\n"
                                     "REPLAY start_idx=0 len={1} load_mode=1\n{2}.mop 1 = 0\n"
                                     ".mop 3 = REPLAY start_idx=0 len={1}\n.drain\n.end\n"
                                     ".repeat BODY\n.repeat {3}\nMOP mop_type=0 loop_count={4}\n.end\n.drain\n.end\n",
                                     setup, length, body, mops, replays_of_mop - 1));
            if (!loops) return tl::make_unexpected(loops.error());
            const auto round = cycles_of_round(machine, *loops, 2, 4);
            if (!round) return tl::make_unexpected(round.error());
            const double t1 = (*round)[static_cast<std::size_t>(RiscvCore::t1)];
            cycles += mops == many_mops ? t1 : -t1;
        }
        return cycles / ((many_mops - few_mops) * replays_of_mop * vectors_of_body);
    };
}

/// Two SFPLOADMACROs of so many instructions each, which take turns at two registers.
std::string macros(unsigned macro, const char* between = "") {
    std::string text;
    for (unsigned reg : {0, 1})
        text += fmt::format("SFPLOADMACRO lreg_ind={} instr_mod0=int32 sfpu_addr_mode=6\n{}", 4 * macro + reg,
                            fmt::format(fmt::runtime(between), 1 - reg));
    return text;
}

// Words of SFPCONFIG: a macro's instructions from bits 7:0 on for the simple, 15:8 for the MAD and 31:24 for the store sub-unit. A byte
// has the template (4 and 5: those set below; 3: SFPSTORE), the delay from bit 3 on, and what takes the loaded register's place.
constexpr const char* simple = "SFPGT lreg_c=3 lreg_dest=12 instr_mod1=8\n";
std::string sequence(unsigned macro, std::uint32_t word, unsigned misc) {
    return fmt::format(
        "SFPLOADI lreg_ind=0 instr_mod0=lower imm16={}\nSFPLOADI lreg_ind=0 instr_mod0=upper imm16={}\n"
        "SFPCONFIG config_dest={}\nSFPCONFIG imm16_math={} config_dest=8 instr_mod1=1\nSFPNOP\nSFPNOP\n",
        word & 0xFFFF, word >> 16, 4 + macro, misc);
}

}  // namespace

void add_replays(Measurements& all) {
    const auto add = [&](const char* row, const char* what, double published,
                         std::function<Result<double>(const Machine&)> predict) {
        all.push_back({.row = row,
                       .arch = Arch::blackhole,
                       .what = what,
                       .published = published,
                       .per = "vector",
                       .publication = "tt-llk top-k",
                       .predict = std::move(predict)});
    };
    const auto load = [](unsigned reg) {
        return fmt::format("SFPLOAD lreg_ind={} instr_mod0=int32 sfpu_addr_mode=6\n", reg);
    };
    add("I21", "SFPLOAD", 1.000, vectors({}, load(0) + load(1), 2));
    add("I22", "SFPSWAP", 2.000,
        vectors({}, "SFPSWAP lreg_src_c=0 lreg_dest=1 instr_mod1=1\nSFPSWAP lreg_src_c=1 lreg_dest=0 instr_mod1=1\n",
                2));
    add("I23", "SFPLOADMACRO with SFPGT, then SFPIADD", 1.998,
        vectors(simple + sequence(0, 0x8C, 0x100), macros(0, "SFPIADD lreg_c={} lreg_dest=2 instr_mod1=4\n"), 2));
    add("I24", "SFPLOADMACRO with SFPGT and SFPMAD", 1.002,
        vectors(std::string(simple) + "SFPMAD lreg_src_a=10 lreg_src_b=2 lreg_src_c=9 lreg_dest=13\n" +
                    sequence(1, 0x4D84, 0x300),
                macros(1), 2));
    add("I24", "SFPLOADMACRO with SFPGT and SFPSTORE", 1.003,
        vectors(simple + sequence(2, 0x0B00'0084, 0x940), macros(2), 2));
    add("I25", "two sorted lists of 512 merged", 2.844,
        cycles_of_tile({.programs = {"merge"}, .symbols = {}, .tiles = 32}));
}

}  // namespace tessera::bench::silicon
