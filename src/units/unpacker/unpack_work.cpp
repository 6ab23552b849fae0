// SPDX-License-Identifier: Apache-2.0
// UNPACR to a source bank, and UNPACR_NOP.
#include <fmt/format.h>

#include "formats/layouts.hpp"
#include "state/state.hpp"
#include "units/unpacker/unpack_input.hpp"

namespace tessera::plan {

namespace {

constexpr unsigned bank_datums = state::SrcBank::rows * state::columns;

Storage storage_of(state::Src src) { return src == state::Src::a ? Storage::src_a : Storage::src_b; }

// Calls f(offset in the transfer, position in the bank, length) for each run up to the end of the bank.
template <class F>
void for_each_run(const UnpackWork& work, F&& f) {
    std::uint32_t position = work.position;
    for (std::uint32_t at = work.skip; at < work.input.count;) {
        const std::uint32_t length = std::min(work.input.count - at, bank_datums - position);
        f(at, position, length);
        at += length;
        position = 0;
    }
}

void mark_rows(state::SrcBank& bank, std::uint32_t position, std::uint32_t length) {
    const std::uint32_t first = position / state::columns, last = (position + length - 1) / state::columns;
    bank.written |= ~std::uint64_t{0} >> (63 - (last - first)) << first;
}

}  // namespace

void run(const UnpackWork& work, state::State& state) {
    auto& bank = state.bank(work.src, work.bank);
    const formats::UnpackSource from = source(work.input, state);
    for_each_run(work, [&](std::uint32_t at, std::uint32_t position, std::uint32_t length) {
        work.input.convert(from, std::size_t{work.input.phase} + at, bank.datums.data() + position, length);
        mark_rows(bank, position, length);
    });
}

void footprint(const UnpackWork& work, Footprint& out) {
    footprint(work.input, work.skip, out);
    const std::uint32_t kept = work.input.count - work.skip;
    const std::uint32_t base = work.bank * bank_datums;
    if (kept >= bank_datums) return out.write(storage_of(work.src), base, bank_datums);
    const std::uint32_t first = std::min(kept, bank_datums - work.position);
    out.write(storage_of(work.src), base + work.position, first);
    out.write(storage_of(work.src), base, kept - first);
}

void explain(const UnpackWork& work, Lines& lines) {
    const char letter = work.src == state::Src::a ? 'A' : 'B';
    explain(work.input, lines);
    if (work.skip) lines.emplace_back("dropped", fmt::format("the first {} datums, which lie before row 4", work.skip));
    lines.emplace_back("to", fmt::format("Src{} bank {} from row {} column {}", letter, work.bank, work.position / 16,
                                         work.position % 16));
}

void run(const FillWork& work, state::State& state) {
    for (unsigned i = 0; i < 4; ++i) {
        if (!(work.banks[i / 2] >> i % 2 & 1)) continue;
        auto& bank = state.bank(state::Src(i / 2), i % 2);
        bank.datums.fill(work.value[i / 2]);
        bank.written = ~std::uint64_t{0};
    }
}

void footprint(const FillWork& work, Footprint& out) {
    for (unsigned i = 0; i < 4; ++i)
        if (work.banks[i / 2] >> i % 2 & 1) out.write(storage_of(state::Src(i / 2)), i % 2 * bank_datums, bank_datums);
}

void explain(const FillWork& work, Lines& lines) {
    for (unsigned i = 0; i < 2; ++i)
        if (work.banks[i])
            lines.emplace_back("clears", fmt::format("Src{}, bank mask {}, to {}", i ? 'B' : 'A', work.banks[i],
                                                     work.value[i] == formats::src_negative_infinity
                                                         ? "minus infinity"
                                                         : fmt::format("0x{:05X} in stored order",
                                                                       formats::src_to_stored(work.value[i]))));
}

}  // namespace tessera::plan
