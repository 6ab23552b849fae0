// SPDX-License-Identifier: Apache-2.0
#include "support/pack_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "registers/packer_fields.hpp"
#include "tessera/data_format.hpp"

namespace tessera::test {

namespace {

using registers::field;
using registers::Field;
using registers::fields;
using registers::packer_fields;

constexpr auto read_32b = field("PCK_DEST_RD_CTRL_Read_32b_data");
constexpr auto dstacc_override = field("ALU_FORMAT_SPEC_REG_Dstacc_override");
constexpr auto dstacc_value = field("ALU_FORMAT_SPEC_REG_Dstacc_val"), dstacc = field("ALU_FORMAT_SPEC_REG2_Dstacc");
constexpr auto apply_relu = field("STACC_RELU_ApplyRelu");
constexpr auto compress_override = field("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd");
constexpr auto compress_override_mask = field("THCON_SEC0_REG1_All_pack_disable_zero_compress");
constexpr auto edge_mask = fields<4>("PCK_EDGE_OFFSET_SEC#_mask");
constexpr auto in_format = packer_fields("In_data_format");
constexpr auto out_format = packer_fields("Out_data_format");
constexpr auto disable_compress = packer_fields("Disable_zero_compress");
constexpr auto accumulates = packer_fields("Pack_L1_Acc");
constexpr auto threshold = packer_fields("Exp_threshold_en");
constexpr auto downsample = packer_fields("Downsample_mask");

constexpr bool is_format(std::uint32_t code) { return code != 12 && code != 13; }
constexpr bool is_integer(std::uint32_t code) { return code == 8 || code == 9 || code == 14; }
constexpr bool has_two_bits(std::uint32_t code) { return code == 11 || code == 15; }
// The late conversions that random PACRs ask for: of each type that an early conversion makes.
constexpr bool becomes(std::uint32_t in, std::uint32_t out) {
    if (is_integer(in)) return in == out;
    constexpr std::uint32_t types[] = {0, 1, 2, 4, 5, 6};
    return std::ranges::find(types, in) != std::end(types) && !is_integer(out) && (in == 0) <= (out != 4);
}
constexpr std::string_view told_of_pacr[] = {"rounding.stochastic-undocumented", "pack.decided", "pack.relu-threshold"};
constexpr bool accumulated(std::uint32_t code) { return code == 0 || code == 1 || code == 5 || code == 8; }
std::string format(std::uint32_t code) { return std::string(name(DataFormat(code))); }

}  // namespace

PackCoverage::PackCoverage(Arch arch) {
    for (std::uint32_t out = 0; out < 16; ++out) {
        if (!is_format(out)) continue;
        const auto group = "to " + format(out);
        for (const std::string_view mode : {"from 16 bits", "from 32 bits", "plain", "ReLU", "edge masks", "zeros"}) {
            if (out == 9 && mode == "ReLU") continue;
            if ((out == 8 && mode == "from 16 bits")) continue;
            modes_.count(group, mode, false);
        }
        if (!is_integer(out)) modes_.count(group, "exponent threshold", false);
        if (accumulated(out)) modes_.count(group, "added to L1", false);
        if (!has_two_bits(out)) modes_.count(group, "compressed", false);
        modes_.count(group, "downsampled", false);
    }
    for (std::uint32_t in = 0; in < 16; ++in)
        for (std::uint32_t out = 0; out < 16; ++out)
            if (is_format(out) && becomes(in, out))
                modes_.count("In_data_format to Out_data_format", format(in) + " to " + format(out), false);
    for (const std::string_view reported : told_of_pacr) modes_.count("finding", reported, false);
    if (arch == Arch::blackhole) modes_.count("finding", "pack.interface-group", false);
    for (unsigned mode = 0; mode < 4; ++mode) modes_.count("ReLU", std::to_string(mode), false);
    const bool blackhole = arch == Arch::blackhole;
    for (unsigned mask = 0; mask < 16; ++mask)
        modes_.count(blackhole ? "interfaces" : "packers", fmt::format("{:04b}", mask), false);
    for (unsigned context = 0; context < (blackhole ? 4u : 1u); ++context)
        modes_.count("context", std::to_string(context), false);
}

void PackCoverage::view(const ReferencePair& pair, unsigned thread, std::uint32_t word) {
    asked_.clear();
    const auto now = [&](const Field& f) { return pair.state().config(thread, f); };
    const auto met = [&](bool is, std::string group, std::string mode) {
        if (is) asked_.emplace_back(std::move(group), std::move(mode));
    };
    const bool blackhole = pair.blackhole(), flush = word >> 1 & 1, zeros = word >> 12 & 1;
    const std::uint32_t mask = word >> 8 & 15;
    const unsigned i = blackhole || !mask ? 0 : static_cast<unsigned>(std::countr_zero(mask));
    const unsigned k = blackhole ? word >> 21 & 3 : i;
    met(true, blackhole ? "interfaces" : "packers", fmt::format("{:04b}", mask));
    met(true, "context", std::to_string(blackhole ? k : 0));
    met(flush, "stream", "flush");
    met(word & 1, "stream", "last");
    if (flush) return;
    const std::uint32_t in = now(in_format[k]), out = now(out_format[k]);
    const std::uint32_t type = now(dstacc_override) ? now(dstacc_value) : now(dstacc);
    const bool relu = now(apply_relu) & 3, wide = now(read_32b);
    bool masked = false;
    for (const Field& f : edge_mask) masked |= now(f) != 0xFFFF;
    const bool compressed = !(now(compress_override) ? !blackhole && (now(compress_override_mask) >> i & 1)
                                                     : now(disable_compress[k]) != 0);
    const std::string group = "to " + format(out);
    met(true, "In_data_format to Out_data_format", format(in) + " to " + format(out));
    met(true, wide ? "32 bits as" : "16 bits as", format(type));
    met(true, group, wide ? "from 32 bits" : "from 16 bits");
    met(relu, group, "ReLU");
    met(true, "ReLU", std::to_string(now(apply_relu) & 3));
    met(masked, group, "edge masks");
    met(zeros, group, "zeros");
    met(now(threshold[k]), group, "exponent threshold");
    met(now(accumulates[k]), group, "added to L1");
    met(compressed, group, "compressed");
    met(now(downsample[k]), group, "downsampled");
    met(!relu && !masked && !zeros && !now(threshold[k]) && !now(accumulates[k]) && !compressed && !now(downsample[k]),
        group, "plain");
}

void PackCoverage::count(const ReferencePair& pair, bool executed) {
    const auto& plan = pair.last_plan();
    if (plan.fault) modes_.note("fault", findings::entry(plan.fault->id).code);
    if (!executed) return;
    for (const auto& [group, mode] : asked_) modes_.note(group, mode);
    for (const auto& finding : plan.findings) modes_.note("finding", findings::entry(finding.id).code);
}

}  // namespace tessera::test
