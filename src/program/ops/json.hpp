// SPDX-License-Identifier: Apache-2.0
// Lists of ops in JSON, for documents other than jobs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tessera/program.hpp"

namespace tessera::program {

/// A list of ops such as [{"ins": 1}, {"drain": true}]. Errors as load_job(), with `file` but without lines.
Result<std::vector<Op>> ops_from_json(const nlohmann::json& list, Arch arch, const std::string& file);

}  // namespace tessera::program
