// SPDX-License-Identifier: Apache-2.0
// Jobs with a grid of tiles: contents, what names in arguments stand for, outputs, and a run.
#include "tessera/chip_job.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "support/chip_jobs.hpp"
#include "support/grid_kernels.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::ChipJobs;
using test::GridKernel;

using Words = std::vector<std::uint32_t>;

void expect_all(const Result<ChipJob>& job) {
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_EQ(job->arch, Arch::wormhole);
    ASSERT_TRUE(job->chip.grid);
    EXPECT_EQ(job->chip.grid->columns, 3u);
    EXPECT_EQ(job->chip.grid->rows, 2u);
    EXPECT_EQ(job->chip.harvested, (std::vector<unsigned>{2, 11}));
    EXPECT_TRUE(job->chip.translation);
    EXPECT_EQ(job->chip.reset, Reset::vendor_sim);
    EXPECT_EQ(job->options.timing, Timing::instant);
    EXPECT_EQ(job->options.max_cycles, 1000u);
    EXPECT_EQ(job->options.seed, 7u);
    EXPECT_EQ(job->options.levels.at("l1.format"), Level::error);
    ASSERT_EQ(job->dram.size(), 1u);
    EXPECT_EQ(job->dram[0].channel, 5u);
    EXPECT_EQ(job->dram[0].region.address, 0x40u);
    EXPECT_EQ(job->dram[0].region.bytes, (std::vector{std::byte{1}, std::byte{2}}));
    ASSERT_EQ(job->tiles.size(), 2u);
    const auto& [first, second] = std::tie(job->tiles[0], job->tiles[1]);
    EXPECT_EQ(first.first_column, 1u);
    EXPECT_EQ(first.last_column, 2u);
    EXPECT_EQ(first.first_row, 0u);
    EXPECT_EQ(first.last_row, 1u);
    ASSERT_TRUE(first.kernels);
    EXPECT_TRUE(first.kernels->images[0]);
    EXPECT_TRUE(first.kernels->in_reset[0]);
    ASSERT_EQ(first.kernels->done.size(), 1u);
    EXPECT_EQ(first.kernels->done[0].value, 3u);
    EXPECT_EQ(first.l1.size(), 1u);
    EXPECT_EQ(second.first_column, 0u);
    EXPECT_EQ(second.last_column, 0u);
    EXPECT_EQ(second.first_row, 1u);
    EXPECT_FALSE(second.kernels);
    ASSERT_EQ(job->outputs.size(), 2u);
    EXPECT_EQ(job->outputs[0].channel, 1u);
    EXPECT_EQ(job->outputs[0].what.rows, 32u);
    EXPECT_FALSE(job->outputs[1].channel);
    EXPECT_EQ(job->outputs[1].column, 2u);
    EXPECT_EQ(job->outputs[1].row, 1u);
    EXPECT_EQ(job->outputs[1].what.size, 16u);
    EXPECT_EQ(job->inputs.size(), 2u);
}

TEST_F(ChipJobs, AreReadFromBothFormats) {
    expect_all(load(R"(arch = "wormhole"
reset = "vendor-sim"
timing = "instant"
max_cycles = 1000
seed = 7
findings = { l1.format = "error" }
[chip]
grid = [3, 2]
harvested = [2, 11]
translation = true
[[dram]]
channel = 5
addr = 0x40
hex = "0102"
[[tile]]
columns = [1, 2]
in_reset = ["brisc"]
done = [{ addr = 0, value = 3 }]
[tile.cores]
brisc = "halt.elf"
[[tile.l1]]
addr = 0
words = [1]
[[tile]]
columns = 0
rows = 1
[[output]]
channel = 1
addr = 0
shape = [32, 32]
format = "Float32"
npy = "c.npy"
[[output]]
tile = [2, 1]
addr = 0
size = 16
file = "c.bin"
)"));
    expect_all(load(R"({"output": [
  {"channel": 1, "addr": 0, "shape": [32, 32], "format": "Float32", "npy": "c.npy"},
  {"tile": [2, 1], "addr": 0, "size": 16, "file": "c.bin"}],
 "tile": [{"columns": [1, 2], "in_reset": ["brisc"], "done": [{"addr": 0, "value": 3}], "cores": {"brisc": "halt.elf"},
           "l1": [{"addr": 0, "words": [1]}]}, {"columns": 0, "rows": 1}],
 "dram": [{"channel": 5, "addr": 64, "hex": "0102"}],
 "chip": {"grid": [3, 2], "harvested": [2, 11], "translation": true},
 "findings": {"l1.format": "error"}, "seed": 7, "max_cycles": 1000, "timing": "instant", "reset": "vendor-sim", "arch": "wormhole"})",
                    "job.json"));
}

// Places: tt-isa-documentation, WormholeB0/NoC/Coordinates and BlackholeA0/README; DRAM: CHIP_FACTS 3.
TEST_F(ChipJobs, NamesStandForFactsOfTheChip) {
    const std::string blackhole = "arch = \"blackhole\"\n[chip]\ngrid = [8, 3]\nharvested = [2]";
    EXPECT_EQ(list(blackhole, R"(["columns", "rows", -1, "column", "row"])", 5, 2, 5),
              (Words{8, 3, 0xFFFF'FFFF, 5, 2}));
    // Columns 8 and 9 are no Tensix tiles, and column 2 is switched off.
    EXPECT_EQ(list(blackhole, "\"xs\"", 0, 0, 8), (Words{1, 3, 4, 5, 6, 7, 10, 11}));
    EXPECT_EQ(list(blackhole, "\"ys\"", 0, 0, 3), (Words{2, 3, 4}));
    EXPECT_EQ(list(blackhole, R"(["x", "y", "tile 7 1"])", 6, 2, 4), (Words{10, 4, 11, 3}));
    const std::string wormhole = "arch = \"wormhole\"\n[chip]\ngrid = [6, 5]\nharvested = [3]";
    EXPECT_EQ(list(wormhole, R"(["xs", "ys"])", 0, 0, 11), (Words{1, 2, 3, 4, 6, 7, 1, 2, 4, 5, 7}));
    // Translated coordinates have no gaps, and begin at 18 on Wormhole.
    EXPECT_EQ(list(wormhole + "\ntranslation = true", R"(["xs", "ys", "x"])", 4, 0, 12),
              (Words{18, 19, 20, 21, 22, 23, 18, 19, 20, 21, 22, 22}));
    EXPECT_EQ(list(blackhole + "\ntranslation = true", R"("xs")", 0, 0, 8), (Words{1, 2, 3, 4, 5, 6, 7, 10}));
    // Grids of one row and of one column
    EXPECT_EQ(list("arch = \"blackhole\"\n[chip]\ngrid = [2, 1]", "\"xs\"", 1, 0, 2), (Words{1, 2}));
    EXPECT_EQ(list("arch = \"blackhole\"\n[chip]\ngrid = [1, 2]", "\"ys\"", 0, 1, 2), (Words{2, 3}));
    for (const auto arch : {"blackhole", "wormhole"})
        for (unsigned channel = 0; channel < 6; ++channel) {
            const auto chip = Chip::make(*parse_arch(arch));
            const auto place = *chip->dram_place(channel);
            EXPECT_EQ(list(fmt::format("arch = \"{}\"\n[chip]\ngrid = [1, 1]", arch),
                           fmt::format("[\"dram {}\", 4]", channel), 0, 0, 3),
                      (Words{place.x, place.y, 4}));
        }
}

// An entry that begins in the middle of the grid, and is no square.
TEST_F(ChipJobs, EachTileOfAnEntryHasItsOwnArguments) {
    const auto job = load(R"(arch = "blackhole"
[chip]
grid = [5, 4]
[[tile]]
columns = [1, 3]
rows = [2, 3]
cores = { brisc = "halt.elf" }
[tile.arguments.brisc]
place = ["column", "row"]
list = ["x", 7, "y"]
)");
    ASSERT_TRUE(job) << job.error().describe();
    auto chip = prepare(*job);
    ASSERT_TRUE(chip) << chip.error().describe();
    const auto words = [&](unsigned column, unsigned row) {
        const auto bytes = (*chip->tile(column, row))->read_l1(0x8000, 20).value();
        Words read(5);
        std::memcpy(read.data(), bytes.data(), bytes.size());
        return read;
    };
    for (unsigned row = 2; row <= 3; ++row)
        for (unsigned column = 1; column <= 3; ++column) {
            const NocPlace at = chip->coordinates(column, row).value();
            EXPECT_EQ(words(column, row), (Words{column, row, at.x, 7, at.y})) << column << ", " << row;
        }
    for (const auto& [column, row] : {std::pair{0u, 2u}, {4u, 3u}, {1u, 1u}, {3u, 0u}})
        EXPECT_EQ(words(column, row), Words(5)) << column << ", " << row;
    // A name without a list
    const std::string grid = "arch = \"blackhole\"\n[chip]\ngrid = [3, 2]";
    EXPECT_EQ(list(grid, "\"column\"", 2, 1, 1), Words{2});
    EXPECT_EQ(list(grid, "\"y\"", 2, 1, 1), Words{3});
}

TEST_F(ChipJobs, OnlyArgumentsThatDifferAreKeptForEachTile) {
    const auto job = load(R"(arch = "blackhole"
[chip]
grid = [2, 2]
[[tile]]
cores = { brisc = "halt.elf" }
arguments = { brisc = { place = ["columns", 9], list = ["dram 1", "x"] } }
)");
    ASSERT_TRUE(job) << job.error().describe();
    const auto& tiles = job->tiles.at(0);
    ASSERT_EQ(tiles.arguments.size(), 1u);
    EXPECT_EQ(tiles.arguments[0].core, RiscvCore::b);
    EXPECT_EQ(tiles.arguments[0].symbol, "list");
    EXPECT_EQ(tiles.arguments[0].words.size(), 4u);
    Words same(2);
    std::memcpy(same.data(), tiles.kernels->images[0]->segments.at(1).bytes.data(), 8);
    EXPECT_EQ(same, (Words{2, 9}));
}

TEST_F(ChipJobs, InputsAreAllFilesThatAreRead) {
    directory_.write("raw.bin", "wxyz");
    directory_.write("own.bin", "wxyz");
    ASSERT_TRUE(write_npy(directory_ / "a.npy", {32, 32, std::vector<float>(1024)}));
    const auto with = [](std::string_view output) {
        return fmt::format(R"(arch = "blackhole"
[chip]
grid = [2, 2]
[[dram]]
channel = 0
addr = 0
npy = "a.npy"
format = "Float32"
[[dram]]
channel = 1
addr = 0
file = "raw.bin"
[[tile]]
columns = 0
[[tile]]
columns = 1
cores = {{ brisc = "halt.elf" }}
l1 = [{{ addr = 0, file = "own.bin" }}]
[[output]]
channel = 0
addr = 0
size = 4
file = "c.bin"
[[output]]
tile = [1, 1]
addr = 0
size = 4
file = "{}"
)",
                           output);
    };
    const auto job = load(with("d.bin"));
    ASSERT_TRUE(job) << job.error().describe();
    EXPECT_THAT(job->inputs, testing::UnorderedElementsAre(directory_ / "a.npy", directory_ / "raw.bin",
                                                           directory_ / "own.bin", directory_ / "halt.elf",
                                                           directory_ / "job.toml"));
    for (const char* file : {"a.npy", "raw.bin", "own.bin", "halt.elf", "job.toml", "c.bin"})
        refuses(with(file), "job.value", 28, file);
    // A job that may be of either kind.
    const std::string any = directory_.write("any.toml", with("d.bin"));
    const std::string one = directory_.write("one.toml", "arch = \"blackhole\"\n");
    EXPECT_EQ(std::get<ChipJob>(*load_any_job(any)).inputs.back(), any);
    EXPECT_EQ(std::get<Job>(*load_any_job(one)).inputs, std::vector{one});
}

TEST_F(ChipJobs, MemoryIsThatOfTheJob) {
    auto job = load(R"(arch = "wormhole"
[chip]
grid = [2, 2]
[[dram]]
channel = 3
addr = 0x40
hex = "010203"
[[dram]]
channel = 2
addr = 0x40
hex = "FF"
[[tile]]
columns = 1
l1 = [{ addr = 0x100, hex = "0405" }, { addr = 0x102, hex = "06" }]
[[output]]
channel = 3
addr = 0x40
size = 4
file = "a.bin"
[[output]]
tile = [1, 1]
addr = 0x100
size = 4
file = "b.bin"
[[output]]
tile = [0, 1]
addr = 0x100
size = 4
file = "c.bin"
)");
    ASSERT_TRUE(job) << job.error().describe();
    auto chip = prepare(*job);
    ASSERT_TRUE(chip) << chip.error().describe();
    const auto values = read_outputs(*job, *chip);
    ASSERT_TRUE(values);
    const std::vector<std::vector<unsigned char>> expected = {{1, 2, 3, 0}, {4, 5, 6, 0}, {0, 0, 0, 0}};
    ASSERT_EQ(values->size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto& bytes = std::get<std::vector<std::byte>>(values->at(i));
        EXPECT_TRUE(std::ranges::equal(bytes, std::as_bytes(std::span(expected[i])))) << i;
    }
    // Outputs are checked again when they are written, since a caller may have changed the job.
    const auto before = directory_.files();
    job->outputs[1].what.path = job->outputs[0].what.path;
    EXPECT_EQ(write_outputs(*job, *chip).error().code, "output.twice");
    job->outputs[1].what.path = directory_ / "job.toml";
    EXPECT_EQ(write_outputs(*job, *chip).error().code, "output.input");
    EXPECT_EQ(directory_.files(), before);
    job->outputs[1].what.path = directory_ / "b.bin";
    EXPECT_TRUE(write_outputs(*job, *chip));
    EXPECT_EQ(directory_.files(), before + 3);
}

// It is larger than L1.
TEST_F(ChipJobs, AnOutputMayLieAnywhereInDram) {
    const auto job = load("arch = \"wormhole\"\n[chip]\ngrid = [2, 2]\n[[dram]]\nchannel = 1\naddr = 0x2000000\nhex = \"0102\"\n"
                          "[[output]]\nchannel = 1\naddr = 0x2000000\nsize = 2\nfile = \"a.bin\"\n");
    ASSERT_TRUE(job) << job.error().describe();
    Chip chip = prepare(*job).value();
    EXPECT_EQ(std::get<std::vector<std::byte>>(read_outputs(*job, chip).value().at(0)), (std::vector{std::byte{1}, std::byte{2}}));
}

TEST_F(ChipJobs, TakeValuesFromOutside) {
    const std::string text = "arch = \"blackhole\"\n[chip]\ngrid = [2, 2]\n";
    const auto changed = parse_chip_job(text, "text", {.keys = {{"chip.grid", "[3, 1]"}, {"seed", "4"}}});
    ASSERT_TRUE(changed) << changed.error().describe();
    EXPECT_EQ(changed->chip.grid->columns, 3u);
    EXPECT_EQ(changed->options.seed, 4u);
    EXPECT_FALSE(parse_chip_job(text, "text", {.symbols = {{"A", 1}}}));
}

class ChipJobRun : public testing::TestWithParam<std::tuple<Arch, bool>> {};

// One tile sends 16 bytes to the other one and to DRAM.
TEST_P(ChipJobRun, TilesExchangeByNoc) {
    const auto [arch, translation] = GetParam();
    const test::TemporaryDirectory directory;
    directory.write("sender.elf", GridKernel::sender(arch));
    directory.write("receiver.elf", GridKernel::receiver(arch));
    const auto job = load_chip_job(directory.write("job.toml", fmt::format(R"(arch = "{}"
[chip]
grid = [2, 2]
translation = {}
[[tile]]
columns = 0
rows = 1
done = [{{ addr = 0x20010, value = 1 }}]
cores = {{ brisc = "sender.elf" }}
l1 = [{{ addr = 0x20000, words = [11, 22, 33, 44, 0] }}]
[tile.arguments.brisc]
own = ["x", "y"]
to = "tile 1 0"
dram = ["dram 3", 0x100]
[[tile]]
columns = 1
rows = 0
done = [{{ addr = 0x20010, value = 1 }}]
cores = {{ brisc = "receiver.elf" }}
l1 = [{{ addr = 0x20000, words = [0, 0, 0, 0, 0] }}]
[[output]]
tile = [1, 0]
addr = 0x20000
size = 16
file = "tile.bin"
[[output]]
channel = 3
addr = 0x100
size = 16
file = "dram.bin"
)",
                                                                           name(arch), translation)));
    ASSERT_TRUE(job) << job.error().describe();
    auto chip = prepare(*job);
    ASSERT_TRUE(chip) << chip.error().describe();
    const auto run = chip->run({.tile = job->options});
    ASSERT_TRUE(run) << run.error().describe();
    ASSERT_FALSE(run->fault) << run->fault->describe();
    EXPECT_EQ(run->tiles.size(), 2u);
    const auto values = read_outputs(*job, *chip);
    ASSERT_TRUE(values);
    const std::string sent = test::words({11, 22, 33, 44});
    for (const auto& value : *values) {
        const auto& bytes = std::get<std::vector<std::byte>>(value);
        EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), sent);
    }
    ASSERT_TRUE(write_outputs(*job, *chip));
    EXPECT_EQ(test::contents(directory / "tile.bin"), sent);
    EXPECT_EQ(test::contents(directory / "dram.bin"), sent);
}

INSTANTIATE_TEST_SUITE_P(Chips, ChipJobRun,
                         testing::Combine(testing::Values(Arch::blackhole, Arch::wormhole), testing::Bool()));

}  // namespace
}  // namespace tessera
