// SPDX-License-Identifier: Apache-2.0
// Two units that read L1 side by side. The rate of each depends on whether the other one reads, so when one begins or is
// done, what the other has read until then is counted and its end set anew.
#include <algorithm>
#include <bit>

#include "engine/engine.hpp"

namespace tessera::engine {

namespace {

constexpr unsigned first_unpacker = static_cast<unsigned>(plan::Pipe::unpacker0);

}  // namespace

void Engine::begin_transfer(std::uint32_t id, Cycle now, Cycle delay) {
    const plan::Cost& cost = records_[id].plan().cost;
    const unsigned side = static_cast<unsigned>(std::countr_zero(records_[id].plan().pipes)) - first_unpacker;
    transfers_[side] = {id, cost.transfer.alone, cost.transfer.bytes, now + delay, now + delay + cost.occupancy};
    if (transfers_[1 - side].ends > now) share_l1(now);
}

void Engine::share_l1(Cycle now) {
    if (sharing_event_) clock_.cancel(*sharing_event_);
    sharing_event_.reset();
    Cycle next = never;
    bool slowed = false;
    for (unsigned side = 0; side < transfers_.size(); ++side) {
        RunningTransfer& running = transfers_[side];
        if (running.ends <= now) continue;
        const RunningTransfer& rival = transfers_[1 - side];
        const plan::Transfer& wants = records_[running.record].plan().cost.transfer;
        const bool both = rival.ends > now;
        const std::uint32_t rate =
            both ? wants.beside_it[records_[rival.record].plan().cost.transfer.speed] : wants.alone;
        if (now > running.since) {
            running.left -= static_cast<std::uint32_t>((now - running.since) * running.rate);
            running.since = now;
        }
        if (rate != running.rate) {
            running.rate = rate;
            end_transfer_at(side, running.since + (running.left + rate - 1) / rate);
        }
        next = std::min(next, running.ends);
        slowed |= both && rate != wants.alone;
    }
    if (slowed) sharing_event_ = clock_.schedule(next, Event::Kind::share_l1, 0);
}

void Engine::end_transfer_at(unsigned side, Cycle time) {
    RunningTransfer& running = transfers_[side];
    running.ends = time;
    Record& record = records_[running.record];
    record.end = std::max(time + record.plan().cost.latency - record.plan().cost.occupancy, record.land);
    clock_.cancel(record.end_event);
    record.end_event = clock_.schedule(record.end, Event::Kind::end, running.record);
    auto& pipe = pipes_[first_unpacker + side];
    pipe.free_at = time;
    if (!pipe.queue.empty()) try_queue(first_unpacker + side, std::max(time, records_[pipe.queue.front()].ready));
}

}  // namespace tessera::engine
