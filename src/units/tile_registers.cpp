// SPDX-License-Identifier: Apache-2.0
// Overlay streams as general-purpose registers; TDMA-RISC's memory map (spec-notes A80, G4).
#include "units/tile_registers.hpp"

#include "state/mmio.hpp"

namespace tessera::units {

namespace {

using state::Packer;
using state::StreamRegister;
using state::Tdma;
using state::cells::tdma;

state::Cell packer_cell(unsigned packer, Packer item, unsigned n = 0) {
    return state::cells::packer(packer, Packer(static_cast<unsigned>(item) + n));
}

// The caller reports the mistake.
bool write_stream(const StateView& view, plan::Plan& plan, const state::mmio::StreamPlace& at, std::uint32_t value) {
    const auto set = [&](StreamRegister item, std::uint32_t x) {
        plan.effect(state::cells::stream_register(at.stream, item), x, plan::When::start);
    };
    if (at.index == view.arch().stream_data_clear) {
        plan.effect(state::cells::stream_data_clear(at.stream), value, plan::When::start);
        return true;
    }
    const auto arch = static_cast<unsigned>(view.arch().arch);
    if (static_cast<int>(at.index) == state::mmio::space_available_update[arch]) {
        if (value & 0x3F) return false;  // for multicast streams only
        const auto cell = state::cells::stream_register(at.stream, StreamRegister::space_available);
        set(StreamRegister::space_available, (view[cell] + (value >> 6)) & 0x1FFFF);
        return true;
    }
    const auto* spec = state::mmio::stream_register(view.arch(), at.index);
    if (!spec || spec->read_only) return false;
    if (spec->item == StreamRegister::phase)
        value += view[state::cells::stream_register(at.stream, StreamRegister::phase_base)];
    value &= (1u << spec->bits) - 1;
    set(spec->item, value);
    if (spec->item == StreamRegister::remote_dest_buf_size) set(StreamRegister::space_available, value);
    return true;
}

void set_scalers(plan::Plan& plan, unsigned first, std::uint32_t values) {
    for (unsigned i = 0; i < 3 && first + i < 4; ++i, values >>= 9)
        plan.effect(tdma(Tdma(static_cast<unsigned>(Tdma::scaler_0) + first + i)), values & 0x1FF, plan::When::start);
}

// An offset beyond the map has no register. The offset of an address in front of it is huge.
bool write_tdma(const StateView& view, plan::Plan& plan, std::uint32_t offset, std::uint32_t value) {
    const auto set = [&](Tdma item, std::uint32_t x) {
        plan.effect(tdma(item), x, plan::When::start);
        return true;
    };
    switch (offset) {
        case 0x000: return set(Tdma::source, value);
        case 0x004: return set(Tdma::destination, value);
        case 0x008: return set(Tdma::size, value);
        case 0x00C: return set(Tdma::direction, value);
        case 0x024: return set(Tdma::unpack_reg_addr, value & ~0x80u);
        case 0x028: set_scalers(plan, 3, value >> 16); return set(Tdma::clk_gate_hyst, value & 0x01FF'007F);
        case 0x02C: return set(Tdma::mover_base, value);
        case 0x038:
            for (unsigned i = 0; i < 2; ++i)
                set(Tdma(static_cast<unsigned>(Tdma::pack_base_0) + i),
                    (value >> (20 + 2 * i) & 3) << 18 | (value >> 10 * i & 0x3FF) << 2);
            return set(Tdma::pack_reg_addr, value);
        case 0x03C:
        case 0x13C: set_scalers(plan, 0, value); return true;
        default: break;
    }
    // ACC_PACKED_SIZE of any packer and thread.
    if (offset >> 10 || (offset & 0x3F) != 0x1C || (offset >> 6 & 3) >= state::threads) return false;
    for (unsigned i = 0; i < view.arch().packers; ++i) {
        if (!(value >> (16 + i) & 1)) continue;
        for (unsigned t = 0; t < state::threads; ++t)
            plan.effect(packer_cell(i, Packer::acc_tile_size_t0, t), 0, plan::When::start);
        plan.effect(packer_cell(i, Packer::l1_dest_addr_offset), value & 0xFFFF, plan::When::start);
    }
    return true;
}

std::optional<std::uint32_t> read_stream(const StateView& view, const state::mmio::StreamPlace& at) {
    const auto* spec = state::mmio::stream_register(view.arch(), at.index);
    if (!spec) return std::nullopt;
    const auto value = [&](StreamRegister item) { return view[state::cells::stream_register(at.stream, item)]; };
    if (spec->item != StreamRegister::phase) return value(spec->item);
    return (value(StreamRegister::phase) - value(StreamRegister::phase_base)) & ((1u << spec->bits) - 1);
}

// As in write_tdma(), other offsets have no register.
std::optional<std::uint32_t> read_tdma(const StateView& view, std::uint32_t offset) {
    switch (offset) {
        case 0x000:
        case 0x004:
        case 0x008:
        case 0x00C:
        case 0x010: return 0;
        case 0x024: return view[tdma(Tdma::unpack_reg_addr)];
        case 0x028: return view[tdma(Tdma::clk_gate_hyst)];
        case 0x02C: return view[tdma(Tdma::mover_base)];
        default: break;
    }
    const unsigned packer = offset >> 8, thread = offset >> 6 & 3;
    if (packer >= view.arch().packers || thread >= state::threads) return std::nullopt;
    switch (offset & 0x3F) {
        case 0x18:
            return view[packer_cell(packer, Packer::last_thread)] == thread
                       ? view[packer_cell(packer, Packer::last_tile_size)]
                       : 0;
        case 0x1C:
            return (view[state::cells::unpacker(packer & 1, state::Unpacker::setreg_acc)] & 0xFFFF) << 16 |
                   (view[packer_cell(packer, Packer::acc_tile_size_t0, thread)] & 0xFFFF);
        case 0x20:
            if (thread) return std::nullopt;
            return view[packer_cell(packer, Packer::all_zero_flags)];
        default: return std::nullopt;
    }
}

}  // namespace

void write_tile_register(const StateView& view, plan::Plan& plan, std::uint32_t address, std::uint32_t value,
                         std::string_view who) {
    const auto stream = state::mmio::stream_place(address);
    const bool there = stream ? write_stream(view, plan, *stream, value)
                              : write_tdma(view, plan, address - state::mmio::tdma, value);
    if (!there) plan.fail(findings::id("mmio-unmapped"), {address}, who);
}

void write_tile_register_or_command(const StateView& view, plan::Plan& plan, std::uint32_t address, std::uint32_t value,
                                    std::string_view who) {
    if (address == state::mmio::tdma_command) return tdma_command(view, plan, value);
    write_tile_register(view, plan, address, value, who);
}

std::optional<std::uint32_t> tile_register(const StateView& view, std::uint32_t address) {
    if (const auto stream = state::mmio::stream_place(address)) return read_stream(view, *stream);
    return read_tdma(view, address - state::mmio::tdma);
}

std::uint32_t read_tile_register(const StateView& view, plan::Plan& plan, std::uint32_t address, std::string_view who) {
    const auto value = tile_register(view, address);
    if (!value) plan.fail(findings::id("mmio-unreadable"), {address}, who);
    return value.value_or(0);
}

}  // namespace tessera::units
