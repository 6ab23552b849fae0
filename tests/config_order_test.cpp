// SPDX-License-Identifier: Apache-2.0
// Configuration that threads write and use without an order: by bits, held against plain lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <vector>

#include "hazards/cell_stores.hpp"
#include "hazards/config_order.hpp"

namespace tessera::hazards {
namespace {

using plan::Pipe;
using Bits = ConfigOrder::Bits;
using Who = ConfigOrder::Who;

Who who(unsigned thread, Pipe unit, std::uint32_t number, std::int64_t index = 0) {
    return {number, number, static_cast<std::uint16_t>(stream_of(thread, unit)), index};
}

class ConfigLists : public testing::Test {
protected:
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
    /// Bits of a few neighbouring cells.
    Bits some_bits() { return {static_cast<std::uint16_t>(10 + below(3)), (1 + below(15)) << below(4)}; }
    Pipe unit() { return std::array{Pipe::config, Pipe::mover, Pipe::unpacker0}[below(3)]; }
    VectorClock some_clock(std::uint32_t most) {
        VectorClock known;
        for (unsigned thread = 0; thread < state::threads; ++thread) {
            known.issued()[thread] = below(most + 1);
            for (const Pipe each : {Pipe::config, Pipe::mover, Pipe::unpacker0}) known.done()[stream_of(thread, each)] = below(most + 1);
        }
        return known;
    }

private:
    std::mt19937 random_{23};
};

struct Written {
    Bits bits;
    Who by;

    void tell(ConfigOrder& order) const { order.written(bits.cell, {by, bits.mask, bits.mask, {}}, {}); }
    bool is_before(const VectorClock& known) const {
        if (pipe_of_stream(by.stream) == Pipe::mover) return known.done()[by.stream] >= by.number;
        return known.issued()[by.thread()] >= by.sequence;
    }
};

// Each bit has its last writer. One by the mover must be done; for any other it is enough that it was issued.
TEST_F(ConfigLists, TheLastWriterOfEachBitCounts) {
    unsigned told = 0;
    for (unsigned run = 0; run < 100; ++run) {
        ConfigOrder order;
        std::vector<Written> all;
        for (std::uint32_t number = 1; number < 30; ++number) {
            const VectorClock known = some_clock(number);
            const unsigned thread = below(state::threads + 1);  // as many as threads: no thread's own
            const Bits asked = some_bits();
            // The latest write to one of the bits that it still has.
            const Written* expected = nullptr;
            std::uint32_t taken = 0, left = 0;
            for (auto one = all.rbegin(); one != all.rend(); ++one) {
                if (one->bits.cell != asked.cell) continue;
                const std::uint32_t still = one->bits.mask & ~taken;
                taken |= one->bits.mask;
                if (expected || one->by.thread() == thread || !(still & asked.mask) || one->is_before(known)) continue;
                expected = &*one;
                left = still;
            }
            const auto found = order.unordered_write(thread, asked, known);
            ASSERT_EQ(found.has_value(), expected != nullptr);
            if (found) {
                EXPECT_EQ(found->who.index, expected->by.index);
                EXPECT_EQ(found->mask, left);
                ++told;
            }
            all.push_back({some_bits(), who(below(state::threads), unit(), number, 100 + number)});
            all.back().tell(order);
            EXPECT_EQ(order.writes(), number);
        }
    }
    EXPECT_GT(told, 300u);
}

// Of bits that both write, whether they change or not: the latest write of another value. Only what comes behind a write takes bits
// from it. A value that nobody knows is another one.
TEST_F(ConfigLists, OfTwoWritersTheirValuesCount) {
    struct Valued : Written {
        std::optional<std::uint32_t> value;
        std::uint32_t left;
    };
    const auto some_value = [&] { return below(6) ? std::optional(below(256)) : std::nullopt; };
    unsigned told = 0, same = 0;
    for (unsigned run = 0; run < 100; ++run) {
        ConfigOrder order;
        std::vector<Valued> all;
        for (std::uint32_t number = 1; number < 30; ++number) {
            const VectorClock known = some_clock(number);
            const unsigned thread = below(state::threads + 1);
            const Bits asked = some_bits();
            const auto value = some_value();
            const auto disputed = [&](const Valued& one) {
                return one.left & asked.mask & (value && one.value ? *value ^ *one.value : ~0u);
            };
            const auto expected = std::find_if(all.rbegin(), all.rend(), [&](const Valued& one) {
                const bool counts = one.bits.cell == asked.cell && one.by.thread() != thread && !one.is_before(known);
                same += counts && one.left & asked.mask && !disputed(one);
                return counts && disputed(one);
            });
            const auto found = order.unordered_other_value(thread, asked, value, known);
            ASSERT_EQ(found.has_value(), expected != all.rend());
            if (found) {
                EXPECT_EQ(found->who.index, expected->by.index);
                EXPECT_EQ(found->mask, disputed(*expected));
                ++told;
            }
            Valued now{{some_bits(), who(below(state::threads), unit(), number, 100 + number)}, some_value(), 0};
            now.left = now.bits.mask;
            const VectorClock writers = some_clock(number);
            for (Valued& one : all)
                if (one.bits.cell == now.bits.cell && (one.by.thread() == now.by.thread() || one.is_before(writers)))
                    one.left &= ~now.bits.mask;
            order.written(now.bits.cell, {now.by, now.bits.mask & below(256), now.bits.mask, now.value}, writers);
            all.push_back(now);
        }
    }
    EXPECT_GT(told, 300u);
    EXPECT_GT(same, 100u);
}

TEST_F(ConfigLists, UsesByOtherThreadsAreToBeIssuedFirst) {
    struct Used {
        unsigned thread;
        std::uint64_t key;
        std::vector<Bits> captured;
        Who by;
    };
    unsigned told = 0;
    for (unsigned run = 0; run < 100; ++run) {
        ConfigOrder order;
        std::vector<Used> all;
        for (std::uint32_t number = 1; number < 30; ++number) {
            const VectorClock known = some_clock(number);
            const Bits asked = some_bits();
            const unsigned except = below(state::threads + 1);
            const bool brought = below(2) == 0;
            const auto units = static_cast<plan::PipeMask>(below(1u << plan::pipes));
            const auto captures = [&](const Used& one) {
                return std::ranges::any_of(one.captured,
                                           [&](const Bits& each) { return each.cell == asked.cell && each.mask & asked.mask; });
            };
            std::vector<std::int64_t> unissued, unfinished;
            for (const Used& one : all) {
                if (!captures(one)) continue;
                const bool counts = one.thread != except && !(brought && one.by.keeps_bank);
                if (counts && known.issued()[one.thread] < one.by.sequence) unissued.push_back(one.by.index);
                if (units & bit(pipe_of_stream(one.by.stream)) && known.done()[one.by.stream] < one.by.number)
                    unfinished.push_back(one.by.index);
            }
            const auto expect = [&](const std::optional<Who>& found, const std::vector<std::int64_t>& expected) {
                ASSERT_EQ(found.has_value(), !expected.empty());
                if (!found) return;
                EXPECT_TRUE(std::ranges::count(expected, found->index)) << found->index;
                ++told;
            };
            expect(order.unordered_use(asked, known, except, brought), unissued);
            expect(order.unfinished_use(asked, units, known), unfinished);
            if (HasFatalFailure()) return;

            Used now{below(state::threads), 1 + below(40), {some_bits(), some_bits()}, {}};
            now.by = who(now.thread, unit(), number, 100 + number);
            now.by.keeps_bank = below(2) == 0;
            ConfigOrder::Use& use = order.use(now.thread, now.key);
            const auto earlier = std::ranges::find_if(all, [&](const Used& one) { return one.thread == now.thread && one.key == now.key; });
            if (earlier != all.end()) {
                EXPECT_EQ(use.captured, earlier->captured) << "the same instruction again";
                now.captured = earlier->captured;
                all.erase(earlier);
            } else {
                EXPECT_TRUE(use.captured.empty());
                EXPECT_EQ(use.who.number, 0u);
            }
            use.captured = now.captured;
            use.who = now.by;
            EXPECT_EQ(order.find(now.thread, now.key), &use);
            all.push_back(now);
        }
    }
    EXPECT_GT(told, 300u);
}

// No write by another thread to one of the cells is overlooked, however long ago it was.
TEST_F(ConfigLists, WritesSinceThenAreNotOverlooked) {
    constexpr unsigned cells = 20;
    for (unsigned run = 0; run < 200; ++run) {
        ConfigOrder order;
        std::vector<Written> all;
        const unsigned count = 1 + below(40);
        for (std::uint32_t number = 1; number <= count; ++number) {
            all.push_back({{static_cast<std::uint16_t>(below(cells)), 1}, who(below(2), Pipe::config, number)});
            all.back().tell(order);
        }
        std::array<bool, cells> wanted{};
        wanted[below(cells)] = true;
        for (std::uint32_t until = 0; until <= count; ++until)
            for (unsigned thread = 0; thread < state::threads; ++thread) {
                const auto counts = [&](const Written& one) { return one.by.thread() != thread && wanted[one.bits.cell]; };
                const bool any = std::any_of(all.begin() + until, all.end(), counts);
                const bool few = count - until <= 10;
                if (!any && !few) continue;  // it may say so too often
                EXPECT_EQ(order.since(until, thread, wanted), any) << count << ' ' << until;
            }
    }
}

// Instructions beyond those that are remembered are new ones, and no other's.
TEST(ConfigOrder, ANewUseIsCheckedAgainstAll) {
    constexpr std::uint64_t most = 5000;
    ConfigOrder order;
    CellStores stores;
    std::array<bool, 101> wanted{};
    wanted[1] = true;
    for (std::uint32_t number = 1; number <= 100; ++number)
        stores.add(state::Cell(number), {.number = number, .index = number, .changes = 1}, {}, {});
    for (std::uint64_t key = 1; key <= most; ++key) {
        ConfigOrder::Use& use = order.use(1, key);
        ASSERT_EQ(use.key, key);
        ASSERT_TRUE(use.captured.empty());
        ASSERT_TRUE(stores.since(use.stores, wanted));
        use.captured = {{static_cast<std::uint16_t>(key), 1}};
        use.stores = stores.count();
    }
    unsigned kept = 0;
    for (std::uint64_t key = 1; key <= most; ++key) {
        const ConfigOrder::Use* use = order.find(1, key);
        if (!use) continue;
        ++kept;
        EXPECT_EQ(use->captured.at(0).cell, key);
        EXPECT_EQ(order.find(0, key), nullptr) << "another thread's";
    }
    EXPECT_GT(kept, 1000u);
}

TEST(ConfigOrder, CellsThatNobodyWroteHaveNoWriter) {
    const ConfigOrder none;
    EXPECT_FALSE(none.unordered_write(0, {0, ~0u}, {}));
    EXPECT_FALSE(none.unordered_write(0, {200, ~0u}, {}));
    EXPECT_EQ(none.find(0, 7), nullptr);
    ConfigOrder order;
    Written{{100, 1}, who(1, Pipe::config, 1)}.tell(order);
    for (const std::uint16_t cell : {0, 99, 101, 150, 223}) EXPECT_FALSE(order.unordered_write(0, {cell, ~0u}, {})) << cell;
    EXPECT_TRUE(order.unordered_write(0, {100, ~0u}, {}));
}

}  // namespace
}  // namespace tessera::hazards
