// SPDX-License-Identifier: Apache-2.0
// The `l1`, `dram` and `output` entries of a job.
#pragma once

#include <span>

#include "program/documents/schema_reader.hpp"
#include "tessera/job.hpp"

namespace tessera::program {

/// The memory that an entry is about.
struct EntryMemory {
    std::string_view name;  ///< "L1"
    std::uint64_t bytes{};  ///< its size
    bool in_chip = false;   ///< the entry may have `channel` and `tile`, which the caller reads, and raw bytes have no `format`
};
/// L1 of a tile.
EntryMemory l1_of(Arch arch);

/// Reads one entry.
Result<Job::Region> read_region(const Node& node, const SchemaReader& schema, const EntryMemory& memory);
Result<Job::Output> read_output(const Node& node, const SchemaReader& schema, const EntryMemory& memory);

Result<std::vector<Job::Region>> read_regions(const Node& node, const SchemaReader& schema, Arch arch);

/// Writes entries of `l1` into a tile's L1, with what is known of their formats.
Result<void> write_regions(Core& core, std::span<const Job::Region> regions);

Result<std::vector<Job::Output>> read_outputs(const Node& node, const SchemaReader& schema, Arch arch);

}  // namespace tessera::program
