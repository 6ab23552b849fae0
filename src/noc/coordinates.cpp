// SPDX-License-Identifier: Apache-2.0
#include "noc/coordinates.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace tessera::noc {

namespace {

constexpr unsigned table_entries = 32;

/// A table of coordinates in registers of 32 bits, each of which holds as many whole entries as fit.
struct Table {
    std::uint32_t first;  ///< offset of the first register
    unsigned bits;        ///< of an entry

    unsigned per_register() const { return 32 / bits; }
    unsigned word(unsigned i) const { return (first - offset::configuration) / 4 + i / per_register(); }
    unsigned shift(unsigned i) const { return i % per_register() * bits; }
    unsigned get(std::span<const std::uint32_t> configuration, unsigned i) const {
        return configuration[word(i)] >> shift(i) & ((1u << bits) - 1);
    }
    void set(std::span<std::uint32_t> configuration, unsigned i, unsigned value) const {
        std::uint32_t& word = configuration[this->word(i)];
        word = (word & ~(((1u << bits) - 1) << shift(i))) | value << shift(i);
    }
};

Table x_table(Arch arch) { return {offset::x_translate_table, register_map(arch).translate_bits}; }
Table y_table(Arch arch) { return {register_map(arch).y_translate_table, register_map(arch).translate_bits}; }

// BlackholeA0/NoC/Coordinates, "Translation Algorithm": the axes are not independent.
std::pair<unsigned, unsigned> translate_on_blackhole(std::span<const std::uint32_t> configuration, unsigned x, unsigned y) {
    constexpr Table dram{offset::ddr_table, 5};
    const auto word = [&](std::uint32_t at) { return configuration[(at - offset::configuration) / 4]; };
    x %= table_entries;
    y %= table_entries;
    const std::uint32_t last = word(offset::ddr_table_last);
    const auto is_dram = [&](unsigned column) { return (column == 9 && last >> 10 & 1) || (column == 0 && last >> 11 & 1); };
    unsigned to_x = x_table(Arch::blackhole).get(configuration, x), to_y = y_table(Arch::blackhole).get(configuration, y);
    if (word(offset::ddr_col_swap) >> y & 1 && is_dram(x ^ 9))
        to_x = x ^ 9;
    else if (word(offset::row_mask) >> y & 1)
        to_x = x;
    if (is_dram(x))
        to_y = dram.get(configuration, y);
    else if (word(offset::col_mask) >> x & 1)
        to_y = y;
    return {to_x, to_y};
}

/// The coordinates of NoC 0 for translated ones, by index from the first translated one; the rest is 0.
struct Tables {
    std::array<std::uint8_t, table_entries> x{}, y{};
    Place own;
};

void identity(std::array<std::uint8_t, table_entries>& table, unsigned count) {
    std::iota(table.begin(), table.begin() + count, std::uint8_t{0});
}

Tables wormhole_tables(Place own, std::uint32_t harvested_rows) {
    constexpr unsigned first_translated = 16;
    constexpr std::uint8_t columns[] = {0, 5, 1, 2, 3, 4, 6, 7, 8, 9}, rows[] = {0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11};
    Tables tables;
    std::ranges::copy(columns, tables.x.begin() + first_translated);
    // Working rows first, harvested ones last. Rows 0 and 6 have no Tensix tiles and are never harvested.
    auto next = tables.y.begin() + first_translated;
    for (bool off : {false, true})
        for (std::uint8_t row : rows)
            if ((harvested_rows >> row & 1) == off) *next++ = row;
    identity(tables.x, first_translated);
    identity(tables.y, first_translated);
    const auto translated = [](const auto& table, std::uint8_t line) {
        return static_cast<std::uint8_t>(std::find(table.begin() + first_translated, table.end(), line) - table.begin());
    };
    tables.own = {translated(tables.x, own.x), translated(tables.y, own.y)};
    return tables;
}

Tables blackhole_tables(Place own, std::uint32_t harvested_columns) {
    constexpr std::uint8_t columns_from_17[] = {9, 0, 2, 1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11};  // DRAM, PCI Express, Ethernet
    constexpr std::uint8_t rows_from_12[] = {0, 1, 11, 2, 10, 3, 5, 7, 6, 9, 4, 8, 0, 1, 3, 9, 5, 7, 2, 0};
    Tables tables;
    std::ranges::copy(columns_from_17, tables.x.begin() + 17);
    std::ranges::copy(rows_from_12, tables.y.begin() + 12);
    identity(tables.y, 12);
    tables.x[8] = 8;  // as 0, these are of no Tensix tile
    tables.x[9] = 9;
    // Columns that are switched off move to the right.
    const std::array<std::uint8_t, 14> columns{1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16};
    unsigned next = 0;
    for (bool off : {false, true})
        for (std::uint8_t column : columns)
            if ((harvested_columns >> column & 1) == off) tables.x[columns[next++]] = column;
    tables.own = own;
    for (std::uint8_t place : columns)
        if (tables.x[place] == own.x) tables.own.x = place;
    return tables;
}

}  // namespace

std::optional<Place> place_of(const Layout& chip, unsigned noc, unsigned x, unsigned y) {
    if (!chip.contains(x, y)) return std::nullopt;
    return chip.seen_by(noc, {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)});
}

std::optional<Rectangle> rectangle_of(const Layout& chip, unsigned noc, Coordinates at) {
    const auto first = place_of(chip, noc, at.first_x(), at.first_y()), last = place_of(chip, noc, at.x(), at.y());
    if (!first || !last) return std::nullopt;
    return Rectangle{*first, *last};
}

Coordinates translate(Arch arch, std::span<const std::uint32_t> configuration, Coordinates at) {
    const auto pair = [&](unsigned x, unsigned y) {
        if (arch == Arch::blackhole) return translate_on_blackhole(configuration, x, y);
        return std::pair(x_table(arch).get(configuration, x % table_entries), y_table(arch).get(configuration, y % table_entries));
    };
    const auto [x, y] = pair(at.x(), at.y());
    const auto [first_x, first_y] = pair(at.first_x(), at.first_y());
    return {x | y << 6 | first_x << 12 | first_y << 18};
}

void enable_translation(const Layout& chip, unsigned noc, Place own, std::uint32_t harvested, std::span<std::uint32_t> configuration) {
    const bool blackhole = chip.arch == Arch::blackhole;
    const Tables tables = blackhole ? blackhole_tables(own, harvested) : wormhole_tables(own, harvested);
    // Wormhole keeps the coordinates of each NoC below 16.
    const auto is_mirrored = [&](unsigned i, unsigned last) { return noc == 1 && (blackhole || (i >= 16 && i <= last)); };
    for (unsigned i = 0; i < table_entries; ++i) {
        x_table(chip.arch).set(configuration, i, is_mirrored(i, 25) ? chip.width - 1u - tables.x[i] : tables.x[i]);
        y_table(chip.arch).set(configuration, i, is_mirrored(i, 27) ? chip.height - 1u - tables.y[i] : tables.y[i]);
    }
    constexpr std::uint32_t top_rows = 3;  // X of PCI Express and Ethernet tiles is not translated
    if (blackhole) configuration[(offset::row_mask - offset::configuration) / 4] = top_rows;
    configuration[(register_map(chip.arch).id_logical - offset::configuration) / 4] = tables.own.x | std::uint32_t{tables.own.y} << 6;
    configuration[0] |= translate_enable;
}

}  // namespace tessera::noc
