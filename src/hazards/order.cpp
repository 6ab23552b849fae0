// SPDX-License-Identifier: Apache-2.0
#include "hazards/order.hpp"

namespace tessera::hazards {

using plan::Pipe;

Ticket Order::issue(unsigned thread, plan::PipeMask pipes, std::int64_t index, bool counts) {
    Ticket ticket;
    ticket.thread = thread;
    ticket.index = index;
    ticket.pipes = pipes;
    if (!is_on_) return ticket;
    ticket.sequence = known_[thread].issued()[thread] = ++sequences_[thread];
    ticket.serial = serials_[thread] += counts;
    unsigned at = 0;
    plan::for_each_pipe(pipes, [&](unsigned pipe) { ticket.number[at++] = ++issued_[stream_of(thread, Pipe(pipe))]; });
    return ticket;
}

// All but those that store a word wait until the mover is idle (TDMA-RISC, Functional specification).
ClockedTicket Order::command(std::optional<unsigned> core, unsigned thread, std::int64_t index, bool stores_flag) {
    ClockedTicket ticket;
    ticket.thread = thread;
    ticket.index = index;
    ticket.pipes = bit(Pipe::mover);
    ticket.commander = static_cast<std::int8_t>(core.value_or(by_request));
    ticket.stores_flag = stores_flag;
    if (!is_on_) return ticket;
    ticket.sequence = ++sequences_[thread];
    ticket.number[0] = ++issued_[ticket.stream()];
    if (!core) return ticket;
    if (disregards_.allow_core(Ordering::push, *core))
        ticket.known = cores_.known(*core);
    else
        ticket.known.accesses()[*core] = cores_.known(*core).accesses()[*core];
    if (!stores_flag) commands_done_[*core] = ticket.number[0] - 1;
    if (disregards_.allow_core(Ordering::unit_order, *core))
        raise(ticket.known.done()[ticket.stream()], commands_done_[*core]);
    return ticket;
}

std::vector<Conflict> Order::check_accesses(const Ticket& ticket, const VectorClock& known,
                                            std::span<const plan::Access> accesses, bool exact, bool atomic) {
    if (brief_.lacks(ticket, known)) {
        // Of vector instructions, SFPLOAD needs a distance; behind that, the thread knows.
        if (brief_.are_far_enough(ticket)) known_[ticket.thread] = handed_on_by(ticket.thread);
        if (!(ticket.pipes & bit(Pipe::vector)))
            return check_accesses(ticket, brief_.with(ticket.thread, known), accesses, exact, atomic);
    }
    const bool meets_cores = watches_cores_ && exact && ticket.pipe() != Pipe::scalar && !ticket.stores_flag;
    if (watches_cores_) l1_words_.issued(ticket);
    Conflicts conflicts;
    const auto check = [&](const Requester& now, const plan::Access& access) {
        switch (access.storage) {
            case plan::Storage::dst:
            case plan::Storage::dst_valid: dst_.check(now, access, cores_, conflicts); break;
            case plan::Storage::l1:
                l1_.check(now, access, atomic, conflicts);
                if (meets_cores) l1_words_.check(now, access, cores_, conflicts);
                if (meets_cores && noc_.meets(access.first, access.count))
                    if (const auto met = noc_.conflict(access.first, access.count, access.write, known)) conflicts.add_beside(*met);
                break;
            case plan::Storage::src_a:
            case plan::Storage::src_b: source_banks_.check(now, access, conflicts); break;
            default: break;
        }
    };
    const Requester first(ticket, known, disregards_);
    for (const auto& access : accesses) {
        // A bound reaches into what the instruction's other pipes access.
        if (!access.part || !exact) {
            check(first, access);
        } else {
            const Ticket part = ticket.in(access.part);
            check({part, known, disregards_}, access);
        }
    }
    return conflicts.take();
}

void Order::bank_seen(unsigned thread, state::Src src, unsigned bank) {
    if (!disregards_.allow(Ordering::bank, thread, static_cast<unsigned>(src))) return;
    const unsigned which = bank_number(src, bank);
    if (banks_seen_[thread][which] == bank_versions_[which]) return;
    banks_seen_[thread][which] = bank_versions_[which];
    known_[thread].join(banks_[which]);
}

void Order::take_bank(ClockedTicket& ticket, state::Src src, unsigned bank) {
    if (!disregards_.allow(Ordering::bank, ticket.thread, static_cast<unsigned>(src))) return;
    ticket.known.join(banks_[bank_number(src, bank)]);
    ticket.learned = true;
    inherited_[ticket.stream()].release(ticket.known);
}

void Order::give_bank(const ClockedTicket& ticket, state::Src src, unsigned bank) {
    if (!is_on_) return;
    const unsigned which = bank_number(src, bank);
    ++bank_versions_[which];
    VectorClock& given = banks_[which];
    given.join(ticket.known);
    raise(given.done()[ticket.stream()], ticket.number[0]);
    if (ticket.pipe() != Pipe::matrix) source_banks_.hand_over(which, ticket);
}

void Order::bank_flips(const Ticket& ticket, state::Src src) {
    flips_[ticket.thread][static_cast<unsigned>(src)] = ticket.number[0];
}

void Order::bank_valid_seen(unsigned thread, state::Src src, unsigned bank) {
    const auto which = static_cast<unsigned>(src);
    vain_waits_[thread][which] = bank_may_flip(thread, src) ? flips_[thread][which] : 0;
    if (!vain_waits_[thread][which]) bank_seen(thread, src, bank);
}

void Order::reaches_blocked(unsigned thread) {
    const ForBlocked& later = for_blocked_[thread];
    known_[thread].join(later.known);
    for (unsigned i = 0; i < later.banks_seen.size(); ++i) raise(banks_seen_[thread][i], later.banks_seen[i]);
}

void Order::idle_seen(unsigned thread, plan::PipeMask pipes) {
    if (disregards_.allow(Ordering::unit_wait, thread)) done_seen(thread, pipes);
}

void Order::done_seen(unsigned thread, plan::PipeMask pipes) {
    plan::for_each_pipe(pipes, [&](unsigned pipe) {
        const unsigned stream = stream_of(thread, Pipe(pipe));
        raise(known_[thread].done()[stream], issued_[stream]);
        acquire(thread, inherited_[stream]);
    });
}

void Order::mover_idle_seen(unsigned thread) {
    if (disregards_.allow(Ordering::unit_wait, thread)) mover_done(known_[thread]);
}

// The signal is that of a STALLWAIT for the mover.
void Order::core_saw_mover_idle(unsigned core) {
    if (!disregards_.allow_core(Ordering::word, core)) return;
    VectorClock idle{};
    mover_done(idle);
    cores_.learn(core, idle);
}

void Order::mover_done(VectorClock& clock) const {
    const auto done = [&](unsigned stream) { clock.done()[stream] = issued_[stream]; };
    for (unsigned thread = 0; thread < state::threads; ++thread) done(stream_of(thread, Pipe::mover));
    for (unsigned stream = first_command_stream; stream < streams; ++stream) done(stream);
}

void Order::semaphore_seen(unsigned thread, unsigned semaphore, const SemaphoreWait& wait) {
    if (!disregards_.allow(Ordering::semaphore, thread, semaphore)) return;
    const VectorClock *const post = tokens_[semaphore].post(wait), *const place = tokens_[semaphore].place(wait);
    const bool proves =
        (wait.non_zero || wait.below_maximum) && (!wait.non_zero || post) && (!wait.below_maximum || place);
    if (!proves) return acquire(thread, semaphores_[semaphore]);
    for (const VectorClock* const learned : {post, place})
        if (learned) known_[thread].join(*learned);
}

void Order::core_saw_semaphore(unsigned core, unsigned semaphore) {
    if (!disregards_.allow_core(Ordering::semaphore, core, semaphore)) return;
    Channel& channel = semaphores_[semaphore];
    if (!channel.has_news_for(state::threads + core)) return;
    for (unsigned thread = 0; thread < state::threads; ++thread)
        if (core == core_of_thread(thread)) raise(core_expanded_[thread], channel.known().expanded()[thread]);
    cores_.learn(core, channel.known());
}

void Order::mutex_taken(unsigned thread, unsigned mutex) {
    if (disregards_.allow(Ordering::mutex, thread, mutex)) acquire(thread, mutexes_[mutex]);
}

void Order::core_acquires_word(unsigned core, std::uint32_t word) {
    if (!disregards_.allow_core(Ordering::word, core)) return;
    if (Channel& channel = words_[word]; channel.has_news_for(state::threads + core))
        cores_.learn(core, channel.known());
}

void Order::drained(unsigned core, unsigned thread) {
    if (!disregards_.allow_core(Ordering::drain, core)) return;
    done_seen(thread, static_cast<plan::PipeMask>((1u << plan::pipes) - 1));
    cores_.learn(core, known_[thread]);
    core_expanded_[thread] = mops_pushed_[thread];
}

void Order::leaves_reset(unsigned core, VectorClock known) {
    if (!is_on_) return;
    for (unsigned thread = 0; thread < state::threads; ++thread) {
        known.short_issued()[thread] = sequences_[thread];
        plan::for_each_pipe(VectorClock::short_pipes, [&](unsigned pipe) {
            const unsigned stream = stream_of(thread, Pipe(pipe));
            known.done()[stream] = issued_[stream];
        });
    }
    cores_.learn(core, known);
}

// Longer writes are data, not flags, and release nothing.
void Order::host_wrote(std::uint32_t address, std::uint32_t bytes) {
    constexpr std::uint32_t most_told = 64;
    if (watches_cores_ && bytes <= most_told) l1_words_.flag_written(address, bytes, host_);
}

void Order::core_stores(state::Cell cell, CellStores::Store store) {
    if (!is_on_) return;
    const unsigned thread = store.core;
    store.number = ++issued_[core_stream(thread)];
    store.access = cores_.count_store(core_of_thread(thread));
    stores_.add(cell, store, known_[thread], for_blocked_[thread].known);
}

void Order::stores_seen(unsigned thread, std::int64_t index) {
    if (disregards_.allow(Ordering::store_wait, thread))
        raise(known_[thread].done()[core_stream(thread)], stores_.await(thread, index));
}

void Order::resources_passed(unsigned thread, state::Resources resources, std::int64_t index) {
    if (!disregards_.allow(Ordering::auto_sync, thread)) return;
    if (!stores_.passed(thread, resources, index)) return;
    known_[thread].done()[core_stream(thread)] = issued_[core_stream(thread)];
    stores_.over(thread);
}

void Order::core_read_back(unsigned thread, CoreRegion region, std::int64_t index) {
    if (disregards_.allow(Ordering::read_back, thread)) stores_.read_back(thread, region, index);
}

void Order::mark_flags(const ClockedTicket& ticket, std::span<const plan::Access> accesses) {
    if (!watches_cores_) return;
    const bool hears = disregards_.allow(Ordering::word, ticket.thread);
    for (const auto& access : accesses) {
        if (access.storage != plan::Storage::l1) continue;
        if (access.write)
            l1_words_.flag_written(access.first, access.count, ticket.known);
        else
            l1_words_.flag_read(access, hears, cores_, known_[ticket.thread]);
    }
}

std::optional<Conflict> Order::core_loads(unsigned core, std::uint32_t address, std::uint32_t bytes, std::uint32_t pc) {
    const bool hears = disregards_.allow_core(Ordering::word, core);
    const bool meets_noc = noc_.meets(address, bytes);
    if (meets_noc && hears) noc_.load_flags(core, pc, address, bytes, cores_);
    const auto met = l1_words_.access(core, address, bytes, false, pc, hears, cores_);
    if (met || !meets_noc) return met;
    return noc_.conflict(address, bytes, false, cores_.known(core));
}

std::optional<Conflict> Order::core_stores(unsigned core, std::uint32_t address, std::uint32_t bytes, std::uint32_t pc) {
    const auto met = l1_words_.access(core, address, bytes, true, pc, false, cores_);
    if (met || !noc_.meets(address, bytes)) return met;
    return noc_.conflict(address, bytes, true, cores_.known(core));
}

Order::AskedNoc Order::noc_asked(const NocOrder::Asked& what) {
    if (!watches_cores_) return {};
    AskedNoc asked;
    const unsigned core = what.by.core;
    const bool write = what.kind == NocOrder::Kind::read;
    if (what.bytes)
        asked.conflict = l1_words_.access(core, what.first, what.bytes, write, what.by.pc,
                                          disregards_.allow_core(Ordering::word, core), cores_);
    const VectorClock& clock = cores_.known(core);
    const SharedNocKnowledge known = noc_.known(clock);
    if (what.bytes && !asked.conflict && noc_.meets(what.first, what.bytes))
        asked.conflict = noc_.conflict(what.first, what.bytes, write, clock, known.get());
    asked.carried = noc_.asked(what, clock, known);
    return asked;
}

std::optional<Conflict> Order::noc_arrived(const NocOrder::Arrival& what) {
    if (!watches_cores_) return std::nullopt;
    std::optional<Conflict> met;
    if (is_flag(what.bytes)) {
        if (what.write) host_wrote(what.first, what.bytes);
    } else {
        const VectorClock nothing{};
        const VectorClock* known = what.known ? what.known->clock_of(noc_.tile()) : nullptr;
        if (!known) known = &nothing;
        met = l1_words_.met_from_outside(*known, what.first, what.bytes, what.write, cores_);
        if (noc_.meets(what.first, what.bytes)) {
            if (what.write && !met) met = noc_.unread(what);
            const auto other = noc_.conflict(what.first, what.bytes, what.write, *known, what.known.get(),
                                             what.write ? &what.by.request : nullptr);
            if (!met) met = other;
        }
    }
    noc_.arrived(what);
    return met;
}

void Order::noc_wrote_stream(std::uint32_t word, const SharedNocKnowledge& known) {
    if (watches_cores_) noc_.stream_written(word, known);
}

SharedNocKnowledge Order::noc_stream_read_away(std::uint32_t word) {
    return watches_cores_ ? noc_.read_away(word, 4, &words_[word].known()) : nullptr;
}

void Order::core_loads_stream(unsigned core, std::uint32_t pc, std::uint32_t word) {
    if (disregards_.allow_core(Ordering::word, core)) noc_.load_flags(core, pc, word, 4, cores_);
}

SharedNocKnowledge Order::noc_read_away(const NocOrder::Arrival& what) {
    if (!watches_cores_ || !is_flag(what.bytes)) return nullptr;
    const auto core = l1_words_.writer(what.first);
    return noc_.read_away(what.first, what.bytes, core ? &cores_.known(*core) : nullptr);
}

}  // namespace tessera::hazards
