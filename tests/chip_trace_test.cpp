// SPDX-License-Identifier: Apache-2.0
// Traces of a grid: the same with any number of host threads, each tile's as of a tile alone, packets as lines and as arrows.
#include "tessera/chip_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "support/grid_job.hpp"
#include "support/run_cli.hpp"
#include "tessera/state_digest.hpp"

namespace tessera {
namespace {

using Json = nlohmann::ordered_json;

struct Traced {
    ChipRun run;
    std::string lines, perfetto;
    std::vector<TileTraceReport> reports;
    std::vector<std::uint64_t> states;  ///< digests, by tile
};

std::vector<std::uint64_t> states_of(Chip& chip) {
    std::vector<std::uint64_t> states;
    for (unsigned row = 0; row < chip.rows(); ++row)
        for (unsigned column = 0; column < chip.columns(); ++column)
            states.push_back(state_digest(**chip.tile(column, row)));
    return states;
}

Traced trace(const ChipJob& job, const ChipRunOptions& options, bool writes = true) {
    Chip chip = prepare(job).value();
    Traced traced;
    const ChipTraceForms forms{.lines = [&](std::string_view text) { traced.lines += text; },
                               .writes = writes,
                               .perfetto = [&](std::string_view text) { traced.perfetto += text; },
                               .reports = &traced.reports};
    traced.run = trace_job(job, chip, options, forms).value();
    traced.states = states_of(chip);
    return traced;
}

std::vector<Json> parsed(const std::string& lines) {
    std::vector<Json> list;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) list.push_back(Json::parse(line));
    return list;
}

class ChipTrace : public testing::TestWithParam<Arch> {
protected:
    test::GridJob grid_{GetParam(), 4};
};

TEST_P(ChipTrace, IsTheSameWithAnyNumberOfHostThreadsAndChangesNothing) {
    for (const std::optional<std::uint64_t> seed : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(5)}) {
        const ChipJob job = grid_.load();
        ChipRunOptions options;
        options.tile = job.options;
        options.tile.seed = seed;
        Chip plain = prepare(job).value();
        const ChipRun run = plain.run(options).value();
        const Traced one = trace(job, options);
        options.threads = 3;
        const Traced three = trace(job, options);
        EXPECT_EQ(one.lines, three.lines);
        EXPECT_EQ(one.perfetto, three.perfetto);
        EXPECT_EQ(one.run.cycles, run.cycles);
        EXPECT_EQ(one.run.packets, run.packets);
        EXPECT_EQ(one.states, states_of(plain));
        EXPECT_TRUE(one.run.good());
        ASSERT_EQ(one.reports.size(), 4u);
        EXPECT_EQ(one.reports[3].column, 3u);
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(one.reports[i].report.cycles, run.tiles[i].run.cycles);
    }
}

// Without packets a tile does what a core alone does, and so does its trace. Waits that the end of the run cuts off have no order.
TEST_P(ChipTrace, LinesOfATileAreThoseOfATileAlone) {
    const ChipJob job = grid_.load();
    const auto cut_off = [](const Json& line) { return line["kind"] == "wait" && line["begin"] == 0; };
    const auto lines_of = [&](unsigned column, const std::vector<Json>& lines) {
        std::vector<std::string> own;
        for (Json line : lines) {
            if (!line.contains("tile") || line["tile"] != Json({column, 0})) continue;
            if (cut_off(line)) continue;
            line.erase("tile");
            if (line["kind"] == "tile_end") line["kind"] = "end";
            own.push_back(line.dump());
        }
        return own;
    };
    Chip chip = prepare(job).value();
    Job alone;
    alone.file = job.file;
    alone.arch = job.arch;
    alone.kernels = job.tiles[2].kernels;
    alone.kernels->done.clear();  // the run of a tile of a chip does not end with its words
    std::vector<std::string> expected;
    const auto sink = [&](std::string_view text) {
        for (const Json& line : parsed(std::string(text)))
            if (line["kind"] != "header" && !cut_off(line)) expected.push_back(line.dump());
    };
    ASSERT_TRUE(trace_job(alone, **chip.tile(3, 0), job.options, {.lines = sink, .writes = true}));
    EXPECT_EQ(expected.size(), 2u);
    EXPECT_EQ(lines_of(3, parsed(trace(job, {.tile = job.options}).lines)), expected);
}

TEST_P(ChipTrace, LinesHaveEachPacketAndBeginWithAHeaderAndEndWithAnEnd) {
    const ChipJob job = grid_.load();
    std::vector<PacketEvent> packets;
    ChipRunOptions options;
    options.tile = job.options;
    options.on_packet = [&](const PacketEvent& packet) { packets.push_back(packet); };
    const Traced traced = trace(job, options);
    const auto lines = parsed(traced.lines);
    EXPECT_EQ(lines.front()["format"], chip_trace_format());
    EXPECT_EQ(lines.front()["grid"], Json({4, 1}));
    EXPECT_EQ(lines.back()["kind"], "end");
    EXPECT_EQ(lines.back()["cycles"], traced.run.cycles);
    EXPECT_EQ(lines.back()["packets"], 4);
    std::size_t i = 0;
    for (const Json& line : lines) {
        if (line["kind"] != "packet") continue;
        ASSERT_LT(i, packets.size());
        const PacketEvent& packet = packets[i++];
        EXPECT_EQ(line["what"], packet.kind);
        EXPECT_EQ(line["from"], Json({packet.from.x, packet.from.y}));
        EXPECT_EQ(line["to"], Json({packet.to.x, packet.to.y}));
        EXPECT_EQ(line["sent"], packet.sent);
        EXPECT_EQ(line["arrived"], packet.arrived);
        EXPECT_EQ(line["core"], "brisc");
        EXPECT_EQ(line["pc"], packet.pc);
    }
    EXPECT_EQ(i, 4u);
}

// Of the packets only one comes to a tile as data that no core there has asked for.
TEST_P(ChipTrace, WhatAPacketWroteIsOfNoHost) {
    const ChipJob job = grid_.load();
    Chip chip = prepare(job).value();
    const NocPlace to = chip.place(1, 0).value();
    Json packet;
    std::vector<Json> writes;
    for (const Json& line : parsed(trace(job, {.tile = job.options}).lines)) {
        if (line["kind"] == "packet" && line["what"] == "write" && line["to"] == Json({to.x, to.y})) packet = line;
        if (line["kind"] != "write") continue;
        EXPECT_FALSE(line.contains("by_host")) << line;
        if (line.contains("by_packet")) writes.push_back(line);
    }
    ASSERT_EQ(writes.size(), 1u);
    ASSERT_FALSE(packet.is_null());
    EXPECT_EQ(writes[0]["tile"], Json({1, 0}));
    EXPECT_EQ(writes[0]["cycle"], packet["arrived"]);
    EXPECT_EQ(writes[0]["elements"][0][0], "l1");
    EXPECT_EQ(writes[0]["elements"][0][1], packet["address"]);
    EXPECT_EQ(writes[0]["elements"][0][2].size(), packet["bytes"].get<std::size_t>());
    for (const char* field : {"index", "core", "thread", "word"}) EXPECT_FALSE(writes[0].contains(field)) << field;
}

TEST_P(ChipTrace, APacketIsAnArrowBetweenTracksOfItsPlaces) {
    const ChipJob job = grid_.load();
    std::multiset<std::tuple<std::string, std::uint64_t, std::string, std::uint64_t>> sent, drawn;
    Chip chip = prepare(job).value();
    const auto name_of = [&](NocPlace at) {
        for (unsigned column = 0; column < 4; ++column)
            if (chip.place(column, 0).value() == at)
                return "tile (" + std::to_string(column) + ", 0) at (" + std::to_string(at.x) + ", " + std::to_string(at.y) + ")";
        return std::string(chip.dram_place(0).value() == at ? "DRAM channel 0" : "?");
    };
    ChipRunOptions options;
    options.tile = job.options;
    options.on_packet = [&](const PacketEvent& packet) {
        const std::string noc = " NoC " + std::to_string(packet.noc);
        sent.emplace(name_of(packet.from) + noc + " sends", packet.sent, name_of(packet.to) + noc + " receives", packet.arrived);
    };
    const Json timeline = Json::parse(trace(job, options).perfetto);
    using Track = std::pair<int, int>;
    std::map<int, std::string> processes;
    std::map<Track, std::string> tracks;
    std::map<Track, std::uint64_t> ends;
    std::map<int, std::pair<std::string, std::uint64_t>> begun;
    std::set<std::pair<Track, std::uint64_t>> slices;
    for (const Json& event : timeline["traceEvents"]) {
        const Track track{event.at("pid"), event.at("tid")};
        const std::string ph = event.at("ph");
        if (event["name"] == "process_name") processes[track.first] = event["args"]["name"];
        ASSERT_TRUE(processes.contains(track.first)) << event;
        if (event["name"] == "thread_name") {
            EXPECT_TRUE(tracks.emplace(track, event["args"]["name"]).second) << event;
        }
        if (ph == "M") continue;
        const std::uint64_t ts = event.at("ts");
        const std::string where = processes[track.first] + " " + tracks[track];
        if (ph == "X") {
            ASSERT_TRUE(tracks.contains(track)) << event;
            ASSERT_LE(ends[track], ts) << event;
            ends[track] = ts + event["dur"].get<std::uint64_t>();
            slices.emplace(track, ts);
        } else if (ph == "s") {
            EXPECT_TRUE(slices.contains({track, ts})) << event;
            begun[event["id"]] = {where, ts};
        } else if (ph == "f") {
            EXPECT_TRUE(slices.contains({track, ts})) << event;
            EXPECT_EQ(event["bp"], "e");
            const auto& from = begun.at(event["id"]);
            drawn.emplace(from.first, from.second, where, ts);
        }
    }
    EXPECT_EQ(drawn, sent);
    std::set<std::string> names;
    for (const auto& [track, name] : tracks)
        if (processes[track.first].starts_with("tile (1, 0) ")) names.insert(name);
    EXPECT_THAT(names, testing::IsSupersetOf({"brisc", "SrcA bank 0", "NoC 0 receives", "NoC 0 sends"}));
}

TEST_P(ChipTrace, ADeadlockIsThere) {
    const ChipJob job = grid_.load(0);
    const Traced traced = trace(job, {.tile = job.options});
    EXPECT_FALSE(traced.run.good());
    std::set<std::string> kinds;
    for (const Json& line : parsed(traced.lines)) {
        kinds.insert(line["kind"].get<std::string>());
        if (line["kind"] != "blocked") continue;
        EXPECT_EQ(line["tile"], Json({1, 0}));
    }
    EXPECT_TRUE(kinds.contains("fault"));
    EXPECT_TRUE(kinds.contains("blocked"));
    std::size_t instants = 0;
    const Json timeline = Json::parse(traced.perfetto);
    for (const Json& event : timeline["traceEvents"]) instants += event["name"] == "deadlock" && event["ph"] == "i";
    EXPECT_EQ(instants, 1u);
}

TEST_P(ChipTrace, NothingIsGivenWhenTheRunIsRefused) {
    const ChipJob job = grid_.load();
    Chip chip = prepare(job).value();
    std::string given;
    const auto sink = [&](std::string_view text) { given += text; };
    ChipRunOptions options;
    options.tile.timing = Timing::instant;
    EXPECT_EQ(trace_job(job, chip, options, {.lines = sink, .perfetto = sink}).error().code, "chip.timing");
    EXPECT_EQ(given, "");
}

TEST_P(ChipTrace, OtherObserversAreCalledAsWell) {
    const ChipJob job = grid_.load();
    Chip chip = prepare(job).value();
    std::map<unsigned, unsigned> waits, writes;
    ChipRunOptions options;
    options.tile = job.options;
    options.for_tile = [&](unsigned column, unsigned, RunOptions& own) {
        own.on_wait = [&waits, column](const Wait&) { ++waits[column]; };
        own.on_write = [&writes, column](const Write&) { ++writes[column]; };
    };
    const auto nowhere = [](std::string_view) {};
    ASSERT_TRUE(trace_job(job, chip, options, {.lines = nowhere, .perfetto = nowhere}));
    EXPECT_EQ(waits.size(), 4u);
    EXPECT_EQ(writes.size(), 4u);
}

TEST_P(ChipTrace, FieldsOfItsOwnLinesAreDocumented) {
    std::map<std::string, std::set<std::string>> documented, emitted;
    std::ifstream in(TESSERA_SOURCE_DIR "/docs/reference/trace-lines.md");
    std::string kind;
    const std::regex heading("### `([a-z_]+)`"), row(R"(\| `([a-z_.]+)` \|.*)");
    for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (std::regex_match(line, match, heading))
            kind = match[1];
        else if (line.starts_with("#"))
            kind.clear();
        else if (!kind.empty() && std::regex_match(line, match, row))
            documented[kind].insert(match[1]);
    }
    ChipJob job = grid_.load();
    job.options.seed = 1;
    for (const Json& line : parsed(trace(job, {.tile = job.options}).lines)) {
        if (line.contains("by_packet")) emitted["write"].insert("by_packet");  // all else is as of one tile
        if (line.contains("tile") && line["kind"] != "tile_end") continue;
        for (const auto& field : line.items()) emitted[line["kind"]].insert(field.key());
    }
    emitted["packet"].insert("place");  // these kernels have no lines
    EXPECT_EQ(emitted, documented);
}

TEST_P(ChipTrace, TheCommandWritesFilesAndReports) {
    const std::string job = grid_.write(), lines = grid_.directory() / "lines", timeline = grid_.directory() / "timeline";
    const auto outcome = test::run_cli({"trace", job, "-o", lines, "--perfetto", timeline, "--threads", "2", "--report"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const Traced expected = trace(grid_.load(), {.tile = grid_.load().options}, false);
    EXPECT_EQ(test::contents(lines), expected.lines);
    EXPECT_EQ(test::contents(timeline), expected.perfetto);
    for (const char* part : {"tile (0, 0)\ncycles ", "\n\ntile (3, 0)\ncycles "})
        EXPECT_THAT(outcome.out, testing::HasSubstr(part));
    const auto json = test::run_cli({"trace", job, "--report", "--json"});
    EXPECT_EQ(Json::parse(json.out)["tiles"][2]["tile"], Json({2, 0}));
    EXPECT_EQ(Json::parse(json.out)["fault"], nullptr);
    const auto plain = test::run_cli({"trace", job});
    EXPECT_EQ(plain.out, expected.lines);
    const auto stuck = test::run_cli({"trace", grid_.write(0), "--report"});
    EXPECT_EQ(stuck.status, 1);
    EXPECT_THAT(stuck.err, testing::HasSubstr("tile (1, 0)\n"));
    const auto why = test::run_cli({"trace", grid_.write(0), "--report", "--json"});
    EXPECT_EQ(Json::parse(why.out)["fault"]["code"], "deadlock");
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipTrace, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

}  // namespace
}  // namespace tessera
