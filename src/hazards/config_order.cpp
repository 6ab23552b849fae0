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

// By another thread than `thread`, and not before what has this clock.
bool ConfigOrder::is_unordered(const Who& who, unsigned thread, const VectorClock& known) {
    if (who.thread() == thread) return false;
    if (pipe_of_stream(who.stream) == plan::Pipe::mover) return known.done()[who.stream] < who.number;
    return !known.has_issued(who.stream, who.sequence);
}

template <class Concerns>
std::optional<ConfigOrder::Write> ConfigOrder::last_unordered(std::uint16_t cell, unsigned thread,
                                                              const VectorClock& known, Concerns&& concerns) const {
    if (cell >= writes_.size()) return std::nullopt;
    const std::vector<Write>& writes = writes_[cell];
    const auto found = std::find_if(writes.rbegin(), writes.rend(), [&](const Write& write) {
        return concerns(write) && is_unordered(write.who, thread, known);
    });
    return found == writes.rend() ? std::nullopt : std::optional(*found);
}

std::optional<ConfigOrder::Write> ConfigOrder::unordered_write(unsigned thread, const Bits& bits,
                                                               const VectorClock& known) const {
    return last_unordered(bits.cell, thread, known, [&](const Write& write) { return write.mask & bits.mask; });
}

std::optional<ConfigOrder::Write> ConfigOrder::unordered_other_value(unsigned thread, const Bits& bits,
                                                                     std::optional<std::uint32_t> value,
                                                                     const VectorClock& known) const {
    auto found =
        last_unordered(bits.cell, thread, known, [&](const Write& write) { return write.disputed(bits.mask, value); });
    if (found) found->mask = found->disputed(bits.mask, value);
    return found;
}

std::optional<ConfigOrder::Who> ConfigOrder::unordered_use(const Bits& bits, const VectorClock& known, unsigned except,
                                                           bool brought) const {
    if (!bits.mask) return std::nullopt;
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

void ConfigOrder::written(std::uint16_t cell, const Write& write, const VectorClock& known) {
    if (cell >= writes_.size()) writes_.resize(cell + 1u);
    std::vector<Write>& writes = writes_[cell];
    const unsigned thread = write.who.thread();
    for (Write& each : writes) {
        each.mask &= ~write.mask;
        if (!is_unordered(each.who, thread, known)) each.set &= ~write.set;
    }
    std::erase_if(writes, [](const Write& each) { return !(each.mask | each.set); });
    writes.push_back(write);
    if (write.mask) last_[++write_count_ % last_.size()] = {cell, static_cast<std::uint16_t>(thread)};
}

}  // namespace tessera::hazards
