// SPDX-License-Identifier: Apache-2.0
// The reads of a resolve, for explanations and for the check that a plan depends on nothing else.
#pragma once

#include <string>
#include <vector>

#include "findings/catalogue.hpp"
#include "registers/field_spec.hpp"
#include "state/cells.hpp"

namespace tessera::plan {

/// Some bits of a cell.
struct CellBits {
    std::uint16_t cell = 0;
    std::uint32_t mask = 0;
    friend bool operator==(const CellBits&, const CellBits&) = default;
};

struct Seen {
    struct Field {
        registers::Space space{};
        registers::FieldPosition at;
        state::Cell cell{};
    };
    struct Remark {
        std::string topic, name, value;
    };

    std::vector<state::Cell> cells;  ///< all cells read, those of the fields included
    std::vector<Field> fields;
    std::vector<Remark> remarks;              ///< intermediate results of the resolve, in words
    std::vector<findings::Note> more_faults;  ///< faults hidden by the plan's first one
};

}  // namespace tessera::plan
