// SPDX-License-Identifier: Apache-2.0
#include "hazards/noc_order.hpp"

#include <algorithm>
#include <utility>

namespace tessera::hazards {

bool NocOrder::Own::fits(Sign sign, unsigned id) const {
    switch (sign) {
        case Sign::reads: return kind == Kind::read;
        case Sign::writes: return kind == Kind::write;
        case Sign::atomics: return kind == Kind::atomic;
        case Sign::sent: return kind == Kind::write;
        case Sign::transaction: return transaction == id;
        case Sign::sent_of_transaction: break;
    }
    return kind == Kind::write && transaction == id;
}

bool NocOrder::Own::is_over(Sign sign) const {
    const bool of_sending = sign == Sign::sent || sign == Sign::sent_of_transaction;
    return of_sending ? to_send == 0 : is_answered && to_answer == 0;
}

NocOrder::Own* NocOrder::find(const NocRequest& request) {
    const auto at = std::find_if(own_.rbegin(), own_.rend(), [&](const Own& one) { return one.by.request == request; });
    return at == own_.rend() ? nullptr : &*at;
}

void NocOrder::mark(std::uint32_t first, std::uint32_t last) {
    const std::size_t end = last / block_bytes;
    if (blocks_.size() <= end) blocks_.resize(end + 1);
    marked_ = static_cast<std::uint32_t>(blocks_.size());
    for (std::size_t block = first / block_bytes; block <= end; ++block) blocks_[block] = true;
}

bool NocOrder::is_ordered(const Range& range, const VectorClock& known, const NocKnowledge* further) {
    for (unsigned core = 0; core < riscv_cores; ++core)
        if (range.learned[core] && known.accesses()[core] >= range.learned[core]) return true;
    return further && further->knows(range.by.request);
}

std::optional<Conflict> NocOrder::conflict(std::uint32_t first, std::uint32_t bytes, bool write, const VectorClock& known,
                                           const NocKnowledge* further) {
    const std::uint32_t last = first + bytes - 1;
    std::optional<Conflict> met;
    for (auto range = ranges_.rbegin(); range != ranges_.rend(); ++range) {
        if (range->last < first || range->first > last) continue;
        range->is_used = true;
        if (met || !(write || range->writes()) || is_ordered(*range, known, further)) continue;
        met.emplace(Conflict{plan::Storage::l1, std::max(first, range->first), std::min(last, range->last)});
        met->request = {range->use, range->by};
    }
    return met;
}

// Only a page that is written again as a whole, by the tile that announced it: others may write twice for good reasons.
std::optional<Conflict> NocOrder::unread(const Arrival& what) const {
    const std::uint32_t last = what.first + what.bytes - 1;
    for (auto range = ranges_.rbegin(); range != ranges_.rend(); ++range) {
        if (range->first != what.first || range->last != last || range->use != NocUse::arrives || range->is_used) continue;
        if (range->by.request.tile != what.by.request.tile || range->flags == flags_raised_) continue;
        Conflict met{plan::Storage::l1, what.first, last};
        met.request = {NocUse::unread, range->by};
        return met;
    }
    return std::nullopt;
}

// An access that covers an earlier one and is ordered after it stands for it. A forgotten range can hide a conflict, but never adds one.
void NocOrder::add(const Range& range, const VectorClock* known, const NocKnowledge* further) {
    mark(range.first, range.last);
    const VectorClock nothing{};
    std::erase_if(ranges_, [&](const Range& before) {
        return before.first >= range.first && before.last <= range.last && (range.writes() || !before.writes()) &&
               is_ordered(before, known ? *known : nothing, further);
    });
    if (ranges_.size() >= most_ranges) ranges_.erase(ranges_.begin());
    ranges_.push_back(range);
    ranges_.back().flags = flags_raised_;
}

SharedNocKnowledge NocOrder::known(const VectorClock& clock) const {
    SharedNocKnowledge all;
    const auto& accesses = clock.accesses();
    for (unsigned of = 0; of < riscv_cores; ++of) {
        const auto& history = known_[of];
        if (history.empty() || accesses[of] < history.front().from) continue;
        const auto after = std::upper_bound(history.begin(), history.end(), accesses[of],
                                            [](std::uint32_t number, const Known& one) { return number < one.from; });
        learn(all, std::prev(after)->known);
    }
    return all;
}

SharedNocKnowledge NocOrder::asked(const Asked& what, const VectorClock& clock, const SharedNocKnowledge& before) {
    auto carried = before ? std::make_shared<NocKnowledge>(*before) : std::make_shared<NocKnowledge>();
    carried->change(tile_, [&](TileKnowledge& own) {
        const unsigned noc = what.by.request.noc;
        for (const Own& earlier : own_)
            if (what.way && earlier.way == what.way && earlier.by.request.noc == noc) own.complete[noc].add(earlier.by.request.number);
        own.clock = std::make_shared<VectorClock>(clock);
    });
    if (what.bytes) {
        const NocUse use = what.kind == Kind::read ? NocUse::fills : NocUse::sends;
        add({what.first, what.first + what.bytes - 1, use, what.by, {}}, &clock, before.get());
    }
    Own own;
    own.by = what.by;
    own.kind = what.kind;
    own.transaction = what.transaction;
    own.to_send = what.packets;
    own.to_answer = what.answers;
    own.is_answered = what.answers != 0;
    own.way = what.way;
    own_.push_back(own);
    if (own_.size() > most_own) own_.pop_front();
    return carried;
}

void NocOrder::sent(const NocRequest& request) {
    Own* own = find(request);
    if (!own || own->to_send == 0) return;
    if (--own->to_send == 0) ++version_;
}

void NocOrder::answered(const NocRequest& request, std::uint32_t first, std::uint32_t bytes, const SharedNocKnowledge& known) {
    Own* own = find(request);
    if (known && bytes && bytes <= 16) {
        raise_flag(first, bytes, known);
        // The result of an atomic announces no page.
        if (own && own->kind == Kind::read) ++flags_raised_;
    }
    if (!own || own->to_answer == 0) return;
    if (--own->to_answer == 0) ++version_;
}

void NocOrder::core_learns(unsigned core, std::uint32_t pc, const SharedNocKnowledge& what, CoreClocks& cores) {
    auto& history = known_[core];
    SharedNocKnowledge all = history.empty() ? nullptr : history.back().known;
    if (!learn(all, what)) return;
    const std::uint32_t number = cores.count_access(core, pc);
    history.push_back({number, all});
    if (history.size() > most_known) {
        history.pop_front();
        history.front().from = 1;
    }
    for (Range& range : ranges_)
        if (!range.learned[core] && what->knows(range.by.request)) range.learned[core] = number;
}

void NocOrder::sign_seen(unsigned core, std::uint32_t pc, unsigned noc, Sign sign, unsigned transaction, CoreClocks& cores) {
    const auto which = static_cast<unsigned>(sign);
    const unsigned of_transactions = static_cast<unsigned>(Sign::transaction);
    const unsigned place = which < of_transactions ? noc * 4 + which : 8 + ((which - of_transactions) * 2 + noc) * 16 + transaction;
    if (std::exchange(looked_[core][place], version_) == version_) return;
    const bool of_sending = sign == Sign::sent || sign == Sign::sent_of_transaction;
    const auto bit = static_cast<std::uint8_t>(1u << core);
    RequestSet news;
    bool is_news = false;
    std::uint32_t number = 0;
    for (Own& own : own_) {
        std::uint8_t& told = of_sending ? own.sent_known : own.end_known;
        if (own.by.request.noc != noc || told & bit || !own.fits(sign, transaction) || !own.is_over(sign)) continue;
        told = static_cast<std::uint8_t>(told | bit);
        if (of_sending) {
            if (!number) number = cores.count_access(core, pc);
            for (Range& range : ranges_)
                if (range.by.request == own.by.request && !range.learned[core]) range.learned[core] = number;
        } else {
            news.add(own.by.request.number);
            is_news = true;
        }
    }
    if (!is_news) return;
    auto learned = std::make_shared<NocKnowledge>();
    learned->change(tile_, [&](TileKnowledge& own) { own.complete[noc] = std::move(news); });
    core_learns(core, pc, learned, cores);
}

void NocOrder::raise_flag(std::uint32_t first, std::uint32_t bytes, const SharedNocKnowledge& known) {
    for (std::uint32_t word = first & ~3u; word < first + bytes; word += 4) {
        mark(word, word);  // it lies in one block
        raise(word, known);
    }
}

void NocOrder::raise(std::uint32_t word, const SharedNocKnowledge& known) {
    flags_[word].raise([&](SharedNocKnowledge& all) { return learn(all, known); });
}

void NocOrder::stream_written(std::uint32_t word, const SharedNocKnowledge& known) {
    if (!known) return;
    raise(word, known);
    ++flags_raised_;
}

void NocOrder::arrived(const Arrival& what) {
    if (what.is_flag()) {
        if (!what.write || !what.known) return;
        raise_flag(what.first, what.bytes, what.known);
        ++flags_raised_;
        return;
    }
    const VectorClock* clock = what.known ? what.known->clock_of(tile_) : nullptr;
    const NocUse use = what.write ? NocUse::arrives : NocUse::is_read;
    add({what.first, what.first + what.bytes - 1, use, what.by, {}}, clock, what.known.get());
}

SharedNocKnowledge NocOrder::read_away(const Arrival& what, const VectorClock* clock) const {
    SharedNocKnowledge all;
    for (std::uint32_t word = what.first & ~3u; word < what.first + what.bytes; word += 4)
        if (const auto flag = flags_.find(word); flag != flags_.end()) learn(all, flag->second.known());
    if (clock) add_clock(all, *clock);
    return all;
}

SharedNocKnowledge NocOrder::stream_read_away(std::uint32_t word, const VectorClock& clock) const {
    SharedNocKnowledge all;
    if (const auto flag = flags_.find(word); flag != flags_.end()) all = flag->second.known();
    add_clock(all, clock);
    return all;
}

void NocOrder::add_clock(SharedNocKnowledge& all, const VectorClock& clock) const {
    auto own = std::make_shared<NocKnowledge>();
    own->change(tile_, [&](TileKnowledge& tile) { tile.clock = std::make_shared<VectorClock>(clock); });
    learn(all, known(clock));
    learn(all, own);
}

void NocOrder::load_flags(unsigned core, std::uint32_t pc, std::uint32_t first, std::uint32_t bytes, CoreClocks& cores) {
    for (std::uint32_t word = first & ~3u; word < first + bytes; word += 4) {
        const auto flag = flags_.find(word);
        if (flag != flags_.end() && flag->second.has_news_for(core)) core_learns(core, pc, flag->second.known(), cores);
    }
}

}  // namespace tessera::hazards
