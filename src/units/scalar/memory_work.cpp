// SPDX-License-Identifier: Apache-2.0
// The work of the scalar unit's memory requests, which lands at their end.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "plan/work.hpp"
#include "state/state.hpp"
#include "util/range_text.hpp"

namespace tessera::plan {

namespace {

constexpr std::uint32_t line_bytes = 16;

std::uint32_t word(const state::State& state, std::uint32_t address) {
    std::uint32_t value;
    std::memcpy(&value, state.l1.bytes.data() + address, sizeof value);
    return value;
}

void set_word(state::State& state, std::uint32_t address, std::uint32_t value) {
    std::memcpy(state.l1.write(address, sizeof value), &value, sizeof value);
}

unsigned register_of(state::Cell gpr) { return (state::index(gpr) - state::cells::gpr_block.first) % 64; }

state::Cell behind(state::Cell gpr, unsigned n) { return state::Cell(state::index(gpr) + n); }

std::string place(std::uint32_t address) { return fmt::format("L1 0x{:X}", address); }

}  // namespace

void run(const LoadWork& work, state::State& state) {
    if (work.bytes == line_bytes) {
        for (unsigned i = 0; i < 4; ++i) state.write(behind(work.gpr, i), word(state, work.address + 4 * i));
        return;
    }
    std::uint32_t value = state[work.gpr];
    std::memcpy(&value, state.l1.bytes.data() + work.address, work.bytes);
    state.write(work.gpr, value);
}

void footprint(const LoadWork& work, Footprint& out) {
    out.read(Storage::l1, work.address, work.bytes);
    if (work.bytes < 4) out.read(work.gpr);
    for (unsigned i = 0; i < (work.bytes == line_bytes ? 4u : 1u); ++i) out.write(behind(work.gpr, i));
}

void explain(const LoadWork& work, Lines& lines) {
    lines.emplace_back("loads", fmt::format("{} bytes at {} to {} {}", work.bytes, place(work.address),
                                            work.bytes < 4 ? "the low bits of GPR" : "GPR", register_of(work.gpr)));
}

void run(const StoreWork& work, state::State& state) {
    for (unsigned i = 0; i < line_bytes; ++i)
        if (work.mask >> i & 1)
            *state.l1.write_in_line(work.line + i) = static_cast<std::uint8_t>(work.words[i / 4] >> i % 4 * 8);
}

void footprint(const StoreWork& work, Footprint& out) {
    for (unsigned i = 0; i < line_bytes; ++i)
        if (work.mask >> i & 1) out.write(Storage::l1, work.line + i);
}

void explain(const StoreWork& work, Lines& lines) {
    lines.emplace_back(
        "stores", fmt::format("to the line at {}: 0x{:08X} 0x{:08X} 0x{:08X} 0x{:08X}, bytes 0x{:04X}",
                              place(work.line), work.words[0], work.words[1], work.words[2], work.words[3], work.mask));
}

void run(const IncrementWork& work, state::State& state) {
    const std::uint32_t old = word(state, work.address);
    set_word(state, work.address, ((old + work.by) & work.mask) | (old & ~work.mask));
    state.write(work.gpr, old);
}

void footprint(const IncrementWork& work, Footprint& out) {
    out.read(Storage::l1, work.address, 4);
    out.write(Storage::l1, work.address, 4);
    out.write(work.gpr);
}

void explain(const IncrementWork& work, Lines& lines) {
    lines.emplace_back("increments", fmt::format("{} by {} within bits 0x{:X}; the old value goes to GPR {}",
                                                 place(work.address), work.by, work.mask, register_of(work.gpr)));
    if (work.needs == IncrementWork::Needs::nothing) return;
    lines.emplace_back("waits for", fmt::format("the FIFO with counters at {} {}", place(work.counters),
                                            work.needs == IncrementWork::Needs::not_empty
                                                ? std::string("not to be empty")
                                                : fmt::format("of {} elements not to be full", work.capacity)));
}

bool ready(const IncrementWork& work, const state::State& state) {
    if (work.needs == IncrementWork::Needs::nothing) return true;
    const std::uint32_t size = word(state, work.counters + 4) - word(state, work.counters);
    if (work.needs == IncrementWork::Needs::not_empty) return size != 0;
    return size == 0 || size % work.capacity != 0;
}

std::string missing(const IncrementWork& work, const state::State& state) {
    return fmt::format("the FIFO at {} not to be {}: its read counter is {}, its write counter {}",
                       place(work.counters), work.needs == IncrementWork::Needs::not_empty ? "empty" : "full",
                       word(state, work.counters), word(state, work.counters + 4));
}

void run(const CompareSetWork& work, state::State& state) { set_word(state, work.address, work.value); }

void footprint(const CompareSetWork& work, Footprint& out) { out.write(Storage::l1, work.address, 4); }

void explain(const CompareSetWork& work, Lines& lines) {
    lines.emplace_back("sets", fmt::format("{} to {} once it is {}", place(work.address), work.value, work.expected));
}

bool ready(const CompareSetWork& work, const state::State& state) { return word(state, work.address) == work.expected; }

std::string missing(const CompareSetWork& work, const state::State& state) {
    return fmt::format("{} to be {}: it is {}", place(work.address), work.expected, word(state, work.address));
}

void run(const StoreSrcWork& work, state::State& state) {
    auto& bank = state.bank(work.src, work.bank);
    std::copy(work.datums.begin(), work.datums.end(), &bank.datums[work.position]);
    bank.written |= std::uint64_t{1} << work.position / state::columns;
}

void footprint(const StoreSrcWork& work, Footprint& out) {
    constexpr std::uint32_t bank_datums = state::SrcBank::rows * state::columns;
    out.write(work.src == state::Src::a ? Storage::src_a : Storage::src_b, work.bank * bank_datums + work.position,
              static_cast<std::uint32_t>(work.datums.size()));
}

void explain(const StoreSrcWork& work, Lines& lines) {
    lines.emplace_back(
        "stores",
        fmt::format("four datums to Src{} bank {}, row {}, {}", work.src == state::Src::a ? 'A' : 'B', work.bank,
                    work.position / state::columns,
                    util::range_text("columns", work.position % state::columns, work.position % state::columns + 3)));
}

}  // namespace tessera::plan
