// SPDX-License-Identifier: Apache-2.0
#include "noc/costs.hpp"

namespace tessera::noc {

namespace {

constexpr Costs no_cycles{};
constexpr Costs by_arch[] = {
    {.to_router = 5, .hop = 9, .from_router = 5, .accept = 4, .read_source = 22, .serve_read = 36, .serve_write = 14,
     .gap = 0, .write_pauses = 6, .response_pauses = {8, 8}, .reserve_hop = 9, .dram_read = 124, .dram_write = 0,
     .dram_per_16kib = 348},
    {.to_router = 5, .hop = 9, .from_router = 5, .accept = 4, .read_source = 22, .serve_read = 28, .serve_write = 8,
     .gap = 2, .write_pauses = 5, .response_pauses = {6, 28}, .reserve_hop = 9, .dram_read = 92, .dram_write = 90,
     .dram_per_16kib = 740},
};

}  // namespace

const Costs& costs(Arch arch, Timing timing) {
    if (timing == Timing::instant || timing == Timing::functional) return no_cycles;
    return by_arch[static_cast<std::size_t>(arch)];
}

}  // namespace tessera::noc
