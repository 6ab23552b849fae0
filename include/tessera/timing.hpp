// SPDX-License-Identifier: Apache-2.0
/// @file
/// The kinds of time in a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// The time that instructions take.
enum class Timing : std::uint8_t {
    documented,  ///< the costs of the vendor's pages; figures that no page has are marked as assumed
    silicon,  ///< measured costs, where somebody published a measurement on a chip (docs/silicon.md), else as `documented`
    /// The same. If a chip runs at one of two speeds, by an arbiter's phase or the place of the code, it is the slower
    /// one; under `silicon` it is the faster one. A run under `silicon` with an odd RunOptions::seed is one of these, too.
    silicon_slow,
    instant,  ///< every instruction completes at its issue, as in the vendor's simulator
    /// No time: each thread and each RISC-V core runs until it must wait for another one (docs/functional.md).
    ///
    /// A program without races ends in the same state, many times as fast. There are no cycles and no hazards. Options that need
    /// them give error "run.functional".
    functional,
};
/// The source of a cost.
enum class CostBasis : std::uint8_t {
    document,  ///< a page of the vendor
    measured,  ///< on a chip; a document's figure that a measurement confirms counts as measured
    assumed,   ///< neither
};
/// "document", "measured" or "assumed".
std::string_view name(CostBasis basis);
/// Stands for a cycle in a run without time.
inline constexpr std::uint64_t no_cycle = ~std::uint64_t{0};
inline constexpr Timing all_timings[] = {Timing::documented, Timing::silicon, Timing::silicon_slow, Timing::instant,
                                         Timing::functional};  ///< each of them, in order
/// The timing of jobs and runs that do not choose one.
inline constexpr Timing default_timing = Timing::silicon;
/// "documented", "silicon", "silicon-slow", "instant", "functional".
std::string_view name(Timing timing);
/// The inverse of name(Timing). Empty for any other text.
std::optional<Timing> parse_timing(std::string_view text);

}  // namespace tessera
