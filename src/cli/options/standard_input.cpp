// SPDX-License-Identifier: Apache-2.0
#include "options/standard_input.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>

namespace tessera::cli {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

}  // namespace

Result<std::string> read_standard_input() {
    std::string text;
    std::array<char, 65536> block;
    for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), stdin)) > 0;) {
        if (text.size() + n > most_bytes)
            return fail("cli.read", fmt::format("standard input has more than the {} bytes that are read", most_bytes), standard_input_name);
        text.append(block.data(), n);
    }
    if (std::ferror(stdin)) return fail("cli.read", "cannot read standard input", standard_input_name);
    return text;
}

}  // namespace tessera::cli
