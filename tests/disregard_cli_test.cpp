// SPDX-License-Identifier: Apache-2.0
// --disregard: hazards without one ordering. docs/races.md names each ordering.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_cli.hpp"
#include "tessera/ordering.hpp"

namespace tessera {
namespace {

using test::run_cli;
using testing::HasSubstr;
using testing::Not;

// A job whose right form has nothing above info: a semaphore keeps T1 behind T0's unpacking.
const std::string job = TESSERA_SOURCE_DIR "/examples/mistakes/packed_not_awaited/right.toml";

std::string reported(const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"run", job, "--no-output"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_cli(arguments).out;
}

TEST(Disregard, ShowsWhatIsLeftToASemaphore) {
    EXPECT_THAT(reported({}), Not(HasSubstr("hazard.l1")));
    EXPECT_THAT(reported({"--disregard", "semaphore"}), HasSubstr("hazard.l1"));
    EXPECT_THAT(reported({"--disregard", "mutex"}), Not(HasSubstr("hazard.l1")));
}

TEST(Disregard, OfOneThreadOrSemaphoreAlone) {
    EXPECT_THAT(reported({"--disregard", "semaphore:T0"}), HasSubstr("hazard.l1"));
    EXPECT_THAT(reported({"--disregard", "semaphore:T2"}), Not(HasSubstr("hazard.l1")));
    EXPECT_THAT(reported({"--disregard", "semaphore:ncrisc"}), Not(HasSubstr("hazard.l1")));
    EXPECT_THAT(reported({"--disregard", "semaphore:T0:7"}), Not(HasSubstr("hazard.l1")));
}

TEST(Disregard, RefusesWhatIsNone) {
    for (const std::string text : {"semafore", "semaphore:T3", "semaphore:T0:10", "semaphore:T0:x", "semaphore:T0:8", "mutex::8", "bank:T1:2",
                                   "unit-wait:T2:0", "unit-wait::3"}) {
        const auto outcome = run_cli({"run", job, "--disregard", text});
        EXPECT_EQ(outcome.status, 2) << text;
        EXPECT_EQ(outcome.out, "") << text;
        EXPECT_THAT(outcome.err, HasSubstr("[cli.disregard]")) << text;
    }
}

TEST(Disregard, RacesMdNamesEachOrdering) {
    const std::string page = test::contents(TESSERA_SOURCE_DIR "/docs/races.md");
    for (unsigned i = 0; i < static_cast<unsigned>(Ordering::count); ++i) {
        EXPECT_THAT(page, HasSubstr("| `" + std::string(name(Ordering(i))) + "` |"));
        EXPECT_EQ(parse_ordering(name(Ordering(i))), Ordering(i));
    }
}

}  // namespace
}  // namespace tessera
