// SPDX-License-Identifier: Apache-2.0
// Whole programs on three threads: the examples add and matmul with their own memory.
#pragma once

#include "tessera/job.hpp"

namespace tessera::bench {

/// Sizes of a product in tiles. All are powers of two, or those of examples/matmul.
struct Product {
    unsigned rows = 4, depth = 3, cols = 2;
    unsigned phases = 1;  ///< LoFi 1, HiFi4 4

    unsigned blocks() const { return rows * depth * cols; }
};

/// Options that disable recorded runs, so that the engine executes the program.
inline RunOptions by_engine() {
    RunOptions options;
    options.recorded = false;
    return options;
}

/// Tiles of normally distributed BF16 values for L1.
Job::Region normal_tiles(std::uint64_t address, unsigned rows, unsigned cols, unsigned seed);

/// examples/matmul with BF16 matrices of these sizes; at most 8 rows and columns. A depth over 16 tiles reuses the same
/// 16, since L1 has no more room; the work is the same.
Job product_job(const Product& product);

/// examples/add with `tiles` tiles (an even number).
Job add_job(unsigned tiles);

/// Same without the second picture: copies the first one through SrcA and Dst.
Job copy_job(unsigned tiles);

}  // namespace tessera::bench
