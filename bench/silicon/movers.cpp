// SPDX-License-Identifier: Apache-2.0
// Unpackers and packers alone (the kernel library's UNPACK_ISOLATE and PACK_ISOLATE): T1 gives banks back without work.
#include "silicon/measurement.hpp"
#include "silicon/tile_loops.hpp"

namespace tessera::bench::silicon {

namespace {

constexpr unsigned t1 = static_cast<unsigned>(RiscvCore::t1);
constexpr unsigned tiles_a_round = 2;

TileLoop unpack(const char* program, const char* taken, unsigned datums, unsigned times) {
    TileLoop loop{.programs = {"unpackers", program, taken},
                  .symbols = ".equ DATUMS, " + std::to_string(datums) + "\n",
                  .measured = RiscvCore::t0,
                  .tiles = tiles_a_round};
    loop.times[t1] = times;
    return loop;
}

TileLoop pack(unsigned tiles, bool accumulate) {
    return {.programs = {"pack_blackhole"},
            .symbols =
                ".equ TILES, " + std::to_string(tiles) + "\n.equ ACCUMULATE, " + std::to_string(int{accumulate}) + "\n",
            .measured = RiscvCore::t2,
            .tiles = tiles};
}

}  // namespace

void add_unpackers(Measurements& all) {
    const auto add = [&](const char* row, const char* what, double published, const TileLoop& loop) {
        all.push_back({.row = row,
                       .arch = Arch::blackhole,
                       .what = what,
                       .published = published,
                       .per = "pair of tiles",
                       .publication = "tt-llk FPU",
                       .predict = cycles_of_tile(loop)});
    };
    add("U1", "SrcA and SrcB by faces, BF16", 37.91, unpack("unpack_faces", "faces_taken", 256, 4 * tiles_a_round));
    add("U2", "SrcB and SrcA by tiles, BF16", 33.25, unpack("unpack_tiles", "tiles_taken", 1024, tiles_a_round));
}

void add_packers(Measurements& all) {
    const auto add = [&](const char* row, const char* what, double published, std::optional<double> other,
                         const TileLoop& loop) {
        all.push_back({.row = row,
                       .arch = Arch::blackhole,
                       .what = what,
                       .published = published,
                       .other = other,
                       .per = "tile",
                       .publication = "tt-metal 51901",
                       .predict = cycles_of_tile(loop)});
    };
    add("P1", "BF16, four tiles a call", 16.0 + 9.13 / 4, {}, pack(4, false));
    add("P1", "BF16, a tile a call", 16.0 + 9.13, {}, pack(1, false));
    all.push_back(
        {.row = "P5",
         .arch = Arch::wormhole,
         .what = "BF16, a tile a call, all packers",
         .published = 36.5,
         .per = "tile",
         .publication = "tt-llk perf",
         .predict = cycles_of_tile({.programs = {"pack_wormhole"}, .symbols = {}, .measured = RiscvCore::t2})});
    add("P2", "BF16 added to L1, four tiles a call", 16.0 + 9.13 / 4, 24.03, pack(4, true));
}

}  // namespace tessera::bench::silicon
