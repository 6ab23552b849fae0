// SPDX-License-Identifier: Apache-2.0
#include "units/packer/start.hpp"

#include "isa/table.hpp"
#include "registers/packer_fields.hpp"

namespace tessera::units::packer {

namespace {

using state::Adc;
using state::AdcUnit;

constexpr auto ovrd_thread_id = isa::operand("PACR", "OvrdThreadId");
constexpr auto addr_cnt_context = isa::operand("PACR", "AddrCntContext");
constexpr auto l1_dest_addr = registers::packer_fields("L1_Dest_addr");

// A packer's base address, header included.
std::uint32_t base(const StateView& view, const Setup& setup, unsigned packer, unsigned context) {
    return destination(view, packer, context) + setup.packers[packer].header_room;
}

}  // namespace

unsigned thread_of_counters(const StateView& view, const PackerSetup& packer) {
    unsigned thread = view.thread;
    if (view[ovrd_thread_id]) thread = view.blackhole() ? view[addr_cnt_context] : packer.adc_override;
    return thread == 3 ? 0 : thread;
}

std::uint32_t destination(const StateView& view, unsigned packer, unsigned context) {
    const auto& field = l1_dest_addr[view.blackhole() ? context : packer];
    const std::uint32_t configured = view.place(field);
    return wraps(configured) ? view[field] : configured;  // the plan has a finding about it and must not be moved
}

// Bit 31 is a flag on Wormhole, and no address bit on Blackhole either.
bool wraps(std::uint32_t destination) { return (destination & 0x7FFFFFFF) > l1_units; }

// Counters add bytes on Blackhole, and steps of 16 units on Wormhole (spec-notes E12).
std::uint32_t start_of(const StateView& view, const Setup& setup, unsigned i, unsigned context) {
    const PackerSetup& packer = setup.packers[i];
    const unsigned thread = thread_of_counters(view, packer);
    const auto counter = [&](Adc c) { return view.place(state::cells::adc(thread, AdcUnit::packers, 1, c)); };
    const std::uint32_t yzw = setup.out_base + counter(Adc::y) * setup.out_y_stride +
                              counter(Adc::z) * setup.out_z_stride + counter(Adc::w) * setup.out_w_stride;
    std::uint32_t start = base(view, setup, i, context);
    if (i)
        if (const std::uint32_t first = base(view, setup, 0, context); first >> 31) start += first;
    start += view.blackhole() ? yzw >> 4 : yzw & ~0xFu;
    if (packer.add_offset) start += view[state::cells::packer(i, state::Packer::l1_dest_addr_offset)] & 0xFFFF;
    return start > packer.limit ? start - packer.fifo : start;
}

}  // namespace tessera::units::packer
