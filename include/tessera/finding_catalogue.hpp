// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/arch.hpp"
#include "tessera/error.hpp"
#include "tessera/finding.hpp"

namespace tessera {

/// A fault or a finding of the catalogue, as `tessera findings` prints it and `page` has it.
struct FindingInfo {
    std::string code;            ///< stable, e.g. "unpack.format-mismatch"
    bool fault = false;          ///< it ends the run
    Level level = Level::error;  ///< default of a finding
    bool has_level = true;       ///< false: a fault that ends the run at any level
    std::string title;           ///< a few words
    std::string meaning;         ///< one sentence
    std::string message;         ///< {0}, {1}, … and {detail} stand for values of a run
    std::string named_message;   ///< the same with the names of its values: "SrcA row <row> is beyond …"
    std::string hardware;        ///< what the chip does; empty where it has no part in it
    std::string cure;            ///< what to change
    std::string source;          ///< document and section
    std::string page;            ///< in docs/, with its heading: "reference/findings/hazards.md#hazarddst"

    /// A smallest program that has it; empty where an example needs more than a few lines of assembly.
    Arch example_arch = Arch::blackhole;
    std::string setup;    ///< lines before the example's, which other examples share; may be empty
    std::string example;  ///< the lines that have it
    std::string cured;    ///< the same lines without it; empty: leave them out

    /// Several lines for people: all of the above.
    std::string describe() const;
};

/// Those with that code, or whose code begins with it and a dot ("unpack"); all for an empty name. In the catalogue's order. Error
/// "finding.unknown".
Result<std::vector<FindingInfo>> describe_findings(std::string_view name = {});

/// The text of an error about a code that is no fault's or finding's, with a similar one if there is any.
std::string unknown_finding(std::string_view code);

/// The text of an error about a code that is given a level: it is unknown, or a fault's that has none. Empty: a level can be set.
std::string refused_level(std::string_view code);

/// The one with exactly that code, if there is one.
std::optional<FindingInfo> find_finding(std::string_view code);

}  // namespace tessera
