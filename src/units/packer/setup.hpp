// SPDX-License-Identifier: Apache-2.0
// The part of a PACR that depends on configuration only: formats, strides, bases, modes, loop. Memoised between
// PACRs; counters and streams are read each time.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "findings/catalogue.hpp"
#include "formats/pack_convert.hpp"
#include "plan/work.hpp"
#include "tessera/data_format.hpp"
#include "units/packer/direct_loops.hpp"
#include "util/inline_vector.hpp"

namespace tessera::units {
class StateView;
}

namespace tessera::units::packer {

/// The differences between Wormhole's four packers. Blackhole has only the first, with the configuration of its
/// context.
struct PackerSetup {
    plan::PackWork::Conversion conversion;
    DirectLoops direct;                  ///< set if there are only conversions
    bool has_exponent_section = false;   ///< the output format has fewer than 16 bits
    std::uint8_t address_bytes = 1;      ///< address step of Dst per datum (In_data_format)
    std::uint16_t x_mask = 0xF;          ///< datums addressable below 16 bytes
    std::uint32_t exponent_section = 0;  ///< Exp_section_size, in units of 16 bytes
    std::uint32_t limit = 0, fifo = 0;   ///< last unit and size of the circular buffer, in units of 16 bytes
    std::uint32_t dst_offset = 0;        ///< DEST_TARGET_REG_CFG_PACK_SEC Offset, in rows
    std::uint8_t adc_override = 0;       ///< Addr_cnt_context, for OvrdThreadId
    plan::PackWork::Edges edges;
    bool from_l1 = false;
    bool all_masked = false;                ///< `edges` replace every datum
    std::uint32_t l1_source = 0;            ///< L1_source_addr, in bytes
    std::uint32_t row_start_section = 0;    ///< Row_start_section_size, in units of 16 bytes
    bool compress = false;                  ///< for a stream that begins
    bool zero_flags = false;                ///< Disable_pack_zero_flags is clear
    bool header = false;                    ///< Add_tile_header_size
    bool header_room = false;               ///< output begins 16 bytes after L1_Dest_addr
    bool add_offset = false;                ///< Add_l1_dest_addr_offset
    bool last_interfaces = false;           ///< Auto_set_last_pacr_intf_sel
    std::uint16_t keep = 0xFFFF;            ///< Downsample_mask
    std::uint16_t armed = 0;                ///< rules that check each PACR, by index in rules()
    std::string_view without_compression;   ///< a mode of this packer that compression excludes
    InlineVector<findings::Note, 4> notes;  ///< of this packer only
    std::optional<findings::Note> fault;    ///< of this packer only
};

struct Setup {
    bool negative_threshold = false;  ///< of the ReLU
    bool shift_by_z = false;          ///< INT_DESCALE_Mode
    bool stochastic = false;
    plan::DstMap map;
    std::uint16_t in_x_stride = 0, in_y_stride = 0, in_z_stride = 0, in_w_stride = 0;
    std::uint16_t out_y_stride = 0, out_z_stride = 0, out_w_stride = 0;
    std::uint32_t in_base = 0, out_base = 0;
    plan::PackWork::EdgeMasks edge_masks{};
    std::array<PackerSetup, 4> packers{};
};

/// `context`: on Blackhole, the packer's configuration.
Setup make_setup(const StateView& view, unsigned context);

/// Formats and modes of a packer's early conversion.
formats::EarlyConversion early_conversion(const StateView& view, unsigned packer, unsigned context);

/// The memoised setup; without slot tables a new one in `fresh`.
const Setup& setup_of(const StateView& view, unsigned context, std::unique_ptr<Setup>& fresh);

/// ShiftAmount under INT_DESCALE_Mode, for a position Z of the input (spec-notes E34).
std::uint8_t descale_shift(const StateView& view, std::uint32_t z);

}  // namespace tessera::units::packer
