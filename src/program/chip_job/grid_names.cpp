// SPDX-License-Identifier: Apache-2.0
#include "program/chip_job/grid_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace tessera::program {

namespace {

constexpr auto of_tile = std::to_array<std::string_view>({"column", "row", "x", "y"});
constexpr std::string_view known =
    "columns, rows, xs, ys, column, row, x, y, 'dram CHANNEL' or 'tile COLUMN ROW' (docs/chip-jobs.md)";

/// The numbers after a word: "tile 1 2". Empty: another word, or not so many numbers.
template <std::size_t n>
std::optional<std::array<unsigned, n>> numbers_after(std::string_view word, std::string_view text) {
    if (!text.starts_with(word)) return std::nullopt;
    text.remove_prefix(word.size());
    std::array<unsigned, n> numbers{};
    for (unsigned& number : numbers) {
        if (!text.starts_with(' ')) return std::nullopt;
        text.remove_prefix(1);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{}) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    if (!text.empty()) return std::nullopt;
    return numbers;
}

}  // namespace

Result<std::vector<std::uint32_t>> GridNames::words(const Node& name, const SchemaReader& schema) const {
    using Words = std::vector<std::uint32_t>;
    const std::string_view text = name.string;
    const auto of_place = [&](const Result<NocPlace>& place) -> Result<Words> {
        if (!place) return schema.error(place.error().code, place.error().message, name.position);
        return Words{place->x, place->y};
    };
    if (text == "columns") return Words{chip_.columns()};
    if (text == "rows") return Words{chip_.rows()};
    if (text == "column") return Words{column_};
    if (text == "row") return Words{row_};
    if (text == "x") return Words{chip_.coordinates(column_, row_)->x};
    if (text == "y") return Words{chip_.coordinates(column_, row_)->y};
    Words words;
    if (text == "xs")
        for (unsigned i = 0; i < chip_.columns(); ++i) words.push_back(chip_.coordinates(i, 0)->x);
    if (text == "ys")
        for (unsigned i = 0; i < chip_.rows(); ++i) words.push_back(chip_.coordinates(0, i)->y);
    if (!words.empty()) return words;
    if (const auto channel = numbers_after<1>("dram", text)) return of_place(chip_.dram_place((*channel)[0]));
    if (const auto tile = numbers_after<2>("tile", text)) return of_place(chip_.coordinates((*tile)[0], (*tile)[1]));
    return schema.error("job.value", fmt::format("'{}' names nothing of the chip: {}", text, known), name.position);
}

bool GridNames::differ_by_tile(const Node& value) {
    if (value.kind == Node::Kind::array) return std::ranges::any_of(value.items, differ_by_tile);
    return value.kind == Node::Kind::string && std::ranges::find(of_tile, value.string) != of_tile.end();
}

}  // namespace tessera::program
