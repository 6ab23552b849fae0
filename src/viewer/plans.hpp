// SPDX-License-Identifier: Apache-2.0
// What explanations say, each line kept once: instructions of a loop differ in few of them.
#pragma once

#include <array>
#include <map>

#include "tessera/explanation.hpp"
#include "viewer/packing.hpp"

namespace tessera::viewer {

class Plans {
public:
    explicit Plans(Texts& texts) : texts_(texts) {}

    /// The number of an explanation, from 0 on.
    std::int32_t add(const Explanation& explanation);
    /// {"lines": topics, names and values as texts; "plans": how many lines and which, as varints}.
    Json json(const GoOn& go_on) const;

private:
    Texts& texts_;
    std::map<std::array<std::uint32_t, 3>, std::uint32_t> numbers_;
    Column<std::uint32_t> topics_, names_, values_;
    ByteStream plans_;
    std::int32_t count_ = 0;
};

}  // namespace tessera::viewer
