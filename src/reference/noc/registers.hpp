// SPDX-License-Identifier: Apache-2.0
// Registers of an NIU (NoC/MemoryMap): offsets and fields, with the pages' names. Counters: counters.hpp.
#pragma once

#include <cstdint>

#include "tessera/arch.hpp"

namespace tessera::reference::noc {

// Offsets from an initiator's first register, or from NIU_BASE, that both chips have.
inline constexpr std::uint32_t NOC_TARG_ADDR_LO = 0x00, NOC_TARG_ADDR_HI = 0x08, NOC_RET_ADDR_LO = 0x0C,
                               NOC_RET_ADDR_HI = 0x14, NOC_PACKET_TAG = 0x18, NOC_CTRL = 0x1C, NOC_AT_LEN_BE = 0x20;
inline constexpr std::uint32_t CONFIGURATION = 0x100, NIU_CFG_0 = 0x100, ROUTER_CFG_1 = 0x108, ROUTER_CFG_3 = 0x110,
                               NOC_X_ID_TRANSLATE_TABLE_0 = 0x118, COUNTERS = 0x200;
// Blackhole's alone.
inline constexpr std::uint32_t NOC_AT_LEN_BE_1 = 0x24, NOC_BRCST_EXCLUDE = 0x2C, NOC_L1_ACC_AT_INSTRN = 0x30;
inline constexpr std::uint32_t NOC_ID_TRANSLATE_COL_MASK = 0x150, NOC_ID_TRANSLATE_ROW_MASK = 0x154,
                               DDR_COORD_TRANSLATE_TABLE_0 = 0x158, DDR_COORD_TRANSLATE_TABLE_5 = 0x16C,
                               DDR_COORD_TRANSLATE_COL_SWAP = 0x170, DEBUG_COUNTER_RESET = 0x174,
                               NIU_TRANS_COUNT_RTZ_CFG = 0x178, NIU_TRANS_COUNT_RTZ_CLR = 0x17C,
                               NIU_TRANS_COUNT_RTZ_NUM = 0x378, NIU_TRANS_COUNT_RTZ_SOURCE = 0x37C;

/// Values in which the chips differ: offsets, sizes in bytes.
struct Map {
    std::uint32_t NOC_CMD_BUF_OFFSET, NOC_AT_DATA, NOC_CMD_CTRL, NOC_NODE_ID, NOC_ENDPOINT_ID, clear_outstanding,
        NOC_Y_ID_TRANSLATE_TABLE_0, NOC_ID_LOGICAL;
    std::uint32_t flit, packet;
    std::uint32_t dram_read_alignment;  ///< BlackholeA0: NOC_DRAM_READ_ALIGNMENT_BYTES of noc_parameters.h
    std::uint32_t tensix_l1, ethernet_l1;
    std::uint64_t dram;
};
inline constexpr Map blackhole_map{.NOC_CMD_BUF_OFFSET = 0x800,
                                   .NOC_AT_DATA = 0x28,
                                   .NOC_CMD_CTRL = 0x40,
                                   .NOC_NODE_ID = 0x44,
                                   .NOC_ENDPOINT_ID = 0x48,
                                   .clear_outstanding = 0x60,
                                   .NOC_Y_ID_TRANSLATE_TABLE_0 = 0x130,
                                   .NOC_ID_LOGICAL = 0x148,
                                   .flit = 64,
                                   .packet = 16384,
                                   .dram_read_alignment = 64,
                                   .tensix_l1 = 1536 * 1024,
                                   .ethernet_l1 = 512 * 1024,
                                   .dram = 0xFF00'0000};
inline constexpr Map wormhole_map{.NOC_CMD_BUF_OFFSET = 0x400,
                                  .NOC_AT_DATA = 0x24,
                                  .NOC_CMD_CTRL = 0x28,
                                  .NOC_NODE_ID = 0x2C,
                                  .NOC_ENDPOINT_ID = 0x30,
                                  .clear_outstanding = 0x50,
                                  .NOC_Y_ID_TRANSLATE_TABLE_0 = 0x128,
                                  .NOC_ID_LOGICAL = 0x138,
                                  .flit = 32,
                                  .packet = 8192,
                                  .dram_read_alignment = 32,
                                  .tensix_l1 = 1464 * 1024,
                                  .ethernet_l1 = 256 * 1024,
                                  .dram = 0x8000'0000};
constexpr const Map& map_of(Arch arch) { return arch == Arch::blackhole ? blackhole_map : wormhole_map; }

// NOC_CTRL: the request's kind in bits 0 and 1, then the numbers of bits.
inline constexpr std::uint32_t NOC_CMD_RD = 0, NOC_CMD_AT = 1, NOC_CMD_WR = 2;
inline constexpr unsigned NOC_CMD_WR_BE = 2, NOC_CMD_WR_INLINE = 3, NOC_CMD_RESP_MARKED = 4, NOC_CMD_BRCST_PACKET = 5,
                          NOC_CMD_VC_LINKED = 6, NOC_CMD_VC_STATIC = 7, NOC_CMD_STATIC_VC = 13, NOC_CMD_BRCST_XY = 16,
                          NOC_CMD_BRCST_SRC_INCLUDE = 17, NOC_CMD_L1_ACC_AT_EN = 31;
// NIU_CFG_0.
inline constexpr unsigned tile_clock_disable = 12, double_store_disable = 13, coordinate_translation_enable = 14,
                          axi_subordinate_enable = 15, request_fifo_enable = 16;
// NOC_PACKET_TAG.
inline constexpr unsigned DeliverToReceiverOverlay = 6, NOC_PACKET_TAG_HEADER_STORE = 9, NOC_PACKET_TRANSACTION_ID = 10;

}  // namespace tessera::reference::noc
