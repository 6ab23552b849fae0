// SPDX-License-Identifier: Apache-2.0
// The configuration check of the packers: known mistakes, as a table. What a rule says to the user (meaning, cure, source) is
// its row of the catalogue; here is what it looks at and when it is broken. All rules are looked at when a setup is made;
// those about counters and streams are armed then, and look at each PACR with that setup.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "findings/catalogue.hpp"
#include "units/packer/setup.hpp"

namespace tessera::plan {
struct Plan;
}

namespace tessera::units::packer {

/// What a rule sees when a setup is made.
struct Configured {
    const Setup& setup;
    const PackerSetup& packer;
    bool blackhole = false;
    DataFormat in_format{}, intermediate{};
    std::optional<std::string_view> missing;  ///< what it is that has no result
    bool another_in_format = false;           ///< there would be one with another In_data_format
};

/// What an armed rule sees of a PACR.
struct Issued {
    const Setup& setup;
    const PackerSetup& packer;
    bool blackhole = false;
    bool strided = false;                      ///< DstAccessMode
    std::array<std::uint32_t, 4> in{}, out{};  ///< X, Y, Z and W of channels 0 and 1
    std::uint32_t first = 0;                   ///< datum of Dst
    std::uint32_t interfaces = 0;              ///< of Blackhole
    const plan::PackWork::Stream* stream = nullptr;
    std::uint32_t l1_dest_addr = 0;  ///< as configured, if the streams begin
};

/// When a rule is looked at.
enum class Moment : std::uint8_t {
    set_up,   ///< once for a setup
    ranges,   ///< PACR's counters are known
    streams,  ///< PACR's streams are known, too
};

struct Rule {
    using Values = std::optional<std::array<std::uint32_t, 4>>;  ///< of the row of the catalogue, when broken

    findings::Id id;
    std::string_view fields;  ///< what to look at, in words
    Moment moment;
    Values (*set_up)(const Configured&);  ///< broken, or, for the later moments, armed
    Values (*issued)(const Issued&);      ///< broken
};

/// Whether Y, Z and W of channel 1 are looked at.
bool judges_outputs(const PackerSetup& packer);

/// All rules. Armed ones are known by their place here.
std::span<const Rule> rules();

/// Notes what is wrong with a setup, and which rules are to look at its PACRs.
void judge(const Configured& configured, PackerSetup& packer);

/// Looks at a PACR with the rules that are armed for that moment. False when the plan has failed.
bool judge(Moment moment, const Issued& issued, plan::Plan& plan);

}  // namespace tessera::units::packer
