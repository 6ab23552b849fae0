// SPDX-License-Identifier: Apache-2.0
// The kernels of examples/kernels, with arrays of their own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tessera/job.hpp"

namespace tessera::bench {

struct KernelSpec {
    std::string_view name;        ///< of its folder
    unsigned page_in = 1;         ///< tiles in a page of the first circular buffer
    unsigned page_out = 1;        ///< and of the last one
    unsigned depth = 0;           ///< tiles that come to one of the result, a column of tiles; 0: as many come out as go in
    bool two = false;             ///< arrays
    bool ones = false;            ///< the first array has them in the first row of each tile
    unsigned phases = 0;          ///< an argument of T1; 0: there is none
};

std::span<const KernelSpec> kernel_specs();

/// The kernel for so many tiles (a multiple of 64, which the arrays have; behind them come the same again), compiled for Blackhole in
/// `folder`/NAME. `carried`: cores copy tiles from the arrays into circular buffers and back; else the arrays are the circular
/// buffers. The result is the job's output, as bytes. Errors as load_kernel() and KernelImage::set_words().
Result<Job> kernel_job(const std::string& folder, const KernelSpec& spec, unsigned tiles, bool carried);

}  // namespace tessera::bench
