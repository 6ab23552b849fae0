// SPDX-License-Identifier: Apache-2.0
// A trace of a chip that a host drives.
#include "tessera/hosted_trace.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/hosted_chip.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

class HostedTraceTest : public HostedChipTest {
protected:
    /// A kernel that pushes an instruction and sends a word, which is then reset and runs once more.
    std::string lines(std::uint64_t step, std::uint64_t lag, unsigned threads) {
        std::string text;
        HostedChipOptions options;
        options.lag = lag;
        options.threads = threads;
        ChipTraceForms forms;
        forms.lines = [&](std::string_view more) { text += more; };
        auto trace = HostedTrace::begin(GetParam(), options, forms);
        EXPECT_TRUE(trace);
        power_on(options);
        for (unsigned run = 0; run < 2; ++run) {
            write(first, soft_reset, all_in_reset);
            write(second, flag, 0);
            auto code = words();
            code.poke(0xFFE4'0000, 0x0200'0000);  // NOP of thread 0
            code.poke(flag, 1);
            code.write(0, first, flag, second, flag, 4);
            start(first, code);
            start(second, echo(1));
            for (unsigned passed = 0; passed < 4000; passed += static_cast<unsigned>(step)) chip->clock(step);
            EXPECT_EQ(read(second, answer), 1u);
            trace->give();
        }
        trace->finish(chip->so_far(true));
        return text;
    }
};

TEST_P(HostedTraceTest, HasInstructionsAndPacketsOfTheWholeSession) {
    std::istringstream all(lines(4000, 0, 1));
    std::map<std::string, unsigned> kinds;
    Json line;
    for (std::string text; std::getline(all, text);) {
        line = Json::parse(text);
        EXPECT_EQ(kinds.empty(), line["kind"] == "header");
        ++kinds[line["kind"]];
        if (line["kind"] == "packet" && line["what"] == "write") {
            EXPECT_EQ(line["from"], Json({first.x, first.y}));
            EXPECT_EQ(line["to"], Json({second.x, second.y}));
            EXPECT_EQ(line["core"], "brisc");
        }
        if (line["kind"] == "instruction") {
            EXPECT_EQ(line["tile"], Json({0, GetParam() == Arch::blackhole ? 0 : 1}));
        }
    }
    EXPECT_EQ(line["kind"], "end");
    EXPECT_EQ(line["cycles"], 8000u);
    EXPECT_EQ(kinds["header"], 1u);
    EXPECT_EQ(kinds["instruction"], 2u);
    EXPECT_EQ(kinds["packet"], 4u);  // two writes with their acknowledgements
    EXPECT_EQ(kinds["tile_end"], 2u);
}

TEST_P(HostedTraceTest, IsTheSameHoweverTheHostLetsTimePass) {
    // Lines of tiles and packets in another order, and of a core that ended a wait, where its turn began.
    const auto sorted = [](const std::string& text) {
        std::istringstream all(text);
        std::multiset<std::string> lines;
        for (std::string line; std::getline(all, line);) {
            Json json = Json::parse(line);
            json.erase("ended_by");
            lines.insert(json.dump());
        }
        return lines;
    };
    const auto wanted = sorted(lines(4000, 0, 1));
    EXPECT_EQ(sorted(lines(1, 0, 1)), wanted);
    EXPECT_EQ(sorted(lines(10, 256, 2)), wanted);
}

INSTANTIATE_TEST_SUITE_P(Chips, HostedTraceTest, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
}  // namespace tessera::test
