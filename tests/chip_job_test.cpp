// SPDX-License-Identifier: Apache-2.0
// Jobs with a grid of tiles: contents, what names in arguments stand for, places of errors, and a run.
#include "tessera/chip_job.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "support/grid_kernels.hpp"
#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"

namespace tessera {
namespace {

using test::GridKernel;

class ChipJobs : public testing::Test {
protected:
    ChipJobs() {
        directory_.write("halt.elf", test::KernelFile{.entry = 0x6000,
                                                      .segments = {{0x6000, test::words({0x0000006F})},
                                                                   {0x8000, std::string(128, '\0')}},
                                                      .symbols = {{"place", 0x8000, 8}, {"list", 0x8008, 120}}}
                                         .bytes());
    }

    Result<ChipJob> load(std::string_view text, std::string_view name = "job.toml") {
        return load_chip_job(directory_.write(name, text));
    }

    void refuses(std::string_view text, std::string_view code, int line, std::string_view part = "") {
        SCOPED_TRACE(text);
        const auto job = load(text);
        ASSERT_FALSE(job);
        EXPECT_EQ(job.error().code, code) << job.error().describe();
        EXPECT_EQ(job.error().line, line) << job.error().describe();
        EXPECT_NE(job.error().message.find(part), std::string::npos) << job.error().message;
    }

    /// The words that B's argument `list` has in a tile.
    std::vector<std::uint32_t> list(std::string_view head, std::string_view value, unsigned column, unsigned row,
                                    std::size_t count) {
        const auto job = load(
            fmt::format("{}\n[[tile]]\ncores = {{ brisc = \"halt.elf\" }}\narguments = {{ brisc = {{ list = {} }} }}\n",
                        head, value));
        if (!job) {
            ADD_FAILURE() << job.error().describe();
            return {};
        }
        auto chip = prepare(*job);
        EXPECT_TRUE(chip);
        const auto bytes = (*chip->tile(column, row))->read_l1(0x8008, 4 * count);
        std::vector<std::uint32_t> words(count);
        std::memcpy(words.data(), bytes->data(), bytes->size());
        return words;
    }

    test::TemporaryDirectory directory_;
};

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

// It is larger than L1.
TEST_F(ChipJobs, AnOutputMayLieAnywhereInDram) {
    const auto job = load("arch = \"wormhole\"\n[chip]\ngrid = [2, 2]\n[[dram]]\nchannel = 1\naddr = 0x2000000\nhex = \"0102\"\n"
                          "[[output]]\nchannel = 1\naddr = 0x2000000\nsize = 2\nfile = \"a.bin\"\n");
    ASSERT_TRUE(job) << job.error().describe();
    Chip chip = prepare(*job).value();
    EXPECT_EQ(std::get<std::vector<std::byte>>(read_outputs(*job, chip).value().at(0)), (std::vector{std::byte{1}, std::byte{2}}));
}

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
