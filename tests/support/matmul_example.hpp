// SPDX-License-Identifier: Apache-2.0
// examples/matmul with matrices of its own.
#pragma once

#include <memory>

#include "support/example.hpp"

namespace tessera::test {

class MatmulExample : public Example {
public:
    static constexpr std::size_t rows = 128, depth = 96, cols = 64;

    MatmulExample();

    std::string output() const { return path("out/c.npy"); }
    const Matrix& a() const { return a_; }
    const Matrix& b() const { return b_; }

private:
    Matrix a_, b_;
};

/// An example's inputs filled in, by its name.
std::unique_ptr<Example> make_example(std::string_view name);

}  // namespace tessera::test
