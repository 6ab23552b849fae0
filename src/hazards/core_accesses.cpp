// SPDX-License-Identifier: Apache-2.0
#include "hazards/core_accesses.hpp"

#include "hazards/noc_order.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "util/set_bits.hpp"

namespace tessera::hazards {

namespace {

constexpr std::uint32_t word_of(std::uint32_t address) { return address & ~3u; }

/// Calls f with the address of each word that the bytes touch.
template <class F>
void for_each_word(std::uint32_t address, std::uint32_t bytes, F&& f) {
    for (std::uint32_t at = word_of(address); at < address + bytes; at += 4) f(at);
}

}  // namespace

Conflict conflict_with_core(plan::Storage storage, std::uint32_t first, std::uint32_t last,
                            const CoreAccesses::Unordered& other, const CoreClocks& cores) {
    Conflict conflict{storage, first, last};
    conflict.core = static_cast<int>(other.core);
    conflict.core_pc = cores.place(other.core, other.number);
    return conflict;
}

CoreAccesses::Before::Before(const VectorClock& known) { std::copy_n(known.accesses(), riscv_cores, last_.begin()); }

CoreAccesses::Before::Before(const Requester& now) : Before(now.known) {
    if (const unsigned own = now.ticket.own_core(); own < riscv_cores) last_[own] = ~std::uint32_t{0};
}

CoreAccesses::Page& CoreAccesses::own_page(std::uint32_t i) {
    if (i >= pages_.size()) pages_.resize(i + 1);
    // page() has seen that it is not there yet, or shared with a copy.
    pages_[i] = pages_[i] ? std::make_shared<Page>(*pages_[i]) : std::make_shared<Page>();
    return *pages_[i];
}

std::optional<Conflict> CoreAccesses::conflict(const VectorClock& core, const Line& past, bool write,
                                               std::uint32_t address, std::uint32_t bytes) const {
    const auto with = [&](unsigned stream, std::uint32_t number) {
        return Conflict{plan::Storage::l1,      address,
                        address + bytes - 1,    thread_of_stream(stream),
                        bit(pipe_of_stream(stream)), indices_[stream].get(number, -1)};
    };
    if (core.done()[past.writer] < past.written) return with(past.writer, past.written);
    for (std::size_t i = 0; write && i < past.read.size(); ++i)
        if (core.done()[past.reader[i]] < past.read[i]) return with(past.reader[i], past.read[i]);
    return std::nullopt;
}

std::optional<Conflict> CoreAccesses::access(unsigned core, std::uint32_t address, std::uint32_t bytes, bool store,
                                             std::uint32_t pc, bool hears, CoreClocks& cores) {
    const bool acquires = hears && !store;
    const std::uint32_t number = cores.count_access(core, pc);
    const VectorClock& known = cores.known(core);
    std::optional<Conflict> met;
    const std::uint32_t end = address + bytes;
    for (std::uint32_t at = word_of(address); at < end;) {
        Page& there = page(at);
        const Line& line = there.line(at);
        const bool is_behind_all = is_behind(line, store, known);
        const std::uint32_t next = std::min(end, (at / line_bytes + 1) * line_bytes);
        for (Word* word = &there.word(at); at < next; at += 4, ++word) {
            Word& past = *word;
            if (acquires && known.accesses()[past.writer] < past.written) {
                cores.learn(core, cores.known_at(past.writer, past.written));
                cores.learn_access(core, past.writer, past.written);
            }
            if (past.flag && acquires)
                if (auto& flag = flags_[at]; flag.has_news_for(core)) cores.learn(core, flag.known());
            if (past.flag && !store) continue;
            past.note(core, store, number);
            if (!is_behind_all && !met && !past.flag) met = conflict(known, line, store, address, bytes);
        }
    }
    return met;
}

template <bool store>
std::size_t CoreAccesses::note_in_line(Word* words, std::span<const state::L1Access> accesses, unsigned core, std::uint32_t number,
                                       const VectorClock& known) {
    const std::uint32_t line = accesses.front().address & ~(line_bytes - 1);
    std::size_t i = 0;
    for (; i < accesses.size(); ++i) {
        const state::L1Access& access = accesses[i];
        if ((access.address ^ line) >= line_bytes || access.is_store != store) break;
        Word& past = words[access.address % line_bytes / 4];
        if (!is_undisturbed(past, known, core, store)) break;
        past.note(core, store, number++);
    }
    return i;
}

std::size_t CoreAccesses::note_undisturbed(unsigned core, std::span<const state::L1Access> accesses, const NocOrder& noc, CoreClocks& cores) {
    const VectorClock& known = cores.known(core);
    const std::uint32_t first = known.accesses()[core] + 1;
    // Accesses come in runs. Where the last load and the last store were:
    constexpr std::uint32_t nowhere = 1;
    struct Last {
        std::uint32_t line = nowhere, block = nowhere;
        Page* page = nullptr;
        Word* words = nullptr;  ///< of the line
    } loads, stores;
    std::size_t noted = 0;
    while (noted < accesses.size()) {
        const std::uint32_t address = accesses[noted].address;
        const bool is_store = accesses[noted].is_store;
        Last& last = is_store ? stores : loads;
        if (const std::uint32_t line = address & ~(line_bytes - 1); last.line != line) {
            if (const std::uint32_t block = address & ~(block_bytes - 1); last.block != block) {
                last.page = page_with_words(address);
                if (!last.page || noc.meets(address, 1)) break;
                last.block = block;
            }
            if (!is_behind(last.page->line(address), is_store, known)) break;
            last.words = &last.page->present_word(line);
            last.line = line;
        }
        const auto note = is_store ? note_in_line<true> : note_in_line<false>;
        const std::size_t n = note(last.words, accesses.subspan(noted), core, first + static_cast<std::uint32_t>(noted), known);
        if (n == 0) break;
        noted += n;
    }
    cores.count_accesses(core, accesses.first(noted));
    return noted;
}

std::optional<unsigned> CoreAccesses::writer(std::uint32_t address) {
    const Word& past = page(address).word(address);
    return past.written ? std::optional<unsigned>(past.writer) : std::nullopt;
}

std::optional<CoreAccesses::Unordered> CoreAccesses::last_store(std::uint32_t address) const {
    const std::uint32_t i = address / page_bytes;
    if (i >= pages_.size() || !pages_[i] || pages_[i]->words.empty() || pages_[i]->line(address).written) return std::nullopt;
    const Word& past = pages_[i]->words[address % page_bytes / 4];
    return past.written && !past.flag ? std::optional(Unordered{past.writer, past.written}) : std::nullopt;
}

void CoreAccesses::host_saw(std::uint32_t address, const CoreClocks& cores, VectorClock& host) {
    const Word& past = page(address).word(address);
    if (past.written) {
        host.join(cores.known_at(past.writer, past.written));
        raise(host.accesses()[past.writer], past.written);
    }
    host.join(flags_[word_of(address)].known());  // empty for a word that is no flag
}

void CoreAccesses::flag_written(std::uint32_t address, std::uint32_t bytes, const VectorClock& by) {
    for_each_word(address, bytes, [&](std::uint32_t at) {
        page(at).word(at).flag = true;
        flags_[at].release(by);
    });
}

void CoreAccesses::flag_read(const plan::Access& access, bool hears, const CoreClocks& cores, VectorClock& thread) {
    for_each_word(access.first, access.count, [&](std::uint32_t at) {
        Word& past = page(at).word(at);
        past.flag = true;
        if (!hears) return;
        thread.join(flags_[at].known());
        if (!past.written) return;
        thread.join(cores.known_at(past.writer, past.written));
        raise(thread.accesses()[past.writer], past.written);
    });
}

std::optional<CoreAccesses::Unordered> CoreAccesses::unordered(const Page& page, std::uint32_t at, const Before& before,
                                                               const plan::Access& access) {
    const std::uint32_t first = std::max(at, word_of(access.first));
    const std::uint32_t end = std::min(at + line_bytes, access.first + access.count);
    if (first >= end) return std::nullopt;
    for (const Word& past : std::span(&page.words[first % page_bytes / 4], (end - first + 3) / 4))
        if (!past.flag && !before.has(past, access.write)) return before.lacks(past, access.write);
    return std::nullopt;
}

void CoreAccesses::Line::add(const Requester& now, bool write) {
    const auto stream = static_cast<std::uint8_t>(now.stream);
    if (write) {
        written = now.self.number;
        writer = stream;
        return;
    }
    const unsigned slot = read[0] && reader[0] != stream;
    read[slot] = now.self.number;
    reader[slot] = stream;
}

std::optional<Conflict> CoreAccesses::line_met_from_outside(const VectorClock& known, const Page& there, std::uint32_t at, std::uint32_t end,
                                                            bool write, const CoreClocks& cores) const {
    const Line& line = there.line(at);
    if (!is_behind(line, write, known)) return conflict(known, line, write, at, end - at);
    if (there.words.empty()) return std::nullopt;
    const auto met = unordered(there, at & ~(line_bytes - 1), Before(known), {plan::Storage::l1, write, at, end - at});
    return met ? std::optional(conflict_with_core(plan::Storage::l1, at, end - 1, *met, cores)) : std::nullopt;
}

std::optional<Conflict> CoreAccesses::met_from_outside(const VectorClock& known, std::uint32_t address, std::uint32_t bytes, bool write,
                                                       const CoreClocks& cores) {
    const std::uint32_t all = address + bytes;
    for (std::uint32_t at = word_of(address); at < all;) {
        const Page& there = page(at);
        const std::uint32_t block = at % page_bytes / block_bytes, next = (at / block_bytes + 1) * block_bytes, end = std::min(all, next);
        const bool is_split = there.is_split >> block & 1;
        if (there.of_cores[block] || is_split || !is_behind(there.blocks[block], write, known))
            for (; at < end; at = (at / line_bytes + 1) * line_bytes) {
                auto met = line_met_from_outside(known, there, at, std::min(end, (at / line_bytes + 1) * line_bytes), write, cores);
                if (!met) continue;
                met->first = address;
                met->last = all - 1;
                return met;
            }
        at = next;
    }
    return std::nullopt;
}

CoreAccesses::Lines& CoreAccesses::Page::lines(std::uint32_t block) {
    if (!places[block]) {
        split.emplace_back();
        places[block] = static_cast<std::uint8_t>(split.size());
    }
    Lines& all = split[places[block] - 1u];
    if (!(is_split >> block & 1)) all.fill(blocks[block]);
    is_split |= 1u << block;
    return all;
}

void CoreAccesses::Page::unite(std::uint32_t block) {
    const Lines& all = split[places[block] - 1u];
    if (std::adjacent_find(all.begin(), all.end(), std::not_equal_to{}) != all.end()) return;
    blocks[block] = all.front();
    is_split &= ~(1u << block);
}

void CoreAccesses::check(const Requester& now, const plan::Access& access, const CoreClocks& cores,
                         Conflicts& conflicts) {
    const std::uint32_t first = access.first, last = access.first + access.count - 1;
    const Before before(now);
    std::optional<Unordered> met;
    for (std::uint32_t at = first & ~(line_bytes - 1); at <= last;) {
        Page& there = page(at);
        const std::uint32_t end = std::min(last + 1, (at / page_bytes + 1) * page_bytes);
        while (at < end) {
            const std::uint32_t block = at % page_bytes / block_bytes, from = at % block_bytes / line_bytes;
            const std::uint32_t until = std::min(block_lines, from + (end - at + line_bytes - 1) / line_bytes);
            const bool whole = until - from == block_lines;
            // Lines of the block outside the access have no word of it.
            for (const unsigned line : util::SetBits(there.of_cores[block]))
                if (!met) met = unordered(there, at - at % block_bytes + line * line_bytes, before, access);
            if (whole && !(there.is_split >> block & 1)) {
                there.blocks[block].add(now, access.write);
            } else {
                Lines& all = there.lines(block);
                for (std::uint32_t i = from; i < until; ++i) all[i].add(now, access.write);
                if (whole) there.unite(block);
            }
            at += (until - from) * line_bytes;
        }
    }
    if (met) conflicts.add_beside(conflict_with_core(plan::Storage::l1, first, last, *met, cores));
}

}  // namespace tessera::hazards
