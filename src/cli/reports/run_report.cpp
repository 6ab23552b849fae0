// SPDX-License-Identifier: Apache-2.0
#include "reports/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/table.hpp"
#include "reports/terminal.hpp"

namespace tessera::cli {

namespace {

std::string share(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string describe_window(const Window& window) {
    std::string text = fmt::format("window        {} cycles from {} on, with {} {}\n\n", window.cycles, window.first,
                                   window.count, window.instruction);
    Table units{"unit", ">instructions", ">busy cycles", ">share"};
    for (const UnitUse& unit : window.units)
        units.add(
            {unit.unit, std::to_string(unit.instructions), std::to_string(unit.busy), share(unit.busy, window.cycles)});
    Table threads{"thread", ">cycles", "issued to or waited for"};
    for (const ThreadUse& use : window.threads)
        threads.add({fmt::format("T{}", use.thread), std::to_string(use.cycles),
                     (use.waiting ? "waited for " : "issued to ") + use.what});
    return text + units.text() + "\n" + threads.text();
}

/// The first bytes that the host read; --json prints all.
std::string describe_read(const HostRead& read) {
    constexpr std::size_t shown = 16;
    std::string text = fmt::format("\nhost read     0x{:X}", read.address);
    if (read.cycle != no_cycle) text += fmt::format(" in cycle {}", read.cycle);
    text += fmt::format(", {} bytes:", read.bytes.size());
    for (std::size_t i = 0; i < std::min(shown, read.bytes.size()); ++i)
        text += fmt::format(" {:02x}", static_cast<unsigned>(read.bytes[i]));
    return text + (read.bytes.size() > shown ? " …\n" : "\n");
}

std::string describe_time(const Run& run) {
    std::string text = run.has_clock ? fmt::format("cycles        {}\n", run.cycles) : "cycles        none (functional)\n";
    text += instructions_text(run.instructions);
    if (run.by_reference)
        text += fmt::format("reference     {} of them executed by the second implementation\n", run.by_reference);
    if (run.has_clock)
        text += fmt::format("overlap       {} of cycles with at least two of unpackers, math and packers busy\n",
                            share(run.overlapped, run.cycles));
    if (!run.units.empty()) {
        Table units{"unit", ">instructions", ">busy cycles", ">share"};
        for (const UnitUse& unit : run.units)
            units.add({unit.unit, std::to_string(unit.instructions), std::to_string(unit.busy),
                       share(unit.busy, run.cycles)});
        text += "\n" + units.text();
    }
    if (!run.waits.empty()) {
        Table waits{"thread", ">cycles", "waited for"};
        for (const WaitUse& wait : run.waits)
            waits.add({fmt::format("T{}", wait.thread), std::to_string(wait.cycles), wait.reason});
        text += "\n" + waits.text();
    }
    for (const HostRead& read : run.host_reads) text += describe_read(read);
    if (run.window) text += "\n" + describe_window(*run.window);
    return text;
}

}  // namespace

std::string describe_run(const Run& run) {
    std::string text = describe_time(run);
    if (const std::string diagnoses = describe_diagnoses(run); !diagnoses.empty()) text += "\n" + diagnoses;
    return text;
}

std::string describe_diagnoses(const Run& run) {
    std::string text;
    for (const Finding& finding : run.findings)
        text += level_text(finding.level, finding.count) + " " + finding.describe() + "\n";
    if (run.fault) text += coloured(Colour::red, "fault") + " " + run.fault->describe() + "\n" + run.describe_blocked();
    return text;
}

std::string level_text(Level level, std::uint64_t count) {
    return coloured(level == Level::error ? Colour::red : Colour::yellow, name(level)) +
           (count > 1 ? fmt::format(" ({} times)", count) : "");
}

std::string instructions_text(const std::array<std::uint64_t, 3>& of_threads) {
    return fmt::format("instructions  T0 {}, T1 {}, T2 {}\n", of_threads[0], of_threads[1], of_threads[2]);
}

}  // namespace tessera::cli
