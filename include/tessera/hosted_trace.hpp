// SPDX-License-Identifier: Apache-2.0
/// @file
/// A trace of a chip that a host drives.
#pragma once

#include <memory>

#include "tessera/chip_trace.hpp"
#include "tessera/hosted_chip.hpp"

namespace tessera {

/// The forms of trace_job(), of a HostedChip. Places in source text are empty: the chip does not know which files its kernels come from.
class HostedTrace {
public:
    /// Adds the trace's observers to those of `options`, from which HostedChip::make() then makes the chip. The trace outlives the chip, and
    /// is finished at most once. Errors: those of Chip::make().
    static Result<HostedTrace> begin(Arch arch, HostedChipOptions& options, const ChipTraceForms& forms);
    HostedTrace(HostedTrace&&) noexcept;             ///< the source may only be assigned to or destroyed afterwards
    HostedTrace& operator=(HostedTrace&&) noexcept;  ///< the same
    ~HostedTrace();

    /// Gives the sinks what they have not got yet. Between two calls of HostedChip::clock(); it costs time, and need not be called.
    void give();
    /// Ends the trace with HostedChip::so_far(true).
    void finish(const ChipRun& run);

private:
    struct Impl;
    explicit HostedTrace(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
