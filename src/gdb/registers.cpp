// SPDX-License-Identifier: Apache-2.0
#include "gdb/registers.hpp"

#include <algorithm>

#include "riscv/csrs.hpp"
#include "riscv/decode.hpp"

namespace tessera::gdb {

namespace {

// Names that gdb gives a meaning to, and one of ours.
constexpr std::string_view cpu_feature = "org.gnu.gdb.riscv.cpu", csr_feature = "org.gnu.gdb.riscv.csr",
                           tensix_feature = "org.tenstorrent.tensix";
constexpr const char* tensix_group = "tensix";

/// T0, T1, T2.
std::optional<unsigned> thread_of(unsigned core) {
    const unsigned thread = core - static_cast<unsigned>(RiscvCore::t0);
    return thread < 3 ? std::optional(thread) : std::nullopt;
}

/// "adc unpacker0 channel 0 x" as a register's name: "adc_unpacker0_channel0_x".
std::string as_name(std::string text) {
    for (std::size_t i = 1; i < text.size(); ++i)
        if (text[i - 1] == ' ' && text[i] >= '0' && text[i] <= '9') text.erase(--i, 1);
    std::replace(text.begin(), text.end(), ' ', '_');
    return text;
}

}  // namespace

Registers::Registers(const Core& core) {
    add_general();
    if (core.arch() == Arch::blackhole) add_csrs();
    add_tensix(core);
}

void Registers::add(std::string name, unsigned bits, std::string type, const char* group, std::string_view feature, Place place) {
    all_.push_back({std::move(name), bits, std::move(type), group, feature});
    places_.push_back(place);
}

void Registers::add_general() {
    constexpr unsigned ra = 1, sp = 2, gp = 3, tp = 4, fp = 8;
    for (unsigned i = 0; i < pc; ++i) {
        const char* const type = i == ra ? "code_ptr" : i == sp || i == gp || i == tp || i == fp ? "data_ptr" : "int";
        add(i == fp ? "fp" : std::string(riscv::register_name(i)), 32, type, "general", cpu_feature, {Place::Kind::general, i});
    }
    add("pc", 32, "code_ptr", "general", cpu_feature, {Place::Kind::general, pc});
}

void Registers::add_csrs() {
    for (std::size_t i = 0; i < std::size(riscv::csrs); ++i)
        add(std::string(riscv::csrs[i].name), 32, "int", "csr", csr_feature, {Place::Kind::csr, i});
}

void Registers::add_tensix(const Core& core) {
    add("tt_cycle", 64, "uint64", tensix_group, tensix_feature, {Place::Kind::cycle});
    add("tt_issued", 64, "uint64", tensix_group, tensix_feature, {Place::Kind::issued});
    add_section(core, "fifo_count", "tt_", true, true);
    add_section(core, "latched_wait", "tt_", true);
    add_section(core, "rwc", "tt_", true);
    add_section(core, "adc", "tt_", true);
    add_section(core, "gpr", "tt_", true);
    add_section(core, "semaphore_value", "tt_", false);
}

void Registers::add_section(const Core& core, std::string_view name, const std::string& prefix, bool of_thread,
                            bool is_shown_only) {
    const auto found = core.find_section(name);
    if (!found) return;
    const Section& section = **found;
    const std::size_t count = of_thread ? section.size / section.dimensions.front().size : section.size;
    const std::string thread = of_thread ? " thread 0" : "";
    for (std::size_t i = 0; i < count; ++i) {
        std::string text = section.describe(i);
        if (const std::size_t at = text.find(thread); of_thread && at != text.npos) text.erase(at, thread.size());
        add(prefix + as_name(std::move(text)), 32, "uint32", tensix_group, tensix_feature,
            {of_thread ? Place::Kind::of_thread : Place::Kind::element, i, section.id, count, is_shown_only});
    }
}

std::optional<std::uint64_t> Registers::read(const core::TileView& view, unsigned core, std::size_t number,
                                             std::uint64_t now) const {
    if (number >= places_.size()) return {};
    const Place& place = places_[number];
    const state::Riscv& riscv = view.state().riscv[core];
    const Core& whole = view.core();
    const auto thread = thread_of(core);
    switch (place.kind) {
        case Place::Kind::general: return place.index == pc ? riscv.pc : riscv.x[place.index];
        case Place::Kind::csr:
            switch (riscv::csrs[place.index].kind) {
                case riscv::Csr::Kind::cycle: return riscv.cycles & 0xFFFF'FFFF;
                case riscv::Csr::Kind::cycleh: return riscv.cycles >> 32;
                case riscv::Csr::Kind::instret: return riscv.retired & 0xFFFF'FFFF;
                case riscv::Csr::Kind::instreth: return riscv.retired >> 32;
                case riscv::Csr::Kind::status: return {};
                default: return riscv.csr[place.index];
            }
        case Place::Kind::cycle: return now;
        case Place::Kind::issued:
            if (!thread) return {};
            return view.issued(*thread);
        case Place::Kind::element: return whole.read(whole.sections()[place.section], place.index);
        case Place::Kind::of_thread:
            if (!thread) return {};
            return whole.read(whole.sections()[place.section], *thread * place.per_thread + place.index);
    }
    return {};
}

Result<void> Registers::write(core::TileView& view, unsigned core, std::size_t number, std::uint64_t value) const {
    const Place& place = places_[number];
    state::Riscv& riscv = view.state().riscv[core];
    Core& whole = view.core();
    const auto thread = thread_of(core);
    const auto only_read = [] { return fail("gdb.register", "that register can only be read"); };
    if (place.is_shown_only) return only_read();
    switch (place.kind) {
        case Place::Kind::general:
            if (place.index == pc && value % 4) return fail("gdb.register", "pc is a multiple of 4");
            if (place.index == pc)
                riscv.pc = static_cast<std::uint32_t>(value);
            else if (place.index != 0)
                riscv.x[place.index] = static_cast<std::uint32_t>(value);
            return {};
        case Place::Kind::element: whole.write(whole.sections()[place.section], place.index, value); break;
        case Place::Kind::of_thread:
            if (!thread) return fail("gdb.register", "B and NC have no thread of the coprocessor");
            whole.write(whole.sections()[place.section], *thread * place.per_thread + place.index, value);
            break;
        default: return only_read();
    }
    return {};
}

}  // namespace tessera::gdb
