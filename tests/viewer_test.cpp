// SPDX-License-Identifier: Apache-2.0
// The viewer's page: its data cover the whole run, stepping through them ends in the run's state, and it needs no other
// file.
#include "tessera/viewer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "support/add_example.hpp"
#include "support/case_of_text.hpp"
#include "support/temporary_directory.hpp"
#include "support/viewer_page.hpp"
#include "tessera/assembly.hpp"

namespace tessera {
namespace {

using test::column;
using test::Json;
using test::page_data;
using test::PageState;

std::vector<std::string> jobs() {
    std::vector<std::string> paths = {TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml",
                                      TESSERA_SOURCE_DIR "/examples/deadlock/runs/job.toml"};
    for (const auto& entry : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/examples/seeds"))
        if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

ViewerPage page_of(const Job& job, const ViewerOptions& options = {}) {
    auto page = view(job, options);
    if (!page) throw std::runtime_error(page.error().describe());
    return std::move(*page);
}

Json data_of(const Job& job, const ViewerOptions& options = {}) { return page_data(page_of(job, options).html); }

Job job_of(std::string_view text) { return test::case_of_text(text).job; }

std::string log_of(const Json& data) {
    std::string log;
    for (const Json& block : data["writes"]["blocks"]["logs"]) log += test::unpacked(block);
    return log;
}

std::int64_t with_plans(const Json& data) {
    const auto plan = column(data["instructions"]["plan"]);
    return std::count_if(plan.begin(), plan.end(), [](double one) { return one >= 0; });
}

/// The first few differences between a page's state and a core.
void expect_same(const PageState& state, const Core& core) {
    for (const std::string& name : state.sections()) {
        const Section& section = *core.find_section(name).value();
        const auto& values = state.values(name);
        ASSERT_EQ(values.size(), section.size);
        int reported = 0;
        for (std::size_t i = 0; i < section.size && reported < 3; ++i)
            if (const std::uint64_t is = core.read(section, i); is != values[i]) {
                ++reported;
                ADD_FAILURE() << section.describe(i) << " is " << is << ", in the page " << values[i];
            }
    }
}

TEST(Viewer, InitialStateAndWritesMakeTheEndState) {
    for (const std::string& path : jobs()) {
        SCOPED_TRACE(path);
        const Job job = load_job(path).value();
        const Core before = prepare(job).value();
        Core core = before;
        ASSERT_TRUE(run_job(job, core, job.options));
        const Json data = data_of(job);
        PageState state(data);
        expect_same(state, before);
        const Json& writes = data.at("writes");
        ASSERT_TRUE(writes.at("whole").get<bool>());
        // Every write has a writer: nothing had to be corrected at the end.
        EXPECT_EQ(writes.at("untold"), Json::object());
        state.apply_records(writes.at("count").get<std::size_t>());
        expect_same(state, core);
    }
}

TEST(Viewer, TheSummaryOfABlockDoesWhatItsRecordsDo) {
    const test::AddExample example;
    const Json data = data_of(example.load());
    const Json& first = data["writes"]["blocks"]["records"];
    ASSERT_FALSE(first.empty());
    for (std::size_t block = 0; block <= first.size(); ++block) {
        SCOPED_TRACE(block);
        PageState by_records(data), by_summaries(data);
        by_records.apply_records(block < first.size() ? first[block].get<std::size_t>()
                                                      : data["writes"]["count"].get<std::size_t>());
        by_summaries.apply_summaries(block);
        for (const std::string& name : by_records.sections())
            EXPECT_EQ(by_records.values(name), by_summaries.values(name)) << name;
    }
}

/// A file of a page: its text, and the lines of it that rows come from, by row; 0: another file.
struct SourceOf {
    SourceOf(const Json& data, const std::string& name) {
        const Json& sources = data["sources"];
        const Json files = Json::parse(test::unpacked(sources["files"]));
        const auto place = column(data["instructions"]["place"]), file = column(sources["places"]["file"]),
                   line = column(sources["places"]["line"]);
        for (const Json& one : files)
            if (one["name"] == name) text = one["text"];
        for (const double at : place) {
            const auto number = static_cast<std::size_t>(at);
            const bool is_this = files.at(static_cast<std::size_t>(file[number]))["name"] == name;
            lines.push_back(is_this ? line[number] : 0);
        }
    }
    Json text;
    std::vector<double> lines;
};

TEST(Viewer, SourcesAreTheProgramsTexts) {
    const test::TemporaryDirectory directory;
    const auto write = [&](const std::string& name, const std::string& text) {
        std::ofstream(directory / name) << text;
    };
    write("job.toml", "arch = \"blackhole\"\n[threads]\nmath = \"math.tts\"\npack = \"pack.tts\"\n");
    const std::string math = "# </script> in a text\nNOP\n\n.repeat 3\n  SETRWC # three times\n.end\n";
    write("math.tts", math);
    write("pack.tts", "NOP\n");
    const Job job = load_job(directory / "job.toml").value();
    const SourceOf it(data_of(job), "math.tts");
    EXPECT_EQ(it.text, math);
    std::vector<double> lines;
    std::copy_if(it.lines.begin(), it.lines.end(), std::back_inserter(lines), [](double line) { return line > 0; });
    EXPECT_EQ(lines, (std::vector<double>{2, 5, 5, 5}));
    // A file that can no longer be read has no text, and still has its lines.
    std::filesystem::remove(directory / "math.tts");
    const SourceOf gone(data_of(job), "math.tts");
    EXPECT_EQ(gone.text, nullptr);
    EXPECT_EQ(gone.lines, it.lines);
}

TEST(Viewer, FilesThatShareANameAreToldApart) {
    const test::TemporaryDirectory directory;
    for (const char* folder : {"copy", "sum"}) {
        std::filesystem::create_directories(directory / folder);
        std::ofstream(directory / (std::string(folder) + "/math.tts")) << "NOP\n";
    }
    std::ofstream(directory / "job.toml")
        << "arch = \"blackhole\"\n[threads]\nmath = \"copy/math.tts\"\npack = \"sum/math.tts\"\n";
    const Json data = data_of(load_job(directory / "job.toml").value());
    const Json files = Json::parse(test::unpacked(data["sources"]["files"]));
    std::vector<std::string> names, places = data["sources"]["places"]["texts"];
    for (const Json& file : files) names.push_back(file["name"]);
    EXPECT_THAT(names, testing::UnorderedElementsAre("copy/math.tts", "sum/math.tts"));
    EXPECT_THAT(places, testing::UnorderedElementsAre("", "copy/math.tts:1", "sum/math.tts:1"));
}

TEST(Viewer, ReadsAreRanges) {
    for (const std::string& path : jobs()) {
        SCOPED_TRACE(path);
        Job job = load_job(path).value();
        const Json data = data_of(job);
        const auto start = column(data["accesses"]["start"]);
        const std::string ranges = test::unpacked(data["accesses"]["ranges"]);
        Core core = prepare(job).value();
        job.options.on_event = [&](const Event& event) {
            std::vector<std::string> wanted, found;
            for (const ElementRange& one : event.reads) {
                const std::string& name = core.sections()[one.section].name;
                for (const Json& kept : data["sections"])
                    if (kept["name"] == name)
                        wanted.push_back(name + " " + std::to_string(one.first) + " " + std::to_string(one.count));
            }
            const double at_start = start.at(static_cast<std::size_t>(event.number));
            if (at_start != 0xFFFFFFFF) {
                auto at = static_cast<std::size_t>(at_start);
                for (auto count = test::varint(ranges, at); count > 0; --count) {
                    std::string text = data["sections"].at(test::varint(ranges, at))["name"];
                    for (int i = 0; i < 2; ++i) text += " " + std::to_string(test::varint(ranges, at));
                    found.push_back(text);
                }
            }
            EXPECT_EQ(found, wanted);
        };
        ASSERT_TRUE(run_job(job, core, job.options));
    }
}

TEST(Viewer, APlanThatManyInstructionsHaveIsKeptOnce) {
    const Json data = data_of(job_of(".thread math\n.repeat 50\nSETRWC BitMask=0xF\nNOP\n.end\n"));
    EXPECT_EQ(with_plans(data), 100);
    EXPECT_EQ(data["plans"]["count"], 2);
}

TEST(Viewer, ValuesThatTheTimelineShowsAreThoseOfTheState) {
    const test::AddExample example;
    const Job job = example.load();
    const Json data = data_of(job);
    Core core = prepare(job).value();
    ASSERT_TRUE(run_job(job, core, job.options));
    const Json& table = data["signals"];
    const auto signal = column(table["signal"]), cycle = column(table["cycle"]), value = column(table["value"]);
    EXPECT_TRUE(std::is_sorted(cycle.begin(), cycle.end()));
    std::vector<double> last(table["signals"].size(), -1);
    for (std::size_t i = 0; i < signal.size(); ++i) {
        double& now = last[static_cast<std::size_t>(signal[i])];
        EXPECT_NE(now, value[i]);  // a change each
        now = value[i];
    }
    for (std::size_t i = 0; i < last.size(); ++i) {
        const Section& section = *core.find_section(table["signals"][i][0].get<std::string>()).value();
        EXPECT_EQ(last[i], static_cast<double>(core.read(section, table["signals"][i][1].get<std::size_t>())));
    }
    EXPECT_GT(signal.size(), 50u);
}

TEST(Viewer, RecordsAreInTheOrderOfCyclesAndHaveTheirWriters) {
    const Json data = data_of(job_of(".gpr 3 = 7\nSETDMAREG RegIndex16b=2 Payload_SigSel=5\n.thread math\nSETRWC\n"));
    const auto cycles = column(data["writes"]["cycle"]), rows = column(data["writes"]["row"]),
               stores = column(data["writes"]["store"]);
    ASSERT_FALSE(cycles.empty());
    EXPECT_TRUE(std::is_sorted(cycles.begin(), cycles.end()));
    std::vector<std::string> writers;
    for (std::size_t i = 0; i < rows.size(); ++i)
        writers.push_back(rows[i] == 0xFFFFFFFF
                              ? data["texts"][static_cast<std::size_t>(stores[i])]
                              : data["texts"][static_cast<std::size_t>(
                                    column(data["instructions"]["instruction"])[static_cast<std::size_t>(rows[i])])]);
    EXPECT_THAT(writers, testing::Contains("T0 core: .gpr 3 = 0x7"));
    EXPECT_THAT(writers, testing::Contains(testing::StartsWith("SETDMAREG")));
}

TEST(Viewer, EveryInstructionIsThere) {
    for (const std::string& path : jobs()) {
        SCOPED_TRACE(path);
        Job job = load_job(path).value();
        const Json data = data_of(job);
        const Json& table = data.at("instructions");
        const auto thread = column(table["thread"]), index = column(table["index"]),
                   position = column(table["position"]), word = column(table["word"]),
                   text = column(table["instruction"]), unit = column(table["unit"]), issue = column(table["issue"]),
                   start = column(table["start"]), land = column(table["land"]), end = column(table["end"]),
                   plan = column(table["plan"]);
        Core core = prepare(job).value();
        std::size_t ended = 0;
        job.options.on_event = [&](const Event& event) {
            ++ended;
            const auto row = static_cast<std::size_t>(event.number);
            ASSERT_LT(row, thread.size());
            EXPECT_EQ(thread[row], event.thread);
            EXPECT_EQ(index[row], static_cast<double>(event.index));
            EXPECT_EQ(position[row], static_cast<double>(event.position));
            EXPECT_EQ(word[row], event.word);
            EXPECT_EQ(data["texts"][static_cast<std::size_t>(text[row])], disassemble_named(event.word, job.arch));
            EXPECT_EQ(data["texts"][static_cast<std::size_t>(unit[row])], event.unit);
            EXPECT_EQ(issue[row], static_cast<double>(event.issue));
            EXPECT_EQ(issue[row] + start[row], static_cast<double>(event.start));
            EXPECT_EQ(issue[row] + land[row], static_cast<double>(event.land));
            EXPECT_EQ(issue[row] + end[row], static_cast<double>(event.end));
            EXPECT_GE(plan[row], 0);
        };
        const tessera::Run run = run_job(job, core, job.options).value();
        EXPECT_TRUE(std::is_sorted(issue.begin(), issue.end()));
        EXPECT_EQ(static_cast<std::size_t>(std::count(end.begin(), end.end(), 0xFFFFFFFF)) + ended, thread.size());
        EXPECT_EQ(thread.size() - table["unissued"].get<std::size_t>(),
                  run.instructions[0] + run.instructions[1] + run.instructions[2]);
        EXPECT_EQ(data["run"]["cycles"], run.cycles);
        EXPECT_EQ(data["run"]["findings"].size(), run.findings.size());
    }
}

TEST(Viewer, ADeadlockSaysWhoWaitsForWhom) {
    const Json data = data_of(load_job(TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml").value());
    EXPECT_EQ(data["run"]["fault"]["code"], "deadlock");
    bool reported = false;
    for (const Json& one : data["run"]["blocked"])
        reported |= one["who"] == "unpacker 0" && one["waits_for"] == "SrcA bank 0 to be handed to the unpackers" &&
                    one["place"] == "unpack.tts:20";
    EXPECT_TRUE(reported) << data["run"]["blocked"].dump(1);
}

TEST(Viewer, AWaitThatLastsUntilTheEndIsAnOpenSlice) {
    const Json data =
        data_of(job_of(".thread unpack\n.repeat 50\nNOP\n.end\n.thread math\n"
                       "SEMWAIT stall_res=1<<6 sem_sel=1<<2 wait_sem_cond=1\nMOVA2D instr_mod=2\n"));
    const auto over = column(data["waits"]["over"]), kind = column(data["waits"]["kind"]);
    std::vector<std::string> open;
    for (std::size_t i = 0; i < over.size(); ++i)
        if (!over[i]) open.push_back(data["texts"][static_cast<std::size_t>(kind[i])]);
    EXPECT_THAT(open, testing::Contains("latched-wait"));
    EXPECT_THAT(open, testing::Not(testing::Contains("finished")));
}

TEST(Viewer, WaitsAddUpToTheRuns) {
    const test::AddExample example;
    const Job job = example.load();
    const ViewerPage page = page_of(job);
    const Json data = page_data(page.html);
    const auto lane = column(data["waits"]["lane"]), length = column(data["waits"]["length"]);
    std::array<double, 3> sums{}, wanted{};
    for (std::size_t i = 0; i < lane.size(); ++i) {
        const std::string name = data["texts"][static_cast<std::size_t>(lane[i])];
        for (std::size_t t = 0; t < 3; ++t)
            if (name == "T" + std::to_string(t)) sums[t] += length[i];
    }
    for (const WaitUse& wait : page.run.waits)
        wanted[static_cast<std::size_t>(wait.thread)] += static_cast<double>(wait.cycles);
    EXPECT_EQ(sums, wanted);
    EXPECT_GT(sums[1], 0);
    // A core that has nothing left to do does not wait.
    for (const double kind : column(data["waits"]["kind"]))
        EXPECT_NE(data["texts"][static_cast<std::size_t>(kind)], "finished");
}

TEST(Viewer, ASeedHasAllOfItsBits) {
    Job job = job_of("NOP\n");
    job.options.seed = 18446744073709551615u;
    EXPECT_EQ(data_of(job)["job"]["seed"], "18446744073709551615");
}

TEST(Viewer, TheInstructionOfAFaultIsThereWithItsPlan) {
    const Json data = data_of(job_of(
        ".cfg THCON_SEC0_REG2_Out_data_format = 13\nSTALLWAIT stall_res=8 wait_res=0x400\nUNPACR SetDatValid=1\n"));
    ASSERT_EQ(data["run"]["fault"]["code"], "unpack.unknown-format");
    const Json& table = data["instructions"];
    ASSERT_EQ(table["unissued"], 1);
    const auto last = table["count"].get<std::size_t>() - 1;
    EXPECT_EQ(column(table["index"])[last], data["run"]["fault"]["index"]);
    EXPECT_GE(column(table["plan"])[last], 0);
    EXPECT_EQ(data["texts"][static_cast<std::size_t>(column(table["instruction"])[last])], "UNPACR SetDatValid=1");
}

TEST(Viewer, WhatDoesNotFitIsLeftOutAndSaid) {
    const test::AddExample example;
    const Job job = example.load();
    constexpr std::uint64_t limit = 20'000;
    ViewerOptions options;
    options.state_bytes = limit;
    options.plans = 5;
    const Json data = data_of(job, options);
    EXPECT_FALSE(data["writes"]["whole"].get<bool>());
    constexpr std::uint64_t tile = 4096;  // the record that reached the limit is whole
    const std::string log = log_of(data);
    EXPECT_LT(log.size(), limit + tile);
    EXPECT_EQ(with_plans(data), 5);
    EXPECT_EQ(data["plans"]["of"], 5);
    EXPECT_FALSE(data["plans"]["whole"].get<bool>());
    // A part of the page equals the same part of the whole page.
    const Json whole = data_of(job);
    EXPECT_EQ(log_of(whole).substr(0, log.size()), log);
    EXPECT_EQ(with_plans(whole), whole["instructions"]["count"]);
    EXPECT_TRUE(whole["plans"]["whole"].get<bool>());
    EXPECT_EQ(data["instructions"]["count"], whole["instructions"]["count"]);
}

/// A page without its data: what a browser would act upon.
std::string without_data(const std::string& html) {
    const std::size_t at = html.find("id=\"data\">"), end = html.find("<script>", at);
    return html.substr(0, at) + html.substr(end);
}

TEST(Viewer, ThePageNeedsNothingElse) {
    const std::string html = without_data(page_of(job_of("NOP\n")).html);
    for (const char* outside : {"http:", "https:", "//cdn", "import(", "fetch(", "XMLHttpRequest", "@import", "url("})
        EXPECT_EQ(html.find(outside), std::string::npos) << outside;
    const std::regex reference("(src|href)=\"([^\"]*)\"");
    std::vector<std::string> found;
    for (std::sregex_iterator it(html.begin(), html.end(), reference), none; it != none; ++it)
        found.push_back((*it)[2]);
    EXPECT_EQ(found, std::vector<std::string>{"data:,"});
    // Every part that index.html names is in the page.
    for (const char* part : {"class Timeline", "class WriteLog", "--timeline-height", "function start()"})
        EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(Viewer, NoTextOfAJobEndsTheData) {
    Job job = job_of("NOP\n");
    job.file = "</script><script>alert(1)</script><!--.toml";
    const std::string html = page_of(job).html;
    EXPECT_EQ(page_data(html)["job"]["file"], job.file);
    EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
}

TEST(Viewer, OfPathsOnlyTheJobsIsThere) {
    Job job = load_job(TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml").value();
    job.file = "hangs.toml";
    const std::string html = page_of(job).html;
    EXPECT_EQ(html.find(TESSERA_SOURCE_DIR), std::string::npos);
    EXPECT_NE(html.find("unpack.tts:20"), std::string::npos);
    EXPECT_NE(html.find("hangs.toml"), std::string::npos);
}

TEST(Viewer, APageIsWrittenWholeOrNotAtAll) {
    const test::TemporaryDirectory directory;
    const ViewerPage page = page_of(job_of("NOP\n"));
    ASSERT_TRUE(write_page(page, directory / "page.html"));
    EXPECT_EQ(std::filesystem::file_size(directory / "page.html"), page.html.size());
    const auto nowhere = write_page(page, directory / "none/page.html");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, "viewer.write");
    EXPECT_EQ(directory.files(), 1u);
}

}  // namespace
}  // namespace tessera
