// SPDX-License-Identifier: Apache-2.0
// The request that an initiator's registers make (NoC/MemoryMap, "NIU Request Initiators").
#pragma once

#include <span>

#include "noc/layout.hpp"
#include "noc/refusal.hpp"
#include "noc/registers.hpp"

namespace tessera::noc {

/// First address of registers in the address space of Tensix and Ethernet tiles.
inline constexpr std::uint32_t registers_begin = 0xFFB0'0000;
/// Of both NIUs: these bits of an address's lower word have this value.
inline constexpr std::uint32_t niu_base = 0xFFB2'0000, niu_mask = 0xFFFE'0000;
/// Of each of them.
inline constexpr std::uint32_t niu_bytes = 0x1'0000;
constexpr bool is_register(std::uint64_t address) { return address >= registers_begin && address <= 0xFFFF'FFFF; }
/// The same of any kind of tile.
inline bool is_register(TileKind kind, std::uint64_t address) { return Layout::has_registers(kind) && is_register(address); }

/// An address as the tile takes it. On Wormhole, Tensix and Ethernet tiles ignore the upper bits of their NIUs' (MemoryMap, NIU_BASE).
inline std::uint64_t local_address(Arch arch, TileKind kind, std::uint64_t address) {
    const bool ignores = arch == Arch::wormhole && (kind == TileKind::tensix || kind == TileKind::ethernet);
    return ignores && (address & niu_mask) == niu_base ? address & 0xFFFF'FFFF : address;
}

/// Coordinates as in a register: x, y, and of a broadcast the first x and y, in 6 bits each. They are those of the NIU's NoC.
struct Coordinates {
    std::uint32_t bits = 0;
    unsigned x() const { return bits & 63; }
    unsigned y() const { return bits >> 6 & 63; }
    unsigned first_x() const { return bits >> 12 & 63; }
    unsigned first_y() const { return bits >> 18 & 63; }
};

/// An initiator's registers.
class Request {
public:
    Request(Arch arch, std::span<std::uint32_t> words) : map_(register_map(arch)), words_(words) {}

    std::uint32_t& word(std::uint32_t offset) const { return words_[offset / 4]; }
    std::uint32_t control() const { return word(offset::ctrl); }
    std::uint32_t kind() const { return control() & ctrl::kind; }
    bool is_read() const { return kind() == ctrl::read; }
    bool is_write() const { return kind() == ctrl::write; }
    bool is_atomic() const { return kind() == ctrl::atomic; }
    bool is_inline() const { return is_write() && control() & ctrl::write_inline; }
    bool has_byte_enables() const { return is_write() && !is_inline() && control() & ctrl::byte_enable; }
    bool posted() const { return !is_read() && !(control() & ctrl::response_marked); }
    bool broadcast() const { return control() & ctrl::broadcast; }
    std::uint32_t tag() const { return word(offset::packet_tag); }
    std::uint8_t transaction() const { return tag() >> noc::tag::transaction & 15; }
    /// The first 16 bytes go to another place, too (NOC_PACKET_TAG_HEADER_STORE).
    bool stores_header() const { return is_write() && posted() && tag() & noc::tag::header_store; }
    std::uint32_t length() const { return word(offset::at_len_be); }
    std::uint32_t data() const { return word(map_.at_data); }
    /// Bits of NOC_AT_LEN_BE as byte enables: 32 on Wormhole, 64 on Blackhole.
    std::uint64_t byte_enables() const;

    std::uint64_t target() const { return address(offset::targ_addr_lo, offset::targ_addr_mid); }
    std::uint64_t answer() const { return address(offset::ret_addr_lo, offset::ret_addr_mid); }
    Coordinates target_place() const { return {word(map_.targ_place) >> map_.place_shift & 0xFF'FFFF}; }
    Coordinates answer_place() const { return {word(map_.ret_place) >> map_.place_shift & 0xFF'FFFF}; }
    void set_target_place(Coordinates place) const { set_place(map_.targ_place, place); }
    void set_answer_place(Coordinates place) const { set_place(map_.ret_place, place); }

    /// Whether the request's data or operation goes to `answer()`, as that of a plain write.
    bool goes_to_answer() const { return is_write() && !is_inline(); }
    /// A request longer than a packet continues with the next one.
    void advance(std::uint32_t bytes) const {
        advance(offset::targ_addr_lo, offset::targ_addr_mid, bytes);
        advance(offset::ret_addr_lo, offset::ret_addr_mid, bytes);
        word(offset::at_len_be) -= bytes;
    }

private:
    /// Wormhole counts up the lower word alone, Blackhole the whole address (NoC/Counters).
    void advance(std::uint32_t lo, std::uint32_t mid, std::uint32_t bytes) const {
        word(lo) += bytes;
        if (!map_.place_shift && word(lo) < bytes) ++word(mid);
    }
    std::uint64_t address(std::uint32_t lo, std::uint32_t mid) const {
        const std::uint32_t above = map_.place_shift ? word(mid) & ((1u << map_.place_shift) - 1) : word(mid);
        return std::uint64_t{above} << 32 | word(lo);
    }
    void set_place(std::uint32_t offset, Coordinates place) const {
        const std::uint32_t mask = 0xFF'FFFFu << map_.place_shift;
        word(offset) = (word(offset) & ~mask) | (place.bits << map_.place_shift & mask);
    }

    const RegisterMap& map_;
    std::span<std::uint32_t> words_;
};

/// The coordinates of both ends after translation.
struct Places {
    Coordinates target, answer;
};

/// Which places a chip has, and what is at them.
class Neighbourhood {
public:
    virtual ~Neighbourhood() = default;
    /// Why no packet can be sent there.
    virtual Refusal unreachable(Place place) const = 0;
    /// A Tensix tile that is switched off: broadcasts pass it.
    virtual bool is_off(Place) const { return false; }
};

struct NiuSite;

/// The refusal of a request of that NIU's own tile, before anything happens.
Refusal check(const NiuSite& site, const Neighbourhood& around, const Request& request, const Places& places);

}  // namespace tessera::noc
