// SPDX-License-Identifier: Apache-2.0
// Measures conversion of matrices to bytes of L1 and back: in tiles, and in each format.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "cases.hpp"
#include "tessera/tensor.hpp"

namespace tessera::bench {

namespace {

constexpr std::size_t side = 256, values_of_a_tile = 1024, tiles = side * side / values_of_a_tile;

/// Values of both signs near 1; for integers, up to some hundreds.
Matrix some_matrix(DataFormat format) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    const auto code = hardware_format(format);
    const bool integer = code == DataFormat::Int32 || code == DataFormat::UInt16 || code == DataFormat::Int8;
    Matrix matrix{side, side, {}};
    for (std::size_t i = 0; i < side * side; ++i)
        matrix.values.push_back(integer ? std::round(32 * std::abs(normal(random))) : normal(random));
    return matrix;
}

void add(Cases& cases, const std::string& to, const std::string& from, DataFormat format, Layout layout) {
    cases.add(to, [=](benchmark::State& run) {
        const Matrix matrix = some_matrix(format);
        const auto size = tensor_bytes(side, side, format, layout);
        if (!size) return run.SkipWithError(size.error().describe().c_str());
        for (auto _ : run) benchmark::DoNotOptimize(to_bytes(matrix, format, layout));
        describe(run, static_cast<double>(*size), tiles);
    });
    cases.add(from, [=](benchmark::State& run) {
        const auto bytes = to_bytes(some_matrix(format), format, layout);
        if (!bytes) return run.SkipWithError(bytes.error().describe().c_str());
        for (auto _ : run) benchmark::DoNotOptimize(from_bytes(*bytes, side, side, format, layout));
        describe(run, 4 * side * side, tiles);
    });
}

}  // namespace

void add_tensors(Cases& cases) {
    add(cases, "matrix tilized: Float32, a tile", "matrix untilized: Float32, a tile", DataFormat::Float32,
        Layout::tiles);
    add(cases, "matrix tilized: Float16_b, a tile", "matrix untilized: Float16_b, a tile", DataFormat::Float16_b,
        Layout::tiles);
    for (DataFormat format : all_data_formats)
        add(cases, fmt::format("1024 values to {}", name(format)), fmt::format("1024 values from {}", name(format)),
            format, Layout::rows);
}

}  // namespace tessera::bench
