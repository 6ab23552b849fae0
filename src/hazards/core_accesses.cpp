// SPDX-License-Identifier: Apache-2.0
// What the RISC-V cores themselves do in L1 and Dst, held against the coprocessor's accesses there.
#include <algorithm>

#include "engine/order.hpp"

namespace tessera::engine {

namespace {

// What a core knew longer ago than this is taken for what it knew then: that can hide a conflict, and makes none.
constexpr std::size_t remembered_snapshots = 1024;

constexpr std::uint32_t word_of(std::uint32_t address) { return address & ~3u; }

}  // namespace

std::uint32_t Order::count_access(unsigned core, std::uint32_t pc) {
    const std::uint32_t number = ++cores_[core].accesses()[core];
    core_places_[core].add(number, pc);
    auto& snapshots = snapshots_[core];
    if (snapshots.empty() || snapshot_versions_[core] != versions_[core]) {
        snapshot_versions_[core] = versions_[core];
        if (snapshots.size() == remembered_snapshots) snapshots.pop_front();
        snapshots.push_back({number, cores_[core]});
    }
    return number;
}

const Knowledge& Order::known_at(unsigned core, std::uint32_t at) const {
    const auto& snapshots = snapshots_[core];
    const auto behind = std::upper_bound(snapshots.begin(), snapshots.end(), at,
                                         [](std::uint32_t number, const Snapshot& each) { return number < each.from; });
    return behind == snapshots.begin() ? snapshots.front().known : std::prev(behind)->known;
}

Conflict Order::conflict_with_core(plan::Storage storage, std::uint32_t first, std::uint32_t last, unsigned core,
                                   std::uint32_t at) const {
    Conflict conflict{storage, first, last};
    conflict.core = static_cast<int>(core);
    conflict.core_pc = core_places_[core].get(at, 0);
    return conflict;
}

std::optional<Conflict> Order::core_conflict(unsigned core, const CoreAccesses::Line& line, bool write,
                                             std::uint32_t address, std::uint32_t bytes) const {
    const Knowledge& known = cores_[core];
    const auto with = [&](unsigned stream, std::uint32_t number) {
        return Conflict{plan::Storage::l1,      address,
                        address + bytes - 1,    thread_of_stream(stream),
                        pipe_of_stream(stream), indices_[stream].get(number, -1)};
    };
    if (known.done()[line.writer] < line.written) return with(line.writer, line.written);
    for (std::size_t i = 0; write && i < line.read.size(); ++i)
        if (known.done()[line.reader[i]] < line.read[i]) return with(line.reader[i], line.read[i]);
    return std::nullopt;
}

std::optional<Conflict> Order::core_loads(unsigned core, std::uint32_t address, std::uint32_t bytes, std::uint32_t pc) {
    const std::uint32_t number = count_access(core, pc);
    std::optional<Conflict> conflict;
    for (std::uint32_t at = word_of(address); at < address + bytes; at += 4) {
        CoreAccesses::Word& word = core_accesses_.word(at);
        std::uint32_t& known = cores_[core].accesses()[word.writer];
        if (word.written && word.writer != core && known < word.written &&
            disregards_.allow_core(Ordering::word, core)) {
            core_learns(core, known_at(word.writer, word.written));
            known = std::max(known, word.written);
        }
        if (word.flag) {
            if (disregards_.allow_core(Ordering::word, core)) core_learns(core, flags_[at]);
            continue;
        }
        word.read = number;
        word.reader = static_cast<std::uint8_t>(core);
        if (!conflict) conflict = core_conflict(core, core_accesses_.line(at), false, address, bytes);
    }
    return conflict;
}

std::optional<Conflict> Order::core_stores(unsigned core, std::uint32_t address, std::uint32_t bytes,
                                           std::uint32_t pc) {
    const std::uint32_t number = count_access(core, pc);
    std::optional<Conflict> conflict;
    for (std::uint32_t at = word_of(address); at < address + bytes; at += 4) {
        CoreAccesses::Word& word = core_accesses_.word(at);
        word.written = number;
        word.writer = static_cast<std::uint8_t>(core);
        if (!conflict && !word.flag) conflict = core_conflict(core, core_accesses_.line(at), true, address, bytes);
    }
    return conflict;
}

void Order::host_saw(std::uint32_t address) {
    const CoreAccesses::Word& word = core_accesses_.word(word_of(address));
    if (word.written && !snapshots_[word.writer].empty()) {
        host_.join(known_at(word.writer, word.written));
        std::uint32_t& known = host_.accesses()[word.writer];
        known = std::max(known, word.written);
    }
    if (word.flag) host_.join(flags_[word_of(address)]);
}

// More is data, by which nobody is told anything.
void Order::host_wrote(std::uint32_t address, std::uint32_t bytes) {
    constexpr std::uint32_t most_told = 64;
    if (!watches_cores_ || bytes > most_told) return;
    for (std::uint32_t at = word_of(address); at < address + bytes; at += 4) {
        core_accesses_.word(at).flag = true;
        flags_[at].join(host_);
    }
}

std::optional<Conflict> Order::core_accesses_dst(unsigned core, unsigned first_row, unsigned last_row, bool write,
                                                 std::uint32_t pc) {
    const std::uint32_t number = count_access(core, pc);
    const Knowledge& known = cores_[core];
    std::optional<Conflict> conflict;
    const auto look_at = [&](const Past& past) {
        if (conflict || known.done()[past.stream] >= past.number) return;
        conflict = Conflict{plan::Storage::dst,          first_row, last_row, thread_of_stream(past.stream),
                            pipe_of_stream(past.stream), past.index};
    };
    for (unsigned b = first_row / state::Dst::block_rows; b <= last_row / state::Dst::block_rows; ++b) {
        Block& block = block_of_dst(b);
        look_at(block.write);
        if (!write) {
            block.cores.read = number;
            block.cores.reader = static_cast<std::uint8_t>(core);
            continue;
        }
        for (const Past& read : block.reads) look_at(read);
        block.cores.written = number;
        block.cores.writer = static_cast<std::uint8_t>(core);
    }
    return conflict;
}

void Order::flags(const KnowingTicket& ticket, std::span<const plan::Access> accesses) {
    if (!watches_cores_) return;
    Knowledge& known = known_[ticket.thread];
    for (const auto& access : accesses) {
        if (access.storage != plan::Storage::l1) continue;
        for (std::uint32_t at = word_of(access.first); at < access.first + access.count; at += 4) {
            CoreAccesses::Word& word = core_accesses_.word(at);
            Knowledge& flag = flags_[at];
            word.flag = true;
            if (access.write) {
                flag.join(ticket.known);
                continue;
            }
            if (!disregards_.allow(Ordering::word, ticket.thread)) continue;
            known.join(flag);
            if (!word.written) continue;
            known.join(known_at(word.writer, word.written));
            known.accesses()[word.writer] = std::max(known.accesses()[word.writer], word.written);
        }
    }
}

std::optional<std::pair<unsigned, std::uint32_t>> Order::unordered_core(const CoreAccesses::Word& word,
                                                                        const Ticket& ticket, const Knowledge& known,
                                                                        bool write) {
    const auto unknown = [&](unsigned core, std::uint32_t number) {
        return number && core != core_of_thread(ticket.thread) && known.accesses()[core] < number;
    };
    if (unknown(word.writer, word.written)) return std::pair{unsigned{word.writer}, word.written};
    if (write && unknown(word.reader, word.read)) return std::pair{unsigned{word.reader}, word.read};
    return std::nullopt;
}

void Order::check_core_words(const Ticket& ticket, const Knowledge& known, std::uint32_t first, std::uint32_t last,
                             bool write, std::vector<Conflict>& conflicts) {
    const unsigned stream = stream_of(ticket.thread, ticket.pipe());
    std::optional<Conflict> conflict;
    for (std::uint32_t at = first & ~15u; at <= last; at += 16) {
        for (std::uint32_t a = at; a < at + 16 && !conflict; a += 4) {
            const CoreAccesses::Word& word = core_accesses_.word(a);
            if (a + 3 < first || a > last || word.flag) continue;
            if (const auto core = unordered_core(word, ticket, known, write))
                conflict = conflict_with_core(plan::Storage::l1, first, last, core->first, core->second);
        }
        CoreAccesses::Line& line = core_accesses_.line(at);
        if (write) {
            line.written = ticket.number[0];
            line.writer = static_cast<std::uint8_t>(stream);
            continue;
        }
        const unsigned slot = line.read[0] && line.reader[0] != stream;
        line.read[slot] = ticket.number[0];
        line.reader[slot] = static_cast<std::uint8_t>(stream);
    }
    if (conflict) conflicts.push_back(*conflict);
}

}  // namespace tessera::engine
