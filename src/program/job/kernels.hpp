// SPDX-License-Identifier: Apache-2.0
// The `cores`, `arguments` and `done` entries of a job.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "program/documents/schema_reader.hpp"
#include "tessera/job.hpp"

namespace tessera::program {

/// The meanings of names in the values of `arguments`.
class ArgumentNames {
public:
    virtual ~ArgumentNames() = default;
    /// The words of a name. Errors of jobs.
    virtual Result<std::vector<std::uint32_t>> words(const Node& name, const SchemaReader& schema) const = 0;
};

/// Empty if the job has no `cores`. Without `names` an argument is a number. Errors of jobs, of load_kernel() and of
/// KernelImage::set_words().
Result<std::optional<Kernels>> read_kernels(const Node& root, const SchemaReader& schema, Arch arch,
                                            const ArgumentNames* names = nullptr);

/// The words of a value of `arguments`: a word or a name, or a list of them.
Result<std::vector<std::uint32_t>> read_words(const Node::Member& argument, const SchemaReader& schema,
                                              const ArgumentNames* names);

/// Reads the key `addr` of a table: the address of a word of L1.
Result<std::uint32_t> read_word_address(const Node& table, std::string_view what, const SchemaReader& schema,
                                        Arch arch);
/// Reads a list of cores that have kernels.
Result<std::array<bool, riscv_cores>> read_cores_of(const Node& node, std::string_view what, const SchemaReader& schema,
                                                    const Kernels& kernels);

/// "cores has no kernel for CORE", for what needs one.
std::string no_kernel(std::string_view core);

/// For commands that work on ops: error "NAME.kernels" if the job has kernels.
Result<void> refuse_kernels(const Job& job, std::string_view name);

}  // namespace tessera::program
