// SPDX-License-Identifier: Apache-2.0
// Code of RISC-V cores, from their own instructions and from ops of threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "riscv/instructions.hpp"
#include "tessera/kernels.hpp"
#include "tessera/program.hpp"

namespace tessera::bench {

/// A core's instructions in order.
class Code {
public:
    void word(std::uint32_t word) { words_.push_back(word); }
    /// .ttinsn
    void push(std::uint32_t instruction);
    void load_immediate(unsigned to, std::uint32_t value);
    void store(unsigned value, unsigned base, int offset);
    void load(unsigned to, unsigned base, int offset);
    /// Waits for a loaded value.
    void wait_for(unsigned loaded);
    /// Branches to the previous instruction.
    void branch_back(riscv::Op condition, unsigned a, unsigned b);
    /// Jumps to itself: a core's end.
    void stay();
    /// Stores a word to a device at `base`; register `at_base` holds that address.
    void store_word(unsigned at_base, std::uint32_t base, int offset, std::uint32_t value);

    const std::vector<std::uint32_t>& words() const { return words_; }
    std::size_t bytes() const { return 4 * words_.size(); }
    /// The kernel of this core, at an address in L1, its entry.
    KernelImage image(RiscvCore core, std::uint32_t address) const;

private:
    std::vector<std::uint32_t> words_;
};

/// The maximum of each semaphore, from the program's SEMINITs: cores cannot read it.
using SemaphoreMaxima = std::array<std::uint32_t, 8>;
SemaphoreMaxima maxima_of(const Program& program);

/// Loads the registers that hold the addresses of devices (a0 to a3), for add_op().
void load_device_addresses(Code& code);
/// Adds a thread's op: one .ttinsn per instruction, stores for configuration and GPRs. Error "bench.program" (a word that .ttinsn
/// cannot push).
Result<void> add_op(Code& code, const Op& op, const SemaphoreMaxima& maxima);

}  // namespace tessera::bench
