// SPDX-License-Identifier: Apache-2.0
// load_kernel() on a valid file: bytes and their places, symbols, lines.
#include <gtest/gtest.h>

#include "support/kernel_file.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/kernels.hpp"

namespace tessera {
namespace {

using test::KernelFile;
using test::words;

constexpr std::uint32_t local = 0xFFB0'0000;

KernelImage load(const KernelFile& file) {
    const test::TemporaryDirectory directory;
    auto image = load_kernel(directory.write("kernel.elf", file.bytes()));
    if (!image) throw std::runtime_error(image.error().describe());
    return *std::move(image);
}

std::string text_of(const KernelImage::Segment& segment) {
    return {reinterpret_cast<const char*>(segment.bytes.data()), segment.bytes.size()};
}

TEST(RiscvCores, HaveNames) {
    EXPECT_EQ(name(RiscvCore::b), "brisc");
    EXPECT_EQ(name(RiscvCore::t2), "trisc2");
    EXPECT_EQ(name(RiscvCore::nc), "ncrisc");
    for (const auto core : {RiscvCore::b, RiscvCore::t0, RiscvCore::t1, RiscvCore::t2, RiscvCore::nc})
        EXPECT_EQ(parse_riscv_core(name(core)), core);
    EXPECT_FALSE(parse_riscv_core("trisc3"));
    EXPECT_FALSE(parse_riscv_core(""));
}

TEST(LoadKernel, TakesSegmentsWithTheirTails) {
    const KernelImage image = load({.segments = {{0x6000, words({0x00000513, 0x00008067})}, {local, "data", 12}}});
    EXPECT_EQ(image.entry, 0x6000u);
    ASSERT_EQ(image.segments.size(), 2u);
    EXPECT_EQ(image.segments[0].address, 0x6000u);
    EXPECT_EQ(text_of(image.segments[0]), words({0x00000513, 0x00008067}));
    EXPECT_EQ(image.segments[1].address, local);
    EXPECT_EQ(text_of(image.segments[1]), std::string("data\0\0\0\0\0\0\0\0", 12));
    EXPECT_TRUE(image.lines.empty());
    EXPECT_EQ(image.place(0x6000), "");
    EXPECT_EQ(image.function(0x6000), "");
}

// spec-notes K1.
TEST(LoadKernel, PutsBytesAlsoWhereStartUpCodeTakesThemFrom) {
    const KernelImage image = load({.segments = {{0x6000, words({0})}, {local + 16, "data", 64, 0x7000}}});
    ASSERT_EQ(image.segments.size(), 3u);
    EXPECT_EQ(image.segments[1].bytes.size(), 64u);
    EXPECT_EQ(image.segments[2].address, 0x7000u);
    EXPECT_EQ(image.segments[2].runs_at, local + 16);
    EXPECT_EQ(text_of(image.segments[2]), "data");
}

// spec-notes K1. Symbols of start-up code are about local memory.
TEST(LoadKernel, PutsCodeOfAnInstructionRamAlsoWhereTheMoverTakesItFrom) {
    constexpr std::uint32_t instruction_ram = 0xFFC0'0000;
    const KernelImage image = load(
        {.entry = instruction_ram,
         .segments = {{instruction_ram, words({0, 0}), 0, 0x1'2000}},
         .symbols = {{"__loader_init_start", 0xF000}, {"__loader_init_end", 0x10000}, {"__ldm_data_start", local}}});
    ASSERT_EQ(image.segments.size(), 2u);
    EXPECT_EQ(image.segments[0].address, instruction_ram);
    EXPECT_EQ(image.segments[1].address, 0x1'2000u);
    EXPECT_EQ(image.segments[1].runs_at, instruction_ram);
}

// spec-notes K1.
TEST(LoadKernel, FillsTheKernelLibrarysLoaderInit) {
    KernelFile file{
        .segments = {{0x6000, words({0})}, {local + 16, "data"}},
        .symbols = {{"__loader_init_start", 0xF000}, {"__loader_init_end", 0x10000}, {"__ldm_data_start", local}}};
    const KernelImage image = load(file);
    ASSERT_EQ(image.segments.size(), 3u);
    EXPECT_EQ(image.segments[2].address, 0xF010u);
    EXPECT_EQ(image.segments[2].runs_at, local + 16);
    EXPECT_EQ(text_of(image.segments[2]), "data");
    file.symbols[1].address = 0xF000;  // no such part of L1
    EXPECT_EQ(load(file).segments.size(), 2u);
    file.symbols[1].address = 0xF013;
    const test::TemporaryDirectory directory;
    EXPECT_EQ(load_kernel(directory.write("kernel.elf", file.bytes())).error().code, "elf.format");
}

// spec-notes K1.
TEST(LoadKernel, LeavesRoomWithoutBytesInL1Alone) {
    const KernelImage image = load({.segments = {{0x6000, words({0})}, {0x20000, "", 1024}, {local, "", 32}}});
    ASSERT_EQ(image.segments.size(), 2u);
    EXPECT_EQ(image.segments[1].address, local);
    EXPECT_EQ(text_of(image.segments[1]), std::string(32, '\0'));
}

KernelFile with_symbols() {
    return {.segments = {{0x6000, words({0, 0, 0, 0, 0, 0, 0, 0})}, {local, words({1, 2, 3}), 24}},
            .symbols = {{"_start", 0x6000, 0, STT_FUNC, 1},
                        {"_Z4workj", 0x6008, 8, STT_FUNC, 1},
                        {"$x", 0x600C, 0, STT_NOTYPE, 1},
                        {".L3", 0x600C, 0, STT_NOTYPE, 1},
                        {"label", 0x6014, 0, STT_NOTYPE, 1},
                        {"kernel.cpp", 0, 0, STT_FILE},
                        {"elsewhere", 0, 0, STT_NOTYPE, SHN_UNDEF},
                        {"tiles", local, 4},
                        {"_ZN5layer5sizesE", local + 4, 8},
                        {"__ldm_bss_start", local + 12},
                        {"count", local + 12, 4},
                        {"__ldm_bss_end", local + 24},
                        {"__runtime_args_start", 0x20000}}};
}

TEST(KernelImage, KnowsSymbols) {
    const KernelImage image = load(with_symbols());
    EXPECT_EQ(image.symbols.size(), 9u);
    EXPECT_TRUE(std::is_sorted(image.symbols.begin(), image.symbols.end(),
                               [](const auto& a, const auto& b) { return a.address < b.address; }));
    ASSERT_TRUE(image.find_symbol("tiles"));
    EXPECT_EQ(image.find_symbol("tiles")->address, local);
    EXPECT_EQ(image.find_symbol("tiles")->size, 4u);
    EXPECT_FALSE(image.find_symbol("tiles")->function);
    ASSERT_TRUE(image.find_symbol("layer::sizes"));
    EXPECT_EQ(image.find_symbol("layer::sizes")->address, local + 4);
    for (const char* none : {"elsewhere", "kernel.cpp", "$x", ".L3", "layer::none", ""})
        EXPECT_FALSE(image.find_symbol(none)) << none;
}

TEST(KernelImage, NamesFunctions) {
    const KernelImage image = load(with_symbols());
    EXPECT_EQ(image.function(0x5FFC), "");
    EXPECT_EQ(image.function(0x6000), "_start");
    EXPECT_EQ(image.function(0x6004), "_start+0x4");
    EXPECT_EQ(image.function(0x6008), "work(unsigned int)");
    EXPECT_EQ(image.function(0x600C), "work(unsigned int)+0x4");
    EXPECT_EQ(image.function(0x6010), "");  // behind its end
    EXPECT_EQ(image.function(0x6018), "label+0x4");
}

TEST(KernelImage, VariablesGetOtherValues) {
    KernelImage image = load(with_symbols());
    const std::vector<std::uint32_t> one{7}, two{8, 9};
    ASSERT_TRUE(image.set_words("tiles", one));
    ASSERT_TRUE(image.set_words("layer::sizes", two));
    EXPECT_EQ(text_of(image.segments[1]).substr(0, 12), words({7, 8, 9}));
    ASSERT_TRUE(image.set_words("__runtime_args_start", two));
    EXPECT_EQ(image.segments.back().address, 0x20000u);
    EXPECT_EQ(text_of(image.segments.back()), words({8, 9}));

    const auto code = [&](std::string_view symbol, std::span<const std::uint32_t> values) {
        const auto done = image.set_words(symbol, values);
        return done ? std::string("none") : done.error().code;
    };
    EXPECT_EQ(code("tile", one), "kernel.symbol");
    EXPECT_NE(image.set_words("tile", one).error().message.find("tiles"), std::string::npos);
    EXPECT_EQ(code("tiles", two), "kernel.value");
    EXPECT_EQ(code("_start", one), "kernel.value");
    EXPECT_EQ(code("count", one), "kernel.value");  // spec-notes K2
}

TEST(KernelImage, VariablesOfBssGetNone) {
    // A linker script may name the ends of .bss as it likes.
    KernelImage image = load({.segments = {{0x6000, words({0})}, {local, words({1}), 8}},
                              .symbols = {{"set", local, 4}, {"bss_begin", local + 4, 0, STT_NOTYPE, 2}, {"unset", local + 4, 4, STT_OBJECT, 2}}});
    const std::vector<std::uint32_t> value{5};
    EXPECT_TRUE(image.set_words("set", value));
    const auto done = image.set_words("unset", value);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, "kernel.value");
}

TEST(KernelImage, VariablesGetValuesWhereStartUpCodeTakesThemFrom) {
    KernelImage image = load(
        {.segments = {{0x6000, words({0})}, {local, words({1, 2}), 8, 0x7000}}, .symbols = {{"second", local + 4, 4}}});
    const std::vector<std::uint32_t> value{5};
    ASSERT_TRUE(image.set_words("second", value));
    EXPECT_EQ(text_of(image.segments[1]), words({1, 5}));
    EXPECT_EQ(text_of(image.segments[2]), words({1, 5}));
    EXPECT_EQ(image.segments.size(), 3u);
}

class Lines : public testing::TestWithParam<unsigned> {
protected:
    static std::string place(const KernelImage& image, std::uint32_t address) {
        const std::string all = image.place(address);
        return all.empty() ? all : all.substr(all.rfind('/') + 1);
    }
};

TEST_P(Lines, AreFoundByAddress) {
    const KernelImage image =
        load({.segments = {{0x6000, std::string(64, '\0')}},
              .lines = {{0x6000, 10}, {0x6004, 12}, {0x6004, 13}, {0x6010, 9}, {0x6018, 0}, {0x6020, 300}, {0x6024, 0}},
              .dwarf = GetParam()});
    EXPECT_EQ(image.place(0x6000), "/src/kernel.cpp:10");
    EXPECT_EQ(place(image, 0x5FFC), "");
    EXPECT_EQ(place(image, 0x6004), "kernel.cpp:13");  // the last row counts
    EXPECT_EQ(place(image, 0x600C), "kernel.cpp:13");
    EXPECT_EQ(place(image, 0x6014), "kernel.cpp:9");
    EXPECT_EQ(place(image, 0x6018), "");
    EXPECT_EQ(place(image, 0x6020), "kernel.cpp:300");
    EXPECT_EQ(place(image, 0x6024), "");
    EXPECT_EQ(place(image, 0xFFFF'FFFC), "");
}

TEST_P(Lines, OfFunctionsThatWereLeftOutAreNotTaken) {
    const KernelImage image = load({.entry = 0,
                                    .segments = {{0, std::string(64, '\0')}},
                                    .symbols = {{"_start", 0, 16, STT_FUNC, 1}, {"work", 0x20, 8, STT_FUNC, 1}},
                                    .lines = {{0, 5}, {16, 0}, {0x20, 7}, {0x28, 0}},
                                    .dwarf = GetParam()});
    EXPECT_EQ(place(image, 0), "kernel.cpp:5");
    EXPECT_EQ(place(image, 16), "");
    EXPECT_EQ(place(image, 0x24), "kernel.cpp:7");
    const KernelImage elsewhere = load({.segments = {{0x6000, std::string(64, '\0')}},
                                        .symbols = {{"_start", 0x6000, 16, STT_FUNC, 1}},
                                        .lines = {{0, 5}, {8, 0}, {0x6000, 7}, {0x6010, 0}},
                                        .dwarf = GetParam()});
    EXPECT_EQ(place(elsewhere, 4), "");
    EXPECT_EQ(place(elsewhere, 0x6004), "kernel.cpp:7");
}

TEST_P(Lines, ComeWithTheFunctionsThatAreInlinedThere) {
    using Function = KernelFile::Function;
    const Function inner{"inner", 0x6008, 0x6010, 21}, twice{"inner", 0x6018, 0x601C, 44};
    const Function outer{"outer<1>", 0x6004, 0x6014, 12, {inner}};
    const KernelImage image =
        load({.segments = {{0x6000, std::string(64, '\0')}},
              .lines = {{0x6000, 10}, {0x6004, 20}, {0x6008, 30}, {0x6010, 22}, {0x6014, 13}, {0x6018, 31}, {0x6030, 0}},
              .functions = {{"left_out", 0, 0x20, 0, {{"inner", 4, 8, 3}}},
                            {"kernel_main", 0x6000, 0x6020, 0, {outer, twice}},
                            {"other", 0x6020, 0x6028}},
              .dwarf = GetParam()});
    const auto frames = [&](std::uint32_t address) {
        std::vector<std::pair<std::string, std::string>> all;
        for (const Frame& frame : image.frames(address))
            all.emplace_back(frame.function, frame.place.substr(frame.place.rfind('/') + 1));
        return all;
    };
    using Frames = decltype(frames(0));
    EXPECT_EQ(frames(0x6000), (Frames{{"kernel_main", "kernel.cpp:10"}}));
    EXPECT_EQ(frames(0x6004), (Frames{{"kernel_main", "kernel.cpp:12"}, {"outer<1>", "kernel.cpp:20"}}));
    EXPECT_EQ(frames(0x600C),
              (Frames{{"kernel_main", "kernel.cpp:12"}, {"outer<1>", "kernel.cpp:21"}, {"inner", "kernel.cpp:30"}}));
    EXPECT_EQ(frames(0x6010), (Frames{{"kernel_main", "kernel.cpp:12"}, {"outer<1>", "kernel.cpp:22"}}));
    EXPECT_EQ(frames(0x6014), (Frames{{"kernel_main", "kernel.cpp:13"}}));
    EXPECT_EQ(frames(0x6018), (Frames{{"kernel_main", "kernel.cpp:44"}, {"inner", "kernel.cpp:31"}}));
    EXPECT_EQ(frames(0x6020), (Frames{{"other", "kernel.cpp:31"}}));
    EXPECT_EQ(frames(0x6028), (Frames{{"", "kernel.cpp:31"}}));
    EXPECT_EQ(frames(0x6030), Frames{});
    EXPECT_EQ(frames(4), Frames{});
    EXPECT_EQ(image.place(0x600C), "/src/kernel.cpp:30");
}

TEST(KernelImage, ChainsOfScopesEnd) {
    KernelImage image;
    image.scopes = {{"self", 0, 0, 0}, {"lost", 0, 0, 7}, {"ping", 0, 0, 3}, {"pong", 0, 0, 2}};
    image.scope_rows = {{0x6000, 0}, {0x6004, 1}, {0x6008, 2}, {0x600C, 4}, {0x6010, -2}};
    for (const std::uint32_t address : {0x6000u, 0x6008u}) {
        const auto frames = image.frames(address);
        ASSERT_FALSE(frames.empty());
        EXPECT_LE(frames.size(), image.scopes.size());
        EXPECT_EQ(frames.back().function, address == 0x6000 ? "self" : "ping");
    }
    const auto lost = image.frames(0x6004);
    ASSERT_EQ(lost.size(), 1u);
    EXPECT_EQ(lost[0].function, "lost");
    for (const std::uint32_t address : {0x600Cu, 0x6010u}) EXPECT_TRUE(image.frames(address).empty()) << address;
}

// The line of the kernel's own file comes first, for every function inlined there and for every file that it is inlined into.
TEST(Frames, AreOneTextWithTheUsersLineFirst) {
    const Frame main{"main", "trisc.cpp:107"}, kernel{"run_kernel", "kernel.cpp:12"}, outer{"outer<(A)1>", "llk.h:34"},
        inner{"inner", "dir.cpp/b.hpp:7"};
    EXPECT_EQ(describe_frames({}), "");
    EXPECT_EQ(describe_frames({kernel}), "kernel.cpp:12");
    EXPECT_EQ(describe_frames({kernel, outer}), "kernel.cpp:12 in run_kernel (inlined: llk.h:34 outer)");
    EXPECT_EQ(describe_frames({kernel, outer, inner}),
              "kernel.cpp:12 in run_kernel (inlined: dir.cpp/b.hpp:7 inner ← llk.h:34 outer)");
    EXPECT_EQ(describe_frames({main, kernel, outer}),
              "kernel.cpp:12 in run_kernel (inlined: llk.h:34 outer) (inlined into trisc.cpp:107 main)");
    EXPECT_EQ(describe_frames({kernel, {"ttinsn", "kernel.cpp:12"}}), "kernel.cpp:12");
    EXPECT_EQ(describe_frames({outer, inner}), "llk.h:34 in outer (inlined: dir.cpp/b.hpp:7 inner)");
}

// The vendor's chains have a dozen functions, in files with long paths. All are in Where::frames.
TEST(Frames, OfALongChainTheEndsAreNamed) {
    std::vector<Frame> frames = {{"kernel_main", "/home/me/kernels/copy.cpp:31"}};
    for (const char* name : {"pack_tile", "llk_pack", "_llk_pack_", "run"})
        frames.push_back({name, "/opt/sdk/api/" + std::string(name) + ".h:7"});
    EXPECT_EQ(describe_frames(frames),
              "/home/me/kernels/copy.cpp:31 in kernel_main (inlined: api/run.h:7 run ← api/_llk_pack_.h:7 "
              "_llk_pack_ ← api/llk_pack.h:7 llk_pack ← api/pack_tile.h:7 pack_tile)");
    frames.push_back({"ttinsn", "/opt.h:2"});
    EXPECT_EQ(describe_frames(frames),
              "/home/me/kernels/copy.cpp:31 in kernel_main (inlined: /opt.h:2 ttinsn ← api/run.h:7 run ← "
              "… 2 more … ← api/pack_tile.h:7 pack_tile)");
}

TEST_P(Lines, AreReadInGreatNumber) {
    KernelFile file{.segments = {{0x6000, std::string(400'000, '\0')}}, .dwarf = GetParam()};
    constexpr int rows = 100'000;
    for (int i = 0; i < rows; ++i) file.lines.push_back({0x6000 + 4 * static_cast<std::uint32_t>(i), i + 1});
    file.lines.push_back({0x6000 + 4 * rows, 0});
    const KernelImage image = load(file);
    EXPECT_EQ(image.lines.size(), rows + 1u);
    EXPECT_EQ(image.files.size(), 1u);
    EXPECT_EQ(place(image, 0x6000 + 4 * 77'777), "kernel.cpp:77778");
}

INSTANTIATE_TEST_SUITE_P(OfDwarf, Lines, testing::Values(4u, 5u));

}  // namespace
}  // namespace tessera
