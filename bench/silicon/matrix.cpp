// SPDX-License-Identifier: Apache-2.0
// The matrix unit alone: T0 hands over banks without unpacking (the kernel library's MATH_ISOLATE). Its loop of four instructions
// takes four cycles a face, which bounds what the matrix unit does faster.
#include "silicon/measurement.hpp"
#include "silicon/tile_loops.hpp"

namespace tessera::bench::silicon {

namespace {

constexpr unsigned t0 = static_cast<unsigned>(RiscvCore::t0);

TileLoop faces(const char* program, const std::string& symbols = {}) {
    TileLoop loop{.programs = {"faces_handed_over", program}, .symbols = symbols};
    loop.times[t0] = 4;
    return loop;
}

TileLoop product(unsigned phases) {
    return {.programs = {"tiles_handed_over", "matmul"}, .symbols = ".equ PHASES, " + std::to_string(phases) + "\n"};
}

TileLoop columns(bool maximum, unsigned phases) {
    return faces("reduce_columns",
                 ".equ PHASES, " + std::to_string(phases) + "\n.equ MAXIMUM, " + std::to_string(int{maximum}) + "\n");
}

TileLoop whole_tile(bool maximum, unsigned phases) {
    TileLoop loop = columns(maximum, phases);
    loop.programs.back() = "reduce_scalar";
    return loop;
}

TileLoop rows(bool configures) {
    return faces("reduce_rows", ".equ CONFIGURES, " + std::to_string(int{configures}) + "\n");
}

}  // namespace

void add_matrix(Measurements& all) {
    const auto add = [&](const char* row, const char* what, double published, const TileLoop& loop) {
        all.push_back({.row = row,
                       .arch = Arch::blackhole,
                       .what = what,
                       .published = published,
                       .per = "tile",
                       .publication = "tt-llk FPU",
                       .predict = cycles_of_tile(loop)});
    };
    const auto phases = [](unsigned count) { return ".equ PHASES, " + std::to_string(count) + "\n"; };
    add("M1", "product of two tiles, LoFi", 19.20, product(1));
    add("M2", "product of two tiles, HiFi4", 68.33, product(4));
    add("M3", "sum of two tiles", 16.62, faces("eltwise"));
    add("M5", "product element by element, HiFi4", 82.52, faces("eltwise_mul", phases(4)));
    add("M6", "maximum of columns", 16.07, columns(true, 1));
    add("M7", "sum of columns, LoFi", 16.10, columns(false, 1));
    add("M7", "sum of columns, HiFi4", 83.07, columns(false, 4));
    add("M8", "sum of rows, LoFi", 12.08, faces("reduce_rows_sum", phases(1)));
    add("M8", "sum of rows, HiFi4", 49.07, faces("reduce_rows_sum", phases(4)));
    add("M9", "maximum of rows", 58.06, rows(false));
    add("M9", "maximum of rows, configuration changed four times", 97.94, rows(true));
    add("M10", "maximum of a tile", 41.07, whole_tile(true, 1));
    add("M10", "sum of a tile, LoFi", 41.10, whole_tile(false, 1));
    add("M10", "sum of a tile, HiFi4", 130.07, whole_tile(false, 4));
    all.push_back({.row = "M4",
                   .arch = Arch::blackhole,
                   .what = "product element by element, HiFi2",
                   .published = 34.6,
                   .per = "tile",
                   .publication = "tt-metal 58723",
                   .trust = 'B',
                   .predict = cycles_of_tile(faces("eltwise_mul", phases(2)))});
}

}  // namespace tessera::bench::silicon
