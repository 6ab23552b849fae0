// SPDX-License-Identifier: Apache-2.0
#include "support/matmul_example.hpp"

#include <cmath>
#include <random>

#include "support/add_example.hpp"

namespace tessera::test {

namespace {

/// Both signs, eight binary orders, some zeros; all mantissa bits that BF16 has, and more.
Matrix matrix_of(std::size_t rows, std::size_t cols, unsigned seed) {
    std::mt19937 random(seed);
    Matrix matrix{rows, cols, {}};
    for (std::size_t i = 0; i < rows * cols; ++i) {
        const float magnitude =
            std::ldexp(1.0f + static_cast<float>(random() & 0xFFFF) / 0x10000, static_cast<int>(random() % 8) - 4);
        const float value = random() % 29 == 0 ? 0.0f : magnitude;
        matrix.values.push_back(random() & 1 ? -value : value);
    }
    return matrix;
}

}  // namespace

MatmulExample::MatmulExample() : Example("matmul"), a_(matrix_of(rows, depth, 1)), b_(matrix_of(depth, cols, 2)) {
    write_input("a", a_);
    write_input("b", b_);
}

std::unique_ptr<Example> make_example(std::string_view name) {
    if (name == "add") return std::make_unique<AddExample>();
    if (name == "matmul") return std::make_unique<MatmulExample>();
    throw std::runtime_error("no example " + std::string(name));
}

}  // namespace tessera::test
