// SPDX-License-Identifier: Apache-2.0
// hazards::CoreAccesses stores the coprocessor's accesses to L1 by blocks of eight lines while their lines agree. The
// results must equal those of separate lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "hazards/core_accesses.hpp"

namespace tessera::hazards {
namespace {

struct L1 {
    CoreAccesses accesses;
    CoreClocks cores;
};

std::optional<std::int64_t> met_by(const std::optional<Conflict>& conflict) {
    if (!conflict) return std::nullopt;
    return conflict->other_index * 1000 + conflict->other_thread * 100 + std::countr_zero(conflict->other_pipes);
}

TEST(L1Blocks, LinesAreKnownApart) {
    constexpr std::uint32_t line = 16, area = 3 * 4096;
    constexpr plan::Pipe pipes[] = {plan::Pipe::unpacker0, plan::Pipe::packer0, plan::Pipe::mover};
    std::mt19937 random(1);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    const Disregards none;
    std::size_t met = 0;
    for (unsigned run = 0; run < 50; ++run) {
        L1 blocks, lines;
        std::array<std::uint32_t, streams> numbers{};
        for (std::int64_t index = 0; index < 400; ++index) {
            Ticket ticket;
            ticket.thread = below(state::threads);
            ticket.index = index;
            ticket.pipes = bit(pipes[below(std::size(pipes))]);
            ticket.number[0] = ++numbers[ticket.stream()];
            const VectorClock nothing{};
            const Requester now(ticket, nothing, none);
            Conflicts conflicts;
            // Whole blocks, parts of them, and several with parts at both ends.
            const std::uint32_t count = below(3) ? 128u << below(4) : 1 + below(600);
            const std::uint32_t first = below(3) ? below(area - count) & ~127u : below(area - count);
            const plan::Access access{plan::Storage::l1, below(2) == 0, first, count};
            blocks.accesses.issued(ticket);
            lines.accesses.issued(ticket);
            blocks.accesses.check(now, access, blocks.cores, conflicts);
            for (std::uint32_t at = first & ~(line - 1); at < first + count; at += line)
                lines.accesses.check(now, {access.storage, access.write, at, line}, lines.cores, conflicts);

            const std::uint32_t address = below(area) & ~3u, core = below(riscv_cores);
            if (below(4) == 0) {
                VectorClock done{};
                const unsigned stream = below(state::threads * plan::pipes);
                done.done()[stream] = numbers[stream];
                blocks.cores.learn(core, done);
                lines.cores.learn(core, done);
            }
            const bool loads = below(2);
            const auto by_core = [&](L1& l1) {
                return met_by(l1.accesses.access(core, address, 4, !loads, 0, true, l1.cores));
            };
            const auto expected = by_core(lines);
            ASSERT_EQ(by_core(blocks), expected) << "run " << run << ", access " << index << ", address " << address;
            met += expected.has_value();
        }
    }
    EXPECT_GT(met, 1000u);
}

// A core has stored one word of a line. An instruction's access meets it if it has a byte of that word, whichever.
TEST(L1Blocks, AnAccessMeetsTheCoresWordsThatItTouches) {
    constexpr std::uint32_t line = 0x1000, bytes = 16, other_core = 4;
    const Disregards none;
    const VectorClock nothing{};
    for (std::uint32_t word = 0; word < bytes; word += 4)
        for (std::uint32_t first = 0; first < bytes; ++first)
            for (std::uint32_t count = 1; first + count <= bytes; ++count) {
                L1 l1;
                l1.accesses.access(other_core, line + word, 4, true, 0x40, false, l1.cores);
                Ticket ticket;
                ticket.pipes = bit(plan::Pipe::packer0);
                ticket.number[0] = 1;
                Conflicts conflicts;
                l1.accesses.check({ticket, nothing, none}, {plan::Storage::l1, true, line + first, count}, l1.cores,
                                  conflicts);
                const bool touches = first < word + 4 && word < first + count;
                EXPECT_EQ(!conflicts.take().empty(), touches) << "word " << word << ", " << count << " bytes from " << first;
            }
}

// Long accesses over lines, blocks and pages, in which cores have used a few words. The first word that is met is told.
TEST(L1Blocks, ALongAccessMeetsTheCoresWordsInIt) {
    constexpr std::uint32_t area = 3 * 4096, instructions_core = core_of_thread(0);
    std::mt19937 random(4);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    const Disregards none;
    const VectorClock nothing{};
    unsigned met = 0;
    for (unsigned run = 0; run < 2000; ++run) {
        L1 l1;
        struct Used {
            std::uint32_t address, pc;
            bool write;
            unsigned core;
        };
        std::vector<Used> all;
        for (std::uint32_t i = 0; i < 1 + below(4); ++i) {
            all.push_back({below(area / 4) * 4, 0x40 + 4 * i, below(2) == 0, below(riscv_cores)});
            const Used& one = all.back();
            if (one.write)
                l1.accesses.access(one.core, one.address, 4, true, one.pc, false, l1.cores);
            else
                l1.accesses.access(one.core, one.address, 4, false, one.pc, true, l1.cores);
        }
        const std::uint32_t count = 1 + below(below(2) ? 100 : 5000), first = below(area - count);
        const bool writes = below(2) == 0;
        const Used* expected = nullptr;
        for (const Used& one : all) {
            const bool common = one.address < first + count && first < one.address + 4;
            if (!common || !(writes || one.write) || one.core == instructions_core) continue;
            if (!expected || one.address < expected->address) expected = &one;
        }
        if (std::ranges::any_of(all, [&](const Used& one) { return std::ranges::count(all, one.address, &Used::address) > 1; })) continue;
        Ticket ticket;
        ticket.pipes = bit(plan::Pipe::packer0);
        ticket.number[0] = 1;
        Conflicts conflicts;
        l1.accesses.check({ticket, nothing, none}, {plan::Storage::l1, writes, first, count}, l1.cores, conflicts);
        const auto told = conflicts.take();
        ASSERT_EQ(told.size(), expected ? 1u : 0u) << run;
        if (!expected) continue;
        ++met;
        EXPECT_EQ(told[0].core, static_cast<int>(expected->core));
        EXPECT_EQ(told[0].core_pc, expected->pc);
        EXPECT_EQ(told[0].first, first);
        EXPECT_EQ(told[0].last, first + count - 1);
    }
    EXPECT_GT(met, 200u);
}

}  // namespace
}  // namespace tessera::hazards
