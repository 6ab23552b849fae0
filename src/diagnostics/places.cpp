// SPDX-License-Identifier: Apache-2.0
#include "diagnostics/places.hpp"

#include <fmt/format.h>

#include <functional>

#include "diagnostics/op_index.hpp"
#include "tessera/assembly.hpp"
#include "tessera/op_place.hpp"

namespace tessera::diagnostics {

Where Places::where(unsigned thread, std::int64_t index, std::uint32_t word, Cycle now, std::int64_t position) const {
    if (is_command(index)) {
        const KernelOp op = KernelOp::of(index);
        Where command = where_of(op.core, op.pc, now);
        command.instruction = "mover command";
        return command;
    }
    Where w;
    w.thread = static_cast<int>(thread);
    w.index = index;
    w.position = position;
    w.cycle = now;
    if (index >= 0 || word) w.instruction = disassemble_named(word, arch_);
    if (!cores_) {
        w.place = place_of(thread, index);
    } else if (index >= 0) {
        const KernelOp op = KernelOp::of(index);
        w.index = op_number(index);
        if (op.is_of_core()) report_place(w, op.core, op.pc);
    }
    return w;
}

Where Places::where_of(unsigned core, std::uint32_t pc, Cycle now) const {
    Where w;
    w.cycle = now;
    if (core >= riscv_cores) return w;
    report_place(w, core, pc);
    w.instruction = cores_->instruction(core, pc);
    return w;
}

void Places::report_place(Where& where, unsigned core, std::uint32_t pc) const {
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
    return op.is_of_core() ? describe_frames(cores_->frames(op.core, op.pc)) : std::string();
}

Where Places::where_of_store(unsigned thread, std::int64_t index, Cycle now) const {
    Where place = where(thread, index, 0, now, -1);
    place.instruction.clear();
    return place;
}

std::int64_t Places::op_number(std::int64_t index) const {
    return cores_ && index >= 0 ? static_cast<std::int64_t>(KernelOp::of(index).sequence) : index;
}

std::string Places::core_op_text(std::uint32_t value) const {
    if (value == op_of_before) return "of an earlier run";
    const KernelOp op = KernelOp::of(value & KernelOp::place_mask);
    if (!op.is_of_core()) return "of a request over the NoC";
    const std::string place = describe_frames(cores_->frames(op.core, op.pc));
    return fmt::format("0x{:X} of {}{}", op.pc, name(RiscvCore(op.core)), place.empty() ? "" : " (" + place + ")");
}

std::string Places::core_access_text(unsigned core, std::uint32_t pc, std::string_view before) const {
    if (!pc) return fmt::format("an earlier access of {}", name(RiscvCore(core)));
    return std::string(before) + core_op_text(static_cast<std::uint32_t>(KernelOp{0, core, pc}.index()));
}

std::string Places::op_text(unsigned thread, std::int64_t index) const {
    // An older index of this run may be forgotten, which only runs of cores do.
    if (index < 0 && cores_) return fmt::format("earlier work of T{}", thread);
    if (index < 0) return fmt::format("T{}'s instruction of an earlier run", thread);
    if (cores_)
        return fmt::format("{} {}", is_command(index) ? "the mover command" : fmt::format("T{}'s instruction", thread),
                           core_op_text(static_cast<std::uint32_t>(index)));
    const std::string place = place_of(thread, index);
    return OpPlace{.thread = static_cast<int>(thread), .index = index, .place = place}.describe();
}

bool Places::is_command(std::int64_t index) const { return cores_ && index >= 0 && KernelOp::of(index).is_command; }

std::string Places::op_value_text(unsigned thread, std::uint32_t value) const {
    return op_text(thread, value == op_of_before ? -1 : static_cast<std::int64_t>(value));
}

std::uint64_t Places::key(unsigned thread, std::int64_t index) const {
    if (index < 0) return ~std::uint64_t{0};
    const std::uint64_t of_thread = std::uint64_t{thread + 1} << 56;
    if (cores_) return of_thread | (static_cast<std::uint64_t>(index) & KernelOp::place_mask);
    const Op& op = program_->threads[thread][static_cast<std::size_t>(index)];
    if (op.line) return of_thread | static_cast<std::uint64_t>(op.line);
    // Without a text, the op is identified by its contents.
    const std::uint64_t kind = std::uint64_t{static_cast<unsigned>(op.kind) + 1u} << 48;
    return of_thread | kind | std::uint64_t{op.index} << 32 | (op.kind == Op::Kind::ins ? op.value : 0);
}

std::uint64_t Places::call_key(unsigned thread, std::int64_t index) const {
    const std::uint64_t place = key(thread, index);
    if (index < 0) return place;
    const auto [known, fresh] = calls_.try_emplace(place, place);
    if (!fresh) return known->second;
    const KernelOp op = KernelOp::of(index);
    if (!op.is_of_core()) return place;
    const std::vector<Frame> frames = cores_->frames(op.core, op.pc);
    const Frame* users = users_frame(frames);
    if (users && !users->place.empty()) known->second = std::hash<std::string>{}(users->place);
    return known->second;
}

void Places::report_core(std::int64_t index, int& core, std::uint32_t& pc) const {
    if (!cores_ || index < 0) return;
    const KernelOp op = KernelOp::of(index);
    if (!op.is_of_core()) return;
    core = static_cast<int>(op.core);
    pc = op.pc;
}

}  // namespace tessera::diagnostics
