// SPDX-License-Identifier: Apache-2.0
#include "units/costs/costs.hpp"

#include <algorithm>
#include <iterator>

namespace tessera::units {

namespace {

using isa::mnemonic;
using enum Speed;

constexpr Source sync_page{"SyncUnit, table of latencies"};
constexpr Source config_page{"ConfigurationUnit, table of latencies"};
constexpr Source scalar_page{"ScalarUnit, table of cycles"};
constexpr Source misc_page{"MiscellaneousUnit, first paragraph"};
constexpr Source matrix_page{"MatrixUnit, Instruction latency and throughput"};
constexpr Source d2b_latency{"MatrixUnit gives no figure; as MOVD2A", true};
constexpr Source debug_b2d_latency{"MatrixUnit gives no figure; as MOVDBGA2D", true};
constexpr Source legacy_latency{"MatrixUnit gives no figure; as MVMUL", true};
constexpr Source scalar_store{
    "ScalarUnit, table of cycles; when the request reaches L1 no page says: as LOADIND's answer", true};
constexpr Source scalar_load{"ScalarUnit, table of cycles; LOADIND, LOADREG: seven DMANOPs behind it mostly suffice",
                             true};
constexpr Source scalar_atomic{
    "ScalarUnit, table of cycles; ATINCGET: one every 12 cycles, and 24 DMANOPs behind it mostly suffice", true};
constexpr Source scalar_swap{"ScalarUnit, table of cycles; ATSWAP: one every 12 cycles; its arrival as ATINCGET's",
                             true};
constexpr Source retry_page{"ATCAS, ATINCGETPTR, Performance: 15 cycles, and 15 for each further attempt"};
constexpr Source flush_page{"FLUSHDMA, Performance"};
constexpr Source xmov_page{"XMOV, Instruction scheduling; Mover, Performance"};
constexpr Source stream_config_page{"STREAMWRCFG, Performance"};
constexpr Source resource_source{"no page gives a figure", true};
constexpr Source vector_page{"VectorUnit, tables of latencies"};
constexpr Source swap_page{"SFPSWAP, Instruction scheduling: only SFPNOP in its second cycle"};
constexpr Source shuffle_page{
    "VectorUnit, tables of latencies: twice as long in modes that move values between lanes of a row; SFPSHFT2, "
    "Instruction scheduling: Blackhole accepts only SFPNOP in their second cycle"};
constexpr Source packers_page{"Packers, Instructions: at most one started per cycle"};
constexpr Source nop_page{"UNPACR_NOP (Nop): occupies the unpacker for one cycle"};

// The matrix unit's page is shared by both architectures.
constexpr InstructionCost instruction_costs[] = {
    {mnemonic("ATGETM"), 1, 1, sync_page},
    {mnemonic("ATRELM"), 1, 1, sync_page},
    {mnemonic("SEMINIT"), 1, 1, sync_page},
    {mnemonic("SEMPOST"), 1, 1, sync_page},
    {mnemonic("SEMGET"), 1, 1, sync_page},
    {mnemonic("STALLWAIT"), 1, 1, sync_page},
    {mnemonic("SEMWAIT"), 1, 1, sync_page},
    {mnemonic("SETC16"), 1, 1, config_page},
    {mnemonic("SETADCXX"), 1, 1, misc_page},
    {mnemonic("SETADCXY"), 1, 1, misc_page},
    {mnemonic("SETADCZW"), 1, 1, misc_page},
    {mnemonic("NOP"), 1, 1, misc_page},
    {mnemonic("MOVA2D"), 1, 4, matrix_page},
    {mnemonic("MOVB2D"), 1, 4, matrix_page},
    {mnemonic("ELWADD"), 1, 5, matrix_page},
    {mnemonic("ELWSUB"), 1, 5, matrix_page},
    {mnemonic("ZEROACC"), 1, 1, matrix_page},
    {mnemonic("SETRWC"), 1, 1, matrix_page},
    {mnemonic("CLEARDVALID"), 1, 1, matrix_page},
    {mnemonic("UNPACR_NOP"), 1, 1, nop_page},
    {mnemonic("PACR"), 1, 1, packers_page},
    {mnemonic("SETADC"), 1, 1, misc_page},
    {mnemonic("INCADCXY"), 1, 1, misc_page},
    {mnemonic("INCADCZW"), 1, 1, misc_page},
    {mnemonic("ADDRCRXY"), 1, 1, misc_page},
    {mnemonic("SETDVALID"), 1, 1, misc_page},
    {mnemonic("ADDRCRZW"), 1, 1, misc_page},
    {mnemonic("WRCFG"), 1, 2, config_page},
    {mnemonic("RDCFG"), 1, 2, config_page},
    {mnemonic("RMWCIB0"), 1, 1, config_page},
    {mnemonic("RMWCIB1"), 1, 1, config_page},
    {mnemonic("RMWCIB2"), 1, 1, config_page},
    {mnemonic("RMWCIB3"), 1, 1, config_page},
    {mnemonic("CFGSHIFTMASK"), 2, 2, config_page},
    {mnemonic("SETDMAREG"), 1, 1, scalar_page},
    {mnemonic("DMANOP"), 1, 1, scalar_page},
    {mnemonic("REG2FLOP"), 2, 2, scalar_page},
    {mnemonic("ADDDMAREG"), 3, 3, scalar_page},
    {mnemonic("SUBDMAREG"), 3, 3, scalar_page},
    {mnemonic("MULDMAREG"), 3, 3, scalar_page},
    {mnemonic("BITWOPDMAREG"), 3, 3, scalar_page},
    {mnemonic("SHIFTDMAREG"), 3, 3, scalar_page},
    {mnemonic("CMPDMAREG"), 3, 3, scalar_page},
    {mnemonic("SFPLOAD"), 1, 1, vector_page},
    {mnemonic("SFPLOADI"), 1, 1, vector_page},
    {mnemonic("SFPSTORE"), 1, 1, vector_page},
    {mnemonic("SFPNOP"), 1, 1, vector_page},
    {mnemonic("SFPPUSHC"), 1, 1, vector_page},
    {mnemonic("SFPPOPC"), 1, 1, vector_page},
    {mnemonic("SFPENCC"), 1, 1, vector_page},
    {mnemonic("SFPCOMPC"), 1, 1, vector_page},
    {mnemonic("SFPTRANSP"), 1, 1, vector_page},
    {mnemonic("SFPCONFIG"), 1, 1, vector_page},
    {mnemonic("SFPLOADMACRO"), 1, 1, vector_page},
    {mnemonic("SFPSWAP"), 2, 2, swap_page},
    {mnemonic("SFPSHFT2"), 1, 1, shuffle_page},
    {mnemonic("SFPLUT"), 1, 2, vector_page},
    {mnemonic("SFPMULI"), 1, 2, vector_page},
    {mnemonic("SFPADDI"), 1, 2, vector_page},
    {mnemonic("SFPDIVP2"), 1, 1, vector_page},
    {mnemonic("SFPEXEXP"), 1, 1, vector_page},
    {mnemonic("SFPEXMAN"), 1, 1, vector_page},
    {mnemonic("SFPIADD"), 1, 1, vector_page},
    {mnemonic("SFPSHFT"), 1, 1, vector_page},
    {mnemonic("SFPSETCC"), 1, 1, vector_page},
    {mnemonic("SFPMOV"), 1, 1, vector_page},
    {mnemonic("SFPABS"), 1, 1, vector_page},
    {mnemonic("SFPAND"), 1, 1, vector_page},
    {mnemonic("SFPOR"), 1, 1, vector_page},
    {mnemonic("SFPNOT"), 1, 1, vector_page},
    {mnemonic("SFPLZ"), 1, 1, vector_page},
    {mnemonic("SFPSETEXP"), 1, 1, vector_page},
    {mnemonic("SFPSETMAN"), 1, 1, vector_page},
    {mnemonic("SFPMAD"), 1, 2, vector_page},
    {mnemonic("SFPADD"), 1, 2, vector_page},
    {mnemonic("SFPMUL"), 1, 2, vector_page},
    {mnemonic("SFPSETSGN"), 1, 1, vector_page},
    {mnemonic("SFPXOR"), 1, 1, vector_page},
    {mnemonic("SFP_STOCH_RND"), 1, 1, vector_page},
    {mnemonic("SFPCAST"), 1, 1, vector_page},
    {mnemonic("SFPLUTFP32"), 1, 2, vector_page},
    {mnemonic("SFPLE"), 1, 1, vector_page},
    {mnemonic("SFPGT"), 1, 1, vector_page},
    {mnemonic("SFPMUL24"), 1, 2, vector_page},
    {mnemonic("SFPARECIP"), 1, 1, vector_page},
    {mnemonic("INCRWC"), 1, 1, matrix_page},
    {mnemonic("MOVD2A"), 1, 2, matrix_page},
    {mnemonic("MOVD2B"), 1, 2, d2b_latency},
    {mnemonic("MOVB2A"), 1, 4, matrix_page},
    {mnemonic("MVMUL"), 1, 5, matrix_page},
    {mnemonic("ELWMUL"), 1, 5, matrix_page},
    {mnemonic("ZEROSRC"), 1, 1, matrix_page},
    {mnemonic("TRNSPSRCB"), 1, 1, matrix_page},
    {mnemonic("DOTPV"), 1, 5, matrix_page},
    {mnemonic("GAPOOL"), 1, 5, matrix_page},
    {mnemonic("GMPOOL"), 1, 5, matrix_page},
    {mnemonic("SHIFTXA"), 1, 1, matrix_page},
    {mnemonic("GATESRCRST"), 1, 1, matrix_page},
    {mnemonic("CLREXPHIST"), 1, 1, matrix_page},
    {mnemonic("SHIFTXB"), 2, 2, matrix_page},
    {mnemonic("MOVDBGA2D"), 1, 4, matrix_page},
    {mnemonic("MOVDBGB2D"), 1, 4, debug_b2d_latency},
    {mnemonic("CONV3S1"), 1, 5, legacy_latency},
    {mnemonic("CONV3S2"), 1, 5, legacy_latency},
    {mnemonic("MFCONV3S1"), 1, 5, legacy_latency},
    {mnemonic("APOOL3S1"), 1, 5, legacy_latency},
    {mnemonic("APOOL3S2"), 1, 5, legacy_latency},
    {mnemonic("MPOOL3S1"), 1, 5, legacy_latency},
    {mnemonic("MPOOL3S2"), 1, 5, legacy_latency},
    {mnemonic("FLUSHDMA"), 2, 2, flush_page, 1},
    {mnemonic("STOREIND"), 3, 10, scalar_store, 1},
    {mnemonic("STOREREG"), 3, 3, scalar_page},
    {mnemonic("LOADIND"), 3, 10, scalar_load},
    {mnemonic("LOADREG"), 3, 10, scalar_load},
    {mnemonic("ATINCGET"), 3, 27, scalar_atomic, 0, 12},
    {mnemonic("ATSWAP"), 3, 27, scalar_swap, 0, 12},
    {mnemonic("ATCAS"), 15, 15, retry_page, 15},
    {mnemonic("ATINCGETPTR"), 15, 15, retry_page, 15},
    {mnemonic("XMOV"), 1, 1, xmov_page},
    {mnemonic("STREAMWAIT"), 1, 1, sync_page},
    {mnemonic("STREAMWRCFG"), 1, 5, stream_config_page},
    {mnemonic("RESOURCEDECL"), 1, 1, resource_source},
};

// The same by mnemonic, since every resolve asks; what is not listed takes one cycle.
constexpr auto costs_by_mnemonic = [] {
    std::array<InstructionCost, isa::table.size()> rows{};
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {{static_cast<std::uint8_t>(i)}, 1, 1, {}};
    for (const InstructionCost& row : instruction_costs) rows[row.mnemonic.index] = row;
    return rows;
}();

constexpr Source unpack_rates_blackhole{"spec-notes F1; UNPACR_Regular, Performance"};
constexpr Source unpack_rates_wormhole{"UNPACR_Regular, Performance"};
constexpr Source unpack_latency{"no page gives the depth of the pipeline; L1 loads take at least 8 cycles", true};
constexpr Source unpack_row_starts{
    "UNPACR_Regular, Performance: compressed data takes more than two cycles of address calculation; not how many",
    true};
constexpr Source unpack_sharing_wormhole{"UNPACR_Regular, Performance, table of both unpackers"};
constexpr Source unpack_sharing_blackhole{
    "UNPACR_Regular, Performance, table of both unpackers on Wormhole (spec-notes F3)", true};
constexpr Source pack_start{"Packers, Instructions: at most one started per cycle"};
constexpr Source pack_reads_blackhole{
    "PACR, Dst read interfaces: each of four gives a row of 16 datums; no page says that it takes one cycle", true};
constexpr Source pack_reads_wormhole{"no page gives the rate at which a packer reads Dst; a row of 16 datums per cycle",
                                     true};
constexpr Source pack_writes_blackhole{
    "L1, Packers gives Wormhole's four packers a line of 16 bytes per cycle each; Blackhole's four interfaces as much",
    true};
constexpr Source pack_writes_wormhole{"L1, Packers: each packer one 128-bit write per cycle"};
constexpr Source pack_accumulation{
    "L1, Packers: one 128-bit atomic accumulate every five cycles, or one that is not atomic every two; no page says "
    "when "
    "it is not",
    true};
constexpr Source pack_from_l1{"L1, Packers: packer 0 reads 128 bits per cycle beside what it writes"};
constexpr Source pack_latency{"no page gives the depth of the pipeline", true};
constexpr Source thread_source{
    "PushTensixInstruction: FIFO of 32; latencies are not documented: a store to configuration takes multiple cycles",
    true};
constexpr Source thread_source_wormhole{
    "TensixFrontend (diagram): FIFOs of 32 (T0) or 16 (T1, T2), 8 and 2; latencies are not documented", true};
constexpr Source expanders_source{
    "MOPExpander and REPLAY, Performance; TensixFrontend (diagram) for the FIFOs; that MOP_CFG, a MOP of nothing and "
    "the "
    "REPLAY that loads take one cycle is assumed",
    true};
constexpr Source interlock_source{"Dst, Instruction scheduling"};
constexpr Source queue_source{"no page gives the depth of the queues in front of unpackers and packers", true};

constexpr MoverCost mover_cost{
    11, 8, 1, 8, {"Mover, Performance (ideal conditions); no page gives the depth of the pipeline", true}};

constexpr std::array<std::uint8_t, plan::pipes> queues(std::uint8_t unpackers, std::uint8_t packers) {
    std::array<std::uint8_t, plan::pipes> depth{};
    for (plan::Pipe p : {plan::Pipe::unpacker0, plan::Pipe::unpacker1}) depth[static_cast<unsigned>(p)] = unpackers;
    for (plan::Pipe p : {plan::Pipe::packer0, plan::Pipe::packer1, plan::Pipe::packer2, plan::Pipe::packer3})
        depth[static_cast<unsigned>(p)] = packers;
    return depth;
}

constexpr CostTable tables[] = {
    {
        .timing = Timing::documented,
        .completes_at_issue = false,
        .instructions = costs_by_mnemonic,
        .unpack = {2,
                   8,
                   {{{16, 16}, {32, 32}, {64, 128}, {128, 128}}},
                   {x1, x2, x4, x8},
                   {x8, x4},
                   unpack_rates_blackhole,
                   unpack_latency,
                   1,
                   unpack_row_starts,
                   unpack_sharing_blackhole},
        .pack = {64, 4, 5, 1, 8, pack_reads_blackhole, pack_writes_blackhole, pack_accumulation, pack_from_l1,
                 pack_latency},
        .mover = mover_cost,
        .thread = {1, 2, 6, 3, {32, 32, 32}, thread_source, 1, 8, 2, expanders_source},
        .interlocks = {4, interlock_source},
        .queue_depth = queues(4, 4),
        .queue_source = queue_source,
    },
    {
        .timing = Timing::documented,
        .completes_at_issue = false,
        .instructions = costs_by_mnemonic,
        .unpack = {2,
                   8,
                   {{{16, 16}, {32, 32}, {64, 64}, {64, 64}}},
                   {x1, x2, x4, x4},
                   {x4, x4},
                   unpack_rates_wormhole,
                   unpack_latency,
                   1,
                   unpack_row_starts,
                   unpack_sharing_wormhole},
        .pack = {16, 1, 5, 1, 8, pack_reads_wormhole, pack_writes_wormhole, pack_accumulation, pack_from_l1,
                 pack_latency},
        .mover = mover_cost,
        .thread = {1, 2, 6, 3, {42, 26, 26}, thread_source_wormhole, 1, 8, 2, expanders_source},
        .interlocks = {4, interlock_source},
        .queue_depth = queues(4, 4),
        .queue_source = queue_source,
    },
};

// Words of stretches become visible one behind the other (Expanders::take).
static_assert(std::all_of(std::begin(tables), std::end(tables),
                          [](const CostTable& table) { return table.thread.op_cycles > 0; }));

constexpr Source instant_source{"the vendor's simulator completes an instruction when it issues it"};

constexpr CostTable instant_table = {
    .timing = Timing::instant,
    .completes_at_issue = true,
    .instructions = {},
    .unpack = {0, 0, {}, {}, {}, instant_source, instant_source, 0, instant_source, instant_source},
    .pack = {0, 0, 0, 0, 0, instant_source, instant_source, instant_source, instant_source, instant_source},
    .mover = {0, 0, 0, 0, instant_source},
    .thread = {1, 0, 0, 0, {32, 32, 32}, instant_source, 0, 0, 0, instant_source},
    .interlocks = {0, instant_source},
    .queue_depth = queues(0, 0),
    .queue_source = instant_source,
};

}  // namespace

PackCost::Speed PackCost::speed(const PackTransfer& transfer) const {
    Speed speed;
    const auto consider = [&](std::uint32_t units, std::uint32_t cycles, std::uint32_t at_once, Limit limit) {
        if (!at_once) return;
        const std::uint32_t needed = (units * cycles + at_once - 1) / at_once;
        if (needed > speed.cycles) speed = {needed, limit};
    };
    consider(transfer.lines, transfer.accumulates ? accumulate_cycles : 1, lines_per_cycle,
             transfer.accumulates ? Limit::accumulation : Limit::writes);
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

plan::Cost CostTable::of(isa::Mnemonic mnemonic) const {
    if (completes_at_issue) return {.occupancy = 0, .latency = 0};
    const InstructionCost& row = instructions[mnemonic.index];
    return {.interval = row.interval, .retry = row.retry, .occupancy = row.occupancy, .latency = row.latency};
}

std::string CostTable::source_of(const isa::Instruction& instruction) const {
    const auto in_words = [](const Source& source) {
        return std::string(source.text) + (source.assumed ? " (assumed)" : "");
    };
    if (completes_at_issue) return in_words(unpack.rates);
    if (instruction.is(mnemonic("UNPACR")))
        return in_words(unpack.rates) + "; " + in_words(unpack.sharing) + "; " + in_words(unpack.latency);
    if (instruction.is(mnemonic("PACR")))
        return in_words(pack.reads) + "; " + in_words(pack.writes) + "; " + in_words(pack.latency);
    if (instruction.is(mnemonic("XMOV"))) return in_words(mover.source);
    return instruction.spec ? in_words(instructions[instruction.mnemonic.index].source) : std::string{};
}

const CostTable& costs(Arch arch, Timing timing) {
    return timing == Timing::instant ? instant_table : tables[static_cast<unsigned>(arch)];
}

}  // namespace tessera::units
