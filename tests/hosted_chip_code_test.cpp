// SPDX-License-Identifier: Apache-2.0
// Reports of a chip that a host drives name lines of ELF files.
#include <gtest/gtest.h>

#include "support/hosted_chip.hpp"
#include "support/kernel_file.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

class HostedChipCodeTest : public HostedChipTest {
protected:
    /// Code whose fourth instruction loads from nowhere.
    KernelWords faulty() const {
        auto code = words();
        code.put(rv::a5, 7);
        code.peek(rv::a4, 0x8000'0000);
        return code;
    }
    std::string file_of(KernelWords words, std::uint32_t linked) const {
        words.code.push_back(rv::halt);
        KernelFile file{.entry = linked};
        file.segments.push_back({linked, std::string(reinterpret_cast<const char*>(words.code.data()), 4 * words.code.size())});
        file.symbols.push_back({"run", linked, static_cast<std::uint32_t>(4 * words.code.size()), STT_FUNC, 1});
        for (unsigned i = 0; i <= words.code.size(); ++i)
            file.lines.push_back({linked + 4 * i, i < words.code.size() ? 100 + static_cast<int>(i) : 0});
        return directory.write("kernel.elf", file.bytes());
    }
    TileReport report() {
        start(first, faulty());
        chip->clock(1000);
        const auto reports = chip->take_reports();
        EXPECT_EQ(reports.size(), 1u);
        return reports.empty() ? TileReport{.place = {}, .is_fault = false, .finding = Finding(), .fault = {}} : reports[0];
    }

    TemporaryDirectory directory;
};

TEST_P(HostedChipCodeTest, AReportNamesTheLineOfCodeThatTheHostHasWritten) {
    // Also where a file is linked to another address.
    for (const std::uint32_t linked : {0u, 0x6000u}) {
        HostedChipOptions options;
        options.elf_files = {file_of(faulty(), linked)};
        power_on(options);
        const TileReport got = report();
        EXPECT_EQ(got.what().where.place, "/src/kernel.cpp:104");
        EXPECT_EQ(got.what().where.function, "run+0x10");
        EXPECT_EQ(got.what().where.pc, 16);
    }
}

TEST_P(HostedChipCodeTest, WithoutTheFileThereIsNoLine) {
    EXPECT_EQ(report().what().where.place, "");
    HostedChipOptions options;
    auto other = words();
    other.put(rv::a6, 8);
    options.elf_files = {file_of(other, 0), directory / "nowhere"};
    power_on(options);
    EXPECT_EQ(report().what().where.place, "");
}

INSTANTIATE_TEST_SUITE_P(Chips, HostedChipCodeTest, testing::Values(Arch::blackhole, Arch::wormhole),
                         [](const auto& one) { return std::string(name(one.param)); });

}  // namespace
