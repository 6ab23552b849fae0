// SPDX-License-Identifier: Apache-2.0
#include "program/ops/json.hpp"

#include "program/documents/json.hpp"
#include "program/ops/schema.hpp"

namespace tessera::program {

Result<std::vector<Op>> ops_from_json(const nlohmann::json& list, Arch arch, const std::string& file) {
    const auto node = to_node(list, file);
    if (!node) return tl::make_unexpected(node.error());
    return read_ops(*node, SchemaReader(file), arch);
}

}  // namespace tessera::program
