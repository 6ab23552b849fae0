// SPDX-License-Identifier: Apache-2.0
// The part of an UNPACR that depends on configuration and mode bits only: formats, dimensions, strides, modes, loop.
// Memoised between UNPACRs; bases, counters and rows are read each time.
#pragma once

#include <optional>

#include "findings/catalogue.hpp"
#include "plan/work.hpp"
#include "tessera/data_format.hpp"
#include "units/costs/unpack_cost.hpp"

namespace tessera::units {
class StateView;
}

namespace tessera::units::unpacker {

/// Mode bits of the instruction, and derived values.
struct Mode {
    std::uint8_t which = 0;  ///< unpacker 0 or 1
    bool multi_context = false;
    bool row_search = false;
    std::uint8_t context = 0;
    std::uint8_t adc_thread = 0;  ///< thread whose X and Y are used
};

/// The speed of reading L1, and its reason.
struct Throttle {
    plan::Transfer transfer;  ///< without its bytes
    Speed asked{};            ///< by Throttle_mode, or by default
    bool by_default = false;
    const SpeedRule* rule = nullptr;  ///< the rule that decided; null: none
};

struct Setup {
    std::optional<findings::Note> fault;
    InlineVector<findings::Note, 4> findings;

    bool to_dst = false;
    formats::UnpackLoop convert = nullptr;
    formats::UnpackLoop convert_pieces = nullptr;  ///< the same for a given exponent of block formats
    DataFormat in{}, out{};
    bool fp8_e4m3 = false, int8_unsigned = false;  ///< which FP8 or 8-bit integer the input is
    std::uint8_t datum_bits = 0;                   ///< in L1
    plan::Exponents exponents{};
    std::uint8_t shared_exponent = 0;
    std::uint64_t exponent_bytes = 0;  ///< size of the exponent section before the datums
    std::uint8_t out_unit = 1;         ///< bytes per datum in output addresses
    std::uint8_t digest_size = 0;
    bool compressed = false;
    std::uint64_t row_start_bytes = 0;  ///< size of the row starts of a compressed tile
    std::uint8_t blobs = 0;             ///< BlobsPerXYPlane
    std::uint64_t limit = 0, fifo = 0;  ///< circular buffer: an L1 byte address beyond the limit wraps by the size
    bool tilize = false;                ///< rows of `row_datums`, `row_stride` bytes apart
    std::uint8_t row_datums = 16;
    std::uint32_t row_stride = 0;
    std::uint8_t gap = 0;    ///< output positions after each datum
    bool fill_gaps = false;  ///< write zeros to the gaps
    std::uint8_t column_shift = 0;
    bool transpose = false;
    std::uint16_t x_dim = 0;
    std::uint8_t y_dim = 0, z_dim = 1, w_dim = 1;
    std::uint16_t y_stride = 0, z_stride = 0, w_stride = 0;
    std::uint32_t out_base = 0;
    bool add_context_address = false;   ///< adds the context's destination; false: replaces by it
    bool set_row_from_address = false;  ///< SRCA_SET_SetOvrdWithAddr: SrcRow is not added
    plan::DstMap dst_map;
    std::uint16_t dst_row_mask = 0;  ///< used bits of a row of Dst
    bool advance_src_row = false;    ///< Unpack_Src_Reg_Set_Upd
    std::uint8_t src_set_base = 0;   ///< SRCA_SET_Base or SRCB_SET_Base
    Throttle throttle;
};

/// Setup::in alone.
DataFormat input_format(const StateView& view, const Mode& mode);

/// Reads everything a setup consists of.
Setup make_setup(const StateView& view, const Mode& mode);

}  // namespace tessera::units::unpacker
