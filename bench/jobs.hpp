// SPDX-License-Identifier: Apache-2.0
// Whole programs on three threads: the examples add and matmul with memory of their own.
#pragma once

#include "tessera/job.hpp"

namespace tessera::bench {

/// Sizes of a product in tiles. All are powers of two, or those of examples/matmul.
struct Product {
    unsigned rows = 4, depth = 3, cols = 2;
    unsigned phases = 1;  ///< LoFi 1, HiFi4 4

    unsigned blocks() const { return rows * depth * cols; }
};

/// What is measured goes through the engine: no earlier run answers it.
inline RunOptions by_engine() {
    RunOptions options;
    options.recorded = false;
    return options;
}

/// BF16 of a normal distribution, in so many tiles, for L1.
Job::Region normal_tiles(std::uint64_t address, unsigned rows, unsigned cols, unsigned seed);

/// examples/matmul with BF16 matrices of these sizes; at most 8 rows and columns. What is deeper than 16 tiles goes round in 16, since L1 has
/// no more room: the work is the same.
Job product_job(const Product& product);

/// examples/add, `tiles` (an even number) of its tiles.
Job add_job(unsigned tiles);

/// The same without the second picture: the first one is copied through SrcA and Dst.
Job copy_job(unsigned tiles);

}  // namespace tessera::bench
