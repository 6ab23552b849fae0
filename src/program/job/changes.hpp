// SPDX-License-Identifier: Apache-2.0
// Values that replace those of a job's keys.
#pragma once

#include "program/documents/schema_reader.hpp"
#include "tessera/job.hpp"

namespace tessera::program {

/// Puts JobChanges::keys into the job's tree. Errors "job.value", and "job.syntax" for a value that is not TOML.
Result<void> change_keys(Node& root, const std::map<std::string, std::string>& keys, const SchemaReader& schema);

}  // namespace tessera::program
