// SPDX-License-Identifier: Apache-2.0
#include "noc/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "noc/atomics.hpp"
#include "noc/coordinates.hpp"
#include "noc/niu_site.hpp"
#include "noc/routes.hpp"
#include "util/range_text.hpp"

namespace tessera::noc {

namespace {

std::string text(const Layout& chip, Place place) {
    return fmt::format("the {} tile at {}", name(chip.kind(place)), describe(place));
}

std::uint64_t memory_bytes(const Layout& chip, TileKind kind) {
    switch (kind) {
        case TileKind::tensix: return chip.l1_bytes;
        case TileKind::ethernet: return chip.ethernet_l1_bytes;
        case TileKind::dram: return chip.dram_bytes;
        default: return 0;
    }
}

/// One end of a transfer.
struct End {
    Place place;
    std::uint64_t address;
    TileKind kind;
    bool in_registers() const { return is_register(kind, address); }
};

End end_at(const Layout& chip, Place place, std::uint64_t address) {
    const TileKind kind = chip.kind(place);
    return {place, local_address(chip.arch, kind, address), kind};
}

/// A register of an NIU, in a tile whose memory may have 0xFFB2'0000, too (MemoryMap, NIU_BASE). Blackhole's DRAM tiles ignore upper bits.
bool is_niu_of_memory(const Layout& chip, const End& end) {
    if (Layout::has_registers(end.kind)) return false;
    if (chip.arch == Arch::wormhole) return end.address >> 32 == 0xF;
    if ((end.address & niu_mask) != niu_base) return false;
    return end.kind == TileKind::dram || end.address >> 32 == 0xFFFF'FFFF;
}

bool fits(std::uint64_t first, std::uint64_t bytes, std::uint64_t size) { return first <= size && bytes <= size - first; }

std::string check_register(const End& end) {
    return end.address % 4 ? fmt::format("register 0x{:X} is not at a multiple of 4", end.address) : std::string();
}

std::string check_end(const Layout& chip, const End& end, std::uint64_t bytes) {
    if (end.in_registers()) return check_register(end);
    if (end.kind == TileKind::pcie) {
        if (end.address >= chip.host_first && fits(end.address - chip.host_first, bytes, chip.host_bytes)) return {};
        return fmt::format("{} of {} are not addresses of the host's memory", util::byte_range_text(end.address, bytes),
                           text(chip, end.place));
    }
    const std::uint64_t size = memory_bytes(chip, end.kind);
    if (!fits(end.address, bytes, size))
        return fmt::format("{} is beyond the memory of {}, which has 0x{:X} bytes", util::byte_range_text(end.address, bytes),
                           text(chip, end.place), size);
    return {};
}

std::string check_atomic(const Layout& chip, const Request& request, std::span<const Place> targets, std::optional<Place> answer) {
    if (targets.empty()) return {};
    if (!is_known_atomic(chip.arch, request.length()))
        return fmt::format("atomic operation 0x{:X} is not documented", request.length());
    const bool whole_line = is_parallel_addition(chip.arch, request.length());
    if (whole_line && answer) return "a parallel addition has no defined result for a response";
    for (Place place : targets) {
        const TileKind kind = chip.kind(place);
        if (kind != TileKind::tensix && kind != TileKind::ethernet)
            return fmt::format("atomics work on L1, and {} has none", text(chip, place));
        if ((request.target() % 4 && !whole_line) || request.target() >= memory_bytes(chip, kind))
            return "atomics need a word of L1 as their target";
    }
    if (!answer) return {};
    const TileKind kind = chip.kind(*answer);
    if ((kind != TileKind::tensix && kind != TileKind::ethernet) || request.answer() % 4 ||
        request.answer() >= memory_bytes(chip, kind))
        return "the response of an atomic needs a word of L1";
    return {};
}

std::string check_word(const Layout& chip, const Request& request, std::span<const Place> targets) {
    for (Place place : targets) {
        const End end = end_at(chip, place, request.target());
        if (end.in_registers()) {
            if (auto wrong = check_register(end); !wrong.empty()) return wrong;
            continue;
        }
        if (!Layout::has_registers(end.kind)) return fmt::format("inline writes go to L1 and to registers, not to {}", text(chip, end.place));
        if (chip.arch == Arch::blackhole) return "inline writes to L1 are not safe on Blackhole";
        if (auto wrong = check_end(chip, {place, end.address & ~std::uint64_t{15}, end.kind}, 16); !wrong.empty()) return wrong;
    }
    return {};
}

std::string check_split(const Layout& chip, const Request& request, std::uint64_t addresses) {
    if (request.length() <= chip.packet_bytes || addresses % chip.flit_bytes == 0) return {};
    return fmt::format("a request longer than a packet needs addresses that are multiples of {}", chip.flit_bytes);
}

std::string check_header(const Layout& chip, const Request& request, const End& from) {
    if (!request.stores_header()) return {};
    const std::uint32_t last_packet = (request.length() - 1) % chip.packet_bytes + 1;
    if (from.address % 16 == 0 && last_packet >= 16) return {};
    return "NOC_PACKET_TAG_HEADER_STORE needs 16 bytes from a multiple of 16 on in each packet";
}

constexpr const char* words_only = "registers are read and written as words of 4 bytes";

/// Of a write that nobody receives.
std::string check_source(const Layout& chip, const Request& request, const End& from) {
    if (request.has_byte_enables()) return check_end(chip, from, 4);
    if (auto wrong = check_split(chip, request, from.address | request.answer()); !wrong.empty()) return wrong;
    if (auto wrong = check_header(chip, request, from); !wrong.empty()) return wrong;
    if (from.in_registers() && request.length() != 4) return words_only;
    return check_end(chip, from, request.length());
}

std::string check_congruent(const End& from, const End& to, std::uint32_t modulo, std::string_view where) {
    if ((from.address ^ to.address) % modulo == 0) return {};
    return fmt::format("both addresses must be the same modulo {}{}: 0x{:X} and 0x{:X}", modulo, where, from.address, to.address);
}

/// A copy of which one end at least is a register (NoC/Alignment: AL=4, C4, C16, DA4, DA32, SA4).
std::string check_register_copy(const Layout& chip, const Request& request, const End& from, const End& to) {
    if (request.length() != 4 && !request.has_byte_enables()) return words_only;
    if (auto wrong = check_header(chip, request, from); !wrong.empty()) return wrong;
    if (auto wrong = check_end(chip, from, 4); !wrong.empty()) return wrong;
    if (!request.has_byte_enables() || to.in_registers()) {
        if (auto wrong = check_end(chip, to, 4); !wrong.empty()) return wrong;
        return check_congruent(from, to, from.in_registers() ? 4 : 16, from.in_registers() ? " in reads of registers" : " in writes to registers");
    }
    if (to.address % chip.flit_bytes) return fmt::format("writes with byte enables need a destination that is a multiple of {}", chip.flit_bytes);
    return check_end(chip, to, chip.flit_bytes);
}

std::string check_copy(const Layout& chip, const Request& request, const End& from, const End& to) {
    const std::uint32_t length = request.length();
    if (from.in_registers() || to.in_registers()) return check_register_copy(chip, request, from, to);
    if (request.has_byte_enables()) {
        const std::uint32_t bytes = chip.flit_bytes;
        if ((from.address | to.address) % bytes) return fmt::format("writes with byte enables need addresses that are multiples of {}", bytes);
        // Bytes that no mask names are neither read nor written.
        const auto used = static_cast<std::uint32_t>(std::bit_width(request.byte_enables()));
        if (auto wrong = check_end(chip, from, used); !wrong.empty()) return wrong;
        return check_end(chip, to, used);
    }
    const bool reads_far = request.is_read() && !Layout::has_registers(from.kind);
    const std::uint32_t alignment = reads_far ? chip.dram_alignment : 16;
    const std::string_view where = !reads_far ? "" : from.kind == TileKind::dram ? " in reads from DRAM" : " in reads from the host";
    if (auto wrong = check_congruent(from, to, alignment, where); !wrong.empty()) return wrong;
    if (auto wrong = check_split(chip, request, from.address | to.address); !wrong.empty()) return wrong;
    if (auto wrong = check_end(chip, from, length); !wrong.empty()) return wrong;
    if (auto wrong = check_end(chip, to, length); !wrong.empty()) return wrong;
    const std::uint64_t apart = std::max(from.address, to.address) - std::min(from.address, to.address);
    if (from.place == to.place && apart != 0 && apart < length) return "source and destination overlap";
    if (request.stores_header()) {
        if (auto wrong = check_header(chip, request, from); !wrong.empty()) return wrong;
        const std::uint64_t header = std::uint64_t{request.data()} << 4;
        const auto overlaps = [&](const End& end) {
            return end.place == to.place && header < end.address + length && end.address < header + 16;
        };
        if (overlaps(to) || overlaps(from)) return "the place of NOC_PACKET_TAG_HEADER_STORE overlaps the data";
        return check_end(chip, {to.place, header, to.kind}, 16);
    }
    return {};
}

// NOC_BRCST_EXCLUDE, from bit 8 on: a place, two directions, and whether it counts.
std::string check_exclude(const Layout& chip, const Request& request, const Places& places) {
    if (chip.arch != Arch::blackhole || !request.broadcast()) return {};
    const std::uint32_t exclude = request.word(offset::brcst_exclude);
    constexpr std::uint32_t known = 0x007F'FF00, enabled = 1 << 22;
    if (exclude & ~known) return "only bits 8 to 22 of NOC_BRCST_EXCLUDE have a known purpose";
    const Coordinates at = request.goes_to_answer() ? places.answer : places.target;
    if (exclude & enabled && (at.first_x() > at.x() || at.first_y() > at.y()))
        return "NOC_BRCST_EXCLUDE has no known meaning for a rectangle that goes round";
    return {};
}

/// The check of one request, step by step.
class Check {
public:
    Check(const NiuSite& site, const Neighbourhood& around, const Request& request, const Places& places)
        : site_(site), chip_(site.chip), around_(around), request_(request), places_(places) {}

    Refusal run() {
        if (auto wrong = check_control(); !wrong.empty()) return wrong;
        if (auto wrong = find_targets(); !wrong.empty()) return wrong;
        if (auto wrong = check_no_niu_of_memory(); !wrong.empty()) return wrong;
        std::optional<Place> answer;  // of a response, if there is one
        if (request_.is_read() || (request_.is_atomic() && !request_.posted()))
            if (auto wrong = find_receiver(places_.answer, "a response", answer); !wrong.empty()) return wrong;
        if (request_.is_atomic()) return check_atomic(chip_, request_, targets_, answer);
        if (request_.is_inline()) return check_word(chip_, request_, targets_);
        if (request_.is_read())
            return check_copy(chip_, request_, end_at(chip_, targets_[0], request_.target()), end_at(chip_, *answer, request_.answer()));
        return check_write();
    }

private:
    Refusal check_control() const {
        if (request_.kind() == ctrl::kind) return "request type 3 is reserved";
        if (request_.control() & ctrl::accumulate) {
            if (chip_.arch == Arch::wormhole) return "bit 31 of NOC_CTRL is reserved";
            return "NOC_CMD_L1_ACC_AT_EN does not work on chips";
        }
        if (request_.tag() & noc::tag::to_overlay && request_.is_write())
            return Refusal::not_modelled("Tessera does not model delivery to the overlay (NOC_PACKET_TAG)");
        if (request_.is_read() && request_.broadcast()) return "reads cannot be broadcast";
        if (auto wrong = check_exclude(chip_, request_, places_); !wrong.empty()) return wrong;
        if (chip_.arch == Arch::blackhole && !request_.has_byte_enables() && !request_.is_atomic() &&
            !request_.is_inline() && request_.word(offset::at_len_be_1))
            return "the length does not fit in 32 bits (NOC_AT_LEN_BE_1)";
        if (!request_.is_atomic() && !request_.is_inline() && !request_.has_byte_enables() && request_.length() == 0)
            return "a request of 0 bytes";
        if (request_.stores_header() && (request_.is_inline() || request_.has_byte_enables()))
            return "NOC_PACKET_TAG_HEADER_STORE has no known meaning with inline data or byte enables";
        if (!(request_.control() & ctrl::static_vc)) return {};
        const unsigned vc_class = request_.control() >> ctrl::vc_class & 3;
        if (vc_class == 3 || (vc_class == 2) != request_.broadcast())
            return fmt::format("class {} of a static virtual channel is not for a {} request", vc_class,
                               request_.broadcast() ? "broadcast" : "unicast");
        return {};
    }

    Refusal find_targets() {
        const Coordinates at = request_.goes_to_answer() ? places_.answer : places_.target;
        if (request_.broadcast()) return find_rectangle(at);
        std::optional<Place> target;
        if (auto wrong = find(at, target); !wrong.empty()) return wrong;
        targets_ = {*target};
        return {};
    }

    Refusal find_rectangle(Coordinates at) {
        const auto rectangle = rectangle_of(chip_, site_.noc, at);
        if (!rectangle) return outside(chip_.contains(at.x(), at.y()) ? Coordinates{at.bits >> 12} : at);
        targets_ = places_of(chip_, site_.noc, *rectangle);
        const bool includes_own = request_.control() & ctrl::include_source;
        std::erase_if(targets_, [&](Place one) {
            return chip_.kind(one) != TileKind::tensix || around_.is_off(one) || (one == site_.place && !includes_own);
        });
        for (Place one : targets_)
            if (auto wrong = around_.unreachable(one); !wrong.empty()) return wrong;
        return {};
    }

    Refusal check_no_niu_of_memory() const {
        const std::uint64_t address = request_.goes_to_answer() ? request_.answer() : request_.target();
        for (Place one : targets_)
            if (is_niu_of_memory(chip_, end_at(chip_, one, address)))
                return Refusal::not_modelled(fmt::format("Tessera does not model registers of {}", text(chip_, one)));
        return {};
    }

    Refusal check_write() const {
        std::optional<Place> acknowledged;
        if (!request_.posted())
            if (auto wrong = find_receiver(places_.target, "an acknowledgement", acknowledged); !wrong.empty()) return wrong;
        const End from = end_at(chip_, site_.place, request_.target());
        if (targets_.empty()) return check_source(chip_, request_, from);
        for (Place one : targets_)
            if (auto wrong = check_copy(chip_, request_, from, end_at(chip_, one, request_.answer())); !wrong.empty()) return wrong;
        return {};
    }

    /// The tile that coordinates mean.
    Refusal find(Coordinates at, std::optional<Place>& place) const {
        place = place_of(chip_, site_.noc, at.x(), at.y());
        return place ? around_.unreachable(*place) : outside(at);
    }

    /// The tile that a packet goes back to.
    Refusal find_receiver(Coordinates at, std::string_view packet, std::optional<Place>& place) const {
        if (auto wrong = find(at, place); !wrong.empty()) return wrong;
        if (!Layout::has_registers(chip_.kind(*place))) return fmt::format("{} cannot go to {}", packet, text(chip_, *place));
        return {};
    }

    Refusal outside(Coordinates at) const { return fmt::format("there is no tile at ({}, {}) of NoC {}", at.x(), at.y(), site_.noc); }

    const NiuSite& site_;
    const Layout& chip_;
    const Neighbourhood& around_;
    const Request& request_;
    const Places& places_;
    std::vector<Place> targets_;
};

}  // namespace

std::uint64_t Request::byte_enables() const {
    return map_.place_shift ? length() : std::uint64_t{word(offset::at_len_be_1)} << 32 | length();
}

Refusal check(const NiuSite& site, const Neighbourhood& around, const Request& request, const Places& places) {
    return Check(site, around, request, places).run();
}

}  // namespace tessera::noc
