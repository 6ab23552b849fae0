// SPDX-License-Identifier: Apache-2.0
// Two tiles that work together by all that orders them: the first brings pages from DRAM and sends them; the second adds them up,
// writes the sum to DRAM and lets the first one fetch pages. The job's argument `mistake` leaves one thing out.
#include "noc.hpp"

extern "C" {
// Arguments: the job sets them.
[[gnu::section(".arguments")]] volatile std::uint32_t mistake = 0;
[[gnu::section(".arguments")]] volatile std::uint32_t column = 0;
[[gnu::section(".arguments")]] volatile std::uint32_t first_tile[2] = {};   // x and y
[[gnu::section(".arguments")]] volatile std::uint32_t second_tile[2] = {};  // the same
[[gnu::section(".arguments")]] volatile std::uint32_t pages_in[2] = {};     // the same of a DRAM tile
[[gnu::section(".arguments")]] volatile std::uint32_t sum_out[2] = {};      // the same
}

namespace {

using namespace kernel;

enum Mistake : std::uint32_t {
    none,
    read_not_awaited,
    room_not_awaited,
    flag_by_other_noc,
    refilled_while_sent,
    flag_not_awaited,
    room_told_too_early,
    dram_told_too_early,
    wrong_noc_awaited,
    fetched_too_early,
    refilled_while_fetched,
};

constexpr std::uint32_t pages = 4, page_bytes = 4096;
// Of the first tile: how many pages the second one has used and written to DRAM, and how many it has ready.
constexpr std::uint32_t used = 0x16300, written = 0x16310, ready = 0x16320;
// Of the second tile: how many pages have come, and how many the first one has fetched.
constexpr std::uint32_t come = 0x16330, fetched = 0x16340;
constexpr std::uint32_t page_out = 0x17000, back_page = 0x19000;
constexpr std::uint32_t sum_page = 0x1A000, fetched_page = 0x1B000;
constexpr std::uint32_t slot(std::uint32_t page) { return 0x1C000 + page % 2 * page_bytes; }

Place place(const volatile std::uint32_t (&words)[2]) { return {words[0], words[1]}; }

void wait_until(std::uint32_t word, std::uint32_t count) {
    while (at(word) < count) forget_cached();
}

template <class Change>
void fill(std::uint32_t page, Change word_of) {
    for (std::uint32_t i = 0; i < page_bytes; i += 4) at(page + i) = word_of(i);
    settle(page + page_bytes - 4);
}

void first(Mistake wrong) {
    Noc<0, 0> noc;
    Noc<1, 0> other;
    const Place there = place(second_tile);
    for (std::uint32_t page = 0; page < pages; ++page) {
        if (wrong != refilled_while_sent) noc.wait_sent();
        noc.read(place(pages_in), page * page_bytes, page_out, page_bytes);
        if (wrong == wrong_noc_awaited)
            other.wait_reads();
        else if (wrong != read_not_awaited)
            noc.wait_reads();
        if (page >= 2 && wrong != room_not_awaited) wait_until(used, page - 1);
        noc.write(page_out, there, slot(page), page_bytes);
        if (wrong == flag_by_other_noc)
            other.increment(there, come, 1);
        else
            noc.increment(there, come, 1);
    }
    wait_until(written, 1);
    noc.read(place(sum_out), 0, back_page, page_bytes);
    noc.wait_reads();
    for (std::uint32_t round = 0; round < 2; ++round) {
        if (wrong != fetched_too_early) wait_until(ready, round + 1);
        noc.read(there, fetched_page, back_page, page_bytes);
        noc.wait_reads();
        noc.increment(there, fetched, 1);
    }
    noc.wait_increments();
    other.wait_increments();
}

void second(Mistake wrong) {
    Noc<0, 0> noc;
    const Place there = place(first_tile);
    fill(sum_page, [](std::uint32_t) { return 0; });
    for (std::uint32_t page = 0; page < pages; ++page) {
        if (wrong != flag_not_awaited) wait_until(come, page + 1);
        if (wrong == room_told_too_early) noc.increment(there, used, 1);
        fill(sum_page, [page](std::uint32_t i) { return at(sum_page + i) + at(slot(page) + i); });
        if (wrong != room_told_too_early) noc.increment(there, used, 1);
    }
    noc.write(sum_page, place(sum_out), 0, page_bytes);
    if (wrong != dram_told_too_early) noc.wait_written();
    noc.increment(there, written, 1);
    for (std::uint32_t round = 0; round < 2; ++round) {
        if (wrong != refilled_while_fetched) wait_until(fetched, round);
        fill(fetched_page, [round](std::uint32_t i) { return i + round; });
        noc.increment(there, ready, 1);
    }
    noc.wait_written();
    noc.wait_increments();
    wait_until(fetched, 2);
}

}  // namespace

void kernel_main() {
    const auto wrong = static_cast<Mistake>(mistake);
    if (column == 0)
        first(wrong);
    else
        second(wrong);
}
