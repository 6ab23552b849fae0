// SPDX-License-Identifier: Apache-2.0
// Configuration fields and their contents, as tables and as JSON.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "reports/json.hpp"
#include "tessera/registers.hpp"

namespace tessera::cli {

Json to_json(const RegisterField& field);
Json to_json(const FieldValue& value);
Json to_json(const RegisterState& state);
Json to_json(const RegisterChange& change);

/// A field in several lines, with its value if given.
std::string describe_field(const RegisterField& field, std::optional<std::uint32_t> value);

/// One line per field.
std::string describe_fields(std::span<const RegisterField> fields);
std::string describe_values(std::span<const FieldValue> values);

/// State by group.
std::string describe_state(std::span<const RegisterState> items);
std::string describe_changes(std::span<const RegisterChange> changes);

}  // namespace tessera::cli
