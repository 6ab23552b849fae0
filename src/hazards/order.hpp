// SPDX-License-Identifier: Apache-2.0
// What a program's waits guarantee about order. Each thread knows of every stream of work (one per thread and pipe, and
// one per core for its stores) how far it has certainly been issued and how far it is certainly done: from its own
// program, from STALLWAITs that have ended, from semaphores, mutexes and the hand-over of banks. Two accesses to the same
// place of which at least one writes, and neither is known to be over when the other begins, are a hazard, however lucky
// the timing was.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/clock.hpp"
#include "engine/core_accesses.hpp"
#include "engine/disregards.hpp"
#include "engine/knowledge.hpp"
#include "plan/plan.hpp"
#include "plan/seen.hpp"
#include "state/resources.hpp"

namespace tessera::engine {

/// Memories of the coprocessor that keep the order of one core's accesses, each for itself.
enum class CoreRegion : std::uint8_t { config, gprs, count };

/// An access that another one meets without order.
struct Conflict {
    plan::Storage storage{};
    std::uint32_t first = 0, last = 0;  ///< Dst rows, L1 bytes, or a source's bank
    unsigned other_thread = 0;
    plan::Pipe other_pipe{};
    std::int64_t other_index = 0;
    int core = -1;              ///< it is this core's own access; -1: an instruction's
    std::uint32_t core_pc = 0;  ///< of that access; 0: no longer known
};

/// Identifies an instruction: its streams' numbers, and where it stands in its program.
struct Ticket {
    unsigned thread = 0;
    std::int64_t index = 0;
    std::uint32_t serial = 0;  ///< counts its thread's instructions, expanded ones too
    plan::PipeMask pipes = 0;
    std::array<std::uint32_t, 4> number{};  ///< in the streams of its pipes, lowest pipe first
    bool learned = false;                   ///< it has waited for something, and knows what its thread may not know

    plan::Pipe pipe() const { return plan::Pipe(std::countr_zero(pipes)); }
};

/// That of an instruction that takes its time.
struct KnowingTicket : Ticket {
    Knowledge known;  ///< when it was issued, and what it waited for since
};

class Order {
public:
    /// Nobody learns anything by these, from now on.
    void disregard(std::vector<Disregarded> what) { disregards_ = Disregards(std::move(what)); }
    const Disregards& disregards() const { return disregards_; }

    /// A thread's instruction is issued. `counts`: as one of those which keep later ones apart.
    Ticket issue(unsigned thread, plan::PipeMask pipes, std::int64_t index, bool counts = true);
    /// The same of some in one pipe, whose accesses nobody asks about.
    void issue(unsigned thread, plan::Pipe pipe, std::uint32_t instructions = 1) {
        serials_[thread] += instructions;
        count_in(thread, stream_of(thread, pipe), instructions);
    }
    /// The gate waited for a bank: whoever gave it away came before, also before what the instruction captures.
    void bank_seen(unsigned thread, state::Src src, unsigned bank);
    /// The same of an instruction that waited in its unit.
    void take_bank(KnowingTicket& ticket, state::Src src, unsigned bank);
    /// The instruction ends and gives a bank away.
    void give_bank(const KnowingTicket& ticket, state::Src src, unsigned bank);
    /// The instruction makes the matrix unit go on with its source's other bank.
    void bank_flips(const Ticket& ticket, state::Src src);
    /// A STALLWAIT that waited until the matrix unit's bank belongs to it has ended. Behind an instruction that changes which
    /// bank that is, and that is not known to be done, it may have looked at the bank before.
    void bank_valid_seen(unsigned thread, state::Src src, unsigned bank);
    /// Whether a thread has waited for the bank since it was given away last.
    bool bank_waited_for(state::Src src, unsigned bank) const {
        const unsigned which = static_cast<unsigned>(src) * 2 + bank;
        return std::any_of(banks_seen_.begin(), banks_seen_.end(),
                           [&](const auto& seen) { return seen[which] == bank_versions_[which]; });
    }
    /// Whether a thread has waited for a bank of the source that somebody had given away.
    bool waited_for(state::Src src) const {
        const unsigned first = static_cast<unsigned>(src) * 2;
        return std::any_of(banks_seen_.begin(), banks_seen_.end(),
                           [&](const auto& seen) { return seen[first] || seen[first + 1]; });
    }
    /// An instruction of the thread that makes the matrix unit go on with its other bank is not known to be done.
    bool bank_may_flip(unsigned thread, state::Src src) const {
        return known_[thread].done()[stream_of(thread, plan::Pipe::matrix)] <
               flips_[thread][static_cast<unsigned>(src)];
    }
    /// A STALLWAIT that waited for these pipes to be idle has ended.
    void idle_seen(unsigned thread, plan::PipeMask pipes);

    /// The same for the mover, whoever has used it.
    void mover_idle_seen(unsigned thread);

    void semaphore_changed(unsigned thread, unsigned semaphore);
    void semaphore_seen(unsigned thread, unsigned semaphore);
    void core_changes_semaphore(unsigned core, unsigned semaphore);
    /// What else threads and cores tell each other by: registers of streams, mailboxes, other words of devices.
    void told(unsigned thread, std::uint32_t word) { words_[word].join(known_[thread]); }
    void heard(unsigned thread, std::uint32_t word) {
        if (disregards_.allow(Ordering::word, thread)) known_[thread].join(words_[word]);
    }
    void core_told(unsigned core, std::uint32_t word) { words_[word].join(cores_[core]); }
    void core_heard(unsigned core, std::uint32_t word);
    /// The core has seen a result of the thread's instructions.
    void core_saw_thread(unsigned core, unsigned thread) {
        if (disregards_.allow_core(Ordering::word, core)) core_learns(core, known_[thread]);
    }
    /// The core leaves reset, as another one wanted: it knows what that one knew, and that what has been issued by now is done where nothing
    /// can hold it up, since it fetches its first instruction from L1 (spec-notes B42).
    void core_starts(unsigned core, unsigned by);
    /// The host starts a core, writes L1, and has waited for a word of it.
    void host_starts(unsigned core);
    void host_wrote(std::uint32_t address, std::uint32_t bytes);
    void host_saw(std::uint32_t address);
    /// A core pushes the thread's instruction at `index`: what it knows now, the thread knows when it comes to that.
    void core_pushes(unsigned core, unsigned thread, std::int64_t index);
    /// A core has handed the thread something that it may come to.
    bool has_handed(unsigned thread) const { return !handed_[thread].empty(); }
    /// The thread comes to the instruction at `index`.
    void reached(unsigned thread, std::int64_t index) {
        if (!handed_[thread].empty()) take_handed(thread, index);
        Knowledge& known = known_[thread];
        const unsigned core = core_of_thread(thread), stream = core_stream(thread);
        known.accesses()[core] = cores_[core].accesses()[core];
        known.issued()[stream] = issued_[stream];
    }

    void mutex_released(unsigned thread, unsigned mutex);
    void mutex_taken(unsigned thread, unsigned mutex);

    /// A core stores a cell of configuration or a GPR, and gives these bits another value. `resources`: what Auto TTSync
    /// takes the store for.
    void core_stores(unsigned thread, state::Cell cell, std::int64_t index, std::uint32_t changes,
                     state::Resources resources, std::uint32_t value, Cycle now);
    /// Auto TTSync has let the thread's instruction `index` pass: its core's stores of before to any of these are done.
    void resources_passed(unsigned thread, state::Resources resources, std::int64_t index);
    /// A STALLWAIT with TRISC_CFG has ended: all stores emitted so far are done.
    void stores_seen(unsigned thread);
    /// The thread's core has loaded from the region, which has all that it stored there: what it pushes from `index` on
    /// comes later.
    void core_read_back(unsigned thread, CoreRegion region, std::int64_t index);
    /// Everything that the thread was given is done, and the core knows.
    void drained(unsigned core, unsigned thread);

    /// What a core knows about its own thread's MOPs: those of before a drain or a semaphore that it has waited for.
    void mop_pushed(unsigned thread) { ++mops_pushed_[thread]; }
    void mop_expanded(unsigned thread) { ++known_[thread].expanded()[thread]; }
    void mops_seen_expanded(unsigned thread) { core_expanded_[thread] = mops_pushed_[thread]; }
    void core_saw_semaphore(unsigned core, unsigned semaphore);
    bool mops_known_expanded(unsigned thread) const { return core_expanded_[thread] >= mops_pushed_[thread]; }

    /// By all cores so far.
    std::uint32_t stores() const { return issued_[core_stream(0)] + issued_[core_stream(1)] + issued_[core_stream(2)]; }
    /// Whether one of the stores behind the first `until` may have been to one of the cells.
    template <class Cells>
    bool stored_since(std::uint32_t until, const Cells& cells) const {
        if (stores() - until > last_stored_.size()) return true;
        for (std::uint32_t i = until; i != stores();)
            if (cells[state::index(last_stored_[++i % last_stored_.size()])]) return true;
        return false;
    }
    /// Whether some store by a core is not known to be over to the thread, or comes later in the core's program.
    bool stores_may_matter(unsigned thread, std::int64_t index) const {
        if (last_store_index_[thread] > index) return true;
        const auto done = known_[thread].done();
        bool matter = false;
        for (unsigned core = 0; core < state::threads; ++core)
            matter |= done[core_stream(core)] < issued_[core_stream(core)];
        return matter;
    }
    struct StoreConflict {
        unsigned core = 0;
        bool overtaken = false;    ///< the core stores it after pushing the instruction
        std::int64_t index = 0;    ///< of the store
        std::uint32_t number = 0;  ///< among those of all cores, from 1
        Cycle at = 0;
        plan::CellBits bits;  ///< captured ones that it changes
    };
    /// Bits of a cell that an instruction replaces, whatever else the cell holds.
    struct Replacement {
        std::uint32_t mask = 0, value = 0;
    };
    /// A store is taken to be on its way for no longer than this many cycles, which no page promises (spec-notes B41).
    static constexpr Cycle store_reach = 32;
    /// Checks what an instruction of `thread` at `index` captures: these bits of a cell. What it replaces a part of it captures only to put
    /// it back: there the order matters where store and instruction do not agree.
    std::optional<StoreConflict> check_capture(unsigned thread, std::int64_t index, const plan::CellBits& captured,
                                               const std::optional<Replacement>& replaced = {}) const;

    const Knowledge& known(unsigned thread) const { return known_[thread]; }
    const Knowledge& core_known(unsigned core) const { return cores_[core]; }
    /// What the next instruction of a stream is called.
    std::uint32_t next_number(unsigned stream) const { return issued_[stream] + 1; }

    /// Cores run kernels: what they do themselves in L1 and Dst is looked at, too.
    void watch_cores() { watches_cores_ = true; }
    /// A core's own access to L1, and what it meets without order. A word of L1 that somebody else has stored tells the core what that one
    /// knew; words of the scalar unit are such flags, and need no order.
    std::optional<Conflict> core_loads(unsigned core, std::uint32_t address, std::uint32_t bytes, std::uint32_t pc);
    std::optional<Conflict> core_stores(unsigned core, std::uint32_t address, std::uint32_t bytes, std::uint32_t pc);
    /// The same of rows of Dst.
    std::optional<Conflict> core_accesses_dst(unsigned core, unsigned first_row, unsigned last_row, bool write,
                                              std::uint32_t pc);
    /// The scalar unit has read or written words of L1: flags.
    void flags(const KnowingTicket& ticket, std::span<const plan::Access> accesses);

    /// Checks the accesses of an instruction that knows so much to source banks, Dst and L1 against what came before, and remembers them.
    /// At most one conflict per storage is told. Two atomic accesses to L1 need no order.
    void check_accesses(const Ticket& ticket, const Knowledge& known, std::span<const plan::Access> accesses,
                        bool exact, bool atomic, std::vector<Conflict>& conflicts);

private:
    struct Past {
        std::uint32_t number = 0;  ///< 0: nobody
        std::uint16_t stream = 0;
        std::uint32_t serial = 0;
        std::int64_t index = 0;
        /// Streams whose instructions have been found to come after it, a bit each: no thread forgets what it knows.
        mutable std::uint64_t before = 0;
    };
    struct Block {
        Past write;
        std::array<Past, state::threads * 6> reads{};  ///< per thread and kind of reader
        std::uint32_t readers = 0;                     ///< a bit per one that there is
        CoreAccesses::Word cores;
    };
    /// Of a source bank: the unpackers' side and that of the matrix unit.
    struct Bank {
        std::array<Past, 2> writes, reads;
    };
    /// A core's knowledge from its access number `from` on.
    struct Snapshot {
        std::uint32_t from = 0;
        Knowledge known;
    };
    struct Handed {
        std::int64_t index = 0;
        Knowledge known;
    };
    struct Span {
        std::uint32_t first = 0, last = 0;
        bool write = false, atomic = false;
        Past who;
    };
    struct Store {
        std::uint32_t number = 0;
        std::uint8_t core = 0;
        std::int64_t index = 0;
        std::uint32_t changes = 0;  ///< bits that it, and those before it that may be on their way, give another value
        state::Resources resources = 0;
        std::uint32_t of_all = 0;  ///< its number among those of all cores
        std::uint32_t value = 0;
        Cycle at = 0;
    };

    /// The core's stores up to this number are over for its own thread's instructions from `from` on.
    struct ReadBack {
        std::int64_t from = 0;
        std::uint32_t number = 0;
    };

    /// An instruction whose accesses are looked at.
    struct Asker {
        const Ticket& ticket;
        const Knowledge& known;
        unsigned stream;
        bool unit_orders;  ///< Ordering::unit_order is allowed
    };
    bool ordered(const Past& past, const Asker& now, bool guarded) const {
        if (!past.number || past.before >> now.stream & 1) return true;
        return (past.stream == now.stream && now.unit_orders) || found_ordered(past, now, guarded);
    }
    bool found_ordered(const Past& past, const Asker& now, bool guarded) const;
    void check_bank(const Asker& now, const Past& self, const plan::Access& access, std::vector<Conflict>& conflicts);
    void tell_bank(const plan::Access& access, unsigned bank, const Past& other,
                   std::vector<Conflict>& conflicts) const;
    void check_core_words(const Ticket& ticket, const Knowledge& known, std::uint32_t first, std::uint32_t last,
                          bool write, std::vector<Conflict>& conflicts);
    /// The core whose last access is not known to be before the instruction, and that access's number. That of the thread's own core is.
    static std::optional<std::pair<unsigned, std::uint32_t>> unordered_core(const CoreAccesses::Word& word,
                                                                            const Ticket& ticket,
                                                                            const Knowledge& known, bool write);
    std::uint32_t count_in(unsigned thread, unsigned stream, std::uint32_t instructions = 1) {
        return known_[thread].issued()[stream] = issued_[stream] += instructions;
    }
    void core_learns(unsigned core, const Knowledge& what);
    void leaves_reset(unsigned core, Knowledge known);
    /// Counts an access of the core, which from now on tells what it knows.
    std::uint32_t count_access(unsigned core, std::uint32_t pc);
    /// What the core knew at its access number `at`.
    const Knowledge& known_at(unsigned core, std::uint32_t at) const;
    std::optional<Conflict> core_conflict(unsigned core, const CoreAccesses::Line& line, bool write,
                                          std::uint32_t address, std::uint32_t bytes) const;
    Conflict conflict_with_core(plan::Storage storage, std::uint32_t first, std::uint32_t last, unsigned core,
                                std::uint32_t at) const;
    bool read_back_before(const Store& store, state::Cell cell, std::int64_t index) const;
    bool kept_in_order(const Store& store) const;

    /// A STALLWAIT, or a core, has seen that the thread's work in these pipes is done.
    void done_seen(unsigned thread, plan::PipeMask pipes);
    void stores_over(unsigned thread);
    void take_handed(unsigned thread, std::int64_t index);
    Block& block_of_dst(unsigned block) {
        if (block >= dst_.size()) dst_.resize(block + std::size_t{1});
        return dst_[block];
    }

    Disregards disregards_;
    std::array<std::uint32_t, streams> issued_{};
    std::array<std::uint32_t, state::threads> serials_{};
    std::array<Knowledge, state::threads> known_{};
    /// What a stream's instructions themselves waited for: known to whoever has seen them done.
    std::array<Knowledge, streams> inherited_{};
    std::array<Knowledge, 4> banks_{};
    std::array<std::uint32_t, 4> bank_versions_{};                           ///< counts what banks_ learn
    std::array<std::array<std::uint32_t, 4>, state::threads> banks_seen_{};  ///< and what of it each thread has seen
    std::array<Knowledge, 8> semaphores_{};
    std::array<Knowledge, state::cells::max_mutexes> mutexes_{};
    /// What the RISC-V cores know, and how often that has changed.
    std::array<Knowledge, riscv_cores> cores_{};
    std::array<std::uint32_t, riscv_cores> versions_{};
    Knowledge host_{};
    std::array<std::array<std::uint32_t, state::threads>, riscv_cores> handed_versions_{};
    std::array<std::deque<Handed>, state::threads> handed_;
    std::array<std::uint32_t, riscv_cores> snapshot_versions_{};
    std::array<std::deque<Snapshot>, riscv_cores> snapshots_;
    std::unordered_map<std::uint32_t, Knowledge> words_, flags_;
    CoreAccesses core_accesses_;
    std::array<Recent<std::uint32_t>, riscv_cores> core_places_;  ///< addresses of the cores' instructions
    std::array<Recent<std::int64_t>, streams> indices_;
    bool watches_cores_ = false;
    std::array<std::array<std::uint32_t, 2>, state::threads> flips_{};  ///< in the matrix stream, by source
    std::array<Bank, 4> source_banks_{};
    std::vector<Block> dst_;  ///< as far as it has been accessed
    std::array<std::vector<Span>, streams> l1_;
    std::array<Past, streams> l1_last_{};  ///< the last of them: whoever it is ordered with, all are
    std::array<std::size_t, streams> l1_next_{};
    std::uint64_t l1_streams_ = 0;               ///< a bit per one that has accessed L1
    std::vector<Store> stores_;                  ///< by cell: of configuration and GPRs, as far as there are any
    std::array<state::Cell, 16> last_stored_{};  ///< by number
    std::array<std::uint32_t, state::threads> mops_pushed_{}, core_expanded_{};
    std::array<std::int64_t, state::threads> last_store_index_{-1, -1, -1};
    /// By resource: the latest instruction that Auto TTSync has let pass behind the stores of its core.
    std::array<std::array<std::int64_t, 8>, state::threads> passed_{};
    std::array<state::Resources, state::threads> stored_{};  ///< by stores that the thread does not know to be done
    std::array<bool, state::threads> stored_untracked_{};    ///< there are others among them
    /// The latest of each core and region, in order.
    std::array<std::array<std::vector<ReadBack>, static_cast<std::size_t>(CoreRegion::count)>, state::threads>
        read_backs_;
};

}  // namespace tessera::engine
