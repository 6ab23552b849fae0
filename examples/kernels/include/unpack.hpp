// SPDX-License-Identifier: Apache-2.0
// T0: whole tiles of BF16 into SrcA and SrcB. The core writes the addresses of one context while the other is in use.
#pragma once

#include "counter.hpp"

namespace kernel {

inline constexpr std::uint32_t face_datums = 256, tile_datums = 4 * face_datums;

/// Unpacker 0 fills SrcA, unpacker 1 SrcB. SrcA's row 0 is row 4 of what unpacker 0 addresses.
template <bool fp32_in_dst = false>
inline void configure_unpackers() {
    configure<cfg::ALU_FORMAT_SPEC_REG0_SrcA(Float16_b), cfg::ALU_FORMAT_SPEC_REG1_SrcB(Float16_b),
              cfg::ALU_FORMAT_SPEC_REG2_Dstacc(Float16_b), cfg::ALU_ACC_CTRL_Fp32_enabled(fp32_in_dst)>();
    configure<cfg::THCON_SEC0_REG0_TileDescriptor_InDataFormat(Float16_b), cfg::THCON_SEC0_REG0_TileDescriptor_YDim(1),
              cfg::THCON_SEC0_REG0_TileDescriptor_ZDim(4), cfg::THCON_SEC0_REG2_Out_data_format(Float16_b),
              cfg::THCON_SEC0_REG2_Disable_zero_compress_cntx0(1), cfg::THCON_SEC0_REG2_Disable_zero_compress_cntx1(1),
              cfg::THCON_SEC0_REG5_Tile_x_dim_cntx0(face_datums), cfg::THCON_SEC0_REG5_Tile_x_dim_cntx1(face_datums),
              cfg::THCON_SEC0_REG5_Dest_cntx0_address(4 * 16), cfg::THCON_SEC0_REG5_Dest_cntx1_address(4 * 16)>();
    configure<cfg::THCON_SEC1_REG0_TileDescriptor_InDataFormat(Float16_b),
              cfg::THCON_SEC1_REG0_TileDescriptor_XDim(face_datums), cfg::THCON_SEC1_REG0_TileDescriptor_YDim(1),
              cfg::THCON_SEC1_REG0_TileDescriptor_ZDim(4), cfg::THCON_SEC1_REG2_Out_data_format(Float16_b),
              cfg::THCON_SEC1_REG2_Disable_zero_compress_cntx0(1),
              cfg::THCON_SEC1_REG2_Disable_zero_compress_cntx1(1)>();
    configure<cfg::SRCA_SET_SetOvrdWithAddr(1)>();
    configure<cfg::UNPACK_MISC_CFG_CfgContextOffset_0(0), cfg::UNPACK_MISC_CFG_CfgContextOffset_1(0)>();
    constexpr std::uint32_t both = 3;
    ttinsn<SETADCXX({.CntSetMask = both, .x_end2 = tile_datums - 1, .x_start = 0})>();
    ttinsn<SETADCXY({.CntSetMask = both, .BitMask = 0xB})>();
    ttinsn<SETADCZW({.CntSetMask = both, .BitMask = 0xF})>();
}

/// Unpacks one tile from each of one or two circular buffers at a time.
class TileUnpacker {
public:
    /// `second` may be none.
    TileUnpacker(CircularBuffer first, CircularBuffer* second) : a_(first), b_(second) {
        Count::begin();
        stores_done();
    }

    void next() {
        next([this] {
            ttinsn<UNPACR({.Unpack_block_selection = 0, .OvrdThreadId = 1, .SetDatValid = 1, .Last = 1})>();
            if (b_) ttinsn<UNPACR({.Unpack_block_selection = 1, .OvrdThreadId = 1, .SetDatValid = 1, .Last = 1})>();
        });
    }

    /// The same with other UNPACRs of a page: `push_unpacks` pushes them.
    template <typename PushUnpacks>
    void next(PushUnpacks push_unpacks) {
        a_.wait_received();
        if (b_) b_->wait_received();
        unpack_sync.wait_below(2);  // one of the two contexts is free
        if (context_ == 0) {
            write_addresses(cfg::THCON_SEC0_REG3_Base_address, cfg::THCON_SEC1_REG3_Base_address);
            use(push_unpacks);
            configure<cfg::UNPACK_MISC_CFG_CfgContextOffset_0(1), cfg::UNPACK_MISC_CFG_CfgContextOffset_1(1)>();
        } else {
            write_addresses(cfg::THCON_SEC0_REG3_Base_cntx1_address, cfg::THCON_SEC1_REG3_Base_cntx1_address);
            use(push_unpacks);
            configure<cfg::UNPACK_MISC_CFG_CfgContextOffset_0(0), cfg::UNPACK_MISC_CFG_CfgContextOffset_1(0)>();
        }
        context_ = 1 - context_;
        done_with(a_);
        if (b_) done_with(*b_);
    }

private:
    using Count = Counter<16>;

    static void done_with(CircularBuffer& buffer) {
        buffer.advance();
        Count::count_when_done<condition::unpackers>(buffer.acknowledged(), buffer.count());
    }

    void write_addresses(const Field& a, const Field& b) {
        configure(a, a_.read_page() / 16 - 1);
        if (b_) configure(b, b_->read_page() / 16 - 1);
        unpack_sync.post();
    }

    template <typename PushUnpacks>
    static void use(PushUnpacks push_unpacks) {
        ttinsn<STALLWAIT({.stall_res = block::unpack, .wait_res = condition::stores})>();
        push_unpacks();
        ttinsn<SEMGET({.sem_sel = unpack_sync.mask()})>();
    }

    CircularBuffer a_;
    CircularBuffer* b_;
    unsigned context_ = 0;
};

}  // namespace kernel
