// SPDX-License-Identifier: Apache-2.0
// Formats values of fields by their kind.
#include <fmt/format.h>

#include <array>

#include "tessera/data_format.hpp"
#include "tessera/registers.hpp"

namespace tessera {

namespace {

constexpr std::array<std::string_view, 15> kind_names = {
    "number",    "flag",   "wrapping",  "mask",          "bits",          "data-format",      "address",
    "address16", "size16", "relu-mode", "throttle-mode", "upsample-rate", "source-interface", "transfer-direction",
    "whole"};

constexpr std::array<std::string_view, 4> relu_modes = {"off", "ReLU", "0 up to the threshold",
                                                        "between 0 and the threshold"};
constexpr std::array<std::string_view, 4> throttle_modes = {"x1", "x2", "x4", "mode 3"};
constexpr std::array<std::string_view, 4> upsample_rates = {"no zeros", "1 zero", "3 zeros", "7 zeros"};
constexpr std::array<std::string_view, 4> directions = {"L0 to L1", "L1 to L0", "L0 to L0", "L1 to L1"};

std::string wrapping(std::uint32_t value, unsigned width) {
    const auto half = std::uint64_t{1} << (width - 1);
    if (value <= half) return fmt::format("{}", value);
    return fmt::format("{} (-{})", value, 2 * half - value);
}

}  // namespace

std::string_view name(RegisterSpace space) { return space == RegisterSpace::backend ? "backend" : "thread"; }
std::string_view name(FieldKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

std::string describe_value(const RegisterField& field, std::uint32_t value) {
    const std::uint64_t bytes = std::uint64_t{value} * 16;
    switch (field.kind) {
        case FieldKind::number: return fmt::format("{}", value);
        case FieldKind::flag: return value ? "on" : "off";
        case FieldKind::wrapping: return wrapping(value, field.width);
        case FieldKind::mask:
        case FieldKind::bits:
        case FieldKind::whole: return fmt::format("0x{:0{}X}", value, (field.width + 3) / 4);
        case FieldKind::data_format: return std::string(name(static_cast<DataFormat>(value & 15)));
        case FieldKind::address: return fmt::format("0x{:X}", value);
        case FieldKind::address16: return fmt::format("0x{:X}", bytes);
        case FieldKind::size16: return fmt::format("{} bytes", bytes);
        case FieldKind::relu_mode: return std::string(relu_modes.at(value & 3));
        case FieldKind::throttle_mode: return std::string(throttle_modes.at(value & 3));
        case FieldKind::upsample_rate: return std::string(upsample_rates.at(value & 3));
        case FieldKind::source_interface: return value ? "L1" : "Dst";
        case FieldKind::transfer_direction: return std::string(directions.at(value & 3));
    }
    return fmt::format("{}", value);
}

}  // namespace tessera
