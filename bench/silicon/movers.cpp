// SPDX-License-Identifier: Apache-2.0
// Unpackers and packers alone (the kernel library's UNPACK_ISOLATE and PACK_ISOLATE): T1 gives banks back without work.
#include "silicon/measurement.hpp"
#include "silicon/tile_loops.hpp"

namespace tessera::bench::silicon {

namespace {

constexpr auto unpacking = static_cast<unsigned>(RiscvCore::t1);  // it takes the banks

/// Two tiles a round on T0; T1 gives back as many banks as T0 hands over.
TileLoop unpack(const char* program, const char* taken, unsigned datums, unsigned banks, std::string symbols = {}) {
    TileLoop loop{.programs = {"unpackers", program, taken},
                  .symbols = ".equ DATUMS, " + std::to_string(datums) + "\n" + std::move(symbols),
                  .measured = RiscvCore::t0,
                  .tiles = 2};
    loop.times[unpacking] = banks;
    return loop;
}

/// T0's core has so many instructions a pair of tiles (counted in the kernel library's call, compiled by GCC 12 -O3), of which the program
/// has 15.
TileLoop with_core(TileLoop loop, unsigned instructions) {
    loop.own[static_cast<unsigned>(RiscvCore::t0)] = loop.tiles * (instructions - 15) - 2;
    return loop;
}

/// WAITS = 1: UNPACR_NOP waits for the bank that it clears, as kernels have it since 2026.
TileLoop tilize(const char* program, unsigned datums, unsigned banks, unsigned columns, unsigned tiles,
                unsigned waits) {
    TileLoop loop =
        unpack(program, "faces_taken", datums, banks,
               ".equ COLUMNS, " + std::to_string(columns) + "\n.equ WAITS, " + std::to_string(waits) + "\n");
    loop.tiles = tiles;
    loop.gathers = waits;
    return loop;
}

TileLoop untilize(const char* program) {
    TileLoop loop = unpack(program, "faces_taken", 256, 2 * 16);
    loop.tiles = 8;
    return loop;
}

/// A call is for eight tiles.
TileLoop tilize_with_b(unsigned rows) {
    TileLoop loop = unpack("tilize_with_b", "faces_taken", 256, 2, ".equ ROWS, " + std::to_string(rows) + "\n");
    loop.tiles = 1;
    return loop;
}

TileLoop into_dst() {
    TileLoop loop = unpack("unpack_to_dst", "none", 256, 2);
    loop.programs.pop_back();
    return loop;
}

TileLoop pack(unsigned tiles, bool accumulate) {
    return {.programs = {"pack_blackhole"},
            .symbols =
                ".equ TILES, " + std::to_string(tiles) + "\n.equ ACCUMULATE, " + std::to_string(int{accumulate}) + "\n",
            .measured = RiscvCore::t2,
            .tiles = tiles,
            .gathers = true};
}

TileLoop pack_untilized(const char* program) {
    return {.programs = {program}, .symbols = {}, .measured = RiscvCore::t2, .tiles = 8};
}

}  // namespace

void add_unpackers(Measurements& all) {
    const auto add = [&](const char* row, Arch arch, const char* what, double published, std::optional<double> other,
                         std::string_view per, std::string_view publication, char trust, const TileLoop& loop) {
        all.push_back({.row = row,
                       .arch = arch,
                       .what = what,
                       .published = published,
                       .other = other,
                       .per = per,
                       .publication = publication,
                       .trust = trust,
                       .predict = cycles_of_tile(loop)});
    };
    constexpr Arch blackhole = Arch::blackhole, wormhole = Arch::wormhole;
    constexpr std::string_view pair_of_tiles = "pair of tiles", tile = "tile", fpu = "tt-llk FPU";
    add("U1", blackhole, "SrcA and SrcB by faces, BF16", 37.91, {}, pair_of_tiles, fpu, 'A',
        with_core(unpack("unpack_faces", "faces_taken", 256, 8), 26));
    add("U2", blackhole, "SrcB and SrcA by tiles, BF16", 33.25, {}, pair_of_tiles, fpu, 'A',
        with_core(unpack("unpack_tiles", "tiles_taken", 1024, 2), 30));
    const auto reduced = [](unsigned clears) {
        return unpack("unpack_reduce", "faces_taken", 256, 8, ".equ CLEARS, " + std::to_string(clears) + "\n");
    };
    add("U3", blackhole, "a tile by faces and scalers, for columns", 37.28, {}, tile, fpu, 'A', reduced(0));
    add("U3", blackhole, "the same, each face cleared before", 48.09, {}, tile, fpu, 'A', reduced(1));
    add("U4", blackhole, "a tile of FP32 to Dst, with a handshake", 126.0, {}, tile, "tt-llk ceiling", 'B', into_dst());
    add("U5", blackhole, "a tile out of rows of two, FP16", 41, 42, tile, "tt-metal 51898", 'B',
        tilize("tilize_blackhole", 1024, 2, 2, 2, 1));
    add("U6", blackhole, "a tile out of rows of eight, BF16", 25, {}, tile, "tt-llk 130", 'C',
        tilize("tilize_blackhole", 1024, 2, 8, 2, 0));
    add("U7", wormhole, "a tile out of rows of eight, BF16", 52, {}, tile, "tt-llk 130", 'C',
        tilize("tilize_wormhole", 256, 4, 8, 1, 0));
    add("U8", blackhole, "a tile by faces, BF16", 28, {}, tile, "tt-llk 131", 'C',
        unpack("unpack_a_blackhole", "faces_taken", 256, 8, ".equ WAITS, 0\n"));
    add("U8", wormhole, "a tile by faces, BF16", 38, {}, tile, "tt-llk 131", 'C',
        unpack("unpack_a_wormhole", "faces_taken", 256, 8));
    add("U9", blackhole, "a tile of eight into rows, BF16", 512, {}, tile, "tt-llk 131", 'C',
        untilize("untilize_blackhole"));
    add("U9", wormhole, "a tile of eight into rows, BF16", 393, {}, tile, "tt-llk 131", 'C',
        untilize("untilize_wormhole"));
    add("U14", blackhole, "4 rows of two faces out of rows of eight, and SrcB", 430 * 1.35 / 8, {}, tile,
        "tt-metal 27922", 'C', tilize_with_b(4));
    add("U14", blackhole, "16 rows of two faces out of rows of eight, and SrcB", 1335 * 1.35 / 8, {}, tile,
        "tt-metal 27922", 'C', tilize_with_b(16));
}

void add_packers(Measurements& all) {
    const auto add = [&](const char* row, Arch arch, const char* what, double published, std::optional<double> other,
                         std::string_view publication, char trust, const TileLoop& loop) {
        all.push_back({.row = row,
                       .arch = arch,
                       .what = what,
                       .published = published,
                       .other = other,
                       .per = "tile",
                       .publication = publication,
                       .trust = trust,
                       .predict = cycles_of_tile(loop)});
    };
    constexpr Arch blackhole = Arch::blackhole, wormhole = Arch::wormhole;
    const TileLoop by_all_packers{.programs = {"pack_wormhole"}, .symbols = {}, .measured = RiscvCore::t2};
    add("P1", blackhole, "BF16, four tiles a call", 16.0 + 9.13 / 4, {}, "tt-metal 51901", 'A', pack(4, false));
    add("P1", blackhole, "BF16, a tile a call", 16.0 + 9.13, {}, "tt-metal 51901", 'A', pack(1, false));
    add("P2", blackhole, "BF16 added to L1, four tiles a call", 16.0 + 9.13 / 4, 24.03, "tt-metal 51901", 'A',
        pack(4, true));
    add("P3", blackhole, "BF16, a tile a call, behind T0 that untilizes", 25, {}, "tt-llk 131", 'C', pack(1, false));
    add("P3", blackhole, "BF16, eight tiles into rows", 82, {}, "tt-llk 131", 'C',
        pack_untilized("pack_untilize_blackhole"));
    add("P4", wormhole, "BF16, a tile a call, behind T0 that tilizes", 45, {}, "tt-llk 130", 'C', by_all_packers);
    add("P4", wormhole, "BF16, a tile a call, behind T0 that untilizes", 47, {}, "tt-llk 131", 'C', by_all_packers);
    add("P4", wormhole, "BF16, eight tiles into rows", 57, {}, "tt-llk 131", 'C',
        pack_untilized("pack_untilize_wormhole"));
    add("P5", wormhole, "BF16, a tile a call, all packers", 36.5, {}, "tt-llk perf", 'A', by_all_packers);
}

}  // namespace tessera::bench::silicon
