// SPDX-License-Identifier: Apache-2.0
// Two kernels of a few instructions for tiles of a grid: one sends 16 bytes by NoC 0, the other one waits for them.
#pragma once

#include <string>
#include <vector>

#include "support/kernel_file.hpp"
#include "support/riscv_words.hpp"
#include "tessera/arch.hpp"

namespace tessera::test {

class GridKernel {
public:
    static constexpr std::uint32_t message = 0x2'0000, flag = 0x2'0010, variables = 0x8000;

    /// Sends the 16 bytes at `message` to the same address of tile `to`, then `dram_bytes` to `dram`; then sets `flag`.
    static std::string sender(Arch arch, std::uint32_t dram_bytes = 16) {
        GridKernel kernel(arch);
        kernel.put(rv::a4, 0xFFB2'0000);
        kernel.load_place(rv::a0, variables);
        kernel.load_place(rv::a1, variables + 8);
        kernel.put(rv::a2, message);
        kernel.send(1, 16);
        kernel.load_place(rv::a1, variables + 16);
        kernel.put(rv::a6, variables + 24);
        kernel.code_.push_back(rv::i(rv::Op::lw, rv::a2, rv::a6, 0));
        kernel.send(2, dram_bytes);
        return kernel.finish();
    }
    /// Waits until the word at `message` is not 0, then sets `flag`.
    static std::string receiver(Arch arch) {
        GridKernel kernel(arch);
        kernel.put(rv::a6, message);
        kernel.code_.push_back(rv::fence);
        kernel.code_.push_back(rv::i(rv::Op::lw, rv::a0, rv::a6, 0));
        kernel.code_.push_back(rv::branch(rv::Op::beq, rv::a0, rv::zero, -8));
        return kernel.finish();
    }

private:
    explicit GridKernel(Arch arch) : arch_(arch) {}

    void put(unsigned rd, std::uint32_t value) {
        code_.push_back(rv::lui(rd, (value + 0x800) >> 12));
        code_.push_back(rv::i(rv::Op::addi, rd, rd, static_cast<int>(value << 20) >> 20));
    }
    /// x and y at an address, as the NIU wants them. Uses a6 and a7.
    void load_place(unsigned rd, std::uint32_t address) {
        const int shift = arch_ == Arch::blackhole ? 0 : 4;
        put(rv::a6, address);
        code_.push_back(rv::i(rv::Op::lw, rd, rv::a6, 0));
        code_.push_back(rv::i(rv::Op::lw, rv::a7, rv::a6, 4));
        code_.push_back(rv::i(rv::Op::slli, rd, rd, shift));
        code_.push_back(rv::i(rv::Op::slli, rv::a7, rv::a7, shift + 6));
        code_.push_back(rv::r(rv::Op::or_, rd, rd, rv::a7));
    }
    void store(unsigned rs, int offset) { code_.push_back(rv::store(rv::Op::sw, rs, offset, rv::a4)); }
    void store_value(std::uint32_t value, int offset) {
        put(rv::a7, value);
        store(rv::a7, offset);
    }
    /// From `message` of the place in a0 to the address in a2 of the place in a1; waits for acknowledgement number `count`.
    void send(std::uint32_t count, std::uint32_t bytes) {
        const bool blackhole = arch_ == Arch::blackhole;
        const int place = blackhole ? 8 : 4;
        store_value(message, 0x00);
        store(rv::a2, 0x0C);
        if (blackhole) {
            store(rv::zero, 0x04);
            store(rv::zero, 0x10);
        }
        store(rv::a0, place);
        store(rv::a1, 0x0C + place);
        store_value(2 | 1 << 4, 0x1C);  // a write with acknowledgement
        store_value(bytes, 0x20);
        store_value(1, blackhole ? 0x40 : 0x28);
        put(rv::a5, count);
        code_.push_back(rv::i(rv::Op::lw, rv::a7, rv::a4, 0x204));
        code_.push_back(rv::branch(rv::Op::bne, rv::a7, rv::a5, -4));
    }
    std::string finish() {
        put(rv::a6, flag);
        put(rv::a7, 1);
        code_.push_back(rv::store(rv::Op::sw, rv::a7, 0, rv::a6));
        code_.push_back(rv::halt);
        std::string code;
        for (const std::uint32_t word : code_) append(code, word);
        return KernelFile{.entry = 0x6000,
                          .segments = {{0x6000, code}, {variables, std::string(28, '\0')}},
                          .symbols = {{"own", variables, 8}, {"to", variables + 8, 8}, {"dram", variables + 16, 12}}}
            .bytes();
    }

    Arch arch_;
    std::vector<std::uint32_t> code_;
};

}  // namespace tessera::test
