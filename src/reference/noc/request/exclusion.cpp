// SPDX-License-Identifier: Apache-2.0
// Fields of NOC_BRCST_EXCLUDE: tt-metal's dataflow_api (EXCLUDE_START_X_OFFSET to EXCLUDE_ENABLED_OFFSET). Their
// meaning: apply_exclusion of BlackholeA0/PCIExpressTile/HostToDeviceTLBs.
#include "reference/noc/request/exclusion.hpp"

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

Checked<> exclusion_is_defined(const Request& request, const Fields& fields) {
    if (!request.blackhole()) return {};
    const std::uint32_t exclude = request.word(NOC_BRCST_EXCLUDE);
    if (exclude & ~0x007F'FF00u) return refuse("NOC_BRCST_EXCLUDE: only bits 8 to 22 have a known purpose");
    if (bit(exclude, 22) && (fields.start.x > fields.end.x || fields.start.y > fields.end.y))
        return refuse("NOC_BRCST_EXCLUDE: the pages do not say what is excluded from a rectangle that wraps");
    return {};
}

bool excluded(const Request& request, unsigned x, unsigned y) {
    if (!request.blackhole() || !bit(request.word(NOC_BRCST_EXCLUDE), 22)) return false;
    const std::uint32_t exclude = request.word(NOC_BRCST_EXCLUDE);
    const unsigned x_exclude_coord = bits(exclude, 8, 6), y_exclude_coord = bits(exclude, 14, 6);
    const bool in_x = bit(exclude, 20) ? x >= x_exclude_coord : x <= x_exclude_coord;
    const bool in_y = bit(exclude, 21) ? y >= y_exclude_coord : y <= y_exclude_coord;
    return in_x && in_y;
}

}  // namespace tessera::reference::noc
