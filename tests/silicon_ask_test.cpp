// SPDX-License-Identifier: Apache-2.0
// The kernels that ask for costs (bench/silicon/ask) name the costs that the tables have, and docs/silicon.md names the kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "riscv/costs.hpp"
#include "tile/address_map.hpp"
#include "units/costs/costs.hpp"

namespace tessera::silicon_ask {
namespace {

const std::filesystem::path root = TESSERA_SOURCE_DIR;

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

using Cost = std::function<double(Arch)>;

Cost unit(std::function<double(const units::CostTable&)> cost) {
    return [cost = std::move(cost)](Arch arch) { return cost(units::costs(arch, Timing::silicon)); };
}

Cost core(std::function<double(const riscv::Costs&)> cost) {
    return [cost = std::move(cost)](Arch arch) { return cost(riscv::costs(arch, Timing::silicon)); };
}

Cost instruction(isa::Mnemonic mnemonic, std::function<double(const units::InstructionCost&)> cost) {
    return unit([mnemonic, cost = std::move(cost)](const units::CostTable& table) {
        return cost(table.instructions[mnemonic.index]);
    });
}
double latency(const units::InstructionCost& cost) { return cost.latency; }
double occupancy(const units::InstructionCost& cost) { return cost.occupancy; }
double interval(const units::InstructionCost& cost) { return cost.interval; }

Cost load(std::uint32_t address) {
    return [=](Arch arch) {
        const auto place = tile::find(arch, tile::User::t0, address, false);
        return place.region ? place.region->latency : 0.0;
    };
}

/// The time of two unpackers that read at full speed, over that of one.
Cost together(unsigned bits) {
    return unit([bits](const units::CostTable& table) {
        const units::UnpackCost& cost = table.unpack;
        const auto speed = cost.throttle_modes[2];
        return double(cost.rate(speed, bits)) / cost.rate_beside(0, speed, speed, bits);
    });
}

Cost fetch(RiscvCore which, std::function<double(const riscv::FetchCost&)> cost) {
    return core([which, cost = std::move(cost)](const riscv::Costs& costs) {
        return cost(costs.fetch[static_cast<std::size_t>(which)]);
    });
}
double cache_bytes(const riscv::FetchCost& cost) { return cost.cache_bytes; }
double cycles_per_line(const riscv::FetchCost& cost) { return double(cost.cycles) / cost.lines; }

/// The costs by the names that heads give them. Those of no table follow from how the engine works.
const std::map<std::string, Cost>& table_costs() {
    using units::CostTable;
    static const std::map<std::string, Cost> costs = {
        {"pack.pipeline", unit([](const CostTable& t) { return t.pack.pipeline; })},
        {"pack.lines_per_cycle", unit([](const CostTable& t) { return t.pack.lines_per_cycle; })},
        {"pack.datums_per_cycle", unit([](const CostTable& t) { return t.pack.datums_per_cycle; })},
        {"pack.accumulate_cycles", unit([](const CostTable& t) { return t.pack.accumulate_cycles; })},
        {"queue_depth.packer",
         unit([](const CostTable& t) { return t.queue_depth[static_cast<std::size_t>(plan::Pipe::packer0)]; })},
        {"queue_depth.unpacker",
         unit([](const CostTable& t) { return t.queue_depth[static_cast<std::size_t>(plan::Pipe::unpacker0)]; })},
        {"unpack.pipeline", unit([](const CostTable& t) { return t.unpack.pipeline; })},
        {"unpack.row_start_cycles", unit([](const CostTable& t) { return t.unpack.row_start_cycles; })},
        {"unpack.together.bfp8", together(8)},
        {"unpack.together.bf16", together(16)},
        {"unpack.together.fp32", together(32)},
        {"mover.copy_cycles", unit([](const CostTable& t) { return t.mover.copy_cycles * 8.0 / t.mover.copy_lines; })},
        {"mover.zero_cycles", unit([](const CostTable& t) { return t.mover.zero_cycles; })},
        {"mover.pipeline", unit([](const CostTable& t) { return t.mover.pipeline; })},
        {"push_latency", unit([](const CostTable& t) { return t.thread.push_latency; })},
        {"semaphore_latency", unit([](const CostTable& t) { return t.thread.semaphore_latency; })},
        {"config_store_latency", unit([](const CostTable& t) { return t.thread.config_store_latency; })},
        {"fifo_words.t0", unit([](const CostTable& t) { return t.thread.fifo_words[0]; })},
        {"mop_exit_cycles", unit([](const CostTable& t) { return t.thread.mop_exit_cycles; })},
        {"vector_place", unit([](const CostTable& t) { return t.interlocks.vector_place; })},
        {"LOADIND.latency", instruction(isa::mnemonic("LOADIND"), latency)},
        {"LOADIND.occupancy", instruction(isa::mnemonic("LOADIND"), occupancy)},
        {"LOADREG.latency", instruction(isa::mnemonic("LOADREG"), latency)},
        {"STOREIND.latency", instruction(isa::mnemonic("STOREIND"), latency)},
        {"ATINCGET.latency", instruction(isa::mnemonic("ATINCGET"), latency)},
        {"ATINCGET.interval", instruction(isa::mnemonic("ATINCGET"), interval)},
        {"ATSWAP.latency", instruction(isa::mnemonic("ATSWAP"), latency)},
        {"ATSWAP.interval", instruction(isa::mnemonic("ATSWAP"), interval)},
        {"MOVD2B.latency", instruction(isa::mnemonic("MOVD2B"), latency)},
        {"MOVDBGB2D.latency", instruction(isa::mnemonic("MOVDBGB2D"), latency)},
        {"APOOL3S1.latency", instruction(isa::mnemonic("APOOL3S1"), latency)},
        {"predictor_entries", core([](const riscv::Costs& c) { return c.predictor_entries; })},
        {"periodic_flush", core([](const riscv::Costs& c) { return c.periodic_flush.cycles; })},
        {"fence", core([](const riscv::Costs& c) { return c.serialised.cycles; })},
        {"divide_base", core([](const riscv::Costs& c) { return c.divide_base.cycles; })},
        {"divide_group", core([](const riscv::Costs& c) { return c.divide_group.cycles; })},
        {"fetch.b.cache_bytes", fetch(RiscvCore::b, cache_bytes)},
        {"fetch.b.cycles_per_line", fetch(RiscvCore::b, cycles_per_line)},
        {"fetch.nc.cache_bytes", fetch(RiscvCore::nc, cache_bytes)},
        {"fetch.nc.cycles_per_line", fetch(RiscvCore::nc, cycles_per_line)},
        {"load.semaphore", load(0xFFE8'0020)},
        {"load.gpr", load(0xFFE0'0000)},
        {"load.config", load(0xFFEF'0000)},
        {"load.debug", load(0xFFB1'21F0)},
        {"load.noc", load(0xFFB2'002C)},
        {"load.overlay", load(0xFFB4'0020)},
        {"load.pc_snapshot", load(0xFFB1'3138)},
        {"load.dst", load(0xFFBD'8000)},
    };
    return costs;
}
const std::map<std::string, double> of_no_table = {
    {"hand_over.to_matrix", 0}, {"hand_over.back", 0}, {"MOP_CFG.cycles", 1}, {"REPLAY.recording", 1}};

std::vector<std::filesystem::path> kernels() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(root / "bench/silicon/ask"))
        if (entry.path().extension() == ".cpp") files.push_back(entry.path());
    return files;
}

// "// Assumed blackhole: pack.datums_per_cycle = 64 in src/units/costs/costs.cpp"
TEST(SiliconAsk, HeadsHaveTheCostsOfTheTables) {
    std::set<std::string> asked;
    for (const auto& kernel : kernels()) {
        std::istringstream lines(text_of(kernel));
        unsigned costs = 0;
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            std::string slashes, basis, chip, name, equals, in, place;
            double value = 0;
            words >> slashes >> basis;
            if (slashes != "//" || (!basis.starts_with("Assumed") && !basis.starts_with("Documented"))) continue;
            if (!basis.ends_with(":")) words >> chip;
            words >> name >> equals >> value >> in >> place;
            SCOPED_TRACE(kernel.filename().string() + ": " + line);
            EXPECT_TRUE(std::filesystem::exists(root / place));
            ++costs;
            asked.insert(name);
            if (const auto fixed = of_no_table.find(name); fixed != of_no_table.end()) {
                EXPECT_EQ(value, fixed->second);
                continue;
            }
            ASSERT_TRUE(table_costs().contains(name));
            for (const Arch arch : {Arch::blackhole, Arch::wormhole})
                if (chip.empty() || chip == std::string(tessera::name(arch)) + ":") {
                    EXPECT_NEAR(value, table_costs().at(name)(arch), 1e-9);
                }
        }
        EXPECT_GT(costs, 0u) << kernel;
    }
    for (const auto& [name, cost] : table_costs()) EXPECT_TRUE(asked.contains(name)) << name;
    EXPECT_EQ(asked.size(), table_costs().size() + of_no_table.size());
}

/// The costs that kernels ask for on this chip, by the heads.
std::set<std::string> asked_on(Arch arch) {
    std::set<std::string> asked;
    for (const auto& kernel : kernels()) {
        std::istringstream lines(text_of(kernel));
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            std::string slashes, basis, word;
            words >> slashes >> basis >> word;
            if (slashes != "//" || (!basis.starts_with("Assumed") && !basis.starts_with("Documented"))) continue;
            if (!basis.ends_with(":") && word != std::string(tessera::name(arch)) + ":") continue;
            if (!basis.ends_with(":")) words >> word;
            asked.insert(word);
        }
    }
    return asked;
}

// A source that is called assumed has a kernel; RESOURCEDECL's alone has none (bench/silicon/ask/README.md).
TEST(SiliconAsk, EachAssumedSourceIsAsked) {
    using units::Source;
    for (const Arch arch : {Arch::blackhole, Arch::wormhole}) {
        const units::CostTable& table = units::costs(arch, Timing::silicon);
        const riscv::Costs& core = riscv::costs(arch, Timing::silicon);
        const auto& b = core.fetch[static_cast<std::size_t>(RiscvCore::b)];
        const auto& nc = core.fetch[static_cast<std::size_t>(RiscvCore::nc)];
        const std::pair<const Source&, std::string> sources[] = {
            {table.unpack.rates, ""}, {table.unpack.latency, "unpack.pipeline"}, {table.unpack.row_starts, "unpack.row_start_cycles"},
            {table.unpack.sharing, "unpack.together.bf16"}, {table.pack.reads, "pack.datums_per_cycle"},
            {table.pack.writes, "pack.lines_per_cycle"}, {table.pack.accumulation, "pack.accumulate_cycles"}, {table.pack.from_l1, ""},
            {table.pack.latency, "pack.pipeline"}, {table.mover.source, "mover.pipeline"}, {table.thread.source, "push_latency"},
            {table.thread.source, "semaphore_latency"}, {table.thread.source, "config_store_latency"}, {table.thread.source, "fifo_words.t0"},
            {table.thread.expanders, "MOP_CFG.cycles"}, {table.thread.expanders, "REPLAY.recording"}, {table.interlocks.dst_block, ""},
            {table.interlocks.drain, ""}, {table.interlocks.vector, ""}, {table.config.source, ""},
            {table.queue_source, "queue_depth.packer"}, {table.queue_source, "queue_depth.unpacker"},
            {core.divide_base.source, "divide_base"}, {core.divide_group.source, "divide_group"}, {core.predictor, "predictor_entries"},
            {core.serialised.source, "fence"}, {core.periodic_flush.source, "periodic_flush"}, {core.loads_in_flight.source, ""},
            {b.cache, "fetch.b.cache_bytes"}, {b.rate, "fetch.b.cycles_per_line"}, {nc.cache, "fetch.nc.cache_bytes"},
            {nc.rate, "fetch.nc.cycles_per_line"}};
        const std::set<std::string> asked = asked_on(arch);
        for (const auto& [source, name] : sources)
            if (source.kind == Source::assumed) {
                EXPECT_TRUE(asked.contains(name)) << tessera::name(arch) << ' ' << name << ": " << source.text;
            }
    }
}

// The same of instructions; those whose sources have the same words share a cost.
TEST(SiliconAsk, EachInstructionOfAssumedCostIsAsked) {
    std::set<std::string> asked = asked_on(Arch::blackhole);
    asked.merge(asked_on(Arch::wormhole));
    const auto& costs = units::costs(Arch::blackhole, Timing::silicon).instructions;
    std::set<std::string_view> texts;
    for (std::size_t i = 0; i < isa::table.size(); ++i)
        if (std::any_of(asked.begin(), asked.end(), [&](const std::string& of) { return of.starts_with(std::string(isa::table[i].name) + "."); }))
            texts.insert(costs[i].source.text);
    unsigned assumed = 0;
    for (std::size_t i = 0; i < isa::table.size(); ++i) {
        if (costs[i].source.kind != units::Source::assumed || isa::table[i].name == "RESOURCEDECL") continue;
        ++assumed;
        EXPECT_TRUE(texts.contains(costs[i].source.text)) << isa::table[i].name << ": " << costs[i].source.text;
    }
    EXPECT_GT(assumed, 5u);
}

TEST(SiliconAsk, ThePageHasEachKernel) {
    const std::string page = text_of(root / "docs/silicon.md");
    for (const auto& kernel : kernels()) {
        const std::string name = kernel.stem().string();
        EXPECT_NE(page.find("[" + name + "](../bench/silicon/ask/" + name + ".cpp)"), std::string::npos) << name;
    }
}

}  // namespace
}  // namespace tessera::silicon_ask
