// SPDX-License-Identifier: Apache-2.0
// Ops and threads as users name them.
#include <fmt/format.h>

#include <limits>

#include "tessera/execution.hpp"
#include "tessera/number.hpp"
#include "tessera/op_place.hpp"

namespace tessera {

namespace {

bool is_decimal(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// "T7", too.
bool is_like_thread(std::string_view text) {
    return text.size() > 1 && (text[0] == 'T' || text[0] == 't') && is_decimal(text.substr(1));
}

}  // namespace

Result<unsigned> parse_thread(std::string_view text) {
    if (!is_like_thread(text)) return fail("op.thread", fmt::format("'{}' is not a thread: T0, T1 or T2", text));
    if (text.size() != 2 || text[1] > '2')
        return fail("op.thread", fmt::format("there is no thread {}: threads are T0 to T2", text));
    return static_cast<unsigned>(text[1] - '0');
}

Result<Breakpoints::Instruction> parse_ops(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    const std::string_view number = colon == text.npos ? std::string_view() : text.substr(colon + 1);
    const auto value = is_decimal(number) ? parse_number(number) : std::nullopt;
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    if (!value || *value > most)
        return fail("op.place", fmt::format("'{}' is not the place of an op: {}", text, op_spellings));
    Breakpoints::Instruction ops;
    if (const std::string_view place = text.substr(0, colon); is_like_thread(place)) {
        const auto thread = parse_thread(place);
        if (!thread) return tl::make_unexpected(thread.error());
        ops.thread = *thread;
        ops.index = static_cast<std::int64_t>(*value);
    } else {
        if (*value == 0) return fail("op.place", fmt::format("{}: lines count from 1", text));
        ops.place = text;
    }
    return ops;
}

bool selects(const Breakpoints::Instruction& ops, const Program& program, unsigned thread, std::int64_t index) {
    return index >= 0 && (!ops.thread || *ops.thread == thread) && (!ops.index || *ops.index == index) &&
           (ops.place.empty() || is_end_of_place(ops.place, program.place(thread, static_cast<std::size_t>(index))));
}

std::string never_issued(const Breakpoints::Instruction& ops, const Program& program) {
    if (!ops.thread && !ops.index && ops.place.empty()) return {};
    bool selected = false;
    for (unsigned thread = 0; thread < program.threads.size(); ++thread)
        for (std::size_t i = 0; i < program.threads[thread].size(); ++i) {
            if (!selects(ops, program, thread, static_cast<std::int64_t>(i))) continue;
            if (program.threads[thread][i].kind == Op::Kind::ins) return {};
            selected = true;
        }
    if (selected) return "no instruction stands there, so none is issued";
    if (!ops.place.empty()) return fmt::format("no {}op comes from {}", ops.thread || ops.index ? "such " : "", ops.place);
    if (!ops.thread) return fmt::format("no thread has an op {}", *ops.index);
    if (*ops.thread >= program.threads.size()) return fmt::format("there is no thread {}", *ops.thread);
    const std::size_t count = program.threads[*ops.thread].size();
    return count == 0 ? fmt::format("T{} has no ops", *ops.thread)
                      : fmt::format("T{} has ops 0 to {}", *ops.thread, count - 1);
}

}  // namespace tessera
