// SPDX-License-Identifier: Apache-2.0
#include "gdb/points.hpp"

namespace tessera::gdb {

namespace {

bool is_breakpoint(const Point& point) { return point.kind == PointKind::software || point.kind == PointKind::hardware; }

bool is_same(const Point& a, const Point& b) { return a.kind == b.kind && a.address == b.address && a.bytes == b.bytes; }

}  // namespace

// Inserting the same point again replaces its conditions.
void Points::insert(unsigned core, const Point& point) {
    if (!is_breakpoint(point)) {
        remove(core, point);
        watches_.push_back({core, point});
        ++count_;
        return;
    }
    OfCore& of = of_[core];
    count_ += of.breakpoints.insert_or_assign({point.address, point.kind}, point).second;
    look(of);
}

bool Points::remove(unsigned core, const Point& point) {
    if (!is_breakpoint(point)) {
        const auto removed = std::erase_if(watches_, [&](const Watch& one) { return one.core == core && is_same(one.point, point); });
        count_ -= removed;
        return removed > 0;
    }
    OfCore& of = of_[core];
    const auto removed = of.breakpoints.erase({point.address, point.kind});
    count_ -= removed;
    look(of);
    return removed > 0;
}

void Points::remove_all(unsigned core) {
    OfCore& of = of_[core];
    count_ -= of.breakpoints.size();
    of.breakpoints.clear();
    look(of);
    count_ -= std::erase_if(watches_, [&](const Watch& one) { return one.core == core; });
}

void Points::look(OfCore& of) {
    of.may_be.reset();
    for (const auto& [at, point] : of.breakpoints) of.may_be.set(slot(at.first));
}

}  // namespace tessera::gdb
