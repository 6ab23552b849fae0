// SPDX-License-Identifier: Apache-2.0
// The RISC-V cores: instructions in a loop, without the loop's own cycles (riscvbench, retirebench), and bursts of instructions for the
// coprocessor against the depth of its queues.
#include <fmt/format.h>

#include <array>

#include "riscv/encode.hpp"
#include "riscv_registers.hpp"
#include "silicon/core_code.hpp"
#include "silicon/measurement.hpp"

namespace tessera::bench::silicon {

namespace {

namespace rv = riscv::encode;
using riscv::Op;

constexpr Arch wh = Arch::wormhole, bh = Arch::blackhole;
constexpr RiscvCore t0_core = RiscvCore::t0, t1_core = RiscvCore::t1;
constexpr unsigned unrolled = 64;
constexpr std::uint32_t scratch = 0x4'0000;  ///< of the first core, the others' behind it
constexpr std::uint32_t scratch_bytes = 0x1000;
constexpr std::uint32_t local_memory = 0xFFB0'0000;

// Registers of operands: s0, s1, a4, a5 and a6.
constexpr unsigned base = s0, local = 9, dividend = 14, divisor = 15, toggle = 16;

using Words = std::vector<std::uint32_t>;
using Predict = std::function<Result<double>(const Machine&)>;

Words repeat(unsigned times, const Words& words) {
    Words all;
    for (unsigned i = 0; i < times; ++i) all.insert(all.end(), words.begin(), words.end());
    return all;
}

/// Settings and operands before a loop. tt-metal's firmware has switched off Blackhole's L0 (its firmware_common.h).
Words setup(Arch arch, RiscvCore core, std::uint32_t divided) {
    Code code;
    if (arch == bh) {
        constexpr std::uint32_t cfg0 = 0x7C0, DisLowCash = 1u << 3;
        code.load_immediate(t0, DisLowCash);
        code.word(rv::csr(Op::csrrs, zero, cfg0, t0));
    }
    const std::uint32_t own = scratch + static_cast<std::uint32_t>(core) * scratch_bytes;
    code.load_immediate(base, own);
    code.load_immediate(local, local_memory);
    code.load_immediate(dividend, divided);
    code.load_immediate(divisor, 3);
    // A ring of nodes of 16 bytes, each with the address of the next, from a0 on; another of one word, from a1 on.
    code.load_immediate(t0, own);
    for (unsigned node = 0; node < unrolled; ++node) {
        code.word(rv::i(Op::addi, t1, t0, 16));
        code.word(rv::store(Op::sw, node + 1 < unrolled ? t1 : base, 0, t0));
        code.word(rv::i(Op::addi, t0, t1, 0));
    }
    code.load_immediate(a0, own);
    code.load_immediate(a1, local_memory);
    code.store(a1, local, 0);
    return code.words();
}

/// The cycles of a round's body on the first of `cores`, divided by `pieces`, while all of them execute it.
Predict slope(Words body, double pieces, std::vector<RiscvCore> cores, std::uint32_t divided = 0x1234'5678) {
    return [=](const Machine& machine) -> Result<double> {
        Loops loops;
        for (const RiscvCore core : cores)
            loops[static_cast<std::size_t>(core)] =
                CoreLoop{.setup = setup(machine.arch, core, divided), .body = body, .gathers = machine.arch == wh};
        const auto cycles = cycles_of_body(machine, loops);
        if (!cycles) return tl::make_unexpected(cycles.error());
        return (*cycles)[static_cast<std::size_t>(cores.front())] / pieces;
    };
}

/// The cycles of a whole round, divided by `pieces`.
Predict round(Words body, double pieces) {
    return [=](const Machine& machine) -> Result<double> {
        Loops loops;
        loops[static_cast<std::size_t>(t1_core)] = CoreLoop{.setup = {}, .body = body};
        const auto cycles = cycles_of_round(machine, loops);
        if (!cycles) return tl::make_unexpected(cycles.error());
        return (*cycles)[static_cast<std::size_t>(t1_core)] / pieces;
    };
}

Words four(Op op, std::array<int, 4> offsets) {
    Words words;
    unsigned to = a0;
    for (const int offset : offsets)
        words.push_back(op == Op::sw ? rv::store(op, a0, offset, base) : rv::i(op, to++, base, offset));
    return repeat(unrolled / 4, words);
}

/// addi with four registers in turn, or always the same; the same of mul.
Words chains(bool multiplies, bool dependent) {
    Words words;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned to = dependent ? a0 : a0 + i;
        words.push_back(multiplies ? rv::r(Op::mul, to, to, divisor) : rv::i(Op::addi, to, to, 1));
    }
    return repeat(unrolled / 4, words);
}

const Words add = {rv::i(Op::addi, a2, a2, 1)}, flip = {rv::i(Op::xori, toggle, toggle, 1)};
const Words not_taken = {rv::branch(Op::bne, a0, a0, 4)}, taken = {rv::branch(Op::beq, a0, a0, 4)};
const Words alternating = {rv::branch(Op::beq, toggle, zero, 4)}, jump = {rv::jal(zero, 4)};

Words both(const Words& first, const Words& second) {
    Words words = first;
    words.insert(words.end(), second.begin(), second.end());
    return words;
}

struct Row {
    const char* row;
    std::string what;
    Words body;
    double wormhole = 0, blackhole = 0;  ///< 0: not measured
    std::string_view fitted_blackhole = {};
    std::vector<RiscvCore> cores = {t1_core};
    std::uint32_t divided = 0x1234'5678;
    double pieces = unrolled;
    std::string_view per = "instruction";
};

void add_instructions(std::vector<Row>& rows) {
    rows.push_back({"R1", "addi, independent", chains(false, false), 0.996, 0.999});
    rows.push_back({"R1", "addi, dependent", chains(false, true), 0.997, 0.999});
    rows.push_back({"R2", "mul, independent", chains(true, false), 1.999, 0.999});
    rows.push_back({"R2", "mul, dependent", chains(true, true), 2.001, 1.985});
    const Words divide = repeat(unrolled, {rv::r(Op::divu, a0, dividend, divisor)});
    rows.push_back({"R3", "divu, dividend of 29 bits", divide, 33.00, 33.00});
    rows.push_back({"R4", "divu, dividend of 12 bits, B", divide, 0, 14.02, {}, {RiscvCore::b}, 0xFFF});
    rows.push_back({"R5", "lw from L1, dependent", repeat(unrolled, {rv::i(Op::lw, a0, a0, 0)}), 7.992, 8.095});
    rows.push_back({"R6", "lw from L1, independent", four(Op::lw, {0, 16, 32, 48}), 1.719, 1.763,
                    "no other row shows the limit of loads in flight"});
    rows.push_back(
        {"R7", "lw from local memory, dependent", repeat(unrolled, {rv::i(Op::lw, a1, a1, 0)}), 1.984, 1.985});
    rows.push_back({"R7", "sw to local memory", repeat(unrolled, {rv::store(Op::sw, a0, 4, local)}), 0.997, 0.999});
    const Words spread = four(Op::sw, {0, 16, 32, 48}), same = four(Op::sw, {0, 4, 0, 4});
    const std::vector<RiscvCore> all = {t1_core, t0_core, RiscvCore::t2}, two = {t1_core, t0_core};
    rows.push_back({"R8", "sw to four lines of L1", spread, 5.166, 5.290});
    rows.push_back({"R8", "sw to four lines of L1, two cores", spread, 5.361, 6.096, {}, two});
    rows.push_back({"R8", "sw to four lines of L1, three cores", spread, 10.93, 9.999, {}, all});
    rows.push_back({"R9", "sw to one line of L1", same, 5.170, 0.9985});
    rows.push_back({"R9", "sw to one line of L1, two cores", same, 9.978, 0.998, {}, two});
    rows.push_back({"R9", "sw to one line of L1, three cores", same, 15.51, 0.998, {}, all});
}

void add_branches(std::vector<Row>& rows) {
    const auto branches = [](const Words& words) { return repeat(unrolled, words); };
    rows.push_back({"R10", "branch, not taken", branches(not_taken), 1.027, 0.9988});
    rows.push_back({"R10", "branch, taken", branches(taken), 3.026, 0.9634});
    rows.push_back({"R10", "jal", branches(jump), 3.026, 0.9524});
    const std::string_view pair = "pair";
    struct Pattern {
        const char* what;
        const Words* branch;
        double wormhole_t0, wormhole_t1, blackhole;
    };
    constexpr Pattern patterns[] = {{"xori and branch, not taken", &not_taken, 2.027, 2.399, 1.993},
                                    {"xori and branch, taken", &taken, 4.020, 4.294, 1.954},
                                    {"xori and branch, alternating", &alternating, 3.020, 3.314, 1.974}};
    const auto row = [&](const Pattern& pattern, const std::string& core, double wormhole, double blackhole,
                         RiscvCore on) {
        const Words body = branches(both(flip, *pattern.branch));
        rows.push_back({"R11", pattern.what + core, body, wormhole, blackhole, {}, {on}, 1, unrolled, pair});
    };
    for (const Pattern& pattern : patterns) row(pattern, ", T0", pattern.wormhole_t0, 0, t0_core);
    for (const Pattern& pattern : patterns) row(pattern, "", pattern.wormhole_t1, pattern.blackhole, t1_core);
}

void add_pushes(Measurements& all) {
    const auto push = [](const Words& instructions) {
        Words words;
        for (const std::uint32_t word : instructions) {
            Code code;
            code.push(word);
            words.push_back(code.words().front());
        }
        return words;
    };
    constexpr std::uint32_t nop = 0x0200'0000;
    const Words one = push({nop}), pad = repeat(16, add);
    const Words fuse2 = both(repeat(2, one), pad), fuse4 = both(repeat(4, one), pad);
    const Words spread4 = both(repeat(4, both(one, add)), repeat(12, add));
    const auto row = [&](const char* name, Arch arch, const std::string& what, const Words& body, unsigned times,
                         double published, std::vector<RiscvCore> cores, std::string_view per) {
        all.push_back({.row = name,
                       .arch = arch,
                       .what = what,
                       .published = published,
                       .per = per,
                       .publication = "tt-sim",
                       .predict = slope(repeat(times, body), times, std::move(cores))});
    };
    const std::vector<RiscvCore> three = {t1_core, t0_core, RiscvCore::t2}, of_t0 = {t0_core, t1_core, RiscvCore::t2};
    for (const Arch arch : {wh, bh}) {
        row("I12", arch, ".ttinsn of NOP, one core", one, unrolled, arch == wh ? 0.997 : 0.9965, {t1_core},
            "instruction");
        row("I12", arch, ".ttinsn of NOP, two cores", one, unrolled, arch == wh ? 0.997 : 0.998, {t1_core, t0_core},
            "instruction");
        row("I12", arch, ".ttinsn of NOP, three cores", one, unrolled, arch == wh ? 0.996 : 0.998, three,
            "instruction");
    }
    struct Group {
        const char* what;
        const Words* body;
        double blackhole, wormhole_t0, wormhole_t1;
    };
    for (const Group& group : {Group{"16 addi", &pad, 15.92, 15.98, 22.54},
                               {"two .ttinsn together, 16 addi", &fuse2, 17.91, 17.98, 25.29},
                               {"four .ttinsn together, 16 addi", &fuse4, 20.13, 19.97, 28.16},
                               {"four .ttinsn apart, 16 addi", &spread4, 19.91, 19.97, 28.35}}) {
        row("I13", bh, group.what, *group.body, 16, group.blackhole, {t1_core}, "group");
        row("I14", wh, group.what, *group.body, 16, group.wormhole_t1, {t1_core}, "group");
        row("I14", wh, fmt::format("{}, T0 of three", group.what), *group.body, 16, group.wormhole_t0, of_t0, "group");
    }
}

void add_fetches(Measurements& all) {
    struct Point {
        unsigned bytes;
        double wormhole_t1, wormhole_t0, blackhole;
    };
    constexpr std::string_view wormhole_t0 = "no other row shows the rate of fetches of T0 and T2";
    constexpr std::string_view blackhole = "no other row shows the size of this cache and the rate of its fetches";
    for (const Point& point : {Point{256, 0.996, 0.998, 0.998},
                               {512, 1.010, 0.998, 0.998},
                               {1024, 1.422, 0.998, 0.998},
                               {2048, 1.405, 1.002, 0.998},
                               {4096, 1.405, 1.153, 1.000},
                               {4608, 1.401, 0, 1.092},
                               {5120, 1.402, 0, 1.153},
                               {5632, 1.401, 0, 1.213},
                               {6144, 1.399, 0, 1.252},
                               {7168, 1.401, 0, 1.252},
                               {8192, 1.400, 1.152, 1.251}}) {
        const auto row = [&](Arch arch, RiscvCore core, double published, std::string_view fitted) {
            if (published == 0) return;
            const unsigned words = point.bytes / 4;
            all.push_back(
                {.row = "R12",
                 .arch = arch,
                 .what = fmt::format("a loop of {} bytes of addi{}", point.bytes, core == t0_core ? ", T0" : ""),
                 .published = published,
                 .per = "instruction",
                 .publication = "tt-sim",
                 .predict = slope(repeat(words, add), words, {core}),
                 .fitted = fitted});
        };
        row(wh, t1_core, point.wormhole_t1, {});
        row(wh, t0_core, point.wormhole_t0, wormhole_t0);
        row(bh, t1_core, point.blackhole, blackhole);
    }
}

/// T1's cycles between two readings of the clock, with so many rounds of so many ADDDMAREG; `syncs`: until the coprocessor has done them,
/// by what the compiler makes of tt-metal's tensix_sync().
Result<double> cycles_of_burst(const Machine& machine, unsigned rounds, unsigned length, bool syncs) {
    constexpr auto t1 = static_cast<std::size_t>(t1_core);
    auto loops =
        loops_of(machine.arch, fmt::format(".thread math\n.repeat {} * BODY\nADDDMAREG OpBisConst=1 ResultRegIndex=60 "
                                           "OpBRegIndex=1 OpARegIndex=60\n.end\n",
                                           length));
    if (!loops) return tl::make_unexpected(loops.error());
    CoreLoop& loop = *(*loops)[t1];
    loop.gathers = machine.arch == wh;
    if (syncs) {
        constexpr unsigned pc_buf = s0;
        Code before, after;
        before.load_immediate(local, local_memory);
        before.load_immediate(pc_buf, 0xFFE8'0000);
        after.store(zero, local, 0);
        after.load(t2, local, 0);
        after.store(t2, pc_buf, 4);
        after.load(t2, pc_buf, 4);
        after.store(t2, local, 0);
        loop.setup = both(loop.setup, before.words());
        loop.body = both(loop.body, after.words());
    }
    const auto cycles = cycles_of(machine, *loops, rounds);
    if (!cycles) return tl::make_unexpected(cycles.error());
    return (*cycles)[t1];
}

Predict pushed(unsigned n) {
    return [n](const Machine& machine) { return cycles_of_burst(machine, n / 16, 16, false); };
}

/// Straight code: the loop has nothing behind its last round but the clock.
Predict done(unsigned n) {
    return [n](const Machine& machine) { return cycles_of_burst(machine, 1, n, true); };
}

Predict less(Predict first, Predict second) {
    return [=](const Machine& machine) -> Result<double> {
        const auto minuend = first(machine), subtrahend = second(machine);
        if (!minuend || !subtrahend) return minuend ? subtrahend : minuend;
        return *minuend - *subtrahend;
    };
}

void add_bursts(Measurements& all) {
    const auto row = [&](const char* name, Arch arch, std::string what, double published, Predict predict) {
        all.push_back({.row = name,
                       .arch = arch,
                       .what = std::move(what),
                       .published = published,
                       .per = "burst",
                       .publication = "tt-sim",
                       .predict = std::move(predict)});
    };
    struct Point {
        unsigned n;
        double pushed, done;
    };
    const auto curve = [&](const char* name, Arch arch, const std::vector<Point>& points) {
        for (const Point& point : points) {
            row(name, arch, fmt::format("{} ADDDMAREG, pushed", point.n), point.pushed, pushed(point.n));
            row(name, arch, fmt::format("{} ADDDMAREG, done", point.n), point.done, done(point.n));
        }
    };
    curve("I17", wh, {{64, 117, 206}, {128, 309, 398}, {256, 693, 782}, {512, 1461, 1550}, {1024, 2997, 3086}});
    curve("I16", bh, {{64, 107, 207}, {256, 683, 783}, {1024, 2987, 3087}});
    const char* const left = "512 ADDDMAREG, from the last push until they are done";
    row("I15", wh, left, 89, less(done(512), pushed(512)));
    row("I16", bh, left, 100, less(done(512), pushed(512)));
    row("I18", wh, "one ADDDMAREG, done", 19, done(1));
    row("I18", wh, "two ADDDMAREG, done", 18, done(2));
}

}  // namespace

void add_cores(Measurements& all) {
    std::vector<Row> rows;
    add_instructions(rows);
    add_branches(rows);
    for (const Arch arch : {wh, bh})
        all.push_back({.row = "R13",
                       .arch = arch,
                       .what = "a loop of 16 addi, with its own instructions",
                       .published = 1.122,
                       .per = "instruction",
                       .publication = "tt-sim",
                       .predict = round(repeat(16, add), 16)});
    for (const Row& row : rows)
        for (const Arch arch : {wh, bh}) {
            const double published = arch == wh ? row.wormhole : row.blackhole;
            if (published == 0) continue;
            all.push_back({.row = row.row,
                           .arch = arch,
                           .what = row.what,
                           .published = published,
                           .per = row.per,
                           .publication = "tt-sim",
                           .predict = slope(row.body, row.pieces, row.cores, row.divided),
                           .fitted = arch == bh ? row.fitted_blackhole : std::string_view{}});
        }
    add_fetches(all);
    add_pushes(all);
    add_bursts(all);
}

}  // namespace tessera::bench::silicon
