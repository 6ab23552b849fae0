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

/// What each thread issues: instructions of the assembly, by thread.
using Issued = std::array<std::string, 3>;

/// The cycles of a block of T1, divided by the number of repetitions in it.
std::function<Result<double>(const Machine&)> rate(Issued issued) {
    return [issued = std::move(issued)](const Machine& machine) -> Result<double> {
        constexpr const char* names[] = {"unpack", "math", "pack"};
        std::string text;
        for (std::size_t thread = 0; thread < issued.size(); ++thread)
            if (!issued[thread].empty())
                text +=
                    fmt::format(".thread {}\n.repeat {} * BODY\n{}\n.end\n", names[thread], unrolled, issued[thread]);
        auto loops = loops_of(machine.arch, text);
        if (!loops) return tl::make_unexpected(loops.error());
        for (auto& one : *loops)
            if (one) one->gathers = machine.arch == Arch::wormhole;
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
