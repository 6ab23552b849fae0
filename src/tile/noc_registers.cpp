// SPDX-License-Identifier: Apache-2.0
// Registers of the two NIUs: request initiators, identification, configuration, counters (NoC/MemoryMap, NoC/Counters).
#include "tile/device.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

namespace {

using namespace state::tile_words;

constexpr std::uint32_t combined_status = 0x54;  ///< Wormhole only
constexpr std::uint32_t first_outstanding = 16, transactions = 16;
const NiuRegisters& registers_of(const Devices& devices) { return niu_registers[static_cast<unsigned>(devices.arch)]; }

/// Index of a register that holds its stored value.
std::optional<unsigned> plain_word(const Devices& devices, unsigned noc, std::uint32_t offset) {
    const auto& niu = registers_of(devices);
    if (offset >= niu_configuration_base && offset < niu.configuration_end)
        return niu_configuration_register(noc, offset - niu_configuration_base);
    const std::uint32_t which = offset / niu.initiator_stride, item = offset % niu.initiator_stride;
    // The words between NOC_AT_DATA and NOC_CMD_CTRL (Blackhole's NOC_BRCST_EXCLUDE and others) must be 0 in requests
    // here.
    if (which < initiators && item < niu.cmd_ctrl && item < initiator_words * 4)
        return initiator_register(noc, which, item);
    return std::nullopt;
}

std::uint32_t node_id(const Devices& devices, unsigned noc) {
    const auto place = state::noc_place(devices.arch);
    const std::uint32_t x_first = noc == 0;
    return place.coordinates(noc) | std::uint32_t{place.width} << 12 | std::uint32_t{place.height} << 19 |
           x_first << 28;
}

}  // namespace

Reply load_noc(Devices& devices, const Request& request) {
    const unsigned noc = request.region->index;
    const std::uint32_t offset = request.offset(devices.arch);
    const auto& niu = registers_of(devices);
    if (offset >= niu_counter_base && offset < niu_counter_end)
        return Reply::of(devices.tile[counter(noc, (offset - niu_counter_base) / 4)]);
    if (devices.arch == Arch::wormhole && offset == combined_status) return Reply::of(0);
    if (const auto word = plain_word(devices, noc, offset)) return Reply::of(devices.tile[*word]);
    if (offset / niu.initiator_stride < initiators) {
        const std::uint32_t item = offset % niu.initiator_stride;
        if (item == niu.cmd_ctrl) return Reply::of(0);
        if (item == niu.node_id) return Reply::of(node_id(devices, noc));
        if (item == niu.endpoint_id) return Reply::of(niu.endpoint | noc << 24);
    }
    return Reply::unknown_register();
}

Reply store_noc(Devices& devices, const Request& request, std::uint32_t value) {
    const unsigned noc = request.region->index;
    const std::uint32_t offset = request.offset(devices.arch);
    const auto& niu = registers_of(devices);
    if (offset == niu.clear_outstanding) {
        for (unsigned i = 0; i < transactions; ++i)
            if (value >> i & 1) devices.tile[counter(noc, first_outstanding + i)] = 0;
        devices.machine.changed();
        return {};
    }
    const std::uint32_t which = offset / niu.initiator_stride;
    if (which < initiators && offset % niu.initiator_stride == niu.cmd_ctrl)
        return value & 1 ? noc_request(devices, request, noc, which) : Reply{};
    const auto word = plain_word(devices, noc, offset);
    if (!word) return Reply::unknown_register();
    devices.tile[*word] = value;
    devices.machine.changed();
    return {};
}

}  // namespace tessera::tile
