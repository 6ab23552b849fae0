// SPDX-License-Identifier: Apache-2.0
// Kernels of the vector unit, a tile of 32 vectors at a time (the kernel library's MATH_ISOLATE: T0 hands over banks without unpacking,
// T1 copies them to Dst, and the vector unit works on them).
#include <fmt/format.h>

#include <algorithm>

#include "silicon/measurement.hpp"
#include "silicon/tile_loops.hpp"

namespace tessera::bench::silicon {

namespace {

constexpr unsigned vectors_of_tile = 32;
constexpr bool copied = true, in_dst = false;

/// How T1 comes by a vector's instructions.
struct Issue {
    unsigned unrolled = 1;  ///< vectors in a round of its loop
    bool replayed = false;  ///< the first of them is recorded, the others are played back
};
constexpr Issue looped, replayed{8, true}, two_at_a_time{2}, four_at_a_time{4};

/// A kernel's program around the instructions of a vector.
TileLoop kernel(Arch arch, bool copies, const std::string& code, unsigned rounds = 1) {
    const std::string chip(name(arch));
    TileLoop loop{.programs = {}, .symbols = {}, .text = code, .inner = rounds, .gathers = true};
    if (copies) {
        loop.programs = {"faces_handed_over", "tile_copied"};
        loop.times[static_cast<unsigned>(RiscvCore::t0)] = 4;
    }
    loop.programs.push_back("vector_begins_" + chip);
    loop.last = {"vector_ends_" + chip};
    return loop;
}

std::string in_a_loop(const std::string& vector, const Issue& issue) {
    const auto length = std::count(vector.begin(), vector.end(), '\n');
    std::string code = ".thread math\n.repeat LOOP\n";
    if (issue.replayed) {
        code += fmt::format("REPLAY len={} load_mode=1 execute_while_loading=1\n{}", length, vector);
        code += fmt::format(".repeat {}\nREPLAY len={}\n.end\n", issue.unrolled - 1, length);
    } else {
        code += fmt::format(".repeat {}\n{}.end\n", issue.unrolled, vector);
    }
    return code + ".end\n";
}

TileLoop each(Arch arch, bool copies, const std::string& vector, const Issue& issue) {
    return kernel(arch, copies, in_a_loop(vector, issue), vectors_of_tile / issue.unrolled);
}

/// A kernel in programs/, with its own loop.
TileLoop program(bool copies, const char* file, unsigned rounds = 1) {
    TileLoop loop = kernel(Arch::blackhole, copies, {}, rounds);
    loop.gathers = copies;  // without the copy it was tt-metal's
    loop.programs.emplace_back(file);
    return loop;
}

const std::string next = "INCRWC rwc_d=2\n";

std::string load(unsigned lreg, unsigned addr_mod, const char* mode = "srcb") {
    return fmt::format("SFPLOAD lreg_ind={} sfpu_addr_mode={} instr_mod0={}\n", lreg, addr_mod, mode);
}
std::string store(unsigned lreg, unsigned addr_mod, const char* mode = "srcb") {
    return fmt::format("SFPSTORE lreg_ind={} sfpu_addr_mode={} instr_mod0={}\n{}", lreg, addr_mod, mode, next);
}

/// The largest integer towards 0, in LReg 1: masks the bits of the fraction of LReg 0.
const std::string truncated =
    "SFPLOADI lreg_ind=3 instr_mod0=short imm16=23\nSFPLOADI lreg_ind=1 imm16=0x8000\n"
    "SFPEXEXP lreg_c=0 lreg_dest=2 instr_mod1=10\nSFPLOADI lreg_ind=1 instr_mod0=short imm16=0xFFFF\n"
    "SFPIADD lreg_c=3 lreg_dest=2 instr_mod1=10\nSFPSHFT2 imm12_math=1 lreg_src_c=2 lreg_dest=1 instr_mod1=shft_lreg\n"
    "SFPENCC\nSFPAND lreg_c=0 lreg_dest=1\n";
const std::string one_less = "SFPMAD lreg_src_a=10 lreg_src_b=1 lreg_src_c=11 lreg_dest=1\nSFPENCC\n";

/// Vectors by LReg 3 and a table, with addresses in the instructions: each result in place, or the next vector's load in between.
std::string from_table(bool rotated) {
    std::string code = ".thread math\n.equ VECTOR, 0\n.repeat LOOP\n";
    const std::string loads = "SFPLOAD lreg_ind=3 sfpu_addr_mode=7 dest_reg_addr=2*VECTOR\n";
    if (!rotated)
        return code + fmt::format(
                          ".repeat {}\n{}SFPLUTFP32 lreg_dest=3 instr_mod1=6\n"
                          "SFPSTORE lreg_ind=3 sfpu_addr_mode=7 dest_reg_addr=2*VECTOR\n"
                          ".equ VECTOR, VECTOR+1\n.end\n.end\n",
                          vectors_of_tile, loads);
    return code + fmt::format(
                      "{0}.equ VECTOR, 1\n.repeat {1}\nSFPLUTFP32 lreg_dest=7 instr_mod1=6\n{0}"
                      "SFPSTORE lreg_ind=7 sfpu_addr_mode=7 dest_reg_addr=2*VECTOR-2\n"
                      ".equ VECTOR, VECTOR+1\n.end\nSFPLUTFP32 lreg_dest=7 instr_mod1=6\n"
                      "SFPSTORE lreg_ind=7 sfpu_addr_mode=7 dest_reg_addr=2*VECTOR-2\n.end\n",
                      loads, vectors_of_tile - 1);
}

struct VectorRow {
    const char* row;
    Arch arch;
    const char* what;
    double published;
    const char* publication;
    char trust;
    TileLoop loop;
};

constexpr double runs = 128;  ///< tiles in totals: 8 tiles, 16 times

std::vector<VectorRow> rows_of_blackhole() {
    constexpr Arch bh = Arch::blackhole;
    const std::string bitwise_not = load(0, 7, "int32") + "SFPNOT lreg_c=0 lreg_dest=0\n" + store(0, 7, "int32");
    const std::string absolute = load(0, 7, "int32") + "SFPABS lreg_c=0 lreg_dest=0\n" + store(0, 7, "int32");
    const std::string difference = load(0, 7, "int32") + load(1, 7, "int32") +
                                   "SFPIADD lreg_c=0 lreg_dest=1 instr_mod1=6\n" + store(1, 7, "int32");
    const std::string table = load(3, 7) + "SFPLUT lreg_ind=3 instr_mod0=sgn_retain\n";
    const std::string half = "SFPADDI imm16_math=0x3F00 lreg_dest=3\n";
    const std::string square = load(0, 7) + "SFPMUL lreg_src_a=0 lreg_src_b=0 lreg_src_c=9 lreg_dest=0\n" + store(0, 7);
    const std::string gelu =
        load(3, 7) +
        "SFPLUTFP32 lreg_dest=7 instr_mod1=2\nSFPMAD lreg_src_a=3 lreg_src_b=12 lreg_src_c=7 lreg_dest=7\n" +
        store(7, 7);
    const std::string clamp = load(0, 7) +
                              "SFPMOV lreg_c=2 lreg_dest=1\nSFPSWAP lreg_src_c=1 lreg_dest=0 instr_mod1=1\n"
                              "SFPSWAP lreg_src_c=9 lreg_dest=0 instr_mod1=9\n" +
                              store(0, 7);
    const std::string floor =
        load(0, 7) + truncated + "SFPGT lreg_c=0 lreg_dest=1 instr_mod1=1\n" + one_less + store(1, 7);
    return {
        {"S1", bh, "tile copied, loaded and stored", 124.06, "tt-metal 54317", 'A',
         each(bh, copied, load(0, 7) + store(0, 7), looped)},
        {"S2", bh, "approximate exp by SFPLOADMACRO and SFPSHFT2, replayed", 93.59, "tt-metal 54317", 'A',
         program(copied, "exp_replayed")},
        {"S3", bh, "the same, without the copy", 77.15, "tt-metal 57292", 'B', program(in_dst, "exp_replayed")},
        {"S4", bh, "approximate tanh by SFPLUT", 159.98, "tt-metal 54317", 'B',
         each(bh, copied, table + store(3, 7), replayed)},
        {"S4", bh, "approximate tanh by SFPLUTFP32, in place", 156.94, "tt-metal 54317", 'A',
         kernel(bh, copied, from_table(false))},
        {"S4", bh, "approximate tanh by SFPLUTFP32, the next load in between", 125.95, "tt-metal 54317", 'A',
         kernel(bh, copied, from_table(true))},
        {"S5", bh, "square, with the kernel's begin", 20398 / runs, "tt-llk SFPU", 'B',
         each(bh, copied, square, replayed)},
        {"S6", bh, "approximate sigmoid by SFPLUT", 221.20, "tt-metal 49926", 'B',
         each(bh, copied, table + half + store(3, 7), replayed)},
        {"S7", bh, "approximate gelu by SFPLUTFP32", 220.89, "tt-metal 49926", 'B', each(bh, copied, gelu, replayed)},
        {"S9", bh, "floor", 476.23, "tt-metal 49926", 'A', each(bh, copied, floor, looped)},
        {"S10", bh, "absolute value of INT32", 135.43, "tt-metal 49820", 'B', each(bh, in_dst, absolute, looped)},
        {"S10", bh, "bitwise not", 135.43, "tt-metal 49820", 'B', each(bh, in_dst, bitwise_not, looped)},
        {"S10", bh, "constant stored", 117.78, "tt-metal 49820", 'B', each(bh, in_dst, store(0, 7, "int32"), looped)},
        {"S11", bh, "difference of INT32", 178.47, "tt-metal 49820", 'B', each(bh, in_dst, difference, replayed)},
        {"S13", bh, "clamp by two SFPSWAPs, with the kernel's begin", 32815 / runs, "tt-llk SFPU", 'B',
         each(bh, copied, clamp, looped)},
        {"S14", bh, "reciprocal of BF16", 287.64, "tt-metal 45660", 'B', program(copied, "reciprocal", 4)},
    };
}

std::vector<VectorRow> rows_of_wormhole() {
    constexpr Arch wh = Arch::wormhole;
    const std::string table = load(3, 3) + "SFPLUT lreg_ind=3 instr_mod0=sgn_retain\nSFPNOP\n";
    const std::string half = "SFPADDI imm16_math=0x3F00 lreg_dest=3\nSFPNOP\n";
    const std::string gelu = load(3, 3) +
                             "SFPLUTFP32 lreg_dest=7 instr_mod1=2\nSFPNOP\nSFPMAD lreg_src_a=3 lreg_src_b=12 "
                             "lreg_src_c=7 lreg_dest=7\nSFPNOP\n" +
                             store(7, 3);
    const std::string clamp = load(0, 3) +
                              "SFPMOV lreg_c=2 lreg_dest=1\nSFPSWAP lreg_src_c=1 lreg_dest=0 instr_mod1=1\n"
                              "SFPSWAP lreg_src_c=9 lreg_dest=0 instr_mod1=1\n" +
                              store(0, 3);
    const std::string trunc = load(0, 3) + truncated + store(1, 3);
    const std::string floor = load(0, 3) + truncated +
                              "SFPSETCC lreg_c=0\nSFPIADD lreg_c=1 lreg_dest=0 instr_mod1=2\n" + one_less + store(1, 3);
    const std::string frac =
        load(0, 3) + truncated + "SFPMAD lreg_src_a=1 lreg_src_b=11 lreg_src_c=0 lreg_dest=1\nSFPNOP\n" + store(1, 3);
    return {
        {"S15", wh, "approximate gelu by SFPLUTFP32", 32756 / runs, "tt-metal 54602", 'B',
         each(wh, copied, gelu, replayed)},
        {"S16", wh, "approximate sigmoid by SFPLUT", 32777 / runs, "tt-metal 54602", 'B',
         each(wh, copied, table + half + store(3, 3), replayed)},
        {"S17", wh, "approximate tanh by SFPLUT", 24597 / runs, "tt-metal 54602", 'B',
         each(wh, copied, table + store(3, 3), replayed)},
        {"S18", wh, "clamp by two SFPSWAPs, with the kernel's begin", 38205 / runs, "tt-llk SFPU", 'B',
         each(wh, copied, clamp, looped)},
        {"S20", wh, "floor, in a loop", 567.8, "tt-metal 48925", 'A', each(wh, copied, floor, looped)},
        {"S20", wh, "floor, four vectors a round of the loop", 520.1, "tt-metal 48925", 'A',
         each(wh, copied, floor, four_at_a_time)},
        {"S20", wh, "trunc, in a loop", 439.8, "tt-metal 48925", 'A', each(wh, copied, trunc, looped)},
        {"S20", wh, "trunc, two vectors a round of the loop", 407.9, "tt-metal 48925", 'A',
         each(wh, copied, trunc, two_at_a_time)},
        {"S20", wh, "frac, in a loop", 503.8, "tt-metal 48925", 'B', each(wh, copied, frac, looped)},
    };
}

}  // namespace

void add_vector(Measurements& all) {
    for (const auto& rows : {rows_of_blackhole(), rows_of_wormhole()})
        for (const VectorRow& row : rows)
            all.push_back({.row = row.row,
                           .arch = row.arch,
                           .what = row.what,
                           .published = row.published,
                           .per = "tile",
                           .publication = row.publication,
                           .trust = row.trust,
                           .predict = cycles_of_tile(row.loop)});
}

}  // namespace tessera::bench::silicon
