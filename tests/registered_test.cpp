// SPDX-License-Identifier: Apache-2.0
// Instructions registered by units and reference: all are joined, none twice. scripts/check_adding adds an instruction
// and runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "isa/table.hpp"
#include "reference/models.hpp"
#include "units/behaviour.hpp"
#include "units/costs/costs.hpp"
#include "units/not_supported.hpp"
#include "units/resolve.hpp"

namespace tessera {
namespace {

using testing::IsEmpty;

TEST(Registered, EveryInstructionIsExecutedOrHasAReason) {
    std::vector<std::string> wrong;
    for (const auto& spec : isa::table) {
        const isa::Mnemonic first{static_cast<std::uint8_t>(
            std::find_if(isa::table.begin(), isa::table.end(), [&](const auto& each) { return each.name == spec.name; }) -
            isa::table.begin())};
        const bool in_front = spec.unit == isa::Unit::frontend;
        if (!in_front && units::has_behaviour(first) == !units::not_supported(first).empty()) wrong.emplace_back(spec.name);
    }
    EXPECT_THAT(wrong, IsEmpty());
}

TEST(Registered, NoInstructionTwice) {
    std::map<std::size_t, int> behaviours, models;
    for (const auto& file : units::registered_behaviours()) {
        EXPECT_FALSE(file.empty());
        for (const auto& each : file) ++behaviours[each.mnemonic.index];
    }
    for (const auto& file : reference::registered_models()) {
        EXPECT_FALSE(file.empty());
        for (const auto& each : file) ++models[each.instruction.index];
    }
    for (const auto& [index, count] : behaviours) EXPECT_EQ(count, 1) << isa::table[index].name;
    for (const auto& [index, count] : models) EXPECT_EQ(count, 1) << isa::table[index].name;
}

TEST(Registered, AModelIsOfAnInstructionThatAUnitExecutes) {
    for (const auto& file : reference::registered_models())
        for (const auto& each : file)
            EXPECT_TRUE(units::has_behaviour(each.instruction)) << isa::table[each.instruction.index].name;
}

// A run uses and reports the cost and source given at the instruction's registration.
TEST(Registered, CostsAreTakenFromThere) {
    for (const auto& file : units::registered_behaviours())
        for (const auto& each : file)
            for (const Arch arch : all_archs) {
                const plan::Cost cost = units::costs(arch, Timing::documented).of(each.mnemonic);
                EXPECT_EQ(cost.occupancy, each.cost.occupancy) << isa::table[each.mnemonic.index].name;
                EXPECT_EQ(cost.latency, each.cost.latency) << isa::table[each.mnemonic.index].name;
                EXPECT_EQ(cost.retry, each.cost.retry) << isa::table[each.mnemonic.index].name;
                EXPECT_EQ(cost.interval, each.cost.interval) << isa::table[each.mnemonic.index].name;
                EXPECT_EQ(units::costs(arch, Timing::instant).of(each.mnemonic).latency, 0);
            }
}

struct Line {
    isa::Mnemonic mnemonic;
    unsigned occupancy, latency;
    std::string_view source;
};

// Tables of the pages: one instruction of each, and assumed values are marked as such.
TEST(Registered, CostsOfThePages) {
    using isa::mnemonic;
    const Line lines[] = {
        {mnemonic("SEMPOST"), 1, 1, "SyncUnit, table of latencies"},
        {mnemonic("WRCFG"), 1, 2, "ConfigurationUnit, table of latencies"},
        {mnemonic("ADDDMAREG"), 3, 3, "ScalarUnit, table of cycles"},
        {mnemonic("SETADC"), 1, 1, "MiscellaneousUnit, first paragraph"},
        {mnemonic("MVMUL"), 1, 5, "MatrixUnit, Instruction latency and throughput"},
        {mnemonic("MOVD2B"), 4, 2, "MatrixUnit gives no figure; as MOVD2A (assumed)"},
        {mnemonic("SFPMAD"), 1, 2, "VectorUnit, tables of latencies"},
        {mnemonic("SFPSWAP"), 2, 2, "SFPSWAP, Instruction scheduling: only SFPNOP in its second cycle"},
        {mnemonic("FLUSHDMA"), 2, 2, "FLUSHDMA, Performance"},
    };
    for (const Line& line : lines) {
        const auto& costs = units::costs(Arch::wormhole, Timing::documented);
        const auto& spec = isa::table[line.mnemonic.index];
        EXPECT_EQ(costs.of(line.mnemonic).occupancy, line.occupancy) << spec.name;
        EXPECT_EQ(costs.of(line.mnemonic).latency, line.latency) << spec.name;
        const isa::Instruction instruction{std::uint32_t{spec.opcode} << 24, Arch::wormhole, &spec, line.mnemonic};
        EXPECT_EQ(costs.source_of(instruction), line.source);
    }
}

}  // namespace
}  // namespace tessera
