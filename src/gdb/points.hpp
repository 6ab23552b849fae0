// SPDX-License-Identifier: Apache-2.0
// Breakpoints and watchpoints of all cores, without a limit.
#pragma once

#include <bitset>
#include <map>
#include <utility>
#include <vector>

#include "gdb/target.hpp"

namespace tessera::gdb {

class Points {
public:
    explicit Points(std::size_t cores) : of_(cores) {}

    void insert(unsigned core, const Point& point);
    /// False: there was none.
    bool remove(unsigned core, const Point& point);
    void remove_all(unsigned core);
    bool empty() const { return count_ == 0; }

    bool has_breakpoints(unsigned core) const { return !of_[core].breakpoints.empty(); }
    /// The core's breakpoint at an address, which may have one of each kind, for which `holds(point)` is true; null: there is none.
    template <class Holds>
    const Point* breakpoint(unsigned core, std::uint32_t address, Holds&& holds) const {
        const OfCore& of = of_[core];
        if (!of.may_be[slot(address)]) return nullptr;
        for (const PointKind kind : {PointKind::software, PointKind::hardware}) {
            const auto found = of.breakpoints.find({address, kind});
            if (found != of.breakpoints.end() && holds(found->second)) return &found->second;
        }
        return nullptr;
    }
    struct Watch {
        unsigned core = 0;
        Point point;
    };
    const std::vector<Watch>& watches() const { return watches_; }

private:
    static constexpr std::size_t slots = 4096;
    static std::size_t slot(std::uint32_t address) { return address / 4 % slots; }
    struct OfCore {
        std::map<std::pair<std::uint32_t, PointKind>, Point> breakpoints;
        std::bitset<slots> may_be;  ///< false: none of its addresses has a breakpoint
    };
    void look(OfCore& of);

    std::vector<OfCore> of_;
    std::vector<Watch> watches_;
    std::size_t count_ = 0;
};

}  // namespace tessera::gdb
