// SPDX-License-Identifier: Apache-2.0
#include "hazards/noc_order.hpp"

#include <algorithm>
#include <utility>

namespace tessera::hazards {

namespace {

bool is_of_sending(NocOrder::Sign sign) {
    using Sign = NocOrder::Sign;
    return sign == Sign::sent || sign == Sign::posted_sent || sign == Sign::sent_of_transaction;
}

}  // namespace

bool NocOrder::Own::fits(Sign sign, unsigned id) const {
    switch (sign) {
        case Sign::reads: return kind == Kind::read && has_response;
        case Sign::writes:
        case Sign::sent: return kind == Kind::write && has_response;
        case Sign::posted_sent: return kind == Kind::write && !has_response;
        case Sign::atomics: return kind == Kind::atomic && has_response;
        case Sign::transaction:
        case Sign::returned: return has_response && transaction == id;
        case Sign::sent_of_transaction: break;
    }
    return kind == Kind::write && transaction == id;
}

bool NocOrder::Own::is_over(Sign sign) const { return (is_of_sending(sign) ? packets : answers) == 0; }

NocOrder::Own* NocOrder::find(const NocRequest& request) {
    const auto at = std::find_if(own_.rbegin(), own_.rend(), [&](const Own& one) { return one.by.request == request; });
    return at == own_.rend() ? nullptr : &*at;
}

void NocOrder::mark(std::uint32_t first, std::uint32_t last) {
    const std::size_t end = last / block_bytes;
    if (blocks_.size() <= end) blocks_.resize(end + 1);
    for (std::size_t block = first / block_bytes; block <= end; ++block) blocks_[block] = true;
}

bool NocOrder::is_ordered(const Range& range, const VectorClock& known, const NocKnowledge* further) {
    for (unsigned core = 0; core < riscv_cores; ++core)
        if (range.learned[core] && known.accesses()[core] >= range.learned[core]) return true;
    return further && range.is_over(*further);
}

bool NocOrder::is_replaced(const Range& range, const NocRequest& by) {
    return !range.is_used && !range.is_expected && range.by.request.tile == by.tile && range.by.request.noc == by.noc;
}

std::optional<Conflict> NocOrder::conflict(std::uint32_t first, std::uint32_t bytes, bool write,
                                           const VectorClock& known, const NocKnowledge* further,
                                           const NocRequest* written_by) {
    const std::uint32_t last = first + bytes - 1;
    std::optional<Conflict> met;
    for (auto range = ranges_.rbegin(); range != ranges_.rend(); ++range) {
        if (range->last < first || range->first > last) continue;
        range->is_used |= !written_by;
        if (met || !(write || range->writes()) || is_ordered(*range, known, further)) continue;
        if (written_by && is_replaced(*range, *written_by)) continue;
        met.emplace(Conflict{plan::Storage::l1, std::max(first, range->first), std::min(last, range->last)});
        met->request = {range->use, range->by};
    }
    return met;
}

// Whether something in this tile has met what came to that place before.
bool NocOrder::is_in_use(const Range& range) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& before) {
        return before.first == range.first && before.last == range.last && before.use == range.use &&
               (before.is_used || before.is_expected);
    });
}

// Only a page that is written again as a whole, by the tile that announced it: others may write twice for good reasons.
std::optional<Conflict> NocOrder::unread(const Arrival& what) const {
    const std::uint32_t last = what.first + what.bytes - 1;
    const auto before = std::find_if(ranges_.rbegin(), ranges_.rend(), [&](const Range& range) {
        return range.first == what.first && range.last == last && range.use == NocUse::arrives;
    });
    if (before == ranges_.rend() || before->is_used || !before->is_expected) return std::nullopt;
    if (before->by.request.tile != what.by.request.tile || before->flags == flags_raised_) return std::nullopt;
    Conflict met{plan::Storage::l1, what.first, last};
    met.request = {NocUse::unread, before->by};
    return met;
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
        const NocRequest& request = what.by.request;
        RequestSet& complete = own.complete[request.noc];
        complete.add_up_to(forgotten_[request.noc]);
        // A flag that is seen has been read from here.
        const bool is_flag_write = what.kind == Kind::write && is_flag(what.bytes);
        Way none;
        Way& way = what.way ? ways_[{request.noc, what.way}] : none;
        if (!what.broadcast) {
            complete.join(way.done);
            if (is_flag_write) complete.add(request.number);
        }
        if (what.broadcast || !way.read.is_empty())
            own.change_partly([&](PartlyDone& partly) {
                RequestSet& read = partly.read[request.noc];
                read.join(way.read);
                if (!what.broadcast) return;
                read.join(complete);
                read.join(way.done);
                if (is_flag_write) read.add(request.number);
                partly.arrived[request.noc] = way.done;
            });
        // A read that comes first is answered at any time, and only if it is linked are its data taken before.
        if (what.kind != Kind::read)
            way.done.add(request.number);
        else if (what.linked)
            way.read.add(request.number);
        own.clock = std::make_shared<VectorClock>(clock);
    });
    if (what.bytes) {
        const NocUse use = what.kind == Kind::read ? NocUse::fills : NocUse::sends;
        add({what.first, what.first + what.bytes - 1, use, what.by, {}}, &clock, before.get());
    }
    own_.push_back({what, what.answers != 0});
    if (own_.size() > most_own) forget_oldest();
    return carried;
}

void NocOrder::forget_oldest() {
    const NocRequest oldest = own_.front().by.request;
    if (const auto way = ways_.find({oldest.noc, own_.front().way});
        way != ways_.end() && way->second.done.is_up_to(oldest.number) && way->second.read.is_up_to(oldest.number))
        ways_.erase(way);
    own_.pop_front();
    forgotten_[oldest.noc] = oldest.number;
    std::erase_if(ranges_, [&](const Range& range) { return range.by.request == oldest; });
}

void NocOrder::sent(const NocRequest& request) {
    Own* own = find(request);
    if (!own || own->packets == 0) return;
    if (--own->packets == 0) ++version_;
}

void NocOrder::answered(const NocRequest& request, std::uint32_t first, std::uint32_t bytes, const SharedNocKnowledge& known) {
    Own* own = find(request);
    if (known && bytes && is_flag(bytes)) {
        raise_flag(first, bytes, known);
        // The result of an atomic announces no page.
        if (own && own->kind == Kind::read) ++flags_raised_;
    }
    if (!own || own->answers == 0) return;
    if (--own->answers == 0) ++version_;
}

void NocOrder::core_learns(unsigned core, std::uint32_t pc, const SharedNocKnowledge& what, CoreClocks& cores) {
    auto& history = known_[core];
    SharedNocKnowledge all = history.empty() ? nullptr : history.back().known;
    const bool is_news = learn(all, passed_on(what));
    if (!is_news && !(what && what->has_arrived())) return;
    const std::uint32_t number = cores.count_access(core, pc);
    if (is_news) history.push_back({number, all});
    if (history.size() > most_known) {
        history.pop_front();
        history.front().from = 1;
    }
    for (Range& range : ranges_)
        if (!range.learned[core] && range.is_over(*what)) range.learned[core] = number;
}

void NocOrder::sign_seen(unsigned core, std::uint32_t pc, unsigned noc, Sign sign, unsigned transaction,
                         CoreClocks& cores) {
    const unsigned place = (noc * signs + static_cast<unsigned>(sign)) * transactions + transaction;
    if (std::exchange(looked_[core][place], version_) == version_) return;
    const auto counts = [&](const Own& own) { return own.by.request.noc == noc && own.fits(sign, transaction); };
    is_of_sending(sign) ? sending_seen(core, pc, sign, counts, cores) : ends_seen(core, pc, noc, sign, counts, cores);
}

template <class Counts>
void NocOrder::sending_seen(unsigned core, std::uint32_t pc, Sign sign, Counts&& counts, CoreClocks& cores) {
    std::uint32_t number = 0;
    for (Own& own : own_) {
        if (!counts(own)) continue;
        if (!own.is_over(sign)) break;
        if (own.sent_known >> core & 1) continue;
        own.sent_known = static_cast<std::uint8_t>(own.sent_known | 1u << core);
        if (!number) number = cores.count_access(core, pc);
        for (Range& range : ranges_)
            if (range.by.request == own.by.request && !range.learned[core]) range.learned[core] = number;
    }
}

template <class Counts>
void NocOrder::ends_seen(unsigned core, std::uint32_t pc, unsigned noc, Sign sign, Counts&& counts, CoreClocks& cores) {
    const auto goes_on = [&](const Own& own) { return counts(own) && !own.is_over(sign) && !own.broadcast; };
    if (sign != Sign::returned && std::any_of(own_.rbegin(), own_.rend(), goes_on)) return;
    RequestSet news;
    bool is_news = false;
    for (Own& own : own_) {
        if (own.end_known >> core & 1 || !counts(own) || !own.is_over(sign)) continue;
        own.end_known = static_cast<std::uint8_t>(own.end_known | 1u << core);
        news.add(own.by.request.number);
        is_news = true;
    }
    if (!is_news) return;
    auto learned = std::make_shared<NocKnowledge>();
    news.add_up_to(forgotten_[noc]);
    learned->change(tile_, [&](TileKnowledge& own) { own.complete[noc] = std::move(news); });
    core_learns(core, pc, learned, cores);
}

void NocOrder::raise_flag(std::uint32_t first, std::uint32_t bytes, const SharedNocKnowledge& known) {
    for (std::uint32_t word = first & ~3u; word < first + bytes; word += 4) {
        mark(word, word);  // it lies in one block
        flags_[word].release(known);
    }
}

void NocOrder::stream_written(std::uint32_t word, const SharedNocKnowledge& known) {
    if (!known) return;
    flags_[word].release(known);
    ++flags_raised_;
}

void NocOrder::arrived(const Arrival& what) {
    if (is_flag(what.bytes)) {
        if (!what.write || !what.known) return;
        raise_flag(what.first, what.bytes, what.known);
        ++flags_raised_;
        return;
    }
    const VectorClock* clock = what.known ? what.known->clock_of(tile_) : nullptr;
    const NocUse use = what.write ? NocUse::arrives : NocUse::is_read;
    Range range{what.first, what.first + what.bytes - 1, use, what.by, {}};
    if (what.broadcast) range.is_expected = is_in_use(range);
    add(range, clock, what.known.get());
}

SharedNocKnowledge NocOrder::read_away(std::uint32_t first, std::uint32_t bytes, const VectorClock* clock) const {
    SharedNocKnowledge all;
    for (std::uint32_t word = first & ~3u; word < first + bytes; word += 4)
        if (const auto flag = flags_.find(word); flag != flags_.end()) learn(all, passed_on(flag->second.known()));
    if (!clock) return all;
    auto own = std::make_shared<NocKnowledge>();
    own->change(tile_, [&](TileKnowledge& tile) { tile.clock = std::make_shared<VectorClock>(*clock); });
    learn(all, known(*clock));
    learn(all, own);
    return all;
}

void NocOrder::load_flags(unsigned core, std::uint32_t pc, std::uint32_t first, std::uint32_t bytes, CoreClocks& cores) {
    for (std::uint32_t word = first & ~3u; word < first + bytes; word += 4) {
        const auto flag = flags_.find(word);
        if (flag != flags_.end() && flag->second.has_news_for(core)) core_learns(core, pc, flag->second.known(), cores);
    }
}

}  // namespace tessera::hazards
