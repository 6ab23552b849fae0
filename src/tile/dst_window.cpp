// SPDX-License-Identifier: Apache-2.0
// Dst in Blackhole's address space of T0, T1 and T2 (Dst, "RISCV access to Dst"). Here values use the page's bit
// layout; the state uses another (formats/layouts.hpp).
#include <algorithm>

#include "formats/layouts.hpp"
#include "plan/dst_rows.hpp"
#include "registers/field.hpp"
#include "tile/device.hpp"

namespace tessera::tile {

namespace {

constexpr auto fmt = registers::fields<3>("RISC_DEST_ACCESS_CTRL_SEC#_fmt");
constexpr auto no_swizzle = registers::fields<3>("RISC_DEST_ACCESS_CTRL_SEC#_no_swizzle");
constexpr auto unsigned_int = registers::fields<3>("RISC_DEST_ACCESS_CTRL_SEC#_unsigned_int");
constexpr auto remap_addrs = registers::field("DEST_ACCESS_CFG_remap_addrs");
constexpr auto swizzle_32b = registers::field("DEST_ACCESS_CFG_swizzle_32b");

enum class Format : std::uint8_t { fp32, int32, fp16, bf16, int16, int8, reserved };

/// A thread core's view of Dst.
struct View {
    Format format;
    bool raw, is_unsigned;
    plan::DstMap map;

    View(const state::State& state, unsigned thread)
        : format(Format(std::min(state.config(thread, fmt[thread]), 6u))),
          raw(state.config(thread, no_swizzle[thread])),
          is_unsigned(state.config(thread, unsigned_int[thread])),
          map{format <= Format::int32, state.maps_dst && state.config(thread, remap_addrs),
              state.maps_dst && state.config(thread, swizzle_32b),
              (state[state::cells::feature_disable] & state::cells::upper_dst) != 0} {}

    unsigned bytes() const { return format <= Format::int32 ? 4 : format == Format::int8 ? 1 : 2; }
};

std::uint32_t negated_magnitude(std::uint32_t value, std::uint32_t sign) {
    return (0u - (value & (sign - 1))) & (2 * sign - 1);
}

std::uint32_t from_dst32(const View& view, std::uint32_t value) {
    if (!view.raw) value = (value & 0x8000'FFFF) | (value >> 8 & 0x007F'0000) | (value & 0x00FF'0000) << 7;
    if (view.format == Format::int32 && !view.raw && value >> 31) return 0u - (value & 0x7FFF'FFFF);
    return value;
}

std::uint32_t to_dst32(const View& view, std::uint32_t value) {
    if (view.format == Format::int32 && !view.raw && value >> 31)
        value = 0x8000'0000 | (0u - (value + (value == 0x8000'0000)));
    if (!view.raw) value = (value & 0x8000'FFFF) | (value >> 7 & 0x00FF'0000) | (value & 0x007F'0000) << 8;
    return value;
}

std::uint32_t from_dst16(const View& view, std::uint32_t value) {
    switch (view.format) {
        case Format::fp16: return view.raw ? value : formats::fp16_from_dst(formats::dst_from_stored(value));
        case Format::bf16: return view.raw ? value : formats::dst_from_stored(value);
        case Format::int16:
            return view.raw || view.is_unsigned || value < 0x8000 ? value : negated_magnitude(value, 0x8000);
        default: break;
    }
    if (view.raw || view.is_unsigned) return value >> 5 & 0xFF;
    const std::uint32_t magnitude = value >> 5 & 0x7F;
    return (value & 0x8000 ? 0u - magnitude : magnitude) & 0xFF;
}

std::uint32_t to_dst16(const View& view, std::uint32_t value) {
    switch (view.format) {
        case Format::fp16: return view.raw ? value : formats::dst_to_stored(formats::dst_from_fp16(value));
        case Format::bf16: return view.raw ? value : formats::dst_to_stored(value);
        case Format::int16:
            if (view.raw || view.is_unsigned || value < 0x8000) return value;
            return 0x8000 | ((0u - (value + (value == 0x8000))) & 0xFFFF);
        default: break;
    }
    if (view.raw || view.is_unsigned || value < 0x80) return value << 5 | (value ? 16 : 0);
    // The page: intended as a conversion from two's complement, but it is not one.
    const std::uint32_t magnitude = (0x180 - value - (value == 0x80)) & 0xFF;
    return 0x8000 | magnitude << 5 | 16;
}

std::uint32_t load_element(const state::Dst& dst, const View& view, unsigned element) {
    const unsigned row = view.map.row(element / state::columns), column = element % state::columns;
    if (!dst.valid[row]) return 0;
    const std::uint32_t high = formats::dst_to_stored(dst.datums[row * state::columns + column]);
    if (!view.map.wide) return from_dst16(view, high);
    const unsigned low_row = plan::DstMap::low_half(row);
    return from_dst32(view, high << 16 | formats::dst_to_stored(dst.datums[low_row * state::columns + column]));
}

void store_datum(Devices& devices, By by, unsigned row, unsigned column, std::uint32_t stored) {
    auto& dst = devices.state.dst;
    const unsigned datum = row * state::columns + column;
    dst.datums[datum] = static_cast<std::uint16_t>(formats::dst_from_stored(stored));
    dst.written[row] = true;
    devices.wrote(by, state::Storage::dst, datum, 1);
}

void store_element(Devices& devices, By by, const View& view, unsigned element, std::uint32_t value) {
    const unsigned row = view.map.row(element / state::columns), column = element % state::columns;
    if (view.map.wide) {
        const std::uint32_t stored = to_dst32(view, value);
        store_datum(devices, by, row, column, stored >> 16);
        store_datum(devices, by, plan::DstMap::low_half(row), column, stored & 0xFFFF);
    } else {
        store_datum(devices, by, row, column, to_dst16(view, value));
    }
    devices.state.dst.valid[row] = true;
    devices.wrote(by, state::Storage::dst_valid, row, 1);
}

// T0 and T1 access one element at a time, T2 as many as the access covers.
const char* wrong_access(const View& view, const Request& request) {
    if (view.format == Format::reserved) return "this value of RISC_DEST_ACCESS_CTRL fmt is reserved";
    if (request.bytes < view.bytes() || (request.bytes > view.bytes() && request.user != User::t2))
        return "RISC_DEST_ACCESS_CTRL fmt has elements of another size";
    return nullptr;
}

// Reports the rows of an access in ascending order; a word's low half is a row of its own.
void report_access(Devices& devices, const Request& request, const View& view, bool write) {
    const unsigned row = view.map.row(request.offset(devices.arch) / view.bytes() / state::columns);
    devices.port().accessed_dst(request.by(), row, row, write);
    if (!view.map.wide) return;
    const unsigned low = plan::DstMap::low_half(row);
    devices.port().accessed_dst(request.by(), low, low, write);
}

}  // namespace

Reply load_dst(Devices& devices, const Request& request) {
    const View view(devices.state, request.thread());
    if (const char* why = wrong_access(view, request)) return Reply::fail(findings::id("tile.dst-access"), why);
    report_access(devices, request, view, false);
    // The 32 KiB window holds 512 rows of words or 1024 of halves. As bytes it shows 1024 rows twice.
    std::uint32_t value = 0;
    for (unsigned i = 0; i < request.bytes; i += view.bytes())
        value |= load_element(devices.state.dst, view, (request.offset(devices.arch) + i) / view.bytes()) << 8 * i;
    return Reply::of(value);
}

Reply store_dst(Devices& devices, const Request& request, std::uint32_t value) {
    const View view(devices.state, request.thread());
    if (const char* why = wrong_access(view, request)) return Reply::fail(findings::id("tile.dst-access"), why);
    report_access(devices, request, view, true);
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << view.bytes() * 8) - 1);
    for (unsigned i = 0; i < request.bytes; i += view.bytes())
        store_element(devices, request.by(), view, (request.offset(devices.arch) + i) / view.bytes(),
                      value >> 8 * i & mask);
    devices.changed();
    return {};
}

}  // namespace tessera::tile
