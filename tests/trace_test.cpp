// SPDX-License-Identifier: Apache-2.0
// Traces of runs: emitted fields against docs/reference/trace-lines.md, timelines in Perfetto's form. Tracing does not change a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <tuple>
#include <utility>

#include "support/case_of_text.hpp"
#include "support/traced_jobs.hpp"
#include "support/traced_run.hpp"
#include "tessera/trace.hpp"

namespace tessera {
namespace {

using test::case_of_text;
using test::Json;
using test::parsed;
using test::trace;
using test::Traced;
using test::traced_jobs;

TEST(Trace, ChangesNeitherStateNorCycles) {
    for (const auto& [name, job] : traced_jobs())
        for (const std::optional<std::uint64_t> seed :
             {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(3)}) {
            SCOPED_TRACE(name);
            RunOptions options = job.options;
            options.seed = seed;
            Core plain = prepare(job).value(), traced = plain;
            const tessera::Run without = run_job(job, plain, options).value();
            const tessera::Run with = trace(job, options, &traced).run;
            EXPECT_EQ(with.cycles, without.cycles);
            EXPECT_EQ(with.instructions, without.instructions);
            EXPECT_EQ(with.findings.size(), without.findings.size());
            EXPECT_EQ(with.fault.has_value(), without.fault.has_value());
            for (const Section& section : plain.sections())
                for (std::size_t i = 0; i < section.size; ++i)
                    ASSERT_EQ(traced.read(section, i), plain.read(section, i)) << section.describe(i);
        }
}

/// The fields of each kind of line, as docs/reference/trace-lines.md has them: "field" and "ended_by.field".
std::map<std::string, std::set<std::string>> documented() {
    std::map<std::string, std::set<std::string>> kinds;
    std::ifstream in(TESSERA_SOURCE_DIR "/docs/reference/trace-lines.md");
    std::string kind;
    const std::regex heading("## `([a-z]+)`"), row(R"(\| `([a-z_.]+)` \|.*)");
    for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (std::regex_match(line, match, heading))
            kind = match[1];
        else if (line.starts_with("#"))
            kind.clear();
        else if (!kind.empty() && std::regex_match(line, match, row))
            kinds[kind].insert(match[1]);
    }
    return kinds;
}

/// The frames of a kernel whose code is all inlined.
void inline_all(Job& job) {
    for (auto& image : job.kernels->images) {
        if (!image) continue;
        image->scopes = {{"kernel_main", 0, 0, -1}, {"inner", 0, 7, 0}};
        image->scope_rows = {{image->segments[0].address, 1}};
    }
}

TEST(TraceLines, EachFieldIsDocumentedAndEachDocumentedFieldIsThere) {
    std::map<std::string, std::set<std::string>> emitted;
    auto collect = [&](const Job& job, const RunOptions& options) {
        for (const Json& line : parsed(trace(job, options, nullptr, true).lines)) {
            auto& fields = emitted[line["kind"]];
            for (const auto& [field, value] : line.items()) {
                fields.insert(field);
                EXPECT_FALSE(value.is_null()) << field;
                if (field != "ended_by") continue;
                for (const auto& one : value.items()) fields.insert("ended_by." + one.key());
            }
        }
    };
    for (const auto& [name, job] : traced_jobs()) {
        if (name == "add" || name == "matmul") continue;  // hundreds of thousands of lines that are like others'
        RunOptions options = job.options;
        collect(job, options);
        options.seed = 1;
        collect(job, options);
    }
    // Cases with unique features: a finding within an expansion, a core's fault, a command to the mover, a held
    // instruction.
    const Case expansion = case_of_text(
        "REPLAY load_mode=1 len=2\nATGETM mutex_index=0\nNOP\n.drain\nREPLAY len=2\n.thread math\n.repeat "
        "40\nNOP\n.end\n"
        "STALLWAIT stall_res=2 wait_res=64\nREPLAY start_idx=3 len=2\n");
    collect(expansion.job, expansion.job.options);
    Job broken = test::kernel_job(Arch::blackhole);
    inline_all(broken);
    broken.options.timing = Timing::documented;  // with measured fetches no core waits for its FIFO
    collect(broken, broken.options);
    Job hangs = broken;
    broken.kernels->images[static_cast<std::size_t>(RiscvCore::b)]->entry = 0x8002;
    collect(broken, broken.options);
    // A store of the host, and a core that is never started.
    HostStep writes, waits;
    writes.what = HostStep::What::write;
    writes.address = 0x4'0000;
    writes.bytes.resize(4);
    waits.when = WordCondition{0x4'0000, 1};
    hangs.kernels->host = {writes, waits};
    collect(hangs, hangs.options);
    const auto expected = documented();
    ASSERT_EQ(emitted.size(), expected.size());
    for (const auto& [kind, fields] : expected) EXPECT_THAT(emitted[kind], testing::ContainerEq(fields)) << kind;
}

TEST(TraceLines, FirstAHeaderLastAnEnd) {
    for (const auto& [name, job] : traced_jobs()) {
        SCOPED_TRACE(name);
        const Traced traced = trace(job, job.options);
        const auto lines = parsed(traced.lines);
        EXPECT_EQ(lines.front()["kind"], "header");
        EXPECT_EQ(lines.front()["format"], trace_format());
        EXPECT_EQ(lines.back()["kind"], "end");
        EXPECT_EQ(lines.back()["cycles"], traced.run.cycles);
        EXPECT_EQ(lines.back()["good"], traced.run.good());
        const auto count = [&](const char* kind) {
            return static_cast<std::size_t>(
                std::count_if(lines.begin(), lines.end(), [&](const Json& line) { return line["kind"] == kind; }));
        };
        EXPECT_EQ(count("finding"), traced.run.findings.size());
        EXPECT_EQ(count("fault"), traced.run.fault ? 1u : 0u);
        EXPECT_EQ(count("blocked"), traced.run.blocked.size());
    }
}

// A run that is refused has no trace.
TEST(Trace, NothingIsGivenWhenTheRunIsRefused) {
    Case what = case_of_text("NOP\n");
    what.job.program.arch = Arch::wormhole;
    Core core(Arch::blackhole);
    std::string given;
    const auto sink = [&](std::string_view text) { given += text; };
    EXPECT_EQ(trace_job(what.job, core, {}, {.lines = sink, .perfetto = sink}).error().code, "run.arch");
    EXPECT_EQ(given, "");
}

TEST(Trace, OtherObserversAreCalledAsWell) {
    Case what = case_of_text("NOP\nSETRWC\n");
    Core core(Arch::blackhole);
    unsigned events = 0, writes = 0, waits = 0;
    RunOptions options;
    options.on_event = [&](const Event&) { ++events; };
    options.on_write = [&](const Write&) { ++writes; };
    options.on_wait = [&](const Wait&) { ++waits; };
    const auto nowhere = [](std::string_view) {};
    ASSERT_TRUE(trace_job(what.job, core, options, {.lines = nowhere, .perfetto = nowhere}));
    EXPECT_EQ(events, 2u);
    EXPECT_GE(writes, 2u);
    EXPECT_GE(waits, 1u);
}

/// Holds a timeline against what the Trace Event Format and Perfetto ask for.
void expect_valid(const Json& trace) {
    struct Track {
        std::uint64_t end = 0;
        bool named = false;
    };
    std::map<std::pair<int, int>, Track> tracks;
    std::map<int, bool> groups;
    std::map<std::string, std::uint64_t> counters;
    ASSERT_TRUE(trace["traceEvents"].is_array());
    for (const Json& event : trace["traceEvents"]) {
        const std::string ph = event.at("ph");
        const int pid = event.at("pid"), tid = event.at("tid");
        ASSERT_FALSE(event.at("name").get<std::string>().empty());
        if (ph == "M") {
            if (event["name"] == "process_name") groups[pid] = true;
            if (event["name"] == "thread_name")
                tracks[{pid, tid}].named = !event.at("args").at("name").get<std::string>().empty();
            continue;
        }
        const std::uint64_t ts = event.at("ts");
        ASSERT_TRUE(groups[pid]) << event;
        if (ph == "X") {
            Track& track = tracks[{pid, tid}];
            ASSERT_TRUE(track.named) << event;
            ASSERT_LE(track.end, ts) << event;
            track.end = ts + event.at("dur").get<std::uint64_t>();
        } else if (ph == "C") {
            auto& last = counters[event["name"]];
            ASSERT_LE(last, ts);
            last = ts;
            ASSERT_TRUE(event.at("args").at("value").is_number());
        } else {
            ASSERT_EQ(ph, "i");
            ASSERT_EQ(event.at("s"), "g");
        }
    }
}

TEST(TracePerfetto, IsWhatTheFormatAsksFor) {
    for (const auto& [name, job] : traced_jobs())
        for (const char* how : {"documented", "seed", "instant"}) {
            SCOPED_TRACE(name + " " + how);
            RunOptions options = job.options;
            if (how == std::string_view("seed")) options.seed = 5;
            if (how == std::string_view("instant")) options.timing = Timing::instant;
            expect_valid(Json::parse(trace(job, options).perfetto));
        }
}

// Every instruction is a slice of its unit's tracks, from its start to its end; every issue one of its front end's.
TEST(TracePerfetto, HasEveryInstruction) {
    for (const auto& [name, job] : traced_jobs()) {
        SCOPED_TRACE(name);
        const Traced traced = trace(job, job.options);
        std::multiset<std::tuple<std::string, std::uint64_t, std::uint64_t>> slices;
        std::size_t issues = 0;
        const Json timeline = Json::parse(traced.perfetto);
        for (const Json& event : timeline["traceEvents"]) {
            if (event["ph"] != "X") continue;
            slices.emplace(event["name"].get<std::string>(), event["ts"].get<std::uint64_t>(),
                           event["dur"].get<std::uint64_t>());
            issues += event["name"].get<std::string>().starts_with("issues ");
        }
        std::size_t instructions = 0;
        for (const Json& line : parsed(traced.lines)) {
            if (line["kind"] != "instruction") continue;
            instructions += !line.contains("command");
            std::string text = line["instruction"];
            std::replace(text.begin(), text.end(), '\t', ' ');
            const std::uint64_t start = line["start"], end = line["end"];
            EXPECT_TRUE(slices.contains({text, start, end - start})) << line;
        }
        if (traced.run.good()) {
            EXPECT_EQ(issues, instructions);
        }
    }
}

// T0 issues one instruction per cycle, the last one in the cycle in which the run is stopped.
TEST(TracePerfetto, NothingIsBehindTheEnd) {
    const Case what = case_of_text(".repeat 50\nSETRWC\n.end\n");
    RunOptions options = what.job.options;
    options.max_cycles = 20;
    const Traced traced = trace(what.job, options);
    ASSERT_EQ(traced.run.cycles, 20u);
    const Json timeline = Json::parse(traced.perfetto);
    expect_valid(timeline);
    std::size_t issues = 0;
    for (const Json& event : timeline["traceEvents"]) {
        if (event["ph"] != "X") continue;
        issues += event["name"].get<std::string>().starts_with("issues ");
        EXPECT_GT(event["dur"], 0u) << event;
        EXPECT_LE(event["ts"].get<std::uint64_t>() + event["dur"].get<std::uint64_t>(), 20u) << event;
    }
    EXPECT_EQ(issues, traced.run.instructions[0] - 1);
}

TEST(TracePerfetto, SemaphoresCountAndBanksHaveOwners) {
    const Traced traced =
        trace("SEMINIT max_value=4 init_value=1 sem_sel=2\nSEMPOST sem_sel=2\nSEMPOST sem_sel=2\nSEMGET sem_sel=2\n");
    std::vector<unsigned> values;
    std::set<std::string> tracks;
    const Json timeline = Json::parse(traced.perfetto);
    for (const Json& event : timeline["traceEvents"]) {
        if (event["ph"] == "C" && event["name"] == "semaphore 1") values.push_back(event["args"]["value"]);
        if (event["name"] == "thread_name") tracks.insert(event["args"]["name"]);
    }
    EXPECT_THAT(values, testing::ElementsAre(0, 1, 2, 3, 2));
    EXPECT_THAT(tracks, testing::IsSupersetOf(
                            {"SrcA bank 0", "SrcA bank 1", "SrcB bank 0", "SrcB bank 1", "T0 front end", "sync"}));
}

// The run ends while an UNPACR is in its unit. Reports and timelines have it until then; a line tells of its end, and there is none.
TEST(Trace, AnInstructionAtWorkCountsUntilTheEnd) {
    const Case what = case_of_text(
        ".cfg THCON_SEC0_REG0_TileDescriptor_InDataFormat = Float16_b\n.cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 1\n"
        ".cfg THCON_SEC0_REG0_TileDescriptor_XDim = 1024\n.cfg THCON_SEC0_REG2_Out_data_format = Float16_b\n"
        ".cfg SRCA_SET_SetOvrdWithAddr = 1\nSETADCXX CntSetMask=1 x_start=0 x_end2=1023\n"
        "STALLWAIT stall_res=0x1FF wait_res=1<<10\nUNPACR SetDatValid=1 Last=1\n");
    const auto unpacks = [](const Traced& traced) {
        const auto lines = parsed(traced.lines);
        const auto line = std::find_if(lines.begin(), lines.end(), [](const Json& one) {
            return one["kind"] == "instruction" && one["unit"] == "unpacker 0";
        });
        return line == lines.end() ? Json() : *line;
    };
    const Json whole = unpacks(trace(what.job, what.job.options));
    const std::uint64_t start = whole.at("start"), end = whole.at("end");
    ASSERT_GT(end, start + 4);
    RunOptions options = what.job.options;
    options.max_cycles = (start + end) / 2;
    const Traced cut = trace(what.job, options);
    ASSERT_TRUE(cut.run.fault);
    EXPECT_EQ(cut.run.cycles, options.max_cycles);
    EXPECT_TRUE(unpacks(cut).is_null());

    const auto unit = std::find_if(cut.report.units.begin(), cut.report.units.end(),
                                   [](const UnitReport& one) { return one.unit == "unpacker 0"; });
    ASSERT_NE(unit, cut.report.units.end());
    EXPECT_EQ(unit->busy, options.max_cycles - start);
    EXPECT_LE(unit->last, options.max_cycles);
    EXPECT_LE(unit->documented, unit->busy);
    ASSERT_FALSE(cut.report.path.empty());
    EXPECT_EQ(cut.report.path.back().who, "unpacker 0");
    EXPECT_EQ(cut.report.path.back().end, options.max_cycles);

    const Json timeline = Json::parse(cut.perfetto);
    expect_valid(timeline);
    const auto& slices = timeline["traceEvents"];
    EXPECT_TRUE(std::any_of(slices.begin(), slices.end(), [&](const Json& one) {
        return one["ph"] == "X" && one["name"].get<std::string>().starts_with("ttunpacr") && one["ts"] == start &&
               one["dur"] == options.max_cycles - start;
    }));

    const auto row = std::find_if(cut.run.blocked.begin(), cut.run.blocked.end(),
                                  [](const Blocked& one) { return one.who == "unpacker 0"; });
    ASSERT_NE(row, cut.run.blocked.end());
    EXPECT_EQ(row->waits_for, "nothing");
    EXPECT_EQ(row->since, start);
    EXPECT_THAT(row->instruction, testing::StartsWith("UNPACR "));
    EXPECT_THAT(row->instruction, testing::EndsWith(", until cycle " + std::to_string(end)));
}

}  // namespace
}  // namespace tessera
