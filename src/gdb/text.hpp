// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::gdb {

/// Reads a packet from left to right.
class Cursor {
public:
    explicit Cursor(std::string_view text) : rest_(text) {}

    bool at_end() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }
    char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }
    /// At most 16 digits, without a sign.
    std::optional<std::uint64_t> number();
    std::optional<std::uint32_t> address();
    /// The text before `end`, which is taken, too; all of the rest if there is none.
    std::string_view until(char end);
    /// The first bytes of the rest; fewer at the end.
    std::string_view bytes(std::size_t count);

private:
    std::string_view rest_;
};

}  // namespace tessera::gdb
