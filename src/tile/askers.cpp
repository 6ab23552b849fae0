// SPDX-License-Identifier: Apache-2.0
#include "tile/askers.hpp"

#include <fmt/format.h>

#include <limits>

namespace tessera::tile {

std::string asker(const noc::Origin& origin) {
    return origin.by_host ? "a host" : fmt::format("{} at {}", name(RiscvCore(origin.core)), noc::describe(origin.tile));
}

std::string text_of(const noc::Niu::Failure& failure, noc::Place here) {
    const std::string to = failure.origin.is_core_of(here) ? std::string() : fmt::format(" to the tile at {}", noc::describe(here));
    return fmt::format("a request of {}{}: {}", asker(failure.origin), to, failure.refusal.why);
}

findings::Id code_of(const noc::Refusal& refusal) {
    return refusal.of_simulator ? findings::id("tile.not-modelled") : findings::id("tile.noc-request");
}

By reported(const noc::Origin& origin, noc::Place here) {
    if (origin.is_core_of(here)) return {origin.core, origin.pc};
    constexpr unsigned host = std::numeric_limits<std::uint16_t>::max();  // no tile is there
    const unsigned tile = origin.by_host ? host : origin.tile.number();
    return {static_cast<unsigned>(riscv_cores * (1 + tile) + origin.core), origin.pc};
}

}  // namespace tessera::tile
