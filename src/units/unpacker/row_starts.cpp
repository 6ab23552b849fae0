// SPDX-License-Identifier: Apache-2.0
#include "units/unpacker/row_starts.hpp"

#include "units/state_view.hpp"

namespace tessera::units::unpacker {

namespace {

using state::L1;
using state::RowCache;

constexpr std::uint32_t row_start_bytes = 2;
constexpr unsigned words = L1::line_bytes / 4;

std::uint32_t word_of(const L1& l1, std::uint32_t address) {
    std::uint32_t word = 0;
    for (unsigned i = 4; i-- > 0;) word = word << 8 | l1.bytes[address + i];
    return word;
}

}  // namespace

RowStartCache::RowStartCache(const StateView& view, const Mode& mode)
    : look_(view),
      unpacker_(mode.which),
      entry_(mode.multi_context ? mode.context % state::cells::row_caches : view.thread),
      line_(view[cell(RowCache::line)]) {}

state::Cell RowStartCache::cell(RowCache item, unsigned word) const {
    return state::cells::row_cache(unpacker_, entry_, item, word);
}

std::optional<std::uint32_t> RowStartCache::at(std::uint64_t address, plan::Plan& plan) {
    const L1& l1 = look_.contents().l1;
    if (!l1.contains(address, row_start_bytes)) {
        plan.fail(findings::id("unpack.l1-address"),
                  {static_cast<std::uint32_t>(address), row_start_bytes, look_.arch().l1_bytes});
        return std::nullopt;
    }
    ++used_;
    const auto place = static_cast<std::uint32_t>(address), line = place / L1::line_bytes;
    const std::uint32_t in_l1 = l1.bytes[place] | l1.bytes[place + 1] << 8;
    if (line_ != line + 1) {
        line_ = line + 1;
        lines_[read_++] = line * L1::line_bytes;
        return in_l1;
    }
    if (read_) return in_l1;
    const std::uint32_t within = place % L1::line_bytes;
    const std::uint32_t kept = look_[cell(RowCache::word_0, within / 4)] >> within % 4 * 8 & 0xFFFF;
    if (kept != in_l1) plan.note(findings::id("unpack.stale-row-starts"), {place, kept, in_l1});
    return kept;
}

void RowStartCache::keep(plan::Plan& plan) const {
    if (!read_) return;
    plan.effect(cell(RowCache::line), line_, plan::When::issue);
    for (unsigned i = 0; i < words; ++i)
        plan.effect(cell(RowCache::word_0, i), word_of(look_.contents().l1, (line_ - 1) * L1::line_bytes + 4 * i),
                    plan::When::issue);
}

void flush_row_starts(const StateView& view, unsigned which, bool all, plan::Plan& plan) {
    for (unsigned entry = 0; entry < state::cells::row_caches; ++entry)
        if (all || entry == view.thread)
            plan.effect(state::cells::row_cache(which, entry, RowCache::line), 0, plan::When::issue);
}

}  // namespace tessera::units::unpacker
