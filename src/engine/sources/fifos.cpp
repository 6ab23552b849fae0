// SPDX-License-Identifier: Apache-2.0
#include "engine/sources/fifos.hpp"

#include <algorithm>

#include "diagnostics/op_index.hpp"
#include "frontend/visible.hpp"
#include "hazards/order.hpp"

namespace tessera::engine {

bool Fifos::push(unsigned t, std::span<const std::uint32_t> words, std::int64_t index, bool expanded) {
    if (!has_room(t, words.size(), expanded)) return false;
    frontend::Fifo& fifo = fronts_[t].fifo;
    const Cycle now = scheduler_.now();
    if (!costs_.completes_at_issue) check_collision(t, words, index, expanded);
    const Arch arch = state_.arch().arch;
    const bool is_tracked = frontend::auto_sync::tracks(state_, t);
    // The core's vector clock is the same for all of them.
    // A request over the NoC knows nothing.
    if (const unsigned core = cores_ ? diagnostics::KernelOp::of(index).core : hazards::core_of_thread(t);
        core < riscv_cores)
        order_.core_pushes(core, t, index);
    for (const std::uint32_t word : words) {
        state::Uses uses;
        if (!expanded && (is_tracked || notices(word))) {
            const isa::Instruction instruction = isa::decode(word, arch);
            uses = auto_sync_.push(t, instruction, index, is_idle(t));
            if (instruction.is(isa::mnemonic("MOP"))) {
                last_mop_[t] = {index, -1, word};
                order_.mop_pushed(t);
            }
        }
        fifo.push_back({word, -1, expanded, uses, index, now, now + costs_.thread.push_latency});
        index += diagnostics::KernelOp::next_word;
    }
    scheduler_.caused_by({true, static_cast<int>(t), fifo.back().index, now});
    scheduler_.raise(Signal::pushed, now, {.fifo = static_cast<std::uint8_t>(t)});
    return true;
}

// Words come one per cycle, as if the FIFO behind the MOP expander always had room (spec-notes C20).
void Fifos::check_collision(unsigned t, std::span<const std::uint32_t> words, std::int64_t index, bool expanded) {
    auto& last = last_behind_mop_[t];
    const Cycle now = scheduler_.now(), first = std::max(last[expanded] + 1, now + costs_.thread.push_latency);
    last[expanded] = first + words.size() - 1;
    const auto report = [&](std::string_view when) {
        diagnostics_.note({findings::id("frontend.pushes-collide"), {t}, when}, {t, index, -1, words.front(), now});
    };
    if (last[!expanded] >= first)
        report("in the cycle of a word of the thread's own core");
    else if (expanded && !frontend::mops_expanded(fronts_[t], t, state_))
        report("while a MOP of the thread's own core is expanded");
}

void Fifos::discard(unsigned t, frontend::ExpanderListener& listener) {
    const std::int64_t last_op = fronts_[t].discard(state_, listener);
    order_.mops_seen_expanded(t);  // none is left that could read a MOP register
    auto_sync_.discard_behind(t, last_op);
    scheduler_.raise(Signal::popped | Signal::issued, scheduler_.now(), {.fifo = static_cast<std::uint8_t>(t)});
}

// With instant timing a MOP was expanded when it was pushed.
bool Fifos::store_stays_behind(unsigned t) const {
    const frontend::Expanders& front = fronts_[t];
    if (costs_.completes_at_issue) return !front.is_empty(state_);
    const auto is_store = [](const frontend::FifoEntry& entry) { return entry.mop_register >= 0; };
    return std::any_of(front.fifo.begin(), front.fifo.end(), is_store) ||
           (frontend::has_mops(front, t, state_) &&
            (order_.mops_known_expanded(t) || frontend::mops_expanded(front, t, state_)));
}

std::uint32_t Fifos::mop_register(unsigned t, unsigned item) const {
    const frontend::Fifo& fifo = fronts_[t].fifo;
    for (std::size_t i = fifo.size(); i-- > 0;)
        if (fifo[i].mop_register == static_cast<int>(item)) return fifo[i].word;
    return state_[state::cells::mop(t, item)];
}

// Changing MOP registers before an earlier MOP is expanded is a hazard.
void Fifos::store_mop(unsigned t, unsigned item, std::uint32_t value, std::int64_t index) {
    const Cycle now = scheduler_.now();
    if (!costs_.completes_at_issue && !order_.mops_known_expanded(t) && mop_register(t, item) != value)
        diagnostics_.note({findings::id("hazard.mop-overtaken"), {item, static_cast<std::uint32_t>(index)}},
                          {t, last_mop_[t].index, -1, last_mop_[t].word, now});
    if (outcome_.stopped()) return;
    if (!store_stays_behind(t)) return mop_stored(t, item, value, index);
    fronts_[t].fifo.push_store({value, static_cast<std::int16_t>(item), false, {}, index, now, now});
    scheduler_.caused_by({true, static_cast<int>(t), index, now});
    scheduler_.raise(Signal::pushed, now, {.fifo = static_cast<std::uint8_t>(t)});
}

void Fifos::mop_stored(unsigned t, unsigned item, std::uint32_t value, std::int64_t index) {
    writes_.core_stored(t, index, fronts_[t].store_mop_register(state_, item, value));
}

}  // namespace tessera::engine
