// SPDX-License-Identifier: Apache-2.0
// docs/questions.md shows what its commands print.
#include <gtest/gtest.h>

#include "support/shown_page.hpp"

namespace tessera {
namespace {

TEST(Questions, ThePageShowsWhatTheCommandsPrint) { EXPECT_EQ(test::check_page("questions.md"), 11u); }

}  // namespace
}  // namespace tessera
