// SPDX-License-Identifier: Apache-2.0
// GPRs[CurrentThread], whole, by halves and by bytes, and L1 as arrays of integers.
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

struct ScalarMachine : Machine {
    using Machine::Machine;

    std::uint32_t bits(unsigned hi, unsigned lo) const {
        return CurrentInstruction.word >> lo & ((1u << (hi - lo + 1)) - 1);
    }
    state::Cell gpr(std::uint32_t i) const { return state::cells::gpr(CurrentThread, i); }
    std::uint32_t GPR(std::uint32_t i) const { return (*this)[gpr(i)]; }
    void set_GPR(std::uint32_t i, std::uint32_t value) { set(gpr(i), value); }
    std::uint32_t HalfReg(std::uint32_t i) const { return GPR(i / 2) >> i % 2 * 16 & 0xffff; }
    void set_HalfReg(std::uint32_t i, std::uint32_t value) {
        const std::uint32_t low = i % 2 ? GPR(i / 2) & 0xffff : value & 0xffff;
        const std::uint32_t high = i % 2 ? value & 0xffff : GPR(i / 2) >> 16;
        set_GPR(i / 2, high << 16 | low);
    }
    void increment_offset(std::uint32_t OffsetHalfReg, std::uint32_t OffsetIncrement) {
        constexpr std::uint32_t by[] = {0, 2, 4, 16};
        set_HalfReg(OffsetHalfReg, HalfReg(OffsetHalfReg) + by[OffsetIncrement]);
    }

    bool in_L1(std::uint32_t L1Address) const { return L1Address < (blackhole() ? 1536u * 1024 : 1464u * 1024); }
    std::uint32_t read_L1(std::uint32_t L1Address, unsigned bytes) const {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < bytes; ++i) value |= std::uint32_t{state.l1.bytes[L1Address + i]} << 8 * i;
        return value;
    }
    void write_L1(std::uint32_t L1Address, std::uint32_t value, unsigned bytes) {
        std::uint8_t* const L1 = state.l1.write(L1Address, bytes);
        for (unsigned i = 0; i < bytes; ++i) L1[i] = static_cast<std::uint8_t>(value >> 8 * i);
    }
};

}  // namespace tessera::reference
