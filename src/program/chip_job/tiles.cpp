// SPDX-License-Identifier: Apache-2.0
#include "program/chip_job/tiles.hpp"

#include <fmt/format.h>

#include <array>

#include "program/chip_job/grid_names.hpp"
#include "program/job/kernels.hpp"
#include "program/job/memory.hpp"

namespace tessera::program {

namespace {

constexpr std::string_view tile_entry = "an entry of tile";
constexpr auto tile_keys =
    std::to_array<std::string_view>({"columns", "rows", "cores", "in_reset", "arguments", "done", "l1"});

/// The first and the last one, both included.
using Range = std::pair<unsigned, unsigned>;

class TilesReader {
public:
    TilesReader(const SchemaReader& schema, const Chip& chip) : schema_(schema), chip_(chip) {}

    Result<ChipJob::Tiles> read(const Node& node) {
        if (auto keys = schema_.check_keys(node, tile_entry, tile_keys); !keys)
            return tl::make_unexpected(keys.error());
        const auto columns = read_range(node, "columns", chip_.columns());
        if (!columns) return tl::make_unexpected(columns.error());
        const auto rows = read_range(node, "rows", chip_.rows());
        if (!rows) return tl::make_unexpected(rows.error());
        ChipJob::Tiles tiles;
        std::tie(tiles.first_column, tiles.last_column) = *columns;
        std::tie(tiles.first_row, tiles.last_row) = *rows;
        if (auto free = check_free(tiles, node.position); !free) return tl::make_unexpected(free.error());

        const GridNames first(chip_, tiles.first_column, tiles.first_row);
        auto kernels = read_kernels(node, schema_, chip_.arch(), &first);
        if (!kernels) return tl::make_unexpected(std::move(kernels.error()));
        tiles.kernels = std::move(*kernels);
        if (const auto* arguments = node.find("arguments"); arguments && tiles.kernels)
            if (auto done = read_arguments(arguments->value, tiles); !done) return tl::make_unexpected(done.error());
        if (const auto* regions = node.find("l1")) {
            auto read = read_regions(regions->value, schema_, chip_.arch());
            if (!read) return tl::make_unexpected(std::move(read.error()));
            tiles.l1 = std::move(*read);
        }
        return tiles;
    }

private:
    Result<Range> read_range(const Node& node, std::string_view key, unsigned count) const {
        const auto* member = node.find(key);
        if (!member) return Range{0, count - 1};
        const Node& value = member->value;
        if (value.kind == Node::Kind::integer)
            return read_number(value, key, count).map([](unsigned number) { return Range{number, number}; });
        if (value.kind != Node::Kind::array || value.items.size() != 2)
            return schema_.error("job.type", fmt::format("{} must be a number, or [FIRST, LAST]", key), value.position);
        const auto first = read_number(value.items[0], key, count);
        if (!first) return tl::make_unexpected(first.error());
        const auto last = read_number(value.items[1], key, count);
        if (!last) return tl::make_unexpected(last.error());
        if (*first > *last)
            return schema_.error("job.value",
                                 fmt::format("{} are from {} to {}, and none is there", key, *first, *last),
                                 value.position);
        return Range{*first, *last};
    }

    Result<unsigned> read_number(const Node& node, std::string_view key, unsigned count) const {
        const auto number = schema_.integer(node, key);
        if (!number) return tl::make_unexpected(number.error());
        if (*number >= count)
            return schema_.error("chip.tile",
                                 fmt::format("{} of the grid are 0 to {}, and there is no {}", key, count - 1, *number),
                                 node.position);
        return static_cast<unsigned>(*number);
    }

    Result<void> check_free(const ChipJob::Tiles& tiles, Position position) {
        const auto taken = lines_.add(tiles, static_cast<std::size_t>(position.line));
        if (!taken) return {};
        // Entries from outside have no line.
        const std::string other = taken->owner > 0 ? fmt::format("that of line {}", taken->owner) : "another one";
        return schema_.error("job.value",
                             fmt::format("tile ({}, {}) is in two entries: {} has it already", taken->column, taken->row, other),
                             position);
    }

    /// The arguments that are different in each tile. read_kernels() has checked all of them in the first one.
    Result<void> read_arguments(const Node& node, ChipJob::Tiles& tiles) const {
        for (const auto& core : node.members)
            for (const auto& argument : core.value.members) {
                if (!GridNames::differ_by_tile(argument.value)) continue;
                auto& added = tiles.arguments.emplace_back(
                    ChipJob::Tiles::Argument{*parse_riscv_core(core.key), argument.key, {}});
                for (const auto& [column, row] : places_of(tiles)) {
                    const GridNames names(chip_, column, row);
                    auto words = read_words(argument, schema_, &names);
                    if (!words) return tl::make_unexpected(std::move(words.error()));
                    added.words.push_back(std::move(*words));
                }
            }
        return {};
    }

    const SchemaReader& schema_;
    const Chip& chip_;
    TileOwners lines_;  ///< of the entries
};

/// The tiles are in the grid.
Result<void> check_rectangle(const ChipJob::Tiles& tiles, const Chip& chip) {
    if (const auto last = chip.place(tiles.last_column, tiles.last_row); !last) return tl::make_unexpected(last.error());
    if (tiles.first_column <= tiles.last_column && tiles.first_row <= tiles.last_row) return {};
    return fail("job.value", fmt::format("there is no tile in columns {} to {}, rows {} to {}", tiles.first_column,
                                         tiles.last_column, tiles.first_row, tiles.last_row));
}

Result<void> check_argument(const ChipJob::Tiles::Argument& argument, const ChipJob::Tiles& tiles) {
    const auto core = static_cast<std::size_t>(argument.core);
    const auto refuse = [&](std::string_view why) {
        return fail("job.value", fmt::format("the argument '{}': {}", argument.symbol, why));
    };
    if (core >= riscv_cores) return refuse(fmt::format("there is no core {}: cores are 0 to {}", core, riscv_cores - 1));
    if (!tiles.kernels || !tiles.kernels->images[core]) return refuse(no_kernel(name(argument.core)));
    if (const std::size_t count = places_of(tiles).size(); argument.words.size() != count)
        return refuse(fmt::format("{} tiles need as many lists of words, and there are {}", count, argument.words.size()));
    return {};
}

}  // namespace

std::vector<std::pair<unsigned, unsigned>> places_of(const ChipJob::Tiles& tiles) {
    std::vector<std::pair<unsigned, unsigned>> places;
    for (unsigned row = tiles.first_row; row <= tiles.last_row; ++row)
        for (unsigned column = tiles.first_column; column <= tiles.last_column; ++column) places.emplace_back(column, row);
    return places;
}

std::optional<TileOwners::Taken> TileOwners::add(const ChipJob::Tiles& tiles, std::size_t owner) {
    for (const auto& [column, row] : places_of(tiles))
        if (const auto [at, added] = owners_.try_emplace({column, row}, owner); !added)
            return Taken{column, row, at->second};
    return std::nullopt;
}

Result<void> check_tiles(std::span<const ChipJob::Tiles> all, const Chip& chip) {
    TileOwners owners;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (auto done = check_rectangle(all[i], chip); !done) return done;
        if (const auto taken = owners.add(all[i], i))
            return fail("job.value", fmt::format("tile ({}, {}) is in two entries: tiles[{}] has it already", taken->column,
                                                 taken->row, taken->owner));
        for (const auto& argument : all[i].arguments)
            if (auto done = check_argument(argument, all[i]); !done) return done;
    }
    return {};
}

Result<std::pair<unsigned, unsigned>> read_tile_place(const Node& node, const SchemaReader& schema, const Chip& chip) {
    const auto items = schema.array(node, "tile");
    if (!items) return tl::make_unexpected(items.error());
    if (items->size() != 2) return schema.error("job.value", "tile must be [COLUMN, ROW]", node.position);
    const auto column = schema.integer((*items)[0], "the column", UINT32_MAX);
    if (!column) return tl::make_unexpected(column.error());
    const auto row = schema.integer((*items)[1], "the row", UINT32_MAX);
    if (!row) return tl::make_unexpected(row.error());
    const std::pair at(static_cast<unsigned>(*column), static_cast<unsigned>(*row));
    if (const auto place = chip.place(at.first, at.second); !place)
        return schema.error(place.error().code, place.error().message, node.position);
    return at;
}

Result<std::vector<ChipJob::Tiles>> read_tiles(const Node& node, const SchemaReader& schema, const Chip& chip) {
    const auto items = schema.array(node, "tile");
    if (!items) return tl::make_unexpected(items.error());
    TilesReader reader(schema, chip);
    std::vector<ChipJob::Tiles> all;
    for (const Node& item : *items) {
        auto tiles = reader.read(item);
        if (!tiles) return tl::make_unexpected(std::move(tiles.error()));
        all.push_back(std::move(*tiles));
    }
    return all;
}

}  // namespace tessera::program
