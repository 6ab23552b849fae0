// SPDX-License-Identifier: Apache-2.0
// Names of codes that no format has; assembly_test.cpp has the names of formats.
#include "tessera/data_format.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace tessera {
namespace {

TEST(DataFormats, CodesOfNoFormatHaveNoNameButTwo) {
    for (unsigned code = 0; code < 256; ++code) {
        const auto format = static_cast<DataFormat>(code);
        if (std::find(std::begin(all_data_formats), std::end(all_data_formats), format) != std::end(all_data_formats)) continue;
        EXPECT_EQ(name(format), code == 12 ? "12" : code == 13 ? "13" : "no format") << code;
    }
}

}  // namespace
}  // namespace tessera
