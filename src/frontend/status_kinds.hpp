// SPDX-License-Identifier: Apache-2.0
// Kinds of instructions as tt_cfg_qstatus and tt_cfg_bstatus show them, a bit each (CSRs).
#pragma once

#include "frontend/wait_gate.hpp"

namespace tessera::frontend {

inline constexpr std::uint32_t replay_kind = 1 << 0, mop_kind = 1 << 1;

constexpr std::uint32_t status_kinds(isa::Unit unit) {
    switch (unit) {
        case isa::Unit::frontend: return 0;
        case isa::Unit::scalar: return 1 << 2 | 1 << 8;
        case isa::Unit::mover: return 1 << 3 | 1 << 8;
        case isa::Unit::unpacker: return 1 << 4 | 1 << 8;
        case isa::Unit::packer: return 1 << 5 | 1 << 8;
        case isa::Unit::config: return 1 << 6;
        case isa::Unit::sync: return 1 << 7;
        case isa::Unit::misc: return 1 << 8;
        case isa::Unit::vector: return 1 << 9;
        case isa::Unit::matrix: return 1 << 10;
    }
    return 0;
}

constexpr std::uint32_t status_kinds(const isa::Instruction& instruction) {
    if (!instruction.spec) return 0;
    if (instruction.is(isa::mnemonic("MOP"))) return mop_kind;
    if (instruction.is(isa::mnemonic("REPLAY"))) {
        constexpr auto records = isa::operand("REPLAY", "load_mode"), executes = isa::operand("REPLAY", "execute_while_loading");
        return !instruction[records] || instruction[executes] ? replay_kind : 0;
    }
    return status_kinds(isa::unit_of(instruction.mnemonic));
}

constexpr std::uint32_t status_kinds(plan::Pipe pipe) { return status_kinds(unit_of(pipe)); }

}  // namespace tessera::frontend
