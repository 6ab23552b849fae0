// SPDX-License-Identifier: Apache-2.0
#include "tile/harts.hpp"

#include <algorithm>

namespace tessera::tile {

Harts::Harts(state::State& state, Timing timing) : state_(state), decoded_(state.arch().arch, state.arch().l1_bytes) {
    for (std::size_t i = 0; i < riscv_cores; ++i) {
        harts_[i].emplace(state.arch().arch, static_cast<RiscvCore>(i), timing, state.riscv[i], state.l1, decoded_);
        harts_[i]->share(l1_ports_);
        if (static_cast<RiscvCore>(i) == RiscvCore::nc && !state.iram.empty()) harts_[i]->attach_iram(state.iram);
    }
}

void Harts::watch(std::uint32_t first, std::uint32_t end) {
    for (auto& hart : harts_) hart->watch(first, end);
}

void Harts::look_early_for_repetition(std::uint32_t branches, std::uint32_t most) {
    for (auto& hart : harts_) hart->look_early_for_repetition(branches, most);
}

void Harts::reset(RiscvCore core) {
    const auto i = static_cast<std::size_t>(core);
    harts_[i]->reset(state_.riscv[i].pc);
    ++resets_[i];
}

riscv::Cycle Harts::furthest() const {
    riscv::Cycle furthest = 0;
    for (const auto& hart : harts_) furthest = std::max(furthest, hart->begins_next());
    return furthest;
}

Harts::Memory Harts::save() const {
    Memory saved;
    for (std::size_t i = 0; i < riscv_cores; ++i) saved.harts[i] = harts_[i]->save();
    saved.l1_ports = l1_ports_;
    saved.resets = resets_;
    return saved;
}

void Harts::restore(const Memory& memory) {
    for (std::size_t i = 0; i < riscv_cores; ++i) harts_[i]->restore(memory.harts[i]);
    l1_ports_ = memory.l1_ports;
    resets_ = memory.resets;
}

}  // namespace tessera::tile
