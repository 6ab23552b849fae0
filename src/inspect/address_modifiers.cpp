// SPDX-License-Identifier: Apache-2.0
#include "inspect/address_modifiers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "registers/field.hpp"
#include "registers/field_family.hpp"

namespace tessera::inspect {

namespace {

using registers::Field;
using registers::fields;

/// The fields that move one counter, for all sections.
struct Mover {
    std::string_view counter;
    const std::array<Field, 8>* increment;
    const std::array<Field, 8>* clear;
    /// increment of the checkpoint; the counter then takes its value
    const std::array<Field, 8>* to_checkpoint = nullptr;
    /// increment of the counter; the checkpoint then takes its value
    const std::array<Field, 8>* from_counter = nullptr;
    bool wraps = false;                                   ///< the increment is as wide as the counter
};

constexpr auto a_incr = fields<8>("ADDR_MOD_AB_SEC#_SrcAIncr"), a_cr = fields<8>("ADDR_MOD_AB_SEC#_SrcACR");
constexpr auto a_clear = fields<8>("ADDR_MOD_AB_SEC#_SrcAClear"), b_incr = fields<8>("ADDR_MOD_AB_SEC#_SrcBIncr");
constexpr auto b_cr = fields<8>("ADDR_MOD_AB_SEC#_SrcBCR"), b_clear = fields<8>("ADDR_MOD_AB_SEC#_SrcBClear");
constexpr auto d_incr = fields<8>("ADDR_MOD_DST_SEC#_DestIncr"), d_cr = fields<8>("ADDR_MOD_DST_SEC#_DestCR");
constexpr auto d_clear = fields<8>("ADDR_MOD_DST_SEC#_DestClear"), d_keep = fields<8>("ADDR_MOD_DST_SEC#_DestCToCR");
constexpr auto f_incr = fields<8>("ADDR_MOD_DST_SEC#_FidelityIncr");
constexpr auto f_clear = fields<8>("ADDR_MOD_DST_SEC#_FidelityClear");
constexpr auto bias_incr = fields<8>("ADDR_MOD_BIAS_SEC#_BiasIncr");
constexpr auto bias_clear = fields<8>("ADDR_MOD_BIAS_SEC#_BiasClear");
constexpr auto ysrc_incr = fields<8>("ADDR_MOD_PACK_SEC#_YsrcIncr"), ysrc_cr = fields<8>("ADDR_MOD_PACK_SEC#_YsrcCR");
constexpr auto ysrc_clear = fields<8>("ADDR_MOD_PACK_SEC#_YsrcClear");
constexpr auto ydst_incr = fields<8>("ADDR_MOD_PACK_SEC#_YdstIncr"), ydst_cr = fields<8>("ADDR_MOD_PACK_SEC#_YdstCR");
constexpr auto ydst_clear = fields<8>("ADDR_MOD_PACK_SEC#_YdstClear");
constexpr auto zsrc_incr = fields<8>("ADDR_MOD_PACK_SEC#_ZsrcIncr");
constexpr auto zsrc_clear = fields<8>("ADDR_MOD_PACK_SEC#_ZsrcClear");
constexpr auto zdst_incr = fields<8>("ADDR_MOD_PACK_SEC#_ZdstIncr");
constexpr auto zdst_clear = fields<8>("ADDR_MOD_PACK_SEC#_ZdstClear");

constexpr Mover matrix_movers[] = {
    {"SrcA", &a_incr, &a_clear, &a_cr, nullptr, true},
    {"SrcB", &b_incr, &b_clear, &b_cr, nullptr, true},
    {"Dst", &d_incr, &d_clear, &d_cr, &d_keep, true},
    {"fidelity", &f_incr, &f_clear},
};
constexpr Mover pack_movers[] = {
    {"input Y", &ysrc_incr, &ysrc_clear, &ysrc_cr},
    {"output Y", &ydst_incr, &ydst_clear, &ydst_cr},
    {"input Z", &zsrc_incr, &zsrc_clear},
    {"output Z", &zdst_incr, &zdst_clear},
};

constexpr std::string_view reported[] = {
    "ADDR_MOD_AB_SEC#_SrcAIncr",    "ADDR_MOD_AB_SEC#_SrcACR",        "ADDR_MOD_AB_SEC#_SrcAClear",
    "ADDR_MOD_AB_SEC#_SrcBIncr",    "ADDR_MOD_AB_SEC#_SrcBCR",        "ADDR_MOD_AB_SEC#_SrcBClear",
    "ADDR_MOD_DST_SEC#_DestIncr",   "ADDR_MOD_DST_SEC#_DestCR",       "ADDR_MOD_DST_SEC#_DestClear",
    "ADDR_MOD_DST_SEC#_DestCToCR",  "ADDR_MOD_DST_SEC#_FidelityIncr", "ADDR_MOD_DST_SEC#_FidelityClear",
    "ADDR_MOD_BIAS_SEC#_BiasIncr",  "ADDR_MOD_BIAS_SEC#_BiasClear",   "ADDR_MOD_PACK_SEC#_YsrcIncr",
    "ADDR_MOD_PACK_SEC#_YsrcCR",    "ADDR_MOD_PACK_SEC#_YsrcClear",   "ADDR_MOD_PACK_SEC#_YdstIncr",
    "ADDR_MOD_PACK_SEC#_YdstCR",    "ADDR_MOD_PACK_SEC#_YdstClear",   "ADDR_MOD_PACK_SEC#_ZsrcIncr",
    "ADDR_MOD_PACK_SEC#_ZsrcClear", "ADDR_MOD_PACK_SEC#_ZdstIncr",    "ADDR_MOD_PACK_SEC#_ZdstClear"};

std::uint32_t get(const ThreadWords& thread, const Field& field) {
    const auto& at = field[thread.arch];
    return at.present() && at.addr32 < thread.words.size() ? at.extract(thread.words[at.addr32]) : 0;
}

/// " + 8", " - 1", or nothing for 0.
std::string step(std::uint32_t increment, const registers::FieldPosition& at, bool wraps) {
    if (increment == 0) return {};
    if (wraps && increment > at.mask() / 2 + 1) return fmt::format(" - {}", at.mask() - increment + 1);
    return fmt::format(" + {}", increment);
}

std::string report(const ThreadWords& thread, const Mover& mover, unsigned section) {
    auto bit = [&](const std::array<Field, 8>* which) { return which && get(thread, (*which)[section]) != 0; };
    if (bit(mover.clear)) return fmt::format("{} cleared", mover.counter);
    const Field& increment = (*mover.increment)[section];
    const std::string by = step(get(thread, increment), increment[thread.arch], mover.wraps);
    if (bit(mover.from_counter)) return fmt::format("{}{}, kept as checkpoint", mover.counter, by);
    if (bit(mover.to_checkpoint)) return fmt::format("{} to checkpoint{}", mover.counter, by);
    return by.empty() ? std::string{} : fmt::format("{}{}", mover.counter, by);
}

std::string report_bias(const ThreadWords& thread, unsigned section) {
    if (get(thread, bias_clear[section])) return "extra AddrMod bit cleared";
    return get(thread, bias_incr[section]) & 3 ? "extra AddrMod bit turned" : "";
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const auto& part : parts)
        if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
    return text.empty() ? "nothing" : text;
}

}  // namespace

std::vector<AddressModifier> address_modifiers(const ThreadWords& thread) {
    std::vector<AddressModifier> modifiers;
    for (unsigned section = 0; section < 8; ++section) {
        std::vector<std::string> parts;
        for (const auto& mover : matrix_movers) parts.push_back(report(thread, mover, section));
        parts.push_back(report_bias(thread, section));
        modifiers.push_back({fmt::format("ADDR_MOD {}", section), joined(parts)});
    }
    for (unsigned section = 0; section < 8; ++section) {
        if (!ysrc_incr[section][thread.arch].present()) continue;
        std::vector<std::string> parts;
        for (const auto& mover : pack_movers) parts.push_back(report(thread, mover, section));
        modifiers.push_back({fmt::format("ADDR_MOD_PACK {}", section), joined(parts)});
    }
    return modifiers;
}

bool is_told_as_modifier(std::string_view field) {
    return std::any_of(std::begin(reported), std::end(reported),
                       [&](std::string_view pattern) { return registers::matches(pattern, field); });
}

}  // namespace tessera::inspect
