// SPDX-License-Identifier: Apache-2.0
// Who wrote a word last over the NoC.
#include "tile/noc_writers.hpp"

#include <gtest/gtest.h>

namespace tessera::tile {
namespace {

class Writers : public testing::TestWithParam<Arch> {
protected:
    static noc::Origin from(std::uint8_t core) {
        noc::Origin by;
        by.core = core;
        return by;
    }
    /// The core that wrote there last; -1: none has.
    int last(std::uint32_t address) const {
        const auto* writer = writers.find(address);
        return writer ? writer->by.core : -1;
    }
    std::uint32_t stream_register(unsigned stream, state::StreamRegister item) const {
        for (const auto& spec : state::mmio::stream_registers)
            if (spec.item == item)
                return state::mmio::overlay + stream * state::mmio::stream_bytes +
                       4 * static_cast<std::uint32_t>(spec.index[static_cast<unsigned>(GetParam())]);
        return 0;
    }

    NocWriters writers{state::describe(GetParam())};
};

TEST_P(Writers, OfL1AreKnownByLinesOf16Bytes) {
    writers.wrote(from(1), 0x600, 4, 10);
    writers.wrote(from(3), 0x60C, 8, 20);
    writers.wrote(from(4), 0x700, 65, 30);
    EXPECT_EQ(last(0x604), 3);
    EXPECT_EQ(last(0x610), 3);
    EXPECT_EQ(last(0x620), -1);
    EXPECT_EQ(last(0x700), -1) << "data, no flag";
    EXPECT_EQ(writers.find(0x600)->times, 2u);
    EXPECT_EQ(writers.find(0x600)->at, 20u);
}

TEST_P(Writers, OfStreamsAreKnownByRegister) {
    const std::uint32_t space = stream_register(3, state::StreamRegister::space_available),
                        size = stream_register(3, state::StreamRegister::remote_dest_buf_size),
                        start = stream_register(3, state::StreamRegister::remote_dest_buf_start);
    ASSERT_TRUE(space && size && start);
    writers.wrote(from(1), size, 4, 10);
    writers.wrote(from(3), start, 4, 20);
    writers.wrote(from(4), stream_register(4, state::StreamRegister::remote_dest_buf_size), 4, 30);
    EXPECT_EQ(last(start), 3);
    EXPECT_EQ(last(size), 1);
    EXPECT_EQ(last(space), 1) << "the size sets the space";
    EXPECT_EQ(writers.find(size)->times, 1u);
}

INSTANTIATE_TEST_SUITE_P(Archs, Writers, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::tile
