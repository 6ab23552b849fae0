// SPDX-License-Identifier: Apache-2.0
#include "tensor/units.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "tensor/zero_runs.hpp"

namespace tessera::tensor {

namespace {

template <class Value>
void store(std::span<std::byte> bytes, std::size_t at, Value value) {
    std::memcpy(&bytes[at], &value, sizeof value);
}

// SETDMAREG_Special, TileHeader. The size counts the lines that a packer writes, plus one for the header. Exponents of
// omitted datums are no lines.
void write_header(const Unit& unit, DataFormat format, const ZeroRuns& runs, std::span<std::byte> bytes) {
    const std::size_t kept = runs.written(unit),
                      exponents = unit.has_exponents ? ceil_div(kept, formats::block_datums) : 0;
    const std::size_t lines = (unit.exponents - unit.row_starts) / line_bytes + ceil_div(exponents, line_bytes) +
                              ceil_div(unit.bytes_of(kept) - unit.data, line_bytes);
    constexpr unsigned uncompressed = 1u << 4;
    const unsigned code = static_cast<unsigned>(hardware_format(format)) | (unit.compressed() ? 0 : uncompressed);
    store(bytes, 0, static_cast<std::uint16_t>(lines + 1));
    store(bytes, 6, static_cast<std::uint8_t>(code));
    store(bytes, 8, runs.all_zero_flags);
}

}  // namespace

template <class Value>
void encode_unit(const Unit& unit, const Codec& codec, DataFormat format, const TensorForm& form,
                 std::span<const Value> values, std::span<std::byte> bytes) {
    std::byte* const exponents = bytes.data() + unit.exponents;
    if (!unit.compressed()) {
        if (form.digest_size) write_header(unit, format, {}, bytes);
        return codec.encode(values, bytes.data() + unit.data, exponents);
    }
    const ZeroRuns runs = leave_out(unit, codec.zeros(values));
    if (form.digest_size) write_header(unit, format, runs, bytes);
    write_zero_runs(unit, runs, bytes);
    // Encodes whole groups: the zeros after the last datum are already there.
    const std::size_t groups = ceil_div(runs.kept.size(), group_datums);
    std::vector<Value> kept(groups * group_datums);
    for (std::size_t i = 0; i < runs.kept.size(); ++i) kept[i] = values[runs.kept[i]];
    std::vector<std::byte> datums(groups * unit.group_bytes());
    codec.encode(std::span<const Value>(kept), datums.data(), exponents);
    for (std::size_t i = 0; i < groups; ++i)
        std::copy_n(&datums[i * unit.group_bytes()], unit.group_bytes(), bytes.data() + unit.group(i));
}

template void encode_unit(const Unit&, const Codec&, DataFormat, const TensorForm&, std::span<const float>,
                          std::span<std::byte>);
template void encode_unit(const Unit&, const Codec&, DataFormat, const TensorForm&, std::span<const std::int64_t>,
                          std::span<std::byte>);

Result<void> decode_unit(const Unit& unit, const Codec& codec, std::span<const std::byte> bytes,
                         std::span<float> values, std::int64_t* integers) {
    const std::byte* const exponents = bytes.data() + unit.exponents;
    if (!unit.compressed()) {
        codec.decode(bytes.data() + unit.data, exponents, values, integers);
        return {};
    }
    const auto runs = read_zero_runs(unit, bytes);
    if (!runs) return tl::make_unexpected(runs.error());
    const std::size_t groups = ceil_div(runs->kept.size(), group_datums);
    std::vector<std::byte> datums(groups * unit.group_bytes());
    for (std::size_t i = 0; i < groups; ++i)
        std::copy_n(bytes.data() + unit.group(i), unit.group_bytes(), &datums[i * unit.group_bytes()]);
    std::vector<float> kept(groups * group_datums);
    std::vector<std::int64_t> exact;
    if (codec.is_integer()) exact.resize(kept.size());
    codec.decode(datums.data(), exponents, kept, exact.data());
    std::fill(values.begin(), values.end(), 0.0f);
    for (std::size_t i = 0; i < runs->kept.size(); ++i) values[runs->kept[i]] = kept[i];
    if (!codec.is_integer()) return {};
    std::fill_n(integers, values.size(), 0);
    for (std::size_t i = 0; i < runs->kept.size(); ++i) integers[runs->kept[i]] = exact[i];
    return {};
}

Result<std::size_t> used_bytes(const Unit& unit, std::span<const std::byte> bytes) {
    return read_zero_runs(unit, bytes).map([&](const ZeroRuns& runs) { return unit.bytes_of(runs.written(unit)); });
}

}  // namespace tessera::tensor
