// SPDX-License-Identifier: Apache-2.0
// Devices of a tile at their addresses, on each chip.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "support/tile_bench.hpp"

namespace tessera::test::devices {

inline constexpr std::uint32_t debug = 0xFFB1'2000, pc_buf = 0xFFE8'0000, mailbox = 0xFFEC'0000, config = 0xFFEF'0000,
                               gprs = 0xFFE0'0000;
inline constexpr std::uint32_t soft_reset = debug + 0x1B0;
inline constexpr tile::User feeding[] = {tile::User::t0, tile::User::t1, tile::User::t2};

class TileDevicesTest : public testing::TestWithParam<Arch>, protected TileBench {
public:
    TileDevicesTest() : TileBench(GetParam()) {}

    static auto all() { return testing::Values(Arch::blackhole, Arch::wormhole); }
    static std::string text_of(const testing::TestParamInfo<Arch>& chip) { return std::string(name(chip.param)); }
};

}  // namespace tessera::test::devices
