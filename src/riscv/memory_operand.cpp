// SPDX-License-Identifier: Apache-2.0
#include "riscv/memory_operand.hpp"

namespace tessera::riscv {

namespace {

unsigned bytes_of(Op op) {
    switch (op) {
        case Op::lb:
        case Op::lbu:
        case Op::sb: return 1;
        case Op::lh:
        case Op::lhu:
        case Op::sh: return 2;
        default: return 4;
    }
}

}  // namespace

MemoryOperand memory_operand(const DecodedOp& op, const state::Riscv& core) {
    if (op.op >= Op::ttinsn) return {};
    const Form form = row(op.op).form;
    const bool is_atomic = form == Form::amo;
    if (form != Form::load && form != Form::store && !is_atomic) return {};
    return {core.x[op.rs1] + static_cast<std::uint32_t>(op.imm), bytes_of(op.op), form == Form::load || is_atomic,
            form == Form::store || is_atomic};
}

}  // namespace tessera::riscv
