// SPDX-License-Identifier: Apache-2.0
/// @file
/// Explanations of many instructions, without a copy of each.
#pragma once

#include <cstdint>
#include <functional>

#include "tessera/explanation.hpp"

namespace tessera {

/// An observer for RunOptions::on_explanation that need not look at lines that it knows. Loops give the same ones again and again.
///
///     options.on_explanation = NumberedExplanations{[&](const Explanation& explanation, std::uint64_t number) { … }};
struct NumberedExplanations {
    /// Receives each Explanation at its issue; the reference is valid during the call. Within a run those with the same number have
    /// the same lines. Numbers count from 1; 0: not numbered.
    std::function<void(const Explanation&, std::uint64_t number)> receive;

    /// For callers that do not recognise this type.
    void operator()(Explanation&& explanation) const { receive(explanation, 0); }
};

}  // namespace tessera
