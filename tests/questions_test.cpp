// SPDX-License-Identifier: Apache-2.0
// Pages show what their commands print.
#include <gtest/gtest.h>

#include <string>

#include "support/shown_page.hpp"

namespace tessera {
namespace {

struct Page {
    const char* name;
    unsigned commands;
};

class Pages : public testing::TestWithParam<Page> {};

TEST_P(Pages, ShowWhatTheirCommandsPrint) { EXPECT_EQ(test::check_page(GetParam().name), GetParam().commands); }

INSTANTIATE_TEST_SUITE_P(Docs, Pages,
                         testing::Values(Page{"questions.md", 7}, Page{"questions-state.md", 4}, Page{"jobs.md", 1}, Page{"assembly.md", 1},
                                         Page{"commands.md", 1}, Page{"trace.md", 1}, Page{"functional.md", 1}, Page{"races.md", 1},
                                         Page{"stability.md", 1}),
                         [](const auto& page) {
                             std::string name = page.param.name;
                             name.resize(name.find('.'));
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

}  // namespace
}  // namespace tessera
