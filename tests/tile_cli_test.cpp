// SPDX-License-Identifier: Apache-2.0
// tessera tile: arrays to bytes and back, and errors.
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

class TileCli : public testing::Test {
protected:
    void converts(const std::vector<std::string>& arguments) {
        const auto outcome = run_cli(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.out + outcome.err, "");
    }
    void refuses(const std::vector<std::string>& arguments, std::string_view reported) {
        SCOPED_TRACE(reported);
        const auto files = directory_.files();
        test::expect_refused(run_cli(arguments), {std::string(reported)});
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

TEST_F(TileCli, EveryForm) {
    Matrix matrix{64, 32, std::vector<float>(64 * 32)};
    for (std::size_t i = 0; i < matrix.values.size(); i += 3) matrix.values[i] = static_cast<float>(i % 7) / 4;
    ASSERT_TRUE(write_npy(npy_, matrix));
    struct Line {
        std::vector<std::string> options;
        TensorForm form;
    };
    std::vector<Line> lines(4);
    lines[0].options = {"--digest-size=0"};
    lines[0].form.digest_size = std::uint8_t{0};
    lines[1].options = {"--compressed", "--row-datums=256", "--digest-size=255"};
    lines[1].form.compressed = true;
    lines[1].form.row_datums = 256;
    lines[1].form.digest_size = std::uint8_t{255};
    lines[2].options = {"--shared-exponent=130"};
    lines[2].form.shared_exponent = std::uint8_t{130};
    lines[3].options = {"--compressed", "--layout=rows"};
    lines[3].form = Layout::rows;
    lines[3].form.compressed = true;
    for (Line line : lines) {
        std::vector<std::string> arguments = {"tile", npy_, bin_, "--format=Bfp8_b"};
        arguments.insert(arguments.end(), line.options.begin(), line.options.end());
        SCOPED_TRACE(fmt::format("{}", fmt::join(arguments, " ")));
        converts(arguments);
        const auto expected = to_bytes(matrix, DataFormat::Bfp8_b, line.form).value();
        EXPECT_EQ(read_bytes(bin_, expected.size()), expected);
        if (!line.form.shared_exponent) {
            arguments.push_back("--rounding=device");
            converts(arguments);
            TensorForm device = line.form;
            device.rounding = Rounding::device;
            EXPECT_EQ(read_bytes(bin_, expected.size()), to_bytes(matrix, DataFormat::Bfp8_b, device).value());
            arguments.pop_back();
        }
        arguments[1] = bin_;
        arguments[2] = back_;
        arguments.emplace_back("--shape=64x32");
        const auto bytes = read_bytes(bin_, expected.size()).value();
        converts(arguments);
        EXPECT_EQ(read_npy(back_)->values, from_bytes(bytes, 64, 32, DataFormat::Bfp8_b, line.form)->values);
    }
}

TEST_F(TileCli, RefusesWrongForms) {
    ASSERT_TRUE(write_npy(npy_, {32, 32, std::vector<float>(1024)}));
    refuses({"tile", npy_, bin_, "--format=Bfp2_b", "--compressed"}, "[tensor.format]");
    refuses({"tile", npy_, bin_, "--format=Int8", "--rounding=device"}, "packers do not make Int8 from Float32");
    refuses({"tile", npy_, bin_, "--format=Int8", "--rounding=up"}, "[cli.rounding]");
    refuses({"tile", npy_, bin_, "--format=Int8", "--row-datums=16"}, "[tensor.form]");
    refuses({"tile", npy_, bin_, "--format=Int8", "--shared-exponent=1"}, "[tensor.form]");
    for (const char* option : {"--digest-size=256", "--shared-exponent=256", "--row-datums=0", "--row-datums=65536"})
        refuses({"tile", npy_, bin_, "--format=Bfp8_b", "--compressed", option}, "[cli.usage]");
    converts({"tile", npy_, bin_, "--format=Lf8", "--compressed"});
    refuses({"tile", bin_, back_, "--format=Lf8", "--compressed", "--shape=32x32", "--rounding=host"}, "[cli.usage]");
    std::string bytes(tensor_bytes(32, 32, DataFormat::Lf8, Layout::tiles).value() + 144 + 512, 'x');
    directory_.write("a.bin", bytes);
    refuses({"tile", bin_, back_, "--format=Lf8", "--compressed", "--shape=32x32"}, "[tensor.data]");
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
    refuses({"tile", npy_, bin_, "--format", "Invalid"}, "'Invalid' is not a data format: Float32, ");
    refuses({"tile", npy_, bin_, "--format", "float16_b"}, "'float16_b' is not a data format (did you mean Float16_b?): ");
    refuses({"tile", npy_, bin_, "--format", "12"}, "[format.name]");
    refuses({"tile", npy_, bin_, "--format", "Int8", "--layout", "faces"}, "[cli.layout]");
    refuses({"tile", npy_, bin_, "--format", "Int8", "--sape", "32x32"}, "[cli.usage]");
    refuses({"tile", npy_, directory_ / "none/a.bin", "--format", "Int8"}, "[cli.write]");
    refuses({"tile", npy_, directory_ / ".", "--format", "Int8"}, "[cli.write]");
    const auto help = run_cli({"tile", "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.out, HasSubstr("--shape"));
}

}  // namespace
}  // namespace tessera
