// SPDX-License-Identifier: Apache-2.0
// The configuration check of the packers: a table of known mistakes. A rule's texts (meaning, cure, source) are in
// its row of the catalogue; here are its inputs and its condition. All rules run when a setup is made. Rules about
// counters and streams are armed then, and check each PACR with that setup.
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

/// The inputs of a rule when a setup is made.
struct Configured {
    const Setup& setup;
    const PackerSetup& packer;
    bool blackhole = false;
    DataFormat in_format{}, intermediate{}, out_format{};
    std::optional<std::string_view> missing;  ///< the part that has no result
    bool another_in_format = false;           ///< another In_data_format would give one
};

/// The inputs of an armed rule at a PACR.
struct Issued {
    const Setup& setup;
    const PackerSetup& packer;
    bool blackhole = false;
    bool strided = false;                      ///< DstAccessMode
    std::array<std::uint32_t, 4> in{}, out{};  ///< X, Y, Z and W of channels 0 and 1
    std::uint32_t first = 0;                   ///< first datum in Dst
    std::uint32_t interfaces = 0;              ///< Blackhole's read interfaces
    const plan::PackWork::Stream* stream = nullptr;
    std::uint32_t l1_dest_addr = 0;  ///< as configured, if the streams begin
};

/// The time of a rule's check.
enum class Moment : std::uint8_t {
    set_up,   ///< once for a setup; these rules are faults
    ranges,   ///< PACR's counters are known
    streams,  ///< PACR's streams are known, too
};

struct Rule {
    using Values = std::optional<std::array<std::uint32_t, 4>>;  ///< for the row of the catalogue; none: not broken

    findings::Id id;
    std::string_view fields;  ///< the fields in question, in words
    Moment moment;
    Values (*set_up)(const Configured&);  ///< broken; for later moments: armed
    Values (*issued)(const Issued&);      ///< broken
};

/// Whether an armed rule needs Y, Z and W of channel 1.
bool judges_outputs(const PackerSetup& packer);

/// All rules. An armed rule is identified by its index here.
std::span<const Rule> rules();

/// Notes the mistakes of a setup, and arms rules for its PACRs.
void judge(const Configured& configured, PackerSetup& packer);

/// Checks a PACR with the rules armed for that moment. False if the plan has failed.
bool judge(Moment moment, const Issued& issued, plan::Plan& plan);

}  // namespace tessera::units::packer
