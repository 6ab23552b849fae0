// SPDX-License-Identifier: Apache-2.0
// Output of `--json`: runs and their parts, with stable keys.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "tessera/job.hpp"

namespace tessera::cli {

using Json = nlohmann::ordered_json;

Json to_json(const Diagnosis& diagnosis);
Json to_json(const Finding& finding);
Json to_json(const Fault& fault);
Json to_json(const Explanation& explanation);
Json to_json(const Explanation::Line& line);
Json to_json(const ElementTrace& trace);
Json to_json(const UnitUse& unit);
Json to_json(const WaitUse& wait);
Json to_json(const ThreadUse& use);
Json to_json(const Window& window);
Json to_json(const Blocked& blocked);
Json to_json(const Frame& frame);
Json to_json(const HostRead& read);

/// A run, without its explanations.
Json to_json(const Run& run);

/// A number, or null if absent.
template <class T>
    requires std::is_arithmetic_v<T>
Json maybe(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}
/// The fault that ended a run, or null.
Json maybe(const std::optional<Fault>& fault);

/// convert() of each element, as an array.
template <class Range, class Convert>
Json json_list(const Range& range, Convert convert) {
    Json json = Json::array();
    for (const auto& element : range) json.push_back(convert(element));
    return json;
}
/// to_json() of each element, if it is one of those above.
template <class Range>
Json json_list(const Range& range) {
    return json_list(range, [](const auto& element) { return to_json(element); });
}

/// A JSON value as text. Invalid UTF-8 (from file names) is replaced. Indent -1: one line.
std::string to_text(const Json& json, int indent);

}  // namespace tessera::cli
