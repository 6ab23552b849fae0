// SPDX-License-Identifier: Apache-2.0
// Arrays on their way through L1 to datums of a source register.
#pragma once

#include <span>
#include <vector>

#include "formats/unpack_convert.hpp"
#include "tessera/arch.hpp"
#include "tessera/arrays.hpp"
#include "tessera/tensor.hpp"

namespace tessera::arrays {

inline constexpr std::size_t tile_side = 32, tile_datums = tile_side * tile_side, face_rows = 16;

/// The next multiple.
constexpr std::size_t whole(std::size_t size, std::size_t of) { return (size + of - 1) / of * of; }

/// Whether there is a format of that code.
bool is_format(DataFormat format);

/// What an array is in L1 and what unpackers make of it.
struct Operand {
    DataFormat l1{};   ///< as host software names it
    DataFormat src{};  ///< as ALU_FORMAT_SPEC has it
    bool wide_exponent = false;
    bool integer = false;
    bool is_unsigned = false;
    formats::UnpackConversion conversion;
    formats::UnpackLoop convert = nullptr;
};

/// `src` is what Float32 becomes. Error "arrays.format".
Result<Operand> choose_operand(Arch arch, DataFormat format, DataFormat src);

/// Error "arrays.shape", "arrays.size".
Result<void> check(const Matrix& array, std::string_view name);
/// The same for a shape that is only asked for.
Result<void> check_size(std::size_t rows, std::size_t cols, std::string_view name);

inline bool ends(const Interrupt& interrupt) { return interrupt && interrupt(); }
/// Error "arrays.interrupted".
tl::unexpected<Error> interrupted();

/// Rows `first` to `first` + 31 of the array in whole tiles, with zeros on the right and below.
Matrix row_of_tiles(const Matrix& array, std::size_t first);

/// Datums of a source register: tiles in row-major order, each as an unpacker leaves it in a bank.
struct Tiles {
    std::size_t down = 0, across = 0;
    std::vector<std::uint32_t> datums;

    std::span<const std::uint32_t, tile_datums> at(std::size_t row, std::size_t column) const {
        return std::span<const std::uint32_t, tile_datums>(&datums[(row * across + column) * tile_datums], tile_datums);
    }
};

/// A checked array in whole tiles, padded with zeros. Errors as to_bytes(), "arrays.interrupted".
Result<Tiles> to_tiles(const Matrix& array, const Operand& operand, const Interrupt& interrupt);
/// The same from bytes of L1 in layout `tiles`, as many as tensor_bytes() says.
Tiles to_tiles(std::span<const std::byte> bytes, std::size_t rows, std::size_t cols, const Operand& operand);

/// What a datum of a source register is worth.
float value_of(std::uint32_t datum, const Operand& operand);
std::int64_t integer_of(std::uint32_t datum);

}  // namespace tessera::arrays
