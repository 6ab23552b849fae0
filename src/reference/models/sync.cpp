// SPDX-License-Identifier: Apache-2.0
// SEMINIT, SEMPOST, SEMGET, ATGETM, ATRELM; STREAMWAIT and STREAMWRCFG (Blackhole): their pages, Functional models.
// Rules: units/config/rules/backend.cpp, units/sync/rules/mutexes.cpp, units/sync/rules/semaphores.cpp, units/sync/rules/waits.cpp.
#include "reference/models.hpp"
#include "reference/tile_registers.hpp"
#include "state/config_store.hpp"

namespace tessera::reference {

namespace {

using registers::field;
using registers::fields;

constexpr auto STREAMWAIT_PHASE_HI_Val = field("STREAMWAIT_PHASE_HI_Val");
constexpr auto STREAMWAIT_NUM_MSGS_HI_Val = field("STREAMWAIT_NUM_MSGS_HI_Val");
constexpr auto STREAM_ID_SYNC_SEC = fields<4>("STREAM_ID_SYNC_SEC#_BankSel");

std::uint32_t bits(const Machine& m, unsigned hi, unsigned lo) {
    return m.CurrentInstruction.word >> lo & ((1u << (hi - lo + 1)) - 1);
}

bool exists(const Machine& m, std::uint32_t Index) { return Index != 1 && Index <= (m.blackhole() ? 4u : 7u); }

Outcome seminit(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    for (unsigned i = 0; i < 8; ++i) {
        if (!(bits(m, 9, 2) >> i & 1)) continue;
        m.set(state::cells::semaphore_value(i), bits(m, 19, 16));
        m.set(state::cells::semaphore_max(i), bits(m, 23, 20));
    }
    return Outcome::done;
}

Outcome sempost(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    for (unsigned i = 0; i < 8; ++i) {
        const state::Cell Value = state::cells::semaphore_value(i);
        if ((bits(m, 9, 2) >> i & 1) && m[Value] < 15) m.set(Value, m[Value] + 1);
    }
    return Outcome::done;
}

Outcome semget(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    for (unsigned i = 0; i < 8; ++i) {
        const state::Cell Value = state::cells::semaphore_value(i);
        if ((bits(m, 9, 2) >> i & 1) && m[Value] > 0) m.set(Value, m[Value] - 1);
    }
    return Outcome::done;
}

Outcome atgetm(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    const std::uint32_t Index = bits(m, 15, 0);
    if (!exists(m, Index)) return Outcome::undefined;
    m.set(state::cells::mutex(Index), CurrentThread + 1);
    return Outcome::done;
}

Outcome atrelm(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    const std::uint32_t Index = bits(m, 15, 0);
    if (!exists(m, Index)) return Outcome::undefined;
    if (m[state::cells::mutex(Index)] == CurrentThread + 1) m.set(state::cells::mutex(Index), 0);
    return Outcome::done;
}

Outcome streamwait(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    const std::uint32_t BlockMask = bits(m, 23, 15), TargetValueLo = bits(m, 13, 4), ConditionIndex = bits(m, 3, 3);
    const std::uint32_t TargetValue =
        m[ConditionIndex == 0 ? STREAMWAIT_PHASE_HI_Val : STREAMWAIT_NUM_MSGS_HI_Val] << 10 | TargetValueLo;
    const auto set = [&](state::Latch item, std::uint32_t value) {
        m.set(state::cells::latch(CurrentThread, item), value);
    };
    set(state::Latch::kind, static_cast<std::uint32_t>(state::LatchKind::stream));
    set(state::Latch::conditions, 1u << ConditionIndex);
    set(state::Latch::target, TargetValue);
    set(state::Latch::stream, bits(m, 1, 0));
    set(state::Latch::semaphores, 0);
    set(state::Latch::block_mask, BlockMask ? BlockMask : 1u << 6);
    return Outcome::done;
}

Outcome streamwrcfg(state::State& state, unsigned CurrentThread, std::uint32_t word) {
    Machine m(state, CurrentThread, word);
    const std::uint32_t StreamSelect = bits(m, 22, 21), RegIndex = bits(m, 20, 11), CfgIndex = bits(m, 10, 0);
    if (CfgIndex >= 56 * 4) return Outcome::undefined;
    const std::uint32_t StreamIndex = m[STREAM_ID_SYNC_SEC[StreamSelect]];
    std::uint32_t Value = 0;
    if (!LoadRegister(m, 0xFFB40000 + StreamIndex * 0x1000 + RegIndex * 4, Value)) return Outcome::undefined;
    state::store_config(state, state.config_bank(CurrentThread), CfgIndex, Value);
    return Outcome::done;
}

constexpr Registered models[] = {
    {isa::mnemonic("SEMINIT"), seminit},
    {isa::mnemonic("SEMPOST"), sempost},
    {isa::mnemonic("SEMGET"), semget},
    {isa::mnemonic("ATGETM"), atgetm},
    {isa::mnemonic("ATRELM"), atrelm},
    {isa::mnemonic("STREAMWAIT"), streamwait},
    {isa::mnemonic("STREAMWRCFG"), streamwrcfg},
};

}  // namespace

std::span<const Registered> sync_models() { return models; }

}  // namespace tessera::reference
