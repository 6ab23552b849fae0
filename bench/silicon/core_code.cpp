// SPDX-License-Identifier: Apache-2.0
#include "silicon/core_code.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "isa/instruction.hpp"
#include "isa/table.hpp"
#include "riscv/encode.hpp"
#include "riscv_registers.hpp"

namespace tessera::bench {

namespace {

namespace rv = riscv::encode;

constexpr std::uint32_t mop_config = 0xFFB8'0000, gprs = 0xFFE0'0000, pc_buf = 0xFFE8'0000, config = 0xFFEF'0000;
constexpr unsigned to_config = 10, to_gprs = 11, to_mop = 12, to_pc_buf = 13;

/// CoprocessorDoneCheck.
void drain(Code& code) {
    code.store(zero, to_pc_buf, 4);
    code.load(t1, to_pc_buf, 4);
    code.wait_for(t1);
}

void wait_for_semaphore(Code& code, int semaphore, const Op& op, const SemaphoreMaxima& maxima) {
    const bool nonzero = op.value == Op::until_nonzero;
    if (!nonzero) code.load_immediate(t2, maxima[op.index % maxima.size()]);
    code.load(t1, to_pc_buf, semaphore);
    if (nonzero)
        code.branch_back(riscv::Op::beq, t1, zero);
    else
        code.branch_back(riscv::Op::bgeu, t1, t2);
}

}  // namespace

void Code::push(std::uint32_t instruction) { word(std::rotl(instruction, 2)); }

void Code::load_immediate(unsigned to, std::uint32_t value) {
    const std::uint32_t upper = (value + 0x800) >> 12;
    const int lower = static_cast<int>(value << 20) >> 20;
    if (upper) word(rv::lui(to, upper));
    if (lower || !upper) word(rv::i(riscv::Op::addi, to, upper ? to : zero, lower));
}

void Code::store(unsigned value, unsigned base, int offset) { word(rv::store(riscv::Op::sw, value, offset, base)); }
void Code::load(unsigned to, unsigned base, int offset) { word(rv::i(riscv::Op::lw, to, base, offset)); }
void Code::wait_for(unsigned loaded) { word(rv::i(riscv::Op::addi, loaded, loaded, 0)); }
void Code::branch_back(riscv::Op condition, unsigned a, unsigned b) { word(rv::branch(condition, a, b, -4)); }
void Code::stay() { word(rv::jal(zero, 0)); }

void Code::store_word(unsigned at_base, std::uint32_t base, int offset, std::uint32_t value) {
    unsigned data = zero;
    if (value) load_immediate(data = t1, value);
    if (offset < 0x800) return store(data, at_base, offset);
    load_immediate(t0, base + static_cast<std::uint32_t>(offset));
    store(data, t0, 0);
}

KernelImage Code::image(RiscvCore core, std::uint32_t address) const {
    KernelImage image;
    image.file = std::string(name(core));
    image.entry = address;
    std::vector<std::byte> bytes(4 * words_.size());
    std::memcpy(bytes.data(), words_.data(), bytes.size());
    image.segments = {{address, std::move(bytes), address}};
    return image;
}

SemaphoreMaxima maxima_of(const Program& program) {
    SemaphoreMaxima maxima{};
    for (const auto& thread : program.threads)
        for (const Op& op : thread) {
            if (op.kind != Op::Kind::ins) continue;
            const auto instruction = isa::decode(op.value, program.arch);
            if (!instruction.is(isa::mnemonic("SEMINIT"))) continue;
            const auto mask = instruction[isa::operand("SEMINIT", "sem_sel")];
            const auto most = instruction[isa::operand("SEMINIT", "max_value")];
            for (unsigned i = 0; i < maxima.size(); ++i)
                if (mask >> i & 1) maxima[i] = most;
        }
    return maxima;
}

void load_device_addresses(Code& code) {
    code.load_immediate(to_config, config);
    code.load_immediate(to_gprs, gprs);
    code.load_immediate(to_mop, mop_config);
    code.load_immediate(to_pc_buf, pc_buf);
}

Result<void> add_op(Code& code, const Op& op, const SemaphoreMaxima& maxima) {
    const int semaphore = 0x20 + 4 * op.index;
    switch (op.kind) {
        case Op::Kind::ins:
            if (op.value >= 0xC000'0000) return fail("bench.program", fmt::format("0x{:X} cannot be pushed", op.value));
            code.push(op.value);
            break;
        case Op::Kind::cfg: code.store_word(to_config, config, 4 * op.index, op.value); break;
        case Op::Kind::gpr: code.store_word(to_gprs, gprs, 4 * op.index, op.value); break;
        case Op::Kind::mop: code.store_word(to_mop, mop_config, 4 * op.index, op.value); break;
        case Op::Kind::drain: drain(code); break;
        case Op::Kind::sem_post: code.store_word(to_pc_buf, pc_buf, semaphore, 0); break;
        case Op::Kind::sem_get: code.store_word(to_pc_buf, pc_buf, semaphore, 1); break;
        case Op::Kind::sem_wait: wait_for_semaphore(code, semaphore, op, maxima); break;
    }
    return {};
}

}  // namespace tessera::bench
