// SPDX-License-Identifier: Apache-2.0
#include "silicon/core_loops.hpp"

#include <fmt/format.h>

#include <cstring>

#include "findings/catalogue.hpp"
#include "riscv/encode.hpp"
#include "riscv_registers.hpp"
#include "silicon/core_code.hpp"
#include "tessera/assembly.hpp"
#include "tessera/core.hpp"

namespace tessera::bench::silicon {

namespace {

namespace rv = riscv::encode;

constexpr unsigned counter = a7, clock_base = 28, start = 29, end = 30;  // t3 to t5: free in bodies
constexpr std::uint32_t debug = 0xFFB1'2000, wall_clock = 0x1F0;
constexpr std::uint32_t code_at = 0x1'0000, code_bytes = 0x8000;  ///< of each core, one after the other
constexpr std::uint32_t results = 0xF000;                         ///< a word of L1 for each core

Result<KernelImage> kernel_of(RiscvCore core, const CoreLoop& loop, unsigned rounds) {
    const auto number = static_cast<std::uint32_t>(core);
    Code code;
    if (!loop.gathers) {
        constexpr std::uint32_t cfg0 = 0x7C0, DisTriscCache = 1u << 18;
        code.load_immediate(start, DisTriscCache);
        code.word(rv::csr(riscv::Op::csrrs, zero, cfg0, start));
    }
    code.load_immediate(clock_base, debug);
    for (const std::uint32_t word : loop.setup) code.word(word);
    code.load_immediate(counter, rounds * loop.times);
    code.load(start, clock_base, wall_clock);
    for (const std::uint32_t word : loop.body) code.word(word);
    code.word(rv::i(riscv::Op::addi, counter, counter, -1));
    const int back = -4 * static_cast<int>(loop.body.size());
    if (back > -4000) {
        code.word(rv::branch(riscv::Op::bne, counter, zero, back - 4));
    } else {
        code.word(rv::branch(riscv::Op::beq, counter, zero, 8));
        code.word(rv::jal(zero, back - 8));
    }
    code.load(end, clock_base, wall_clock);
    code.word(rv::r(riscv::Op::sub, end, end, start));
    code.load_immediate(start, results + 4 * number);
    code.store(end, start, 0);
    code.stay();
    if (code.bytes() > code_bytes) return fail("silicon.size", fmt::format("{} has too much code", name(core)));
    return code.image(core, code_at + number * code_bytes);
}

RunOptions options(Timing timing) {
    RunOptions options;
    options.timing = timing;
    for (const auto& entry : findings::catalogue)
        if (entry.kind == findings::Kind::finding) options.levels[std::string(entry.code)] = Level::off;
    return options;
}

}  // namespace

Result<Cycles> cycles_of(const Machine& machine, const Loops& loops, unsigned rounds) {
    Kernels kernels;
    kernels.arch = machine.arch;
    for (std::size_t core = 0; core < riscv_cores; ++core) {
        if (!loops[core]) continue;
        auto image = kernel_of(static_cast<RiscvCore>(core), *loops[core], rounds);
        if (!image) return tl::make_unexpected(std::move(image.error()));
        kernels.images[core] = std::move(*image);
    }
    Core core(machine.arch, Reset::vendor_sim);
    if (auto loaded = core.load(kernels); !loaded) return tl::make_unexpected(std::move(loaded.error()));
    const auto run = core.run(kernels, options(machine.timing));
    if (!run) return tl::make_unexpected(run.error());
    if (run->fault) return fail("silicon.run", run->fault->describe());
    const auto words = core.read_l1(results, 4 * riscv_cores);
    if (!words) return tl::make_unexpected(words.error());
    Cycles cycles{};
    for (std::size_t i = 0; i < riscv_cores; ++i) {
        std::uint32_t word = 0;
        std::memcpy(&word, words->data() + 4 * i, sizeof word);
        if (loops[i]) cycles[i] = word;
    }
    return cycles;
}

Result<Cycles> cycles_of_round(const Machine& machine, const Loops& loops, unsigned few, unsigned many) {
    const auto short_run = cycles_of(machine, loops, few);
    if (!short_run) return short_run;
    auto cycles = cycles_of(machine, loops, many);
    if (!cycles) return cycles;
    for (std::size_t i = 0; i < cycles->size(); ++i) (*cycles)[i] = ((*cycles)[i] - (*short_run)[i]) / (many - few);
    return cycles;
}

Result<Cycles> cycles_of_body(const Machine& machine, const Loops& loops) {
    Loops empty;
    for (std::size_t i = 0; i < loops.size(); ++i)
        if (loops[i]) empty[i] = CoreLoop{.setup = {}, .body = {}, .times = loops[i]->times};
    const auto overhead = cycles_of_round(machine, empty);
    if (!overhead) return overhead;
    auto cycles = cycles_of_round(machine, loops);
    if (!cycles) return cycles;
    for (std::size_t i = 0; i < cycles->size(); ++i) (*cycles)[i] -= (*overhead)[i];
    return cycles;
}

Result<Loops> loops_of(Arch arch, std::string_view text, const std::string& symbols) {
    Loops loops;
    const auto part = [&](bool setup) {
        return assemble(fmt::format("{}.equ SETUP, {}\n.equ BODY, {}\n{}", symbols, setup ? 1 : 0, setup ? 0 : 1, text),
                        arch);
    };
    const auto setup = part(true), body = part(false);
    if (!setup) return tl::make_unexpected(setup.error());
    if (!body) return tl::make_unexpected(body.error());
    const SemaphoreMaxima maxima = maxima_of(*setup);
    for (std::size_t thread = 0; thread < setup->threads.size(); ++thread) {
        if (setup->threads[thread].empty() && body->threads[thread].empty()) continue;
        Code before, round;
        load_device_addresses(before);
        for (const Op& op : setup->threads[thread])
            if (auto added = add_op(before, op, maxima); !added) return tl::make_unexpected(std::move(added.error()));
        for (const Op& op : body->threads[thread])
            if (auto added = add_op(round, op, maxima); !added) return tl::make_unexpected(std::move(added.error()));
        loops[thread + 1] = CoreLoop{.setup = before.words(), .body = round.words()};
    }
    return loops;
}

}  // namespace tessera::bench::silicon
