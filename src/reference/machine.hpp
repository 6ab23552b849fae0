// SPDX-License-Identifier: Apache-2.0
// The second implementation, slow and literal. It follows the pages step by step, one datum at a time. It has the
// pages' own names (CurrentThread, ConfigState, InAddr_Datums, …), so that it can be compared with them. It shares
// storage, field positions and decoding with the rest, but no arithmetic: scripts/check_rooms holds that no header that it reads
// comes from formats/, plan/ or units/.
// This file has the base of all functional models.
#pragma once

#include <cstdint>

#include "isa/instruction.hpp"
#include "reference/storage.hpp"
#include "state/state.hpp"

namespace tessera::reference {

/// The 4-bit format codes by the pages' names.
enum Format : std::uint32_t {
    FP32 = 0,
    FP16 = 1,
    BFP8a = 2,
    BFP4a = 3,
    TF32 = 4,
    BF16 = 5,
    BFP8 = 6,
    BFP4 = 7,
    INT32 = 8,
    INT16 = 9,
    FP8 = 10,
    BFP2a = 11,
    INT8 = 14,
    BFP2 = 15,
};

/// The outcome of a functional model.
enum class Outcome : std::uint8_t {
    done,
    undefined,    ///< UndefinedBehaviour() without a decision; the state is half changed
    unsupported,  ///< a mode that the reference lacks; the state is unchanged
};

/// ThreadConfig[CurrentThread], ConfigState and the rest of the state, as seen by one instruction.
struct Machine {
    state::State& state;
    const unsigned CurrentThread;
    const isa::Instruction CurrentInstruction;

    Machine(state::State& s, unsigned thread, std::uint32_t word)
        : state(s), CurrentThread(thread), CurrentInstruction(isa::decode(word, s.arch().arch)) {}

    bool blackhole() const { return state.arch().arch == Arch::blackhole; }

    std::uint32_t operator[](const isa::Operand& operand) const { return CurrentInstruction[operand]; }
    std::uint32_t operator[](const registers::Field& field) const { return state.config(CurrentThread, field); }
    std::uint32_t operator[](state::Cell cell) const { return state[cell]; }

    void set(state::Cell cell, std::uint32_t value) { state.write(cell, value); }
    /// SrcA[Bank][Row][Column] or SrcB's, in stored order, as on the pages.
    std::uint32_t src(state::Src which, unsigned Bank, unsigned Row, unsigned Column) const {
        return read_src(state, which, Bank, Row, Column);
    }
    void set_src(state::Src which, unsigned Bank, unsigned Row, unsigned Column, std::uint32_t x) {
        write_src(state, which, Bank, Row, Column, x);
    }

    /// cell += by, in a counter of `bits` bits.
    void add(state::Cell cell, std::uint32_t by, unsigned bits) { set(cell, (state[cell] + by) & ((1u << bits) - 1)); }
};

}  // namespace tessera::reference
