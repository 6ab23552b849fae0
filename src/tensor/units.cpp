// SPDX-License-Identifier: Apache-2.0
#include "tensor/units.hpp"

#include <algorithm>
#include <array>

#include "tensor/zero_runs.hpp"

namespace tessera::tensor {

namespace {

void store(std::span<std::byte> bytes, std::size_t at, unsigned count, std::size_t value) {
    for (unsigned i = 0; i < count; ++i) bytes[at + i] = static_cast<std::byte>(value >> 8 * i & 0xFF);
}

// SETDMAREG_Special, TileHeader. The size is in lines that a packer writes, with one for the header: exponents of datums
// that are left out are no such lines.
void write_header(const Unit& unit, DataFormat format, const ZeroRuns& runs, std::span<std::byte> bytes) {
    const std::size_t kept = runs.written(unit),
                      exponents = unit.has_exponents ? ceil_div(kept, formats::block_datums) : 0;
    const std::size_t lines = (unit.exponents - unit.row_starts) / line_bytes + ceil_div(exponents, line_bytes) +
                              ceil_div(unit.bytes_of(kept) - unit.data, line_bytes);
    constexpr unsigned uncompressed = 1u << 4;
    store(bytes, 0, 2, lines + 1);
    store(bytes, 6, 1, static_cast<unsigned>(hardware_format(format)) | (unit.compressed() ? 0 : uncompressed));
    store(bytes, 8, 4, runs.all_zero_flags);
}

}  // namespace

void encode_unit(const Unit& unit, const Codec& codec, DataFormat format, const TensorForm& form, const Values& values,
                 std::span<std::byte> bytes) {
    std::vector<bool> zero(unit.compressed() ? unit.datums : 0);
    for (std::size_t i = 0; i < zero.size(); ++i) zero[i] = codec.is_zero(values, i);
    const ZeroRuns runs = leave_out(unit, zero);
    if (form.digest_size) write_header(unit, format, runs, bytes);
    for (std::size_t row = 0; row < runs.starts.size(); ++row)
        store(bytes, unit.row_starts + row * row_start_bytes, row_start_bytes, runs.starts[row]);
    for (std::size_t i = 0; i < runs.zeros.size(); ++i)
        bytes[unit.counter(i)] |= static_cast<std::byte>(runs.zeros[i] << i % 2 * 4);
    const std::size_t written = runs.written(unit);
    std::array<std::size_t, formats::block_datums> which{};
    for (std::size_t first = 0; first < written; first += which.size()) {
        const std::size_t count = std::min(which.size(), written - first), block = first / which.size();
        for (std::size_t k = 0; k < count; ++k) which[k] = runs.datum(unit, first + k);
        const std::uint8_t exponent =
            codec.encode(values, std::span(which).first(count), bytes.data() + unit.block(block));
        if (unit.has_exponents) bytes[unit.exponents + block] = static_cast<std::byte>(exponent);
    }
}

Result<void> decode_unit(const Unit& unit, const Codec& codec, std::span<const std::byte> bytes,
                         std::vector<float>& values, std::vector<std::int64_t>& integers) {
    const auto runs = read_zero_runs(unit, bytes);
    if (!runs) return tl::make_unexpected(runs.error());
    values.assign(unit.datums, 0);
    if (codec.is_integer()) integers.assign(unit.datums, 0);
    for (std::size_t i = 0; i < runs->written(unit); ++i) {
        const std::size_t block = i / formats::block_datums, to = runs->datum(unit, i);
        const std::uint32_t datum = codec.datum(bytes.data() + unit.block(block), i % formats::block_datums);
        if (codec.is_integer()) {
            integers[to] = codec.decode_integer(datum);
            values[to] = static_cast<float>(integers[to]);
        } else {
            const auto exponent = unit.has_exponents ? bytes[unit.exponents + block] : std::byte{0};
            values[to] = codec.decode(datum, std::to_integer<std::uint8_t>(exponent));
        }
    }
    return {};
}

Result<std::size_t> used_bytes(const Unit& unit, std::span<const std::byte> bytes) {
    return read_zero_runs(unit, bytes).map([&](const ZeroRuns& runs) { return unit.bytes_of(runs.written(unit)); });
}

}  // namespace tessera::tensor
