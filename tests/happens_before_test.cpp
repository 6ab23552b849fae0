// SPDX-License-Identifier: Apache-2.0
// Accesses of instructions that nothing orders, held against plain lists.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "support/checked_accesses.hpp"

namespace tessera::hazards {
namespace {

struct Earlier {
    Ticket ticket;
    Access access;
    bool atomic = false;
};

class Lists : public testing::Test {
protected:
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
    Pipe any_of(std::span<const Pipe> units) { return units[below(static_cast<std::uint32_t>(units.size()))]; }
    /// Threads wait for units and hand on what they know.
    void wait(std::span<const Pipe> units) {
        if (below(3) == 0) order.idle_seen(below(state::threads), bit(any_of(units)));
        if (below(3) == 0) order.semaphore_changed(below(state::threads), 0);
        if (below(3) == 0) order.semaphore_seen(below(state::threads), 0);
    }
    bool is_done(const Earlier& one, const VectorClock& known) const { return known.done()[one.ticket.stream()] >= one.ticket.number[0]; }
    bool is_issued(const Earlier& one, const VectorClock& known) const { return known.issued()[one.ticket.thread] >= one.ticket.sequence; }
    /// Done, or issued to the same unit.
    bool is_before(const Earlier& one, const Ticket& now, const VectorClock& known) const {
        return is_done(one, known) || (one.ticket.pipe() == now.pipe() && is_issued(one, known));
    }
    /// The one conflict is with one of these instructions.
    void expect(const std::vector<Conflict>& told, const std::vector<const Earlier*>& expected, std::uint32_t first, std::uint32_t last) {
        ASSERT_EQ(told.size(), expected.empty() ? 0u : 1u);
        if (told.empty()) return void(++silent_);
        ++told_;
        const auto other = std::ranges::find_if(expected, [&](const Earlier* one) { return one->ticket.index == told[0].other_index; });
        ASSERT_NE(other, expected.end());
        EXPECT_EQ(told[0].other_thread, (*other)->ticket.thread);
        EXPECT_EQ(told[0].other_pipes, (*other)->ticket.pipes);
        EXPECT_EQ(told[0].first, first);
        EXPECT_EQ(told[0].last, last);
    }
    void TearDown() override {
        EXPECT_GT(told_, 200u);
        EXPECT_GT(silent_, 200u);
    }

    Order order;

private:
    std::mt19937 random_{17};
    unsigned told_ = 0, silent_ = 0;
};

TEST_F(Lists, UnitsMeetInL1ByBytes) {
    constexpr Pipe units[] = {Pipe::scalar, Pipe::mover, Pipe::unpacker0, Pipe::unpacker1, Pipe::packer0, Pipe::packer3};
    for (unsigned run = 0; run < 40; ++run) {
        order = {};
        std::vector<Earlier> all;
        for (std::int64_t index = 0; index < 60; ++index) {
            wait(units);
            const Access access{Storage::l1, below(2) == 0, below(48), 1 + below(12)};
            const Earlier now{order.issue(below(state::threads), bit(any_of(units)), index), access, below(3) == 0};
            const VectorClock& known = order.known(now.ticket.thread);
            std::vector<const Earlier*> expected;
            for (const Earlier& one : all) {
                const bool common = one.access.first < access.first + access.count && access.first < one.access.first + one.access.count;
                const bool matters = (one.access.write || access.write) && !(one.atomic && now.atomic);
                if (common && matters && !is_before(one, now.ticket, known)) expected.push_back(&one);
            }
            expect(order.check_accesses(now.ticket, known, {&access, 1}, true, now.atomic), expected, access.first,
                   access.first + access.count - 1);
            if (HasFatalFailure()) return;
            all.push_back(now);
        }
    }
}

// Among units, L1 keeps the last 64 accesses of each stream.
TEST(HappensBefore, TheLast64AccessesOfAStreamAreKnown) {
    constexpr std::int64_t kept = 64;
    for (const std::int64_t count : {1, 63, 64, 65, 100, 127, 128, 129, 200}) {
        Order order;
        for (std::int64_t i = 0; i < count; ++i) {
            const Access write{Storage::l1, true, static_cast<std::uint32_t>(16 * i), 16};
            order.check_accesses(order.issue(0, bit(Pipe::packer0), i), order.known(0), {&write, 1}, true, false);
        }
        for (std::int64_t i = std::max<std::int64_t>(0, count - kept); i < count; ++i) {
            const Access read{Storage::l1, false, static_cast<std::uint32_t>(16 * i), 16};
            const auto told = order.check_accesses(order.issue(1, bit(Pipe::unpacker0), i), order.known(1), {&read, 1}, true, false);
            ASSERT_EQ(told.size(), 1u) << i << " of " << count;
            EXPECT_EQ(told[0].other_index, i);
        }
        for (std::int64_t i = 0; i < count - kept; ++i) {
            const Access read{Storage::l1, false, static_cast<std::uint32_t>(16 * i), 16};
            const auto told = order.check_accesses(order.issue(1, bit(Pipe::unpacker0), i), order.known(1), {&read, 1}, true, false);
            EXPECT_TRUE(told.empty()) << i << " of " << count;
        }
    }
}

// Blocks of eight rows. A block that the matrix unit writes is kept from itself and the packers; three instructions are enough in front of
// an SFPLOAD of a result, and what the vector unit does later comes behind it.
TEST_F(Lists, UnitsMeetInDstByBlocks) {
    constexpr Pipe units[] = {Pipe::unpacker0, Pipe::matrix, Pipe::matrix, Pipe::vector,  Pipe::vector,
                              Pipe::packer0,   Pipe::packer1, Pipe::packer2, Pipe::packer3};
    for (unsigned run = 0; run < 60; ++run) {
        order = {};
        std::vector<Earlier> all;
        std::set<std::tuple<std::int64_t, unsigned, unsigned>> behind;  ///< a write, a block, and a stream that comes after it
        for (std::int64_t index = 0; index < 60; ++index) {
            wait(units);
            const Pipe unit = any_of(units);
            const bool is_packer = plan::packers & bit(unit), by_rows = below(2) == 0, write = !is_packer && below(2) == 0;
            const std::uint32_t first_row = below(30), last_row = first_row + below(10);
            const Access access = by_rows ? Access{Storage::dst_valid, write, first_row, last_row - first_row + 1}
                                          : Access{Storage::dst, write, 16 * first_row + below(16), 16 * (last_row - first_row)};
            if (access.count == 0) continue;
            const std::uint32_t last = by_rows ? last_row : (access.first + access.count - 1) / 16;
            const Earlier now{order.issue(below(state::threads), bit(unit), index), access};
            const unsigned stream = now.ticket.stream();
            const VectorClock& known = order.known(now.ticket.thread);
            std::vector<const Earlier*> expected;
            for (unsigned block = first_row / 8; block <= last / 8; ++block) {
                const auto uses = [&](const Earlier& one) {
                    const std::uint32_t in_row = one.access.storage == Storage::dst ? 16 : 1;
                    return one.access.first / in_row / 8 <= block && (one.access.first + one.access.count - 1) / in_row / 8 >= block;
                };
                const auto writes_it = [&](const Earlier& one) { return one.access.write && uses(one); };
                const auto last_write = std::ranges::find_if(all.rbegin(), all.rend(), writes_it);
                if (last_write != all.rend() && !is_done(*last_write, known)) {
                    const bool of_matrix = last_write->ticket.pipe() == Pipe::matrix;
                    const bool held_back = of_matrix && (unit == Pipe::matrix || is_packer) && is_issued(*last_write, known);
                    const bool far = of_matrix && unit == Pipe::vector && !write && last_write->ticket.thread == now.ticket.thread &&
                                     now.ticket.serial - last_write->ticket.serial > 3;
                    const std::tuple key{last_write->ticket.index, block, stream};
                    // ZEROACC, which writes validity alone, takes one cycle.
                    const bool is_over = of_matrix && (unit == Pipe::unpacker0 || (unit == Pipe::vector && write)) &&
                                         last_write->access.storage == Storage::dst_valid && is_issued(*last_write, known);
                    if (held_back || far || is_over) behind.insert(key);
                    if (!behind.contains(key) && !is_before(*last_write, now.ticket, known)) expected.push_back(&*last_write);
                }
                if (!write) continue;
                for (const Earlier& one : all)
                    if (!one.access.write && uses(one) && !is_before(one, now.ticket, known)) expected.push_back(&one);
            }
            expect(order.check_accesses(now.ticket, known, {&access, 1}, true, false), expected, first_row, last);
            if (HasFatalFailure()) return;
            all.push_back(now);
        }
    }
}

// The unpackers and the scalar unit are one side, the matrix unit is the other one. Each side is in order by itself. What is told of an
// instruction is not told again of those behind it in its unit.
TEST_F(Lists, SidesMeetInBanksOfSources) {
    constexpr Pipe units[] = {Pipe::unpacker0, Pipe::unpacker1, Pipe::scalar, Pipe::matrix, Pipe::matrix, Pipe::matrix};
    constexpr std::uint32_t bank_datums = 1024;
    for (unsigned run = 0; run < 40; ++run) {
        order = {};
        std::vector<Earlier> all;
        std::set<std::tuple<std::int64_t, std::uint32_t, bool, unsigned>> told;  ///< an access to a bank, and a stream
        for (std::int64_t index = 0; index < 60; ++index) {
            wait(units);
            const bool both = below(4) == 0, whole = below(2) == 0;
            const std::uint32_t first = whole ? both ? 0 : bank_datums * below(2) : bank_datums * below(both ? 1 : 2) + below(1000);
            const std::uint32_t count = both ? 2 * bank_datums - first : whole ? bank_datums : 1 + below(bank_datums - first % bank_datums);
            const Access access{below(2) ? Storage::src_a : Storage::src_b, below(2) == 0, first, count};
            const Earlier now{order.issue(below(state::threads), bit(any_of(units)), index), access};
            const VectorClock& known = order.known(now.ticket.thread);
            const bool of_matrix = now.ticket.pipe() == Pipe::matrix;
            const auto latest = [&](std::uint32_t bank, bool write) -> const Earlier* {
                const auto found = std::ranges::find_if(all.rbegin(), all.rend(), [&](const Earlier& one) {
                    return one.access.write == write && one.access.storage == access.storage &&
                           (one.ticket.pipe() == Pipe::matrix) != of_matrix && one.access.first / bank_datums <= bank &&
                           (one.access.first + one.access.count - 1) / bank_datums >= bank;
                });
                return found == all.rend() ? nullptr : &*found;
            };
            std::vector<const Earlier*> expected;
            std::uint32_t met = 0;
            for (std::uint32_t bank = first / bank_datums; bank <= (first + count - 1) / bank_datums; ++bank)
                for (const bool write : {true, false}) {
                    const Earlier* const other = latest(bank, write);
                    if (!other || (!write && !access.write) || is_done(*other, known)) continue;
                    if (told.contains({other->ticket.index, bank, write, now.ticket.stream()})) continue;
                    if (expected.empty()) met = bank;
                    expected.push_back(other);
                }
            if (!expected.empty())
                for (const bool write : {true, false})
                    if (const Earlier* const other = latest(met, write))
                        told.insert({other->ticket.index, met, write, now.ticket.stream()});
            expect(order.check_accesses(now.ticket, known, {&access, 1}, true, false), expected, met, met);
            if (HasFatalFailure()) return;
            all.push_back(now);
        }
    }
}

// The last read of each thread's units is known, whoever has read the block since.
TEST(HappensBefore, EachReaderOfABlockOfDstIsToBeAwaited) {
    constexpr Pipe units[] = {Pipe::matrix, Pipe::vector, Pipe::packer0, Pipe::packer1, Pipe::packer2, Pipe::packer3};
    constexpr Access row{Storage::dst_valid, false, 4, 1}, block{Storage::dst_valid, true, 0, 8};
    constexpr unsigned of_thread = std::size(units), readers = state::threads * of_thread;
    for (unsigned first = 0; first < readers; ++first)
        for (unsigned second = 0; second < readers; ++second) {
            if (first == second) continue;
            const auto thread = [](unsigned reader) { return reader / of_thread; };
            const auto unit = [&](unsigned reader) { return units[reader % of_thread]; };
            Order order;
            check(order, thread(first), unit(first), row, 1);
            check(order, thread(second), unit(second), row, 2);
            order.idle_seen(thread(second), bit(unit(second)));
            order.semaphore_changed(thread(second), 0);
            order.semaphore_seen(0, 0);
            const auto told = check(order, 0, Pipe::unpacker0, block);
            ASSERT_EQ(told.size(), 1u) << first << ' ' << second;
            EXPECT_EQ(told[0].other_index, 1);
            EXPECT_EQ(told[0].other_pipes, bit(unit(first)));
        }
}

// Four packers of a PACR read their rows of Dst: the finding names all that the other instruction meets.
TEST(HappensBefore, AnInstructionMeetsEachUnitOfAnotherOne) {
    Order order;
    const auto rows = [](bool write, std::uint32_t first, std::uint32_t count, std::uint8_t part) {
        return Access{Storage::dst_valid, write, first, count, part};
    };
    const Ticket pack = order.issue(2, plan::packers, 7);
    std::vector<Access> parts;
    for (std::uint8_t part = 0; part < 4; ++part) parts.push_back(rows(false, 16u * part, 8, part));
    EXPECT_TRUE(check(order, pack, order.known(2), parts).empty());
    const auto met = [&](std::uint32_t first, std::uint32_t count) {
        Order again = order;
        return check(again, again.issue(1, bit(Pipe::matrix), 9), again.known(1), {rows(true, first, count, 0)});
    };
    for (unsigned packer = 0; packer < 4; ++packer) {
        const auto told = met(16 * packer, 8);
        ASSERT_EQ(told.size(), 1u);
        EXPECT_EQ(told[0].other_pipes, bit(Pipe(static_cast<unsigned>(Pipe::packer0) + packer)));
        EXPECT_EQ(told[0].other_index, 7);
    }
    ASSERT_EQ(met(0, 64).size(), 1u);
    EXPECT_EQ(met(0, 64)[0].other_pipes, plan::packers);
    EXPECT_EQ(met(16, 32)[0].other_pipes, bit(Pipe::packer1) | bit(Pipe::packer2));
}

// The first other instruction is named, and only with its own units.
TEST(HappensBefore, UnitsOfAThirdInstructionAreNotNamed) {
    constexpr Access first{Storage::l1, true, place, 16}, second{Storage::l1, true, place + 16, 16}, both{Storage::l1, false, place, 32};
    for (const auto& [thread, index] : {std::pair{0u, 6}, {1u, 5}, {1u, 6}}) {
        Order order;
        check(order, 0, Pipe::packer0, first, 5);
        check(order, thread, Pipe::packer1, second, index);
        const auto told = check(order, 2, Pipe::unpacker0, both, 9);
        ASSERT_EQ(told.size(), 1u);
        EXPECT_EQ(told[0].other_thread, 0u);
        EXPECT_EQ(told[0].other_index, 5);
        EXPECT_EQ(told[0].other_pipes, bit(Pipe::packer0)) << thread << ' ' << index;
    }
}

TEST(HappensBefore, AnInstructionDoesNotMeetItself) {
    for (const Storage storage : {Storage::l1, Storage::dst_valid}) {
        Order order;
        std::vector<Access> parts;
        for (std::uint8_t part = 0; part < 4; ++part) parts.push_back({storage, true, 0, 8, part});
        EXPECT_TRUE(check(order, order.issue(2, plan::packers, 7), order.known(2), parts).empty());
        EXPECT_FALSE(check(order, order.issue(1, bit(Pipe::unpacker0), 7), order.known(1), {parts[0]}).empty());
    }
}

TEST(HappensBefore, EachStorageHasItsOwnConflict) {
    Order order;
    constexpr Access row{Storage::dst_valid, true, 0, 1};
    check(order, 0, Pipe::packer0, writes, 5);
    check(order, 0, Pipe::unpacker0, row, 6);
    const Ticket ticket = order.issue(2, bit(Pipe::packer1), 0);
    const auto told = check(order, ticket, order.known(2), {reads, {Storage::dst_valid, false, 0, 1}});
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0].storage, Storage::l1);
    EXPECT_EQ(told[1].storage, Storage::dst);
}

}  // namespace
}  // namespace tessera::hazards
