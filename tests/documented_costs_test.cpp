// SPDX-License-Identifier: Apache-2.0
// Each instruction's time in a run, held against tests/data/documented_costs.tsv. That table was written from the documents' pages; nothing in
// it comes from units/.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "isa/instruction.hpp"
#include "isa/table.hpp"
#include "support/timeline.hpp"
#include "units/behaviour.hpp"
#include "units/costs/costs.hpp"

namespace tessera {
namespace {

struct Row {
    std::string chips, instruction, every, latency, source;

    bool is_of(Arch arch) const { return chips == "both" || chips == (arch == Arch::blackhole ? "blackhole" : "wormhole"); }
    std::string name() const { return instruction.substr(0, instruction.find(' ')); }
    bool elsewhere() const { return source.rfind("tests/", 0) == 0; }
    std::string describe(Arch arch) const { return fmt::format("{} ({}; {})", instruction, chips, source) + (arch == Arch::blackhole ? " on Blackhole" : " on Wormhole"); }
};

const std::vector<Row>& rows() {
    static const auto all = [] {
        std::vector<Row> rows;
        std::ifstream file(TESSERA_SOURCE_DIR "/tests/data/documented_costs.tsv");
        for (std::string line; std::getline(file, line);) {
            if (line.empty() || line[0] == '#') continue;
            std::istringstream columns(line);
            Row row;
            for (std::string* column : {&row.chips, &row.instruction, &row.every, &row.latency, &row.source})
                std::getline(columns, *column, '\t');
            rows.push_back(row);
        }
        return rows;
    }();
    return all;
}

/// Four of them on one thread, behind both banks.
struct Four {
    test::Timeline timeline;
    std::array<const Event*, 4> events{};

    Four(const Row& row, Arch arch) {
        std::string text = "SETDVALID setvalid=3\n.drain\n", name = row.name();
        for (unsigned n = 0; n < events.size(); ++n) {
            std::string one = row.instruction;
            if (const auto at = one.find('@'); at != std::string::npos) one.replace(at, 1, std::to_string(16 * n));
            if (const auto at = one.find('%'); at != std::string::npos) one.replace(at, 1, std::to_string(n));
            text += one + "\n";
        }
        RunOptions options;
        options.timing = Timing::documented;
        timeline = test::run(arch, {"", text, ""}, options);
        for (char& c : name) c = static_cast<char>(std::tolower(c));
        const unsigned before = name == "setdvalid";
        if (timeline.run.fault) throw std::runtime_error(text + timeline.run.fault->describe());  // gtest shows it
        for (unsigned n = 0; n < events.size(); ++n) events[n] = &timeline.at(1, name, n + before);
    }
};

TEST(DocumentedCosts, EachInstructionThatAUnitExecutesHasARowOnEachChip) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        std::set<std::string> told;
        for (const Row& row : rows())
            if (row.is_of(arch)) told.insert(row.name());
        for (std::size_t i = 0; i < isa::table.size(); ++i)
            if (isa::includes(isa::table[i].archs, arch) && units::behaviour_of({static_cast<std::uint8_t>(i)})) {
                EXPECT_TRUE(told.contains(std::string(isa::table[i].name))) << isa::table[i].name;
            }
    }
}

TEST(DocumentedCosts, OneFollowsAnotherAsThePagesSay) {
    unsigned held = 0;
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Row& row : rows()) {
            if (!row.is_of(arch) || row.every == "-") continue;
            const Four four(row, arch);
            for (unsigned n = 1; n < four.events.size(); ++n)
                EXPECT_EQ(four.events[n]->start - four.events[n - 1]->start, std::stoull(row.every)) << row.describe(arch);
            ++held;
        }
    EXPECT_GT(held, 200u);
}

TEST(DocumentedCosts, EachEndsAsThePagesSay) {
    unsigned held = 0;
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Row& row : rows()) {
            if (!row.is_of(arch) || row.latency == "-") continue;
            const Four four(row, arch);
            for (const Event* event : four.events)
                EXPECT_EQ(event->end - event->start, std::stoull(row.latency)) << row.describe(arch);
            ++held;
        }
    EXPECT_GT(held, 200u);
}

// WormholeB0/RDCFG, Performance: its thread is blocked for at least two cycles. BlackholeA0/ConfigurationUnit, table: one instruction per cycle.
TEST(DocumentedCosts, AnRdcfgHoldsItsThreadOnWormhole) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        RunOptions options;
        options.timing = Timing::documented;
        const test::Timeline timeline = test::run(arch, {"", "NOP\nRDCFG GprAddress=8\nSETRWC\nNOP\n", ""}, options);
        const std::uint64_t behind = timeline.at(1, "rdcfg").issue;
        EXPECT_EQ(timeline.at(1, "setrwc").issue, behind + (arch == Arch::wormhole ? 2 : 1));
    }
}

TEST(DocumentedCosts, AFigureThatNoPageGivesIsCalledAssumed) {
    for (const Arch arch : {Arch::blackhole, Arch::wormhole})
        for (const Row& row : rows())
            if (row.is_of(arch) && row.every == "-" && !row.elsewhere()) {
                EXPECT_EQ(Four(row, arch).events[0]->basis, CostBasis::assumed) << row.describe(arch);
            }
}

// What people are told of a figure's source names the page of the instruction's unit, or says that it is assumed.
TEST(DocumentedCosts, EachFigureNamesItsPage) {
    const std::pair<isa::Unit, const char*> pages[] = {{isa::Unit::matrix, "MatrixUnit"}, {isa::Unit::scalar, "ScalarUnit"}, {isa::Unit::config, "ConfigurationUnit"},
                                                       {isa::Unit::sync, "SyncUnit"},     {isa::Unit::misc, "MiscellaneousUnit"}, {isa::Unit::vector, "VectorUnit"}};
    const std::map<std::string_view, std::string_view> own_pages = {
        {"UNPACR", "UNPACR_Regular, Performance"}, {"UNPACR_NOP", "UNPACR_NOP"}, {"PACR", "Packers"}, {"XMOV", "Mover, Performance"}, {"SFPSWAP", "SFPSWAP"},
        {"STREAMWRCFG", "STREAMWRCFG"}, {"FLUSHDMA", "FLUSHDMA"}, {"ATCAS", "ATCAS"}, {"ATINCGETPTR", "ATINCGETPTR"}};
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        const units::CostTable& costs = units::costs(arch, Timing::documented);
        for (std::size_t i = 0; i < isa::table.size(); ++i) {
            const isa::InstructionSpec& spec = isa::table[i];
            if (!isa::includes(spec.archs, arch) || !units::behaviour_of({static_cast<std::uint8_t>(i)})) continue;
            const std::string said = costs.source_of(isa::decode(static_cast<std::uint32_t>(spec.opcode) << 24, arch));
            EXPECT_EQ(said.find("measured"), said.npos) << spec.name;
            if (const auto own = own_pages.find(spec.name); own != own_pages.end()) {
                EXPECT_NE(said.find(own->second), said.npos) << spec.name << ": " << said;
                continue;
            }
            if (said.find("(assumed)") != said.npos || spec.name == "PACR_SETREG") continue;
            for (const auto& [unit, page] : pages)
                if (spec.unit == unit) {
                    EXPECT_NE(said.find(page), said.npos) << spec.name << ": " << said;
                }
        }
    }
    // Under instant timing nothing takes time, for the reason that the vendor's simulator has.
    const std::string instant = units::costs(Arch::blackhole, Timing::instant).source_of(isa::decode(0x26000000, Arch::blackhole));
    EXPECT_NE(instant.find("vendor's simulator"), instant.npos);
    // What was measured is named by its row of docs/silicon.md.
    const std::string measured = units::costs(Arch::blackhole, Timing::silicon).source_of(isa::decode(0x26000000, Arch::blackhole));
    EXPECT_NE(measured.find("MatrixUnit"), measured.npos);
    EXPECT_NE(measured.find("of docs/silicon.md"), measured.npos);
    // The figures of a transfer have three sources.
    const std::string unpacr = units::costs(Arch::wormhole, Timing::documented).source_of(isa::decode(0x42000000, Arch::wormhole));
    EXPECT_NE(unpacr.find("UNPACR_Regular, Performance; UNPACR_Regular, Performance, table of both unpackers; no page gives the depth"), unpacr.npos) << unpacr;
}

}  // namespace
}  // namespace tessera
