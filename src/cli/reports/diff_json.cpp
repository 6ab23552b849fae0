// SPDX-License-Identifier: Apache-2.0
#include "reports/diff_json.hpp"

namespace tessera::cli {

namespace {

constexpr auto as_json = [](const auto& element) { return to_json(element); };

}  // namespace

Json to_json(const Writer& writer) {
    return {{"thread", writer.thread},   {"index", writer.index}, {"position", writer.position},
            {"by_core", writer.by_core}, {"cycle", writer.cycle}, {"text", writer.text},
            {"place", writer.place}};
}

Json to_json(const StateDifference& difference) {
    return {{"name", difference.name},
            {"a", maybe(difference.a)},
            {"b", maybe(difference.b)},
            {"a_text", difference.a_text},
            {"b_text", difference.b_text},
            {"a_writer", maybe(difference.a_writer)},
            {"b_writer", maybe(difference.b_writer)},
            {"writers_known", difference.writers_known}};
}

Json to_json(const InstructionDifference& difference) {
    return {{"a", maybe(difference.a)},
            {"b", maybe(difference.b)},
            {"same_text", difference.same_text},
            {"count", difference.count},
            {"wrote", json_list(difference.wrote, as_json)}};
}

Json to_json(const ProgramOp& op) {
    return {{"thread", op.thread}, {"index", op.index}, {"text", op.text}, {"place", op.place}};
}

template <class Edit>
Json edits_json(const std::vector<Edit>& edits) {
    return json_list(edits, [](const Edit& edit) -> Json {
        const auto operands = [](const OperandChange& one) -> Json {
            return {{"name", one.name}, {"a", one.a}, {"b", one.b}};
        };
        return {{"kind", name(edit.kind)},
                {"a", maybe(edit.a)},
                {"b", maybe(edit.b)},
                {"operands", json_list(edit.operands, operands)}};
    });
}

Json to_json(const RunDifference& difference) {
    return {{"same", difference.same()},
            {"edits", edits_json(difference.edits)},
            {"edit_count", difference.edit_count},
            {"before", maybe(difference.before)},
            {"instruction", maybe(difference.instruction)},
            {"state", maybe(difference.state)},
            {"count", difference.count},
            {"same_end", difference.same_end},
            {"a", to_json(difference.a)},
            {"b", to_json(difference.b)}};
}

Json to_json(const ExpectedDifference& difference) {
    return {{"same", difference.count == 0},
            {"compared", difference.compared},
            {"count", difference.count},
            {"state", maybe(difference.state)}};
}

Json to_json(const TracedInstruction& one) {
    return {{"thread", one.thread}, {"index", one.index}, {"position", one.position}, {"instruction", one.instruction},
            {"unit", one.unit},     {"issue", one.issue}, {"start", one.start},       {"land", one.land},
            {"end", one.end}};
}

Json to_json(const TraceDifference::Pair& pair) { return {{"a", maybe(pair.a)}, {"b", maybe(pair.b)}}; }

Json to_json(const TraceDifference::End& end) { return {{"cycles", end.cycles}, {"good", end.good}}; }

Json to_json(const TraceDifference& difference) {
    return {{"same", difference.same()},
            {"arch_a", difference.arch_a},
            {"arch_b", difference.arch_b},
            {"instructions_a", difference.instructions_a},
            {"instructions_b", difference.instructions_b},
            {"edits", edits_json(difference.edits)},
            {"edit_count", difference.edit_count},
            {"instruction", maybe(difference.instruction)},
            {"time", maybe(difference.time)},
            {"times", difference.times},
            {"end_a", maybe(difference.end_a)},
            {"end_b", maybe(difference.end_b)},
            {"same_end", difference.same_end()}};
}

Json to_json(const PlaceDifference& difference) {
    return {{"place", difference.place}, {"first", to_json(difference.first)}, {"count", difference.count}};
}

namespace {

Json request_json(const std::optional<PacketEvent>& packet) {
    if (!packet) return {};
    return {{"noc", packet->noc},
            {"kind", packet->kind},
            {"to", {packet->to.x, packet->to.y}},
            {"address", packet->address},
            {"bytes", packet->bytes},
            {"sent", packet->sent},
            {"asked_by", {packet->asked_by.x, packet->asked_by.y}},
            {"core", name(packet->core)},
            {"pc", packet->pc},
            {"request", packet->request}};
}

Json chip_end_json(const ChipRun& run) {
    return {{"good", run.good()},
            {"cycles", run.cycles},
            {"packets", run.packets},
            {"fault", maybe(run.fault)}};
}

}  // namespace

Json to_json(const ChipRunDifference& difference) {
    Json request = nullptr;
    if (difference.request) request = {{"a", request_json(difference.request->a)}, {"b", request_json(difference.request->b)}};
    return {{"same", difference.same()},       {"before", json_list(difference.before, as_json)},
            {"request", std::move(request)},   {"state", json_list(difference.state, as_json)},
            {"same_end", difference.same_end}, {"a", chip_end_json(difference.a)},
            {"b", chip_end_json(difference.b)}};
}

}  // namespace tessera::cli
