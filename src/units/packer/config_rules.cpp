// SPDX-License-Identifier: Apache-2.0
#include "units/packer/config_rules.hpp"

#include <algorithm>
#include <utility>

#include "plan/plan.hpp"
#include "units/packer/start.hpp"
#include "util/set_bits.hpp"

namespace tessera::units::packer {

namespace {

using Values = Rule::Values;
using findings::id;

constexpr std::uint32_t line = 15;  // bits of an address below 16 bytes

enum Axis : unsigned { x, y, z, w };

Values armed(bool when) { return when ? Values(std::in_place) : std::nullopt; }
Values always(const Configured&) { return armed(true); }
Values on_blackhole(const Configured& c) { return armed(c.blackhole); }

std::uint32_t input_base(const Issued& i) {
    const auto& s = i.setup;
    return s.in_base + i.in[y] * s.in_y_stride + i.in[z] * s.in_z_stride + i.in[w] * s.in_w_stride;
}
std::uint32_t output_base(const Issued& i) {
    const auto& s = i.setup;
    return s.out_base + i.out[y] * s.out_y_stride + i.out[z] * s.out_z_stride + i.out[w] * s.out_w_stride;
}

std::array<std::uint32_t, 4> formats_of(const Configured& c) {
    return {static_cast<std::uint32_t>(c.in_format), static_cast<std::uint32_t>(c.intermediate),
            static_cast<std::uint32_t>(c.out_format)};
}

Values no_conversion(const Configured& c) {
    if (!c.missing || c.another_in_format) return std::nullopt;
    return formats_of(c);
}

Values wrong_in_format(const Configured& c) {
    if (!c.missing || !c.another_in_format) return std::nullopt;
    return formats_of(c);
}

Values dest_addr_wraps(const Issued& i) {
    if (!wraps(i.l1_dest_addr)) return std::nullopt;
    return {{i.l1_dest_addr, i.l1_dest_addr & l1_units}};
}

Values last_before_first(const Issued& i) {
    if (i.out[x] + 1 >= i.in[x]) return std::nullopt;
    return {{i.out[x], i.in[x]}};
}

Values beyond_the_row(const Issued& i) {
    if (i.first % 16 + (i.out[x] + 1 - i.in[x]) <= 16) return std::nullopt;
    return {{i.in[x], i.out[x]}};
}

Values beyond_the_group(const Issued& i) {
    if (i.strided || (i.interfaces << (i.first / 16 & 3)) <= 0xF) return std::nullopt;
    return {{i.interfaces, i.first / 16}};
}

Values odd_x_stride(const Configured& c) {
    return armed(c.setup.in_x_stride != 0 && c.setup.in_x_stride != c.packer.address_bytes);
}
Values x_stride_counts(const Issued& i) {
    if (!i.in[x]) return std::nullopt;
    return {{i.setup.in_x_stride, i.packer.address_bytes}};
}

Values odd_inputs(const Configured& c) {
    const auto& s = c.setup;
    return armed((s.in_base | s.in_y_stride | s.in_z_stride | s.in_w_stride) & line);
}
Values input_drops_bits(const Issued& i) {
    if (!(input_base(i) & line)) return std::nullopt;
    return {{input_base(i)}};
}

Values odd_outputs(const Configured& c) {
    const auto& s = c.setup;
    return armed((s.out_base | s.out_y_stride | s.out_z_stride | s.out_w_stride) & line);
}
Values output_drops_bits(const Issued& i) {
    if (!(output_base(i) & line)) return std::nullopt;
    return {{output_base(i)}};
}

struct Step {
    std::uint32_t stride, counter;
};

// The first active counter whose stride is within the reach of active counters with smaller strides: that stride and
// reach.
std::optional<std::pair<std::uint32_t, std::uint32_t>> overlap(std::array<Step, 3> steps) {
    std::sort(steps.begin(), steps.end(), [](const Step& one, const Step& other) { return one.stride < other.stride; });
    std::uint32_t within = 0;
    for (const Step& step : steps) {
        if (!step.stride || !step.counter) continue;
        if (within >= step.stride) return {{step.stride, within}};
        within += step.stride * step.counter;
    }
    return std::nullopt;
}

Values rows_overlap(const Configured& c) {
    const auto& s = c.setup;
    const unsigned strides = !!s.in_y_stride + !!s.in_z_stride + !!s.in_w_stride;
    return armed(strides > 1 || (s.in_y_stride && s.in_y_stride < 16u * c.packer.address_bytes));
}
Values input_steps_overlap(const Issued& i) {
    const auto& s = i.setup;
    const std::uint32_t row = 16u * i.packer.address_bytes;
    if (s.in_y_stride && i.in[y] && s.in_y_stride < row) return {{0, s.in_y_stride, row}};
    const auto found = overlap({{{s.in_y_stride, i.in[y]}, {s.in_z_stride, i.in[z]}, {s.in_w_stride, i.in[w]}}});
    if (!found) return std::nullopt;
    return {{0, found->first, found->second}};
}

Values several_output_strides(const Configured& c) {
    const auto& s = c.setup;
    return armed(!!s.out_y_stride + !!s.out_z_stride + !!s.out_w_stride > 1);
}
Values output_steps_overlap(const Issued& i) {
    const auto& s = i.setup;
    const auto found = overlap({{{s.out_y_stride, i.out[y]}, {s.out_z_stride, i.out[z]}, {s.out_w_stride, i.out[w]}}});
    if (!found) return std::nullopt;
    return {{1, found->first, found->second}};
}

Values block_floats(const Configured& c) { return armed(c.packer.conversion.block != nullptr); }

Values one_datum(const Issued& i) {
    const std::uint32_t count = i.out[x] + 1 - i.in[x];
    return armed(i.stream->source == plan::PackWork::Source::dst && count == 1);
}

// Datums begin one section after the exponents, and a byte of exponents covers 2 * bits bytes of datums. Their
// distance after this PACR is therefore the number of exponent bytes that fit.
Values exponents_reach_datums(const Issued& i) {
    const auto& stream = *i.stream;
    if (stream.compressed || !stream.conversion.block) return std::nullopt;
    const std::int64_t exponents =
        std::int64_t{stream.exponents.address} + stream.exponents.filled + stream.exponent_bytes();
    const std::int64_t data = std::int64_t{stream.data.address} + stream.data.filled + stream.data_bytes();
    const std::int64_t section = std::int64_t{i.packer.exponent_section} * 16;
    const std::int64_t distance = data - exponents - section, per_byte = 2 * stream.conversion.datum_bits - 1;
    if (distance % per_byte != 0) return std::nullopt;  // left by another format
    const std::int64_t bytes = distance / per_byte;
    if (bytes <= section) return std::nullopt;
    return {{static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(section)}};
}

constexpr Rule table[] = {
    {id("pack.undefined"), "In_data_format, Out_data_format, Dstacc, PCK_DEST_RD_CTRL, modes", Moment::set_up,
     no_conversion, nullptr},
    {id("pack.in-format"), "In_data_format, ALU_FORMAT_SPEC_REG2_Dstacc, PCK_DEST_RD_CTRL", Moment::set_up,
     wrong_in_format, nullptr},
    {id("pack.dest-addr"), "L1_Dest_addr", Moment::streams, always, dest_addr_wraps},
    {id("pack.count-negative"), "X of both channels", Moment::ranges, always, last_before_first},
    {id("pack.x-range"), "X of both channels", Moment::ranges, on_blackhole, beyond_the_row},
    {id("pack.interface-group"), "ReadIntfSel, input strides", Moment::ranges, on_blackhole, beyond_the_group},
    {id("pack.x-stride"), "PCK0_ADDR_CTRL_XY_REG_0_Xstride, In_data_format", Moment::ranges, odd_x_stride,
     x_stride_counts},
    {id("pack.in-address"), "PCK0_ADDR_BASE_REG_0, input strides", Moment::ranges, odd_inputs, input_drops_bits},
    {id("pack.out-address"), "PCK0_ADDR_BASE_REG_1, output strides", Moment::ranges, odd_outputs, output_drops_bits},
    {id("pack.strides-overlap"), "input strides", Moment::ranges, rows_overlap, input_steps_overlap},
    {id("pack.strides-overlap"), "output strides", Moment::ranges, several_output_strides, output_steps_overlap},
    {id("pack.one-datum"), "X of both channels, Out_data_format", Moment::ranges, block_floats, one_datum},
    {id("pack.exponent-section"), "Exp_section_size, Out_data_format", Moment::streams, block_floats,
     exponents_reach_datums},
};
static_assert(std::size(table) <= 16, "PackerSetup::armed has a bit per rule");

// All rules, by moment.
constexpr auto rules_at = [] {
    std::array<unsigned, 3> masks{};
    for (std::size_t i = 0; i < std::size(table); ++i) masks[static_cast<unsigned>(table[i].moment)] |= 1u << i;
    return masks;
}();

constexpr auto output_rules = [] {
    unsigned mask = 0;
    for (std::size_t i = 0; i < std::size(table); ++i)
        if (table[i].issued == output_drops_bits || table[i].issued == output_steps_overlap) mask |= 1u << i;
    return mask;
}();

}  // namespace

bool judges_outputs(const PackerSetup& packer) { return packer.armed & output_rules; }

std::span<const Rule> rules() { return table; }

void judge(const Configured& configured, PackerSetup& packer) {
    for (std::size_t i = 0; i < std::size(table); ++i) {
        const Rule& rule = table[i];
        const Values values = rule.set_up(configured);
        if (!values) continue;
        if (rule.moment != Moment::set_up) {
            packer.armed = static_cast<std::uint16_t>(packer.armed | 1u << i);
            continue;
        }
        packer.fault = findings::Note{rule.id, *values, configured.missing.value_or(std::string_view())};
    }
}

bool judge(Moment moment, const Issued& issued, plan::Plan& plan) {
    const auto rules = static_cast<std::uint16_t>(issued.packer.armed & rules_at[static_cast<unsigned>(moment)]);
    for (const unsigned number : util::SetBits(rules)) {
        const Rule& rule = table[number];
        const Values values = rule.issued(issued);
        if (!values) continue;
        if (findings::entry(rule.id).kind == findings::Kind::fault) {
            plan.fail(rule.id, *values);
            return false;
        }
        plan.note(rule.id, *values);
    }
    return true;
}

}  // namespace tessera::units::packer
