// SPDX-License-Identifier: Apache-2.0
// The registers, memories and breakpoints of the cores. tiles_stop.cpp says why they stand still.
#include "gdb/tiles_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gdb/agent.hpp"

namespace tessera::gdb {

namespace {

tl::unexpected<Error> is_over() { return fail("gdb.over", "the run is over; go back first"); }

/// Loads of these bytes of L1 miss from now on.
void forget_lines(state::L0& l0, std::uint64_t address, std::size_t bytes) {
    for (state::L0::Line& line : l0.line)
        if (line.address < address + bytes && address < std::uint64_t{line.address} + state::L0::line_bytes)
            line.address = state::L0::empty;
}

bool watches(const Point& point) { return point.kind != PointKind::software && point.kind != PointKind::hardware; }

}  // namespace

std::string TilesTarget::core_name(unsigned core) const {
    const auto own = name(static_cast<RiscvCore>(of_tile(core)));
    const std::string tile = tile_name(tile_of(core));
    return tile.empty() ? std::string(own) : fmt::format("{} {}", tile, own);
}

CoreInfo TilesTarget::info(unsigned core) const {
    CoreInfo info;
    info.name = core_name(core);
    const core::TileView* const view = this->view(tile_of(core));
    info.about = "in reset";
    if (!view) return info;
    const unsigned own = of_tile(core);
    if (const auto& image = view->kernels().images[own]) info.file = image->file;
    const state::Riscv& riscv = view->state().riscv[own];
    if (riscv.running || riscv.paused) info.about = riscv.running ? "runs" : "paused by ebreak or ecall";
    if (std::string what = view->waits_for(own); !what.empty()) info.about = "waits for " + std::move(what);
    if (riscv.running && view->has_finished(own)) info.about = "ended";
    return info;
}

std::optional<std::uint64_t> TilesTarget::read_register(unsigned core, std::size_t number) const {
    if (number == Registers::pc && shown_ && shown_->core == core && executed(core) == shown_->executed) return shown_->pc;
    const auto value = registers_.read(tile(tile_of(core)), of_tile(core), number, cycle());
    if (number == Registers::pc && value && is_behind_pause(core)) return riscv(core).stopped_at();
    return value;
}

bool TilesTarget::is_behind_pause(unsigned core) const {
    if (!riscv(core).paused) return false;
    const auto written = written_pcs_.find(core);
    return written == written_pcs_.end() || written->second != WrittenPc{executed(core), riscv(core).pc};
}

Result<void> TilesTarget::write_register(unsigned core, std::size_t number, std::uint64_t value) {
    if (ended()) return is_over();
    if (number >= registers_.all().size()) return fail("gdb.register", "there is no such register");
    if (number == Registers::pc) shown_.reset();
    if (auto written = registers_.write(tile(tile_of(core)), of_tile(core), number, value); !written) return written;
    if (number == Registers::pc && riscv(core).paused) written_pcs_[core] = {executed(core), riscv(core).pc};
    changed(core);
    return {};
}

std::span<const std::uint8_t> TilesTarget::memory(unsigned core, std::uint32_t address) const {
    const state::State& state = tile(tile_of(core)).state();
    const unsigned own = of_tile(core);
    const auto part = [&](std::span<const std::uint8_t> bytes, std::uint32_t base) {
        const std::uint32_t offset = address - base;
        return offset < bytes.size() ? bytes.subspan(offset) : std::span<const std::uint8_t>();
    };
    if (const auto l1 = part(state.l1.bytes, 0); !l1.empty()) return l1;
    if (const auto local = part(state.riscv[own].local, state::Riscv::local_base); !local.empty()) return local;
    return static_cast<RiscvCore>(own) == RiscvCore::nc ? part(state.iram, state::Riscv::iram_base) : std::span<const std::uint8_t>();
}

Result<void> TilesTarget::check_memory(unsigned core, std::uint32_t address, std::size_t bytes) const {
    if (bytes == 0) return fail("gdb.memory", "at least 1 byte");
    if (memory(core, address).size() >= bytes) return {};
    return fail("gdb.memory", fmt::format("0x{:X} to 0x{:X} is in no memory of {}", address, std::uint64_t{address} + bytes - 1, core_name(core)));
}

std::size_t TilesTarget::read_memory(unsigned core, std::uint32_t address, std::span<std::uint8_t> bytes) {
    const auto from = memory(core, address);
    const std::size_t count = std::min(from.size(), bytes.size());
    std::copy_n(from.begin(), count, bytes.begin());
    if (count > 0) return count;
    // Registers of devices, word by word.
    constexpr std::size_t most = 64;
    std::size_t done = 0;
    while (done < std::min(bytes.size(), most)) {
        const std::uint32_t at = address + static_cast<std::uint32_t>(done);
        const auto word = tile(tile_of(core)).peek(at & ~3u);
        if (!word) break;
        for (unsigned i = at % 4; i < 4 && done < bytes.size(); ++i) bytes[done++] = static_cast<std::uint8_t>(*word >> 8 * i);
    }
    return done;
}

Result<void> TilesTarget::write_memory(unsigned core, std::uint32_t address, std::span<const std::uint8_t> bytes) {
    if (ended()) return is_over();
    if (auto fits = check_memory(core, address, bytes.size()); !fits) return fits;
    state::State& state = tile(tile_of(core)).state();
    if (state.l1.contains(address, bytes.size())) {
        write_l1(tile_of(core), address, bytes);
        for (state::Riscv& riscv : state.riscv) forget_lines(riscv.l0, address, bytes.size());
    } else if (address >= state::Riscv::iram_base) {
        std::copy(bytes.begin(), bytes.end(), state.iram.begin() + (address - state::Riscv::iram_base));
    } else {
        std::copy(bytes.begin(), bytes.end(), state.riscv[of_tile(core)].local.begin() + (address - state::Riscv::local_base));
    }
    changed(core);
    return {};
}

Result<void> TilesTarget::insert(unsigned core, const Point& point) {
    constexpr std::uint32_t instruction_bytes = 4;
    if (!watches(point) && point.address % instruction_bytes != 0)
        return fail("gdb.memory", fmt::format("0x{:X} is no instruction's address: they are multiples of 4", point.address));
    if (auto fits = check_memory(core, point.address, watches(point) ? point.bytes : instruction_bytes); !fits) {
        if (watches(point) && point.bytes > 0) fits.error().message += ", and devices are not watched";
        return fits;
    }
    points_.insert(core, point);
    return {};
}

Result<void> TilesTarget::remove(unsigned core, const Point& point) {
    points_.remove(core, point);
    return {};
}

void TilesTarget::forget_client() {
    for (unsigned core = 0; core < cores(); ++core) remove_all(core);
    breaks_.clear();
    pretended_.reset();
    told_later_.clear();
    told_end_ = false;
}

bool TilesTarget::holds(const Point& point, unsigned core) const {
    if (point.conditions.empty()) return true;
    const AgentMachine machine{
        [&](unsigned number) {
            // Of a word that is pushed with others before it, pc is still that of the first.
            return number == Registers::pc ? point.address : registers_.read(tile(tile_of(core)), of_tile(core), number, cycle());
        },
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
std::optional<TilesTarget::Hit> TilesTarget::meets_breakpoint(unsigned core) const {
    if (points_.empty()) return {};
    const core::TileView& view = tile(tile_of(core));
    const std::uint32_t pc = riscv(core).pc;
    constexpr unsigned most_fused = 4;
    for (unsigned i = 0; i < most_fused; ++i) {
        const Point* const point = points_.breakpoint(core, pc + 4 * i, [&](const Point& one) {
            return (i == 0 || i < view.fused_words(of_tile(core), pc)) && holds(one, core);
        });
        if (!point) continue;
        Hit hit;
        hit.stopped.core = core;
        hit.stopped.why =
            point->kind == PointKind::software ? Stopped::Why::software_breakpoint : Stopped::Why::hardware_breakpoint;
        hit.by = core;
        hit.executed = view.executed(of_tile(core));
        hit.pc = pc + 4 * i;
        return hit;
    }
    return {};
}

Breakpoints TilesTarget::breakpoints_around(unsigned tile) const {
    Breakpoints all;
    for (const Break& one : breaks_) {
        if (one.tile != tile) continue;
        all.instructions.insert(all.instructions.end(), one.what.instructions.begin(), one.what.instructions.end());
        all.written.insert(all.written.end(), one.what.written.begin(), one.what.written.end());
        if (const auto& code = one.what.finding; code && code->empty()) all.finding = code;
        if (const auto& code = one.what.finding; code && !code->empty()) all.findings.push_back(*code);
    }
    // The watched bytes of L1, which others than cores write, too.
    for (const auto& one : points_.watches())
        if (tile_of(one.core) == tile && watches(one.point) && one.point.kind != PointKind::read &&
            this->tile(tile).state().l1.contains(one.point.address, one.point.bytes))
            all.written.push_back({l1_section(tile), one.point.address, one.point.bytes});
    return all;
}

}  // namespace tessera::gdb
