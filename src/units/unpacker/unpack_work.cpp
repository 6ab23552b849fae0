// SPDX-License-Identifier: Apache-2.0
// What UNPACR does to datums.
#include <fmt/format.h>

#include "formats/datum_size.hpp"
#include "plan/work.hpp"
#include "state/state.hpp"

namespace tessera::plan {

namespace {

constexpr unsigned bank_datums = state::SrcBank::rows * state::columns;

Storage storage_of(state::Src src) { return src == state::Src::a ? Storage::src_a : Storage::src_b; }

// Calls f(offset in the transfer, position in the bank, length) for each run up to the end of the bank.
template <class F>
void for_each_run(const UnpackWork& work, F&& f) {
    std::uint32_t position = work.position;
    for (std::uint32_t at = work.skip; at < work.count;) {
        const std::uint32_t length = std::min(work.count - at, bank_datums - position);
        f(at, position, length);
        at += length;
        position = 0;
    }
}

void mark_rows(state::SrcBank& bank, std::uint32_t position, std::uint32_t length) {
    for (std::uint32_t row = position / 16; row <= (position + length - 1) / 16; ++row)
        bank.written |= std::uint64_t{1} << row;
}

}  // namespace

void run(const UnpackWork& work, state::State& state) {
    auto& bank = state.bank(work.src, work.bank);
    const std::uint8_t* l1 = state.l1.bytes.data();
    const formats::UnpackSource from{l1 + work.address, l1 + work.exponents, work.shared_exponent};
    for_each_run(work, [&](std::uint32_t at, std::uint32_t position, std::uint32_t length) {
        work.convert(from, std::size_t{work.phase} + at, bank.datums.data() + position, length);
        mark_rows(bank, position, length);
    });
}

void footprint(const UnpackWork& work, Footprint& out) {
    const std::uint32_t kept = work.count - work.skip;
    if (kept) {
        const std::uint32_t first = work.phase + work.skip, last = work.phase + work.count - 1;
        const std::uint32_t first_byte = first * work.datum_bits / 8,
                            last_byte = ((last + 1) * work.datum_bits - 1) / 8;
        out.read(Storage::l1, work.address + first_byte, last_byte - first_byte + 1);
        if (work.exponent_source == UnpackWork::Exponents::section) {
            const std::uint32_t first_block = first / formats::block_datums, last_block = last / formats::block_datums;
            out.read(Storage::l1, work.exponents + first_block, last_block - first_block + 1);
        }
    }
    const std::uint32_t base = work.bank * bank_datums;
    if (kept >= bank_datums) return out.write(storage_of(work.src), base, bank_datums);
    const std::uint32_t first = std::min(kept, bank_datums - work.position);
    out.write(storage_of(work.src), base + work.position, first);
    out.write(storage_of(work.src), base, kept - first);
}

void explain(const UnpackWork& work, Lines& lines) {
    const char letter = work.src == state::Src::a ? 'A' : 'B';
    const std::uint32_t first_bit = work.phase * work.datum_bits;
    lines.emplace_back("from", fmt::format("L1 0x{:X}{}, {} datums of {} {}", work.address + first_bit / 8,
                                           first_bit % 8 ? fmt::format(" bit {}", first_bit % 8) : "", work.count,
                                           work.datum_bits < 8 ? work.datum_bits : work.datum_bits / 8,
                                           work.datum_bits < 8 ? "bits" : "bytes"));
    if (work.exponent_source == UnpackWork::Exponents::section)
        lines.emplace_back("exponents",
                           fmt::format("L1 0x{:X}, one per {} datums", work.exponents, formats::block_datums));
    if (work.exponent_source == UnpackWork::Exponents::forced)
        lines.emplace_back("exponents", fmt::format("{} for all datums, forced", work.shared_exponent));
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
                                                     work.value[i] ? "minus infinity" : "0"));
}

}  // namespace tessera::plan
