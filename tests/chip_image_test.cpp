// SPDX-License-Identifier: Apache-2.0
// A chip as bytes: another one goes on from there with the same bits, in the same cycles.
#include <gtest/gtest.h>

#include "support/chip_kernels.hpp"
#include "tessera/state_digest.hpp"
#include "util/xxh64.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

constexpr std::uint32_t flag = 0x600, data = 0x2000;
constexpr unsigned columns = 3;

class ChipImage : public ChipKernels {
protected:
    /// Each tile adds to the next one's flag, and keeps what it read from DRAM; the first one writes to DRAM and to an Ethernet tile.
    /// NIUs count requests from run to run, so it waits for a counter that returns to 0.
    void load_all() {
        for (unsigned i = 0; i < columns; ++i) {
            auto code = words();
            code.read(0, *chip->dram_place(i), 64, place(i, 0), data, 64);
            code.wait_counter(0, noc::Counter::mst_reqs_outstanding_id, 0);
            code.increment(1, place(i, 0), place((i + 1) % columns, 0), flag, i + 1);
            code.write(0, place(i, 0), data, *chip->dram_place(3), 256 + 64 * i, 64);
            code.write(0, place(i, 0), flag, NocPlace{ethernet(), ethernet_row()}, 64 * i, 16);
            code.spend(400);
            set_word(i, 0, done, 0);
            kernel(i, 0, code);
        }
    }
    unsigned ethernet() const { return 1; }
    unsigned ethernet_row() const { return GetParam() == Arch::blackhole ? 1 : 0; }
    void fill_dram(Chip& on, std::uint8_t first) {
        for (unsigned channel = 0; channel < columns; ++channel) {
            std::vector<std::byte> bytes(128, std::byte(first + channel));
            ASSERT_TRUE(on.write_dram(channel, 0, bytes));
        }
    }
    /// All that a reader can see.
    static std::vector<std::uint64_t> seen(Chip& on) {
        std::vector<std::uint64_t> all;
        for (unsigned i = 0; i < columns; ++i) all.push_back(state_digest(**on.tile(i, 0)));
        for (unsigned channel = 0; channel < on.dram_channels(); ++channel) {
            const std::vector<std::byte> bytes = on.read_dram(channel, 0, 1024).value();
            for (const std::byte byte : bytes) all.push_back(static_cast<std::uint64_t>(byte));
        }
        return all;
    }
    /// Kernels once more, from a chip's present memory.
    struct Next {
        std::uint64_t cycles, packets;
        std::vector<std::uint64_t> state;
        friend bool operator==(const Next&, const Next&) = default;
    };
    Next run_again(Chip& on) {
        std::swap(*chip, on);
        load_all();
        const ChipRun ran = run();
        expect_good(ran);
        std::swap(*chip, on);
        return {ran.cycles, ran.packets, seen(on)};
    }
};

TEST_P(ChipImage, AnotherChipGoesOnWithTheSameBits) {
    make(columns, 1);
    fill_dram(*chip, 1);
    load_all();
    expect_good(run());
    const std::vector<std::byte> image = chip->image();
    const auto before = seen(*chip);
    ChipOptions options;
    options.grid = ChipOptions::Size{columns, 1};
    options.reset = Reset::vendor_sim;
    // One that has nothing, one that has done something else, and a copy.
    Chip fresh = Chip::make(GetParam(), options).value();
    Chip used = Chip::make(GetParam(), options).value();
    fill_dram(used, 77);
    ASSERT_TRUE(used.write_dram(5, 0x1234'0000, std::vector<std::byte>(64, std::byte(9))));
    run_again(used);
    Chip copy = *chip;
    Core* const tile = *used.tile(2, 0);
    ASSERT_TRUE(fresh.restore(image));
    ASSERT_TRUE(used.restore(image));
    EXPECT_EQ(*used.tile(2, 0), tile);
    const auto next = run_again(*chip);
    EXPECT_NE(next.state, before);
    for (Chip* other : {&fresh, &used, &copy}) {
        EXPECT_EQ(seen(*other), before);
        EXPECT_EQ(other->image(), image);
        EXPECT_EQ(*other->read_dram(5, 0x1234'0000, 1), std::vector<std::byte>(1));
        EXPECT_EQ(run_again(*other), next);
    }
    EXPECT_EQ(fresh.image(), chip->image());
}

TEST_P(ChipImage, KernelsStay) {
    make(columns, 1);
    load_all();
    const auto start = chip->image();
    Chip other = *chip;
    const ChipRun first = run();
    expect_good(first);
    const auto end = chip->image();
    ASSERT_TRUE(chip->restore(start));
    EXPECT_EQ(run().cycles, first.cycles);
    EXPECT_EQ(chip->image(), end);
    *chip = other;
    EXPECT_EQ(run().cycles, first.cycles);
    EXPECT_EQ(chip->image(), end);
}

TEST_P(ChipImage, OtherBytesAreRefusedAndChangeNothing) {
    make(columns, 1);
    fill_dram(*chip, 1);
    load_all();
    expect_good(run());
    const auto image = chip->image();
    const auto refuses = [&](std::span<const std::byte> bytes) {
        const auto restored = chip->restore(bytes);
        EXPECT_TRUE(!restored && restored.error().code == "chip.image");
        EXPECT_EQ(chip->image(), image);
    };
    refuses({});
    refuses(std::span(image).first(20));
    refuses(std::span(image).first(image.size() - 1));
    auto damaged = image;
    damaged[damaged.size() / 2] ^= std::byte(1);
    refuses(damaged);
    refuses((*chip->tile(0, 0))->image());
    ChipOptions other;
    other.grid = ChipOptions::Size{columns + 1, 1};
    other.reset = Reset::vendor_sim;
    refuses(Chip::make(GetParam(), other).value().image());
    other.grid->columns = columns;
    other.translation = true;
    refuses(Chip::make(GetParam(), other).value().image());
    refuses(Chip::make(GetParam() == Arch::blackhole ? Arch::wormhole : Arch::blackhole, other).value().image());
}

// Whoever changes bytes can also make the sum fit.
TEST_P(ChipImage, NoByteOfItsStartMayDiffer) {
    make(columns, 1);
    (*chip->tile(0, 0))->reset();
    const auto image = chip->image();
    constexpr std::size_t form = 14, header = 15, part = 1, number = 4;
    for (std::size_t at = 0; at < form + header + part + number; ++at) {
        SCOPED_TRACE(at);
        auto other = image;
        other[at] = std::byte(120);
        const std::size_t end = other.size() - 8;
        const std::uint64_t sum = util::xxh64(std::span(other).first(end), 0);
        std::memcpy(&other[end], &sum, sizeof sum);
        const auto restored = chip->restore(other);
        ASSERT_FALSE(restored);
        EXPECT_EQ(restored.error().code, "chip.image");
        EXPECT_EQ(chip->image(), image);
    }
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipImage, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
