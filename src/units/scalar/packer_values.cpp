// SPDX-License-Identifier: Apache-2.0
// SETDMAREG that reads 128 bits of packers' configuration or state (SETDMAREG (Special), Functional model; spec-notes
// G5).
#include "isa/form.hpp"
#include "isa/values/scalar.hpp"
#include "registers/packer_fields.hpp"
#include "units/scalar/gprs.hpp"
#include "units/scalar/scalar.hpp"

namespace tessera::units::scalar {

namespace {

using isa::form_operand;
using state::Packer;

constexpr auto result_size = form_operand("SETDMAREG", "special", "ResultSize");
constexpr auto which_packers = form_operand("SETDMAREG", "special", "WhichPackers");
constexpr auto input_source = form_operand("SETDMAREG", "special", "InputSource");
constexpr auto input_half = form_operand("SETDMAREG", "special", "InputHalfReg");
constexpr auto result_half = form_operand("SETDMAREG", "special", "ResultHalfReg");

constexpr auto out_format = registers::packer_fields("Out_data_format");
constexpr auto uncompressed = registers::packer_fields("Disable_zero_compress");
constexpr auto uncompressed_override = registers::field("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd");
constexpr auto uncompressed_all = registers::field("THCON_SEC0_REG1_All_pack_disable_zero_compress");

using isa::value, isa::values::input_sources, isa::values::result_sizes;
enum class Source : std::uint32_t {
    tile_sizes = value(input_sources, "tile_sizes"),
    all_zero_flags = value(input_sources, "all_zero_flags"),
    tile_header_0 = value(input_sources, "tile_header0"),
    tile_header_3 = value(input_sources, "tile_header3"),
    histogram_low = value(input_sources, "histogram_low"),
    histogram_high = value(input_sources, "histogram_high"),
    first_flags = value(input_sources, "first_flags"),
    largest_exponent = value(input_sources, "largest_exponent")
};
enum class Size : std::uint32_t {
    half = value(result_sizes, "half"),
    word = value(result_sizes, "word"),
    all = value(result_sizes, "all"),
    tile_header = value(result_sizes, "tile_header")
};

// Unreserved bits of a tile header's words; the fourth has none.
constexpr std::uint32_t header_mask[] = {0xFFFF, 0x00FF'0000, ~0u};

state::Cell packer_cell(unsigned packer, Packer item, unsigned n = 0) {
    return state::cells::packer(packer, Packer(static_cast<unsigned>(item) + n));
}

std::uint32_t last_tile_size(const StateView& view, unsigned packer) {
    if (view[packer_cell(packer, Packer::last_thread)] != view.thread) return 0;
    return view[packer_cell(packer, Packer::last_tile_size)] & 0xFFFF;
}

// Packers that the architecture lacks read as zero.
bool exists(const StateView& view, plan::Plan& plan, unsigned packer) {
    if (packer < view.arch().packers) return true;
    plan.note(findings::id("scalar.no-packer"), {packer});
    return false;
}

std::array<std::uint32_t, 4> values_of(const StateView& view, plan::Plan& plan) {
    std::array<std::uint32_t, 4> values{};
    const unsigned packers = view.arch().packers;
    const std::uint32_t which = view[which_packers];
    switch (const auto source = Source(view[input_source])) {
        case Source::tile_sizes:
            for (unsigned i = 0; i < packers; ++i)
                values[i] =
                    (view[packer_cell(i, Packer::acc_tile_size_t0, view.thread)] << 16) | last_tile_size(view, i);
            break;
        case Source::all_zero_flags:
            for (unsigned i = 0; i < packers; ++i) values[i] = view[packer_cell(i, Packer::all_zero_flags)];
            break;
        case Source::histogram_low:
        case Source::histogram_high: {
            const unsigned i = which & 3;
            if (!exists(view, plan, i)) break;
            const unsigned bins = state::cells::exp_histogram_words;
            const unsigned first = i * bins + (source == Source::histogram_low ? 0 : bins / 2);
            for (unsigned b = 0; b < bins / 2; ++b)
                values[b / 4] |= (view[state::cells::exp_histogram_block[first + b]] & 0xFF) << b % 4 * 8;
            break;
        }
        case Source::first_flags:
            for (unsigned i = 0; i < packers; ++i) {
                values[0] |= (view[packer_cell(i, Packer::all_zero_flags)] & 1) << i;
                for (unsigned t = 0; which >> i & 1 && t < state::threads; ++t)
                    plan.effect(packer_cell(i, Packer::acc_tile_size_t0, t), 0, plan::When::start);
            }
            break;
        case Source::largest_exponent: values[0] = view[packer_cell(0, Packer::exp_histogram_max)]; break;
        default: {
            if (source > Source::tile_header_3) {
                plan.note(findings::id("scalar.undefined-source"), {view[input_source]});
                break;
            }
            const unsigned i = view[input_source] - static_cast<unsigned>(Source::tile_header_0);
            if (!exists(view, plan, i)) break;
            // Blackhole has the override and no mask (spec-notes E62).
            const bool off = !view[uncompressed_override] ? view[uncompressed[i]]
                                                          : view.blackhole() || view[uncompressed_all] >> i & 1;
            values[0] = (last_tile_size(view, i) + 1) & 0xFFFF;
            values[1] = view[out_format[i]] << 16 | std::uint32_t{off} << 20;
            values[2] = view[packer_cell(i, Packer::all_zero_flags)];
        }
    }
    return values;
}

}  // namespace

void set_from_packers(const StateView& view, plan::Plan& plan) {
    const auto values = values_of(view, plan);
    const std::uint32_t from = view[input_half], to = view[result_half];
    const auto set = [&](std::uint32_t i, std::uint32_t value) {
        plan.effect(gpr_cell(view, i), value, plan::When::end);
    };
    switch (Size(view[result_size])) {
        case Size::half: set(to / 2, with_half(view, to, values[from / 2] >> from % 2 * 16)); break;
        case Size::word: set(to / 2, values[from / 2]); break;
        case Size::all:
            for (unsigned i = 0; i < 4; ++i) set((to / 2 & ~3u) + i, values[i]);
            break;
        case Size::tile_header:
            for (unsigned i = 0; i < std::size(header_mask); ++i) {
                const std::uint32_t reg = (to / 2 & ~3u) + i, mask = header_mask[i];
                set(reg, (values[i] & mask) | (mask == ~0u ? 0 : gpr(view, reg) & ~mask));
            }
            break;
    }
}

}  // namespace tessera::units::scalar
