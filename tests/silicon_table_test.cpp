// SPDX-License-Identifier: Apache-2.0
// tessera bench --silicon: every measurement is repeated, and docs/silicon.md and docs/silicon-transfers.md have the tables.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/run_cli.hpp"

namespace tessera {
namespace {

using test::run_cli;
using testing::HasSubstr;
using Json = nlohmann::json;

TEST(SiliconTable, ThePagesHaveIt) {
    for (const auto& [name, rows] : {std::pair("silicon.md", "^[^ND]"), {"silicon-transfers.md", "^[ND]"}}) {
        const auto table = run_cli({"bench", "--silicon", "--markdown", "--filter", rows});
        EXPECT_EQ(table.status, 0) << table.out << table.err;
        std::ifstream file(fmt::format("{}/docs/{}", TESSERA_SOURCE_DIR, name));
        const std::string page((std::istreambuf_iterator<char>(file)), {});
        EXPECT_THAT(page, HasSubstr(table.out)) << name << ": tessera bench --silicon --markdown --filter " << rows;
    }
}

TEST(SiliconTable, BothFamiliesHaveAHeading) {
    const auto both = run_cli({"bench", "--silicon", "--markdown", "--filter", "^(I3|N2|D1) "});
    EXPECT_THAT(both.out, HasSubstr("### One tile\n"));
    EXPECT_THAT(both.out, HasSubstr("### Transfers over the NoC and with DRAM\n"));
    EXPECT_THAT(run_cli({"bench", "--silicon", "--filter", "^N2 "}).out, testing::Not(HasSubstr("One tile")));
}

TEST(SiliconTable, AThirdOfTheRowsIsHeldOut) {
    const Json report =
        Json::parse(run_cli({"bench", "--silicon", "--json", "--filter", "^I[0-9]+ .* one thread"}).out);
    EXPECT_EQ(report.at("timing"), "silicon");
    ASSERT_GT(report.at("rows").size(), 30u);
    for (const Json& row : report.at("rows")) {
        const int number = std::stoi(row.at("row").get<std::string>().substr(1));
        EXPECT_EQ(row.at("held_out"), number % 3 == 0) << row;
        EXPECT_NEAR(row.at("deviation"), row.at("predicted").get<double>() / row.at("published").get<double>() - 1,
                    1e-9);
    }
}

// What fidelity calls measured is a row whose cycles are close.
TEST(SiliconTable, InstructionsThatAreCalledMeasuredHaveCloseRows) {
    const auto text = [](const Json& of, const char* key) { return of.at(key).get<std::string>(); };
    std::set<std::string> close;
    const Json report = Json::parse(run_cli({"bench", "--silicon", "--json"}).out);
    for (const Json& row : report.at("rows"))
        if (std::abs(row.at("deviation").get<double>()) <= 0.1)
            close.insert(text(row, "arch") + " " + text(row, "row"));
    constexpr std::string_view measured = "measured: ";
    std::set<std::string> instructions;
    for (const Json& mode : Json::parse(run_cli({"fidelity", "--json"}).out)) {
        const std::string time = text(mode, "time"), arch = text(mode, "arch");
        if (!time.starts_with(measured) || !instructions.insert(arch + text(mode, "instruction")).second) continue;
        std::istringstream rows(time.substr(measured.size()));
        for (std::string row; std::getline(rows >> std::ws, row, ',');)
            EXPECT_TRUE(close.contains(arch + " " + row)) << arch << " " << row << ": " << text(mode, "instruction");
    }
    EXPECT_GT(instructions.size(), 40u);
}

TEST(SiliconTable, WrongOptionsAreRefused) {
    test::expect_refused(run_cli({"bench", "--silicon", "--filter", "("}), {"bench.filter"});
    test::expect_refused(run_cli({"bench", "--silicon", "--filter", "no such row"}), {"bench.filter"});
    test::expect_refused(run_cli({"bench", "--silicon", "--timing", "functional"}), {"cli.timing"});
    test::expect_refused(run_cli({"bench", "--timing", "instant"}), {"cli.usage"});
}

}  // namespace
}  // namespace tessera
