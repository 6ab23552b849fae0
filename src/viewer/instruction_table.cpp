// SPDX-License-Identifier: Apache-2.0
#include "viewer/instruction_table.hpp"

#include "tessera/assembly.hpp"

namespace tessera::viewer {

namespace {

std::uint32_t after(std::uint64_t cycle, double issue) {
    return static_cast<std::uint32_t>(static_cast<double>(cycle) - issue);
}

/// The line of an op in the text of its thread; 0: none.
std::uint64_t line_of(const Program& program, int thread, std::int64_t index) {
    const auto of = static_cast<std::size_t>(thread);
    if (thread < 0 || of >= program.threads.size() || index < 0 || index >= std::ssize(program.threads[of])) return 0;
    const auto line = program.threads[of][static_cast<std::size_t>(index)].line;
    return line > 0 ? static_cast<std::uint64_t>(line) : 0;
}

}  // namespace

// Numbers without an event so far get rows too: the row is the number.
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
    place_[row] = source_of(place);
}

std::uint32_t InstructionTable::source_of(const Place& place) {
    const bool of_core = job_.kernels.has_value();
    if (of_core && place.core < 0) return 0;
    const auto who = static_cast<std::uint64_t>(of_core ? place.core : place.thread);
    const auto where = of_core ? std::uint64_t{place.pc} : line_of(job_.program, place.thread, place.index);
    const auto [at, added] = known_places_.emplace(who << 56 | where, 0);
    if (!added) return at->second;
    if (!of_core) {
        at->second = sources_.place(job_.program.place(static_cast<unsigned>(who), static_cast<std::size_t>(place.index)));
    } else if (const auto& image = job_.kernels->images[who]) {
        const auto frames = image->frames(place.pc);
        if (const Frame* users = users_frame(frames)) at->second = sources_.place(users->place);
    }
    return at->second;
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
    if (text_[row])
        issue_[row] = static_cast<double>(event.issue);  // a write may have come later than the issue
    else
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

Row InstructionTable::find(unsigned thread, std::int64_t index, std::int64_t position, std::uint64_t cycle) const {
    std::size_t low = 0, high = issue_.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (issue_[middle] < static_cast<double>(cycle))
            low = middle + 1;
        else
            high = middle;
    }
    // The instruction at the gate when a wait ended is the next that its thread issues.
    for (std::size_t row = low; row < issue_.size(); ++row) {
        if (thread_[row] != thread) continue;
        const bool same = index_[row] == static_cast<double>(index) && position_[row] == position;
        return same ? static_cast<Row>(row) : no_row;
    }
    return no_row;
}

Json InstructionTable::json(Packer& packer) const {
    return {{"count", thread_.size()},
            {"unissued", unissued_},
            {"thread", thread_.json(packer)},
            {"index", index_.json(packer)},
            {"position", position_.json(packer)},
            {"word", word_.json(packer)},
            {"instruction", text_.json(packer)},
            {"place", place_.json(packer)},
            {"unit", unit_.json(packer)},
            {"core", core_.json(packer)},
            {"pc", pc_.json(packer)},
            {"issue", issue_.json(packer)},
            {"start", start_.json(packer)},
            {"land", land_.json(packer)},
            {"end", end_.json(packer)},
            {"plan", plan_.json(packer)}};
}

Json InstructionTable::accesses(Packer& packer) const { return {{"start", reads_at_.json(packer)}, {"ranges", reads_.json(packer)}}; }

}  // namespace tessera::viewer
