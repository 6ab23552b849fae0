// SPDX-License-Identifier: Apache-2.0
// The part of a PACR that only configuration decides: formats, strides, bases, modes, loop. Kept between PACRs; counters
// and streams are looked at each time.
#pragma once

#include <array>
#include <optional>

#include "findings/catalogue.hpp"
#include "plan/work.hpp"
#include "tessera/data_format.hpp"

namespace tessera::units {
class Look;
}

namespace tessera::units::packer {

/// What differs between Wormhole's four packers; Blackhole has the first alone.
struct PackerSetup {
    plan::PackWork::Conversion conversion;
    bool has_exponent_section = false;   ///< the output format has less than 16 bits
    std::uint8_t address_bytes = 1;      ///< bytes that Dst addresses count per datum (In_data_format)
    std::uint16_t x_mask = 0xF;          ///< datums addressable below 16 bytes
    std::uint32_t l1_address = 0;        ///< L1_Dest_addr, in units of 16 bytes, header included
    std::uint32_t exponent_section = 0;  ///< Exp_section_size, in units of 16 bytes
    std::uint32_t limit = 0, fifo = 0;   ///< last unit of the circular buffer and its size, in units of 16 bytes
    std::uint32_t dst_offset = 0;        ///< DEST_TARGET_REG_CFG_PACK_SEC Offset, in rows
    std::uint8_t adc_override = 0;       ///< Addr_cnt_context, for OvrdThreadId
    plan::PackWork::Edges edges;
    std::optional<findings::Note> fault;  ///< of this packer alone
};

struct Setup {
    std::optional<findings::Note> fault;  ///< of all
    bool negative_threshold = false;      ///< of the ReLU
    plan::DstMap map;
    std::uint16_t in_x_stride = 0, in_y_stride = 0, in_z_stride = 0, in_w_stride = 0;
    std::uint16_t out_y_stride = 0, out_z_stride = 0, out_w_stride = 0;
    std::uint32_t in_base = 0, out_base = 0;
    plan::PackWork::EdgeMasks edge_masks{};
    std::array<PackerSetup, 4> packers{};
};

Setup make_setup(const Look& look);

}  // namespace tessera::units::packer
