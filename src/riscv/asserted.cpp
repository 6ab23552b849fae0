// SPDX-License-Identifier: Apache-2.0
#include "riscv/asserted.hpp"

#include <algorithm>
#include <cstring>

#include "riscv/decode.hpp"

namespace tessera::riscv {

namespace {

constexpr unsigned steps_to_branch = 24, steps_to_ebreak = 2;

bool is_branch(Op op) { return op >= Op::beq && op <= Op::bgeu; }
bool is_jump(const DecodedOp& op) { return op.op == Op::jal && op.rd == 0; }

bool comes_to_ebreak(Arch arch, std::uint32_t pc, const Fetch& fetch) {
    for (unsigned i = 0; i < steps_to_ebreak; ++i) {
        const auto word = fetch(pc);
        if (!word) return false;
        const DecodedOp op = decode(arch, *word);
        if (op.op == Op::ebreak) return true;
        if (is_branch(op.op) || (op.op == Op::jal && !is_jump(op)) || op.op == Op::jalr) return false;
        pc += is_jump(op) ? static_cast<std::uint32_t>(op.imm) : 4;
    }
    return false;
}

std::optional<std::uint32_t> word_at(std::span<const std::uint8_t> memory, std::uint32_t address) {
    std::uint32_t word;
    if (memory.size() < sizeof word || address > memory.size() - sizeof word) return std::nullopt;
    std::memcpy(&word, &memory[address], sizeof word);
    return word;
}

}  // namespace

bool only_asserted(Arch arch, std::uint32_t pc, const Fetch& fetch) {
    std::uint32_t from_load = 0;  // registers that hold a value derived from the load, a bit each
    for (unsigned i = 0; i < steps_to_branch; ++i) {
        const auto word = fetch(pc);
        if (!word) return false;
        const DecodedOp op = decode(arch, *word);
        const bool uses = (from_load >> op.rs1 | from_load >> op.rs2) & 1;
        if (is_branch(op.op)) {
            if (!uses) return false;
            return comes_to_ebreak(arch, pc + 4, fetch) ||
                   comes_to_ebreak(arch, pc + static_cast<std::uint32_t>(op.imm), fetch);
        }
        if (op.op == Op::jalr || (op.op == Op::jal && !is_jump(op))) return false;
        if (is_jump(op)) {
            pc += static_cast<std::uint32_t>(op.imm);
            continue;
        }
        if (op.rd) from_load = (from_load & ~(1u << op.rd)) | (i == 0 || uses ? 1u << op.rd : 0);
        pc += 4;
    }
    return false;
}

bool AssertedLoads::only_asserted(Arch arch, std::uint32_t pc, std::span<const std::uint8_t> memory) {
    Known& known = known_[pc];
    const bool same = !known.words.empty() && std::all_of(known.words.begin(), known.words.end(), [&](const auto& each) {
        return word_at(memory, each.first) == each.second;
    });
    if (same) return known.only_asserted;
    known.words.clear();
    known.only_asserted = riscv::only_asserted(arch, pc, [&](std::uint32_t address) {
        const auto word = word_at(memory, address);
        if (word) known.words.emplace_back(address, *word);
        return word;
    });
    return known.only_asserted;
}

}  // namespace tessera::riscv
