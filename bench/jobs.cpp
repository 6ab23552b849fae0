// SPDX-License-Identifier: Apache-2.0
#include "jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "tessera/assembly.hpp"
#include "texts.hpp"

namespace tessera::bench {

namespace {

constexpr unsigned tile = 32;

/// A piece of text and its replacement.
using Change = std::pair<std::string, std::string>;

/// An example's text with replacements. Each replaced piece must be there.
std::string changed(std::string_view name, const std::vector<Change>& changes) {
    std::string text(text_of(name));
    for (const auto& [what, with] : changes) {
        std::size_t at = text.find(what);
        if (at == text.npos) throw std::runtime_error(fmt::format("{} has no '{}'", name, what));
        for (; at != text.npos; at = text.find(what, at + with.size())) text.replace(at, what.size(), with);
    }
    return text;
}

Program program_of(const std::string& symbols, const std::string& unpack, const std::string& math,
                   const std::string& pack) {
    const auto text =
        fmt::format("{}.thread unpack\n{}\n.thread math\n{}\n.thread pack\n{}\n", symbols, unpack, math, pack);
    auto program = assemble(text, Arch::blackhole);
    if (!program) throw std::runtime_error(program.error().describe());
    return std::move(*program);
}

/// Replaces the number of tiles in examples/add.
Change number_of(unsigned tiles) { return {".equ TILES, 240", fmt::format(".equ TILES, {}", tiles)}; }

Job tiles_job(unsigned tiles, const std::string& unpack, const std::string& math) {
    Job job;
    job.program = program_of("", unpack, math, changed("add/pack", {number_of(tiles)}));
    job.l1 = {normal_tiles(0x04000, tiles, 1, 1), normal_tiles(0x7C000, tiles, 1, 2)};
    return job;
}

}  // namespace

Job::Region normal_tiles(std::uint64_t address, unsigned rows, unsigned cols, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Matrix matrix{std::size_t{rows} * tile, std::size_t{cols} * tile, {}};
    matrix.values.resize(matrix.rows * matrix.cols);
    for (float& value : matrix.values) value = normal(random);
    return {address, to_bytes(matrix, DataFormat::Float16_b, {}).value()};
}

Job product_job(const Product& product) {
    constexpr unsigned most_kept = 16, a = 0x04000, b = 0x50000, c = 0xA0000;
    const unsigned kept = std::min(product.depth, most_kept), rows = std::min(product.rows, 2u);
    const std::string symbols =
        fmt::format(".equ PHASES, {}\n.equ ROWS, {}\n.equ COLS, {}\n.equ DEPTH, {}\n.equ HALVES, {}\n.equ KEPT, {}\n"
                    ".equ A_FORMAT, Float16_b\n.equ B_FORMAT, Float16_b\n.equ A_TILE_BYTES, 2048\n.equ B_TILE_BYTES, 2048\n",
                    product.phases, rows, product.cols, product.depth, product.rows / rows * product.cols, kept);
    // The example's steps come in pairs. An odd number drops the first step of the last pair.
    std::string unpack =
        changed("matmul/unpack",
                {{".equ A, 0x04000", fmt::format(".equ A, {}", a)},
                 {".equ B, 0x10000", fmt::format(".equ B, {}", b)},
                 {".equ C, 0x20000", fmt::format(".equ C, {}", c)},
                 {"NEXT_ROW = DEPTH", "NEXT_ROW = KEPT"},
                 {"STEP % DEPTH * COLS", "STEP % DEPTH % KEPT * COLS"},
                 {"ROWS * DEPTH + STEP % DEPTH", "ROWS * KEPT + STEP % DEPTH % KEPT"},
                 {".repeat HALVES * DEPTH / 2", ".repeat (HALVES * DEPTH + 1) / 2"},
                 {"\n\n    .sem_wait", "\n.repeat (HALVES * DEPTH - STEP + 0xFFFF) / 0x10000\n    .sem_wait"}});
    unpack += "\n.end\n";
    Job job;
    job.program = program_of(symbols, unpack, changed("matmul/math", {}), changed("matmul/pack", {}));
    job.l1 = {normal_tiles(a, product.rows, kept, 1), normal_tiles(b, kept, product.cols, 2)};
    Job::Output out;
    out.address = c;
    out.rows = std::size_t{product.rows} * tile;
    out.cols = std::size_t{product.cols} * tile;
    out.format = DataFormat::Float16_b;
    out.form.layout = Layout::tiles;
    job.outputs.push_back(out);
    return job;
}

Job add_job(unsigned tiles) {
    const Change count = number_of(tiles);
    return tiles_job(tiles, changed("add/unpack", {count}), changed("add/math", {count}));
}

Job copy_job(unsigned tiles) {
    const Change count = number_of(tiles);
    const std::string move = "MOVA2D dst=0 instr_mod=2 src=0 addr_mode=";
    return tiles_job(tiles, changed("add/unpack", {count, {"    UNPACR Unpack_block_selection=1", "#"}}),
                     changed("add/math", {count,
                                          {"ELWADD addr_mode=0", move + "0"},
                                          {"ELWADD addr_mode=1 clear_dvalid=3", move + "1\nSETRWC clear_ab_vld=1"}}));
}

}  // namespace tessera::bench
