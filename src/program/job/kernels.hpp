// SPDX-License-Identifier: Apache-2.0
// The `cores`, `arguments` and `done` entries of a job.
#pragma once

#include <array>
#include <optional>

#include "program/documents/schema_reader.hpp"
#include "tessera/job.hpp"

namespace tessera::program {

/// Empty if the job has no `cores`. Errors of jobs, of load_kernel() and of KernelImage::set_words().
Result<std::optional<Kernels>> read_kernels(const Node& root, const SchemaReader& schema, Arch arch);

/// Reads the key `addr` of a table: the address of a word of L1.
Result<std::uint32_t> read_word_address(const Node& table, std::string_view what, const SchemaReader& schema,
                                        Arch arch);
/// Reads a list of cores that have kernels.
Result<std::array<bool, riscv_cores>> read_cores_of(const Node& node, std::string_view what, const SchemaReader& schema,
                                                    const Kernels& kernels);

/// For commands that work on ops: error "NAME.kernels" if the job has kernels.
Result<void> refuse_kernels(const Job& job, std::string_view name);

}  // namespace tessera::program
