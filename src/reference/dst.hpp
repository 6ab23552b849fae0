// SPDX-License-Identifier: Apache-2.0
// Dst16b and Dst32b (Blackhole's Dst page; spec-notes B22, B23). Invalid rows read as zero. Datums are in stored
// order, as on the pages.
#pragma once

#include "reference/machine.hpp"

namespace tessera::reference {

class DstView {
public:
    explicit DstView(const Machine& machine)
        : dst_(machine.state.dst),
          remap_addrs_(machine.state.maps_dst && machine[remap_field]),
          swizzle_32b_(machine.state.maps_dst && machine[swizzle_field]),
          upper_(bit(machine.state[state::cells::feature_disable], 11)) {}

    // Bit 11 of DBG_FEATURE_DISABLE: Dst16b is the high half of Dst32b.
    unsigned Adj16(unsigned r) const { return upper_ ? Adj32(r) : Remapped(r); }
    // Swizzle: bit 3 becomes bit 4 xor bit 2, bit 2 becomes bit 3; bit 4 stays.
    unsigned Adj32(unsigned r) const {
        r = Remapped(r);
        if (swizzle_32b_) r = (r & ~0xCu) | (bit(r, 4) ^ bit(r, 2)) << 3 | bit(r, 3) << 2;
        return ((r & 0x1F8) << 1) | (r & 0x207);
    }

    std::uint32_t read16(unsigned Row, unsigned Column) const {
        return dst_.valid[Adj16(Row)] ? stored(Adj16(Row), Column) : 0;
    }
    std::uint32_t read32(unsigned Row, unsigned Column) const {
        const unsigned r = Adj32(Row);
        if (!dst_.valid[r]) return 0;
        return stored(r, Column) << 16 | stored((r + 8) % 1024, Column);
    }
    bool valid16(unsigned Row) const { return dst_.valid[Adj16(Row)]; }
    bool valid32(unsigned Row) const { return dst_.valid[Adj32(Row)]; }
    // The row becomes valid with its last column.
    void write16(unsigned Row, unsigned Column, std::uint32_t x) {
        const unsigned r = Adj16(Row);
        store(r, Column, x & 0xFFFF);
        if (Column == 15) dst_.valid[r] = true;
    }
    void write32(unsigned Row, unsigned Column, std::uint32_t x) {
        const unsigned r = Adj32(Row), low = (r + 8) % 1024;
        store(r, Column, x >> 16);
        store(low, Column, x & 0xFFFF);
        if (Column == 15) dst_.valid[r] = true;
    }
    /// For rows that SFPSTORE, unpackers, MOVA2D and MOVB2D write in part (V2, B23).
    void make_valid16(unsigned Row) { dst_.valid[Adj16(Row)] = true; }
    void make_valid32(unsigned Row) { dst_.valid[Adj32(Row)] = true; }

private:
    static constexpr auto remap_field = registers::field("DEST_ACCESS_CFG_remap_addrs");
    static constexpr auto swizzle_field = registers::field("DEST_ACCESS_CFG_swizzle_32b");
    static constexpr unsigned bit(unsigned r, unsigned i) { return r >> i & 1; }

    // Bit by bit: remap moves bits 5, 4, 3 to 4, 3, 5.
    unsigned Remapped(unsigned r) const {
        r &= 1023;
        if (!remap_addrs_) return r;
        return (r & ~0x38u) | bit(r, 5) << 4 | bit(r, 4) << 3 | bit(r, 3) << 5;
    }

    std::uint32_t stored(unsigned r, unsigned Column) const {
        return read_dst(dst_, r, Column);
    }
    void store(unsigned r, unsigned Column, std::uint32_t x) {
        write_dst(dst_, r, Column, x);
    }

    state::Dst& dst_;
    bool remap_addrs_, swizzle_32b_, upper_;
};

}  // namespace tessera::reference
