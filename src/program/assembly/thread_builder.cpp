// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/thread_builder.hpp"

namespace tessera::program {

void ThreadBuilder::push(Op op, int line) {
    close_store();
    if (op.kind == Op::Kind::ins) shadow_.note_instruction(op.value);
    if (op.kind == Op::Kind::cfg) op = shadow_.store_word(op.index, op.value);
    op.line = line;
    ops_.push_back(op);
}

void ThreadBuilder::store_field(registers::Space space, const registers::FieldPosition& field, unsigned bank,
                                std::uint32_t value, int line) {
    Op op = shadow_.store_field(space, field, bank, value);
    const std::uint32_t bits = field.mask() << field.lo;
    // A field named twice gives two stores, for example a pulse.
    if (open_ && open_->space == space && open_->addr32 == field.addr32 && open_->bank == bank &&
        !(open_->bits & bits)) {
        ops_.back().value = op.value;
        open_->bits |= bits;
        return;
    }
    op.line = line;
    ops_.push_back(op);
    open_ = OpenStore{space, field.addr32, bank, bits};
}

}  // namespace tessera::program
