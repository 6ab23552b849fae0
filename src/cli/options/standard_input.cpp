// SPDX-License-Identifier: Apache-2.0
#include "options/standard_input.hpp"

#include <array>
#include <cstdio>

namespace tessera::cli {

Result<std::string> read_standard_input() {
    std::string text;
    std::array<char, 65536> block;
    for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), stdin)) > 0;) text.append(block.data(), n);
    if (std::ferror(stdin)) return fail("cli.read", "cannot read standard input", standard_input_name);
    return text;
}

}  // namespace tessera::cli
