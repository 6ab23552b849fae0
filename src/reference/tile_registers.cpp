// SPDX-License-Identifier: Apache-2.0
#include "reference/tile_registers.hpp"

#include <cstring>

namespace tessera::reference {

namespace {

using state::Packer;
using state::StreamRegister;
using state::Tdma;

// NOC_STREAM_WRITE_REG and NOC_STREAM_READ_REG, with each chip's register indices.
bool StoreStream(Machine& m, std::uint32_t Stream, std::uint32_t Index, std::uint32_t Value) {
    const auto reg = [&](StreamRegister item) { return state::cells::stream_register(Stream, item); };
    const auto is = [&](std::uint32_t blackhole, std::uint32_t wormhole) {
        return Index == (m.blackhole() ? blackhole : wormhole);
    };
    if (is(266, 22)) {  // MSG_DATA_CLEAR
        m.set(state::cells::stream_data_clear(Stream), Value);
    } else if (is(4, 0)) {  // REMOTE_SRC
        m.set(reg(StreamRegister::remote_src), Value & 0xFFFFFF);
    } else if (is(8, 3)) {  // REMOTE_DEST_BUF_START
        m.set(reg(StreamRegister::remote_dest_buf_start), Value & 0x1FFFF);
    } else if (is(10, 4)) {  // REMOTE_DEST_BUF_SIZE
        m.set(reg(StreamRegister::remote_dest_buf_size), Value & 0x1FFFF);
        m.set(reg(StreamRegister::space_available), Value & 0x1FFFF);
    } else if (is(270, 34)) {  // REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE: (j << 6) + i
        if (Value & 0x3F) return false;
        m.add(reg(StreamRegister::space_available), Value >> 6, 17);
    } else if (m.blackhole() && Index == 28) {  // CURR_PHASE_BASE
        m.set(reg(StreamRegister::phase_base), Value & 0xFFFFF);
    } else if (m.blackhole() && Index == 29) {  // CURR_PHASE: the base is added on writes
        m.set(reg(StreamRegister::phase), (Value + m[reg(StreamRegister::phase_base)]) & 0xFFFFF);
    } else {
        return false;
    }
    return true;
}

bool LoadStream(const Machine& m, std::uint32_t Stream, std::uint32_t Index, std::uint32_t& Value) {
    const auto reg = [&](StreamRegister item) { return m[state::cells::stream_register(Stream, item)]; };
    const auto is = [&](std::uint32_t blackhole, std::uint32_t wormhole) {
        return Index == (m.blackhole() ? blackhole : wormhole);
    };
    if (is(4, 0))
        Value = reg(StreamRegister::remote_src);
    else if (is(8, 3))
        Value = reg(StreamRegister::remote_dest_buf_start);
    else if (is(10, 4))
        Value = reg(StreamRegister::remote_dest_buf_size);
    else if (is(297, 64))
        Value = reg(StreamRegister::space_available);
    else if (m.blackhole() && Index == 28)
        Value = reg(StreamRegister::phase_base);
    else if (m.blackhole() && Index == 29)
        Value = (reg(StreamRegister::phase) - reg(StreamRegister::phase_base)) & 0xFFFFF;
    else if (m.blackhole() && Index == 259)
        Value = reg(StreamRegister::messages);
    else
        return false;
    return true;
}

void SetScaler(Machine& m, std::uint32_t starting_index, std::uint32_t values) {
    if (starting_index == 3) values >>= 16;
    for (unsigned i = 0; i < 3 && (starting_index + i) < 4; ++i) {
        m.set(state::cells::tdma(Tdma(static_cast<unsigned>(Tdma::scaler_0) + starting_index + i)), values & 0x1ff);
        values >>= 9;
    }
}

void SetPackRegAddr(Machine& m, std::uint32_t new_val) {
    m.set(state::cells::tdma(Tdma::pack_reg_addr), new_val);
    for (unsigned i = 0; i < 2; ++i) {
        const std::uint32_t mid = (new_val >> (10 * i)) & 0x3ff;
        const std::uint32_t hi = (new_val >> (20 + 2 * i)) & 3;
        m.set(state::cells::tdma(Tdma(static_cast<unsigned>(Tdma::pack_base_0) + i)), (hi << 18) + (mid << 2));
    }
}

void ResetPackerAccTileSize(Machine& m, std::uint32_t new_val) {
    for (unsigned i = 0; i < m.state.arch().packers; ++i) {
        if (!(new_val >> (16 + i) & 1)) continue;
        for (unsigned t = 0; t < 3; ++t)
            m.set(state::cells::packer(i, Packer(static_cast<unsigned>(Packer::acc_tile_size_t0) + t)), 0);
        m.set(state::cells::packer(i, Packer::l1_dest_addr_offset), new_val & 0xffff);
    }
}

// EnqueueCmd with an empty queue, and the command processor.
bool Command(Machine& m, std::uint32_t Cmd) {
    const auto CmdParams = [&](Tdma item) { return m[state::cells::tdma(item)]; };
    switch (Cmd & 0xff) {
        case 0x40: {
            std::uint32_t Src, Dst, Count, Mode;
            if (Cmd >> 31) {
                Src = CmdParams(Tdma::mover_base) + ((Cmd >> 8) & 0xff);
                Dst = (Cmd >> 16) & 0xff;
                Count = (Cmd >> 24) & 0x3f;
                Mode = (Cmd >> 30) & 1 ? 3 : 1;
            } else {
                Src = CmdParams(Tdma::source);
                Dst = CmdParams(Tdma::destination);
                Count = CmdParams(Tdma::size) & 0xffff;
                Mode = CmdParams(Tdma::direction) & 3;
            }
            return Mover(m, Dst << 4, Src << 4, Count << 4, Mode) == Outcome::done;
        }
        case 0x46:
        case 0x89: return true;
        case 0x66: {
            if (Cmd >> 31 || (Cmd & 0x600) != 0x600) return false;
            const std::uint32_t Dst = CmdParams(Tdma::source);
            const std::uint32_t Values[2] = {CmdParams(Tdma::size), CmdParams(Tdma::direction)};
            const std::uint32_t Length = Cmd & 0x100 ? 8 : 4;
            if (Dst % Length || !m.state.l1.contains(Dst, Length)) return false;
            std::memcpy(m.state.l1.write(Dst, Length), Values, Length);
            return true;
        }
        default: return false;
    }
}

}  // namespace

bool StoreRegister(Machine& m, std::uint32_t Addr, std::uint32_t Value, bool Commands) {
    if (Addr >= 0xFFB40000 && Addr < 0xFFB80000)
        return StoreStream(m, (Addr - 0xFFB40000) >> 12, (Addr & 0xFFF) >> 2, Value);
    if ((Addr & ~0xFFFu) != 0xFFB11000) return false;
    const auto set = [&](Tdma item, std::uint32_t value) {
        m.set(state::cells::tdma(item), value);
        return true;
    };
    switch (Addr & 0xFFF) {
        case 0x000: return set(Tdma::source, Value);
        case 0x004: return set(Tdma::destination, Value);
        case 0x008: return set(Tdma::size, Value);
        case 0x00C: return set(Tdma::direction, Value);
        case 0x010: return Commands && Command(m, Value);
        case 0x024: return set(Tdma::unpack_reg_addr, Value & 0xffffff7f);
        case 0x028: SetScaler(m, 3, Value); return set(Tdma::clk_gate_hyst, Value & 0x01ff007f);
        case 0x02C: return set(Tdma::mover_base, Value);
        case 0x038: SetPackRegAddr(m, Value); return true;
        case 0x03C:
        case 0x13C: SetScaler(m, 0, Value); return true;
        default: break;
    }
    const std::uint32_t Packer = Addr >> 8 & 0xF, Thread = Addr >> 6 & 3;
    if (Packer < 4 && Thread < 3 && (Addr & 0x3F) == 0x1C) {
        ResetPackerAccTileSize(m, Value);
        return true;
    }
    return false;
}

bool LoadRegister(const Machine& m, std::uint32_t Addr, std::uint32_t& Value) {
    if (Addr >= 0xFFB40000 && Addr < 0xFFB80000)
        return LoadStream(m, (Addr - 0xFFB40000) >> 12, (Addr & 0xFFF) >> 2, Value);
    if ((Addr & ~0xFFFu) != 0xFFB11000) return false;
    Value = 0;
    switch (Addr & 0xFFF) {
        case 0x000:
        case 0x004:
        case 0x008:
        case 0x00C:
        case 0x010: return true;
        case 0x024: Value = m[state::cells::tdma(Tdma::unpack_reg_addr)]; return true;
        case 0x028: Value = m[state::cells::tdma(Tdma::clk_gate_hyst)]; return true;
        case 0x02C: Value = m[state::cells::tdma(Tdma::mover_base)]; return true;
        default: break;
    }
    const std::uint32_t which_packer = Addr >> 8 & 0xF, which_thread = Addr >> 6 & 3;
    if (which_packer >= m.state.arch().packers || which_thread >= 3) return false;
    const auto packer = [&](Packer item, unsigned n = 0) {
        return m[state::cells::packer(which_packer, Packer(static_cast<unsigned>(item) + n))];
    };
    if ((Addr & 0x3F) == 0x18) {
        Value = packer(Packer::last_thread) == which_thread ? packer(Packer::last_tile_size) : 0;
        return true;
    }
    if ((Addr & 0x3F) == 0x1C) {
        const std::uint32_t lo = packer(Packer::acc_tile_size_t0, which_thread) & 0xffff;
        const std::uint32_t hi = m[state::cells::unpacker(which_packer & 1, state::Unpacker::setreg_acc)] & 0xffff;
        Value = (hi << 16) + lo;
        return true;
    }
    if ((Addr & 0xFF) == 0x20) {
        Value = packer(Packer::all_zero_flags);
        return true;
    }
    return false;
}

}  // namespace tessera::reference
