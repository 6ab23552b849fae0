// SPDX-License-Identifier: Apache-2.0
// What the cores have: registers, memories, breakpoints. job_run.cpp lets them run.
#include "gdb/job_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gdb/agent.hpp"

namespace tessera::gdb {

JobTarget::JobTarget(Execution& execution) : timeline_(execution), registers_(execution.core()), points_(riscv_cores) {}

CoreInfo JobTarget::info(unsigned core) const {
    CoreInfo info;
    info.name = name(static_cast<RiscvCore>(core));
    const core::DebugView& view = timeline_.view();
    if (const auto& image = view.kernels().images[core]) info.file = image->file;
    const state::Riscv& riscv = view.state().riscv[core];
    info.about = riscv.running ? "runs" : riscv.paused ? "paused by ebreak or ecall" : "in reset";
    if (std::string what = view.waits_for(core); !what.empty()) info.about = "waits for " + std::move(what);
    if (riscv.running && view.has_finished(core)) info.about = "ended";
    return info;
}

std::optional<std::uint64_t> JobTarget::read_register(unsigned core, std::size_t number) const {
    const core::DebugView& view = timeline_.view();
    if (number == Registers::pc && shown_ && shown_->core == core && view.executed(core) == shown_->executed) return shown_->pc;
    const auto value = registers_.read(view, core, number);
    // ebreak and ecall leave pc behind themselves.
    if (number == Registers::pc && value && view.state().riscv[core].paused) return *value - 4;
    return value;
}

Result<void> JobTarget::write_register(unsigned core, std::size_t number, std::uint64_t value) {
    if (timeline_.ended()) return fail("gdb.over", "the run is over; go back first");
    if (number >= registers_.all().size()) return fail("gdb.register", "there is no such register");
    if (number == Registers::pc) shown_.reset();
    if (auto written = registers_.write(timeline_.view(), core, number, value); !written) return written;
    timeline_.keep(true);
    return {};
}

std::span<const std::uint8_t> JobTarget::memory(unsigned core, std::uint32_t address) const {
    const state::State& state = timeline_.view().state();
    const auto part = [&](std::span<const std::uint8_t> bytes, std::uint32_t base) {
        const std::uint32_t offset = address - base;
        return offset < bytes.size() ? bytes.subspan(offset) : std::span<const std::uint8_t>();
    };
    if (const auto l1 = part(state.l1.bytes, 0); !l1.empty()) return l1;
    if (const auto local = part(state.riscv[core].local, state::Riscv::local_base); !local.empty()) return local;
    return static_cast<RiscvCore>(core) == RiscvCore::nc ? part(state.iram, state::Riscv::iram_base) : std::span<const std::uint8_t>();
}

std::size_t JobTarget::read_memory(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) {
    const auto from = memory(core, address);
    const std::size_t count = std::min(from.size(), bytes.size());
    std::copy_n(from.begin(), count, bytes.begin());
    if (count > 0) return count;
    // Registers of devices, word by word.
    constexpr std::size_t most = 64;
    std::size_t done = 0;
    while (done < std::min(bytes.size(), most)) {
        const std::uint32_t at = address + static_cast<std::uint32_t>(done);
        const auto word = timeline_.view().peek(at & ~3u);
        if (!word) break;
        for (unsigned i = at % 4; i < 4 && done < bytes.size(); ++i) bytes[done++] = static_cast<std::uint8_t>(*word >> 8 * i);
    }
    return done;
}

Result<void> JobTarget::write_memory(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) {
    if (timeline_.ended()) return fail("gdb.over", "the run is over; go back first");
    if (memory(core, address).size() < bytes.size())
        return fail("gdb.memory", fmt::format("0x{:X} to 0x{:X} is in no memory of {}", address,
                                              std::uint64_t{address} + bytes.size(), name(static_cast<RiscvCore>(core))));
    core::DebugView& view = timeline_.view();
    state::State& state = view.state();
    if (state.l1.contains(address, bytes.size()))
        view.write_l1(address, bytes);
    else if (address >= state::Riscv::iram_base)
        std::copy(bytes.begin(), bytes.end(), state.iram.begin() + (address - state::Riscv::iram_base));
    else
        std::copy(bytes.begin(), bytes.end(), state.riscv[core].local.begin() + (address - state::Riscv::local_base));
    view.changed(static_cast<RiscvCore>(core));
    timeline_.keep(true);
    return {};
}

Result<void> JobTarget::insert(unsigned core, const Point& point) {
    const bool is_watch = point.kind != PointKind::software && point.kind != PointKind::hardware;
    if (is_watch && (point.bytes == 0 || memory(core, point.address).size() < point.bytes))
        return fail("gdb.watch", fmt::format("0x{:X} is in no memory of {}, and devices are not watched", point.address,
                                             name(static_cast<RiscvCore>(core))));
    points_.insert(core, point);
    return {};
}

Result<void> JobTarget::remove(unsigned core, const Point& point) {
    points_.remove(core, point);
    return {};
}

bool JobTarget::holds(const Point& point, unsigned core) const {
    if (point.conditions.empty()) return true;
    const AgentMachine machine{
        [&](unsigned number) { return registers_.read(timeline_.view(), core, number); },
        [&](std::uint64_t address, unsigned bytes) -> std::optional<std::uint64_t> {
            if (address > 0xFFFF'FFFF) address &= 0xFFFF'FFFF;  // sign-extended
            const auto from = memory(core, static_cast<std::uint32_t>(address));
            if (from.size() < bytes) return {};
            std::uint64_t value = 0;
            std::memcpy(&value, from.data(), bytes);
            return value;
        }};
    // One that cannot be told stops, so that gdb tells why.
    return std::any_of(point.conditions.begin(), point.conditions.end(),
                       [&](const auto& code) { return evaluate(code, machine).value_or(1) != 0; });
}

// Up to four .ttinsn are pushed at once, and each may have a breakpoint.
std::optional<JobTarget::Hit> JobTarget::meets_breakpoint(unsigned core) const {
    if (points_.empty()) return {};
    const core::DebugView& view = timeline_.view();
    const std::uint32_t pc = view.state().riscv[core].pc;
    constexpr unsigned most_fused = 4;
    for (unsigned i = 0; i < most_fused; ++i) {
        const Point* const point = points_.breakpoint(core, pc + 4 * i);
        if (!point || (i > 0 && i >= view.fused_words(core, pc)) || !holds(*point, core)) continue;
        Hit hit;
        hit.stopped.core = core;
        hit.stopped.why =
            point->kind == PointKind::software ? Stopped::Why::software_breakpoint : Stopped::Why::hardware_breakpoint;
        hit.by = core;
        hit.executed = view.executed(core);
        hit.pc = pc + 4 * i;
        return hit;
    }
    return {};
}

Breakpoints JobTarget::coprocessor_breaks() const {
    Breakpoints all;
    for (const Break& one : breaks_) {
        all.instructions.insert(all.instructions.end(), one.what.instructions.begin(), one.what.instructions.end());
        all.written.insert(all.written.end(), one.what.written.begin(), one.what.written.end());
        if (one.what.finding) all.finding = all.finding && *all.finding != *one.what.finding ? "" : *one.what.finding;
    }
    return all;
}

}  // namespace tessera::gdb
