// SPDX-License-Identifier: Apache-2.0
#include "program/documents/toml_guard.hpp"

#include <algorithm>

#include "program/documents/json_places.hpp"

namespace tessera::program {

namespace {

class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    std::optional<TomlMistake> scan() {
        bool line_start = true;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (static_cast<unsigned char>(c) >= 0x80)
                return TomlMistake{"a character outside of strings and comments is not ASCII", position_at(text_, at_)};
            dots_ = c == '\n' ? 0 : dots_ + (c == '.');
            if (dots_ > max_node_depth) return TomlMistake{"keys nest too deeply", position_at(text_, at_)};
            if ((c == '"' || c == '\'') && !string_may_start())
                return TomlMistake{"a quote within a value", position_at(text_, at_)};
            if (c == '}' && (before_ == '[' || before_ == ','))
                return TomlMistake{"a '}' in place of a value", position_at(text_, at_)};
            if (c == '[' && line_start && depth_ == 0 && !header_has_key())
                return TomlMistake{"a table header needs a key", position_at(text_, at_)};
            line_start = c == '\n' || (line_start && (c == ' ' || c == '\t'));
            skip(c);
        }
        return std::nullopt;
    }

private:
    void skip(char c) {
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '#') before_ = c;
        if (c == '#') {
            at_ = text_.find('\n', at_);
            return;
        }
        if (c == '"' || c == '\'') return skip_string(c);
        if (c == '[' || c == '{') ++depth_;
        if ((c == ']' || c == '}') && depth_ > 0) --depth_;
        ++at_;
    }

    void skip_string(char quote) {
        const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
        const bool multi_line = text_.substr(at_).starts_with(three);
        at_ += multi_line ? three.size() : 1;
        for (; at_ < text_.size(); ++at_) {
            if (quote == '"' && text_[at_] == '\\')
                ++at_;
            else if (multi_line ? text_.substr(at_).starts_with(three) : text_[at_] == quote || text_[at_] == '\n')
                break;
        }
        // Up to two quotes may precede the closing three.
        at_ += multi_line ? three.size() : 1;
        for (int extra = 0; multi_line && extra < 2 && at_ < text_.size() && text_[at_] == quote; ++extra) ++at_;
    }

    bool string_may_start() const {
        return at_ == 0 || std::string_view(" \t\r\n=[{,.").find(text_[at_ - 1]) != std::string_view::npos;
    }

    bool header_has_key() const {
        std::string_view key = text_.substr(at_ + 1);
        if (key.starts_with('[')) key.remove_prefix(1);
        key.remove_prefix(std::min(key.find_first_not_of(" \t"), key.size()));
        // The parser tells a text that ends here.
        if (key.empty()) return true;
        const char c = key.front();
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '"' || c == '\'' || c == ']';
    }

    std::string_view text_;
    std::size_t at_ = 0;  ///< the size or more at the end
    std::size_t depth_ = 0;
    int dots_ = 0;   ///< in the current line; each may open a table
    char before_{};  ///< the last character outside strings, comments and blanks
};

}  // namespace

std::optional<TomlMistake> find_toml_mistake(std::string_view text) { return Scanner(text).scan(); }

}  // namespace tessera::program
