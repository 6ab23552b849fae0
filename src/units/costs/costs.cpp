// SPDX-License-Identifier: Apache-2.0
#include "units/costs/costs.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "units/behaviour.hpp"
#include "units/costs/measured.hpp"

namespace tessera::units {

namespace {

using isa::mnemonic;
using enum Speed;

constexpr Source unpack_rates_blackhole{"spec-notes F1; UNPACR_Regular, Performance"};
constexpr Source unpack_rates_wormhole{"UNPACR_Regular, Performance"};
constexpr Source unpack_latency{"no page gives the depth of the pipeline; L1 loads take at least 8 cycles",
                                Source::assumed};
constexpr Source unpack_row_starts{
    "UNPACR_Regular, Performance: compressed data takes more than two cycles of address calculation; not how many",
    Source::assumed};
constexpr Source unpack_sharing_wormhole{"UNPACR_Regular, Performance, table of both unpackers"};
constexpr Source unpack_sharing_blackhole{
    "UNPACR_Regular, Performance, table of both unpackers on Wormhole (spec-notes F3)", Source::assumed};
constexpr Source pack_start{"Packers, Instructions: at most one started per cycle"};
constexpr Source pack_reads_blackhole{
    "PACR, Dst read interfaces: each of four gives a row of 16 datums; no page says that it takes one cycle",
    Source::assumed};
constexpr Source pack_reads_wormhole{"no page gives the rate at which a packer reads Dst; a row of 16 datums per cycle",
                                     Source::assumed};
constexpr Source pack_writes_blackhole{
    "L1, Packers gives Wormhole's four packers a line of 16 bytes per cycle each; Blackhole's four interfaces as much",
    Source::assumed};
constexpr Source pack_writes_wormhole{"L1, Packers: each packer one 128-bit write per cycle"};
constexpr Source pack_accumulation{
    "L1, Packers: one 128-bit atomic accumulate every five cycles, or one that is not atomic every two; no page says "
    "when "
    "it is not",
    Source::assumed};
constexpr Source pack_from_l1{"L1, Packers: packer 0 reads 128 bits per cycle beside what it writes"};
constexpr Source pack_latency{"no page gives the depth of the pipeline", Source::assumed};
constexpr Source thread_source{
    "PushTensixInstruction: FIFO of 32, which single pushes fill only to 29; that they fill it to 32 is simplified (spec-notes S18); "
    "latencies are not documented: a store to configuration takes multiple cycles",
    Source::assumed};
constexpr Source thread_source_wormhole{
    "TensixFrontend (diagram): FIFOs of 32 (T0) or 16 (T1, T2), 8 and 2; latencies are not documented",
    Source::assumed};
constexpr Source expanders_source{
    "MOPExpander and REPLAY, Performance; TensixFrontend (diagram) for the FIFOs; that MOP_CFG, a MOP of nothing and "
    "the "
    "REPLAY that loads take one cycle is assumed",
    Source::assumed};
constexpr Source interlock_source{"Dst, Instruction scheduling"};
constexpr Source config_pages_blackhole{"ConfigurationUnit, table of stages: every instruction needs stage 0 for a cycle"};
constexpr Source config_pages_wormhole{
    "ConfigurationUnit, table: none of these in the cycle after a RDCFG or WRCFG of any thread; RDCFG, Performance: its thread is "
    "blocked for at least two cycles"};
constexpr Source queue_source{"no page gives the depth of the queues in front of unpackers and packers",
                              Source::assumed};
constexpr Source mover_source{"Mover, Performance (ideal conditions); no page gives the depth of the pipeline", Source::assumed};

constexpr std::array<std::uint8_t, plan::pipes> queues(std::uint8_t unpackers, std::uint8_t packers) {
    std::array<std::uint8_t, plan::pipes> depth{};
    for (plan::Pipe p : {plan::Pipe::unpacker0, plan::Pipe::unpacker1}) depth[static_cast<unsigned>(p)] = unpackers;
    for (plan::Pipe p : {plan::Pipe::packer0, plan::Pipe::packer1, plan::Pipe::packer2, plan::Pipe::packer3})
        depth[static_cast<unsigned>(p)] = packers;
    return depth;
}

constexpr CostTable blackhole_table = {
    .timing = Timing::documented,
    .completes_at_issue = false,
    .instructions = {},
    .unpack = {.address_cycles = 2,
               .pipeline = 8,
               .bytes_per_cycle = {{{16, 16}, {32, 32}, {64, 128}, {128, 128}}},
               .throttle_modes = {x1, x2, x4, x8},
               .default_speeds = {x8, x4},
               .rates = unpack_rates_blackhole,
               .latency = unpack_latency,
               .row_start_cycles = 1,
               .row_starts = unpack_row_starts,
               .sharing = unpack_sharing_blackhole},
    .pack = {.datums_per_cycle = 64,
             .lines_per_cycle = 4,
             .accumulate_cycles = 5,
             .accumulate_lines = 1,
             .source_lines_per_cycle = 1,
             .pipeline = 8,
             .reads = pack_reads_blackhole,
             .writes = pack_writes_blackhole,
             .accumulation = pack_accumulation,
             .from_l1 = pack_from_l1,
             .latency = pack_latency},
    .mover = {.copy_cycles = 11, .copy_lines = 8, .zero_cycles = 1, .pipeline = 8, .source = mover_source},
    .thread = {.op_cycles = 1,
               .push_latency = 2,
               .config_store_latency = 6,
               .semaphore_latency = 3,
               .fifo_words = {32, 32, 32},
               .words_behind_mop = 32,
               .source = thread_source,
               .mop_exit_cycles = 1,
               .replay_fifo_words = 8,
               .gate_fifo_words = 2,
               .expanders = expanders_source},
    .interlocks = {.dst_block_cycles = 4, .dst_block = interlock_source, .as_measured = false},
    .config = {.rdcfg_interval = 1, .rdcfg_hold = 0, .source = config_pages_blackhole},
    .queue_depth = queues(4, 4),
    .queue_source = queue_source,
};

constexpr CostTable on_wormhole(CostTable table) {
    table.unpack.bytes_per_cycle = {{{16, 16}, {32, 32}, {64, 64}, {64, 64}}};
    table.unpack.throttle_modes = {x1, x2, x4, x4};
    table.unpack.rates = unpack_rates_wormhole;
    table.unpack.sharing = unpack_sharing_wormhole;
    table.pack.datums_per_cycle = 16;
    table.pack.lines_per_cycle = 1;
    table.pack.reads = pack_reads_wormhole;
    table.pack.writes = pack_writes_wormhole;
    table.thread.fifo_words = {42, 26, 26};
    table.thread.words_behind_mop = 10;
    table.thread.source = thread_source_wormhole;
    table.config = {.rdcfg_interval = 2, .rdcfg_hold = 2, .source = config_pages_wormhole};
    return table;
}

constexpr CostTable tables[] = {blackhole_table, on_wormhole(blackhole_table)};

// Measurements in place of documents; docs/silicon.md has how close they come.
constexpr Source packs_measured{
    "tt-metal issue 51901, perf_pack_dest_bank on Blackhole: 16.0 cycles per BF16 tile, and 9.13 per call",
    Source::measured};
constexpr Source accumulation_measured{
    "tt-metal issue 51901, perf_pack_dest_bank on Blackhole: 16.0 cycles per BF16 tile added to L1, 24.0 in the slower "
    "of two states",
    Source::measured};
constexpr Source config_blackhole{
    "mesham/tt-sim, tensixbench on Blackhole, 2026-08-09: RDCFG of two and three threads takes turns, one per cycle",
    Source::measured};
constexpr Source config_wormhole{
    "mesham/tt-sim, tensixbench on Wormhole, 2026-08-17: RDCFG holds its thread two cycles, and no other thread",
    Source::measured};
constexpr Source dst_measured{
    "mesham/tt-sim, tensixbench on Blackhole and Wormhole, 2026-08: MVMUL, ELWADD and ELWMUL to the same rows take six "
    "cycles each",
    Source::measured};
constexpr Source drain_blackhole{
    "tt-metal issues 54317 and 45660, kernels of the vector unit on Blackhole: a STALLWAIT behind a copy to Dst takes six cycles more than "
    "the copy's latency; Blackhole FPU Math Kernel Measurements: the same behind sums and maxima",
    Source::measured};
constexpr Source drain_wormhole{
    "tt-metal issues 54602 and 48925, kernels of the vector unit on Wormhole: with the cycles of Blackhole they take 1 to 3 % less time "
    "than measured",
    Source::measured};
constexpr Source vector_measured{
    "tt-metal issue 54317 and the kernel library's SFPU experiments on Blackhole: the thread's INCRWC hides the wait of a vector "
    "instruction for the result before; kernels without it show the wait",
    Source::measured};
constexpr Source unpacks_measured{
    "mesham/tt-sim, tensixbench on Blackhole, 2026-08: matmul_tiles with banks out of step; Blackhole FPU Math Kernel "
    "Measurements: 37.9 cycles for four faces of SrcA and SrcB",
    Source::measured};

constexpr CostTable on_silicon(CostTable table, Arch arch, bool slow) {
    table.timing = slow ? Timing::silicon_slow : Timing::silicon;
    table.interlocks = {.dst_block_cycles = 5,
                        .dst_block = dst_measured,
                        .as_measured = true,
                        .drain_cycles = 11,
                        .drain = arch == Arch::wormhole ? drain_wormhole : drain_blackhole};
    if (arch == Arch::wormhole) {
        table.config = {.rdcfg_interval = 0, .rdcfg_hold = 2, .source = config_wormhole};
        return table;
    }
    table.config = {.rdcfg_interval = 1, .rdcfg_hold = 0, .source = config_blackhole};
    table.interlocks.vector_place = true;
    table.interlocks.vector = vector_measured;
    table.unpack.independent = true;
    table.unpack.drain = table.unpack.pipeline = 5;
    table.unpack.sharing = table.unpack.latency = unpacks_measured;
    table.pack.lines_per_cycle = 8;
    table.pack.writes = table.pack.reads = packs_measured;
    table.pack.accumulate_cycles = slow ? 3 : 1;
    table.pack.accumulate_lines = slow ? 2 : 1;
    table.pack.accumulation = accumulation_measured;
    return table;
}

// Words of traces become visible one per cycle (Expanders::take).
static_assert(std::all_of(std::begin(tables), std::end(tables),
                          [](const CostTable& table) { return table.thread.op_cycles > 0; }));

constexpr Source instant_source{"the vendor's simulator completes an instruction when it issues it"};

// Zeros, except for these figures and sources.
constexpr CostTable instant_table = [] {
    CostTable table{};
    table.timing = Timing::instant;
    table.completes_at_issue = true;
    table.thread.op_cycles = 1;
    table.thread.fifo_words = {32, 32, 32};
    table.thread.words_behind_mop = 32;
    table.thread.replay_fifo_words = 8;
    table.thread.gate_fifo_words = 2;
    for (Source* source :
         {&table.unpack.rates, &table.unpack.latency, &table.unpack.row_starts, &table.unpack.sharing, &table.pack.reads,
          &table.pack.writes, &table.pack.accumulation, &table.pack.from_l1, &table.pack.latency, &table.mover.source,
          &table.thread.source, &table.thread.expanders, &table.interlocks.dst_block, &table.config.source,
          &table.queue_source})
        *source = instant_source;
    return table;
}();

}  // namespace

PackCost::Speed PackCost::speed(const PackTransfer& transfer) const {
    Speed speed;
    const auto consider = [&](std::uint32_t units, std::uint32_t cycles, std::uint32_t at_once, Limit limit) {
        if (!at_once) return;
        const std::uint32_t needed = (units * cycles + at_once - 1) / at_once;
        if (needed > speed.cycles) speed = {needed, false, limit};
    };
    if (transfer.accumulates) {
        const std::uint32_t at_once = lines_per_cycle * accumulate_lines;
        consider(transfer.lines, accumulate_cycles, at_once, Limit::accumulation);
        if (speed.limit == Limit::accumulation && accumulate_lines > 1) {
            const std::uint32_t rest = transfer.lines * accumulate_cycles % at_once;
            if (rest && 2 * rest <= at_once) {
                --speed.cycles;
                speed.half = true;
            }
        }
    } else
        consider(transfer.lines, 1, lines_per_cycle, Limit::writes);
    consider(transfer.datums, 1, datums_per_cycle, Limit::reads);
    consider(transfer.source_lines, 1, source_lines_per_cycle, Limit::from_l1);
    return speed;
}

const Source& PackCost::source_of(Limit limit) const {
    switch (limit) {
        case Limit::start: break;
        case Limit::reads: return reads;
        case Limit::from_l1: return from_l1;
        case Limit::writes: return writes;
        case Limit::accumulation: return accumulation;
    }
    return pack_start;
}

std::string_view CostTable::rows_of(const isa::Instruction& instruction) const {
    const bool measured = timing == Timing::silicon || timing == Timing::silicon_slow;
    return measured ? rows_that_measured(instruction.mnemonic, instruction.arch) : std::string_view{};
}

Source::Kind CostTable::basis_of(const isa::Instruction& instruction) const {
    if (!rows_of(instruction).empty()) return Source::measured;
    if (instruction.is(mnemonic("UNPACR"))) return unpack.rates.kind;
    if (instruction.is(mnemonic("PACR")))
        return pack.reads.kind == Source::assumed ? pack.reads.kind : pack.writes.kind;
    if (instruction.is(mnemonic("XMOV"))) return mover.source.kind;
    if (completes_at_issue || !instruction.spec) return Source::document;
    const Source& source = instructions[instruction.mnemonic.index].source;
    return source.text.empty() ? Source::assumed : source.kind;
}

std::string CostTable::source_of(const isa::Instruction& instruction) const {
    if (completes_at_issue) return in_words(unpack.rates);
    std::string words;
    if (instruction.is(mnemonic("UNPACR")))
        words = in_words(unpack.rates) + "; " + in_words(unpack.sharing) + "; " + in_words(unpack.latency);
    else if (instruction.is(mnemonic("PACR")))
        words = in_words(pack.reads) + "; " + in_words(pack.writes) + "; " + in_words(pack.latency);
    else if (instruction.is(mnemonic("XMOV")))
        words = in_words(mover.source);
    else if (instruction.spec)
        words = in_words(instructions[instruction.mnemonic.index].source);
    if (const std::string_view rows = rows_of(instruction); !rows.empty())
        words.append(words.empty() ? "" : "; ").append("measured: ").append(rows).append(" of docs/silicon.md");
    return words;
}

const CostTable& costs(Arch arch, Timing timing) {
    static const auto by_mnemonic = [] {
        std::array<InstructionCost, isa::table.size()> rows{};
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (const Behaviour* behaviour = behaviour_of({static_cast<std::uint8_t>(i)})) rows[i] = behaviour->cost;
        return rows;
    }();
    static const auto documented = [] {
        auto copies = std::to_array(tables);
        for (CostTable& table : copies) table.instructions = by_mnemonic;
        return copies;
    }();
    static const auto functional = [] {
        auto copies = documented;
        for (CostTable& table : copies) table.timing = Timing::functional;
        return copies;
    }();
    static const auto measured = [](bool slow) {
        auto copies = documented;
        for (const Arch one : {Arch::blackhole, Arch::wormhole}) {
            CostTable& table = copies[static_cast<unsigned>(one)];
            table = on_silicon(table, one, slow);
        }
        return copies;
    };
    static const auto silicon = measured(false), silicon_slow = measured(true);
    switch (timing) {
        case Timing::instant: return instant_table;
        case Timing::silicon: return silicon[static_cast<unsigned>(arch)];
        case Timing::silicon_slow: return silicon_slow[static_cast<unsigned>(arch)];
        case Timing::functional: return functional[static_cast<unsigned>(arch)];
        case Timing::documented: break;
    }
    return documented[static_cast<unsigned>(arch)];
}

}  // namespace tessera::units
