// SPDX-License-Identifier: Apache-2.0
// The matrix unit alone: T0 hands over banks without unpacking (the kernel library's MATH_ISOLATE). Its loop of four instructions
// takes four cycles a face, which bounds what the matrix unit does faster.
#include <fmt/format.h>

#include "silicon/measurement.hpp"
#include "silicon/tile_loops.hpp"

namespace tessera::bench::silicon {

namespace {

constexpr unsigned t0 = static_cast<unsigned>(RiscvCore::t0), math = static_cast<unsigned>(RiscvCore::t1),
                   packs = static_cast<unsigned>(RiscvCore::t2);

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

std::string in_phases(unsigned count) { return ".equ PHASES, " + std::to_string(count) + "\n"; }

/// matmul_tiles: T0 unpacks two tiles of each operand a round. Its core has 35 instructions a tile (counted in llk_unpack_AB_matmul,
/// compiled by GCC 12 -O3), of which the programs have 15.
TileLoop matmul_tiles(Arch arch, unsigned phases, bool in_step, RiscvCore measured = RiscvCore::t1) {
    TileLoop loop{.programs = {"unpackers", "unpack_tiles", "matmul"},
                  .symbols = ".equ DATUMS, 1024\n" + in_phases(phases),
                  .measured = measured,
                  .tiles = 2};
    if (arch == Arch::wormhole) {
        loop.programs = {"unpackers", "unpack_tiles_wormhole", "matmul_wormhole"};
        loop.symbols += ".equ FACES, 4\n.equ ROWS, 32\n";
    }
    if (!in_step) loop.programs.push_back("banks_out_of_step");
    loop.times[math] = 2;
    loop.own[t0] = 2 * (35 - 15) - 2;
    return loop;
}

/// perf_math_matmul: from L1 to L1, products of a tile of 16 rows and so many others, while the whole of Dst or a half changes hands. For
/// perf_matmul `whole` overrides symbols: the tile has 32 rows.
TileLoop from_l1_to_l1(unsigned phases, unsigned columns, unsigned halves, unsigned format, const char* whole = "") {
    TileLoop loop{.programs = {"unpackers", "unpack_tiles_wormhole", "matmul_wormhole", "pack_wormhole"},
                  .symbols = in_phases(phases) +
                             fmt::format(".equ DATUMS, 1024\n.equ FACES, 2\n.equ ROWS, 16\n.equ SECTION, 1\n"
                                         ".equ PACKERS, 3\n.equ COLUMNS, {}\n.equ HALVES, {}\n.equ FORMAT, {}\n.equ PACKED, {}\n",
                                         columns, halves, format, format) +
                             whole,
                  .measured = RiscvCore::t2,
                  .tiles = 2 * columns};
    loop.times[math] = loop.times[packs] = 2;
    loop.own[t0] = 2 * (35 - 15) - 2;
    return loop;
}

void add_matmul_tiles(Measurements& all) {
    const auto add = [&](const char* row, Arch arch, const char* what, double published, const TileLoop& loop) {
        all.push_back(
            {.row = row,
             .arch = arch,
             .what = what,
             .published = published,
             .per = "tile",
             .publication = "tt-sim",
             .predict = cycles_of_tile(loop),
             .fitted = arch == Arch::blackhole ? "that unpackers do not slow each other shows in no other row" : ""});
    };
    using enum Arch;
    add("M12", blackhole, "matmul_tiles, LoFi, banks out of step", 35.20, matmul_tiles(blackhole, 1, false));
    add("M12", blackhole, "matmul_tiles, HiFi2, banks out of step", 52.55, matmul_tiles(blackhole, 2, false));
    add("M12", blackhole, "matmul_tiles, HiFi4, banks out of step", 86.13, matmul_tiles(blackhole, 4, false));
    add("M12", blackhole, "matmul_tiles, LoFi", 35.08, matmul_tiles(blackhole, 1, true));
    add("M12", blackhole, "matmul_tiles, HiFi2", 35.31, matmul_tiles(blackhole, 2, true));
    add("M12", blackhole, "matmul_tiles, HiFi4", 68.88, matmul_tiles(blackhole, 4, true));
    add("M13", wormhole, "matmul_tiles, LoFi, banks out of step", 79.13, matmul_tiles(wormhole, 1, false));
    add("M13", wormhole, "matmul_tiles, HiFi2, banks out of step", 96.46, matmul_tiles(wormhole, 2, false));
    add("M13", wormhole, "matmul_tiles, HiFi4, banks out of step", 129.77, matmul_tiles(wormhole, 4, false));
    add("U10", wormhole, "matmul_tiles, LoFi, banks out of step, T0", 79.13, matmul_tiles(wormhole, 1, false, RiscvCore::t0));
    add("U11", blackhole, "matmul_tiles, LoFi, banks out of step, T0", 34.74, matmul_tiles(blackhole, 1, false, RiscvCore::t0));
}

/// Cycles of a tile in one loop less those in another, divided.
std::function<Result<double>(const Machine&)> difference(const TileLoop& more, const TileLoop& less, double divisor) {
    return [=, with = cycles_of_tile(more), without = cycles_of_tile(less)](const Machine& machine) -> Result<double> {
        const auto first = with(machine), second = without(machine);
        if (!first) return first;
        if (!second) return second;
        return (*first - *second) / divisor;
    };
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
    add("M1", "product of two tiles, LoFi", 19.20, product(1));
    add("M2", "product of two tiles, HiFi4", 68.33, product(4));
    add("M3", "sum of two tiles", 16.62, faces("eltwise"));
    add("M5", "product element by element, HiFi4", 82.52, faces("eltwise_mul", in_phases(4)));
    add("M6", "maximum of columns", 16.07, columns(true, 1));
    add("M7", "sum of columns, LoFi", 16.10, columns(false, 1));
    add("M7", "sum of columns, HiFi4", 83.07, columns(false, 4));
    add("M8", "sum of rows, LoFi", 12.08,
        {.programs = {"faces_handed_over", "reduce_rows_sum"}, .symbols = in_phases(1)});
    add("M8", "sum of rows, HiFi4", 49.07,
        {.programs = {"faces_handed_over", "reduce_rows_sum"}, .symbols = in_phases(4)});
    add("M9", "maximum of rows", 58.06, rows(false));
    add("M9", "maximum of rows, configuration changed four times", 97.94, rows(true));
    add("M10", "maximum of a tile", 41.07, whole_tile(true, 1));
    add("M10", "sum of a tile, LoFi", 41.10, whole_tile(false, 1));
    add("M10", "sum of a tile, HiFi4", 130.07, whole_tile(false, 4));
    add_matmul_tiles(all);
    const auto change = [&](const char* what, double published, auto predict) {
        all.push_back({.row = "I27",
                       .arch = Arch::blackhole,
                       .what = what,
                       .published = published,
                       .per = "pair",
                       .publication = "tt-llk FPU",
                       .predict = std::move(predict)});
    };
    TileLoop configures = faces("eltwise");
    configures.programs.push_back("configures");
    add("M11", "sum of two tiles, behind STALLWAIT for the matrix unit and RMWCIB0", 23.59, configures);
    change("STALLWAIT for the matrix unit and RMWCIB0, in maxima of rows", 9.97,
           difference(rows(true), rows(false), 4));
    const auto from_l1 = [&](const char* row, const char* what, double fast, double slow, const TileLoop& loop,
                             unsigned rounds = 1024, std::string_view publication = "tt-llk flagged") {
        const double products = rounds * loop.tiles / 2;
        all.push_back({.row = row,
                       .arch = Arch::wormhole,
                       .what = what,
                       .published = fast / products,
                       .other = slow / products,
                       .per = "tile",
                       .publication = publication,
                       .predict = cycles_of_tile(loop)});
    };
    from_l1("M15", "from L1 to L1, a product of 16 rows, HiFi4, Float16_b", 120'261, 123'066,
            from_l1_to_l1(4, 1, 1, 5));
    from_l1("M16", "from L1 to L1, a product of 16 rows, HiFi4, Float16", 120'490, 124'027, from_l1_to_l1(4, 1, 1, 1));
    from_l1("M17", "from L1 to L1, four products, HiFi2, packed as Bfp8_b, halves of Dst", 12'594, 13'706,
            from_l1_to_l1(2, 4, 2, 5, ".equ FACES, 4\n.equ ROWS, 32\n.equ PACKERS, 0xF\n.equ PACKED, 6\n"), 64,
            "tt-llk movers");
    from_l1("M18", "from L1 to L1, four products of 16 rows, LoFi, halves of Dst", 185'733, 194'677,
            from_l1_to_l1(1, 4, 2, 5));
    all.push_back({.row = "M4",
                   .arch = Arch::blackhole,
                   .what = "product element by element, HiFi2",
                   .published = 34.6,
                   .per = "tile",
                   .publication = "tt-metal 58723",
                   .trust = 'B',
                   .predict = cycles_of_tile(faces("eltwise_mul", in_phases(2)))});
}

}  // namespace tessera::bench::silicon
