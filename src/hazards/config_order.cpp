// SPDX-License-Identifier: Apache-2.0
#include "hazards/config_order.hpp"

#include <algorithm>

namespace tessera::hazards {

namespace {

bool captures_some_of(const ConfigOrder::Use& use, const ConfigOrder::Bits& bits) {
    return std::any_of(use.captured.begin(), use.captured.end(), [&](const ConfigOrder::Bits& each) {
        return each.cell == bits.cell && (each.mask & bits.mask) != 0;
    });
}

}  // namespace

std::optional<ConfigOrder::Write> ConfigOrder::unordered_write(unsigned thread, const Bits& bits,
                                                               const VectorClock& known) const {
    if (bits.cell >= writes_.size()) return std::nullopt;
    const std::vector<Write>& writes = writes_[bits.cell];
    const auto found = std::find_if(writes.rbegin(), writes.rend(), [&](const Write& write) {
        const Who& who = write.who;
        if (who.thread() == thread || !(write.mask & bits.mask)) return false;
        if (pipe_of_stream(who.stream) == plan::Pipe::mover) return known.done()[who.stream] < who.number;
        return !known.has_issued(who.stream, who.sequence);
    });
    return found == writes.rend() ? std::nullopt : std::optional(*found);
}

std::optional<ConfigOrder::Who> ConfigOrder::unordered_use(const Bits& bits, const VectorClock& known, unsigned except,
                                                           bool brought) const {
    for (unsigned thread = 0; thread < state::threads; ++thread) {
        if (thread == except) continue;
        for (const Use& use : uses_[thread]) {
            if (known.has_issued(use.who.stream, use.who.sequence)) continue;
            if (brought && use.who.keeps_bank) continue;
            if (captures_some_of(use, bits)) return use.who;
        }
    }
    return std::nullopt;
}

std::optional<ConfigOrder::Who> ConfigOrder::unfinished_use(const Bits& bits, plan::PipeMask pipes,
                                                            const VectorClock& known) const {
    for (const auto& uses : uses_)
        for (const Use& use : uses) {
            const Who& who = use.who;
            if (known.done()[who.stream] >= who.number || !(pipes & bit(pipe_of_stream(who.stream)))) continue;
            if (captures_some_of(use, bits)) return who;
        }
    return std::nullopt;
}

void ConfigOrder::written(const Bits& bits, const Who& who) {
    if (bits.cell >= writes_.size()) writes_.resize(bits.cell + 1u);
    std::vector<Write>& writes = writes_[bits.cell];
    for (Write& each : writes) each.mask &= ~bits.mask;
    std::erase_if(writes, [](const Write& each) { return each.mask == 0; });
    writes.push_back({who, bits.mask});
    last_[++write_count_ % last_.size()] = {bits.cell, static_cast<std::uint16_t>(who.thread())};
}

}  // namespace tessera::hazards
