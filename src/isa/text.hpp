// SPDX-License-Identifier: Apache-2.0
// Assembles a line of text into a word. Disassembly is declared in tessera/assembly.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "isa/instruction_spec.hpp"
#include "tessera/error.hpp"

namespace tessera::isa {

/// The position in a line of assembly. All functions but at() and column() skip blanks first.
class LineCursor {
public:
    explicit LineCursor(std::string_view line, std::size_t at = 0) : line_(line), at_(at) {}

    std::size_t at() const { return at_; }
    int column() const { return static_cast<int>(at_) + 1; }

    /// Column of the next token.
    int next_column() {
        skip_blanks();
        return column();
    }
    bool at_end() {
        skip_blanks();
        return at_ >= line_.size();
    }
    /// The next character; 0 at the end.
    char peek() { return at_end() ? '\0' : line_[at_]; }
    /// `wanted` is not 0.
    bool take(char wanted) {
        if (peek() != wanted) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view wanted);
    /// A name of letters, digits and underscores that does not start with a digit; empty if there is none.
    std::string_view take_name();
    /// A name that may start with a digit.
    std::string_view take_word();
    /// A decimal number of at most eight digits, followed by the end, a comma or a name.
    std::optional<std::uint32_t> take_small_number();

private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
    void skip_blanks() {
        while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    }

    std::string_view line_;
    std::size_t at_;
};

/// An error in a line: its column, from 1. The caller knows file and line.
inline tl::unexpected<Error> fail_at(int column, std::string code, std::string message) {
    return fail(std::move(code), std::move(message), {}, 0, column);
}

/// The value of a name; an error needs no column.
using SymbolLookup = std::function<Result<std::int64_t>(std::string_view name)>;

/// Names that take precedence over all symbols at this place. Both functions may be empty.
struct OwnNames {
    std::function<std::optional<std::int64_t>(std::string_view name)> find;
    /// The error text for a name that is not one of `symbols` either.
    std::function<std::string(std::string_view name, std::span<const std::string_view> symbols)> unknown;
    bool hide_symbols = false;  ///< false: a symbol with the same name must have the same value
};

/// Reads one constant expression.
using ReadValue = std::function<Result<std::int64_t>(LineCursor& cursor, const OwnNames& own)>;

/// Assembles one instruction in either spelling; the cursor ends up behind it. Errors carry the column only.
Result<std::uint32_t> assemble_instruction(LineCursor& cursor, Arch arch, const ReadValue& read_value);

}  // namespace tessera::isa
