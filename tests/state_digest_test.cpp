// SPDX-License-Identifier: Apache-2.0
// state_digest(): what changes it, what does not, and that it agrees with the comparison of diff_runs().
#include "tessera/state_digest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "diff/state_diff.hpp"
#include "support/traced_jobs.hpp"

namespace tessera::test {
namespace {

const std::set<std::string> left_out = {"riscv_count", "riscv_l0",   "riscv_l0_use", "row_start_cache",
                                        "fifo",        "fifo_count", "unit_queue"};

/// Items of a packer that are state at any time; the others count only in an unfinished stream.
constexpr std::array<std::string_view, 4> packer_items = {"row_number", "tile_size", "last_thread", "gasket_random"};

bool always_state(const Section& section, std::size_t element) {
    if (section.name != "packer") return true;
    const auto& label = section.dimensions.back().labels[element % section.dimensions.back().size];
    return std::find(packer_items.begin(), packer_items.end(), label) != packer_items.end();
}

/// Flips a bit; false if that element does not have it.
bool flip(Core& core, const Section& section, std::size_t element, unsigned bit) {
    const std::uint64_t was = core.read(section, element);
    core.write(section, element, was ^ std::uint64_t{1} << bit);
    return core.read(section, element) != was;
}

class StateDigests : public testing::TestWithParam<Arch> {};

TEST_P(StateDigests, ChangeWithAnyElementOfAnySection) {
    std::mt19937_64 random(7);
    const Core base(GetParam());
    const std::uint64_t before = state_digest(base);
    Core core = base;
    for (const Section& section : core.sections()) {
        unsigned changed = 0;
        for (unsigned i = 0; changed < 8 && i < 4000; ++i) {
            const std::size_t element = i == 0 ? 0 : i == 1 ? section.size - 1 : random() % section.size;
            const auto bit = static_cast<unsigned>(random() % section.bits);
            if (!always_state(section, element) || !flip(core, section, element, bit)) continue;
            ++changed;
            EXPECT_EQ(state_digest(core) == before, left_out.contains(section.name)) << section.describe(element);
            flip(core, section, element, bit);
            EXPECT_EQ(state_digest(core), before) << section.describe(element);
        }
        EXPECT_GT(changed, 0u) << section.name;
    }
}

TEST_P(StateDigests, DistinguishPlaces) {
    const Core base(GetParam());
    std::set<std::uint64_t> digests = {state_digest(base)};
    std::size_t states = 1;
    for (const char* name : {"l1", "src_a", "src_b", "dst", "lregs", "gpr"}) {
        const Section& section = *base.find_section(name).value();
        for (std::size_t i = 0; i < section.size; i += section.size / 7, ++states) {
            Core core = base;
            core.write(section, i, core.read(section, i) ^ 1);
            digests.insert(state_digest(core));
        }
    }
    EXPECT_EQ(digests.size(), states);
}

TEST_P(StateDigests, DoNotCoverMarksOfWrittenMemory) {
    const Core base(GetParam());
    Core core = base;
    core.mark_written(*core.find_section("l1").value(), 0, core.l1_size());
    core.mark_written(*core.find_section("dst").value(), 0, 1024);
    EXPECT_EQ(state_digest(core), state_digest(base));
}

TEST_P(StateDigests, CoverAPackersBufferWhileItsStreamIsOpen) {
    Core core(GetParam());
    const Section& packer = *core.find_section("packer").value();
    const auto& labels = packer.dimensions.back().labels;
    const auto item = [&](std::string_view label) {
        return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
    };
    const std::uint64_t before = state_digest(core);
    core.write(packer, item("data_0"), 0x12345678);
    EXPECT_EQ(state_digest(core), before);
    core.write(packer, item("data_filled"), 1);
    const std::uint64_t open = state_digest(core);
    EXPECT_NE(open, before);
    core.write(packer, item("data_0"), 0x12345679);
    EXPECT_NE(state_digest(core), open);
    core.write(packer, item("data_0"), 0x87654378);
    EXPECT_EQ(state_digest(core), open);
}

INSTANTIATE_TEST_SUITE_P(Chips, StateDigests, testing::ValuesIn(all_archs),
                         [](const auto& chip) { return std::string(name(chip.param)); });

TEST(StateDigest, OfARunIsThatOfItsRepetitionAndOfEveryRunThatEndsTheSame) {
    unsigned same = 0, different = 0, moved = 0;
    for (const TracedJob& traced : traced_jobs()) {
        SCOPED_TRACE(traced.name);
        const auto end = [&](Timing timing) {
            Core core = prepare(traced.job).value();
            RunOptions how = traced.job.options;
            how.seed.reset();
            how.timing = timing;
            EXPECT_TRUE(run_job(traced.job, core, how));
            return core;
        };
        Core timed = end(Timing::documented);
        const std::uint64_t digest = state_digest(timed);
        EXPECT_EQ(digest, state_digest(end(Timing::documented)));
        EXPECT_EQ(digest, state_digest(Core::of_image(timed.image()).value()));
        moved += digest != state_digest(prepare(traced.job).value());
        diff::forget_remains(timed);
        EXPECT_EQ(digest, state_digest(timed));
        for (const Timing timing : {Timing::instant, Timing::functional}) {
            Core other = end(timing);
            const std::uint64_t its = state_digest(other);
            diff::forget_remains(other);
            const bool equal = diff::differing(timed, other).count == 0;
            EXPECT_EQ(its == digest, equal) << name(timing);
            ++(equal ? same : different);
        }
    }
    EXPECT_GT(moved, 20u);
    EXPECT_GT(same, 40u);
    EXPECT_GT(different, 0u);
}

TEST(ChipDigest, ChangesWithAnyTileAndAnyBlockOfDram) {
    for (const Arch arch : all_archs) {
        Chip chip = Chip::make(arch, {.grid = ChipOptions::Size{3, 2}}).value();
        const std::uint64_t before = state_digest(chip);
        for (unsigned column = 0; column < 3; ++column) ASSERT_TRUE(chip.tile(column, 1));
        EXPECT_EQ(state_digest(chip), before) << "a tile that was looked at is as after a reset";
        const std::array<std::byte, 1> one = {std::byte{1}}, none = {std::byte{0}};
        std::set<std::uint64_t> digests = {before};
        for (unsigned column = 0; column < 3; ++column)
            for (unsigned row = 0; row < 2; ++row) {
                ASSERT_TRUE(chip.tile(column, row).value()->write_l1(0x1000, one));
                digests.insert(state_digest(chip));
                ASSERT_TRUE(chip.tile(column, row).value()->write_l1(0x1000, none));
                EXPECT_EQ(state_digest(chip), before);
            }
        for (unsigned channel = 0; channel < chip.dram_channels(); ++channel)
            for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 20}) {
                ASSERT_TRUE(chip.write_dram(channel, address, one));
                digests.insert(state_digest(chip));
                EXPECT_EQ(state_digest(Chip(chip)), state_digest(chip));
                ASSERT_TRUE(chip.write_dram(channel, address, none));
                EXPECT_EQ(state_digest(chip), before);
            }
        EXPECT_EQ(digests.size(), 1 + 6 + 3 * chip.dram_channels());
    }
}

// XXH64 of the documented bytes, from a second implementation in Python: one byte at the start of channel 2 of a chip without tiles in use.
TEST(ChipDigest, IsTheDocumentedSum) {
    Chip chip = Chip::make(Arch::blackhole, {.grid = ChipOptions::Size{1, 1}}).value();
    const std::array<std::byte, 1> one = {std::byte{1}};
    ASSERT_TRUE(chip.write_dram(2, 0, one));
    EXPECT_EQ(state_digest(chip), 0x8912CCF60797D92Au);
}

}  // namespace
}  // namespace tessera::test
