// SPDX-License-Identifier: Apache-2.0
// The type of datums in each row of Dst, as far as the writing instructions define it. Finds packers that read them
// as another type (spec-notes E67).
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include "plan/plan.hpp"

namespace tessera::checks {

class DstContents {
public:
    /// The plan's work is done, with these accesses. Rows written in part, or not for certain, keep what old and new
    /// datums have in common.
    void write(const plan::Plan& plan, std::span<const plan::Access> accesses, bool exact);
    /// These rows are unknown from now on.
    void forget(unsigned first_row, unsigned last_row);

    struct Mismatch {
        unsigned row = 0;  ///< physical row
        plan::DstDatums held, taken;
    };
    /// The first row that a packer reads as another type than it holds.
    std::optional<Mismatch> first_mismatch(const plan::PackWork& work) const;
    /// Counts changes of the contents.
    std::uint64_t version() const { return version_; }

private:
    using Row = std::array<plan::DstDatums, 2>;  ///< even columns, odd columns

    template <class Held>
    void hold(Held& held, const Held& datums) {
        // As one number: g++ would compare member by member.
        static_assert(std::has_unique_object_representations_v<Held>);
        if (std::memcmp(&held, &datums, sizeof held) == 0) return;
        held = datums;
        ++version_;
    }

    std::array<Row, state::Dst::rows> rows_{};
    std::uint64_t version_ = 0;
};

}  // namespace tessera::checks
