// SPDX-License-Identifier: Apache-2.0
#include "engine/places.hpp"

#include <fmt/format.h>

#include "engine/op_index.hpp"
#include "tessera/assembly.hpp"

namespace tessera::engine {

namespace {

/// Index -1, an instruction of an earlier run, as a finding's values have it.
constexpr auto of_before = static_cast<std::uint32_t>(-1);

}  // namespace

Where Places::where(unsigned thread, std::int64_t index, std::uint32_t word, Cycle now, std::int64_t position) const {
    Where w;
    w.thread = static_cast<int>(thread);
    w.index = index;
    w.position = position;
    w.cycle = now;
    w.instruction = disassemble_named(word, arch_);
    if (!cores_) {
        w.place = place_of(thread, index);
    } else if (index >= 0) {
        const KernelOp op = KernelOp::of(index);
        w.index = op_number(index);
        tell_place(w, op.core, op.pc);
    }
    return w;
}

Where Places::where_of(unsigned core, std::uint32_t pc, Cycle now) const {
    Where w;
    tell_place(w, core, pc);
    w.instruction = cores_->instruction(core, pc);
    w.cycle = now;
    return w;
}

void Places::tell_place(Where& where, unsigned core, std::uint32_t pc) const {
    where.core = name(RiscvCore(core));
    where.pc = pc;
    where.function = cores_->function(core, pc);
    where.frames = cores_->frames(core, pc);
    if (const Frame* users = users_frame(where.frames)) where.place = users->place;
}

std::string Places::place_of(unsigned thread, std::int64_t index) const {
    if (!cores_) return program_->place(thread, static_cast<std::size_t>(index));
    if (index < 0) return {};
    const KernelOp op = KernelOp::of(index);
    return describe_frames(cores_->frames(op.core, op.pc));
}

std::int64_t Places::op_number(std::int64_t index) const {
    return cores_ && index >= 0 ? static_cast<std::int64_t>(KernelOp::of(index).sequence) : index;
}

std::string Places::op_text(std::uint32_t value) const {
    if (value == of_before) return "of before";
    const KernelOp op = KernelOp::of(value & KernelOp::place_mask);
    const std::string place = describe_frames(cores_->frames(op.core, op.pc));
    return fmt::format("0x{:X} of {}{}", op.pc, name(RiscvCore(op.core)), place.empty() ? "" : " (" + place + ")");
}

std::string Places::op_text(unsigned thread, std::int64_t index) const {
    if (index < 0) return "of before";
    if (cores_) return op_text(static_cast<std::uint32_t>(index));
    const std::string place = place_of(thread, index);
    return fmt::format("{}{}", index, place.empty() ? "" : " (" + place + ")");
}

std::string Places::op_value_text(unsigned thread, std::uint32_t value) const {
    return cores_ || value == of_before ? op_text(value) : op_text(thread, static_cast<std::int64_t>(value));
}

}  // namespace tessera::engine
