// SPDX-License-Identifier: Apache-2.0
#include "gdb/agent.hpp"

#include <vector>

namespace tessera::gdb {

namespace {

enum Code : std::uint8_t {
    add_op = 0x02,
    sub_op = 0x03,
    mul_op = 0x04,
    div_signed = 0x05,
    div_unsigned = 0x06,
    rem_signed = 0x07,
    rem_unsigned = 0x08,
    lsh = 0x09,
    rsh_signed = 0x0A,
    rsh_unsigned = 0x0B,
    log_not = 0x0E,
    bit_and = 0x0F,
    bit_or = 0x10,
    bit_xor = 0x11,
    bit_not = 0x12,
    equal = 0x13,
    less_signed = 0x14,
    less_unsigned = 0x15,
    ext = 0x16,
    ref8 = 0x17,
    ref16 = 0x18,
    ref32 = 0x19,
    ref64 = 0x1A,
    if_goto = 0x20,
    goto_op = 0x21,
    const8 = 0x22,
    const16 = 0x23,
    const32 = 0x24,
    const64 = 0x25,
    reg = 0x26,
    end = 0x27,
    dup = 0x28,
    pop = 0x29,
    zero_ext = 0x2A,
    swap_op = 0x2B,
    pick = 0x32,
    rot = 0x33,
};

constexpr std::size_t most_stack = 256;
constexpr unsigned most_steps = 10'000;

std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::uint64_t sign_extended(std::uint64_t value, unsigned bits) {
    if (bits == 0 || bits >= 64) return value;
    return static_cast<std::uint64_t>(as_signed(value << (64 - bits)) >> (64 - bits));
}

/// Empty: it divides by zero.
std::optional<std::uint64_t> divided(Code op, std::uint64_t a, std::uint64_t b) {
    if (b == 0) return {};
    const bool overflows = b == ~std::uint64_t{0};  // the negation, also of the smallest number
    switch (op) {
        case div_signed: return overflows ? 0 - a : static_cast<std::uint64_t>(as_signed(a) / as_signed(b));
        case rem_signed: return overflows ? 0 : static_cast<std::uint64_t>(as_signed(a) % as_signed(b));
        case div_unsigned: return a / b;
        default: return a % b;
    }
}

std::optional<std::uint64_t> binary(Code op, std::uint64_t a, std::uint64_t b) {
    switch (op) {
        case add_op: return a + b;
        case sub_op: return a - b;
        case mul_op: return a * b;
        case lsh: return b < 64 ? a << b : 0;
        case rsh_signed: return static_cast<std::uint64_t>(as_signed(a) >> (b < 64 ? b : 63));
        case rsh_unsigned: return b < 64 ? a >> b : 0;
        case bit_and: return a & b;
        case bit_or: return a | b;
        case bit_xor: return a ^ b;
        case equal: return a == b;
        case less_signed: return as_signed(a) < as_signed(b);
        case less_unsigned: return a < b;
        default: return divided(op, a, b);
    }
}

class Evaluation {
public:
    Evaluation(std::span<const std::uint8_t> code, const AgentMachine& machine) : code_(code), machine_(machine) {}

    std::optional<std::uint64_t> run() {
        for (unsigned steps = 0; steps < most_steps; ++steps) {
            const auto op = operand(1);
            if (!op || stack_.size() > most_stack) return {};
            if (*op == end) return take();
            if (!step(static_cast<Code>(*op))) return {};
        }
        return {};
    }

private:
    /// The next bytes of the code, the highest one first.
    std::optional<std::uint64_t> operand(unsigned bytes) {
        if (code_.size() - at_ < bytes) return {};
        std::uint64_t value = 0;
        for (unsigned i = 0; i < bytes; ++i) value = value << 8 | code_[at_++];
        return value;
    }
    std::optional<std::uint64_t> take() {
        if (stack_.empty()) return {};
        const std::uint64_t value = stack_.back();
        stack_.pop_back();
        return value;
    }
    bool push(std::optional<std::uint64_t> value) {
        if (value) stack_.push_back(*value);
        return value.has_value();
    }

    bool step(Code op) {
        switch (op) {
            case const8: return push(operand(1));
            case const16: return push(operand(2));
            case const32: return push(operand(4));
            case const64: return push(operand(8));
            case reg: {
                const auto number = operand(2);
                return number && push(machine_.register_value(static_cast<unsigned>(*number)));
            }
            case ref8:
            case ref16:
            case ref32:
            case ref64: {
                const auto address = take();
                return address && push(machine_.load(*address, 1u << (op - ref8)));
            }
            case goto_op: return jump(true);
            case if_goto: {
                const auto condition = take();
                return condition && jump(*condition != 0);
            }
            case ext:
            case zero_ext: {
                const auto bits = operand(1), value = take();
                if (!bits || !value) return false;
                const bool whole = *bits == 0 || *bits >= 64;
                return push(op == ext ? sign_extended(*value, static_cast<unsigned>(*bits))
                            : whole   ? *value
                                      : *value & ((std::uint64_t{1} << *bits) - 1));
            }
            case log_not: {
                const auto value = take();
                return value && push(*value == 0);
            }
            case bit_not: {
                const auto value = take();
                return value && push(~*value);
            }
            case dup: return !stack_.empty() && push(stack_.back());
            case pop: return take().has_value();
            case swap_op: return turn(2);
            case rot: return turn(3);
            case pick: {
                const auto depth = operand(1);
                return depth && *depth < stack_.size() && push(stack_[stack_.size() - 1 - *depth]);
            }
            default: {
                if (op < add_op || op > less_unsigned || op == 0x0C || op == 0x0D) return false;
                const auto b = take(), a = take();
                return a && b && push(binary(op, *a, *b));
            }
        }
    }
    bool jump(bool taken) {
        const auto target = operand(2);
        if (!target || *target >= code_.size()) return false;
        if (taken) at_ = *target;
        return true;
    }
    /// The top goes below the next ones.
    bool turn(std::size_t count) {
        if (stack_.size() < count) return false;
        const auto top = stack_.back();
        stack_.pop_back();
        stack_.insert(stack_.end() - static_cast<std::ptrdiff_t>(count - 1), top);
        return true;
    }

    std::span<const std::uint8_t> code_;
    const AgentMachine& machine_;
    std::size_t at_ = 0;
    std::vector<std::uint64_t> stack_;
};

}  // namespace

std::optional<std::uint64_t> evaluate(std::span<const std::uint8_t> code, const AgentMachine& machine) {
    return Evaluation(code, machine).run();
}

}  // namespace tessera::gdb
