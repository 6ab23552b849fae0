// SPDX-License-Identifier: Apache-2.0
// A hart apart from others: it only computes, and uses L1. All of it can be undone.
#include <algorithm>
#include <utility>

#include "riscv/apart.hpp"
#include "riscv/hart_l1-inl.hpp"

namespace tessera::riscv {

namespace {

/// With fewer backward branches until it is next watched for repetition it would not pay.
constexpr std::uint32_t least_branches = 128;

/// There is nobody to ask: the hart stops before it would.
class Nobody final : public Bus {
public:
    explicit Nobody(bool& has_news) : has_news_(has_news) {}

    Response load(const Access&) override { return refuse(); }
    Response store(const Access&, std::uint32_t) override { return refuse(); }
    Response push(std::span<const std::uint32_t>, std::uint32_t, Cycle) override { return refuse(); }
    std::uint32_t status_csr(unsigned, Cycle) override { return has_news_ = true, 0; }
    void watched_store(const Access&) override { has_news_ = true; }
    void note(const findings::Note&, std::uint32_t, Cycle) override { has_news_ = true; }

private:
    Response refuse() {
        has_news_ = true;
        return {.kind = Response::Kind::wait};
    }

    bool& has_news_;
};

}  // namespace

bool Hart::may_act_apart(std::uint64_t change) const {
    return !fences_all_ && !held_ && !repeats(change) && repetition_.unobserved() >= least_branches;
}

Cycle Hart::act_apart(Apart& log, Cycle time, Cycle until) {
    log.clear();
    log.hart = *this;
    log.x = state_.x;
    log.pc = state_.pc;
    log.cycles = state_.cycles;
    log.retired = state_.retired;
    log.l0 = state_.l0;
    log.drained = store_port_.drained();
    const bool was_full = store_port_.is_full();

    Nobody nobody(log.has_news);
    Turn turn{.instructions = std::min(Apart::most_instructions, repetition_.unobserved()), .l1_ahead = until};
    std::uint64_t change = 0;
    const StorePort::Way way = std::exchange(way_, {});
    apart_ = &log;
    const Stop stop = execute_apart(nobody, turn, time, change);
    apart_ = nullptr;
    // If it is found to poll, then this word.
    const auto accesses = log.accesses();
    const auto last_load = std::find_if(accesses.rbegin(), accesses.rend(), [](const state::L1Access& access) { return !access.is_store; });
    if (last_load != accesses.rend()) repetition_.loaded(last_load->pc, last_load->address, last_load->before);
    way_ = way;
    if (was_full && !log.blocks.empty()) log.blocks.front().fills_last = false;
    log.fills_last = store_port_.is_full() && !(was_full && log.blocks.empty());
    log.l1_changes = turn.l1_changes;
    log.is_cut |= stop.why == Stop::Why::instructions;
    log.has_news |= stop.why != Stop::Why::limit && stop.why != Stop::Why::instructions;
    return stop.time;
}

bool Hart::serve(Apart& log, L1Ports& ports) const {
    const Apart::Block& block = log.blocks[log.served++];
    if (!way_.ports) return true;
    if (block.fills_last) log.drained -= StorePort::saved_by_full(costs_);
    if (StorePort::room_from(costs_, log.drained) > block.at) return false;
    log.drained = ports.hold(way_.port, block.address, std::max(log.drained, block.at), costs_.l1_store.cycles);
    return true;
}

void Hart::keep(const Apart& log) {
    const Cycle drained = log.drained - (log.fills_last ? StorePort::saved_by_full(costs_) : 0);
    if (!way_.ports || drained == store_port_.drained()) return;
    store_port_.set_drained(drained);
    // The access at which it stands may be a store that has to wait for that.
    bool has_news = false;
    Nobody nobody(has_news);
    Turn turn{.instructions = 1};
    std::uint64_t change = 0;
    execute_timed(nobody, turn, now_, change);
}

void Hart::undo(const Apart& log) {
    std::for_each(log.local.rbegin(), log.local.rend(), [&](const Apart::LocalWord& word) {
        put(state_.local.data() + word.offset, sizeof word.before, word.before);
    });
    const auto accesses = log.accesses();
    std::for_each(accesses.rbegin(), accesses.rend(), [&](const state::L1Access& access) {
        if (access.is_store) put(l1_.write_in_line(access.address), access.bytes, access.before);
        if (access.has_marked) l1_.unmark_line(access.address);
    });
    static_cast<HartMemory&>(*this) = log.hart;
    state_.x = log.x;
    state_.pc = log.pc;
    state_.cycles = log.cycles;
    state_.retired = log.retired;
    state_.l0 = log.l0;
}

}  // namespace tessera::riscv
