// SPDX-License-Identifier: Apache-2.0
// A bank of SrcA or SrcB: its datums, and what multiplications have made of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera::state {

inline constexpr unsigned columns = 16;
/// Where arrays begin that are read and written in vectors: so none of these falls on two lines of the host's cache.
inline constexpr std::size_t vector_bytes = 64;

/// The datums of a bank, an array. Whoever may change one has raised `version()`: there is no other way to get at them.
class SrcDatums {
public:
    static constexpr unsigned rows = 64;

    SrcDatums() = default;
    SrcDatums(const SrcDatums&) = default;
    SrcDatums& operator=(const SrcDatums& other) {
        datums_ = other.datums_;
        // Beyond both: neither's versions told of these datums in this place.
        version_ = std::max(version_, other.version_) + 1;
        return *this;
    }

    static constexpr std::size_t size() { return rows * columns; }
    const std::uint32_t* data() const { return datums_.data(); }
    const std::uint32_t* begin() const { return data(); }
    const std::uint32_t* end() const { return data() + size(); }
    const std::uint32_t& operator[](std::size_t i) const { return datums_[i]; }

    /// To be asked for anew behind every multiplication.
    std::uint32_t* data() {
        ++version_;
        return datums_.data();
    }
    std::uint32_t* begin() { return data(); }
    std::uint32_t* end() { return data() + size(); }
    std::uint32_t& operator[](std::size_t i) { return data()[i]; }
    void fill(std::uint32_t datum) { std::fill_n(data(), size(), datum); }

    /// Another number whenever datums may have changed; never 0.
    std::uint64_t version() const { return version_; }

    friend bool operator==(const SrcDatums& a, const SrcDatums& b) { return a.datums_ == b.datums_; }

private:
    alignas(vector_bytes) std::array<std::uint32_t, rows * columns> datums_{};
    std::uint64_t version_ = 1;
};

/// Sixteen rows of a bank as the operands of multiplications (units/matrix/loops/multiply_operands-inl.hpp), kept until the bank is
/// written.
struct KeptOperands {
    static constexpr unsigned rows = 16, pairs = rows * columns / 2;

    std::uint64_t version = 0;                       ///< of the datums that they are of; 0: there are none
    std::uint32_t how = 0;                           ///< what of each datum counts
    bool has_mantissas = false, has_floats = false;  ///< which of both have been made
    bool as_floats = false;                          ///< each float is what it should be, and not denormal
    std::int16_t least = 0, most = 0;                ///< of the floats' exponents, of what is not zero
    alignas(vector_bytes) std::array<std::uint32_t, pairs> exponents, mantissas;  ///< of mantissas, or else of floats
    alignas(
        vector_bytes) std::array<float, 2 * pairs> floats;  ///< of the pairs' lower halves, then of their upper ones
};

/// One bank of SrcA or SrcB: datums of 19 bits, in the upper bits of a word as FP32 has them.
struct SrcBank {
    static constexpr unsigned rows = SrcDatums::rows;
    SrcDatums datums;
    std::uint64_t written = 0;  ///< a bit per row
    /// Which are kept: by the first row's sixteen, and by the half of their mantissas that a fidelity phase multiplies.
    std::array<std::array<KeptOperands, 2>, rows / KeptOperands::rows> kept{};
};

}  // namespace tessera::state
