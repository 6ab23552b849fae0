// SPDX-License-Identifier: Apache-2.0
// From the late conversion to L1: the output streams of one packer, and compression (Packers, Compression; Output address
// generator, Output alignment).
#pragma once

#include <vector>

#include "reference/pack_machine.hpp"

namespace tessera::reference {

class PackOutput {
public:
    /// `zero`: of the intermediate type. `random`: Packer_srnd_en.
    PackOutput(PackMachine& machine, const Conversions& conversions, const Datum& zero, Random* random);

    /// Latches addresses where the streams need new ones; `Addr` in units of 16 bytes.
    void SetAddresses(std::uint32_t Addr);

    /// One instruction's datums. EndsRow: no Concat, or the stream ends.
    void Pack(const std::vector<Datum>& datums, bool EndsRow);

    /// Last or Flush: pads, writes and forgets; Last also counts the tile.
    void End(bool Last);

    /// Stores the state in the cells. False: some write fell outside L1.
    bool Store();

private:
    struct Stream {
        std::uint32_t ByteAddress = 0;
        std::uint8_t Buffer[16] = {};
        unsigned Filled = 0;
    };
    /// The cells that hold a stream between instructions.
    struct StreamCells {
        Packer NeedsNewAddress, ByteAddress, Filled, Buffer;
    };
    static constexpr StreamCells RSICells = {Packer::rsi_needs_address, Packer::rsi_address, Packer::rsi_filled,
                                             Packer::rsi_0};
    static constexpr StreamCells ExponentCells = {Packer::exp_needs_address, Packer::exp_address, Packer::exp_filled,
                                                  Packer::exp_0};
    static constexpr StreamCells DataCells = {Packer::data_needs_address, Packer::data_address, Packer::data_filled,
                                              Packer::data_0};

    Stream load(const StreamCells& cells) const;
    void store(const StreamCells& cells, const Stream& stream);
    void reach(std::uint32_t ByteAddress);
    void latch(const StreamCells& cells, Stream& stream, std::uint32_t Addr);
    void append(Stream& stream, std::uint8_t byte);
    void append_rsi();
    void write(Stream& stream);
    void emit(const Datum& d);
    void assemble();
    void finish_32();
    void end_row();

    PackMachine& m_;
    const Conversions& c_;
    const Datum zero_;
    Random* random_;
    bool compressing_ = false, outside_ = false;
    Stream rsi_, exponents_, data_;
    std::array<std::uint32_t, 16> group_{};
    unsigned group_filled_ = 0;
    std::array<std::uint8_t, 32> counters_{};
    unsigned counted_ = 0;
};

}  // namespace tessera::reference
