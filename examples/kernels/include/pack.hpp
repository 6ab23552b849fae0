// SPDX-License-Identifier: Apache-2.0
// T2: pages of BF16 from a half of Dst into a circular buffer.
#pragma once

#include "counter.hpp"

namespace kernel {

/// A row of Dst is 32 bytes for the packer, also where Dst holds FP32: it counts in datums of In_data_format.
inline constexpr std::uint32_t row_bytes = 32, half_rows = 512;

inline constexpr std::uint32_t packer_counters = 4;  // CntSetMask

/// Sixteen datums of a row, and PACRs wait until T0 has configured the packer.
inline void begin_packing() {
    ttinsn<SETADCXX({.CntSetMask = packer_counters, .x_end2 = 15, .x_start = 0})>();
    ttinsn<SETADCXY({.CntSetMask = packer_counters, .BitMask = 0xB})>();
    wait_pack_configured();
}

/// Sends pages to a circular buffer.
class PagePacker {
public:
    explicit PagePacker(CircularBuffer buffer) : buffer_(buffer) {
        Count::begin();
        stores_done();
    }

    /// PACRs of the page go to where it is in L1.
    void begin_page() {
        buffer_.wait_free();
        const std::uint32_t address = buffer_.write_page() / 16 - 1;
        push(SETDMAREG_immediate({.NewValue = address & 0xFFFF, .ResultHalfReg = 2 * l1_address}));
        push(SETDMAREG_immediate({.NewValue = address >> 16, .ResultHalfReg = 2 * l1_address + 1}));
        ttinsn<STALLWAIT({.stall_res = block::config, .wait_res = condition::scalar | condition::packer})>();
        ttinsn<WRCFG({.GprAddress = l1_address, .CfgReg = cfg::THCON_SEC0_REG1_L1_Dest_addr.addr32})>();
        ttinsn<NOP()>();  // the address is there one instruction later
    }

    void end_page() {
        buffer_.advance();
        Count::count_when_done<condition::packer>(buffer_.received(), buffer_.count());
    }

private:
    static constexpr unsigned l1_address = 18;
    using Count = Counter<16>;

    CircularBuffer buffer_;
};

}  // namespace kernel
