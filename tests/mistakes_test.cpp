// SPDX-License-Identifier: Apache-2.0
// examples/mistakes: each mistake gives its finding and places, on both chips and under delays. Correct programs have
// no finding above info.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "findings/catalogue.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/job.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

const fs::path folder = TESSERA_SOURCE_DIR "/examples/mistakes";

struct Mistake {
    std::string name, code, line, other_line;
};

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The rows of README.md's table.
std::vector<Mistake> mistakes() {
    std::vector<Mistake> rows;
    const std::regex row(R"(\| `(\w+)` \|.*\| `([\w.-]+)` \| (\d+) \| (\d*) ?\|)");
    std::istringstream text(text_of(folder / "README.md"));
    std::smatch found;
    for (std::string line; std::getline(text, line);)
        if (std::regex_match(line, found, row)) rows.push_back({found[1], found[2], found[3], found[4]});
    return rows;
}

TEST(Mistakes, EveryFolderIsInTheTable) {
    std::size_t folders = 0;
    for (const auto& entry : fs::directory_iterator(folder)) folders += entry.is_directory();
    EXPECT_EQ(mistakes().size(), folders);
    EXPECT_GE(folders, 15u);
}

class MistakeOf : public testing::TestWithParam<std::tuple<Arch, Mistake>> {
protected:
    /// The job of this chip: its comments have Wormhole's numbers.
    tessera::Run run(const std::string& job, std::optional<std::uint64_t> seed = std::nullopt,
                     const std::map<std::string, Level>& levels = {}) const {
        const auto& [arch, mistake] = GetParam();
        std::string text = text_of(folder / mistake.name / (job + ".toml"));
        if (arch == Arch::wormhole) {
            text = std::regex_replace(text, std::regex("\"blackhole\""), "\"wormhole\"");
            text = std::regex_replace(text, std::regex("= \\w+( +#.*on Wormhole (\\w+))"), "= $2");
        }
        const test::TemporaryDirectory directory;
        fs::create_directory(directory / mistake.name);
        fs::copy_file(folder / "tile.npy", directory / "tile.npy");
        fs::copy_file(folder / mistake.name / "threads.tts", directory / (mistake.name + "/threads.tts"));
        directory.write(mistake.name + "/job.toml", text);
        Job loaded = load_job(directory / (mistake.name + "/job.toml")).value();
        Core core = prepare(loaded).value();
        loaded.options.seed = seed;
        for (const auto& [code, level] : levels) loaded.options.levels[code] = level;
        loaded.options.max_cycles = 10'000;
        return core.run(loaded.program, loaded.options).value();
    }
};

std::string place(const std::string& line) { return "threads.tts:" + line; }

// Checks for findings at level off are skipped, which changes nothing else.
TEST_P(MistakeOf, RunsAlikeWhereNothingIsTold) {
    std::map<std::string, Level> levels;
    for (const auto& row : findings::catalogue)
        if (row.kind == findings::Kind::finding) levels[std::string(row.code)] = Level::off;
    const auto reported = run("wrong"), silent = run("wrong", std::nullopt, levels);
    EXPECT_FALSE(reported.findings.empty());
    EXPECT_TRUE(silent.findings.empty());
    EXPECT_EQ(silent.cycles, reported.cycles);
    EXPECT_EQ(silent.instructions, reported.instructions);
    ASSERT_EQ(silent.waits.size(), reported.waits.size());
    for (std::size_t i = 0; i < reported.waits.size(); ++i) {
        EXPECT_EQ(silent.waits[i].reason, reported.waits[i].reason);
        EXPECT_EQ(silent.waits[i].cycles, reported.waits[i].cycles);
    }
}

TEST_P(MistakeOf, IsTold) {
    const Mistake& mistake = std::get<1>(GetParam());
    const auto wrong = run("wrong");
    EXPECT_FALSE(wrong.fault) << wrong.fault->describe();
    std::string reported;
    bool found = false;
    for (const Finding& finding : wrong.findings) {
        reported += finding.describe() + "\n";
        if (finding.code != mistake.code) continue;
        const auto names = [&](const std::string& line) {
            return line.empty() || finding.where.place.ends_with(place(line)) ||
                   finding.message.find(place(line)) != std::string::npos;
        };
        found |= names(mistake.line) && names(mistake.other_line);
        EXPECT_FALSE(finding.cure.empty());
    }
    EXPECT_TRUE(found) << reported;
}

TEST_P(MistakeOf, IsToldUnderDelays) {
    const Mistake& mistake = std::get<1>(GetParam());
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const auto wrong = run("wrong", seed);
        bool found = false;
        for (const Finding& finding : wrong.findings) found |= finding.code.substr(0, 10) == mistake.code.substr(0, 10);
        EXPECT_TRUE(found) << "seed " << seed;
    }
}

TEST_P(MistakeOf, IsNotToldOfWhatIsRight) {
    const Mistake& mistake = std::get<1>(GetParam());
    for (std::uint64_t seed = 0; seed <= 10; ++seed) {
        const auto right = run("right", seed ? std::optional(seed) : std::nullopt);
        EXPECT_FALSE(right.fault) << right.fault->describe();
        for (const Finding& finding : right.findings)
            EXPECT_TRUE(finding.level <= Level::info && finding.code != mistake.code)
                << "seed " << seed << ": " << finding.describe();
    }
}

INSTANTIATE_TEST_SUITE_P(All, MistakeOf, testing::Combine(testing::ValuesIn(all_archs), testing::ValuesIn(mistakes())),
                         [](const auto& parameter) {
                             return fmt::format("{}_{}", name(std::get<0>(parameter.param)),
                                                std::get<1>(parameter.param).name);
                         });

}  // namespace
}  // namespace tessera
