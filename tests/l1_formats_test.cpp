// SPDX-License-Identifier: Apache-2.0
// Contents of L1 at a run's begin, and the format that an unpacker reads (l1.format).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>

#include "support/temporary_directory.hpp"
#include "support/timeline.hpp"
#include "tessera/execution.hpp"
#include "tessera/job.hpp"

namespace tessera {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class L1Formats : public testing::TestWithParam<Arch> {
protected:
    const Arch arch = GetParam();

    Program program(const std::string& unpack, const std::string& pack = "") const {
        Program all = assemble(unpack, arch, "unpack", 0).value();
        all.threads[2] = assemble(pack, arch, "pack", 2).value().threads[2];
        return all;
    }
    /// Reads 2048 bytes from 0x10000 on as BF16.
    const std::string read = std::string(test::unpack_bf16) + "UNPACR Last=1\n";

    Core core(std::uint64_t address, DataFormat format, std::size_t bytes = 2048) const {
        Core core(arch, Reset::vendor_sim);
        EXPECT_TRUE(core.write_l1(address, std::vector<std::byte>(bytes), format));
        return core;
    }
    static std::vector<std::string> reported(const tessera::Run& run) {
        EXPECT_FALSE(run.fault) << run.fault->describe();
        std::vector<std::string> messages;
        for (const Finding& finding : run.findings)
            if (finding.code == "l1.format") messages.push_back(finding.message);
        return messages;
    }
    std::vector<std::string> reported(Core core) const { return reported(core.run(program(read)).value()); }
};

TEST_P(L1Formats, AnUnpackerReadsWhatWasWritten) {
    for (const DataFormat format : all_data_formats)
        EXPECT_EQ(reported(core(0x10000, format)).empty(), format == DataFormat::Float16_b) << name(format);
    EXPECT_THAT(reported(core(0xFF00, DataFormat::Bfp8_b)),
                UnorderedElementsAre("reads L1 0x10000 as Float16_b, but Bfp8_b was written there"));
    EXPECT_TRUE(reported(core(0x10000 + 2048, DataFormat::Bfp8_b)).empty()) << "behind it";
    EXPECT_FALSE(reported(core(0x10000 + 2047, DataFormat::Bfp8_b)).empty()) << "its last byte";
    EXPECT_TRUE(reported(core(0x10000 - 64, DataFormat::Bfp8_b, 64)).empty()) << "before it";
}

// As ttnn's where selects among BF16 numbers: no unit converts them.
TEST_P(L1Formats, IntegersOf16BitsKeepTheBitsOfFloats) {
    std::string as_integers = read;
    for (std::size_t at; (at = as_integers.find("Float16_b")) != std::string::npos;)
        as_integers.replace(at, 9, "UInt16");
    for (const DataFormat format : all_data_formats) {
        Core one = core(0x10000, format);
        const bool is_16_bits = format == DataFormat::Float16 || format == DataFormat::Float16_b ||
                                hardware_format(format) == DataFormat::UInt16;
        EXPECT_EQ(reported(one.run(program(as_integers)).value()).empty(), is_16_bits) << name(format);
    }
}

TEST_P(L1Formats, OfWhatIsWrittenAgainNothingIsKnown) {
    Core again = core(0x10000, DataFormat::Bfp8_b);
    ASSERT_TRUE(again.write_l1(0x10000, std::vector<std::byte>(2048)));
    EXPECT_TRUE(reported(again).empty());

    Core other = core(0x10000, DataFormat::Bfp8_b);
    ASSERT_TRUE(other.write_l1(0x10000, std::vector<std::byte>(2048), DataFormat::Float16_b));
    EXPECT_TRUE(reported(other).empty());

    Core reset = core(0x10000, DataFormat::Bfp8_b);
    reset.reset(Reset::vendor_sim);
    EXPECT_TRUE(reported(reset).empty());
    EXPECT_FALSE(reported(Core(core(0x10000, DataFormat::Bfp8_b))).empty()) << "copies know it";
}

TEST_P(L1Formats, OfBytesThatAreMarkedAsWrittenNothingIsKnown) {
    Core marked = core(0x10000, DataFormat::Bfp8_b);
    marked.l1()[0x10000] = 1;
    marked.mark_written(**marked.find_section("l1"), 0x10000, 2047);
    EXPECT_THAT(reported(marked), UnorderedElementsAre("reads L1 0x107FF as Float16_b, but Bfp8_b was written there"));
    marked.mark_written(**marked.find_section("l1"), 0x107FF, 1);
    EXPECT_TRUE(reported(marked).empty());
}

TEST_P(L1Formats, BetweenTwoStepsTheUserMayWrite) {
    for (const DataFormat before : {DataFormat::Float16_b, DataFormat::Bfp8_b})
        for (const DataFormat then : {DataFormat::Float16_b, DataFormat::Bfp8_b})
            for (const int steps : {0, 3}) {
                Core one = core(0x10000, before);
                auto execution = Execution::begin(one, program(read));
                ASSERT_TRUE(execution);
                for (int i = 0; i < steps; ++i) execution->step();
                const auto then_before = execution->snapshot();
                ASSERT_TRUE(one.write_l1(0x10000, std::vector<std::byte>(2048), then));
                execution->run_until({});
                EXPECT_EQ(reported(execution->run()).empty(), then == DataFormat::Float16_b)
                    << name(before) << name(then) << steps;
                EXPECT_EQ(reported(one).empty(), then == DataFormat::Float16_b) << "in the next run";
                ASSERT_TRUE(execution->restore(then_before));
                execution->run_until({});
                EXPECT_EQ(reported(execution->run()).empty(), before == DataFormat::Float16_b)
                    << "gone back to before it";
            }
}

// A packer writes there, in the same run and in one before.
TEST_P(L1Formats, WhatAPackerHasWrittenIsItsOwn) {
    const auto pack_as = [](const std::string& format) {
        return ".cfg ALU_FORMAT_SPEC_REG2_Dstacc = Float16_b\n.cfg THCON_SEC0_REG1_In_data_format = Float16_b\n"
               ".cfg THCON_SEC0_REG1_Out_data_format = " +
               format +
               "\n.cfg THCON_SEC0_REG1_Disable_zero_compress = 1\n"
               ".cfg THCON_SEC0_REG1_L1_Dest_addr = 0x10000 / 16 - 1\n.cfg THCON_SEC0_REG9_Pack_0_2_limit_address = "
               "0xFFFF\n"
               ".cfg PCK_EDGE_OFFSET_SEC0_mask = 0xFFFF\nSETADCXX CntSetMask=4 x_start=0 x_end2=15\nttstallwait 511,0\n"
               "PACR Last=1\n.drain\n";
    };
    const std::string pack = pack_as("Float16_b");
    const std::uint32_t behind = arch == Arch::blackhole ? 0x10080 : 0x10020;  // what it packs
    for (int runs = 0; runs < 4; ++runs) {  // the last ones are answered by what was recorded
        Core one = core(0x10000, DataFormat::Bfp8_b, 256);
        EXPECT_TRUE(reported(one.run(program("", pack)).value()).empty());
        EXPECT_THAT(one.l1_formats(0x10000, 2048).value(),
                    ElementsAre(L1Format{0x10000, behind - 1, DataFormat::Float16_b},
                                L1Format{behind, 0x100FF, DataFormat::Bfp8_b}));
        ASSERT_TRUE(one.write_l1(behind, std::vector<std::byte>(0x10100 - behind)));
        EXPECT_TRUE(reported(one).empty());
        EXPECT_FALSE(reported(core(0x10000, DataFormat::Bfp8_b)).empty());
    }
    const auto packed_as = [&](const std::string& format, bool compressed = false, bool decompresses = false) {
        Core both = core(0x10000, DataFormat::Bfp8_b, 32);
        std::string packs = pack_as(format);
        if (compressed)
            packs.replace(packs.find("compress = 1"), 12,
                          "compress = 0\n.cfg THCON_SEC0_REG1_Row_start_section_size = 1");
        const std::string unpack = ".sem_wait 5, nonzero\n" + std::string(test::unpack_bf16) +
                                   (decompresses ? ".cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 0\n" : "") +
                                   "SETADCXX CntSetMask=1 x_start=0 x_end2=15\n" + test::wait_for_stores(arch) +
                                   "UNPACR Last=1\n";
        return reported(
            both.run(program(unpack, "SEMINIT sem_sel=1<<5 max_value=1 init_value=0\n" + packs + ".sem_post 5\n"))
                .value());
    };
    EXPECT_TRUE(packed_as("Float16_b").empty());
    // Packers, Compression: row starts stand in front of the datums, and a counter behind each.
    EXPECT_THAT(packed_as("Float16_b", true),
                UnorderedElementsAre("reads L1 0x10000 as Float16_b, but Float16_b was written there, compressed"));
    EXPECT_TRUE(packed_as("Float16_b", true, true).empty());
    EXPECT_THAT(packed_as("Float32"),
                UnorderedElementsAre("reads L1 0x10000 as Float16_b, but Float32 was written there"));
}

// Random writes, beside a byte each.
TEST_P(L1Formats, EachByteHasTheFormatItWasLastWrittenIn) {
    std::mt19937 random(1);
    Core one(arch, Reset::vendor_sim);
    std::array<std::optional<DataFormat>, 96> bytes{};
    for (int step = 0; step < 2000; ++step) {
        const auto first = random() % bytes.size(), count = random() % (bytes.size() - first + 1);
        const auto format = all_data_formats[random() % 3];
        const bool known = random() % 2;
        const std::vector<std::byte> zeros(count);
        ASSERT_TRUE(known ? one.write_l1(first, zeros, format) : one.write_l1(first, zeros));
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(first), count,
                    known ? std::optional(format) : std::nullopt);

        const auto from = random() % bytes.size(), length = random() % (bytes.size() - from + 1);
        std::vector<L1Format> expected;
        for (auto i = static_cast<std::uint32_t>(from); i < from + length; ++i) {
            if (!bytes[i]) continue;
            if (!expected.empty() && expected.back().last + 1 == i && expected.back().format == *bytes[i])
                expected.back().last = i;
            else
                expected.push_back({i, i, *bytes[i]});
        }
        ASSERT_EQ(one.l1_formats(from, length).value(), expected) << step;
        if (step % 100 == 0) {
            const Core again = Core::of_image(one.image()).value();
            ASSERT_EQ(again.l1_formats(from, length).value(), expected) << step;
        }
    }
    EXPECT_EQ(one.l1_formats(one.l1_size(), 1).error().code, "l1.range");
}

// Stores to every other word leave more pieces than are kept.
TEST_P(L1Formats, AtMost1024PiecesAreKnown) {
    Core one = core(0x10000, DataFormat::Bfp8_b, 1 << 16);
    for (std::uint32_t at = 0; at < 1 << 16; at += 8)
        ASSERT_TRUE(one.write_l1(0x10000 + at, std::vector<std::byte>(4)));
    EXPECT_LE(one.l1_formats(0, one.l1_size()).value().size(), 1024);
}

// A run that an earlier one could answer is asked for its own formats.
TEST_P(L1Formats, ARecordedRunIsOfTheSameFormats) {
    const Program reads = program(read);
    const Core clean(arch, Reset::vendor_sim);
    for (int round = 0; round < 4; ++round)
        for (const DataFormat format : {DataFormat::Float16_b, DataFormat::Bfp8_b}) {
            Core one = clean;
            ASSERT_TRUE(one.write_l1(0x10000, std::vector<std::byte>(2048), format));
            EXPECT_EQ(reported(one.run(reads).value()).empty(), format == DataFormat::Float16_b) << round;
        }
}

// Packers, Compression: row starts stand in front of the datums, and a counter behind each.
TEST_P(L1Formats, AnArrayWithoutItsZerosIsReadAsSuch) {
    const auto reads = [&](bool decompresses) {
        Core one(arch, Reset::vendor_sim);
        std::vector<std::byte> bytes(2048);
        bytes[2] = std::byte{16};  // the end of row 0, of 16 datums
        EXPECT_TRUE(one.write_l1(0x10000, bytes, DataFormat::Float16_b, true));
        EXPECT_TRUE(one.l1_formats(0x10010, 1).value()[0].compressed);
        const std::string uncompressed = decompresses ? ".cfg THCON_SEC0_REG0_TileDescriptor_IsUncompressed = 0\n" : "";
        return reported(one.run(program(std::string(test::unpack_bf16) + uncompressed +
                                        "SETADCXX CntSetMask=1 x_start=0 x_end2=15\n" + test::wait_for_stores(arch) +
                                        "UNPACR Last=1\n"))
                            .value());
    };
    EXPECT_TRUE(reads(true).empty());
    EXPECT_THAT(reads(false),
                ElementsAre("reads L1 0x10000 as Float16_b, but Float16_b was written there, compressed"));
}

TEST_P(L1Formats, AnExecutionKnowsThem) {
    Core one = core(0x10000, DataFormat::Bfp8_b);
    auto execution = Execution::begin(one, program(read)).value();
    execution.run_until({});
    EXPECT_FALSE(reported(execution.run()).empty());
}

TEST_P(L1Formats, AJobsArraysAreKnown) {
    const test::TemporaryDirectory directory;
    ASSERT_TRUE(write_npy(directory / "tile.npy", Matrix{32, 32, std::vector<float>(1024)}));
    directory.write("unpack.tts", read);
    const auto run = [&](std::string_view format, bool compressed = false) {
        directory.write(
            "job.toml",
            fmt::format("arch = \"{}\"\nthreads.unpack = \"unpack.tts\"\n[[l1]]\naddr = 0x10000\n"
                        "npy = \"tile.npy\"\nformat = \"{}\"\ncompressed = {}\n[[l1]]\naddr = 0x20000\nhex = \"00\"\n",
                        name(arch), format, compressed));
        const Job job = load_job(directory / "job.toml").value();
        Core one = prepare(job).value();
        return reported(run_job(job, one, job.options).value());
    };
    EXPECT_TRUE(run("Float16_b").empty());
    EXPECT_FALSE(run("Float16").empty());
    EXPECT_FALSE(run("Bfp8_b").empty());
    EXPECT_THAT(run("Float16_b", true),
                ElementsAre("reads L1 0x10000 as Float16_b, but Float16_b was written there, compressed"));
}

TEST_P(L1Formats, RawBytesMayHaveOne) {
    const test::TemporaryDirectory directory;
    directory.write("raw.bin", std::string(2048, '\0'));
    directory.write("unpack.tts", read);
    const auto run = [&](std::string_view contents) {
        directory.write("job.toml", fmt::format("arch = \"{}\"\nreset = \"vendor-sim\"\nthreads.unpack = \"unpack.tts\"\n"
                                                "[[l1]]\naddr = 0x10000\n{}\n",
                                                name(arch), contents));
        const Job job = load_job(directory / "job.toml").value();
        Core one = prepare(job).value();
        return reported(run_job(job, one, job.options).value());
    };
    for (const std::string contents : {"hex = \"0000\"", "words = [0]", "file = \"raw.bin\""}) {
        EXPECT_TRUE(run(contents).empty()) << contents;
        EXPECT_TRUE(run(contents + "\nformat = \"Float16_b\"").empty()) << contents;
        EXPECT_FALSE(run(contents + "\nformat = \"Float16\"").empty()) << contents;
        EXPECT_FALSE(run(contents + "\nformat = \"Float16_b\"\ncompressed = true").empty()) << contents;
    }
}

INSTANTIATE_TEST_SUITE_P(Archs, L1Formats, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera
