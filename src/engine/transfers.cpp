// SPDX-License-Identifier: Apache-2.0
// Unpackers that slow each other (engine/transfers.hpp): what that moves.
#include <algorithm>
#include <bit>

#include "engine/engine.hpp"

namespace tessera::engine {

namespace {

constexpr unsigned first_unpacker = static_cast<unsigned>(plan::Pipe::unpacker0);

}  // namespace

void Engine::begin_transfer(std::uint32_t id, Cycle now) {
    const Record& record = records_[id];
    const plan::Cost& cost = record.plan().cost;
    const unsigned side = static_cast<unsigned>(std::countr_zero(record.plan().pipes)) - first_unpacker;
    const Cycle ends = record.times.free;
    transfers_.begin(side, id, cost.transfer, ends - cost.occupancy, ends);
    if (transfers_.reads(1 - side, now)) share_l1(now);
}

void Engine::share_l1(Cycle now) {
    if (sharing_event_) clock_.cancel(*sharing_event_);
    sharing_event_.reset();
    const Cycle next = transfers_.share(now, [&](unsigned side, Cycle time) { end_transfer_at(side, time); });
    if (next != never) sharing_event_ = clock_.schedule(next, Event::Kind::share_l1, 0);
}

void Engine::end_transfer_at(unsigned side, Cycle time) {
    const std::uint32_t id = transfers_.who(side);
    Record& record = records_[id];
    const plan::Cost& cost = record.plan().cost;
    record.times.end = std::max(time + cost.latency - cost.occupancy, record.times.land);
    clock_.cancel(record.end_event);
    record.end_event = clock_.schedule(record.times.end, Event::Kind::end, id);
    pipes_.taken_until(first_unpacker + side, time);
    const auto& queue = queues_[first_unpacker + side].waiting;
    if (!queue.empty()) try_queue(first_unpacker + side, std::max(time, records_[queue.front()].ready));
}

}  // namespace tessera::engine
