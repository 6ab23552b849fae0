// SPDX-License-Identifier: Apache-2.0
#include "tessera/error.hpp"

#include <fmt/format.h>

namespace tessera {

std::string Error::describe() const {
    std::string text;
    if (!file.empty()) {
        text = file;
        if (line > 0) text += fmt::format(":{}", line);
        if (line > 0 && column > 0) text += fmt::format(":{}", column);
        text += ": ";
    } else if (line > 0) {
        text = column > 0 ? fmt::format("line {}, column {}: ", line, column) : fmt::format("line {}: ", line);
    }
    text += message;
    if (!code.empty()) text += fmt::format(" [{}]", code);
    return text;
}

}  // namespace tessera
