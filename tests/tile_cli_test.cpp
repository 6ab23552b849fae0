// SPDX-License-Identifier: Apache-2.0
// tessera tile: arrays to bytes and back, and what it refuses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"
#include "tessera/tensor.hpp"

namespace tessera {
namespace {

using test::contents;
using test::run_cli;
using testing::HasSubstr;
using testing::StartsWith;

class TileCli : public testing::Test {
protected:
    void converts(const std::vector<std::string>& arguments) {
        const auto outcome = run_cli(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.out + outcome.err, "");
    }
    void refuses(const std::vector<std::string>& arguments, std::string_view told) {
        SCOPED_TRACE(told);
        const auto files = directory_.files();
        const auto outcome = run_cli(arguments);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_THAT(outcome.err, testing::AllOf(StartsWith("tessera: "), HasSubstr(std::string(told))));
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_EQ(directory_.files(), files);
    }

    test::TemporaryDirectory directory_;
    std::string npy_ = directory_ / "a.npy", bin_ = directory_ / "a.bin", back_ = directory_ / "b.npy";
};

TEST_F(TileCli, EveryFormatAndLayoutThereAndBack) {
    std::mt19937 random(4);
    Matrix matrix{64, 32, {}};
    for (int i = 0; i < 64 * 32; ++i) matrix.values.push_back(static_cast<float>(random() % 2));
    ASSERT_TRUE(write_npy(npy_, matrix));
    for (const DataFormat format : all_data_formats)
        for (const Layout layout : {Layout::tiles, Layout::rows}) {
            SCOPED_TRACE(fmt::format("{} {}", name(format), name(layout)));
            const std::string f(name(format)), l(name(layout));
            converts({"tile", npy_, bin_, "--format", f, "--layout", l});
            const auto expected = to_bytes(matrix, format, layout);
            const auto written = read_bytes(bin_, expected->size());
            ASSERT_TRUE(written);
            EXPECT_EQ(*written, *expected);
            converts({"tile", bin_, back_, "--format", f, "--layout", l, "--shape", "64x32"});
            EXPECT_EQ(read_npy(back_)->values, matrix.values);
        }
}

TEST_F(TileCli, TilesAreTheDefaultAndIntegersAreExact) {
    ASSERT_TRUE(write_npy(npy_, {32, 32, std::vector<float>(1024), std::vector<std::int64_t>(1024, 16777217)}));
    converts({"tile", npy_, bin_, "--format=Int32", "--shape=32x32"});
    converts({"tile", bin_, back_, "--format=Int32", "--shape=32x32", "--layout=tiles"});
    EXPECT_EQ(read_npy(back_)->integers, std::vector<std::int64_t>(1024, 16777217));
}

TEST_F(TileCli, RefusesWrongArrays) {
    ASSERT_TRUE(write_npy(npy_, {31, 32, std::vector<float>(31 * 32)}));
    refuses({"tile", npy_, bin_, "--format", "Float32"}, npy_ + ": 31 x 32 is not made of whole tiles");
    refuses({"tile", npy_, bin_, "--format", "Float32", "--layout", "rows", "--shape", "32x32"}, "[tensor.shape]");
    ASSERT_TRUE(write_npy(npy_, {32, 8, std::vector<float>(32 * 8)}));
    refuses({"tile", npy_, bin_, "--format", "Bfp8", "--layout", "rows"}, "[tensor.shape]");
    directory_.write("a.npy", "this is no array");
    refuses({"tile", npy_, bin_, "--format", "Float32"}, "[npy.format]");
    refuses({"tile", directory_ / "none.npy", bin_, "--format", "Float32"}, "[npy.open]");
}

TEST_F(TileCli, RefusesWrongBytes) {
    directory_.write("a.bin", std::string(2048, 'x'));
    refuses({"tile", bin_, back_, "--format", "Float32", "--shape", "32x32"},
            bin_ + ": the file has 2048 bytes, not 4096 [tensor.shape]");
    refuses({"tile", bin_, back_, "--format", "Float32"}, "[cli.usage]");
    refuses({"tile", bin_, back_, "--format", "Float32", "--shape", "32x33"}, "[tensor.shape]");
    refuses({"tile", directory_ / "none", back_, "--format", "Int8", "--shape", "32x32"}, "[tensor.open]");
    refuses({"tile", directory_ / "", back_, "--format", "Int8", "--shape", "32x32"}, "[tensor.open]");
    for (const char* shape : {"32", "x32", "32x", "32x32x1", "-32x32", "32x-32", "0x20x32", " 32x32", "32,32", "axb",
                              "99999999999999999999x32"})
        refuses({"tile", bin_, back_, "--format", "Float16", fmt::format("--shape={}", shape)}, "[cli.shape]");
    for (const char* shape : {"18446744073709551584x32", "4294967296x4294967296", "1099511627776x33554432"})
        refuses({"tile", bin_, back_, "--format", "Bfp2_b", "--shape", shape}, "[tensor.shape]");
    // As large as no file: refused by its size before anything is read.
    refuses({"tile", bin_, back_, "--format", "Float32", "--shape", "1048576x1048576"}, "[tensor.shape]");
    std::filesystem::resize_file(bin_, std::uintmax_t{1} << 36);
    refuses({"tile", bin_, back_, "--format", "Float16", "--shape", "32x32"}, "[tensor.shape]");
}

TEST_F(TileCli, RefusesWrongUse) {
    ASSERT_TRUE(write_npy(npy_, {32, 32, std::vector<float>(1024)}));
    refuses({"tile", npy_, bin_}, "--format");
    refuses({"tile", npy_, "--format", "Int8"}, "[cli.usage]");
    refuses({"tile", npy_, back_, "--format", "Int8"}, "[cli.usage]");
    refuses({"tile", bin_, directory_ / "b", "--format", "Int8"}, "[cli.usage]");
    refuses({"tile", npy_, bin_, "--format", "Invalid"}, "'Invalid' is no data format: Float32, ");
    refuses({"tile", npy_, bin_, "--format", "12"}, "[cli.format]");
    refuses({"tile", npy_, bin_, "--format", "Int8", "--layout", "faces"}, "[cli.layout]");
    refuses({"tile", npy_, bin_, "--format", "Int8", "--sape", "32x32"}, "[cli.usage]");
    refuses({"tile", npy_, directory_ / "none/a.bin", "--format", "Int8"}, "[tensor.open]");
    refuses({"tile", npy_, directory_ / ".", "--format", "Int8"}, "[tensor.open]");
    const auto help = run_cli({"tile", "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.out, HasSubstr("--shape"));
}

}  // namespace
}  // namespace tessera
