// SPDX-License-Identifier: Apache-2.0
// State of two cores, element by element, in the order of sections.
#pragma once

#include "tessera/diff.hpp"

namespace tessera::diff {

/// A value for people: of datums what they mean, of a word of configuration its fields that differ from `other`.
std::string value_text(const Section& section, std::size_t element, std::uint64_t value,
                       std::optional<std::uint64_t> other, Arch arch);

/// Name and values of an element; a value that is absent was not written.
StateDifference describe_element(const Section& section, std::size_t element, std::optional<std::uint64_t> a,
                                 std::optional<std::uint64_t> b, Arch arch);

struct Elements {
    const Section* section = nullptr;  ///< of the first that differs; null: none does
    std::size_t element = 0;
    std::uint64_t count = 0;
};

/// Zeroes what packers hold of streams that have ended.
void forget_remains(Core& core);

/// Which elements of two cores of one architecture differ. Left out are copies that no instruction can see (the row start
/// cache), bounds that only the units keep, and what had not been done yet when a run was stopped (FIFOs, queues).
Elements differing(const Core& a, const Core& b);

}  // namespace tessera::diff
