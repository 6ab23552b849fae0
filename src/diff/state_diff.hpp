// SPDX-License-Identifier: Apache-2.0
// The state that comparisons and digests look at. Compares the states of two cores element by element, in section order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/diff.hpp"

namespace tessera::diff {

/// Error "diff.arch" in `file` unless the architectures of A and B are the same.
Result<void> check_same_arch(Arch a, Arch b, const std::string& file = {});

/// A value as text: a datum's meaning, or the fields of a configuration word that differ from `other`.
std::string value_text(const Section& section, std::size_t element, std::uint64_t value,
                       std::optional<std::uint64_t> other, Arch arch);

/// Name and values of an element. An absent value was not written.
StateDifference describe_element(const Section& section, std::size_t element, std::optional<std::uint64_t> a,
                                 std::optional<std::uint64_t> b, Arch arch);

struct Elements {
    const Section* section = nullptr;  ///< of the first difference; null: none
    std::size_t element = 0;
    std::uint64_t count = 0;
};

/// Clears packers' data of streams that have ended.
void forget_remains(Core& core);

/// Whether comparisons look at a section. Left out: caches, time, and work pending when a run was stopped (FIFOs, queues).
bool is_compared(const Section& section);
/// The elements of a section as comparisons see them. Zero in packers: data of streams that have ended, and bounds kept only by units.
std::vector<std::uint32_t> compared_values(const Core& core, const Section& section);

/// Elements that differ between two cores of one architecture, after forget_remains(). Only of sections for which is_compared(), and
/// without packers' bounds.
Elements differing(const Core& a, const Core& b);

}  // namespace tessera::diff
