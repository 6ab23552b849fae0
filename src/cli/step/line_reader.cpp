// SPDX-License-Identifier: Apache-2.0
#include "step/line_reader.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>

#include <editline/readline.h>

namespace tessera::cli {

std::optional<std::string> read_line(const std::string& prompt) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        std::string line;
        if (!std::getline(std::cin, line)) return {};
        return line;
    }
    std::fflush(stdout);
    const std::unique_ptr<char, decltype(&std::free)> line(readline(prompt.c_str()), &std::free);
    if (!line) return {};
    if (*line) add_history(line.get());
    return std::string(line.get());
}

}  // namespace tessera::cli
