// SPDX-License-Identifier: Apache-2.0
// Ops as tables with one key: {"ins": word}, {"cfg": [index, value]}, …
#pragma once

#include "program/documents/schema_reader.hpp"
#include "tessera/program.hpp"

namespace tessera::program {

/// One op. Errors "job.type", "job.unknown-key", "job.value", "job.range".
Result<Op> read_op(const Node& node, const SchemaReader& schema, Arch arch);

/// A list of ops.
Result<std::vector<Op>> read_ops(const Node& node, const SchemaReader& schema, Arch arch);

}  // namespace tessera::program
