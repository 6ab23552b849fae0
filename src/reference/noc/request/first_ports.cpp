// SPDX-License-Identifier: Apache-2.0
// NoC/RoutingPaths; Diagrams/Src/NoC.lua says what "as necessary" means to a broadcast.
#include "reference/noc/request/first_ports.hpp"

#include <algorithm>

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

namespace {

constexpr std::uint32_t niu_port = 1, y_port = 2, x_port = 4;

std::uint32_t port_to_tile(const Request& request, const Tile& to) {
    const Coordinates from = request.chip.place(request.noc, request.tile), there = request.chip.place(request.noc, to);
    const std::uint32_t x = there.x != from.x ? x_port : 0, y = there.y != from.y ? y_port : 0;
    const std::uint32_t first = request.noc == 0 ? x : y, second = request.noc == 0 ? y : x;
    return first ? first : second ? second : niu_port;
}

std::uint32_t ports_to_rectangle(const Request& request, bool with_itself) {
    const Size size = request.chip.size;
    const Coordinates from = request.chip.place(request.noc, request.tile);
    const auto [end, start] = request.destination();
    const auto span = [](unsigned first, unsigned last, unsigned all) { return (last + all - first) % all + 1; };
    const bool in_x = in_span(from.x, start.x, end.x), in_y = in_span(from.y, start.y, end.y);
    const unsigned columns = span(start.x, end.x, size.width), rows = span(start.y, end.y, size.height);
    std::uint32_t ports = with_itself ? niu_port : 0;
    if (bit(request.ctrl, NOC_CMD_BRCST_XY)) {
        if (!in_y) return y_port;
        if (in_x && rows > 1) ports |= y_port;
        if (columns > (in_x ? 1 : 0)) ports |= x_port;
    } else {
        if (!in_x) return x_port;
        if (in_y && columns > 1) ports |= x_port;
        if (rows > (in_y ? 1 : 0)) ports |= y_port;
    }
    return ports;
}

}  // namespace

std::uint32_t first_ports(const Request& request, const std::vector<Tile*>& to) {
    if (!request.broadcast) return port_to_tile(request, *to.front());
    return ports_to_rectangle(request, std::find(to.begin(), to.end(), &request.tile) != to.end());
}

}  // namespace tessera::reference::noc
