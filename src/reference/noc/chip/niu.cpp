// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/chip/niu.hpp"

#include "reference/noc/bits.hpp"
#include "reference/noc/counters.hpp"
#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

std::uint32_t Niu::load(std::uint32_t offset) {
    const Map& map = map_of(arch);
    if (has_configuration(offset)) return configuration(offset);
    if (offset >= COUNTERS && offset < COUNTERS + 4 * counters.size()) return counters[(offset - COUNTERS) / 4];
    if (arch == Arch::blackhole && offset == NIU_TRANS_COUNT_RTZ_SOURCE) return rtz_source;
    if (arch == Arch::blackhole && offset == NIU_TRANS_COUNT_RTZ_NUM) return load_rtz_num();
    const std::uint32_t initiator = offset / map.NOC_CMD_BUF_OFFSET, within = offset % map.NOC_CMD_BUF_OFFSET;
    if (initiator >= initiators.size()) return 0;
    if (within == map.NOC_NODE_ID) return node_id;
    if (within == map.NOC_ENDPOINT_ID) return endpoint_id;
    // NOC_CMD_CTRL and the combined status: every request is done.
    return within < map.NOC_CMD_CTRL ? initiators[initiator][within / 4] : 0;
}

// BlackholeA0/NoC/MemoryMap, NIU_TRANS_COUNT_RTZ_NUM.
std::uint32_t Niu::load_rtz_num() {
    const std::uint32_t cfg = configuration(NIU_TRANS_COUNT_RTZ_CFG);
    for (unsigned i = 0; i < 16; ++i) {
        if (!bit(rtz_source & cfg, i)) continue;
        if (!bit(cfg, 28)) rtz_source &= ~(1u << i);
        return i;
    }
    return 0;
}

std::string Niu::store(std::uint32_t offset, std::uint32_t value) {
    const Map& map = map_of(arch);
    if (has_configuration(offset)) return store_configuration(offset, value), "";
    if (offset == map.clear_outstanding) {
        for (unsigned i = 0; i < 16; ++i)
            if (bit(value, i)) set_outstanding(i, 0);
        return "";
    }
    // Read only: counters, debug information, interrupt status.
    if (offset >= COUNTERS && offset < 0x400) return "";
    const std::uint32_t initiator = offset / map.NOC_CMD_BUF_OFFSET, within = offset % map.NOC_CMD_BUF_OFFSET;
    if (initiator >= initiators.size()) return "the page has no register there";
    if (within == map.NOC_NODE_ID || within == map.NOC_ENDPOINT_ID) return "";
    const bool listed = arch == Arch::blackhole
                            ? within <= NOC_L1_ACC_AT_INSTRN
                            : within <= map.NOC_AT_DATA && within != NOC_TARG_ADDR_HI && within != NOC_RET_ADDR_HI;
    if (!listed) return "the page has no register there";
    initiators[initiator][within / 4] = within == NOC_PACKET_TAG ? value & 0xFFFF : value;
    return "";
}

std::optional<unsigned> Niu::commanded(std::uint32_t offset) const {
    const Map& map = map_of(arch);
    const std::uint32_t initiator = offset / map.NOC_CMD_BUF_OFFSET, within = offset % map.NOC_CMD_BUF_OFFSET;
    if (initiator >= initiators.size() || within != map.NOC_CMD_CTRL) return std::nullopt;
    return initiator;
}

bool Niu::has_configuration(std::uint32_t offset) const {
    if (offset % 4 || offset < CONFIGURATION) return false;
    if (arch == Arch::wormhole) return offset <= wormhole_map.NOC_ID_LOGICAL;
    return offset <= NIU_TRANS_COUNT_RTZ_CLR && offset != 0x14C;  // MEMORY_SHUTDOWN_CONTROL is not on the page
}

std::uint32_t Niu::configuration(std::uint32_t offset) const {
    return configuration_words[(offset - CONFIGURATION) / 4];
}

void Niu::store_configuration(std::uint32_t offset, std::uint32_t value) {
    if (arch == Arch::blackhole && offset == NIU_TRANS_COUNT_RTZ_CLR)
        rtz_source &= ~value;
    else if (arch == Arch::wormhole || offset != DEBUG_COUNTER_RESET)
        configuration_words[(offset - CONFIGURATION) / 4] = value;
}

void Niu::set_outstanding(unsigned id, std::uint32_t value) {
    std::uint32_t& counter = counters[NIU_MST_REQS_OUTSTANDING_ID + id];
    const bool was_positive = counter > 0;
    counter = value & 0xFF;
    if (was_positive && counter == 0 && arch == Arch::blackhole) rtz_source |= 1u << id;
}

}  // namespace tessera::reference::noc
