// SPDX-License-Identifier: Apache-2.0
// Errors of jobs with a grid of tiles: mistakes in files with their place, and in jobs that a caller has changed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "support/chip_jobs.hpp"
#include "tessera/chip_job.hpp"

namespace tessera {
namespace {

using test::ChipJobs;

TEST_F(ChipJobs, MistakesHaveTheirPlace) {
    const auto with = [](std::string_view rest) {
        return fmt::format("arch = \"blackhole\"\n[chip]\ngrid = [2, 2]\n{}", rest);
    };
    ASSERT_TRUE(load(with("")));
    refuses("arch = \"blackhole\"\n", "job.missing-key", 1, "'chip'");
    refuses("[chip]\n", "job.missing-key", 1, "'arch'");
    refuses(with("columns = 3\n"), "job.unknown-key", 4, "chip has no key 'columns'");
    refuses(with("\"\" = 3\n"), "job.unknown-key", 4, "chip has no key ''");
    refuses(with("[[tile]]\n\"\" = 3\n"), "job.unknown-key", 5, "an entry of tile has no key ''");
    for (const std::string key : {"dram", "output", "tile"})
        refuses(key + " = 3\n" + with(""), "job.type", 1, key + " must be an array");
    refuses("sede = 1\n" + with(""), "job.unknown-key", 1, "did you mean seed?");
    refuses("output = [3]\n" + with(""), "job.type", 1, "an entry of output must be a table");
    refuses("arch = \"blackhole\"\n[chip]\ngrid = 2\n", "job.type", 3, "grid must be an array");
    refuses("arch = \"blackhole\"\n[chip]\ngrid = [2, \"2\"]\n", "job.type", 3, "grid must be an integer");
    refuses("arch = \"blackhole\"\n[chip]\ngrid = [2, 256]\n", "job.range", 3, "grid is 256");
    refuses(with("harvested = 3\n"), "job.type", 4, "harvested must be an array");
    refuses("arch = \"blackhole\"\n[chip]\ngrid = [15, 2]\n", "chip.grid", 3, "15 × 2");
    refuses("arch = \"blackhole\"\n[chip]\ngrid = [0, 2]\n", "chip.grid", 3);
    refuses("arch = \"blackhole\"\n[chip]\ngrid = [2]\n", "job.value", 3);
    refuses("arch = \"blackhole\"\n[chip]\ngrid = [14, 1]\nharvested = [3]\n", "chip.grid", 3);
    refuses(with("harvested = [8]\n"), "chip.harvested", 4);
    refuses(with("harvested = [1, 1]\n"), "chip.harvested", 4, "switched off twice");
    refuses(with("translation = 1\n"), "job.type", 4);

    for (const std::string key : {"l1 = []", "cores = {}", "threads = {}", "symbols = {}", "host = []", "done = []",
                                  "in_reset = []", "arguments = {}"})
        refuses(key + "\n" + with(""), "job.value", 1, "one tile");

    refuses(with("[[dram]]\nchannel = 8\naddr = 0\nhex = \"00\"\n"), "chip.dram", 5, "channel 8");
    refuses(with("[[dram]]\naddr = 0\nhex = \"00\"\n"), "job.missing-key", 4, "'channel'");
    refuses(with("[[dram]]\nchannel = \"0\"\naddr = 0\nhex = \"00\"\n"), "job.type", 5, "channel must be an integer");
    refuses(with("[[dram]]\nchannel = -1\naddr = 0\nhex = \"00\"\n"), "job.range", 5, "channel is -1");
    refuses(with("[[dram]]\nchannel = 0\naddr = 0x100000000\nhex = \"00\"\n"), "job.range", 6);
    refuses(with("[[dram]]\nchannel = 0\naddr = 0xFFFFFFFF\nhex = \"0000\"\n"), "job.range", 6, "DRAM");
    refuses(with("[[dram]]\nchannel = 0\naddr = 0\nhex = \"00\"\nformat = \"Int8\"\n"), "job.value", 8, "'format' belongs to npy");
    refuses(with("[[dram]]\nchannel = 0\naddr = 0\n"), "job.missing-key", 4, "an entry of dram needs npy");

    refuses(with("[[tile]]\ncolumns = 2\n"), "chip.tile", 5, "columns of the grid are 0 to 1");
    refuses(with("[[tile]]\nrows = [0, 2]\n"), "chip.tile", 5);
    refuses(with("[[tile]]\nrows = [1, 0]\n"), "job.value", 5);
    refuses(with("[[tile]]\nrows = [1]\n"), "job.type", 5);
    refuses(with("[[tile]]\nrows = [2, 0]\n"), "chip.tile", 5, "there is no 2");
    refuses(with("[[tile]]\nrows = [\"0\", 1]\n"), "job.type", 5, "rows must be an integer");
    refuses(with("[[tile]]\ncolumns = -1\n"), "job.range", 5, "columns is -1");
    ASSERT_TRUE(load(with("[[tile]]\ncolumns = [1, 1]\nrows = [0, 0]\n")));
    refuses(with("[[tile]]\n[[tile]]\ncolumns = 1\nrows = 0\n"), "job.value", 5,
            "tile (1, 0) is in two entries: that of line 4");
    const auto changed = load_chip_job(directory_.write("job.toml", with("")), {.keys = {{"tile", "[{}, {columns = 1}]"}}});
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().message, "tile (1, 0) is in two entries: another one has it already");
    const auto one_line = load(R"({"arch": "blackhole", "chip": {"grid": [2, 2]}, "tile": [{}, {"columns": 1}]})", "job.json");
    ASSERT_FALSE(one_line);
    EXPECT_EQ(one_line.error().message, "tile (1, 0) is in two entries: that of line 1 has it already");
    refuses(with("[[tile]]\nhost = []\n"), "job.unknown-key", 5);
    refuses(with("[[tile]]\nchannel = 1\n"), "job.unknown-key", 5);
    refuses(with("[[tile]]\ndone = []\n"), "job.value", 5, "'cores'");
    refuses(with("[[tile]]\n[[tile.l1]]\nchannel = 1\naddr = 0\nhex = \"00\"\n"), "job.unknown-key", 6);

    const auto argument = [&](std::string_view value) {
        return with(
            fmt::format("[[tile]]\ncores = {{ brisc = \"halt.elf\" }}\n[tile.arguments.brisc]\nplace = {}\n", value));
    };
    ASSERT_TRUE(load(argument("\"dram 7\"")));
    refuses(argument("\"dram 8\""), "chip.dram", 7);
    refuses(argument("\"tile 2 0\""), "chip.tile", 7);
    for (const auto name : {"\"dram\"", "\"dram 1 2\"", "\"dram x\"", "\"dram \"", "\"dram 4294967296\"",
                            "\"tile 1\"", "\"tile 1  0\"", "\"dram -1\"", "\"column \"", "\"\"", "[1, \"z\"]", "\"dram:1\"", "\"tile 0,1\""})
        refuses(argument(name), "job.value", 7, "names nothing of the chip");
    refuses(argument("[\"dram 1\", 0]"), "kernel.value", 7);
    refuses(argument("true"), "job.type", 7);

    const auto output = [&](std::string_view where) {
        return with(fmt::format("[[output]]\n{}\naddr = 0\nsize = 4\nfile = \"c\"\n", where));
    };
    ASSERT_TRUE(load(output("tile = [1, 1]")));
    refuses(output(""), "job.missing-key", 4, "'channel' or 'tile'");
    refuses(output("channel = 0\ntile = [0, 0]"), "job.value", 6, "exclude");
    refuses(output("channel = 9"), "chip.dram", 5);
    refuses(output("tile = [2, 0]"), "chip.tile", 5);
    refuses(output("tile = [1]"), "job.value", 5);
    refuses(output("tile = 1"), "job.type", 5, "tile must be an array");
    refuses(output("tile = [\"1\", 0]"), "job.type", 5, "the column must be an integer");
    refuses(output("tile = [1, \"0\"]"), "job.type", 5, "the row must be an integer");
    refuses(with("[[output]]\ntile = [0, 0]\naddr = 0x180000\nsize = 4\nfile = \"c\"\n"), "job.range", 6);
    refuses(with("[[output]]\ntile = [0, 0]\naddr = 0\nsize = 4\nfile = \"halt.elf\"\n[[tile]]\ncores = { brisc = "
                 "\"halt.elf\" }\n"),
            "job.value", 8);
}

TEST_F(ChipJobs, FilledInByACallerAreChecked) {
    const auto good = load(R"(arch = "blackhole"
[chip]
grid = [2, 2]
[[tile]]
rows = 0
cores = { brisc = "halt.elf" }
arguments = { brisc = { place = ["column", "row"] } }
)");
    ASSERT_TRUE(good) << good.error().describe();
    ASSERT_TRUE(prepare(*good));
    const auto refused = [&](auto change) {
        ChipJob job = *good;
        change(job, job.tiles.at(0));
        const auto chip = prepare(job);
        if (!chip && chip.error().code == "job.value") {
            EXPECT_EQ(chip.error().file, directory_ / "job.toml");
        }
        return chip ? std::string("taken") : fmt::format("{}: {}", chip.error().code, chip.error().message);
    };
    using Tiles = ChipJob::Tiles;
    EXPECT_EQ(refused([](ChipJob&, Tiles& tiles) { tiles.arguments[0].words.pop_back(); }),
              "job.value: the argument 'place': 2 tiles need as many lists of words, and there are 1");
    EXPECT_EQ(refused([](ChipJob&, Tiles& tiles) { tiles.arguments[0].words.clear(); }),
              "job.value: the argument 'place': 2 tiles need as many lists of words, and there are 0");
    EXPECT_EQ(refused([](ChipJob&, Tiles& tiles) { tiles.arguments[0].core = static_cast<RiscvCore>(99); }),
              "job.value: the argument 'place': there is no core 99: cores are 0 to 4");
    EXPECT_EQ(refused([](ChipJob&, Tiles& tiles) { tiles.arguments[0].core = static_cast<RiscvCore>(riscv_cores); }),
              "job.value: the argument 'place': there is no core 5: cores are 0 to 4");
    EXPECT_EQ(refused([](ChipJob&, Tiles& tiles) { tiles.arguments[0].core = RiscvCore::nc; }),
              "job.value: the argument 'place': cores has no kernel for ncrisc");
    EXPECT_EQ(refused([](ChipJob&, Tiles& tiles) { tiles.kernels.reset(); }),
              "job.value: the argument 'place': cores has no kernel for brisc");
    EXPECT_THAT(refused([](ChipJob&, Tiles& tiles) { tiles.arguments[0].symbol = "none"; }), testing::StartsWith("kernel.symbol: "));
    EXPECT_THAT(refused([](ChipJob&, Tiles& tiles) { tiles.arguments[0].words[1] = {1, 2, 3}; }), testing::StartsWith("kernel.value: "));
    EXPECT_THAT(refused([](ChipJob&, Tiles& tiles) { tiles.last_column = 2; }), testing::StartsWith("chip.tile: "));
    EXPECT_THAT(refused([](ChipJob&, Tiles& tiles) { tiles.last_row = UINT32_MAX; }), testing::StartsWith("chip.tile: "));
    EXPECT_EQ(refused([](ChipJob&, Tiles& tiles) { tiles.first_column = 1, tiles.last_column = 0; }),
              "job.value: there is no tile in columns 1 to 0, rows 0 to 0");
    EXPECT_EQ(refused([](ChipJob&, Tiles& tiles) { tiles.first_row = 1; }), "job.value: there is no tile in columns 0 to 1, rows 1 to 0");
    EXPECT_THAT(refused([](ChipJob& job, Tiles&) { job.chip.grid = ChipOptions::Size{99, 1}; }), testing::StartsWith("chip.grid: "));
    Tiles second;
    second.first_column = second.last_column = 1;
    EXPECT_EQ(refused([&](ChipJob& job, Tiles&) { job.tiles.push_back(second); }),
              "job.value: tile (1, 0) is in two entries: tiles[0] has it already");
    EXPECT_THAT(refused([](ChipJob& job, Tiles&) { job.dram.emplace_back().channel = 99; }), testing::StartsWith("chip.dram: "));
}

TEST_F(ChipJobs, AndJobsOfOneTileRefuseEachOther) {
    const auto one = load_job(directory_.write("chip.toml", "arch = \"blackhole\"\n[chip]\n"));
    ASSERT_FALSE(one);
    EXPECT_EQ(one.error().code, "job.chip");
    EXPECT_EQ(one.error().line, 2);
    for (const std::string key : {"[[tile]]", "[[dram]]"}) {
        const auto without = load_job(directory_.write("tile.toml", "arch = \"blackhole\"\n" + key + "\n"));
        ASSERT_FALSE(without);
        EXPECT_EQ(without.error().code, "job.value");
        EXPECT_NE(without.error().message.find("it needs 'chip'"), std::string::npos);
    }
    const auto output = load_job(directory_.write(
        "o.toml", "arch = \"blackhole\"\n[[output]]\nchannel = 1\naddr = 0\nsize = 4\nfile = \"c\"\n"));
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().code, "job.value");
    EXPECT_EQ(output.error().line, 3);
    const auto both = load_any_job(directory_ / "chip.toml"), tile = parse_any_job("arch = \"blackhole\"", "text");
    ASSERT_TRUE(both && tile);
    EXPECT_TRUE(std::holds_alternative<ChipJob>(*both));
    EXPECT_TRUE(std::holds_alternative<Job>(*tile));
}

TEST_F(ChipJobs, OutputsOfAChipThatCannotHaveRunTheJobAreRefused) {
    const auto job = load("arch = \"wormhole\"\n[chip]\ngrid = [2, 2]\n[[output]]\nchannel = 0\naddr = 0\nsize = 4\nfile = \"a.bin\"\n");
    ASSERT_TRUE(job) << job.error().describe();
    const struct {
        Arch arch;
        ChipOptions::Size grid;
        const char* code;
    } rows[] = {{Arch::blackhole, {2, 2}, "run.arch"}, {Arch::wormhole, {1, 2}, "chip.grid"}, {Arch::wormhole, {2, 1}, "chip.grid"}};
    const auto before = directory_.files();
    for (const auto& row : rows) {
        Chip chip = Chip::make(row.arch, {.grid = row.grid}).value();
        EXPECT_EQ(read_outputs(*job, chip).error().code, row.code);
        EXPECT_EQ(write_outputs(*job, chip).error().code, row.code);
    }
    Chip larger = Chip::make(Arch::wormhole, {.grid = ChipOptions::Size{3, 2}}).value();
    EXPECT_TRUE(read_outputs(*job, larger));
    // A caller may have changed the job since it was read.
    auto changed = *job;
    changed.outputs[0].what.address = larger.dram_bytes();
    EXPECT_EQ(read_outputs(changed, larger).error().code, "dram.range");
    EXPECT_EQ(write_outputs(changed, larger).error().code, "dram.range");
    changed = *job;
    changed.outputs.push_back(changed.outputs[0]);
    changed.outputs[1].what.path = directory_ / "missing/b.bin";
    EXPECT_EQ(write_outputs(changed, larger).error().code, "npy.open");
    EXPECT_EQ(directory_.files(), before);
}

}  // namespace
}  // namespace tessera
