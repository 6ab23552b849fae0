// SPDX-License-Identifier: Apache-2.0
#include "op_kernels.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "isa/instruction.hpp"
#include "isa/table.hpp"
#include "riscv/encode.hpp"
#include "riscv_registers.hpp"

namespace tessera::bench {

namespace {

namespace rv = riscv::encode;
using Address = std::uint32_t;

constexpr std::array<Address, riscv_cores> entries = {0x0, 0x6000, 0xA000, 0xE000, 0x1'2000};  ///< after reset
constexpr std::size_t most_bytes = 0x4000;                                                   ///< of a core's code
constexpr Address status = 0x1'6000;                                                         ///< a word for each T core
constexpr Address soft_reset = 0xFFB1'21B0, mop_config = 0xFFB8'0000, gprs = 0xFFE0'0000, pc_buf = 0xFFE8'0000,
                  config = 0xFFEF'0000;
constexpr std::uint32_t only_t_cores = 1u << 11 | 1u << 18;  ///< of soft_reset: keeps B and NC in reset

constexpr unsigned to_config = 10, to_gprs = 11, to_mop = 12, to_pc_buf = 13;

/// Assembles a core's instructions in order.
class Code {
public:
    void word(std::uint32_t word) { words_.push_back(word); }
    /// .ttinsn
    void push(std::uint32_t instruction) { word(std::rotl(instruction, 2)); }

    void load_immediate(unsigned to, std::uint32_t value) {
        const std::uint32_t upper = (value + 0x800) >> 12;
        const int lower = static_cast<int>(value << 20) >> 20;
        if (upper) word(rv::lui(to, upper));
        if (lower || !upper) word(rv::i(riscv::Op::addi, to, upper ? to : zero, lower));
    }
    void store(unsigned value, unsigned base, int offset) { word(rv::store(riscv::Op::sw, value, offset, base)); }
    void load(unsigned to, unsigned base, int offset) { word(rv::i(riscv::Op::lw, to, base, offset)); }
    /// Waits for a loaded value.
    void wait_for(unsigned loaded) { word(rv::i(riscv::Op::addi, loaded, loaded, 0)); }
    /// Branches to the previous instruction.
    void branch_back(riscv::Op condition, unsigned a, unsigned b) { word(rv::branch(condition, a, b, -4)); }
    void stay() { word(rv::jal(zero, 0)); }

    /// Stores a word to a device at `base`; register `at_base` holds that address.
    void store_word(unsigned at_base, Address base, int offset, std::uint32_t value) {
        unsigned data = zero;
        if (value) load_immediate(data = t1, value);
        if (offset < 0x800) return store(data, at_base, offset);
        load_immediate(t0, base + static_cast<Address>(offset));
        store(data, t0, 0);
    }

    KernelImage image(std::size_t core) const {
        KernelImage image;
        image.file = std::string(name(static_cast<RiscvCore>(core)));
        image.entry = entries[core];
        std::vector<std::byte> bytes(4 * words_.size());
        std::memcpy(bytes.data(), words_.data(), bytes.size());
        image.segments = {{entries[core], std::move(bytes), entries[core]}};
        return image;
    }
    std::size_t bytes() const { return 4 * words_.size(); }

private:
    std::vector<std::uint32_t> words_;
};

/// The maximum of each semaphore, from the program's SEMINITs: cores cannot read it.
std::array<std::uint32_t, 8> maxima_of(const Program& program) {
    std::array<std::uint32_t, 8> maxima{};
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

class ThreadCode {
public:
    ThreadCode(unsigned thread, const std::array<std::uint32_t, 8>& maxima) : thread_(thread), maxima_(maxima) {
        code_.load_immediate(to_config, config);
        code_.load_immediate(to_gprs, gprs);
        code_.load_immediate(to_mop, mop_config);
        code_.load_immediate(to_pc_buf, pc_buf);
    }

    Result<void> add(const Op& op) {
        const int semaphore = 0x20 + 4 * op.index;
        switch (op.kind) {
            case Op::Kind::ins:
                if (op.value >= 0xC000'0000) return fail("bench.program", fmt::format("0x{:X} cannot be pushed", op.value));
                code_.push(op.value);
                break;
            case Op::Kind::cfg: code_.store_word(to_config, config, 4 * op.index, op.value); break;
            case Op::Kind::gpr: code_.store_word(to_gprs, gprs, 4 * op.index, op.value); break;
            case Op::Kind::mop: code_.store_word(to_mop, mop_config, 4 * op.index, op.value); break;
            case Op::Kind::drain: drain(); break;
            case Op::Kind::sem_post: code_.store_word(to_pc_buf, pc_buf, semaphore, 0); break;
            case Op::Kind::sem_get: code_.store_word(to_pc_buf, pc_buf, semaphore, 1); break;
            case Op::Kind::sem_wait: wait_for_semaphore(semaphore, op); break;
        }
        return {};
    }

    Result<KernelImage> finished() {
        drain();
        code_.load_immediate(t0, status);
        code_.load_immediate(t1, 1);
        code_.store(t1, t0, 4 * static_cast<int>(thread_));
        code_.stay();
        if (code_.bytes() > most_bytes) return fail("bench.program", fmt::format("T{} has too many ops", thread_));
        return code_.image(thread_ + 1);
    }

private:
    /// CoprocessorDoneCheck.
    void drain() {
        code_.store(zero, to_pc_buf, 4);
        code_.load(t1, to_pc_buf, 4);
        code_.wait_for(t1);
    }
    void wait_for_semaphore(int semaphore, const Op& op) {
        const bool nonzero = op.value == Op::until_nonzero;
        if (!nonzero) code_.load_immediate(t2, maxima_[op.index % maxima_.size()]);
        code_.load(t1, to_pc_buf, semaphore);
        if (nonzero)
            code_.branch_back(riscv::Op::beq, t1, zero);
        else
            code_.branch_back(riscv::Op::bgeu, t1, t2);
    }

    unsigned thread_;
    const std::array<std::uint32_t, 8>& maxima_;
    Code code_;
};

KernelImage starter() {
    Code code;
    code.load_immediate(t0, soft_reset);
    code.load_immediate(t1, only_t_cores);
    code.store(t1, t0, 0);
    code.stay();
    return code.image(0);
}

}  // namespace

Result<Kernels> kernels_of(const Program& program) {
    Kernels kernels;
    kernels.images[0] = starter();
    const auto maxima = maxima_of(program);
    for (unsigned thread = 0; thread < program.threads.size(); ++thread) {
        ThreadCode code(thread, maxima);
        for (const Op& op : program.threads[thread])
            if (auto added = code.add(op); !added) return tl::make_unexpected(std::move(added.error()));
        auto image = code.finished();
        if (!image) return tl::make_unexpected(std::move(image.error()));
        kernels.images[thread + 1] = std::move(*image);
        kernels.in_reset[thread + 1] = true;
        kernels.done.push_back({status + 4 * thread, 1});
    }
    return kernels;
}

}  // namespace tessera::bench
