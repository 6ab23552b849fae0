// SPDX-License-Identifier: Apache-2.0
// What an instruction of a RISC-V core costs: a core alone in loops of arithmetic, and with local memory and L1; three cores
// on one clock, with a coprocessor that has nothing to do.
#include <cstring>

#include "cases.hpp"
#include "support/riscv_machine.hpp"
#include "support/riscv_words.hpp"
#include "tessera/core.hpp"

namespace tessera::bench {

namespace {

using namespace test::rv;
using riscv::Op;

constexpr std::uint32_t l1_data = 0x8000;

void add(Cases& cases, const char* name, std::initializer_list<std::uint32_t> body, std::uint32_t data) {
    cases.add(name, [words = std::vector(body), data](benchmark::State& run) {
        constexpr std::uint32_t instructions = 1'000'000;
        test::RiscvMachine machine(Arch::blackhole);
        std::uint32_t at = machine.code;
        for (std::uint32_t word : words) machine.put(at, {word}), at += 4;
        machine.put(at, {i(Op::addi, a7, a7, -1), branch(Op::bne, a7, zero, -4 - 4 * static_cast<int>(words.size()))});
        machine.state.x[s0] = data;
        riscv::Cycle time = 0;
        for (auto _ : run) time = machine.run(instructions, ~riscv::Cycle{0}, time).time;
        describe(run, 0, instructions);
    });
}

/// The loop on T0 to T2, each with memory of its own, until it has gone round so often.
void add_three(Cases& cases, const char* name, std::initializer_list<std::uint32_t> body, std::uint32_t data,
               std::uint32_t apart) {
    cases.add(name, [words = std::vector(body), data, apart](benchmark::State& run) {
        constexpr std::uint32_t rounds = 100'000, code = 0x1'0000;
        const auto instructions = 3 * rounds * static_cast<std::uint32_t>(words.size() + 2);
        Kernels kernels;
        for (unsigned t = 0; t < 3; ++t) {
            std::vector<std::uint32_t> text = {lui(s0, (data + t * apart) >> 12), lui(a7, rounds >> 12),
                                               i(Op::addi, a7, a7, static_cast<int>(rounds % 4096))};
            text.insert(text.end(), words.begin(), words.end());
            text.push_back(i(Op::addi, a7, a7, -1));
            text.push_back(branch(Op::bne, a7, zero, -4 - 4 * static_cast<int>(words.size())));
            text.push_back(halt);
            KernelImage& image = kernels.images[static_cast<std::size_t>(RiscvCore::t0) + t].emplace();
            image.entry = code + t * 0x1000;
            std::vector<std::byte> bytes(4 * text.size());
            std::memcpy(bytes.data(), text.data(), bytes.size());
            image.segments = {{image.entry, std::move(bytes), image.entry}};
        }
        Core core(Arch::blackhole);
        for (auto _ : run) {
            if (!core.load(kernels) || !core.run(kernels)->good())
                return run.SkipWithError("the kernels end with a fault");
        }
        describe(run, 0, instructions);
    });
}

}  // namespace

void add_riscv(Cases& cases) {
    const auto mix = {i(Op::slli, t0, a7, 3), r(Op::xor_, t0, t0, a0), r(Op::add, a0, a0, t0), i(Op::srli, t1, a0, 7),
                      r(Op::add, a0, a0, t1), i(Op::andi, t2, a0, 1),  r(Op::sub, t2, t2, a0), r(Op::or_, a1, t2, a0)};
    add(cases, "riscv: arithmetic", mix, 0);
    const auto memory = {i(Op::andi, t0, a7, 60), r(Op::add, t0, s0, t0), i(Op::lw, a0, t0, 0),
                         r(Op::add, a1, a1, a7),  i(Op::srli, a2, a1, 3), r(Op::add, a0, a0, a2),
                         store(Op::sw, a0, 0, t0)};
    add(cases, "riscv: load, add, store in local memory", memory, state::Riscv::local_base);
    add(cases, "riscv: load, add, store in L1", memory, l1_data);
    add_three(cases, "riscv: three cores, arithmetic", mix, 0, 0);
    add_three(cases, "riscv: three cores, load, add, store in L1", memory, l1_data, 0x1000);
}

}  // namespace tessera::bench
