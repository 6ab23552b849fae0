// SPDX-License-Identifier: Apache-2.0
// A `tessera-case-1` file: memory, what three cores do, and the state expected at the end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tessera/core.hpp"

namespace tessera::check {

struct Region {
    std::uint64_t address = 0;
    std::vector<std::byte> bytes;
};

struct Case {
    std::string name;
    Arch arch = Arch::blackhole;
    Timing timing = Timing::instant;
    std::vector<Region> l1;
    Program program;
    nlohmann::json expect;  ///< an object; compare.cpp knows its keys
};

Result<Case> load_case(const std::string& path);

/// Bytes of a text of hexadecimal digits; error "case.hex".
Result<std::vector<std::byte>> parse_hex(const std::string& text, const std::string& file);

}  // namespace tessera::check
