// SPDX-License-Identifier: Apache-2.0
#include "noc/niu_registers.hpp"

#include <bit>

#include "noc/coordinates.hpp"

namespace tessera::noc {

std::uint32_t* NiuRegisters::plain_word(std::uint32_t offset) const {
    if (offset >= offset::configuration && offset < map_.configuration_end) return &configuration(offset);
    const auto [which, item] = item_at(offset);
    if (which < initiators && item < map_.cmd_ctrl) return &initiator_words_of(which)[item / 4];
    return nullptr;
}

std::optional<unsigned> NiuRegisters::initiator_of(std::uint32_t offset) const {
    const auto [which, item] = item_at(offset);
    return which < initiators && item <= map_.cmd_ctrl ? std::optional(which) : std::nullopt;
}

bool NiuRegisters::is_command(std::uint32_t offset) const {
    return initiator_of(offset) && item_at(offset).offset == map_.cmd_ctrl;
}

std::optional<std::uint32_t> NiuRegisters::load_of_blackhole(std::uint32_t offset) {
    const auto [which, item] = item_at(offset);
    if (offset == offset::rtz_clr) return 0;
    if (offset == offset::rtz_source) return returned_to_zero_;
    if (offset == offset::rtz_num) return interrupting_transaction();
    if (which < initiators && item >= offset::fifo_status && item < offset::fifo_status_end) return 0;
    return std::nullopt;
}

std::optional<std::uint32_t> NiuRegisters::load(std::uint32_t offset, unsigned pending) {
    if (offset >= offset::counters_begin && offset < offset::counters_end) return words_.counter[(offset - offset::counters_begin) / 4];
    if (site_.chip.arch == Arch::blackhole) {
        if (const auto value = load_of_blackhole(offset)) return value;
    } else if (offset == offset::combined_status) {
        return pending;
    }
    if (const auto* word = plain_word(offset)) return *word;
    const auto [which, item] = item_at(offset);
    if (which >= initiators) return std::nullopt;
    if (item == map_.cmd_ctrl) return pending >> which & 1;
    if (item == map_.endpoint_id) return site_.chip.endpoint_id(site_.place, site_.noc);
    if (item == map_.node_id) return site_.chip.node_id(site_.place, site_.noc);
    return std::nullopt;
}

std::uint32_t NiuRegisters::interrupting_transaction() {
    constexpr std::uint32_t enabled_ids = 0xFFFF, keeps = 1 << 28;
    const std::uint32_t settings = configuration(offset::rtz_cfg);
    const std::uint32_t raised = returned_to_zero_ & settings & enabled_ids;
    const auto first = static_cast<std::uint32_t>(raised ? std::countr_zero(raised) : 0);
    if (raised && !(settings & keeps)) {
        returned_to_zero_ &= ~(1u << first);
        site_.behind.changed();
    }
    return first;
}

bool NiuRegisters::store(std::uint32_t offset, std::uint32_t value) {
    if (offset == map_.clear_outstanding) {
        for (unsigned i = 0; i < transactions; ++i)
            if (value >> i & 1) change_by_id(Counter::mst_reqs_outstanding_id, i, 0 - count(Counter::mst_reqs_outstanding_id, i));
        site_.behind.changed();
        return true;
    }
    if (site_.chip.arch == Arch::blackhole && offset == offset::rtz_clr) {
        returned_to_zero_ &= ~value;
        return true;
    }
    if (site_.chip.arch == Arch::blackhole && (offset == offset::rtz_source || offset == offset::rtz_num)) return true;
    auto* const word = plain_word(offset);
    if (!word) return false;
    const bool is_tag = item_at(offset).offset == offset::packet_tag;
    *word = is_tag ? value & 0xFFFF : value;
    return true;
}

void NiuRegisters::change_by_id(Counter first, unsigned transaction, std::uint32_t amount) {
    constexpr std::uint32_t mask = 0xFF;
    std::uint32_t& counter = count(first, transaction);
    const std::uint32_t before = counter;
    counter = (counter + amount) & mask;
    if (first == Counter::mst_reqs_outstanding_id && before && !counter) returned_to_zero_ |= 1u << transaction;
}

bool NiuRegisters::has_request_fifo() const {
    return site_.chip.arch == Arch::blackhole && configuration(offset::niu_cfg_0) >> 16 & 1;
}

Places NiuRegisters::places_of(const Request& request) const {
    if (!(configuration(offset::niu_cfg_0) & translate_enable)) return {request.target_place(), request.answer_place()};
    const Arch arch = site_.chip.arch;
    return {translate(arch, words_.configuration, request.target_place()), translate(arch, words_.configuration, request.answer_place())};
}

bool NiuRegisters::opts_out(std::uint32_t exclude) const {
    const Place seen = site_.seen();
    if (configuration(offset::router_cfg_1) >> seen.x & 1 || configuration(offset::router_cfg_3) >> seen.y & 1) return true;
    return excludes(exclude, seen);
}

// One quadrant around a place is left out.
bool excludes(std::uint32_t exclude, Place seen) {
    if (!(exclude >> 22 & 1)) return false;
    const unsigned x = exclude >> 8 & 63, y = exclude >> 14 & 63;
    return (exclude >> 20 & 1 ? seen.x >= x : seen.x <= x) && (exclude >> 21 & 1 ? seen.y >= y : seen.y <= y);
}

}  // namespace tessera::noc
