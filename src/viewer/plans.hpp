// SPDX-License-Identifier: Apache-2.0
// Explanations without repetition: each explanation and each line is stored once, since instructions of a loop
// differ in few lines.
#pragma once

#include <array>
#include <map>
#include <unordered_map>

#include "tessera/explanation.hpp"
#include "viewer/packing.hpp"

namespace tessera::viewer {

class Plans {
public:
    /// The number of an explanation's plan, from 0 on; those with the same lines have the same. `number` is that of
    /// RunOptions::on_explanation.
    std::int32_t add(const Explanation& explanation, std::uint64_t number);
    /// The unit that executes a plan, as its topic "unit" has it.
    const std::string& unit(std::int32_t plan) const { return texts_.text(units_[static_cast<std::size_t>(plan)]); }
    /// "starts": of each plan, where its lines begin in "plans"; the lines' topics, names and values are numbers of "texts".
    Json json(Packer& packer) const;

private:
    std::int32_t add(const Explanation& explanation);
    std::uint32_t line(const Explanation::Line& line);
    bool is_same(std::uint32_t plan, const Explanation& explanation) const;

    Texts texts_;
    std::map<std::array<std::uint32_t, 3>, std::uint32_t> numbers_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> known_;  ///< plans by a hash of their lines
    std::vector<std::int32_t> numbered_;  ///< plans by the explanations' numbers; -1: none
    std::vector<std::uint32_t> units_;    ///< of each plan, a text
    Column<std::uint32_t> topics_, names_, values_, starts_, plans_;
};

}  // namespace tessera::viewer
