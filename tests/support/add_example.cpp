// SPDX-License-Identifier: Apache-2.0
#include "support/add_example.hpp"

#include <cmath>
#include <random>

namespace tessera::test {

namespace {

/// Both signs, magnitudes over 24 binary orders, zeros of both signs, neighbours that cancel.
Matrix picture_of(unsigned seed) {
    std::mt19937 random(seed);
    Matrix matrix{AddExample::rows, AddExample::cols, {}};
    for (std::size_t i = 0; i < matrix.rows * matrix.cols; ++i) {
        const float magnitude = std::ldexp(1.0f + static_cast<float>(random() & 0xFFFF) / 0x10000,
                                           i % 3 ? static_cast<int>(random() % 24) - 12 : 0);
        const float value = i % 37 == 0 ? 0.0f : magnitude;
        matrix.values.push_back(random() & 1 ? -value : value);
    }
    return matrix;
}

std::string tiles() { return std::to_string(AddExample::rows / 32 * (AddExample::cols / 32)); }
std::string shape() { return std::to_string(AddExample::rows) + ", " + std::to_string(AddExample::cols); }

}  // namespace

AddExample::AddExample()
    : Example("add",
              {{".equ TILES, 240", ".equ TILES, " + tiles()}, {"shape = [480, 512]", "shape = [" + shape() + "]"}}),
      picture_(picture_of(1)),
      brighten_(picture_of(2)) {
    write_input("picture", picture_);
    write_input("brighten", brighten_);
}

}  // namespace tessera::test
