// SPDX-License-Identifier: Apache-2.0
// Job files, and where errors in them are told.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/temporary_directory.hpp"
#include "tessera/job.hpp"

namespace tessera::test {

/// A folder with the files that jobs of tests name.
class JobFiles : public testing::Test {
protected:
    JobFiles() {
        Matrix matrix{32, 32, std::vector<float>(1024, 1.0f)};
        EXPECT_TRUE(write_npy(directory_ / "a.npy", matrix));
        directory_.write("raw.bin", "xyz");
        directory_.write("unpack.tts", "NOP\n.thread 0\n# comment\n.gpr 1 = 2\n");
    }

    Result<Job> toml(std::string_view text) { return load_job(directory_.write("job.toml", text)); }
    Result<Job> json(std::string_view text) { return load_job(directory_.write("job.json", text)); }

    void expect_error(const Result<Job>& job, std::string_view code, int line, int column, std::string_view part = {}) {
        ASSERT_FALSE(job);
        const auto& error = job.error();
        EXPECT_EQ(error.code, code) << error.message;
        EXPECT_TRUE(error.file.starts_with(directory_ / "job.")) << error.file;
        EXPECT_EQ(error.line, line) << error.message;
        EXPECT_EQ(error.column, column) << error.message;
        EXPECT_NE(error.message.find(part), std::string::npos) << error.message;
    }

    /// A wrong value of one top-level key, whose value starts in line 2.
    void expect_wrong(std::string_view key, std::string_view value, std::string_view code, int column) {
        SCOPED_TRACE(fmt::format("{} {}", key, value));
        expect_error(toml(fmt::format("arch = \"blackhole\"\n{} = {}\n", key, value)), code, 2, column);
    }

    void expect_wrong_entry(std::string_view list, std::string_view keys, std::string_view code, int line, int column) {
        SCOPED_TRACE(keys);
        expect_error(toml(fmt::format("arch = \"blackhole\"\n[[{}]]\n{}", list, keys)), code, line, column);
    }

    TemporaryDirectory directory_;
};

}  // namespace tessera::test
