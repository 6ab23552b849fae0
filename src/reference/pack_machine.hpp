// SPDX-License-Identifier: Apache-2.0
// The inputs of a PACR: configuration, addresses, tile position, edge mask (Packers: Input address generator, Output
// address generator, Edge masking).
#pragma once

#include "reference/pack_fields.hpp"
#include "reference/pack_numerics.hpp"

namespace tessera::reference {

using state::Adc;
using state::AdcUnit;
using state::Packer;

struct PackMachine : Machine {
    using Machine::Machine;

    // Packer i with configuration k: equal on Wormhole; Blackhole's one packer has four (E38).
    unsigned i = 0, k = 0;

    using Machine::operator[];
    std::uint32_t operator[](const PerPacker& fields_of_packers) const { return (*this)[fields_of_packers[k]]; }

    state::Cell packer(Packer item) const { return state::cells::packer(i, item); }
    state::Cell nth(Packer first, unsigned n) const { return packer(Packer(static_cast<unsigned>(first) + n)); }
    state::Cell adc(unsigned thread, unsigned Channel, Adc c) const {
        return state::cells::adc(thread, AdcUnit::packers, Channel, c);
    }

    bool PerformingCompression() const {
        if (!(*this)[All_pack_disable_zero_compress_ovrd]) return !(*this)[Disable_zero_compress];
        return !blackhole() && !((*this)[All_pack_disable_zero_compress] >> i & 1);  // E62
    }
    /// A stream keeps the mode it began with (E32).
    bool Compressing() const {
        return (*this)[packer(Packer::data_needs_address)] ? PerformingCompression()
                                                           : (*this)[packer(Packer::compressing)] != 0;
    }
    bool FromL1() const { return i == 0 && (*this)[Source_interface_selection]; }

    /// Packers, Input address generator. Bytes into L1, or datums into Dst.
    std::uint32_t InputSourceAddr(unsigned WhichADC) const {
        const auto ADC = [&](Adc c) { return (*this)[adc(WhichADC, 0, c)]; };
        std::uint32_t Addr = (*this)[REG_0_Base] + ADC(Adc::x) * ((*this)[REG_0_Xstride] & 0xF) +
                             ADC(Adc::y) * (*this)[REG_0_Ystride] + ADC(Adc::z) * (*this)[REG_0_Zstride] +
                             ADC(Adc::w) * (*this)[REG_0_Wstride];
        const std::uint32_t Bytes = BytesPerDatum((*this)[In_data_format]);
        const std::uint32_t ADC_X_Mask = 16 / Bytes - 1;
        if (FromL1()) {
            Addr = ((*this)[L1_source_addr] << 18) + (Addr & 0x3FFFF);
            Addr = (Addr & ~0xFu) + Bytes * (ADC(Adc::x) & ADC_X_Mask);
            return Addr & 0x1FFFFF;
        }
        Addr = ((Addr / Bytes) & ~ADC_X_Mask) + (ADC(Adc::x) & ADC_X_Mask);
        Addr += (*this)[PACK_SEC_Offset[i]] << 4;
        return Addr & 0x3FFF;
    }

    /// Packers, Output address generator: in units of 16 bytes, before the sections.
    std::uint32_t OutputAddr(unsigned WhichADC) const {
        const auto ADC = [&](Adc c) { return (*this)[adc(WhichADC, 1, c)]; };
        const std::uint32_t Packer0InitialAddr = (*this)[L1_Dest_addr[0]] + !(*this)[Sub_l1_tile_header_size[0]];
        std::uint32_t Addr = (*this)[L1_Dest_addr] + !(*this)[Sub_l1_tile_header_size];
        if (i != 0 && Packer0InitialAddr >> 31) Addr += Packer0InitialAddr;
        const std::uint32_t YZW_Addr = (*this)[REG_1_Base] + ADC(Adc::y) * (*this)[REG_1_Ystride] +
                                       ADC(Adc::z) * (*this)[REG_1_Zstride] + ADC(Adc::w) * (*this)[REG_1_Wstride];
        Addr += blackhole() ? YZW_Addr >> 4 : YZW_Addr & ~0xFu;  // E12
        if ((*this)[Add_l1_dest_addr_offset]) Addr += (*this)[packer(Packer::l1_dest_addr_offset)] & 0xFFFF;
        if (Addr > (*this)[Pack_limit_address] * 2 + 1) Addr -= (*this)[Pack_fifo_size] * 2;
        return Addr;
    }

    Conversions conversions(unsigned WhichADC) const {
        Conversions c;
        c.Read_32b_data = (*this)[Read_32b_data];
        c.Round_10b_mant = (*this)[Round_10b_mant];
        c.Read_raw = (*this)[Read_int8];
        c.Read_unsigned = (*this)[Read_unsigned];
        c.IntermediateFormat = (*this)[Dstacc_override] ? (*this)[Dstacc_val] : (*this)[Dstacc];
        c.LateFromFormat = (*this)[In_data_format];
        c.LateToFormat = (*this)[Out_data_format];
        if ((*this)[INT_DESCALE_Enable] && (*this)[INT_DESCALE_Mode]) {
            const std::uint32_t z = (*this)[adc(WhichADC, 0, Adc::z)];  // E34
            c.ShiftAmount = (*this)[INT_DESCALE_VALUES[(z & 63) >> 2]] >> (z & 3) * 8 & 31;
        } else if ((*this)[INT_DESCALE_Enable]) {
            c.ShiftAmount = (*this)[INT_DESCALE_VALUES[0]] & 31;
        }
        c.Pac_LF8_4b_exp = (*this)[Pac_LF8_4b_exp];
        c.ApplyRelu = (*this)[ApplyRelu];
        c.ReluThreshold = (*this)[ReluThreshold];
        c.Blackhole = blackhole();
        return c;
    }

    /// TilePositionGenerator.Advance() after X has completed a row. On Blackhole several rows can go before the
    /// comparison (H12). Y and Z have eight bits.
    void advance_rows(std::uint32_t rows) {
        const bool Transposed = (*this)[pack_yz_transposed[i]];
        const state::Cell Row = packer(Transposed ? Packer::tile_z : Packer::tile_y);
        const state::Cell Plane = packer(Transposed ? Packer::tile_y : Packer::tile_z);
        add(Row, rows, 8);
        if ((*this)[Row] != (*this)[pack_reads_per_xy_plane[i]]) return;
        set(Row, 0);
        add(Plane, 1, 8);
    }
    void advance_datum() {
        add(packer(Packer::tile_x), 1, 4);
        if ((*this)[packer(Packer::tile_x)] == 0) advance_rows(1);
    }

    /// FetchFromDst's EdgeMask, `rows` rows after the tile position.
    std::uint32_t EdgeMask(std::uint32_t rows) const {
        const bool Transposed = (*this)[pack_yz_transposed[i]];
        const std::uint32_t Y = (*this)[packer(Packer::tile_y)] + (Transposed ? 0 : rows);
        std::uint32_t b;
        if ((*this)[FACE_SET_SELECT_enable]) {
            const std::uint32_t Z = (*this)[ZOffset[i]] + (*this)[packer(Packer::tile_z)] + (Transposed ? rows : 0);
            const std::uint32_t a = (*this)[FACE_SET_SELECT_select] >> 2 * i & 3;
            b = (*this)[face_set_mapping[a][Z & 0xF]];
        } else {
            b = (*this)[ROW_SET_SELECT_select] >> 2 * i & 3;
        }
        const std::uint32_t c = (*this)[row_set_mapping[b][Y & 0xF]];
        return (*this)[EDGE_OFFSET_mask[c]];
    }
    /// Whether any selectable mask has a clear bit.
    bool Masks() const {
        for (std::uint32_t Y = 0; Y < 16; ++Y)
            for (std::uint32_t Z = 0; Z < 16; ++Z) {
                const std::uint32_t a = (*this)[FACE_SET_SELECT_select] >> 2 * i & 3;
                const std::uint32_t b = (*this)[FACE_SET_SELECT_enable] ? (*this)[face_set_mapping[a][Z]]
                                                                        : (*this)[ROW_SET_SELECT_select] >> 2 * i & 3;
                if ((*this)[EDGE_OFFSET_mask[(*this)[row_set_mapping[b][Y]]]] != 0xFFFF) return true;
            }
        return false;
    }

    /// Packers, Exponent histogram: Update.
    void UpdateHistogram(const Conversions& c, const Datum& d) {
        const auto Exponent = HistogramExponent(c, d);
        if (!Exponent) return;
        bool Enabled = false;
        for (unsigned thread = 0; thread < state::threads; ++thread)
            Enabled |= state.config(thread, ENABLE_ACC_STATS_Enable) != 0;
        const state::Cell Bin =
            state::cells::exp_histogram_block[i * state::cells::exp_histogram_words + (*Exponent & 31)];
        if (Enabled && (*this)[Bin] != 255) set(Bin, (*this)[Bin] + 1);
        const state::Cell Max = packer(Packer::exp_histogram_max);
        if (*Exponent > (*this)[Max]) set(Max, *Exponent);
    }

    void apply_addr_mod(unsigned thread, unsigned Channel, std::uint32_t AddrMod) {
        const Field& YClear = Channel ? YdstClear[AddrMod] : YsrcClear[AddrMod];
        const Field& YCR = Channel ? YdstCR[AddrMod] : YsrcCR[AddrMod];
        const Field& YIncr = Channel ? YdstIncr[AddrMod] : YsrcIncr[AddrMod];
        const Field& ZClear = Channel ? ZdstClear[AddrMod] : ZsrcClear[AddrMod];
        const Field& ZIncr = Channel ? ZdstIncr[AddrMod] : ZsrcIncr[AddrMod];
        const auto ADC = [&](Adc c) { return adc(thread, Channel, c); };
        if ((*this)[YClear]) {
            set(ADC(Adc::y), 0);
            set(ADC(Adc::y_cr), 0);
        } else if ((*this)[YCR]) {
            add(ADC(Adc::y_cr), (*this)[YIncr], 13);
            set(ADC(Adc::y), (*this)[ADC(Adc::y_cr)]);
        } else {
            add(ADC(Adc::y), (*this)[YIncr], 13);
        }
        if ((*this)[ZClear]) {
            set(ADC(Adc::z), 0);
            set(ADC(Adc::z_cr), 0);
        } else {
            add(ADC(Adc::z), (*this)[ZIncr], blackhole() ? 13 : 8);
        }
    }
};

}  // namespace tessera::reference
