// SPDX-License-Identifier: Apache-2.0
#include "engine/order.hpp"

#include <algorithm>
#include <bit>

namespace tessera::engine {

namespace {

using plan::Pipe;

constexpr std::size_t remembered_spans = 64;  // of L1 per stream; older ones are forgotten

bool is_packer(Pipe pipe) { return pipe >= Pipe::packer0 && pipe <= Pipe::packer3; }

// The unpackers' side of a source bank, and that of the matrix unit.
bool is_matrix_side(Pipe pipe) { return pipe == Pipe::matrix; }

// Readers of a block of Dst are kept apart per thread and per unit.
unsigned reader_slot(unsigned thread, Pipe pipe) {
    const unsigned kind = pipe == Pipe::matrix ? 0
                          : pipe == Pipe::vector
                              ? 1
                              : 2 + (static_cast<unsigned>(pipe) - static_cast<unsigned>(Pipe::packer0)) % 4;
    return thread * 6 + kind;
}

}  // namespace

namespace {

// Of memory that does not overlap, and whole vectors of it: so that the compiler takes several at once.
template <std::size_t N>
std::uint32_t raise_to(std::uint32_t* __restrict mine, const std::uint32_t* __restrict theirs) {
    std::uint32_t news = 0;
    for (std::size_t i = 0; i < N; ++i) {
        const std::uint32_t most = std::max(mine[i], theirs[i]);
        news |= most ^ mine[i];
        mine[i] = most;
    }
    return news;
}

}  // namespace

bool Knowledge::join(const Knowledge& other) {
    return this != &other && raise_to<count>(numbers_.data(), other.numbers_.data()) != 0;
}

Ticket Order::issue(unsigned thread, plan::PipeMask pipes, std::int64_t index, bool counts) {
    Ticket ticket;
    ticket.thread = thread;
    ticket.index = index;
    ticket.serial = serials_[thread] += counts;
    ticket.pipes = pipes;
    unsigned at = 0;
    for (unsigned rest = pipes; rest; rest &= rest - 1) {
        ticket.number[at++] = count_in(thread, stream_of(thread, Pipe(std::countr_zero(rest))));
    }
    return ticket;
}

void Order::bank_seen(unsigned thread, state::Src src, unsigned bank) {
    if (!disregards_.allow(Ordering::bank, thread, static_cast<unsigned>(src))) return;
    const unsigned which = static_cast<unsigned>(src) * 2 + bank;
    if (banks_seen_[thread][which] == bank_versions_[which]) return;
    banks_seen_[thread][which] = bank_versions_[which];
    known_[thread].join(banks_[which]);
}

void Order::take_bank(KnowingTicket& ticket, state::Src src, unsigned bank) {
    if (!disregards_.allow(Ordering::bank, ticket.thread, static_cast<unsigned>(src))) return;
    ticket.known.join(banks_[static_cast<unsigned>(src) * 2 + bank]);
    ticket.learned = true;
    inherited_[stream_of(ticket.thread, ticket.pipe())].join(ticket.known);
}

void Order::give_bank(const KnowingTicket& ticket, state::Src src, unsigned bank) {
    const unsigned which = static_cast<unsigned>(src) * 2 + bank;
    ++bank_versions_[which];
    Knowledge& given = banks_[which];
    given.join(ticket.known);
    const unsigned stream = stream_of(ticket.thread, ticket.pipe());
    given.done()[stream] = std::max(given.done()[stream], ticket.number[0]);
}

void Order::bank_flips(const Ticket& ticket, state::Src src) {
    flips_[ticket.thread][static_cast<unsigned>(src)] = ticket.number[0];
}

void Order::bank_valid_seen(unsigned thread, state::Src src, unsigned bank) {
    if (!bank_may_flip(thread, src)) bank_seen(thread, src, bank);
}

void Order::idle_seen(unsigned thread, plan::PipeMask pipes) {
    if (disregards_.allow(Ordering::unit_wait, thread)) done_seen(thread, pipes);
}

void Order::done_seen(unsigned thread, plan::PipeMask pipes) {
    for (unsigned p = 0; p < plan::pipes; ++p) {
        if (!(pipes >> p & 1)) continue;
        const unsigned stream = stream_of(thread, Pipe(p));
        known_[thread].done()[stream] = issued_[stream];
        known_[thread].join(inherited_[stream]);
    }
}

void Order::mover_idle_seen(unsigned thread) {
    if (!disregards_.allow(Ordering::unit_wait, thread)) return;
    for (unsigned other = 0; other < state::threads; ++other) {
        const unsigned stream = stream_of(other, Pipe::mover);
        known_[thread].done()[stream] = issued_[stream];
    }
}

void Order::semaphore_changed(unsigned thread, unsigned semaphore) { semaphores_[semaphore].join(known_[thread]); }
void Order::semaphore_seen(unsigned thread, unsigned semaphore) {
    if (disregards_.allow(Ordering::semaphore, thread, semaphore)) known_[thread].join(semaphores_[semaphore]);
}
void Order::core_changes_semaphore(unsigned core, unsigned semaphore) { semaphores_[semaphore].join(cores_[core]); }
void Order::mutex_released(unsigned thread, unsigned mutex) { mutexes_[mutex].join(known_[thread]); }
void Order::mutex_taken(unsigned thread, unsigned mutex) {
    if (disregards_.allow(Ordering::mutex, thread, mutex)) known_[thread].join(mutexes_[mutex]);
}

void Order::core_stores(unsigned thread, state::Cell cell, std::int64_t index, std::uint32_t changes,
                        state::Resources resources, std::uint32_t value, Cycle now) {
    if (state::index(cell) >= stores_.size()) stores_.resize(state::index(cell) + std::size_t{1});
    Store& store = stores_[state::index(cell)];
    if (store.number && known_[thread].done()[core_stream(store.core)] < store.number) changes |= store.changes;
    store = {++issued_[core_stream(thread)], static_cast<std::uint8_t>(thread), index, changes, resources, 0, value, now};
    store.of_all = stores();
    cores_[core_of_thread(thread)].issued()[core_stream(thread)] = store.number;
    last_store_index_[thread] = index;
    last_stored_[stores() % last_stored_.size()] = cell;
    stored_[thread] |= resources;
    stored_untracked_[thread] |= resources == 0;
}

void Order::stores_seen(unsigned thread) {
    if (disregards_.allow(Ordering::store_wait, thread)) stores_over(thread);
}

void Order::stores_over(unsigned thread) {
    known_[thread].done()[core_stream(thread)] = issued_[core_stream(thread)];
    stored_[thread] = 0;
    stored_untracked_[thread] = false;
}

void Order::resources_passed(unsigned thread, state::Resources resources, std::int64_t index) {
    if (!disregards_.allow(Ordering::auto_sync, thread)) return;
    for (unsigned i = 0; i < passed_[thread].size(); ++i)
        if (resources >> i & 1) passed_[thread][i] = index;
    const bool all = !stored_untracked_[thread] && !(stored_[thread] & ~resources);
    if (all && last_store_index_[thread] < index) stores_over(thread);
}

bool Order::kept_in_order(const Store& store) const {
    for (unsigned i = 0; i < passed_[store.core].size(); ++i)
        if (store.resources >> i & 1 && passed_[store.core][i] > store.index) return true;
    return false;
}

void Order::core_read_back(unsigned thread, CoreRegion region, std::int64_t index) {
    if (!disregards_.allow(Ordering::read_back, thread)) return;
    // Instructions in front of the gate are fewer, and a forgotten entry can only make a finding, not hide one.
    constexpr std::size_t most = 64;
    auto& known = read_backs_[thread][static_cast<std::size_t>(region)];
    const std::uint32_t number = issued_[core_stream(thread)];
    if (!known.empty() && known.back().number == number) return;
    if (known.size() == most) known.erase(known.begin());
    known.push_back({index, number});
}

bool Order::read_back_before(const Store& store, state::Cell cell, std::int64_t index) const {
    const auto region = state::cells::gpr_block.contains(cell) ? CoreRegion::gprs : CoreRegion::config;
    const auto& known = read_backs_[store.core][static_cast<std::size_t>(region)];
    return std::any_of(known.begin(), known.end(),
                       [&](const ReadBack& each) { return each.number >= store.number && each.from <= index; });
}

void Order::drained(unsigned core, unsigned thread) {
    if (!disregards_.allow_core(Ordering::drain, core)) return;
    done_seen(thread, static_cast<plan::PipeMask>((1u << plan::pipes) - 1));
    core_learns(core, known_[thread]);
    if (core == core_of_thread(thread)) core_expanded_[thread] = mops_pushed_[thread];
}

void Order::core_saw_semaphore(unsigned core, unsigned semaphore) {
    if (!disregards_.allow_core(Ordering::semaphore, core, semaphore)) return;
    for (unsigned thread = 0; thread < state::threads; ++thread)
        if (core == core_of_thread(thread))
            core_expanded_[thread] = std::max(core_expanded_[thread], semaphores_[semaphore].expanded()[thread]);
    core_learns(core, semaphores_[semaphore]);
}

void Order::core_heard(unsigned core, std::uint32_t word) {
    if (!disregards_.allow_core(Ordering::word, core)) return;
    if (const auto known = words_.find(word); known != words_.end()) core_learns(core, known->second);
}

void Order::core_starts(unsigned core, unsigned by) { leaves_reset(core, cores_[by]); }
void Order::host_starts(unsigned core) { leaves_reset(core, host_); }

void Order::leaves_reset(unsigned core, Knowledge known) {
    constexpr Pipe short_ones[] = {Pipe::sync, Pipe::config, Pipe::misc, Pipe::matrix, Pipe::vector};
    for (unsigned thread = 0; thread < state::threads; ++thread)
        for (const Pipe pipe : short_ones) {
            const unsigned stream = stream_of(thread, pipe);
            known.issued()[stream] = known.done()[stream] = issued_[stream];
        }
    core_learns(core, known);
}

void Order::core_learns(unsigned core, const Knowledge& what) { versions_[core] += cores_[core].join(what); }

// What its own core did before, the thread knows in any case, so that this need not be handed on with every instruction.
void Order::core_pushes(unsigned core, unsigned thread, std::int64_t index) {
    std::uint32_t& handed = handed_versions_[core][thread];
    if (core == core_of_thread(thread) && handed == versions_[core]) return;
    handed = versions_[core];
    handed_[thread].push_back({index, cores_[core]});
}

void Order::take_handed(unsigned thread, std::int64_t index) {
    auto& handed = handed_[thread];
    for (; !handed.empty() && handed.front().index <= index; handed.pop_front())
        if (disregards_.allow(Ordering::push, thread)) known_[thread].join(handed.front().known);
}

std::optional<Order::StoreConflict> Order::check_capture(unsigned thread, std::int64_t index,
                                                         const plan::CellBits& captured,
                                                         const std::optional<Replacement>& replaced) const {
    if (captured.cell >= stores_.size()) return std::nullopt;
    const Store& store = stores_[captured.cell];
    const plan::CellBits bits{captured.cell, replaced ? (store.value ^ replaced->value) & replaced->mask
                                                      : store.changes & captured.mask};
    if (!store.number || !bits.mask) return std::nullopt;
    const bool own = store.core == thread, overtaken = own && store.index > index;
    const unsigned stream = core_stream(store.core);
    if (!overtaken) {
        if (known_[thread].done()[stream] >= store.number) return std::nullopt;
        if (own && (kept_in_order(store) || read_back_before(store, state::Cell(captured.cell), index)))
            return std::nullopt;
    }
    return StoreConflict{store.core, overtaken, store.index, store.of_all, store.at, bits};
}

// One unit works in the order of issue. Hardware holds a matrix instruction's block of Dst back from the matrix unit and
// the packers (`guarded`), so that for them, too, the order of issue is enough.
bool Order::found_ordered(const Past& past, const Asker& now, bool guarded) const {
    const Ticket& ticket = now.ticket;
    const auto found = [&](bool is) {
        if (is && !ticket.learned) past.before |= std::uint64_t{1} << now.stream;
        return is;
    };
    const Pipe before = pipe_of_stream(past.stream), after = pipe_of_stream(now.stream);
    guarded = guarded && disregards_.allow(Ordering::dst_block, ticket.thread);
    if ((before == after && now.unit_orders) || guarded) return found(now.known.issued()[past.stream] >= past.number);
    // Three instructions between a matrix instruction and SFPLOAD are enough (SFPLOAD, Instruction scheduling).
    if (before == Pipe::matrix && after == Pipe::vector && thread_of_stream(past.stream) == ticket.thread &&
        ticket.serial - past.serial > 3 && disregards_.allow(Ordering::distance, ticket.thread))
        return found(true);
    return found(now.known.done()[past.stream] >= past.number);
}

void Order::check_bank(const Asker& now, const Past& self, const plan::Access& access,
                       std::vector<Conflict>& conflicts) {
    constexpr std::uint32_t bank_datums = state::SrcBank::rows * state::columns;
    const unsigned source = access.storage == plan::Storage::src_b, side = is_matrix_side(pipe_of_stream(now.stream));
    for (unsigned bank = access.first / bank_datums; bank <= (access.first + access.count - 1) / bank_datums; ++bank) {
        Bank& past = source_banks_[source * 2 + bank];
        const Past& write = past.writes[!side];
        const Past& read = past.reads[!side];
        if (!ordered(write, now, false))
            tell_bank(access, bank, write, conflicts);
        else if (access.write && !ordered(read, now, false))
            tell_bank(access, bank, read, conflicts);
        (access.write ? past.writes : past.reads)[side] = self;
    }
}

void Order::tell_bank(const plan::Access& access, unsigned bank, const Past& other,
                      std::vector<Conflict>& conflicts) const {
    const bool told = std::any_of(conflicts.begin(), conflicts.end(),
                                  [&](const Conflict& each) { return each.storage == access.storage; });
    if (told) return;
    conflicts.push_back(
        {access.storage, bank, bank, thread_of_stream(other.stream), pipe_of_stream(other.stream), other.index});
}

void Order::check_accesses(const Ticket& ticket, const Knowledge& known, std::span<const plan::Access> accesses,
                           bool exact, bool atomic, std::vector<Conflict>& conflicts) {
    const Pipe pipe = ticket.pipe();
    const unsigned stream = stream_of(ticket.thread, pipe);
    const Asker now{ticket, known, stream, disregards_.allow(Ordering::unit_order, ticket.thread)};
    const Past self{ticket.number[0], static_cast<std::uint16_t>(stream), ticket.serial, ticket.index};
    const bool reads_guarded = pipe == Pipe::matrix || is_packer(pipe);
    bool told_dst = false, told_l1 = false;
    auto tell = [&](bool& told, plan::Storage storage, std::uint32_t first, std::uint32_t last, const Past& other) {
        if (told) return;
        told = true;
        conflicts.push_back(
            {storage, first, last, thread_of_stream(other.stream), pipe_of_stream(other.stream), other.index});
    };
    if (watches_cores_) indices_[stream].add(self.number, ticket.index);

    for (const auto& access : accesses) {
        if (access.storage == plan::Storage::dst || access.storage == plan::Storage::dst_valid) {
            const unsigned per_row = access.storage == plan::Storage::dst ? state::columns : 1;
            const unsigned first_row = access.first / per_row, last_row = (access.first + access.count - 1) / per_row;
            for (unsigned b = first_row / 8; b <= last_row / 8; ++b) {
                Block& block = block_of_dst(b);
                const bool guarded = reads_guarded && pipe_of_stream(block.write.stream) == Pipe::matrix;
                if (block.write.number != self.number || block.write.stream != self.stream)
                    if (!ordered(block.write, now, guarded))
                        tell(told_dst, plan::Storage::dst, first_row, last_row, block.write);
                if (watches_cores_ && !told_dst)
                    if (const auto core = unordered_core(block.cores, ticket, known, access.write)) {
                        told_dst = true;
                        conflicts.push_back(
                            conflict_with_core(plan::Storage::dst, first_row, last_row, core->first, core->second));
                    }
                if (!access.write) {
                    const unsigned slot = reader_slot(ticket.thread, ticket.pipe());
                    block.reads[slot] = self;
                    block.readers |= 1u << slot;
                    continue;
                }
                for (std::uint32_t readers = block.readers; readers; readers &= readers - 1) {
                    const Past& read = block.reads[static_cast<unsigned>(std::countr_zero(readers))];
                    if (!ordered(read, now, false)) tell(told_dst, plan::Storage::dst, first_row, last_row, read);
                }
                block.write = self;
            }
        } else if (access.storage == plan::Storage::l1) {
            const std::uint32_t first = access.first, last = access.first + access.count - 1;
            for (std::uint64_t rest = l1_streams_; rest; rest &= rest - 1) {
                const auto s = static_cast<unsigned>(std::countr_zero(rest));
                if (ordered(l1_last_[s], now, false)) continue;
                for (const Span& span : l1_[s]) {
                    if (span.last < first || span.first > last || !(span.write || access.write)) continue;
                    if (span.atomic && atomic) continue;
                    if (!ordered(span.who, now, false)) tell(told_l1, plan::Storage::l1, first, last, span.who);
                }
            }
            l1_last_[stream] = self;
            l1_streams_ |= std::uint64_t{1} << stream;
            auto& spans = l1_[stream];
            if (spans.size() < remembered_spans)
                spans.push_back({first, last, access.write, atomic, self});
            else
                spans[l1_next_[stream]++ % remembered_spans] = {first, last, access.write, atomic, self};
            if (watches_cores_ && exact && ticket.pipe() != Pipe::scalar)
                check_core_words(ticket, known, first, last, access.write, conflicts);
        } else if (access.storage == plan::Storage::src_a || access.storage == plan::Storage::src_b) {
            check_bank(now, self, access, conflicts);
        }
    }
}

}  // namespace tessera::engine
