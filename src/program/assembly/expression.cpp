// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/expression.hpp"

#include <fmt/format.h>
#include <charconv>
#include <limits>

namespace tessera::program {

namespace {

struct Operator {
    std::string_view text;
    int precedence;
};

/// Two-character operators come first, so that they match first.
constexpr Operator operators[] = {
    {"<<", 3}, {">>", 3}, {"|", 0}, {"^", 1}, {"&", 2}, {"+", 4}, {"-", 4}, {"*", 5}, {"/", 5}, {"%", 5},
};

/// Empty if the result does not fit 64 bits.
std::optional<std::int64_t> apply(std::string_view op, std::int64_t a, std::int64_t b) {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    std::int64_t result{};
    switch (op[0]) {
        case '|': return a | b;
        case '^': return a ^ b;
        case '&': return a & b;
        case '+': return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case '-': return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case '*': return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
        case '/':
            if (b == 0 || (a == lowest && b == -1)) return std::nullopt;
            return a / b;
        case '%':
            if (b == 0 || (a == lowest && b == -1)) return std::nullopt;
            return a % b;
        case '>':
            if (b < 0 || b > 63) return std::nullopt;
            return a >> b;
        default:
            if (b < 0 || b > 63) return std::nullopt;
            result = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
            return result >> b == a ? std::optional(result) : std::nullopt;
    }
}

class Evaluator {
public:
    Evaluator(isa::LineCursor& cursor, const isa::SymbolLookup& symbols) : cursor_(cursor), symbols_(symbols) {}

    Result<std::int64_t> binary(int lowest_precedence) {
        auto left = unary();
        while (left) {
            isa::LineCursor ahead = cursor_;
            const Operator* op = take_operator(ahead);
            if (!op || op->precedence < lowest_precedence) break;
            const int column = cursor_.next_column();
            cursor_ = ahead;
            auto right = binary(op->precedence + 1);
            if (!right) return right;
            const auto value = apply(op->text, *left, *right);
            if (!value)
                return isa::fail_at(column, "asm.range",
                                    fmt::format("{} {} {} has no 64-bit result", *left, op->text, *right));
            left = *value;
        }
        return left;
    }

private:
    /// Bounds the recursion on hostile text.
    static constexpr int max_depth = 100;

    static const Operator* take_operator(isa::LineCursor& cursor) {
        const char next = cursor.peek();
        for (const auto& op : operators)
            if (op.text[0] == next && cursor.take(op.text)) return &op;
        return nullptr;
    }

    Result<std::int64_t> unary() {
        const int column = cursor_.next_column();
        if (depth_ > max_depth) return isa::fail_at(column, "asm.nesting", "the expression is nested too deeply");
        ++depth_;
        auto value = unary_at(column);
        --depth_;
        return value;
    }

    Result<std::int64_t> unary_at(int column) {
        if (cursor_.take('-')) {
            auto value = unary();
            if (!value) return value;
            const auto negated = apply("-", 0, *value);
            if (!negated) return isa::fail_at(column, "asm.range", "the value does not fit 64 bits with a sign");
            return *negated;
        }
        if (cursor_.take('+')) return unary();
        if (cursor_.take('~')) return unary().map([](std::int64_t value) { return ~value; });
        if (cursor_.take('(')) {
            auto value = binary(0);
            if (value && !cursor_.take(')')) return isa::fail_at(cursor_.next_column(), "asm.syntax", "expected ')'");
            return value;
        }
        const auto word = cursor_.take_word();
        if (word.empty()) return isa::fail_at(column, "asm.syntax", "expected a value");
        return word[0] >= '0' && word[0] <= '9' ? number(word, column) : symbol(word, column);
    }

    static Result<std::int64_t> number(std::string_view word, int column) {
        int base = 10;
        std::string_view digits = word;
        if (word.starts_with("0x") || word.starts_with("0X")) base = 16;
        if (word.starts_with("0b") || word.starts_with("0B")) base = 2;
        if (base != 10) digits.remove_prefix(2);
        std::int64_t value{};
        const auto* end = digits.data() + digits.size();
        const auto [stop, status] = std::from_chars(digits.data(), end, value, base);
        if (status == std::errc::result_out_of_range)
            return isa::fail_at(column, "asm.range", fmt::format("{} does not fit 64 bits with a sign", word));
        if (status != std::errc{} || stop != end)
            return isa::fail_at(column, "asm.syntax", fmt::format("'{}' is not a number", word));
        return value;
    }

    Result<std::int64_t> symbol(std::string_view name, int column) const {
        auto value = symbols_(name);
        if (!value) value.error().column = column;
        return value;
    }

    isa::LineCursor& cursor_;
    const isa::SymbolLookup& symbols_;
    int depth_ = 0;
};

}  // namespace

Result<std::int64_t> evaluate(isa::LineCursor& cursor, const isa::SymbolLookup& symbols) {
    return Evaluator(cursor, symbols).binary(0);
}

}  // namespace tessera::program
