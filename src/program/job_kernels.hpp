// SPDX-License-Identifier: Apache-2.0
// The `cores`, `arguments` and `done` entries of a job.
#pragma once

#include <optional>

#include "program/job_schema.hpp"
#include "tessera/job.hpp"

namespace tessera::program {

/// Nothing when the job has no `cores`. Errors of jobs, of load_kernel() and of KernelImage::set_words().
Result<std::optional<Kernels>> read_kernels(const Node& root, const SchemaReader& schema, Arch arch);

/// For what works on ops: error "NAME.kernels" when the job has kernels instead.
Result<void> refuse_kernels(const Job& job, std::string_view name);

}  // namespace tessera::program
