// SPDX-License-Identifier: Apache-2.0
// Requests to other tiles through an NIU: reads, writes, multicasts and increments, as tt-metal's dataflow functions make them.
// A core has two request initiators of a NoC to itself: one for data, one for words.
#pragma once

#include "memory.hpp"
#include "niu.hpp"

namespace kernel {

/// A place in the coordinates of NoC 0.
struct Place {
    std::uint32_t x, y;
};

template <unsigned noc, unsigned first_initiator>
class Noc {
public:
    /// Where this tile is.
    static Place here() {
        const std::uint32_t id = at(niu::base(noc) + niu::node_id);
        return seen({id & 63, id >> 6 & 63});
    }

    /// Copies bytes of another tile to this one. They are there after wait_reads().
    void read(Place from, std::uint32_t address, std::uint32_t to, std::uint32_t bytes) {
        wait_ready(data);
        set_target(data, seen(from), address);
        set_answer(data, here_, to);
        at(data + niu::ctrl) = niu::read | niu::unicast_vc;
        at(data + niu::at_len_be) = bytes;
        go(data);
        ++reads_;
    }
    /// Copies bytes of this tile to another one. They have left after wait_sent(), and are there after wait_written().
    void write(std::uint32_t from, Place to, std::uint32_t address, std::uint32_t bytes) {
        wait_ready(data);
        set_target(data, here_, from);
        set_answer(data, seen(to), address);
        at(data + niu::ctrl) = niu::write | niu::response | niu::unicast_vc;
        at(data + niu::at_len_be) = bytes;
        go(data);
        ++sent_;
        ++acks_;
    }
    /// The same to the same address of all tiles from one place to another one, without this one. Requests to one rectangle arrive in their order.
    void multicast(std::uint32_t from, Place first, Place last, std::uint32_t address, std::uint32_t bytes, std::uint32_t receivers) {
        wait_ready(data);
        set_target(data, here_, from);
        // NoC 1 flows from the last place to the first.
        const Place begin = noc == 0 ? first : seen(last), end = noc == 0 ? last : seen(first);
        at(data + niu::ret_lo) = address;
        niu::set_rectangle(data, begin.x, begin.y, end.x, end.y);
        at(data + niu::ctrl) = niu::write | niu::response | niu::broadcast | niu::broadcast_vc | niu::path_reserve;
        at(data + niu::at_len_be) = bytes;
        go(data);
        ++sent_;
        acks_ += receivers;
    }
    /// Adds to a word of another tile.
    void increment(Place to, std::uint32_t address, std::uint32_t by) {
        wait_ready(words);
        set_target(words, seen(to), address);
        set_answer(words, here_, niu::scratch(noc));
        at(words + niu::ctrl) = niu::atomic | niu::response | niu::unicast_vc;
        at(words + niu::at_len_be) = 1 << 12 | 31 << 2 | (address / 4 & 3);
        at(words + niu::at_data) = by;
        go(words);
        ++atomics_;
    }

    void wait_sent() const { wait(niu::writes_sent, sent_); }
    void wait_reads() const { wait(niu::reads_received, reads_); }
    void wait_written() const { wait(niu::acks_received, acks_); }
    void wait_increments() const { wait(niu::atomics_received, atomics_); }

private:
    static constexpr std::uint32_t data = niu::base(noc) + first_initiator * niu::initiator_stride, words = data + niu::initiator_stride;

    /// Coordinates of NoC 1 count from the other corner: the same function goes both ways.
    static constexpr Place seen(Place place) {
        if (noc == 0) return place;
        return {niu::width - 1 - place.x, niu::height - 1 - place.y};
    }
    static std::uint32_t counter(std::uint32_t index) { return load_now(at(niu::base(noc) + niu::counters + 4 * index)); }
    static void wait(std::uint32_t index, std::uint32_t count) {
        while (counter(index) != count) {
        }
        forget_cached();
    }
    static void wait_ready(std::uint32_t initiator) {
        while (at(initiator + niu::cmd_ctrl) & 1) {
        }
    }
    static void set_target(std::uint32_t initiator, Place place, std::uint32_t address) { niu::set_end(initiator, niu::targ_lo, place.x, place.y, address); }
    static void set_answer(std::uint32_t initiator, Place place, std::uint32_t address) { niu::set_end(initiator, niu::ret_lo, place.x, place.y, address); }
    static void go(std::uint32_t initiator) { at(initiator + niu::cmd_ctrl) = 1; }

    const Place here_ = seen(here());
    // As the NIU has counted when the kernel begins.
    std::uint32_t reads_ = counter(niu::reads_received), acks_ = counter(niu::acks_received), atomics_ = counter(niu::atomics_received),
                  sent_ = counter(niu::writes_sent);
};

}  // namespace kernel
