// SPDX-License-Identifier: Apache-2.0
// Rates of issue: 64 instructions in a loop, on one, two or three threads (tensixbench). The loop's own cycles are taken off.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "silicon/measurement.hpp"

namespace tessera::bench::silicon {

namespace {

constexpr unsigned unrolled = 64;
constexpr std::string_view instruction = "instruction", pair = "pair";

/// The instructions in assembly that each thread issues, by thread.
using Issued = std::array<std::string, 3>;

/// The cycles of a block of T1, divided by the number of repetitions in it. T1's `setup` is executed once before.
std::function<Result<double>(const Machine&)> rate(Issued issued, std::string setup = {}) {
    return [issued = std::move(issued), setup = std::move(setup)](const Machine& machine) -> Result<double> {
        constexpr const char* names[] = {"unpack", "math", "pack"};
        std::string text;
        for (std::size_t thread = 0; thread < issued.size(); ++thread)
            if (!issued[thread].empty())
                text +=
                    fmt::format(".thread {}\n.repeat {} * BODY\n{}\n.end\n", names[thread], unrolled, issued[thread]);
        text += fmt::format(".thread math\n.repeat SETUP\n{}\n.end\n", setup);
        auto loops = loops_of(machine.arch, text);
        if (!loops) return tl::make_unexpected(loops.error());
        const auto cycles = cycles_of_body(machine, *loops);
        if (!cycles) return tl::make_unexpected(cycles.error());
        return (*cycles)[static_cast<std::size_t>(RiscvCore::t1)] / unrolled;
    };
}

/// The same on so many threads: T1; T0 and T1; all.
Issued on(unsigned threads, const std::string& text) {
    return {threads > 1 ? text : "", text, threads > 2 ? text : ""};
}

struct Rate {
    const char* row;           ///< "I1": of more than one thread I2, as its source has it
    std::optional<Arch> arch;  ///< none: both chips
    const char* text;
    std::array<double, 3> published;  ///< on one, two and three threads; 0: not measured
    std::string_view per = instruction;
};

constexpr Arch wh = Arch::wormhole, bh = Arch::blackhole;
constexpr std::array<double, 3> shared_unit = {0.997, 1.967, 2.966}, scalar = {2.97, 5.975, 8.98};

const Rate rates[] = {
    {"I1", {}, "NOP", {0.997, 0.998, 0.998}},
    {"I1", {}, "DMANOP", shared_unit},
    {"I1", {}, "SFPNOP", shared_unit},
    {"I1", {}, "SFPMOV lreg_dest=1", shared_unit},
    {"I1", {}, "SFPADD lreg_src_b=1 lreg_src_c=2 lreg_dest=3", shared_unit},
    {"I1", {}, "SFPMUL lreg_src_b=1 lreg_src_c=2 lreg_dest=3", shared_unit},
    {"I1", {}, "SFPMAD lreg_src_b=1 lreg_src_c=2 lreg_dest=3", shared_unit},
    {"I1", {}, "SFPABS lreg_dest=1", shared_unit},
    {"I1", {}, "SETDMAREG Payload_SigSel=7 RegIndex16b=120", shared_unit},
    {"I1", {}, "SETRWC", shared_unit},
    {"I1", {}, "INCRWC", shared_unit},
    {"I3", {}, "ADDDMAREG OpBisConst=1 ResultRegIndex=60 OpBRegIndex=1 OpARegIndex=60", scalar},
    {"I3", {}, "MULDMAREG OpBisConst=1 ResultRegIndex=61 OpBRegIndex=1 OpARegIndex=60", scalar},
    {"I3", {}, "SHIFTDMAREG OpBisConst=1 ResultRegIndex=61 OpBRegIndex=1 OpARegIndex=60", scalar},
    {"I3", {}, "CMPDMAREG OpBisConst=1 ResultRegIndex=62 OpBRegIndex=1 OpARegIndex=60", scalar},
    {"I4", wh, "RDCFG GprAddress=60", {1.969, 1.963, 1.948}},
    {"I5", bh, "RDCFG GprAddress=60", {0.998, 1.96, 2.95}},
    {"I6", bh, "RMWCIB0", {0.998, 0, 0}},
    {"I7", wh, "RDCFG GprAddress=60\nSTALLWAIT stall_res=thread wait_res=trisc_cfg", {3.968, 0, 0}, pair},
    {"I7",
     wh,
     "SETDMAREG Payload_SigSel=7 RegIndex16b=120\nSTALLWAIT stall_res=thread wait_res=trisc_cfg",
     {2.968, 0, 0},
     pair},
    {"I8", bh, "RDCFG GprAddress=60\nSTALLWAIT stall_res=thread wait_res=cfgexu", {2.968, 0, 0}, pair},
    {"I8", bh, "RMWCIB0\nSTALLWAIT stall_res=thread wait_res=cfgexu", {2.968, 0, 0}, pair},
    {"I8",
     bh,
     "SETDMAREG Payload_SigSel=7 RegIndex16b=120\nSTALLWAIT stall_res=thread wait_res=cfgexu",
     {2.968, 0, 0},
     pair},
    {"I10", wh, "RDCFG GprAddress=60\nADDDMAREG OpBisConst=1 ResultRegIndex=63 OpARegIndex=60", {4.969, 0, 0}, pair},
    {"I10", wh, "RDCFG GprAddress=60\nADDDMAREG OpBisConst=1 ResultRegIndex=63 OpARegIndex=59", {4.968, 0, 0}, pair},
    {"I11", bh, "RDCFG GprAddress=60\nADDDMAREG OpBisConst=1 ResultRegIndex=63 OpARegIndex=60", {2.968, 0, 0}, pair},
    {"I11", bh, "RDCFG GprAddress=60\nADDDMAREG OpBisConst=1 ResultRegIndex=63 OpARegIndex=59", {2.968, 0, 0}, pair},
};

/// "RDCFG", "RDCFG and STALLWAIT".
std::string names_in(std::string_view text) {
    std::string names;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        names += (names.empty() ? "" : " and ") + std::string(line.substr(0, line.find(' ')));
        at = end + 1;
    }
    return names;
}

/// The matrix unit's instructions one by one, of one, two and three threads. Each bank is handed over once and never given back. Every
/// instruction is onto the same rows of Dst, or T1's move on by a block, if an earlier kernel has left it such an ADDR_MOD.
void add_matrix_rates(Measurements& all) {
    constexpr const char* threads_in_words[] = {"one thread", "two threads", "three threads"};
    const std::string handed_over = "SETDVALID setvalid=3\n.drain";
    const auto add = [&](const char* row, Arch arch, std::string what, double published, auto predict) {
        all.push_back({.row = row,
                       .arch = arch,
                       .what = std::move(what),
                       .published = published,
                       .per = instruction,
                       .publication = "tt-sim",
                       .predict = std::move(predict)});
    };
    struct Measured {
        const char* name;
        std::array<double, 3> same_rows, moves, moves_wormhole;
    };
    constexpr Measured measured[] = {
        {"MVMUL", {5.988, 12.012, 18.031}, {0.998, 6.076, 12.101}, {0.996, 6.076, 12.101}},
        {"ELWADD", {5.975, 11.970, 17.969}, {0.998, 6.065, 12.063}, {0.995, 6.067, 12.068}},
        {"ELWMUL", {5.974, 11.970, 17.969}, {0.998, 6.065, 12.063}, {0.997, 6.065, 12.065}},
    };
    const std::string walk = ".cfg ADDR_MOD_AB_SEC0_SrcBIncr = 8\n.cfg ADDR_MOD_DST_SEC0_DestIncr = 8\n" + handed_over;
    for (const Measured& one : measured)
        for (unsigned threads = 1; threads <= 3; ++threads) {
            const std::string words = threads_in_words[threads - 1], name = one.name;
            add("I19", bh, name + ", " + words + ", same rows", one.same_rows[threads - 1],
                rate(on(threads, name), handed_over));
            const std::string what = name + ", " + words + ", T1's rows move on";
            add("I20", bh, what, one.moves[threads - 1], rate(on(threads, name), walk));
            add("I20", wh, what, one.moves_wormhole[threads - 1], rate(on(threads, name), walk));
        }
    for (const auto& [format, published] :
         {std::pair{"Float16_b", 5.988}, {"Float32", 5.988}, {"Float16", 5.988}, {"Tf32", 5.989}}) {
        const std::string formats = fmt::format(
            ".cfg ALU_FORMAT_SPEC_REG0_SrcA = {0}\n.cfg ALU_FORMAT_SPEC_REG1_SrcB = {0}\n"
            ".cfg THCON_SEC0_REG2_Out_data_format = {0}\n.cfg THCON_SEC1_REG2_Out_data_format = {0}\n.drain\n",
            format);
        add("M14", bh, fmt::format("MVMUL, one thread, same rows, {}", format), published,
            rate(on(1, "MVMUL"), formats + "UNPACR_NOP Unpacker_Select=0 Set_Dvalid=1 Unpack_Pop=1\n"
                                           "UNPACR_NOP Unpacker_Select=1 Set_Dvalid=1 Unpack_Pop=1\n.drain"));
    }
}

}  // namespace

void add_issue(Measurements& all) {
    for (const Rate& row : rates)
        for (const Arch arch : {wh, bh}) {
            if (row.arch && row.arch != arch) continue;
            for (unsigned threads = 1; threads <= 3; ++threads)
                if (const double published = row.published[threads - 1]; published > 0)
                    all.push_back({.row = threads > 1 && std::string_view(row.row) == "I1" ? "I2" : row.row,
                                   .arch = arch,
                                   .what = fmt::format("{}, {}", names_in(row.text),
                                                       threads == 1   ? "one thread"
                                                       : threads == 2 ? "two threads"
                                                                      : "three threads"),
                                   .published = published,
                                   .per = row.per,
                                   .publication = "tt-sim",
                                   .predict = rate(on(threads, row.text))});
        }
    add_matrix_rates(all);
    const std::string stall = "STALLWAIT stall_res=thread wait_res=cfgexu\nNOP", busy = "RMWCIB0\nNOP",
                      nothing = "NOP\nNOP";
    const auto beside = [&](const char* what, const Issued& issued, double published) {
        all.push_back({.row = "I9",
                       .arch = bh,
                       .what = what,
                       .published = published,
                       .per = pair,
                       .publication = "tt-sim",
                       .predict = rate(issued)});
    };
    beside("STALLWAIT for the configuration unit and NOP, alone", {"", stall, ""}, 2.968);
    beside("the same while T0 and T2 issue RMWCIB0 and NOP", {busy, stall, busy}, 4.916);
    beside("NOP and NOP while T0 and T2 issue RMWCIB0 and NOP", {busy, nothing, busy}, 1.996);
}

}  // namespace tessera::bench::silicon
