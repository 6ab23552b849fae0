// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/memory.hpp"

#include "reference/noc/bits.hpp"
#include "reference/noc/registers.hpp"

namespace tessera::reference::noc {

namespace {

constexpr std::uint64_t registers_begin = 0xFF00'0000;

bool is_blackhole(const Tile& tile) { return tile.niu[0].arch == Arch::blackhole; }
std::uint64_t low_half(std::uint64_t address) { return address & 0xFFFF'FFFF; }
std::uint64_t high_half(std::uint64_t address) { return address >> 32; }
/// Whether the lower half of an address is at NIU_BASE of NoC 0 or NoC 1.
bool at_niu_base(std::uint64_t low) { return (low & 0xFFFE'0000) == 0xFFB2'0000; }

/// A register at an offset from NIU_BASE, if the address is right otherwise (`base`).
Checked<End> in_registers(End end, unsigned noc, bool base, std::uint64_t offset) {
    end.memory = Memory::registers;
    end.niu = &end.tile->niu[noc];
    end.offset = static_cast<std::uint32_t>(offset);
    if (base && end.niu->has_configuration(end.offset & ~3u)) return end;
    return refuse("only an NIU's configuration is reached by requests here, not address " +
                  std::to_string(end.address) + " of " + end.tile->name());
}

/// Memory of a tile whose clock is on.
Checked<End> in_enabled(const End& end) {
    for (const Niu& niu : end.tile->niu)
        if (bit(niu.configuration(NIU_CFG_0), tile_clock_disable))
            return refuse(end.tile->name() + " is disabled (NIU_CFG_0, bit 12)");
    return end;
}

/// Of a Tensix or Ethernet tile.
Checked<End> in_l1_tile(const End& end, std::uint64_t size) {
    const Tile& tile = *end.tile;
    const std::uint64_t low = low_half(end.address), high = high_half(end.address), l1 = tile.l1_size();
    // WormholeB0: NIU_BASE is 0x?_FFB2_0000.
    if (low >= registers_begin && (high == 0 || !is_blackhole(tile)))
        return in_registers(end, bits(static_cast<std::uint32_t>(low), 16, 16) == 0xFFB3 ? 1 : 0, at_niu_base(low),
                            low & 0xFFFF);
    if (size > l1 || end.address > l1 - size) return refuse("not all of its bytes are in L1 of " + tile.name());
    return in_enabled(end);
}

Checked<End> in_dram(End end, unsigned noc, std::uint64_t size) {
    const Tile& tile = *end.tile;
    end.memory = Memory::dram;
    if (size > map_of(tile.niu[noc].arch).dram - end.address)
        return refuse("not all of its bytes are in the DRAM behind " + tile.name());
    if (is_blackhole(tile) && bit(tile.niu[noc].configuration(NIU_CFG_0), axi_subordinate_enable))
        return refuse(tile.name() + " shows its RISC-V core instead of DRAM (NIU_CFG_0, bit 15)");
    return in_enabled(end);
}

/// Of a tile without L1, at an address that is not its DRAM's.
Checked<End> in_other(const End& end, unsigned noc) {
    const std::uint64_t low = low_half(end.address), high = high_half(end.address);
    if (!is_blackhole(*end.tile)) return in_registers(end, noc, high == 0xF, low & 0xFFF);
    if (end.tile->kind == Kind::dram)
        return in_registers(end, bit(static_cast<std::uint32_t>(low), 16), at_niu_base(low), low & 0xFFFF);
    const std::uint64_t high_base = end.tile->kind == Kind::empty ? 0 : 0xFFFF'FFFF;
    return in_registers(end, noc, at_niu_base(low) && high == high_base, low & 0xFFFF);
}

}  // namespace

Checked<End> resolve(unsigned noc, Tile& tile, std::uint64_t address, std::uint64_t size) {
    const End end{&tile, Memory::l1, address, nullptr, 0};
    if (tile.has_l1()) return in_l1_tile(end, size);
    if (tile.kind == Kind::dram && address < map_of(tile.niu[noc].arch).dram) return in_dram(end, noc, size);
    return in_other(end, noc);
}

std::vector<std::uint8_t> fetch(const Dram& dram, const End& end, std::uint64_t from, std::uint64_t size) {
    std::vector<std::uint8_t> bytes(size);
    if (end.is_register()) {
        write_bytes(bytes, end.niu->configuration(end.offset));
        return bytes;
    }
    for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t address = end.address + from + i;
        bytes[i] = end.memory == Memory::l1 ? end.tile->l1()[address] : dram.byte(end.tile->group, address);
    }
    return bytes;
}

void put(Dram& dram, const End& end, std::uint64_t from, std::span<const std::uint8_t> bytes) {
    if (end.is_register()) {
        end.niu->store_configuration(end.offset, read_bytes(bytes));
        return;
    }
    for (std::uint64_t i = 0; i < bytes.size(); ++i) {
        const std::uint64_t address = end.address + from + i;
        (end.memory == Memory::l1 ? end.tile->l1()[address] : dram.byte(end.tile->group, address)) = bytes[i];
    }
}

bool overlap(const End& a, std::uint64_t a_size, const End& b, std::uint64_t b_size) {
    const bool same = a.memory == b.memory && !a.is_register() &&
                      (a.memory == Memory::dram ? a.tile->group == b.tile->group : a.tile == b.tile);
    return same && a.address < b.address + b_size && b.address < a.address + a_size;
}

}  // namespace tessera::reference::noc
