// SPDX-License-Identifier: Apache-2.0
// Start and end of UNPACRs (UNPACR_Regular, Performance; spec-notes F1, F3): address cycles, and bandwidth shared by
// two unpackers that read L1. Expected figures are the page's (support/page_speeds.hpp).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "support/page_speeds.hpp"
#include "support/timeline.hpp"
#include "units/costs/costs.hpp"

namespace tessera::test {
namespace {

/// Bytes per cycle of unpacker `which` while both read datums of one byte.
unsigned byte_rate(unsigned which, unsigned wants0, unsigned wants1) {
    return shared_rate(which, wants0, wants1, bytes_at[which ? wants1 : wants0]);
}

/// Both unpackers configured for bytes, at these speeds. INT8, which has no exponents.
std::string bytes(unsigned wants0, unsigned wants1, unsigned datums0, unsigned datums1) {
    std::string text;
    const unsigned wants[] = {wants0, wants1};
    for (unsigned u = 0; u < 2; ++u) {
        text += fmt::format(R"(
.cfg THCON_SEC{0}_REG0_TileDescriptor_InDataFormat = Int8
.cfg THCON_SEC{0}_REG0_TileDescriptor_IsUncompressed = 1
.cfg THCON_SEC{0}_REG0_TileDescriptor_XDim = 1024
.cfg THCON_SEC{0}_REG0_TileDescriptor_YDim = 1
.cfg THCON_SEC{0}_REG2_Out_data_format = Int8
.cfg THCON_SEC{0}_REG2_Throttle_mode = {1}
.cfg THCON_SEC{0}_REG3_Base_address = 0xFFF
)",
                            u, wants[u]);
    }
    return text + fmt::format("SETADCXX CntSetMask=1 x_start=0 x_end2={}\nSETADCXX CntSetMask=2 x_start=0 x_end2={}\n",
                              datums0 - 1, datums1 - 1);
}

constexpr std::string_view from_row_0 = ".cfg SRCA_SET_SetOvrdWithAddr = 1\n.cfg UNP0_ADDR_BASE_REG_1_Base = 64\n";
constexpr std::string_view begin = ".repeat 20\nNOP\n.end\n";  // until the core's stores are done

class UnpackTiming : public testing::TestWithParam<Arch> {
protected:
    bool blackhole() const { return GetParam() == Arch::blackhole; }
    /// Throttle_mode counts on Blackhole only where this is said.
    std::string honoured() const {
        return blackhole() ? ".cfg THCON_SEC0_REG1_ovrd_default_throttle_mode = 1\n"
                             ".cfg THCON_SEC1_REG1_ovrd_default_throttle_mode = 1\n"
                           : "";
    }
    /// With the documents' costs; silicon_costs_test.cpp has what chips measured.
    Timeline timeline(const test::Texts& texts, RunOptions options = {.timing = Timing::documented}) const {
        return test::run(GetParam(), texts, options);
    }
    unsigned speeds() const { return blackhole() ? 4 : 3; }
    std::uint64_t pipeline() const { return units::costs(GetParam(), Timing::documented).unpack.pipeline; }
    /// Cycles in which the n-th UNPACR read L1.
    std::uint64_t reads(const Timeline& t, std::size_t n, int thread = 0) const {
        const Event& event = t.at(thread, "unpacr", n);
        return event.end - event.start - pipeline();
    }
    Timeline both(unsigned wants0, unsigned wants1, unsigned datums0, unsigned datums1, const std::string& instructions,
                  const RunOptions& options = {.timing = Timing::documented}) {
        const Timeline t = timeline({honoured() + bytes(wants0, wants1, datums0, datums1) + std::string(from_row_0) +
                                         std::string(begin) + instructions,
                                     "", ""},
                                    options);
        EXPECT_FALSE(t.run.fault) << t.run.fault->describe();
        return t;
    }
};

constexpr const char* unpack0 = "UNPACR Last=1\n";
constexpr const char* unpack1 = "UNPACR Unpack_block_selection=1 Last=1\n";

TEST_P(UnpackTiming, AloneEachSpeedIsItsOwn) {
    for (unsigned wants = 0; wants < speeds(); ++wants) {
        const Timeline t = both(wants, wants, 1024, 512, std::string(unpack0) + ".drain\n" + unpack1);
        EXPECT_EQ(reads(t, 0), 1024 / bytes_at[wants]);
        EXPECT_EQ(reads(t, 1), 512 / bytes_at[wants]);
    }
}

// Eight transfers of the other one are more than enough to read all the while.
TEST_P(UnpackTiming, EveryCellOfTheTable) {
    for (unsigned wants0 = 0; wants0 < speeds(); ++wants0)
        for (unsigned wants1 = 0; wants1 < speeds(); ++wants1)
            for (unsigned which = 0; which < 2; ++which) {
                std::string text = which ? unpack0 : unpack1;
                text += which ? unpack0 : unpack1;
                text += which ? unpack1 : unpack0;
                for (int i = 0; i < 8; ++i) text += which ? unpack0 : unpack1;
                const Timeline t = both(wants0, wants1, which ? 1024 : 256, which ? 256 : 1024, text);
                ASSERT_GT(t.at(0, "unpacr", 10).end, t.at(0, "unpacr", 2).end);
                EXPECT_EQ(reads(t, 2), 256 / byte_rate(which, wants0, wants1))
                    << "unpacker " << which << ", wanted: " << wants0 << ", " << wants1;
            }
}

TEST_P(UnpackTiming, DatumsOfMoreThanAByteLoseHalfToo) {
    if (!blackhole()) return;
    std::string text = bytes(2, 2, 1024, 1024);
    for (std::size_t at; (at = text.find("Int8")) != text.npos;) text.replace(at, 4, "Float16_b");
    const Timeline t = timeline({text + ".cfg SRCA_SET_SetOvrdWithAddr = 1\n.cfg UNP0_ADDR_BASE_REG_1_Base = 128\n" +
                                     std::string(begin) + unpack0 + ".drain\n" + unpack1 + unpack0 + unpack1,
                                 "", ""});
    EXPECT_EQ(reads(t, 0), 2048u / 128);
    EXPECT_EQ(reads(t, 2), 2048u / 64);
}

// x4 and x4: half each while both read. The second one starts two cycles later, after its address.
TEST_P(UnpackTiming, WhatBeganAloneGoesOnSlower) {
    const Timeline t = both(2, 2, 1024, 1024, std::string(unpack0) + unpack1);
    EXPECT_EQ(t.at(0, "unpacr", 1).start, t.at(0, "unpacr", 0).start + 2);
    EXPECT_EQ(reads(t, 0), 2 + (1024u - 2 * 64) / 32);
    // The last 128 bytes of the second one are read alone.
    EXPECT_EQ(reads(t, 1), (1024u - 2 * 64) / 32 + 2);
}

TEST_P(UnpackTiming, WhatWasSlowedGoesOnFaster) {
    const Timeline t = both(2, 2, 1024, 128, std::string(unpack0) + unpack1);
    EXPECT_EQ(reads(t, 1), 128u / 32);
    // 2 cycles alone, 4 cycles at half the speed, the rest alone.
    EXPECT_EQ(reads(t, 0), 2 + 4 + (1024u - 2 * 64 - 4 * 32) / 64);
}

TEST_P(UnpackTiming, SpeedsOfASpeedChangeInTheMiddleOfALine) {
    // x4 beside x2 gets x2, and x2 beside x4 gets x1; 100 bytes are no multiple of either.
    const Timeline t = both(2, 1, 1024, 100, std::string(unpack0) + unpack1);
    EXPECT_EQ(reads(t, 1), 7u);  // 6 * 16 and 4 bytes
    EXPECT_EQ(reads(t, 0), 2 + 7 + (1024u - 2 * 64 - 7 * 32 + 63) / 64);
}

TEST_P(UnpackTiming, TheNextOneStartsWhenASlowedOneIsDone) {
    const Timeline t = both(2, 2, 1024, 1024, std::string(unpack0) + unpack1 + unpack0);
    EXPECT_EQ(t.at(0, "unpacr", 2).start, t.at(0, "unpacr", 0).start + reads(t, 0));
    EXPECT_EQ(reads(t, 0), 30u);
    // From then on they share again until the second is done.
    EXPECT_EQ(reads(t, 1), 32u);
    EXPECT_EQ(t.at(0, "unpacr", 1).end, t.at(0, "unpacr", 0).end + 4);
}

TEST_P(UnpackTiming, BanksPassWhenTheSlowedTransferEnds) {
    const Timeline t = timeline({honoured() + bytes(2, 2, 1024, 1024) + std::string(from_row_0) + std::string(begin) +
                                     "UNPACR SetDatValid=1 Last=1\n" + unpack1,
                                 "MOVA2D instr_mod=2\n", ""});
    EXPECT_EQ(t.at(1, "mova2d").issue, t.at(0, "unpacr").end);
    EXPECT_EQ(reads(t, 0), 30u);
}

TEST_P(UnpackTiming, InstantTimingHasNoTransfers) {
    RunOptions options;
    options.timing = Timing::instant;
    const Timeline t = both(2, 2, 1024, 1024, std::string(unpack0) + unpack1, options);
    for (std::size_t n : {0u, 1u}) EXPECT_EQ(t.at(0, "unpacr", n).end, t.at(0, "unpacr", n).issue);
}

TEST_P(UnpackTiming, ASeedGivesTheSameRunAgain) {
    RunOptions options;
    options.seed = 7;
    std::string text;
    for (int i = 0; i < 12; ++i) text += i % 3 ? unpack0 : unpack1;
    const Timeline one = both(2, 2, 1024, 700, text, options), two = both(2, 2, 1024, 700, text, options);
    ASSERT_EQ(one.events.size(), two.events.size());
    for (std::size_t i = 0; i < one.events.size(); ++i) {
        EXPECT_EQ(one.events[i].start, two.events[i].start);
        EXPECT_EQ(one.events[i].end, two.events[i].end);
        EXPECT_LE(one.events[i].land, one.events[i].end);
    }
}

/// The remaining bytes of each unpacker's transfer, cycle by cycle.
class CycleByCycle {
public:
    explicit CycleByCycle(std::array<unsigned, 2> wants) : wants_(wants) {}

    /// Transfers of both unpackers as (start, bytes), in order; gives when each is done.
    std::array<std::vector<std::uint64_t>, 2> ends(
        const std::array<std::vector<std::pair<std::uint64_t, unsigned>>, 2>& transfers) {
        std::array<std::vector<std::uint64_t>, 2> done;
        std::array<std::size_t, 2> next{};
        std::array<unsigned, 2> left{};
        const auto all_done = [&] {
            return done[0].size() == transfers[0].size() && done[1].size() == transfers[1].size();
        };
        for (std::uint64_t cycle = 0; !all_done() && cycle < enough_cycles; ++cycle) {
            for (unsigned u = 0; u < 2; ++u)
                if (next[u] < transfers[u].size() && transfers[u][next[u]].first == cycle)
                    left[u] = transfers[u][next[u]++].second;
            const bool two = left[0] && left[1];
            for (unsigned u = 0; u < 2; ++u) {
                if (!left[u]) continue;
                left[u] -= std::min(left[u], two ? byte_rate(u, wants_[0], wants_[1]) : bytes_at[wants_[u]]);
                if (!left[u]) done[u].push_back(cycle + 1);
            }
        }
        return done;
    }

private:
    static constexpr std::uint64_t enough_cycles = 100'000;
    std::array<unsigned, 2> wants_;
};

TEST_P(UnpackTiming, RandomTransfersEndAsCountedCycleByCycle) {
    std::mt19937 random(5);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    for (int round = 0; round < 150; ++round) {
        const std::array<unsigned, 2> wants = {below(speeds()), below(speeds())};
        std::string text;
        std::vector<std::pair<unsigned, unsigned>> sizes;  // unpacker, bytes
        for (int i = 0; i < 16; ++i) {
            const unsigned u = below(2), count = 1 + below(below(3) ? 1024 : 40);
            sizes.emplace_back(u, count);
            text +=
                fmt::format("SETADCXX CntSetMask={} x_start=0 x_end2={}\n{}", 1 << u, count - 1, u ? unpack1 : unpack0);
            for (unsigned pause = below(4) ? 0 : below(60); pause; --pause) text += "NOP\n";
        }
        const Timeline t = both(wants[0], wants[1], 1, 1, text);
        std::array<std::vector<std::pair<std::uint64_t, unsigned>>, 2> transfers;
        std::array<std::vector<std::uint64_t>, 2> ended;
        for (std::size_t n = 0; n < sizes.size(); ++n) {
            const Event& event = t.at(0, "unpacr", n);
            transfers[sizes[n].first].emplace_back(event.start, sizes[n].second);
            ended[sizes[n].first].push_back(event.end - pipeline());
        }
        ASSERT_EQ(CycleByCycle(wants).ends(transfers), ended) << "round " << round;
    }
}

// UNPACR_Regular, Performance: exactly two cycles, in which neither the thread's next instruction nor any thread's UNPACR
// can start.
TEST_P(UnpackTiming, AddressCyclesAreSharedByAllThreads) {
    const std::string configured = honoured() + bytes(2, 2, 16, 16) + std::string(from_row_0) + std::string(begin);
    const std::string own = "SETADCXX CntSetMask=3 x_start=0 x_end2=15\n";
    const Timeline alone = timeline({configured + unpack0 + "SETADCXY CntSetMask=1 BitMask=1\n", "", ""});
    EXPECT_EQ(alone.at(0, "setadcxy").issue, alone.at(0, "unpacr").issue + 2);

    std::string many = own + std::string(".repeat 120\nNOP\n.end\n.repeat 20\n") + unpack1 + ".end\n";
    const Timeline t = timeline({configured + ".repeat 60\n" + unpack0 + ".end\n", many, many});
    std::vector<std::uint64_t> issues;
    for (const Event& event : t.events)
        if (event.instruction.starts_with("ttunpacr")) issues.push_back(event.issue);
    std::sort(issues.begin(), issues.end());
    ASSERT_EQ(issues.size(), 100u);
    std::size_t in_a_row = 0;
    for (std::size_t i = 1; i < issues.size(); ++i) {
        EXPECT_GE(issues[i], issues[i - 1] + 2);
        in_a_row += issues[i] == issues[i - 1] + 2;
    }
    EXPECT_GT(in_a_row, 50u) << "else the threads did not meet";
    const auto waited = std::count_if(t.run.waits.begin(), t.run.waits.end(), [](const WaitUse& use) {
        return use.reason == "the address phase of an UNPACR" && use.thread != 0;
    });
    EXPECT_EQ(waited, 2);
}

// Each row start of a compressed tile takes a cycle more (assumed).
TEST_P(UnpackTiming, RowStartsTakeAddressCycles) {
    const Timeline t = timeline({bytes(2, 2, 16, 16) + std::string(from_row_0) +
                                     ".cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 0\n" +
                                     ".cfg THCON_SEC0_REG0_TileDescriptor_XDim = 16\n" + std::string(begin) + unpack0 +
                                     "SETADCXY CntSetMask=1 BitMask=1\n",
                                 "", ""});
    EXPECT_EQ(t.at(0, "setadcxy").issue, t.at(0, "unpacr").issue + 4);
}

INSTANTIATE_TEST_SUITE_P(Archs, UnpackTiming, testing::ValuesIn(all_archs),
                         [](const auto& tested) { return std::string(name(tested.param)); });

}  // namespace
}  // namespace tessera::test
