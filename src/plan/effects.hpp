// SPDX-License-Identifier: Apache-2.0
// A plan's effects on cells, and their moments.
#pragma once

#include <cstdint>

#include "state/cells.hpp"

namespace tessera::plan {

/// When an effect is applied.
enum class When : std::uint8_t {
    issue,  ///< the instruction passes the gate: counters that the hardware advances then
    start,  ///< it executes
    end,    ///< it is done: ownership passes
};

enum class CellOp : std::uint8_t {
    set,      ///< cell = value
    post,     ///< cell += 1, at most 15
    get,      ///< cell -= 1, at least 0
    release,  ///< cell = 0 if it is value
};

struct CellEffect {
    state::Cell cell{};
    CellOp op = CellOp::set;
    When when = When::start;
    std::uint32_t value = 0;

    constexpr std::uint32_t result(std::uint32_t old) const {
        if (op == CellOp::set) [[likely]] return value;
        switch (op) {
            case CellOp::set: break;
            case CellOp::post: return old < 15 ? old + 1 : old;
            case CellOp::get: return old > 0 ? old - 1 : 0;
            case CellOp::release: return old == value ? 0 : old;
        }
        return old;
    }
    friend constexpr bool operator==(const CellEffect&, const CellEffect&) = default;
};

}  // namespace tessera::plan
