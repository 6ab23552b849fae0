// SPDX-License-Identifier: Apache-2.0
// Kernels of a few instructions, written as words, on their own core.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "support/kernel_image.hpp"
#include "support/riscv_words.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"
#include "tessera/execution.hpp"

namespace tessera::test {

class KernelRun : public testing::TestWithParam<Arch> {
public:
    static constexpr std::uint32_t result = 0x2'0000;
    /// TDMA-RISC, Memory map: parameters 0 to 3, then the command register.
    static constexpr std::uint32_t tdma = 0xFFB1'1000, l1_to_registers = 1, l1_to_l1 = 3, move_command = 0x40;

protected:
    KernelRun() { kernels_.arch = GetParam(); }

    /// A register gets any value.
    static void put(std::vector<std::uint32_t>& code, unsigned rd, std::uint32_t value) {
        code.push_back(rv::lui(rd, (value + 0x800) >> 12));
        code.push_back(rv::i(rv::Op::addi, rd, rd, static_cast<int>(value << 20) >> 20));
    }
    /// Stores a word at an address; uses a6 and a7.
    static void poke(std::vector<std::uint32_t>& code, std::uint32_t address, std::uint32_t value) {
        put(code, rv::a6, address);
        put(code, rv::a7, value);
        code.push_back(rv::store(rv::Op::sw, rv::a7, 0, rv::a6));
    }
    /// Loads a word into a register; uses a6.
    static void peek(std::vector<std::uint32_t>& code, unsigned rd, std::uint32_t address) {
        put(code, rv::a6, address);
        code.push_back(rv::i(rv::Op::lw, rd, rv::a6, 0));
    }
    /// Stores a register; uses a6.
    static void keep(std::vector<std::uint32_t>& code, unsigned rs, std::uint32_t address) {
        put(code, rv::a6, address);
        code.push_back(rv::store(rv::Op::sw, rs, 0, rv::a6));
    }

    /// Counts down; uses t0.
    static void spend(std::vector<std::uint32_t>& code, std::uint32_t rounds) {
        put(code, rv::t0, rounds);
        code.push_back(rv::i(rv::Op::addi, rv::t0, rv::t0, -1));
        code.push_back(rv::branch(rv::Op::bne, rv::t0, rv::zero, -4));
    }
    /// Waits until a word of L1 is not 0, and leaves it in a1; uses a2.
    static void await(std::vector<std::uint32_t>& code, std::uint32_t address) {
        constexpr std::uint32_t fence = 0x0FF0'000F;
        put(code, rv::a2, address);
        code.push_back(fence);
        code.push_back(rv::i(rv::Op::lw, rv::a1, rv::a2, 0));
        code.push_back(rv::branch(rv::Op::beq, rv::a1, rv::zero, -8));
    }

    /// Stores that give the mover a command; the last one gives it. Uses a6 and a7.
    static void give_command(std::vector<std::uint32_t>& code, const std::array<std::uint32_t, 4>& parameters, std::uint32_t command) {
        std::uint32_t at = tdma;
        for (const std::uint32_t one : parameters) {
            poke(code, at, one);
            at += 4;
        }
        poke(code, at, command);
    }
    /// Until bit 0 of RISCV_TDMA_REG_STATUS is 0; uses a2 and a3.
    static void await_mover(std::vector<std::uint32_t>& code) {
        put(code, rv::a2, tdma);
        code.push_back(rv::i(rv::Op::lw, rv::a3, rv::a2, 0x14));
        code.push_back(rv::i(rv::Op::andi, rv::a3, rv::a3, 1));
        code.push_back(rv::branch(rv::Op::bne, rv::a3, rv::zero, -8));
    }

    void kernel(RiscvCore core, const std::vector<std::uint32_t>& code, std::uint32_t entry) {
        KernelImage image = image_of(core, code, entry);
        image.symbols = {{"main", entry, static_cast<std::uint32_t>(4 * code.size()), true}};
        kernels_.images.at(static_cast<std::size_t>(core)) = std::move(image);
    }
    tessera::Run run(const RunOptions& options = {}) {
        EXPECT_TRUE(core_.load(kernels_));
        auto done = core_.run(kernels_, options);
        EXPECT_TRUE(done) << done.error().describe();
        return std::move(*done);
    }
    /// The same on a new core, with a snapshot every so many cycles.
    Execution run_with_snapshots(std::uint64_t every, std::vector<Execution::Snapshot>& snapshots, const RunOptions& options = {}) {
        core_ = Core(GetParam(), Reset::vendor_sim);
        EXPECT_TRUE(core_.load(kernels_));
        auto execution = Execution::begin(core_, kernels_, options);
        EXPECT_TRUE(execution) << execution.error().describe();
        while (!execution->ended()) {
            snapshots.push_back(execution->snapshot());
            execution->step_cycles(every);
        }
        return std::move(*execution);
    }
    std::uint32_t word(std::uint32_t address) {
        std::uint32_t value;
        std::memcpy(&value, core_.l1().data() + address, 4);
        return value;
    }
    std::uint32_t instruction(const std::string& text) { return assemble(text, GetParam())->threads[0].at(0).value; }

    Core core_{GetParam(), Reset::vendor_sim};
    Kernels kernels_;
};

}  // namespace tessera::test
