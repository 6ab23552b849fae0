// SPDX-License-Identifier: Apache-2.0
#include "chip/tensix_node.hpp"

namespace tessera::chip {

TensixNode::TensixNode(const Surroundings& around, const CoreParts& core, const Kernels& kernels, RunOptions options,
                       bool tells_stores)
    : Node(around),
      place_{core.state.tile.place.x, core.state.tile.place.y},
      core_(core),
      options_(std::move(options)),
      tile_(core.state, kernels, options_.timing, tells_stores || options_.on_write),
      engine_(core.state, core.slots, tile_, options_, core.reset) {
    tile_.join(fabric());
    engine_.set_l1_formats(core.l1_formats);
}

void TensixNode::run_until(Cycle horizon) {
    begin_until(horizon);
    engine_.run_to_horizon();
    stopped_ = engine_.is_stopped();
}

void TensixNode::begin_until(Cycle horizon) {
    constexpr Cycle longest = 1 << 14;
    if (const Cycle next = next_time(); next != never) horizon = std::min(horizon, next + longest);
    tile_.set_horizon(horizon);
    if (engine_.asleep()) engine_.wake(std::min(tile_.noc_due(), horizon));
    engine_.begin_stretch();
}

// A tile that sleeps has whole rounds of its loops behind it, and then what of the next ones comes before that cycle.
void TensixNode::catch_up(Cycle at) {
    for (;;) {
        if (engine_.asleep()) engine_.wake(at);
        if (stopped_ || engine_.next_time() >= at) break;
        begin_until(at);
        while (advance()) {}
    }
}

void TensixNode::come_to(Cycle at) {
    catch_up(at);
    engine_.be_at(at);
}

void TensixNode::host_writes(Cycle at, std::uint32_t address, std::span<const std::byte> bytes) {
    come_to(at);
    engine_.host_writes(address, bytes);
}

engine::Cores::HostAccess TensixNode::host_loads(Cycle at, std::uint32_t address) {
    come_to(at);
    return engine_.host_accesses(address, std::nullopt);
}

engine::Cores::HostAccess TensixNode::host_stores(Cycle at, std::uint32_t address, std::uint32_t value) {
    come_to(at);
    return engine_.host_accesses(address, value);
}

void TensixNode::keep_awake(Cycle until) {
    if (engine_.asleep()) engine_.wake(until);
}

bool TensixNode::advance() {
    const bool more = engine_.step_to_horizon();
    stopped_ = engine_.is_stopped();
    return more;
}

bool TensixNode::at_limit() const {
    const auto& fault = engine_.outcome().fault;
    return fault && fault->code == "no-progress";
}

// A jump to itself is a loop, too, but polls nothing.
std::vector<tile::Tile::Polled> TensixNode::polled() const {
    std::vector<tile::Tile::Polled> all;
    for (unsigned core = 0; core < riscv_cores; ++core) {
        if (engine_.has_finished(RiscvCore(core))) continue;
        const bool repeats = sleeps() || engine_.is_repeating(RiscvCore(core));
        for (auto& polled : tile_.polled(core, repeats)) all.push_back(std::move(polled));
    }
    return all;
}

Run TensixNode::finish() {
    Run run = engine_.finish();
    core_.l1_formats = engine_.l1_formats();
    return run;
}

}  // namespace tessera::chip
