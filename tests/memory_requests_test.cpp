// SPDX-License-Identifier: Apache-2.0
// Requests over the NoC at a memory without cores: which of them meet without an order.
#include <gtest/gtest.h>

#include "hazards/memory_order.hpp"
#include "support/checked_accesses.hpp"

namespace tessera::hazards {
namespace {

/// Requests to a memory without cores.
class MemoryRequests : public testing::Test {
protected:
    using Requests = std::initializer_list<NocRequest>;

    static NocOrigin by(std::uint32_t number, std::uint16_t tile = here, std::uint8_t core = 0, std::uint32_t pc = 0x40) {
        return {{tile, 0, number}, core, pc};
    }
    void access(const NocOrigin& origin, std::uint64_t first, std::uint64_t bytes, bool write, Requests known = {}) {
        order.accessed({origin, first, first + bytes - 1, write}, knowing(known).get());
    }
    std::size_t told() const { return order.conflicts().size(); }

    MemoryOrder order;
};

TEST_F(MemoryRequests, MeetByBytes) {
    constexpr std::uint64_t first = 0x1'0000'0000, bytes = 64;
    for (const bool before : {true, false})
        for (const bool now : {true, false})
            for (const std::uint64_t at : {first - 32, first - 31, first, first + 20, first + 63, first + 64}) {
                order = {};
                access(by(1), first, bytes, before);
                access(by(1, there), at, 32, now);
                const bool common = at < first + bytes && first < at + 32;
                ASSERT_EQ(told(), common && (before || now) ? 1u : 0u) << at - first;
                if (!told()) continue;
                const auto& met = order.conflicts()[0];
                EXPECT_EQ(met.before.by.request, (NocRequest{here, 0, 1}));
                EXPECT_EQ(met.now.by.request, (NocRequest{there, 0, 1}));
                EXPECT_EQ(met.before.write, before);
                EXPECT_EQ(met.now.first, at);
            }
}

// Sixteen bytes are words by which tiles agree. A sender that tells nothing of itself is not checked.
TEST_F(MemoryRequests, ShortAndUnknownOnesMeetNothing) {
    for (const std::uint64_t bytes : {1u, 16u, 17u}) {
        order = {};
        access(by(1), 0x100, bytes, true);
        access(by(1, there), 0x100, 64, true);
        EXPECT_EQ(told(), bytes > 16 ? 1u : 0u) << bytes;
        access(by(2, there), 0x100, bytes, true);
        EXPECT_EQ(told(), bytes > 16 ? 2u : 0u) << bytes;
    }
    order = {};
    access(by(1), 0x100, 64, true);
    order.accessed({by(1, there), 0x100, 0x13F, true}, nullptr);
    EXPECT_EQ(told(), 0u);
    access(by(1, elsewhere), 0x100, 64, true);
    EXPECT_EQ(told(), 1u);
    EXPECT_EQ(order.conflicts()[0].before.by.request.tile, here) << "the unknown one is no access";
}

// Packets of one request need no order, nor does what the request's core knew to be complete.
TEST_F(MemoryRequests, KnownAndOwnOnesAreInOrder) {
    access(by(1), 0x100, 64, true);
    access(by(1), 0x120, 64, true);
    EXPECT_EQ(told(), 0u);
    access(by(1, there), 0x100, 64, false, {{here, 0, 1}});
    EXPECT_EQ(told(), 0u);
    access(by(2, there), 0x100, 64, false);
    EXPECT_EQ(told(), 1u);
}

// Two instructions that meet often are one conflict.
TEST_F(MemoryRequests, APairOfInstructionsIsToldOnce) {
    struct Pair {
        std::uint16_t tile;
        std::uint8_t core;
        std::uint32_t pc;
    };
    constexpr Pair others[] = {{there, 1, 0x50}, {there, 1, 0x54}, {there, 2, 0x50}, {elsewhere, 1, 0x50}};
    std::uint32_t number = 0;
    std::size_t expected = 0;
    std::uint64_t at = 0x1000;
    for (const Pair& first : others)
        for (const Pair& second : others) {
            if (first.tile == second.tile && first.core == second.core && first.pc == second.pc) continue;
            ++expected;
            for (unsigned again = 0; again < 3; ++again) {
                access(by(++number, first.tile, first.core, first.pc), at, 64, true);
                access(by(++number, second.tile, second.core, second.pc), at, 64, true);
                at += 64;
                EXPECT_EQ(told(), expected);
            }
        }
}

// A write that covers earlier accesses, and is ordered after them, stands for them.
TEST_F(MemoryRequests, AWriteStandsForWhatItCoversInOrder) {
    struct Later {
        std::uint64_t first, bytes;
        bool write, knows, stands;
    };
    constexpr Later all[] = {{0x100, 64, true, true, true},   {0xF0, 96, true, true, true},  {0x100, 63, true, true, false},
                             {0x101, 63, true, true, false},  {0x100, 64, false, true, false}, {0x100, 64, true, false, false}};
    for (const bool first_writes : {true, false})
        for (const Later& later : all) {
            order = {};
            access(by(1), 0x100, 64, first_writes);
            access(by(2), later.first, later.bytes, later.write, later.knows ? Requests{{here, 0, 1}} : Requests{});
            const std::size_t before = told();
            EXPECT_EQ(before, !later.knows && (first_writes || later.write) ? 1u : 0u);
            // This one knows of the second alone.
            access(by(1, elsewhere, 3, 0x90), 0x100, 64, true, {{here, 0, 2}});
            EXPECT_EQ(told() - before, later.stands ? 0u : 1u)
                << later.first << ' ' << later.bytes << later.write << later.knows << first_writes;
        }
}

// The latest writes and reads are known, 512 of each.
TEST_F(MemoryRequests, TheLastOnesAreNotForgotten) {
    constexpr std::uint32_t most = 512, count = 600;
    for (const bool write : {true, false}) {
        order = {};
        for (std::uint32_t i = 0; i < count; ++i) access(by(i + 1, here, 0, 0x1000 + 4 * i), 64 * i, 64, write);
        for (std::uint32_t i = count - most; i < count; ++i) {
            const std::size_t before = told();
            access(by(i + 1, there, 0, 0x1000 + 4 * i), 64 * i, 32, true);
            ASSERT_EQ(told(), before + 1) << i;
            EXPECT_EQ(order.conflicts().back().before.by.request.number, i + 1);
            if (write) break;  // the write that asks is kept, too
        }
    }
}

// Only the latest of several that it meets is told.
TEST_F(MemoryRequests, AnAccessIsToldOfTheLatestOne) {
    access(by(1), 0x100, 64, true);
    access(by(1, there), 0x100, 64, true);
    ASSERT_EQ(told(), 1u);
    access(by(1, elsewhere), 0x100, 64, true);
    ASSERT_EQ(told(), 2u);
    EXPECT_EQ(order.conflicts()[1].before.by.request.tile, there);
}

// What 512 others came behind is forgotten.
TEST_F(MemoryRequests, OldOnesAreForgotten) {
    for (const bool write : {true, false})
        for (const std::uint32_t others : {511u, 512u}) {
            order = {};
            access(by(1), 0, 64, write);
            for (std::uint32_t i = 0; i < others; ++i) access(by(2 + i), 0x1000 + 64 * i, 64, write);
            access(by(1, there), 0, 64, true);
            EXPECT_EQ(told(), others < 512 ? 1u : 0u) << write << others;
        }
}

}  // namespace
}  // namespace tessera::hazards
