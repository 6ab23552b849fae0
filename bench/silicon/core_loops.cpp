// SPDX-License-Identifier: Apache-2.0
#include "silicon/core_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
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

constexpr unsigned counter = a7, inner_counter = 16;       // a6
constexpr unsigned clock_base = 28, start = 29, end = 30;  // t3 to t5: free in bodies
constexpr std::uint32_t debug = 0xFFB1'2000, wall_clock = 0x1F0;
constexpr std::uint32_t code_at = 0x1'0000, code_bytes = 0x8000;  ///< of each core, one after the other
constexpr std::uint32_t results = 0xF000;                         ///< a word of L1 for each core

/// The parts of a thread's assembly.
enum class Part : std::size_t { setup, body, loop, after };
constexpr std::array<std::string_view, 4> parts = {"SETUP", "BODY", "LOOP", "AFTER"};

Result<KernelImage> kernel_of(RiscvCore core, const CoreLoop& one, unsigned rounds) {
    const auto number = static_cast<std::uint32_t>(core);
    Code code;
    if (!one.gathers) {
        constexpr std::uint32_t cfg0 = 0x7C0, DisTriscCache = 1u << 18;
        code.load_immediate(start, DisTriscCache);
        code.word(rv::csr(riscv::Op::csrrs, zero, cfg0, start));
    }
    code.load_immediate(clock_base, debug);
    for (const std::uint32_t word : one.setup) code.word(word);
    code.load_immediate(counter, rounds * one.times);
    code.load(start, clock_base, wall_clock);
    for (const std::uint32_t word : one.body) code.word(word);
    code.word(rv::i(riscv::Op::addi, counter, counter, -1));
    const int back = -4 * static_cast<int>(one.body.size());
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

Result<Loops> loops_of(Arch arch, std::string_view text, const std::string& symbols, const Own& own, unsigned inner) {
    std::array<Program, parts.size()> programs;
    for (std::size_t wanted = 0; wanted < parts.size(); ++wanted) {
        std::string symbols_of_part;
        for (std::size_t i = 0; i < parts.size(); ++i)
            symbols_of_part += fmt::format(".equ {}, {}\n", parts[i], i == wanted ? 1 : 0);
        auto program = assemble(fmt::format("{}{}{}", symbols, symbols_of_part, text), arch);
        if (!program) return tl::make_unexpected(std::move(program.error()));
        programs[wanted] = std::move(*program);
    }
    const auto program_of = [&](Part part) -> const Program& { return programs[static_cast<std::size_t>(part)]; };
    const SemaphoreMaxima maxima = maxima_of(program_of(Part::setup));
    Loops loops;
    for (std::size_t thread = 0; thread < program_of(Part::setup).threads.size(); ++thread) {
        const auto has = [&](const Program& program) { return !program.threads[thread].empty(); };
        if (std::none_of(programs.begin(), programs.end(), has)) continue;
        Code before, round;
        const auto add = [&](Code& code, Part part) -> Result<void> {
            for (const Op& op : program_of(part).threads[thread])
                if (auto added = add_op(code, op, maxima); !added) return added;
            return {};
        };
        load_device_addresses(before);
        if (auto added = add(before, Part::setup); !added) return tl::make_unexpected(std::move(added.error()));
        const std::vector<Op>& ops = program_of(Part::body).threads[thread];
        for (std::size_t i = 0, nops = 0; i < ops.size(); ++i) {
            if (auto added = add_op(round, ops[i], maxima); !added)
                return tl::make_unexpected(std::move(added.error()));
            for (; nops < (i + 1) * own[thread + 1] / ops.size(); ++nops)
                round.word(rv::i(riscv::Op::addi, zero, zero, 0));
        }
        if (inner && has(program_of(Part::loop))) {
            round.load_immediate(inner_counter, inner);
            const std::size_t begin = round.bytes();
            if (auto added = add(round, Part::loop); !added) return tl::make_unexpected(std::move(added.error()));
            round.word(rv::i(riscv::Op::addi, inner_counter, inner_counter, -1));
            const int back = static_cast<int>(begin) - static_cast<int>(round.bytes());
            round.word(rv::branch(riscv::Op::bne, inner_counter, zero, back));
        }
        if (auto added = add(round, Part::after); !added) return tl::make_unexpected(std::move(added.error()));
        loops[thread + 1] = CoreLoop{.setup = before.words(), .body = round.words(), .gathers = arch == Arch::wormhole};
    }
    return loops;
}

}  // namespace tessera::bench::silicon
