// SPDX-License-Identifier: Apache-2.0
// examples/add with small pictures of its own.
#pragma once

#include "support/example.hpp"

namespace tessera::test {

class AddExample : public Example {
public:
    static constexpr std::size_t rows = 96, cols = 128;

    AddExample();

    std::string output() const { return path("out/sum.npy"); }
    const Matrix& picture() const { return picture_; }
    const Matrix& brighten() const { return brighten_; }

private:
    Matrix picture_, brighten_;
};

}  // namespace tessera::test
