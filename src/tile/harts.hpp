// SPDX-License-Identifier: Apache-2.0
// The RISC-V cores of a tile, each with its instructions and time, and what they share.
#pragma once

#include <array>
#include <optional>

#include "riscv/hart.hpp"
#include "state/state.hpp"

namespace tessera::tile {

class Harts {
public:
    /// The state outlives them.
    Harts(state::State& state, Timing timing);
    Harts(const Harts&) = delete;
    Harts& operator=(const Harts&) = delete;

    riscv::Hart& operator[](std::size_t core) { return *harts_[core]; }
    const riscv::Hart& operator[](std::size_t core) const { return *harts_[core]; }

    /// Whether a core may have executed instructions near this address in L1.
    bool may_hold_code(std::uint32_t address) const { return decoded_.has(address); }

    /// As Hart::watch() and Hart::look_early_for_repetition(), of all.
    void watch(std::uint32_t first, std::uint32_t end);
    void look_early_for_repetition(std::uint32_t branches, std::uint32_t most = riscv::Repetition::interval);

    /// The core leaves reset at the pc of state::Riscv.
    void reset(RiscvCore core);
    /// How many instructions the core has executed; grows over resets, too. Fused .ttinsn count as one.
    std::uint64_t executed(unsigned core) const { return (std::uint64_t{resets_[core]} << 48) + harts_[core]->executed(); }
    /// When the core that is furthest begins its next instruction.
    riscv::Cycle furthest() const;
    /// The way of stores to L1, which they share.
    riscv::L1Ports& l1_ports() { return l1_ports_; }

    struct Memory {
        std::array<riscv::HartMemory, riscv_cores> harts;
        riscv::L1Ports l1_ports;
        std::array<std::uint16_t, riscv_cores> resets{};
    };
    Memory save() const;
    void restore(const Memory& memory);

private:
    state::State& state_;
    riscv::DecodeCache decoded_;
    riscv::L1Ports l1_ports_;
    std::array<std::optional<riscv::Hart>, riscv_cores> harts_;
    std::array<std::uint16_t, riscv_cores> resets_{};
};

}  // namespace tessera::tile
