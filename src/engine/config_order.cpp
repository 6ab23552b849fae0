// SPDX-License-Identifier: Apache-2.0
#include "engine/config_order.hpp"

#include <algorithm>

namespace tessera::engine {

std::vector<CellBits> captured_bits(const plan::Seen& seen) {
    // How often each cell was read, and how often as a field alone: as often means that nothing else was looked at.
    std::vector<state::Cell> reads = seen.cells;
    std::sort(reads.begin(), reads.end());
    std::vector<CellBits> captured;
    std::vector<std::ptrdiff_t> whole;
    for (std::size_t i = 0; i < reads.size(); ++i) {
        if (i == 0 || reads[i] != reads[i - 1]) {
            captured.push_back({static_cast<std::uint16_t>(reads[i]), 0});
            whole.push_back(0);
        }
        ++whole.back();
    }
    for (const auto& field : seen.fields) {
        const auto at = std::lower_bound(captured.begin(), captured.end(), static_cast<std::uint16_t>(field.cell),
                                         [](const CellBits& bits, std::uint16_t cell) { return bits.cell < cell; });
        if (at == captured.end() || at->cell != static_cast<std::uint16_t>(field.cell)) continue;
        at->mask |= field.at.mask() << field.at.lo;
        --whole[static_cast<std::size_t>(at - captured.begin())];
    }
    for (std::size_t i = 0; i < captured.size(); ++i)
        if (whole[i]) captured[i].mask = ~std::uint32_t{0};
    return captured;
}

std::optional<ConfigOrder::Who> ConfigOrder::unordered_write(unsigned thread, const Bits& bits,
                                                             const Knowledge& known) const {
    if (bits.cell >= writes_.size()) return std::nullopt;
    const Write& write = writes_[bits.cell];
    if (!write.who.number || write.who.thread() == thread || !(write.mask & bits.mask)) return std::nullopt;
    const bool late = pipe_of_stream(write.who.stream) == plan::Pipe::mover;
    const auto& over = late ? known.done : known.issued;
    if (over[write.who.stream] >= write.who.number) return std::nullopt;
    return write.who;
}

std::optional<ConfigOrder::Who> ConfigOrder::unordered_use(const Bits& bits, const Knowledge& known,
                                                           unsigned except) const {
    for (unsigned thread = 0; thread < state::threads; ++thread) {
        if (thread == except) continue;
        for (const Use& use : uses_[thread]) {
            if (!use.who.number || known.issued[use.who.stream] >= use.who.number) continue;
            const bool uses = std::any_of(use.captured.begin(), use.captured.end(), [&](const Bits& each) {
                return each.cell == bits.cell && (each.mask & bits.mask) != 0;
            });
            if (uses) return use.who;
        }
    }
    return std::nullopt;
}

void ConfigOrder::written(const Bits& bits, const Who& who) {
    if (bits.cell >= writes_.size()) writes_.resize(bits.cell + 1u);
    writes_[bits.cell] = {who, bits.mask};
}

}  // namespace tessera::engine
