// SPDX-License-Identifier: Apache-2.0
// No tile goes beyond a cycle in which something may still come to it.
#include "support/chip_kernels.hpp"

namespace tessera::test {
namespace {

class ChipHorizon : public ChipKernels {
protected:
    static constexpr std::uint32_t source = 0x4000, target = 0x5000, others = 0x6000;

    /// Cycles of a tile that reads from far away and goes on storing, beside one that ends after `rounds`.
    std::uint64_t cycles_beside(std::optional<std::uint32_t> rounds) {
        make(6, 6);
        auto reader = words();
        reader.spend(20);
        reader.read(0, place(5, 5), source, place(0, 0), target, 64);
        for (std::uint32_t i = 0; i < 100; ++i) {
            reader.spend(3);
            reader.poke(others + 4 * i, i);
        }
        reader.wait_counter(0, noc::Counter::mst_rd_resp_received, 1);
        kernel(0, 0, reader);
        if (rounds) {
            auto neighbour = words();
            neighbour.spend(*rounds);
            kernel(1, 0, neighbour);
        }
        set_word(5, 5, source, 77);
        const ChipRun ran = run();
        expect_good(ran);
        EXPECT_EQ(word(0, 0, target), 77u);
        return ran.cycles;
    }
};

// The neighbour ends while the request is on its way. Then nobody else is awake until the request arrives.
TEST_P(ChipHorizon, AnAnswerComesInTimeWhoeverElseIsAwake) {
    const std::uint64_t alone = cycles_beside({});
    EXPECT_LT(alone, 6000u);
    for (std::uint32_t rounds = 1; rounds < 90; rounds += 4) EXPECT_EQ(cycles_beside(rounds), alone) << rounds;
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipHorizon, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera::test
