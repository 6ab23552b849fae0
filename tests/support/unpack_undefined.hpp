// SPDX-License-Identifier: Apache-2.0
// Everything that UNPACR's functional model or a page beside it leaves undefined: the finding, and the chosen result.
// One row each, with code that shows it; docs/reference/unpack-undefined.md is generated from the rows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "findings/catalogue.hpp"
#include "support/unpacker_test.hpp"

namespace tessera::test {

/// Executes on the units and on the reference, which must agree on all of the state, or that there is no result.
class UndefinedBench : public UnpackerBench {
public:
    using UnpackerBench::UnpackerBench;

    /// An UNPACR of thread 0 with these bits.
    void unpacr(std::uint32_t bits = 0) { execute(unpacr::regular | bits); }
    void execute(std::uint32_t word, unsigned thread = 0);

    void both_formats(F format, unsigned u = 0) { formats(format, format, u); }
    void formats(F in, F out, unsigned u = 0);
    void byte(std::uint32_t address, std::uint8_t value) { state().l1.open()[address] = value; }
    /// The destination of the first datum, in datums of the output format's size.
    void output(std::uint32_t datum, std::uint32_t datum_bytes = 2);
    /// The 19 bits of a source register, in stored order.
    std::uint32_t stored(unsigned row, unsigned column, unsigned u = 0);
    std::uint32_t dst(unsigned row, unsigned column);
};

struct Undefined {
    std::string_view name;     ///< of its test
    std::string_view tag;      ///< of the table in `spec-notes`, A; without an architecture's name
    std::string_view what;     ///< the undefined behaviour
    bool blackhole, wormhole;  ///< the architectures that have it
    std::string_view code;     ///< of the fault or finding; empty if defined
    std::string_view result;   ///< for a finding
    std::string_view source;
    /// Ends with the one instruction that meets it, and expects the result.
    void (*show)(UndefinedBench&);
};

std::span<const Undefined> undefined_in_the_model();
std::span<const Undefined> undefined_beside_the_model();
std::vector<Undefined> undefined_of_unpacr();

/// The fault or finding of that code; null when there is none.
const findings::Entry* catalogue_row(std::string_view code);

/// docs/reference/unpack-undefined.md
std::string undefined_page();

}  // namespace tessera::test
