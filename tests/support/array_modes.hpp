// SPDX-License-Identifier: Apache-2.0
// Formats, phases and widths in which functions over arrays are compared with jobs.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "formats/layouts.hpp"
#include "tessera/arrays.hpp"

namespace tessera::test {

inline bool is_integer(DataFormat format) { return hardware_format(format) == DataFormat::Int8; }

inline void expect_same(const Matrix& got, const Matrix& expected) {
    ASSERT_EQ(got.rows, expected.rows);
    ASSERT_EQ(got.cols, expected.cols);
    ASSERT_EQ(got.integers, expected.integers);
    ASSERT_EQ(got.values.size(), expected.values.size());
    for (std::size_t i = 0; i < got.values.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(got.values[i]), std::bit_cast<std::uint32_t>(expected.values[i]))
            << "row " << i / got.cols << " column " << i % got.cols << ": " << got.values[i] << " and "
            << expected.values[i];
}

struct Formats {
    DataFormat a, b;
    DataFormat src = DataFormat::Tf32;
};

// Pairs of formats that can be combined, and each format with itself.
inline constexpr Formats pairs[] = {
    {DataFormat::Float32, DataFormat::Float32},
    {DataFormat::Float32, DataFormat::Float32, DataFormat::Float16_b},
    {DataFormat::Float32, DataFormat::Float32, DataFormat::Float16},
    {DataFormat::Tf32, DataFormat::Float16_b},
    {DataFormat::Float16, DataFormat::Float16},
    {DataFormat::Float16_b, DataFormat::Float16_b},
    {DataFormat::Lf8, DataFormat::Lf8},
    {DataFormat::Float16, DataFormat::Fp8_e4m3},
    {DataFormat::Bfp8, DataFormat::Bfp8},
    {DataFormat::Bfp4, DataFormat::Bfp2},
    {DataFormat::Bfp8_b, DataFormat::Bfp8_b},
    {DataFormat::Float16_b, DataFormat::Bfp4_b},
    {DataFormat::Bfp2_b, DataFormat::Bfp8_b},
    {DataFormat::Int8, DataFormat::Int8},
    {DataFormat::UInt8, DataFormat::Int8},
};

// The packer's choice is written out here; what the functions take by themselves must be that.
inline void choose_output(ArrayOptions& options, unsigned turn) {
    const bool wide = options.dst_bits == 32u;
    const DataFormat of_a = options.a == DataFormat::Float32 ? options.src : options.a;
    const bool e8 = formats::has_wide_exponent(hardware_format(of_a));
    if (is_integer(options.a)) {
        options.out = turn % 2 ? DataFormat::Int8 : DataFormat::Int32;
        options.intermediate = options.out;
    } else if (wide) {
        constexpr DataFormat outs[][2] = {{DataFormat::Float32, DataFormat::Float32},
                                          {DataFormat::Float16_b, DataFormat::Float16_b},
                                          {DataFormat::Bfp8_b, DataFormat::Bfp8_b},
                                          {DataFormat::Float16, DataFormat::Tf32},
                                          {DataFormat::Bfp4, DataFormat::Tf32}};
        options.out = outs[turn % 5][0];
        options.intermediate = outs[turn % 5][1];
    } else if (e8) {
        constexpr DataFormat outs[][2] = {{DataFormat::Float16_b, DataFormat::Float16_b},
                                          {DataFormat::Bfp4_b, DataFormat::Bfp8_b},
                                          {DataFormat::Float32, DataFormat::Float16_b}};
        options.out = outs[turn % 3][0];
        options.intermediate = outs[turn % 3][1];
    } else {
        constexpr DataFormat outs[][2] = {{DataFormat::Float16, DataFormat::Float16},
                                          {DataFormat::Bfp8, DataFormat::Bfp8},
                                          {DataFormat::Float32, DataFormat::Float16}};
        options.out = outs[turn % 3][0];
        options.intermediate = outs[turn % 3][1];
    }
}

inline ArrayOptions without_intermediate(ArrayOptions options) {
    options.intermediate.reset();
    return options;
}

template <class F>
void in_each_mode(F&& f) {
    unsigned turn = 0;
    for (const Arch arch : all_archs)
        for (const Formats& pair : pairs)
            for (unsigned fidelity = 1; fidelity <= 4; ++fidelity)
                for (const unsigned bits : {16u, 32u}) {
                    if (arch == Arch::wormhole && pair.b == DataFormat::Fp8_e4m3) continue;
                    if (is_integer(pair.a) && bits == 16) continue;
                    ArrayOptions options;
                    options.arch = arch;
                    options.a = pair.a;
                    options.b = pair.b;
                    options.src = pair.src;
                    options.fidelity = fidelity;
                    options.dst_bits = bits;
                    choose_output(options, turn);
                    SCOPED_TRACE(fmt::format("{} {} x {} by {}, {} phases, {} bits, to {}", name(arch), name(pair.a),
                                             name(pair.b), name(pair.src), fidelity, bits, name(*options.out)));
                    f(options, turn++);
                    if (testing::Test::HasFatalFailure()) return;
                }
}

}  // namespace tessera::test
