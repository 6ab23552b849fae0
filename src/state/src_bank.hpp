// SPDX-License-Identifier: Apache-2.0
// A bank of SrcA or SrcB: its datums, and memoised operands of multiplications.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera::state {

inline constexpr unsigned columns = 16;
/// Alignment of arrays for vector loops: no vector crosses a line of the host's cache.
inline constexpr std::size_t vector_bytes = 64;

/// The datums of a bank. All mutable access goes through a write barrier that raises version().
class SrcDatums {
public:
    static constexpr unsigned rows = 64;

    SrcDatums() = default;
    SrcDatums(const SrcDatums&) = default;
    SrcDatums& operator=(const SrcDatums& other) {
        datums_ = other.datums_;
        // Above both versions, since neither of them named these datums in this object.
        version_ = std::max(version_, other.version_) + 1;
        return *this;
    }

    static constexpr std::size_t size() { return rows * columns; }
    const std::uint32_t* data() const { return datums_.data(); }
    const std::uint32_t* begin() const { return data(); }
    const std::uint32_t* end() const { return data() + size(); }
    const std::uint32_t& operator[](std::size_t i) const { return datums_[i]; }

    /// Write barrier: fetch the pointer anew after every multiplication.
    std::uint32_t* data() {
        ++version_;
        return datums_.data();
    }
    std::uint32_t* begin() { return data(); }
    std::uint32_t* end() { return data() + size(); }
    std::uint32_t& operator[](std::size_t i) { return data()[i]; }
    void fill(std::uint32_t datum) { std::fill_n(data(), size(), datum); }

    /// Changes whenever datums may have changed; never 0.
    std::uint64_t version() const { return version_; }

    friend bool operator==(const SrcDatums& a, const SrcDatums& b) { return a.datums_ == b.datums_; }

private:
    alignas(vector_bytes) std::array<std::uint32_t, rows * columns> datums_{};
    std::uint64_t version_ = 1;
};

/// Sixteen rows of a bank as operands of multiplications (units/matrix/loops/multiply_operands-inl.hpp). Memoised
/// until the bank is written.
struct KeptOperands {
    static constexpr unsigned rows = 16, pairs = rows * columns / 2;

    std::uint64_t version = 0;                       ///< of their datums; 0: none
    std::uint32_t how = 0;                           ///< used bits of each datum
    bool has_mantissas = false, has_floats = false;  ///< which of the two are present
    bool as_floats = false;                          ///< no float is denormal, and each has the value of its datum
    std::int16_t least = 0, most = 0;                ///< range of the floats' exponents, zeros excepted
    alignas(vector_bytes) std::array<std::uint32_t, pairs> exponents, mantissas;  ///< of mantissas, else of floats
    alignas(
        vector_bytes) std::array<float, 2 * pairs> floats;  ///< lower halves of the pairs, then upper halves
};

/// One bank of SrcA or SrcB: datums of 19 bits, in the upper bits of a word in FP32's bit order.
struct SrcBank {
    static constexpr unsigned rows = SrcDatums::rows;
    SrcDatums datums;
    std::uint64_t written = 0;  ///< a bit per row
    /// Memoised operands, by sixteen rows and by the half of the mantissa that a fidelity phase multiplies.
    std::array<std::array<KeptOperands, 2>, rows / KeptOperands::rows> kept{};
};

}  // namespace tessera::state
