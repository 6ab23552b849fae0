// SPDX-License-Identifier: Apache-2.0
// Converts arrays, by way of L1, to datums of a source register.
#pragma once

#include <span>
#include <vector>

#include "formats/unpack_convert.hpp"
#include "tessera/arch.hpp"
#include "tessera/arrays.hpp"
#include "tessera/tensor.hpp"

namespace tessera::arrays {

inline constexpr std::size_t tile_side = 32, tile_datums = tile_side * tile_side, face_rows = 16;

/// Rounds `size` up to a multiple of `of`.
constexpr std::size_t whole(std::size_t size, std::size_t of) { return (size + of - 1) / of * of; }

/// True if the code names a format.
bool is_format(DataFormat format);

/// An operand's format in L1, and the format that unpackers convert it to.
struct Operand {
    DataFormat l1{};   ///< the host software's name
    DataFormat src{};  ///< the value in ALU_FORMAT_SPEC
    bool wide_exponent = false;
    bool integer = false;
    bool is_unsigned = false;
    formats::UnpackConversion conversion;
    formats::UnpackLoop convert = nullptr;
};

/// `src` is the format for Float32. Error "arrays.format".
Result<Operand> choose_operand(Arch arch, DataFormat format, DataFormat src);

/// Error "arrays.shape", "arrays.size".
Result<void> check(const Matrix& array, std::string_view name);
/// Same, for a shape alone.
Result<void> check_size(std::size_t rows, std::size_t cols, std::string_view name);

inline bool ends(const Interrupt& interrupt) { return interrupt && interrupt(); }
/// Error "arrays.interrupted".
tl::unexpected<Error> interrupted();

/// Rows `first` to `first` + 31 of the array, zero-padded on the right and below to whole tiles.
Matrix row_of_tiles(const Matrix& array, std::size_t first);

/// Datums of a source register: tiles in row-major order, each as an unpacker writes it to a bank.
struct Tiles {
    std::size_t down = 0, across = 0;
    std::vector<std::uint32_t> datums;

    std::span<const std::uint32_t, tile_datums> at(std::size_t row, std::size_t column) const {
        return std::span<const std::uint32_t, tile_datums>(&datums[(row * across + column) * tile_datums], tile_datums);
    }
};

/// Converts a checked array to whole tiles, zero-padded. Errors as to_bytes(), "arrays.interrupted".
Result<Tiles> to_tiles(const Matrix& array, const Operand& operand, const Interrupt& interrupt);
/// Same, from bytes of L1 in layout `tiles`; tensor_bytes() gives their number.
Tiles to_tiles(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, const Operand& operand);

/// The value of a datum of a source register.
float value_of(std::uint32_t datum, const Operand& operand);
std::int64_t integer_of(std::uint32_t datum);

}  // namespace tessera::arrays
