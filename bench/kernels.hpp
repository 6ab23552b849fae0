// SPDX-License-Identifier: Apache-2.0
// The kernels of examples/kernels, with their own arrays.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tessera/job.hpp"

namespace tessera::bench {

struct KernelSpec {
    std::string_view name;        ///< the name of its folder
    unsigned page_in = 1;         ///< tiles in a page of the first circular buffer
    unsigned page_out = 1;        ///< and of the last one
    unsigned depth = 0;           ///< input tiles per tile of the result, a column of tiles; 0: one to one
    bool two = false;             ///< two input arrays
    bool ones = false;            ///< the first array has ones in the first row of each tile
    unsigned phases = 0;          ///< an argument of T1; 0: none
};

std::span<const KernelSpec> kernel_specs();

/// A job for the kernel with so many tiles, a multiple of 64; the arrays repeat after 64. The kernel is compiled for
/// Blackhole in `folder`/NAME. `carried`: cores copy tiles between arrays and circular buffers; otherwise the arrays
/// are the circular buffers. The job's output is the result, as bytes. Errors as load_kernel() and
/// KernelImage::set_words().
Result<Job> kernel_job(const std::string& folder, const KernelSpec& spec, unsigned tiles, bool carried);

}  // namespace tessera::bench
