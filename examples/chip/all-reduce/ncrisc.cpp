// SPDX-License-Identifier: Apache-2.0
// NC: reads this tile's pages from DRAM by NoC 1, and receives those of the tile before.
#include "circular_buffer.hpp"
#include "part.hpp"

using namespace kernel;

extern "C" {
// Arguments: the job sets them.
[[gnu::section(".arguments")]] volatile std::uint32_t rounds = 1;
[[gnu::section(".arguments")]] volatile std::uint32_t arrays[3] = {};  // x and y of a DRAM tile, and where the arrays of all tiles begin
}

void kernel_main() {
    Noc<1, 0> noc;
    const InRing ring(noc.here());
    const std::uint32_t all_rounds = rounds;
    CircularBuffer from_before(partial), pages(own), as_they_are(unchanged);
    std::uint32_t received = 0;
    const auto begin_read = [&](const CircularBuffer& to, std::uint32_t round, std::uint32_t part) {
        to.wait_free();
        noc.read({arrays[0], arrays[1]}, arrays[2] + page_offset(ring, all_rounds, round, part), to.write_page(), page_bytes);
    };
    const auto push = [](CircularBuffer& to) { to.push(to.write_page() + page_bytes - 4); };
    // The tile before sends only to a place that it was told to be free.
    const auto receive = [&](CircularBuffer& to) {
        to.wait_free();
        noc.increment(ring.previous, words.room, 1);
        wait_for_word(words.arrived, ++received);
        push(to);
    };
    for (std::uint32_t round = 0; round < all_rounds; ++round) {
        begin_read(as_they_are, round, ring.number);
        noc.wait_reads();
        push(as_they_are);
        for (std::uint32_t step = 1; step < ring.tiles; ++step) {
            begin_read(pages, round, ring.before(step));
            receive(from_before);
            noc.wait_reads();
            push(pages);
        }
        for (std::uint32_t step = 1; step < ring.tiles; ++step) receive(as_they_are);
    }
    noc.wait_increments();
}
