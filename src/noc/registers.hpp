// SPDX-License-Identifier: Apache-2.0
// Registers and counters of an NIU (NoC/MemoryMap and NoC/Counters of each chip).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tessera/arch.hpp"

namespace tessera::noc {

inline constexpr unsigned initiators = 4, initiator_words = 16, configuration_words = 32, counters = 64;
inline constexpr unsigned transactions = 16;

/// Offsets from an initiator's first register.
namespace offset {
inline constexpr std::uint32_t targ_addr_lo = 0x00, targ_addr_mid = 0x04, targ_addr_hi = 0x08, ret_addr_lo = 0x0C,
                               ret_addr_mid = 0x10, ret_addr_hi = 0x14, packet_tag = 0x18, ctrl = 0x1C, at_len_be = 0x20,
                               at_len_be_1 = 0x24, brcst_exclude = 0x2C;
/// Offsets from NIU_BASE.
inline constexpr std::uint32_t configuration = 0x100, niu_cfg_0 = 0x100, router_cfg_1 = 0x108, router_cfg_3 = 0x110,
                               x_translate_table = 0x118, counters_begin = 0x200, counters_end = 0x300,
                               combined_status = 0x54, fifo_status = 0x64, fifo_status_end = 0x6C,
                               col_mask = 0x150, row_mask = 0x154, ddr_table = 0x158, ddr_table_last = 0x16C, ddr_col_swap = 0x170,
                               rtz_cfg = 0x178, rtz_clr = 0x17C, rtz_num = 0x378, rtz_source = 0x37C;
}  // namespace offset

/// The index of the counter at an offset from NIU_BASE; empty: there is none.
constexpr std::optional<unsigned> counter_at(std::uint32_t at) {
    if (at < offset::counters_begin || at >= offset::counters_end) return std::nullopt;
    return (at - offset::counters_begin) / 4;
}

/// Values in which the chips differ; offsets as above.
struct RegisterMap {
    std::uint32_t initiator_stride;
    std::uint32_t targ_place, ret_place;  ///< the register with the coordinates
    unsigned place_shift;                 ///< of the coordinates in it; below them are bits of the address
    std::uint32_t at_data, cmd_ctrl;
    std::uint32_t node_id, endpoint_id;
    std::uint32_t clear_outstanding, y_translate_table, id_logical, configuration_end;
    unsigned translate_bits;  ///< of an entry of a translation table
};
inline constexpr RegisterMap register_maps[] = {
    {0x800, offset::targ_addr_hi, offset::ret_addr_hi, 0, 0x28, 0x40, 0x44, 0x48, 0x60, 0x130, 0x148, 0x180, 5},
    {0x400, offset::targ_addr_mid, offset::ret_addr_mid, 4, 0x24, 0x28, 0x2C, 0x30, 0x50, 0x128, 0x138, 0x13C, 4},
};
constexpr const RegisterMap& register_map(Arch arch) { return register_maps[static_cast<std::size_t>(arch)]; }

/// Bits of NOC_CTRL.
namespace ctrl {
inline constexpr std::uint32_t kind = 3, read = 0, atomic = 1, write = 2, byte_enable = 1 << 2, write_inline = 1 << 3,
                               response_marked = 1 << 4, broadcast = 1 << 5, linked = 1 << 6, static_vc = 1 << 7,
                               path_reserve = 1 << 8, y_major = 1 << 16, include_source = 1 << 17, accumulate = 1u << 31;
inline constexpr unsigned output_ports = 10, buddy = 13, vc_class = 14;
}  // namespace ctrl

/// Bits of NOC_PACKET_TAG.
namespace tag {
inline constexpr std::uint32_t to_overlay = 1 << 6, header_store = 1 << 9;
inline constexpr unsigned transaction = 10;
}  // namespace tag

inline constexpr std::uint32_t translate_enable = 1 << 14;  ///< of NIU_CFG_0

/// Indices of the counters. Of pairs for requests with and without a response, the one with a response is named; the other
/// follows it.
enum class Counter : std::uint8_t {
    mst_atomic_resp_received = 0,
    mst_wr_ack_received = 1,
    mst_rd_resp_received = 2,
    mst_rd_data_word_received = 3,
    mst_cmd_accepted = 4,
    mst_rd_req_sent = 5,
    mst_nonposted_atomic_sent = 6,
    mst_nonposted_wr_data_word_sent = 8,
    mst_nonposted_wr_req_sent = 10,
    mst_nonposted_wr_req_started = 12,
    mst_rd_req_started = 14,
    mst_nonposted_atomic_started = 15,
    mst_reqs_outstanding_id = 16,     ///< the first of 16; 8 bits each
    mst_write_reqs_outgoing_id = 32,  ///< the same
    slv_atomic_resp_sent = 48,
    slv_wr_ack_sent = 49,
    slv_rd_resp_sent = 50,
    slv_rd_data_word_sent = 51,
    slv_req_accepted = 52,
    slv_rd_req_received = 53,
    slv_nonposted_atomic_received = 54,
    slv_nonposted_wr_data_word_received = 56,
    slv_nonposted_wr_req_received = 58,
    slv_nonposted_wr_req_started = 60,
};

/// The words of an NIU's registers, which belong to its tile's state.
struct NiuWords {
    std::span<std::uint32_t> initiator;      ///< initiators * initiator_words
    std::span<std::uint32_t> configuration;  ///< configuration_words, from NIU_BASE + 0x100 on
    std::span<std::uint32_t> counter;        ///< counters
};

}  // namespace tessera::noc
