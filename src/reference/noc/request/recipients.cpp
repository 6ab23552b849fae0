// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/recipients.hpp"

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"
#include "reference/noc/request/exclusion.hpp"

namespace tessera::reference::noc {

Checked<Tile*> one_tile(const Request& request, const Fields& fields) {
    if (Tile* const tile = request.chip.at(request.noc, fields.end)) return tile;
    return refuse("there is no tile at (" + std::to_string(fields.end.x) + ", " + std::to_string(fields.end.y) +
                  ") of NoC " + std::to_string(request.noc));
}

Checked<Tile*> responding_tile(const Request& request, const Fields& fields) {
    const Checked<Tile*> tile = one_tile(request, fields);
    if (tile && !(*tile)->has_l1())
        return refuse("the response goes to " + (*tile)->name() + ", which has no request initiators");
    return tile;
}

namespace {

Checked<std::vector<Tile*>> tiles_of_rectangle(const Request& request, const Fields& fields) {
    const auto [end, start] = fields;
    Chip& chip = request.chip;
    if (!chip.at(request.noc, end) || !chip.at(request.noc, start))
        return refuse("a corner of the rectangle is not on the NoC");
    if (auto defined = exclusion_is_defined(request, fields); !defined) return refuse(defined);
    std::vector<Tile*> tiles;
    for (unsigned y = 0; y < chip.size.height; ++y)
        for (unsigned x = 0; x < chip.size.width; ++x) {
            Tile& tile = *chip.at(request.noc, {x, y});
            if (!in_span(x, start.x, end.x) || !in_span(y, start.y, end.y) || excluded(request, x, y)) continue;
            if (&tile == &request.tile && !bit(request.ctrl, NOC_CMD_BRCST_SRC_INCLUDE)) continue;
            // Each NIU has its own masks, and looks at the bits of its own column and row.
            const Niu& niu = tile.niu[request.noc];
            if (bit(niu.configuration(ROUTER_CFG_1), x) || bit(niu.configuration(ROUTER_CFG_3), y)) continue;
            if (tile.kind != Kind::tensix)
                return refuse("the broadcast reaches " + tile.name() + ", which is not a Tensix tile");
            tiles.push_back(&tile);
        }
    return tiles;
}

}  // namespace

Checked<std::vector<Tile*>> recipients(const Request& request, const Fields& fields) {
    if (request.broadcast) return tiles_of_rectangle(request, fields);
    const Checked<Tile*> tile = one_tile(request, fields);
    if (!tile) return refuse(tile);
    return std::vector{*tile};
}

}  // namespace tessera::reference::noc
