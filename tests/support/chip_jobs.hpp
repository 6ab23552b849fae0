// SPDX-License-Identifier: Apache-2.0
// Jobs with a grid of tiles from text, in a directory with a kernel; expected errors, and words of arguments.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "support/kernel_file.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/chip_job.hpp"

namespace tessera::test {

class ChipJobs : public testing::Test {
protected:
    ChipJobs() {
        directory_.write("halt.elf",
                         KernelFile{.entry = 0x6000,
                                    .segments = {{0x6000, words({0x0000006F})}, {0x8000, std::string(128, '\0')}},
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

    TemporaryDirectory directory_;
};

}  // namespace tessera::test
