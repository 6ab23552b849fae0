// SPDX-License-Identifier: Apache-2.0
// What rows of Dst hold, as far as the instructions that wrote them say it, so that a packer that takes them for something else can be
// told (spec-notes E67).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "plan/plan.hpp"

namespace tessera::checks {

class DstContents {
public:
    /// A plan's work is done, with these accesses. Of rows that it writes in part, or may not write, only what they have in common is kept.
    void write(const plan::Plan& plan, std::span<const plan::Access> accesses, bool exact);
    /// Nothing is known of these rows.
    void forget(unsigned first_row, unsigned last_row);

    struct Mismatch {
        unsigned row = 0;  ///< a physical one
        plan::DstDatums held, taken;
    };
    /// The first row that a packer takes for something else than it holds.
    std::optional<Mismatch> first_mismatch(const plan::PackWork& work) const;
    /// How often something has come to be held that was not before.
    std::uint64_t version() const { return version_; }

private:
    using Row = std::array<plan::DstDatums, 2>;  ///< even columns, odd columns

    template <class Held>
    void hold(Held& held, const Held& datums) {
        if (held == datums) return;
        held = datums;
        ++version_;
    }

    std::array<Row, state::Dst::rows> rows_{};
    std::uint64_t version_ = 0;
};

}  // namespace tessera::checks
