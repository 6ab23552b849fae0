// SPDX-License-Identifier: Apache-2.0
// Happens-before between threads, cores and the host. Each thread's vector clock says how far every stream of work
// (one per thread and pipe, one per core's stores) has been issued and completed. It grows by the thread's own
// program, STALLWAITs, semaphores, mutexes and hand-overs of banks. Two accesses to one place, at least one of them a
// write, are a hazard unless one happens before the other. The timing of the run does not matter.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hazards/brief_instructions.hpp"
#include "hazards/cell_stores.hpp"
#include "hazards/core_accesses.hpp"
#include "hazards/core_clocks.hpp"
#include "hazards/disregards.hpp"
#include "hazards/dst_blocks.hpp"
#include "hazards/flag.hpp"
#include "hazards/l1_spans.hpp"
#include "hazards/noc_order.hpp"
#include "hazards/past.hpp"
#include "hazards/pushed_clocks.hpp"
#include "hazards/semaphore_tokens.hpp"
#include "hazards/source_banks.hpp"
#include "hazards/vector_clock.hpp"
#include "plan/plan.hpp"
#include "state/resources.hpp"

namespace tessera::hazards {

class Order {
public:
    /// From now on these orderings add nothing to any vector clock.
    void disregard(std::vector<Disregarded> what) { disregards_ = Disregards(std::move(what)); }
    const Disregards& disregards() const { return disregards_; }
    /// From now on nothing is recorded and no conflict is found.
    void turn_off() {
        is_on_ = watches_cores_ = false;
        disregards_ = Disregards::everything();
    }
    bool is_on() const { return is_on_; }

    const VectorClock& known(unsigned thread) const { return known_[thread]; }
    const VectorClock& core_known(unsigned core) const { return cores_.known(core); }
    /// The number that the stream's next instruction gets.
    std::uint32_t next_number(unsigned stream) const { return issued_[stream] + 1; }
    std::uint32_t next_sequence(unsigned thread) const { return sequences_[thread] + 1; }

    // Instructions.

    /// A thread's instruction is issued. `counts`: it counts towards the distance between instructions
    /// (Ticket::serial).
    Ticket issue(unsigned thread, plan::PipeMask pipes, std::int64_t index, bool counts = true);
    /// The same for instructions in one pipe whose accesses are never checked.
    void issue(unsigned thread, plan::Pipe pipe, std::uint32_t instructions = 1) {
        if (!is_on_) return;
        serials_[thread] += instructions;
        known_[thread].issued()[thread] = sequences_[thread] += instructions;
        issued_[stream_of(thread, pipe)] += instructions;
    }
    /// A core gives the mover a command, which knows what the core knows. Without a core a request over the NoC gives
    /// it, and it knows nothing. `thread`: as thread_of_stream() has it. `stores_flag`: as Ticket's.
    ClockedTicket command(std::optional<unsigned> core, unsigned thread, std::int64_t index, bool stores_flag = false);
    /// The matrix unit begins an instruction that uses its memories. `is_brief`: it takes one cycle (BriefInstructions).
    void matrix_begins(const Ticket& ticket, bool is_brief) { brief_.begins(ticket, is_brief, known_[ticket.thread]); }
    /// Checks an instruction's accesses to source banks, Dst and L1 against earlier ones, and records them. `known`:
    /// its vector clock. `exact`: the accesses are complete and none is an over-approximation. Two atomic accesses to
    /// L1 need no order.
    std::vector<Conflict> check_accesses(const Ticket& ticket, const VectorClock& known,
                                         std::span<const plan::Access> accesses, bool exact, bool atomic);
    /// A wait orders what it blocks behind it, not what passes it (STALLWAIT; spec-notes B46). The thread knows
    /// what it learns in `learn()` from reaches_blocked() on.
    template <class Learn>
    void learn_for_blocked(unsigned thread, Learn&& learn) {
        ForBlocked& later = for_blocked_[thread];
        later = {known_[thread], banks_seen_[thread], true};
        learn();
        later.learns = false;
        std::swap(known_[thread], later.known);
        std::swap(banks_seen_[thread], later.banks_seen);
    }
    /// The thread comes to the first instruction that the wait blocks.
    void reaches_blocked(unsigned thread);
    /// A STALLWAIT for these pipes to be idle has ended.
    void idle_seen(unsigned thread, plan::PipeMask pipes);
    /// The same for the mover, for the work of all threads.
    void mover_idle_seen(unsigned thread);
    /// The core has read that the mover is idle (RISCV_TDMA_REG_STATUS).
    void core_saw_mover_idle(unsigned core);

    // Banks of SrcA and SrcB.

    /// The gate has waited for a bank: the thread acquires the clock of the hand-over before its instruction captures
    /// anything.
    void bank_seen(unsigned thread, state::Src src, unsigned bank);
    /// The instruction has waited in its unit; only its ticket acquires.
    void take_bank(ClockedTicket& ticket, state::Src src, unsigned bank);
    /// The instruction ends and hands a bank over: a release.
    void give_bank(const ClockedTicket& ticket, state::Src src, unsigned bank);
    /// The instruction switches the matrix unit to the source's other bank.
    void bank_flips(const Ticket& ticket, state::Src src);
    /// A STALLWAIT for the matrix unit to own its bank has ended. It may have tested the wrong bank if an earlier
    /// instruction that switches banks is not known to be done; nothing is acquired then.
    void bank_valid_seen(unsigned thread, state::Src src, unsigned bank);
    /// Whether any thread has waited for the bank since its last hand-over.
    bool bank_waited_for(state::Src src, unsigned bank) const {
        const unsigned which = bank_number(src, bank);
        return std::any_of(banks_seen_.begin(), banks_seen_.end(),
                           [&](const auto& seen) { return seen[which] == bank_versions_[which]; });
    }
    /// Whether any thread has waited for a bank of the source after a hand-over.
    bool waited_for(state::Src src) const {
        const unsigned first = bank_number(src, 0);
        return std::any_of(banks_seen_.begin(), banks_seen_.end(),
                           [&](const auto& seen) { return seen[first] || seen[first + 1]; });
    }
    /// Whether the thread has a bank switch of the matrix unit that is not known to be done.
    bool bank_may_flip(unsigned thread, state::Src src) const {
        return known_[thread].done()[stream_of(thread, plan::Pipe::matrix)] <
               flips_[thread][static_cast<unsigned>(src)];
    }
    /// The same, or it was not when the thread last waited for the bank: a later wait does not make up for that.
    bool bank_may_have_flipped(unsigned thread, state::Src src) const {
        const std::uint32_t flip = flips_[thread][static_cast<unsigned>(src)];
        return bank_may_flip(thread, src) || (flip && vain_waits_[thread][static_cast<unsigned>(src)] == flip);
    }

    // Release and acquire by semaphores, mutexes, registers of streams, mailboxes and other words of devices.

    void semaphore_changed(unsigned thread, unsigned semaphore, const SemaphoreChange& what = {}) {
        if (is_on_) change_semaphore(semaphore, what, handed_on_by(thread));
    }
    /// A thread's wait has ended. It learns from all changes so far if the wait has no condition.
    void semaphore_seen(unsigned thread, unsigned semaphore, const SemaphoreWait& wait = {});
    void core_changes_semaphore(unsigned core, unsigned semaphore, const SemaphoreChange& what = {}) {
        if (is_on_) change_semaphore(semaphore, what, cores_.known(core));
    }
    void core_saw_semaphore(unsigned core, unsigned semaphore);
    void mutex_released(unsigned thread, unsigned mutex) {
        if (is_on_) mutexes_[mutex].release(handed_on_by(thread));
    }
    void mutex_taken(unsigned thread, unsigned mutex);
    void release_word(unsigned thread, std::uint32_t word) {
        if (is_on_) words_[word].release(handed_on_by(thread));
    }
    void acquire_word(unsigned thread, std::uint32_t word) {
        if (disregards_.allow(Ordering::word, thread)) acquire(thread, words_[word]);
    }
    void core_releases_word(unsigned core, std::uint32_t word) {
        if (is_on_) words_[word].release(cores_.known(core));
    }
    void core_acquires_word(unsigned core, std::uint32_t word);
    /// The core has read a result of the thread's instructions.
    void core_saw_thread(unsigned core, unsigned thread) {
        if (disregards_.allow_core(Ordering::word, core)) cores_.learn(core, known_[thread]);
    }

    // Cores, and the host.

    /// A core pushes the thread's instruction at `index`: the thread acquires the core's clock when it reaches that
    /// index.
    void core_pushes(unsigned core, unsigned thread, std::int64_t index) {
        if (is_on_) pushed_.push(core, thread, index, cores_);
    }
    /// Whether a core's clock awaits the thread at some later index.
    bool has_handed(unsigned thread) const { return pushed_.has_handed(thread); }
    /// The thread reaches the instruction at `index`.
    void reached(unsigned thread, std::int64_t index) {
        if (pushed_.any_until(thread, index)) pushed_.take_until(thread, index, known_[thread], disregards_);
    }
    /// All of the thread's instructions are done, and the core has seen that: the thread's own, or B through a PCBuf,
    /// for whose next word the thread's core then waits.
    void drained(unsigned core, unsigned thread);
    /// Core `by` releases a core from reset: the core inherits the clock of `by`. Instructions issued so far in pipes
    /// that cannot be held up are done by then, since the core first fetches from L1 (spec-notes B42).
    void core_starts(unsigned core, unsigned by) { leaves_reset(core, cores_.known(by)); }
    /// The host starts a core, writes L1, or has waited for a word of L1.
    void host_starts(unsigned core) { leaves_reset(core, host_); }
    void host_wrote(std::uint32_t address, std::uint32_t bytes);
    void host_saw(std::uint32_t address) {
        if (is_on_) l1_words_.host_saw(address, cores_, host_);
    }

    /// MOPs of a thread whose expansion its core has seen, by a drain or a semaphore.
    void mop_pushed(unsigned thread) { ++mops_pushed_[thread]; }
    void mop_expanded(unsigned thread) { ++known_[thread].expanded()[thread]; }
    void mops_seen_expanded(unsigned thread) { core_expanded_[thread] = mops_pushed_[thread]; }
    bool mops_known_expanded(unsigned thread) const { return core_expanded_[thread] >= mops_pushed_[thread]; }

    // Cores' stores to configuration and GPRs (CellStores).

    /// A thread's core stores a cell; numbers the store.
    void core_stores(state::Cell cell, CellStores::Store store);
    /// Auto TTSync has let the thread's instruction `index` pass: its core's earlier stores to any of these are done.
    void resources_passed(unsigned thread, state::Resources resources, std::int64_t index);
    /// The thread's STALLWAIT at `index`, with TRISC_CFG, has ended: the stores that its core's program has before it are done.
    void stores_seen(unsigned thread, std::int64_t index);
    /// The thread comes to the first instruction that such a STALLWAIT blocks.
    void awaited_stores_are_over(unsigned thread) { stores_.awaited_are_over(thread); }
    /// The thread's core has loaded from the region, behind its stores there: instructions pushed from `index` on
    /// come after them.
    void core_read_back(unsigned thread, CoreRegion region, std::int64_t index);
    const CellStores& stores() const { return stores_; }
    bool stores_may_matter(unsigned thread, std::int64_t index) const {
        return is_on_ && stores_.may_matter(thread, index, known_[thread]);
    }
    std::optional<CellStores::Conflict> check_capture(
        unsigned thread, std::int64_t index, const plan::CellBits& captured,
        const std::optional<CellStores::Replacement>& replaced = {}) const {
        return stores_.check(thread, index, captured, replaced, known_[thread]);
    }

    // Kernels: accesses of the cores themselves to L1 and Dst.

    /// From now on the cores' accesses are recorded, too.
    void watch_cores() { watches_cores_ = is_on_; }
    /// A core's own accesses to L1 in order, up to the first that acquires anything or conflicts with anything. Returns how many these are.
    std::size_t core_accesses_undisturbed(unsigned core, std::span<const state::L1Access> accesses) {
        return l1_words_.note_undisturbed(core, accesses, noc_, cores_);
    }
    /// Any other; returns the first conflict.
    std::optional<Conflict> core_loads(unsigned core, std::uint32_t address, std::uint32_t bytes, std::uint32_t pc);
    std::optional<Conflict> core_stores(unsigned core, std::uint32_t address, std::uint32_t bytes, std::uint32_t pc);
    /// The same for rows of Dst.
    std::optional<Conflict> core_accesses_dst(unsigned core, unsigned first_row, unsigned last_row, bool write,
                                              std::uint32_t pc) {
        const std::uint32_t number = cores_.count_access(core, pc);
        return dst_.core_accesses(core, number, first_row, last_row, write, cores_.known(core));
    }

    // Requests over the NoC.

    /// This tile's place (NocRequest::tile).
    void be_at(std::uint16_t tile) { noc_.be_at(tile); }
    std::uint16_t noc_tile() const { return noc_.tile(); }
    struct AskedNoc {
        SharedNocKnowledge carried;  ///< by the request's packets; null: nothing is checked
        std::optional<Conflict> conflict;
    };
    /// A core starts a request.
    AskedNoc noc_asked(const NocOrder::Asked& what);
    /// All data of one of its packets have been read; one of its answers has come, that of a read or an atomic to these bytes.
    void noc_sent(const NocRequest& request) { noc_.sent(request); }
    void noc_answered(const NocRequest& request, std::uint32_t first, std::uint32_t bytes, const SharedNocKnowledge& known) {
        noc_.answered(request, first, bytes, known);
    }
    /// A core has read a counter of an NIU.
    void core_saw_noc(unsigned core, std::uint32_t pc, unsigned noc, NocOrder::Sign sign, unsigned transaction) {
        if (disregards_.allow_core(Ordering::word, core)) noc_.sign_seen(core, pc, noc, sign, transaction, cores_);
    }
    struct CoreStore {
        unsigned core = 0;
        std::uint32_t pc = 0;  ///< 0: no longer kept
    };
    /// See CoreAccesses::last_store().
    std::optional<CoreStore> last_store(std::uint32_t address) const {
        const auto store = l1_words_.last_store(address);
        return store ? std::optional(CoreStore{store->core, cores_.place(store->core, store->number)}) : std::nullopt;
    }
    /// A request from outside accesses L1.
    std::optional<Conflict> noc_arrived(const NocOrder::Arrival& what);
    /// The knowledge that a read from outside takes away.
    SharedNocKnowledge noc_read_away(const NocOrder::Arrival& what);
    // Of registers of overlay streams, by state::mmio::stream_word().

    /// A request from outside writes one.
    void noc_wrote_stream(std::uint32_t word, const SharedNocKnowledge& known);
    /// The knowledge that a read of one from outside takes away.
    SharedNocKnowledge noc_stream_read_away(std::uint32_t word);
    void core_loads_stream(unsigned core, std::uint32_t pc, std::uint32_t word);

    /// The scalar unit has read or written words of L1, or a command stores one. They are flags from then on.
    void mark_flags(const ClockedTicket& ticket, std::span<const plan::Access> accesses);

private:
    static constexpr unsigned bank_number(state::Src src, unsigned bank) {
        return static_cast<unsigned>(src) * 2 + bank;
    }
    void change_semaphore(unsigned semaphore, const SemaphoreChange& what, const VectorClock& by) {
        semaphores_[semaphore].release(by);
        tokens_[semaphore].changed(what, by);
    }
    /// The thread acquires the channel's clock.
    void acquire(unsigned thread, Channel& channel) {
        if (for_blocked_[thread].learns || channel.has_news_for(thread)) known_[thread].join(channel.known());
    }
    void leaves_reset(unsigned core, VectorClock known);
    /// A STALLWAIT, or a core, has seen the thread's work in these pipes done.
    void done_seen(unsigned thread, plan::PipeMask pipes);
    /// For those who hear of the thread's present instruction.
    VectorClock handed_on_by(unsigned thread) const { return brief_.with(thread, known_[thread]); }
    void mover_done(VectorClock& clock) const;

    Disregards disregards_;
    bool is_on_ = true;
    std::array<std::uint32_t, streams> issued_{};
    std::array<std::uint32_t, state::threads> sequences_{}, serials_{};
    /// By core: the last of its commands that its present one waits for.
    std::array<std::uint32_t, riscv_cores> commands_done_{};
    BriefInstructions brief_;
    std::array<VectorClock, state::threads> known_{};
    CoreClocks cores_;
    VectorClock host_{};
    /// Clocks that a stream's instructions acquired in their unit; a wait for the stream inherits them.
    std::array<Channel, streams> inherited_{};
    std::array<VectorClock, 4> banks_{};
    std::array<std::uint32_t, 4> bank_versions_{};                           ///< counts hand-overs
    std::array<std::array<std::uint32_t, 4>, state::threads> banks_seen_{};  ///< version acquired by each thread
    std::array<std::array<std::uint32_t, 2>, state::threads> flips_{};       ///< latest switch, by source
    /// By source: the switch that was not known to be done when the thread last waited for the bank; 0: none.
    std::array<std::array<std::uint32_t, 2>, state::threads> vain_waits_{};
    struct ForBlocked {
        VectorClock known;
        std::array<std::uint32_t, 4> banks_seen{};
        bool learns = false;  ///< in learn_for_blocked()
    };
    std::array<ForBlocked, state::threads> for_blocked_{};
    std::array<Channel, 8> semaphores_{};
    std::array<SemaphoreTokens, 8> tokens_{};
    std::array<Channel, state::cells::max_mutexes> mutexes_{};
    WordChannels words_;
    PushedClocks pushed_;
    std::array<std::uint32_t, state::threads> mops_pushed_{}, core_expanded_{};

    SourceBanks source_banks_;
    DstBlocks dst_;
    L1Spans l1_;
    CellStores stores_;
    bool watches_cores_ = false;
    CoreAccesses l1_words_;
    NocOrder noc_;
};

}  // namespace tessera::hazards
