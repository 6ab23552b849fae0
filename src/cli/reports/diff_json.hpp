// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "reports/json.hpp"
#include "tessera/chip_diff.hpp"
#include "tessera/diff.hpp"

namespace tessera::cli {

Json to_json(const Writer& writer);
Json to_json(const ProgramOp& op);
Json to_json(const StateDifference& difference);
Json to_json(const InstructionDifference& difference);
Json to_json(const RunDifference& difference);
Json to_json(const ExpectedDifference& difference);
Json to_json(const PlaceDifference& difference);
Json to_json(const ChipRunDifference& difference);
Json to_json(const TracedInstruction& instruction);
Json to_json(const TraceDifference::Pair& pair);
Json to_json(const TraceDifference::End& end);
Json to_json(const TraceDifference& difference);

/// One of these, or null if absent.
template <class T>
Json maybe(const std::optional<T>& value) {
    return value ? to_json(*value) : Json();
}

}  // namespace tessera::cli
