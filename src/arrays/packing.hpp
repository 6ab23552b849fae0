// SPDX-License-Identifier: Apache-2.0
// Rows of Dst through a packer's conversions to bytes of L1 and values.
#pragma once

#include <optional>

#include "arrays/machine.hpp"
#include "plan/pack_work.hpp"
#include "tessera/tensor.hpp"

namespace tessera::arrays {

/// What Dst holds: 32-bit floats, floats of 16 bits with 8 or 5 bits of exponent, or INT32.
enum class DstContent : std::uint8_t { fp32, bf16, fp16, integer };

constexpr bool is_wide(DstContent content) { return content == DstContent::fp32 || content == DstContent::integer; }

class Packing {
public:
    /// Configures the machine's packer. Error "arrays.format" where packers have no such conversion.
    static Result<Packing> choose(Machine& machine, DstContent content, DataFormat out,
                                  std::optional<DataFormat> intermediate);

    /// `rows` rows of Dst's view as they lie in L1: exponents of block floats, then datums.
    std::vector<std::byte> bytes(state::State& state, unsigned row, unsigned rows) const;
    /// The same as values, `rows` x 16.
    Matrix values(state::State& state, unsigned row, unsigned rows) const;

    bool integer() const;

private:
    plan::PackWork work_;
    DataFormat out_{};
};

/// An INT32 as hardware has it.
std::int64_t from_sign_magnitude_32(std::uint32_t bits);
std::uint32_t to_sign_magnitude_32(std::int64_t value);

}  // namespace tessera::arrays
