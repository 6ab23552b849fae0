// SPDX-License-Identifier: Apache-2.0
#include "dram/channel.hpp"

#include <algorithm>

namespace tessera::dram {

noc::Refusal Channel::read(const noc::Access&, std::uint64_t address, std::span<std::uint8_t> bytes) {
    memory_.read(address, bytes);
    return {};
}

noc::Refusal Channel::write(const noc::Access&, std::uint64_t address, std::span<const std::uint8_t> bytes) {
    memory_.write(address, bytes);
    return {};
}

noc::Refusal Channel::load_register(const noc::Access&, std::uint32_t, std::uint32_t&) { return "DRAM has no registers there"; }
noc::Refusal Channel::store_register(const noc::Access&, std::uint32_t, std::uint32_t) { return "DRAM has no registers there"; }

// Wormhole's channels are pairs, one for each half of the addresses.
noc::Cycle Channel::delay(const noc::Packet& packet, noc::Cycle at) {
    if (costs_.at_once()) return 0;
    const bool second = chip_.arch == Arch::wormhole && packet.address >= chip_.dram_bytes / 2;
    noc::Cycle& until = busy_.until[second];
    const noc::Cycle begins = std::max(at, until);
    const noc::Cycle takes = cycles_of(packet.length);
    until = begins + takes;
    if (packet.kind == noc::Packet::Kind::read) return begins - at + costs_.dram_read;
    // It takes a write's data from the first flit on.
    const noc::Cycle flits = packet.data_flits(chip_);
    return begins - at + costs_.dram_write + (takes > flits ? takes - flits : 0);
}

noc::Cycle Channel::cycles_of(std::uint32_t bytes) const {
    return (noc::Cycle{bytes} * costs_.dram_per_16kib + 16383) / 16384;
}

}  // namespace tessera::dram
