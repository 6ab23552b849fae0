// SPDX-License-Identifier: Apache-2.0
// Measures RISC-V instructions in loops of arithmetic, with local memory and with L1: one core, and three on one clock,
// with an idle coprocessor.
#include <span>
#include <vector>

#include "cases.hpp"
#include "riscv/encode.hpp"
#include "riscv_registers.hpp"
#include "silicon/core_code.hpp"
#include "state/riscv.hpp"
#include "tessera/core.hpp"

namespace tessera::bench {

namespace {

using namespace riscv::encode;
using RiscvOp = riscv::Op;

constexpr std::uint32_t l1_data = 0x8000;

/// A loop with so many rounds (a multiple of 4096), data from `data` on.
Code loop(std::span<const std::uint32_t> body, std::uint32_t rounds, std::uint32_t data) {
    Code code;
    code.word(lui(s0, data >> 12));
    code.word(lui(a7, rounds >> 12));
    for (const std::uint32_t word : body) code.word(word);
    code.word(i(RiscvOp::addi, a7, a7, -1));
    code.word(branch(RiscvOp::bne, a7, zero, -4 - 4 * static_cast<int>(body.size())));
    code.stay();
    return code;
}

/// The loop on so many of the T cores. Their memories are `apart` bytes apart.
void add(Cases& cases, const char* name, unsigned cores, std::initializer_list<std::uint32_t> body, std::uint32_t data,
         std::uint32_t apart) {
    cases.add(name, [words = std::vector(body), cores, data, apart](benchmark::State& run) {
        constexpr std::uint32_t rounds = 24 * 4096, code = 0x1'0000;
        Kernels kernels;
        for (unsigned t = 0; t < cores; ++t) {
            const auto core = static_cast<RiscvCore>(static_cast<unsigned>(RiscvCore::t0) + t);
            kernels.images[static_cast<std::size_t>(core)] =
                loop(words, rounds, data + t * apart).image(core, code + t * 0x1000);
        }
        Core core(Arch::blackhole);
        for (auto _ : run)
            if (!core.load(kernels) || !core.run(kernels)->good())
                return run.SkipWithError("the kernels end with a fault");
        describe(run, 0, static_cast<double>(cores) * rounds * static_cast<double>(words.size() + 2));
    });
}

}  // namespace

void add_riscv(Cases& cases) {
    const auto mix = {i(RiscvOp::slli, t0, a7, 3), r(RiscvOp::xor_, t0, t0, a0), r(RiscvOp::add, a0, a0, t0),
                      i(RiscvOp::srli, t1, a0, 7), r(RiscvOp::add, a0, a0, t1),  i(RiscvOp::andi, t2, a0, 1),
                      r(RiscvOp::sub, t2, t2, a0), r(RiscvOp::or_, a1, t2, a0)};
    add(cases, "riscv: arithmetic", 1, mix, 0, 0);
    const auto memory = {i(RiscvOp::andi, t0, a7, 60), r(RiscvOp::add, t0, s0, t0), i(RiscvOp::lw, a0, t0, 0),
                         r(RiscvOp::add, a1, a1, a7),  i(RiscvOp::srli, a2, a1, 3), r(RiscvOp::add, a0, a0, a2),
                         store(RiscvOp::sw, a0, 0, t0)};
    add(cases, "riscv: load, add, store in local memory", 1, memory, state::Riscv::local_base, 0);
    add(cases, "riscv: load, add, store in L1", 1, memory, l1_data, 0);
    add(cases, "riscv: three cores, arithmetic", 3, mix, 0, 0);
    add(cases, "riscv: three cores, load, add, store in L1", 3, memory, l1_data, 0x1000);
}

}  // namespace tessera::bench
