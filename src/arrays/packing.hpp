// SPDX-License-Identifier: Apache-2.0
// Packs rows of Dst to bytes of L1 and to values.
#pragma once

#include <optional>

#include "arrays/machine.hpp"
#include "plan/pack_work.hpp"
#include "tessera/tensor.hpp"

namespace tessera::arrays {

/// Contents of Dst: 32-bit floats, 16-bit floats with 8 or 5 exponent bits, or INT32.
enum class DstContent : std::uint8_t { fp32, bf16, fp16, integer };

constexpr bool is_wide(DstContent content) { return content == DstContent::fp32 || content == DstContent::integer; }

class Packing {
public:
    /// Configures the machine's packer. Error "arrays.format" if packers have no such conversion.
    static Result<Packing> choose(Machine& machine, DstContent content, DataFormat out,
                                  std::optional<DataFormat> intermediate);

    /// Packs `rows` rows of Dst's view to L1's layout: exponents of block floats, then datums.
    std::vector<std::byte> bytes(state::State& state, unsigned row, unsigned rows) const;
    /// Same, as values: `rows` x 16.
    Matrix values(state::State& state, unsigned row, unsigned rows) const;

    bool integer() const;

private:
    plan::PackWork work_;
    DataFormat out_{};
};

/// Conversions of hardware's INT32.
std::int64_t from_sign_magnitude_32(std::uint32_t bits);
std::uint32_t to_sign_magnitude_32(std::int64_t value);

}  // namespace tessera::arrays
