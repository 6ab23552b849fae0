// SPDX-License-Identifier: Apache-2.0
#include "frontend/wait_gate.hpp"

#include <fmt/format.h>

#include "util/set_bits.hpp"

namespace tessera::frontend {

namespace {

using plan::Pipe;
using state::Condition;
using state::Latch;
using state::LatchKind;
using state::Owner;
using state::Src;
using state::StreamRegister;

constexpr auto stream_of = registers::fields<4>("STREAM_ID_SYNC_SEC#_BankSel");

std::uint32_t latch(const state::State& state, unsigned thread, Latch item) {
    return state[state::cells::latch(thread, item)];
}

bool holds(const BankCondition& condition, const state::State& state) {
    return state[state::cells::bank_owner(condition.src, condition.bank(state))] ==
           static_cast<std::uint32_t>(condition.owner);
}

std::string unmet_text(const BankCondition& condition, const state::State& state) {
    return fmt::format("Src{} bank {} is not the {}'s", condition.src == Src::a ? 'A' : 'B', condition.bank(state),
                       condition.owner == Owner::matrix ? "matrix unit" : "unpackers");
}

// The value that a latched STREAMWAIT compares with its target.
struct StreamValue {
    unsigned stream = 0;
    bool messages = false;
    std::uint32_t value = 0;
};
StreamValue stream_value(const state::State& state, unsigned thread) {
    StreamValue at;
    at.stream = state.config(thread, stream_of[latch(state, thread, Latch::stream)]);
    at.messages = latch(state, thread, Latch::conditions) & 2;
    const auto read = [&](StreamRegister item) { return state[state::cells::stream_register(at.stream, item)]; };
    at.value = at.messages ? read(StreamRegister::messages)
                           : (read(StreamRegister::phase) - read(StreamRegister::phase_base)) & 0xFFFFF;
    return at;
}

// Calls f(text) for each condition of `mask` that holds; f returns false to stop.
template <class F>
void for_each_unmet_of(const state::State& state, const Activity& activity, unsigned thread, state::ConditionMask mask,
                       F&& f) {
    auto busy = [&](Pipe pipe) { return activity.busy(pipe, thread); };
    auto busy_text = [](Pipe pipe) { return fmt::format("{} has an instruction of the thread", name(pipe)); };
    auto waits = [&](Condition c) { return (mask & state::bit(c)) != 0; };
    constexpr plan::PipeMask by_thread = plan::unpackers | plan::packers | bit(Pipe::matrix) | bit(Pipe::vector);
    for (const unsigned p : util::SetBits(static_cast<plan::PipeMask>(pipes_of(mask) & by_thread)))
        if (busy(Pipe(p)) && !f([&] { return busy_text(Pipe(p)); })) return;
    for (const BankCondition& each : bank_conditions)
        if (waits(each.condition) && !holds(each, state) && !f([&] { return unmet_text(each, state); })) return;
    if (waits(Condition::thcon) && activity.scalar_requests[thread] &&
        !f([] { return std::string("the scalar unit has requests outstanding"); }))
        return;
    if (waits(Condition::xmov))
        for (unsigned t = 0; t < state::threads; ++t)
            if (activity.busy(Pipe::mover, t) && !f([&] { return fmt::format("the mover has a transfer of T{}", t); }))
                return;
    if (waits(Condition::trisc_cfg) && activity.pending_stores[thread] &&
        !f([] { return std::string("the core has an unprocessed store"); }))
        return;
    if (waits(Condition::cfgexu))
        for (unsigned t = 0; t < state::threads; ++t)
            if (activity.busy(Pipe::config, t) &&
                !f([&] { return fmt::format("the configuration unit has an instruction of T{}", t); }))
                return;
}

// As above, for the thread's latched wait.
template <class F>
void for_each_unmet(const state::State& state, const Activity& activity, unsigned thread, F&& f) {
    const std::uint32_t mask = latch(state, thread, Latch::conditions);
    switch (LatchKind(latch(state, thread, Latch::kind))) {
        case LatchKind::sem: break;
        case LatchKind::stream: {
            const StreamValue at = stream_value(state, thread);
            const std::uint32_t target = latch(state, thread, Latch::target);
            if (at.value < target)
                f([&] {
                    return fmt::format("{} of stream {} is {}, below {}",
                                       at.messages ? "the message count" : "the phase", at.stream, at.value, target);
                });
            return;
        }
        default: return for_each_unmet_of(state, activity, thread, mask, f);
    }
    const std::uint32_t semaphores = latch(state, thread, Latch::semaphores);
    for (unsigned i = 0; i < 8; ++i) {
        if (!(semaphores >> i & 1)) continue;
        const std::uint32_t value = state[state::cells::semaphore_value(i)];
        const std::uint32_t max = state[state::cells::semaphore_max(i)];
        if ((mask & 1) && value == 0 && !f([&] { return fmt::format("semaphore {} is 0", i); })) return;
        if ((mask & 2) && value >= max &&
            !f([&] { return fmt::format("semaphore {} is at its maximum of {}", i, max); }))
            return;
    }
}

// The texts for which for_each(add) calls add(text).
template <class ForEach>
std::string joined(ForEach&& for_each) {
    std::string text;
    for_each([&](auto&& describe) {
        if (!text.empty()) text += "; ";
        text += describe();
        return true;
    });
    return text;
}

}  // namespace

std::uint16_t block_bits(const isa::Instruction& instruction, const state::ArchDescription& arch) {
    if (!instruction.spec || instruction.is(isa::mnemonic("STALLWAIT")) || instruction.is(isa::mnemonic("STREAMWAIT")))
        return isa::block::all;
    if (instruction.is(isa::mnemonic("SEMWAIT"))) return arch.semwait_replaces ? isa::block::sync : isa::block::all;
    return isa::block_bits(isa::unit_of(instruction.mnemonic));
}

bool may_block(std::uint32_t mask, plan::PipeMask pipes) {
    std::uint32_t bits = 0;
    plan::for_each_pipe(pipes, [&](unsigned pipe) { bits |= isa::block_bits(unit_of(Pipe(pipe))); });
    return (mask & bits) != 0;
}

bool blocks(std::uint32_t mask, const isa::Instruction& instruction, const state::ArchDescription& arch) {
    if (instruction.is(isa::mnemonic("NOP"))) return mask == isa::block::all;
    return (mask & block_bits(instruction, arch)) != 0;
}

bool blocks(const state::State& state, unsigned thread, const isa::Instruction& instruction) {
    return has_latch(state, thread) && blocks(latch(state, thread, Latch::block_mask), instruction, state.arch());
}

bool over(const state::State& state, const Activity& activity, unsigned thread, state::ConditionMask conditions) {
    bool met = true;
    for_each_unmet_of(state, activity, thread, conditions, [&](auto&&) { return met = false; });
    return met;
}

std::string unmet(const state::State& state, const Activity& activity, unsigned thread,
                  state::ConditionMask conditions) {
    return joined([&](auto&& add) { for_each_unmet_of(state, activity, thread, conditions, add); });
}

bool conditions_met(const state::State& state, const Activity& activity, unsigned thread) {
    bool met = true;
    for_each_unmet(state, activity, thread, [&](auto&&) { return met = false; });
    return met;
}

LatchedWait latched_wait(const state::State& state, unsigned thread) {
    const std::uint32_t conditions = latch(state, thread, Latch::conditions);
    if (LatchKind(latch(state, thread, Latch::kind)) == LatchKind::stall)
        return {LatchedWait::For::conditions, static_cast<std::uint16_t>(conditions)};
    if (LatchKind(latch(state, thread, Latch::kind)) == LatchKind::stream)
        return {conditions & 2 ? LatchedWait::For::messages : LatchedWait::For::phase,
                static_cast<std::uint16_t>(latch(state, thread, Latch::stream))};
    return {LatchedWait::For(conditions & 3), static_cast<std::uint16_t>(latch(state, thread, Latch::semaphores))};
}

state::Cell awaited_stream_register(const state::State& state, unsigned thread) {
    const StreamValue at = stream_value(state, thread);
    return state::cells::stream_register(at.stream, at.messages ? StreamRegister::messages : StreamRegister::phase);
}

std::string describe(const LatchedWait& wait) {
    constexpr std::string_view conditions[] = {
        "the scalar unit",    "unpacker 0",         "unpacker 1",       "packer 0",
        "packer 1",           "packer 2",           "packer 3",         "matrix",
        "SrcA to be cleared", "SrcB to be cleared", "SrcA to be valid", "SrcB to be valid",
        "the mover",          "stores of its core", "vector",           "the configuration unit"};
    static_assert(std::size(conditions) == static_cast<std::size_t>(Condition::count));
    constexpr std::string_view states[] = {"", "non-zero", "below its maximum", "non-zero and below its maximum"};
    if (wait.what == LatchedWait::For::phase || wait.what == LatchedWait::For::messages)
        return fmt::format("STREAMWAIT for {} of stream {} of the thread's four",
                           wait.what == LatchedWait::For::phase ? "the phase" : "messages", wait.mask);
    const bool stall = wait.what == LatchedWait::For::conditions;
    std::string list;
    for (unsigned i = 0; i < 16; ++i) {
        if (!(wait.mask >> i & 1)) continue;
        if (!list.empty()) list += ", ";
        list += stall ? std::string(conditions[i]) : fmt::format("semaphore {}", i);
    }
    if (stall) return "STALLWAIT for " + list;
    return fmt::format("SEMWAIT for {} to be {}", list, states[static_cast<unsigned>(wait.what)]);
}

std::string unmet_conditions(const state::State& state, const Activity& activity, unsigned thread) {
    return joined([&](auto&& add) { for_each_unmet(state, activity, thread, add); });
}

}  // namespace tessera::frontend
