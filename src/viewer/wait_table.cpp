// SPDX-License-Identifier: Apache-2.0
#include "viewer/wait_table.hpp"

#include <fmt/format.h>

#include "trace/names.hpp"

namespace tessera::viewer {

namespace {

/// The actor that waited: "T0", "T0 core", "brisc", "unpacker 0".
std::string lane(const Wait& wait) {
    return wait.who == Wait::Who::front_end ? fmt::format("T{}", wait.thread) : trace::name_of(wait);
}

Row row_or_none(std::int64_t number) { return number < 0 ? no_row : static_cast<Row>(number); }

}  // namespace

void WaitTable::add(const Wait& wait) {
    if (wait.end == wait.begin || wait.kind == "finished") return;
    if (wait.who == Wait::Who::front_end && wait.index >= 0 && wait.over)
        at_gates_.push_back({begin_.size(), static_cast<unsigned>(wait.thread), wait.index, wait.position, wait.end});
    lane_.add(texts_.number(lane(wait)));
    begin_.add(static_cast<double>(wait.begin));
    length_.add(static_cast<std::uint32_t>(wait.end - wait.begin));
    kind_.add(texts_.number(wait.kind));
    reason_.add(texts_.number(paths_.shorten(wait.reason)));
    row_.add(row_or_none(wait.number));
    by_.add(row_or_none(wait.ended_by.number));
    over_.add(wait.over ? 1 : 0);
}

void WaitTable::resolve(const InstructionTable& instructions) {
    for (const Waiting& one : at_gates_)
        row_[one.wait] = instructions.find(one.thread, one.index, one.position, one.end);
    at_gates_.clear();
}

Json WaitTable::json(Packer& packer) const {
    return {{"count", begin_.size()},   {"lane", lane_.json(packer)}, {"begin", begin_.json(packer)},
            {"length", length_.json(packer)}, {"kind", kind_.json(packer)}, {"reason", reason_.json(packer)},
            {"row", row_.json(packer)},       {"by", by_.json(packer)},     {"over", over_.json(packer)}};
}

}  // namespace tessera::viewer
