// SPDX-License-Identifier: Apache-2.0
// Cores' stores on their way to L1: a narrow store holds an access port and a bank (L1, Port assignments). Stores are served in
// the order in which they enter their cores' queues; hardware takes turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "riscv/bus.hpp"
#include "tessera/kernels.hpp"

namespace tessera::riscv {

class L1Ports {
public:
    /// B, T0 and NC have one port, T1 and T2 another.
    static constexpr unsigned port_of(RiscvCore core) { return core == RiscvCore::t1 || core == RiscvCore::t2; }

    /// Holds a port and the bank of an address for so many cycles, from `ready` on or later. Returns their end.
    Cycle hold(unsigned port, std::uint32_t address, Cycle ready, std::uint32_t cycles) {
        Cycle& at_port = ports_[port];
        Cycle& at_bank = banks_[address / line_bytes % banks];
        return at_port = at_bank = std::max({ready, at_port, at_bank}) + cycles;
    }

private:
    static constexpr std::uint32_t banks = 16, line_bytes = 16;

    std::array<Cycle, 2> ports_{};
    std::array<Cycle, banks> banks_{};
};

}  // namespace tessera::riscv
