// SPDX-License-Identifier: Apache-2.0
#include "reference/pack_output.hpp"

#include <algorithm>

namespace tessera::reference {

PackOutput::PackOutput(PackMachine& machine, const Conversions& conversions, const Datum& zero, Random* random)
    : m_(machine), c_(conversions), zero_(zero), random_(random) {
    rsi_ = load(RSICells);
    exponents_ = load(ExponentCells);
    data_ = load(DataCells);
    // A state may have any bits there; hardware counts to 15, and run lengths to 32.
    group_filled_ = m_[m_.packer(Packer::group_filled)] & 15;
    for (unsigned n = 0; n < group_filled_; ++n) group_[n] = m_[m_.nth(Packer::group_0, n / 2)] >> n % 2 * 16 & 0xFFFF;
    counted_ = std::min(m_[m_.packer(Packer::rle_filled)], 32u);
    for (unsigned n = 0; n < counted_; ++n)
        counters_[n] = static_cast<std::uint8_t>(m_[m_.nth(Packer::rle_0, n / 8)] >> n % 8 * 4 & 15);
}

PackOutput::Stream PackOutput::load(const StreamCells& cells) const {
    Stream s;
    s.ByteAddress = m_[m_.packer(cells.ByteAddress)];
    s.Filled = m_[m_.packer(cells.Filled)] & 15;
    for (unsigned b = 0; b < s.Filled; ++b)
        s.Buffer[b] = static_cast<std::uint8_t>(m_[m_.nth(cells.Buffer, b / 4)] >> b % 4 * 8);
    return s;
}

void PackOutput::store(const StreamCells& cells, const Stream& s) {
    m_.set(m_.packer(cells.ByteAddress), s.ByteAddress);
    m_.set(m_.packer(cells.Filled), s.Filled);
    for (unsigned w = 0; w < 4; ++w) {
        std::uint32_t word = 0;
        for (unsigned b = 0; b < 4; ++b) word |= std::uint32_t{s.Buffer[4 * w + b]} << 8 * b;
        m_.set(m_.nth(cells.Buffer, w), word);
    }
}

bool PackOutput::Store() {
    store(RSICells, rsi_);
    store(ExponentCells, exponents_);
    store(DataCells, data_);
    m_.set(m_.packer(Packer::group_filled), group_filled_);
    for (unsigned w = 0; w < 8; ++w) m_.set(m_.nth(Packer::group_0, w), group_[2 * w] | group_[2 * w + 1] << 16);
    m_.set(m_.packer(Packer::rle_filled), counted_);
    for (unsigned w = 0; w < 4; ++w) {
        std::uint32_t word = 0;
        for (unsigned n = 0; n < 8; ++n) word |= std::uint32_t{counters_[8 * w + n]} << 4 * n;
        m_.set(m_.nth(Packer::rle_0, w), word);
    }
    if (compressing_) {
        reach(rsi_.ByteAddress);
        if (c_.LateToFormat & 2) reach(exponents_.ByteAddress);
        reach(data_.ByteAddress);
    }
    return !outside_;
}

// Not on the page: the bounds of a compressed stream so far, by which an instruction that goes on with it is checked.
void PackOutput::reach(std::uint32_t ByteAddress) {
    const state::Cell first = m_.packer(Packer::reach_first), end = m_.packer(Packer::reach_end);
    m_.set(first, std::min(m_[first], ByteAddress));
    m_.set(end, std::max(m_[end], ByteAddress));
}

void PackOutput::latch(const StreamCells& cells, Stream& stream, std::uint32_t Addr) {
    if (!m_[m_.packer(cells.NeedsNewAddress)]) return;
    stream = {};
    stream.ByteAddress = (Addr & 0x1FFFF) << 4;
    m_.set(m_.packer(cells.NeedsNewAddress), 0);
    if (compressing_) reach(stream.ByteAddress);
}

void PackOutput::SetAddresses(std::uint32_t Addr) {
    if (m_[m_.packer(DataCells.NeedsNewAddress)]) {
        m_.set(m_.packer(Packer::compressing), m_.PerformingCompression());
        if (m_.PerformingCompression()) {
            counted_ = 0;
            group_filled_ = 0;
            for (const Packer item :
                 {Packer::rsi_datums, Packer::row_open, Packer::row_zero, Packer::row_number, Packer::all_zero_flags})
                m_.set(m_.packer(item), 0);
            m_.set(m_.packer(Packer::reach_first), ~0u);
            m_.set(m_.packer(Packer::reach_end), 0);
        }
    }
    compressing_ = m_[m_.packer(Packer::compressing)];
    if (compressing_) {
        latch(RSICells, rsi_, Addr);
        Addr += m_[Row_start_section_size];
    }
    if (c_.LateToFormat & 2) {  // OutputFormatLessThan16Bits
        latch(ExponentCells, exponents_, Addr);
        Addr += m_[Exp_section_size];
    }
    latch(DataCells, data_, Addr);
}

void PackOutput::write(Stream& stream) {
    if (!m_.state.l1.contains(stream.ByteAddress, 16)) {
        outside_ = true;
    } else {
        std::uint8_t* const L1 = m_.state.l1.write(stream.ByteAddress, 16);
        if (m_[Pack_L1_Acc] && &stream == &data_) {
            const unsigned Bytes = DatumBits(c_.LateToFormat) / 8;
            for (unsigned at = 0; at < 16; at += Bytes) {
                std::uint32_t Old = 0, New = 0;
                for (unsigned b = 0; b < Bytes; ++b) {
                    Old |= std::uint32_t{L1[at + b]} << 8 * b;
                    New |= std::uint32_t{stream.Buffer[at + b]} << 8 * b;
                }
                const std::uint32_t Sum = *Accumulate(c_.LateToFormat, Old, New);
                for (unsigned b = 0; b < Bytes; ++b) L1[at + b] = static_cast<std::uint8_t>(Sum >> 8 * b);
            }
        } else {
            for (unsigned b = 0; b < 16; ++b) L1[b] = stream.Buffer[b];
        }
    }
    m_.add(m_.packer(Packer::tile_size), 1, 16);
    const std::uint32_t Next = stream.ByteAddress + 16;
    stream = {};
    stream.ByteAddress = Next;
}

void PackOutput::append(Stream& stream, std::uint8_t byte) {
    stream.Buffer[stream.Filled++] = byte;
    if (stream.Filled == 16) write(stream);
}

void PackOutput::append_rsi() {
    const std::uint32_t Index = m_[m_.packer(Packer::rsi_datums)];
    append(rsi_, static_cast<std::uint8_t>(Index));
    append(rsi_, static_cast<std::uint8_t>(Index >> 8));
}

void PackOutput::assemble() {
    const unsigned Bits = DatumBits(c_.LateToFormat);
    const BFPGroup bfp = AssembleBFP(group_, Bits, random_);
    append(exponents_, static_cast<std::uint8_t>(bfp.Exponent));
    std::uint32_t byte = 0;
    for (unsigned n = 0; n < group_filled_; ++n) {
        byte |= bfp.Datums[n] << n * Bits % 8;
        if ((n + 1) * Bits % 8 && n + 1 != group_filled_) continue;
        append(data_, static_cast<std::uint8_t>(byte));
        byte = 0;
    }
    group_ = {};
    group_filled_ = 0;
}

void PackOutput::emit(const Datum& d) {
    if (compressing_) {
        if (counted_ == 32) finish_32();
        counters_[counted_++] = 0;
        m_.add(m_.packer(Packer::rsi_datums), 1, 16);
    }
    const std::uint32_t out = *LateFormatConversion(c_, d);
    if (IsBFP(c_.LateToFormat)) {
        group_[group_filled_++] = out;
        if (group_filled_ == 16) assemble();
        return;
    }
    for (unsigned b = 0; b < DatumBits(c_.LateToFormat) / 8; ++b)
        append(data_, static_cast<std::uint8_t>(out >> 8 * b));
}

// Writes the counters of 32 augmented datums, or of fewer with their padding.
void PackOutput::finish_32() {
    const unsigned Bits = DatumBits(c_.LateToFormat);
    for (unsigned b = (counted_ * Bits + 7) / 8; b < 32 * Bits / 8; ++b) append(data_, 0);
    for (unsigned n = 0; n < 32; n += 2)
        append(data_, static_cast<std::uint8_t>((n < counted_ ? counters_[n] : 0) |
                                                (n + 1 < counted_ ? counters_[n + 1] << 4 : 0)));
    counters_ = {};
    counted_ = 0;
}

void PackOutput::Pack(const std::vector<Datum>& datums, bool EndsRow) {
    if (!compressing_) {
        for (const Datum& d : datums) emit(d);
        return;
    }
    const auto item = [&](Packer p) { return m_.packer(p); };
    const auto row_is_open = [&] { return m_[item(Packer::row_open)] && counted_; };
    for (std::size_t n = 0; n < datums.size(); ++n) {
        const bool First = !row_is_open(), LastOfRow = EndsRow && n + 1 == datums.size();
        if (First) {
            if (m_[item(Packer::row_number)] == 0) append_rsi();  // RSI[0]
            m_.set(item(Packer::row_open), 1);
            m_.set(item(Packer::row_zero), 1);
        }
        if (!IsZero(datums[n])) m_.set(item(Packer::row_zero), 0);
        if (!First && !LastOfRow && IsZero(datums[n]) && counters_[counted_ - 1] < 15)
            ++counters_[counted_ - 1];
        else
            emit(datums[n]);
    }
    if (!EndsRow || !row_is_open()) return;
    // No datum followed: the last datum of the row is in another datum's counter (E32).
    if (datums.empty() && counters_[counted_ - 1] > 0) {
        --counters_[counted_ - 1];
        emit(zero_);
    }
    end_row();
}

void PackOutput::end_row() {
    append_rsi();
    const std::uint32_t Row = m_[m_.packer(Packer::row_number)];
    if (m_[m_.packer(Packer::row_zero)] && !m_[Disable_pack_zero_flags] && Row < 32)
        m_.set(m_.packer(Packer::all_zero_flags), m_[m_.packer(Packer::all_zero_flags)] | 1u << Row);
    m_.set(m_.packer(Packer::row_number), (Row + 1) & 0xFFFF);
    m_.set(m_.packer(Packer::row_open), 0);
}

void PackOutput::End(bool Last) {
    if (group_filled_ && IsBFP(c_.LateToFormat)) assemble();
    group_ = {};  // E23
    group_filled_ = 0;
    if (compressing_ && counted_) finish_32();
    for (Stream* stream : {&rsi_, &exponents_, &data_})
        while (stream->Filled) append(*stream, 0);
    for (const StreamCells& cells : {RSICells, ExponentCells, DataCells}) m_.set(m_.packer(cells.NeedsNewAddress), 1);
    const std::uint32_t TileSize = m_[m_.packer(Packer::tile_size)];
    m_.set(m_.packer(Packer::tile_size), 0);
    if (!Last) return;
    m_.set(m_.packer(Packer::last_tile_size), TileSize);
    m_.set(m_.packer(Packer::last_thread), m_.CurrentThread);
    m_.add(m_.nth(Packer::acc_tile_size_t0, m_.CurrentThread), TileSize + (m_[Add_tile_header_size] ? 1 : 0), 16);
}

}  // namespace tessera::reference
