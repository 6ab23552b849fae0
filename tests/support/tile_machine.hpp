// SPDX-License-Identifier: Apache-2.0
// Moves one 32x32 tile from L1 to Dst by UNPACR, directly or through SrcA, and from Dst to L1 by PACR, without engine.
// This is the single place for the registers that select a form of tensor/.
#pragma once

#include <span>
#include <vector>

#include "support/stepper.hpp"
#include "tessera/tensor.hpp"

namespace tessera::test {

/// UNPACR's destination, and the way from there to Dst.
enum class Way : std::uint8_t {
    dst,       ///< nothing
    src_a,     ///< MOVA2D
    plus_zero  ///< ELWADD of integers with a SrcB of zeros, which makes 8-bit integers the 32-bit ones that packers take
};

/// PACR's view of Dst.
struct PackFrom {
    DataFormat intermediate;  ///< Dst's format, and In_data_format
    bool read_32b = false;
    bool raw = false;  ///< PCK_DEST_RD_CTRL_Read_int8: no rounding, flushing or saturation
    bool round_10b = false;
};

class TileMachine {
public:
    static constexpr unsigned datums = 1024, row = 16, rows = datums / row;

    explicit TileMachine(Arch arch);

    void write(std::size_t address, std::span<const std::byte> bytes);
    std::vector<std::byte> read(std::size_t address, std::size_t count) const;

    /// The tile at an address, in the order of L1, to Dst from row 0 on, converted to `out`.
    void unpack(std::size_t address, DataFormat format, const TensorForm& form, DataFormat out, Way way);

    /// Dst from row 0 on to a tile at an address. The machine writes no header.
    void pack(std::size_t address, DataFormat format, const TensorForm& form, PackFrom from);

    Stepper step;

private:
    void set(std::string_view name, std::uint32_t value);
};

}  // namespace tessera::test
