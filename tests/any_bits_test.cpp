// SPDX-License-Identifier: Apache-2.0
// Arbitrary bits in cells, as a user can write them: a run still ends in a result or a fault, in the units and in the
// reference.
#include <gtest/gtest.h>

#include <random>
#include <span>

#include "isa/instruction.hpp"
#include "support/assembly.hpp"
#include "support/random_cases.hpp"
#include "tessera/core.hpp"
#include "tessera/kernels.hpp"

namespace tessera::test {
namespace {

class AnyBits : public testing::TestWithParam<Arch> {
protected:
    static constexpr std::size_t of_cells = 4000;  ///< elements; a section of more is one of datums or bytes

    std::uint64_t value(std::uint64_t kind) {
        switch (kind) {
            case 0: return random_();
            case 1: return random_() % 2;
            case 2: return random_() % 40;
            default: return random_() % 2 ? random_() : random_() % 2;
        }
    }
    void fill(Core& core) {
        for (const Section& section : core.sections()) {
            if (section.size > of_cells || random_() % 4 == 0) continue;
            const std::uint64_t kind = random_() % 4;
            for (std::size_t i = 0; i < section.size; ++i)
                if (random_() % 4) core.write(section, i, value(kind));
        }
    }
    Program program() {
        Program made;
        made.arch = GetParam();
        for (std::uint64_t n = random_() % 6 + 1; n > 0; --n) {
            Op op;
            do op.value = static_cast<std::uint32_t>(random_()) & (random_() % 3 ? ~0u : 0xFF00F0FF);
            while (!isa::decode(op.value, GetParam()).spec);
            made.threads[random_() % 3].push_back(op);
        }
        return made;
    }

    std::mt19937_64 random_{random_seed(93, GetParam(), "TESSERA_ANY_BITS_SEED")};
};

TEST_P(AnyBits, EndInAResultOrAFault) {
    const unsigned cases = asked_cases(500, "TESSERA_ANY_BITS");
    unsigned good = 0;
    for (unsigned i = 0; i < cases; ++i) {
        SCOPED_TRACE(i);
        Core core{GetParam()};
        fill(core);
        const Program words = program();
        for (const bool reference : {false, true}) {
            Core by = core;
            RunOptions options;
            options.reference = reference;
            options.max_cycles = 3000;
            const auto run = by.run(words, options);
            ASSERT_TRUE(run) << run.error().describe();
            good += run->good();
        }
    }
    EXPECT_GT(good, cases / 8);
}

// A packer whose buffers hold more than they have room for, in the middle of a tile, and of a row of a compressed one.
TEST_P(AnyBits, OfAPackersBuffersAreAsManyAsTheyHold) {
    const std::string pack =
        ".thread pack\n.repeat 40\nNOP\n.end\nSETADCXX CntSetMask=4 x_end2=15\nPACR\nPACR\nPACR Last=1\n";
    for (const char* formats : {"Out_data_format = 5", "Out_data_format = 6", "Disable_zero_compress = 0"}) {
        SCOPED_TRACE(formats);
        const auto program = assemble(
            ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = 5\n.cfg THCON_SEC0_REG1_In_data_format = 5\n"
            ".cfg THCON_SEC0_REG1_Out_data_format = 5\n.cfg THCON_SEC0_REG1_Disable_zero_compress = 1\n"
            ".cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF\n.cfg THCON_SEC0_REG1_" +
                std::string(formats) + "\n" + pack,
            GetParam());
        ASSERT_TRUE(program) << program.error().describe();
        Core core{GetParam()};
        const Section& packer = **core.find_section("packer");
        const std::size_t items = packer.size / packer.dimensions[0].size;
        const auto write = [&](std::string_view item, std::uint64_t value) {
            for (std::size_t i = 0; i < items; ++i)
                if (packer.describe(i).ends_with(item)) core.write(packer, i, value);
        };
        for (const char* stream : {"data", "exp", "rsi"}) {
            write(std::string(stream) + "_needs_address", 0);
            write(std::string(stream) + "_filled", 4'000'003);
        }
        write("group_filled", 3'000'001);
        write("rle_filled", 0);
        write("row_open", 1);
        write("compressing", 1);
        // The last line of 32 bits lies behind any bound.
        for (const std::uint32_t address : {0x10000u, 0xFFFFFFF0u}) {
            for (const char* stream : {"data", "exp", "rsi"}) write(std::string(stream) + "_address", address);
            for (const bool reference : {false, true}) {
                RunOptions options;
                options.reference = reference;
                Core by = core;
                ASSERT_TRUE(by.run(*program, options));
            }
        }
    }
}

// B stores to a full PCBuf, which says that it holds more than it can: it waits.
TEST_P(AnyBits, OfAPCBufAreAsManyAsItHolds) {
    const std::uint32_t store[] = {0xFFE8'02B7, 0x0002'A023, 0x0000'006F};  // lui x5, 0xFFE80; sw x0, 0(x5); j .
    KernelImage image;
    image.entry = 0x4000;
    image.segments.push_back({image.entry, {}, 0});
    const auto bytes = std::as_bytes(std::span(store));
    image.segments.back().bytes.assign(bytes.begin(), bytes.end());
    Kernels kernels;
    kernels.arch = GetParam();
    kernels.images[static_cast<std::size_t>(RiscvCore::b)] = image;
    Core core{GetParam()};
    ASSERT_TRUE(core.load(kernels));
    const Section& count = **core.find_section("pc_buf_count");
    for (std::size_t i = 0; i < count.size; ++i) core.write(count, i, 31);
    const auto run = core.run(kernels, {.max_cycles = 1000});
    ASSERT_TRUE(run);
    ASSERT_TRUE(run->fault);
    EXPECT_EQ(run->fault->code, "deadlock") << run->fault->describe();
}

INSTANTIATE_TEST_SUITE_P(Archs, AnyBits, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
