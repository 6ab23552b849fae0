// SPDX-License-Identifier: Apache-2.0
#include "tensor/npy_header.hpp"

#include <charconv>
#include <optional>

namespace tessera::tensor {

namespace {

class HeaderReader {
public:
    explicit HeaderReader(std::string_view text) : text_(text) {}

    Result<NpyHeader> read() {
        if (!take('{')) return malformed();
        while (!take('}')) {
            const auto key = quoted();
            if (!key || !take(':')) return malformed();
            if (auto entry = read_entry(*key); !entry) return tl::make_unexpected(std::move(entry.error()));
            if (!take(',') && peek() != '}') return malformed();
        }
        peek();
        if (at_ != text_.size()) return malformed();
        if (seen_ != all) return fail("npy.format", "the header lacks one of descr, fortran_order and shape");
        return header_;
    }

private:
    static constexpr unsigned descr = 1, fortran_order = 2, shape = 4, all = 7;
    static constexpr std::size_t max_dimensions = 64;

    static tl::unexpected<Error> malformed() { return fail("npy.format", "the header is malformed"); }

    Result<void> read_entry(std::string_view key) {
        if (key == "descr" && first(descr)) return read_descr();
        if (key == "fortran_order" && first(fortran_order)) return read_order();
        if (key == "shape" && first(shape)) return read_shape();
        return malformed();
    }

    bool first(unsigned entry) {
        const bool is_first = !(seen_ & entry);
        seen_ |= entry;
        return is_first;
    }

    Result<void> read_descr() {
        if (peek() == '[') return fail("npy.dtype", "an array of structures cannot be read");
        const auto value = quoted();
        if (!value) return malformed();
        header_.descr = *value;
        return {};
    }

    Result<void> read_order() {
        if (take_word("True"))
            header_.fortran_order = true;
        else if (!take_word("False"))
            return malformed();
        return {};
    }

    Result<void> read_shape() {
        if (!take('(')) return malformed();
        while (!take(')')) {
            if (peek() < '0' || peek() > '9') return malformed();
            std::size_t size{};
            const auto [stop, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
            if (status != std::errc{}) return fail("npy.shape", "a size does not fit 64 bits");
            at_ = static_cast<std::size_t>(stop - text_.data());
            header_.shape.push_back(size);
            if (header_.shape.size() > max_dimensions) return fail("npy.shape", "the array has too many dimensions");
            if (!take(',') && peek() != ')') return malformed();
        }
        return {};
    }

    /// The next character behind blanks; 0 at the end.
    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    bool take(char wanted) {
        if (peek() != wanted || at_ == text_.size()) return false;
        ++at_;
        return true;
    }

    bool take_word(std::string_view word) {
        peek();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    std::optional<std::string_view> quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') return std::nullopt;
        const auto end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) return std::nullopt;
        const auto value = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return value;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned seen_ = 0;
    NpyHeader header_;
};

}  // namespace

Result<NpyHeader> parse_npy_header(std::string_view text) { return HeaderReader(text).read(); }

}  // namespace tessera::tensor
