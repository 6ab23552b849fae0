// SPDX-License-Identifier: Apache-2.0
// Disassembly and reassembly: random words, and the listings that the seeds print.
#include <gtest/gtest.h>

#include <future>
#include <random>

#include "isa/form.hpp"
#include "tessera/assembly.hpp"
#include "tessera/stream.hpp"

namespace tessera {
namespace {

std::vector<std::uint32_t> assembled(std::string_view text, Arch arch) {
    const auto program = assemble(text, arch, "test.tts");
    if (!program) {
        ADD_FAILURE() << program.error().describe();
        return {};
    }
    std::vector<std::uint32_t> words;
    for (const auto& op : program->threads[0]) words.push_back(op.value);
    return words;
}

/// Random words of random instructions, any bit that the vendor's operand list covers.
std::vector<std::uint32_t> random_words(Arch arch, std::size_t count, std::mt19937& random) {
    std::vector<std::uint32_t> opcodes, masks;
    for (const auto& spec : isa::table) {
        if (!isa::includes(spec.archs, arch)) continue;
        opcodes.push_back(std::uint32_t{spec.opcode} << 24);
        masks.push_back(0);
        for (const auto& o : isa::operands(spec)) masks.back() |= o.span_mask();
    }
    std::vector<std::uint32_t> words;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t which = random() % opcodes.size();
        words.push_back(opcodes[which] | (static_cast<std::uint32_t>(random()) & masks[which]));
    }
    return words;
}

using Disassemble = std::string (*)(std::uint32_t, Arch);

void survives(Disassemble spelling, Arch arch, unsigned seed) {
    constexpr std::size_t words_per_text = 50'000, texts = 50;
    std::mt19937 random(seed);
    std::string text;
    for (std::size_t t = 0; t < texts; ++t) {
        const auto words = random_words(arch, words_per_text, random);
        text.clear();
        for (const auto word : words) {
            text += spelling(word, arch);
            text += '\n';
        }
        const auto back = assembled(text, arch);
        ASSERT_EQ(back.size(), words.size());
        for (std::size_t i = 0; i < words.size(); ++i) ASSERT_EQ(back[i], words[i]) << spelling(words[i], arch);
    }
}

TEST(RandomWords, TenMillionSurviveBothSpellings) {
    std::vector<std::future<void>> running;
    for (Arch arch : all_archs)
        running.push_back(std::async(std::launch::async, [arch] {
            survives(disassemble, arch, 1);
            survives(disassemble_named, arch, 2);
        }));
    for (auto& one : running) one.get();
}

struct Printed {
    std::uint32_t stream;
    std::string_view text;
};

void expect_listing(std::span<const Printed> listing) {
    for (const auto& line : listing) {
        EXPECT_EQ(disassemble_stream(line.stream, Arch::blackhole), line.text);
        EXPECT_EQ(assembled(line.text, Arch::blackhole), std::vector{from_stream(line.stream)});
    }
}

// Seed rwc-and-addressing, "4.3 Actual Instruction Stream", with the tab of the vendor's objdump.
TEST(SeedListings, ReplayBufferOfTheMatrixMultiplication) {
    constexpr Printed listing[] = {
        {0x98000000, "ttmvmul\t0,0,0,0"}, {0x98010000, "ttmvmul\t0,0,1,0"}, {0x98000000, "ttmvmul\t0,0,0,0"},
        {0x98020000, "ttmvmul\t0,0,2,0"}, {0x98000000, "ttmvmul\t0,0,0,0"}, {0x98010000, "ttmvmul\t0,0,1,0"},
        {0x98000000, "ttmvmul\t0,0,0,0"}, {0x98040000, "ttmvmul\t0,0,4,0"}, {0x98000000, "ttmvmul\t0,0,0,0"},
        {0x98010000, "ttmvmul\t0,0,1,0"}, {0x98000000, "ttmvmul\t0,0,0,0"}, {0x98020000, "ttmvmul\t0,0,2,0"},
        {0x98000000, "ttmvmul\t0,0,0,0"}, {0x98010000, "ttmvmul\t0,0,1,0"}, {0x98000000, "ttmvmul\t0,0,0,0"},
        {0x98050000, "ttmvmul\t0,0,5,0"},
    };
    expect_listing(listing);
}

// Seed rwc-and-addressing, "4.4 SETRWC at Loop Boundary" and "5.4 ADC Usage in the Matmul Kernel".
TEST(SeedListings, LoopBoundaryAndPackerCounters) {
    constexpr Printed listing[] = {
        {0xDC00003C, "ttsetrwc\t0,0,0,0,0,15"},
        {0x4600002D, "ttsetadcxy\t4,0,0,0,0,11"},
        {0x5200003D, "ttsetadczw\t4,0,0,0,0,15"},
    };
    expect_listing(listing);
}

// Seed unpack-data-path, "11. Complete Instruction Sequences": text that it prints without words. Blanks are the seed's.
TEST(SeedListings, UnpackSequencesComeBackAsText) {
    constexpr std::string_view lines[] = {
        "ttsetadcxy  3,0,0,0,0,11",
        "ttsetadczw  3,0,0,0,0,15",
        "ttatgetm  0",
        "ttatrelm  0",
        "ttsetadcxx  1,255,0",
        "ttsetc16  5,4",
        "ttsetc16  41,0",
        "ttstallwait  8,1024",
        "ttmop  1,0,0",
        "ttsemget  32",
        "ttsetc16  41,257",
        "ttreplay  0,12,0,1",
        "ttunpacr  1,0,0,0,0,1,1,0,0,0,0,0,1",
        "ttrdcfg  12,124",
        "ttadddmareg  0,12,12,18",
        "ttstallwait  128,1",
        "ttwrcfg  12,0,124",
        "ttnop",
        "ttunpacr  0,0,0,0,0,1,1,0,0,0,0,0,1",
    };
    for (const auto line : lines) {
        const auto words = assembled(line, Arch::blackhole);
        ASSERT_EQ(words.size(), 1u) << line;
        std::string text(line);
        if (const auto blank = text.find("  "); blank != text.npos) text.replace(blank, 2, "\t");
        EXPECT_EQ(disassemble(words[0], Arch::blackhole), text);
    }
    EXPECT_EQ(assembled("ttsetc16  41, 257    ; 257 = 0x101", Arch::blackhole), std::vector{0xB2290101u});
}

// The same listing's words for the instruction buffer, plain; it calls them WRCFG, their opcodes are RMWCIB's
// (spec-notes B30).
TEST(SeedListings, InstructionBufferWordsAreReadModifyWrites) {
    constexpr Printed plain[] = {
        {0xB3070001, "ttrmwcib0\t7,0,1"},  {0xB4800001, "ttrmwcib1\t128,0,1"}, {0xB5010001, "ttrmwcib2\t1,0,1"},
        {0xB6600001, "ttrmwcib3\t96,0,1"}, {0xB3010002, "ttrmwcib0\t1,0,2"},
    };
    for (const auto& line : plain) {
        EXPECT_EQ(disassemble(line.stream, Arch::blackhole), line.text);
        EXPECT_EQ(assembled(line.text, Arch::blackhole), std::vector{line.stream});
    }
}

}  // namespace
}  // namespace tessera
