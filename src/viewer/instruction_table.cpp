// SPDX-License-Identifier: Apache-2.0
#include "viewer/instruction_table.hpp"

#include "tessera/assembly.hpp"

namespace tessera::viewer {

namespace {

std::uint32_t after(std::uint64_t cycle, double issue) {
    return static_cast<std::uint32_t>(static_cast<double>(cycle) - issue);
}

}  // namespace

// Numbers that nothing has told of yet get rows, too: a row is a number.
Row InstructionTable::grow(std::int64_t number, std::uint64_t cycle) {
    const auto row = static_cast<Row>(number);
    while (thread_.size() <= row) {
        thread_.add(0);
        core_.add(-1);
        index_.add(-1);
        issue_.add(static_cast<double>(cycle));
        position_.add(-1);
        plan_.add(-1);
        for (auto* column : {&word_, &text_, &place_, &unit_, &pc_}) column->add(0);
        for (auto* column : {&start_, &land_, &end_, &reads_at_}) column->add(never);
    }
    return row;
}

void InstructionTable::describe(Row row, const Place& place, std::uint64_t issue) {
    thread_[row] = static_cast<std::uint8_t>(place.thread);
    index_[row] = static_cast<double>(place.index);
    position_[row] = static_cast<std::int32_t>(place.position);
    word_[row] = place.word;
    issue_[row] = static_cast<double>(issue);
    core_[row] = static_cast<std::int8_t>(place.core);
    pc_[row] = place.pc;
    const auto [text, added] = disassembled_.emplace(place.word, 0);
    if (added) text->second = texts_.number(disassemble_named(place.word, job_.arch));
    text_[row] = text->second;
    if (!job_.kernels)
        return set_place(
            row, job_.program.place(static_cast<unsigned>(place.thread), static_cast<std::size_t>(place.index)));
    if (place.core < 0) return;
    if (const auto& image = job_.kernels->images[static_cast<unsigned>(place.core)])
        if (const auto frames = image->frames(place.pc); const Frame* users = users_frame(frames))
            set_place(row, users->place);
}

Row InstructionTable::issued(const Write& write) {
    const auto known = static_cast<std::size_t>(write.number) < text_.size();
    const Row row = grow(write.number, write.cycle);
    if (!known || !text_[row])
        describe(row, {write.thread, write.index, write.position, write.word, write.core, write.pc}, write.cycle);
    return row;
}

Row InstructionTable::ended(const Event& event) {
    const Row row = grow(event.number, event.issue);
    describe(row, {event.thread, event.index, event.position, event.word, event.core, event.pc}, event.issue);
    if (event.command) text_[row] = texts_.number("command to the mover");
    unit_[row] = texts_.number(event.unit);
    start_[row] = after(event.start, issue_[row]);
    land_[row] = after(event.land, issue_[row]);
    end_[row] = after(event.end, issue_[row]);
    std::size_t kept = 0;
    for (const ElementRange& range : event.reads) kept += numbering_.number(range.section) >= 0 ? 1 : 0;
    if (kept == 0) return row;
    reads_at_[row] = static_cast<std::uint32_t>(reads_.size());
    reads_.varint(kept);
    for (const ElementRange& range : event.reads) {
        const std::int32_t section = numbering_.number(range.section);
        if (section < 0) continue;
        reads_.varint(static_cast<std::uint64_t>(section));
        reads_.varint(range.first);
        reads_.varint(range.count);
    }
    return row;
}

Row InstructionTable::unissued(unsigned thread, std::int64_t index, std::int64_t position, std::uint32_t word,
                               std::uint64_t cycle) {
    ++unissued_;
    const Row row = grow(static_cast<std::int64_t>(thread_.size()), cycle);
    describe(row, {static_cast<int>(thread), index, position, word, -1, 0}, cycle);
    return row;
}

void InstructionTable::set_unit(Row row, std::string_view unit) {
    if (!unit_[row]) unit_[row] = texts_.number(unit);
}

void InstructionTable::set_place(Row row, const std::string& place) {
    if (!place_[row]) place_[row] = texts_.number(paths_.shorten(place));
}

Row InstructionTable::find(unsigned thread, std::int64_t index, std::int64_t position, std::uint64_t cycle) const {
    std::size_t low = 0, high = issue_.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (issue_[middle] < static_cast<double>(cycle))
            low = middle + 1;
        else
            high = middle;
    }
    // What was at the gate when a wait ended is issued next of its thread.
    for (std::size_t row = low; row < issue_.size(); ++row) {
        if (thread_[row] != thread) continue;
        const bool same = index_[row] == static_cast<double>(index) && position_[row] == position;
        return same ? static_cast<Row>(row) : no_row;
    }
    return no_row;
}

Json InstructionTable::json(const GoOn& go_on) const {
    return {{"count", thread_.size()},
            {"unissued", unissued_},
            {"thread", thread_.json(go_on)},
            {"index", index_.json(go_on)},
            {"position", position_.json(go_on)},
            {"word", word_.json(go_on)},
            {"instruction", text_.json(go_on)},
            {"place", place_.json(go_on)},
            {"unit", unit_.json(go_on)},
            {"core", core_.json(go_on)},
            {"pc", pc_.json(go_on)},
            {"issue", issue_.json(go_on)},
            {"start", start_.json(go_on)},
            {"land", land_.json(go_on)},
            {"end", end_.json(go_on)},
            {"plan", plan_.json(go_on)}};
}

Json InstructionTable::accesses(const GoOn& go_on) const { return {{"start", reads_at_.json(go_on)}, {"ranges", reads_.json(go_on)}}; }

}  // namespace tessera::viewer
