// SPDX-License-Identifier: Apache-2.0
// B: starts the other cores, sends pages to the next tile by NoC 0, and stores whole sums in DRAM.
#include "circular_buffer.hpp"
#include "mailbox.hpp"
#include "part.hpp"

namespace {

using namespace kernel;

constexpr std::uint32_t other_cores = 1 << 12 | 1 << 13 | 1 << 14 | 1 << 18;  // T0, T1, T2 and NC in SOFT_RESET_0

/// A circular buffer of the next tile.
class NextBuffer {
public:
    explicit NextBuffer(unsigned index) : begin_(buffer_begin(index)) {}
    std::uint32_t page() const { return begin_ + place_ * page_bytes; }
    void advance() {
        if (++place_ == capacity) place_ = 0;
    }

private:
    std::uint32_t begin_, place_ = 0;
};

}  // namespace

extern "C" {
// Arguments: the job sets them.
[[gnu::section(".arguments")]] volatile std::uint32_t rounds = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t sums[3] = {};  // x and y of a DRAM tile, and where the sums of all tiles begin
}

void kernel_main() {
    Word& reset = at(address::soft_reset_0);
    reset = reset | other_cores;
    for (unsigned i = 0; i < buffers; ++i) CircularBuffer::describe(i, buffer_begin(i), capacity, page_bytes);
    for (unsigned i = 0; i < cores; ++i) at(layout::status + 4 * i) = not_done;
    settle(layout::status + 4 * (cores - 1));
    reset = reset & ~other_cores;

    Noc<0, 0> noc;
    const InRing ring(noc.here());
    const std::uint32_t all_rounds = rounds;
    constexpr Core t_cores[] = {Core::t0, Core::t1, Core::t2};
    for (const Core core : t_cores) {
        mailbox::send(core, all_rounds * (ring.tiles - 1));
        mailbox::send(core, 1);
    }

    CircularBuffer added(sum), as_they_are(unchanged);
    NextBuffer next_partial(partial), next_unchanged(unchanged);
    std::uint32_t sent = 0;
    const auto send = [&](const CircularBuffer& from, NextBuffer& to) {
        wait_for_word(words.room, ++sent);
        noc.write(from.read_page(), ring.next, to.page(), page_bytes);
        to.advance();
    };
    const auto keep = [&](const CircularBuffer& from, std::uint32_t round, std::uint32_t part) {
        noc.write(from.read_page(), {sums[0], sums[1]}, sums[2] + page_offset(ring, all_rounds, round, part), page_bytes);
    };
    // Acknowledged: the page is there before the next tile is told, and its place here may be filled again.
    const auto finish = [&](CircularBuffer& from, bool was_sent) {
        noc.wait_written();
        if (was_sent) noc.increment(ring.next, words.arrived, 1);
        from.pop();
    };
    for (std::uint32_t round = 0; round < all_rounds; ++round) {
        next_unchanged.advance();  // its own page, with which that tile begins the round
        for (std::uint32_t step = 0; step + 1 < ring.tiles; ++step) {
            CircularBuffer& from = step == 0 ? as_they_are : added;
            from.wait_received();
            send(from, next_partial);
            finish(from, true);
        }
        for (std::uint32_t step = 0; step < ring.tiles; ++step) {
            CircularBuffer& from = step == 0 ? added : as_they_are;
            const bool goes_on = step + 1 < ring.tiles;
            from.wait_received();
            if (goes_on) send(from, next_unchanged);
            keep(from, round, ring.before(step == 0 ? ring.tiles - 1 : step - 1));
            finish(from, goes_on);
        }
    }
    noc.wait_increments();
    for (unsigned i = 1; i < cores; ++i)
        while (at(layout::status + 4 * i) != done) forget_cached();
}
