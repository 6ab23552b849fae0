// SPDX-License-Identifier: Apache-2.0
// docs/internals/unpack-speeds.md shows the cycles of runs, and runs take the pages' cycles. scripts/unpack_speeds
// regenerates it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "support/reference_pages.hpp"
#include "support/unpack_speeds.hpp"

namespace tessera::test {
namespace {

constexpr const char* path = "docs/internals/unpack-speeds.md";

TEST(UnpackSpeeds, TheTableIsUpToDateAndAsDocumented) {
    bool all_same = false;
    const std::string page = unpack_speeds_page(all_same);
    EXPECT_TRUE(all_same);
    if (std::getenv("TESSERA_WRITE_UNPACK_SPEEDS")) {
        std::ofstream(std::string(TESSERA_SOURCE_DIR "/") + path, std::ios::binary) << page;
        return;
    }
    // Not EXPECT_EQ: it would print both pages.
    EXPECT_TRUE(source_text(path) == page) << path << " is stale: run scripts/unpack_speeds";
}

}  // namespace
}  // namespace tessera::test
