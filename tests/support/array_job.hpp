// SPDX-License-Identifier: Apache-2.0
// Jobs on a Core that repeat the functions over arrays for one tile: unpack, compute, pack, in one thread.
#pragma once

#include <string>

#include "tessera/arrays.hpp"
#include "tessera/core.hpp"

namespace tessera::test {

class ArrayJob {
public:
    explicit ArrayJob(const ArrayOptions& options) : options_(options) {}

    /// a x b for one tile of the result; the sum may have several tiles.
    Matrix matmul(const Matrix& a, const Matrix& b, bool reference);
    /// `instruction` with its broadcast bits.
    Matrix elementwise(const std::string& instruction, unsigned broadcast, const Matrix& a, const Matrix& b,
                       bool reference);
    /// weights x a by GAPOOL, and column maxima by GMPOOL, of one tile: rows from 0 on.
    Matrix gapool(const Matrix& a, const Matrix& weights, bool reference);
    Matrix gmpool(const Matrix& a, bool reference);
    /// The array unpacked to Dst, and packed: bytes of the tile.
    static std::vector<std::byte> pack(const Matrix& array, const ConvertOptions& options, bool reference);
    /// Three rows of nothing and the column maxima with what stands beside them: 32 rows of GMPOOL of 16x16 blocks, as
    /// the low 16 bits of row 0 of Dst.
    std::vector<std::uint32_t> pooled_words(const Matrix& blocks, unsigned scaled_rows);

    /// Values of datums in L1 that were packed from Dst.
    static Matrix values(const std::vector<std::byte>& bytes, DataFormat format);

private:
    struct Place {
        unsigned a, b, d;
    };
    void configure_matrix(DataFormat src_a, DataFormat src_b);
    void configure_unpacker(unsigned which, DataFormat format);
    void configure_packer(bool wide, DataFormat out, DataFormat intermediate);
    void unpack(unsigned which, std::uint32_t address);
    void at(const std::string& instruction, const Place& place);
    void pack_tile(unsigned rows);
    std::vector<std::byte> run(Core& core, DataFormat out, unsigned rows, bool reference);
    bool wide() const;

    ArrayOptions options_;
    std::string text_ = ".thread math\n";
};

/// With infinities, NaNs, denormals and the largest numbers here and there, when `how_many` is odd.
Matrix with_specials(Matrix matrix, std::uint32_t how_many);

/// Numbers of both signs with zeros and a few that are large, small or whole.
Matrix random_array(std::size_t rows, std::size_t cols, std::uint32_t seed, bool integers);

}  // namespace tessera::test
