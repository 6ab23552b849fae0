// SPDX-License-Identifier: Apache-2.0
// The wait gate of a thread: which instructions a latched wait blocks, and when its conditions are met (STALLWAIT,
// SEMWAIT). Pure functions of state and activity.
#pragma once

#include <array>
#include <iterator>
#include <string>

#include "isa/instruction.hpp"
#include "plan/plan.hpp"
#include "state/state.hpp"

namespace tessera::frontend {

/// Activity outside the state: instructions in units, pending stores.
struct Activity {
    using Cycle = std::uint64_t;

    /// Instructions of a thread in a pipe, from issue to end.
    std::array<std::array<std::uint32_t, state::threads>, plan::pipes> in_pipe{};
    /// End of the pipe's instructions that have no end event.
    std::array<std::array<Cycle, state::threads>, plan::pipes> busy_until{};
    /// The current cycle.
    Cycle now = 0;
    /// Stores to configuration and GPRs that a core has emitted and that are not yet processed.
    std::array<std::uint32_t, state::threads> pending_stores{};
    /// The scalar unit's memory requests, from issue to arrival or answer.
    std::array<std::uint32_t, state::threads> scalar_requests{};

    bool busy(plan::Pipe pipe, unsigned thread) const {
        const auto p = static_cast<unsigned>(pipe);
        return in_pipe[p][thread] || busy_until[p][thread] > now;
    }
};

/// True for MOP, MOP_CFG and REPLAY, which end in the expanders, and for RESOURCEDECL, which ends at the gate.
inline bool stays_in_front(const isa::Instruction& instruction) { return instruction.is_of(isa::Unit::frontend); }

/// True if the plan needs no mutex, or its thread can have it.
inline bool can_have_mutex(const state::State& state, const plan::Plan& plan) {
    if (plan.mutex < 0) return true;
    const std::uint32_t holder = state[state::cells::mutex(static_cast<unsigned>(plan.mutex))];
    return holder == 0 || holder == plan.thread + 1u;
}
/// True if the instruction waits for the bank before its issue. `queued`: its unit has a queue.
inline bool is_needed_at_gate(const plan::BankNeed& need, const plan::Plan& plan, bool queued) {
    return !need.in_unit || !(queued || plan.waits_in_unit);
}

/// The block-mask bits that hold an instruction back. NOP is blocked only when all bits are set.
std::uint16_t block_bits(const isa::Instruction& instruction, const state::ArchDescription& arch);

/// The unit that a pipe belongs to.
constexpr isa::Unit unit_of(plan::Pipe pipe) {
    using enum isa::Unit;
    constexpr isa::Unit units[] = {sync,   config, misc,   scalar, mover,  unpacker, unpacker,
                                   packer, packer, packer, packer, matrix, vector};
    static_assert(std::size(units) == plan::pipes);
    return units[static_cast<unsigned>(pipe)];
}
/// True if a latched wait with this block mask may block an instruction in one of these pipes.
bool may_block(std::uint32_t mask, plan::PipeMask pipes);

/// True if a latched wait with this block mask blocks the instruction.
bool blocks(std::uint32_t mask, const isa::Instruction& instruction, const state::ArchDescription& arch);
/// The same for the thread's latched wait, if there is one.
bool blocks(const state::State& state, unsigned thread, const isa::Instruction& instruction);

inline bool has_latch(const state::State& state, unsigned thread) {
    return state::LatchKind(state[state::cells::latch(thread, state::Latch::kind)]) != state::LatchKind::none;
}

/// True if any thread has a latched wait.
inline bool any_latch(const state::State& state) {
    static_assert(state::LatchKind{} == state::LatchKind::none);
    std::uint32_t kinds = 0;
    for (unsigned thread = 0; thread < state::threads; ++thread)
        kinds |= state[state::cells::latch(thread, state::Latch::kind)];
    return kinds != 0;
}

/// The pipes whose instructions `conditions` name.
constexpr plan::PipeMask pipes_of(state::ConditionMask conditions) {
    using plan::Pipe;
    using state::Condition;
    // From unpacker 0 to the matrix unit, conditions and pipes have the same order.
    constexpr auto first = static_cast<unsigned>(Condition::unpack0), to = static_cast<unsigned>(Pipe::unpacker0);
    constexpr unsigned alike = static_cast<unsigned>(Condition::math) - first + 1;
    static_assert(static_cast<unsigned>(Pipe::matrix) - to + 1 == alike);
    unsigned pipes = (conditions >> first & ((1u << alike) - 1)) << to;
    if (conditions & state::bit(Condition::sfpu)) pipes |= bit(Pipe::vector);
    if (conditions & state::bit(Condition::thcon)) pipes |= bit(Pipe::scalar);
    if (conditions & state::bit(Condition::xmov)) pipes |= bit(Pipe::mover);
    if (conditions & state::bit(Condition::cfgexu)) pipes |= bit(Pipe::config);
    return static_cast<plan::PipeMask>(pipes);
}

/// A STALLWAIT condition about a source bank: the next one of `owner` is in its hands.
struct BankCondition {
    state::Condition condition;
    state::Src src;
    state::Owner owner;

    /// The bank that it is about now.
    unsigned bank(const state::State& state) const {
        using namespace state::cells;
        return state[owner == state::Owner::matrix ? matrix_bank(src)
                                                   : unpacker(static_cast<unsigned>(src), state::Unpacker::bank)];
    }
};
inline constexpr BankCondition bank_conditions[] = {
    {state::Condition::srca_clr, state::Src::a, state::Owner::unpackers},
    {state::Condition::srca_vld, state::Src::a, state::Owner::matrix},
    {state::Condition::srcb_clr, state::Src::b, state::Owner::unpackers},
    {state::Condition::srcb_vld, state::Src::b, state::Owner::matrix}};

/// True if the thread has no activity that `conditions` names.
bool over(const state::State& state, const Activity& activity, unsigned thread, state::ConditionMask conditions);
/// The activity in words.
std::string unmet(const state::State& state, const Activity& activity, unsigned thread,
                  state::ConditionMask conditions);

/// True if all conditions of the thread's latched wait are met now.
bool conditions_met(const state::State& state, const Activity& activity, unsigned thread);

/// The conditions of a thread's latched wait: semaphores, condition bits as in state::Condition, or a StreamSelect.
struct LatchedWait {
    enum class For : std::uint8_t { conditions, non_zero, below_maximum, either, phase, messages };
    For what{};
    std::uint16_t mask = 0;

    bool for_non_zero() const { return what == For::non_zero || what == For::either; }
    bool for_below_maximum() const { return what == For::below_maximum || what == For::either; }
};
LatchedWait latched_wait(const state::State& state, unsigned thread);
/// Of a latched STREAMWAIT.
state::Cell awaited_stream_register(const state::State& state, unsigned thread);
/// In words: "STALLWAIT for matrix", "SEMWAIT for semaphore 1 to be non-zero".
std::string describe(const LatchedWait& wait);

/// The unmet conditions in words: "SrcA bank 0 is not the matrix unit's; semaphore 1 is 0".
std::string unmet_conditions(const state::State& state, const Activity& activity, unsigned thread);

}  // namespace tessera::frontend
