// SPDX-License-Identifier: Apache-2.0
// What a program's waits guarantee about order. Each thread knows of every stream of work (one per thread and pipe, and
// one per core for its stores) how far it has certainly been issued and how far it is certainly done: from its own
// program, from STALLWAITs that have ended, from semaphores, mutexes and the hand-over of banks. Two accesses to the same
// place of which at least one writes, and neither is known to be over when the other begins, are a hazard, however lucky
// the timing was.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/plan.hpp"
#include "state/resources.hpp"

namespace tessera::engine {

/// Streams: thread × pipe, then one per core.
inline constexpr unsigned streams = state::threads * plan::pipes + state::threads;
constexpr unsigned stream_of(unsigned thread, plan::Pipe pipe) {
    return thread * plan::pipes + static_cast<unsigned>(pipe);
}
constexpr unsigned core_stream(unsigned thread) { return state::threads * plan::pipes + thread; }

/// Memories of the coprocessor that keep the order of one core's accesses, each for itself.
enum class CoreRegion : std::uint8_t { config, gprs, count };

/// How far each stream is known to have come; numbers count a stream's instructions from 1.
struct Knowledge {
    std::array<std::uint32_t, streams> issued{}, done{};
    std::array<std::uint32_t, state::threads> expanded{};  ///< MOPs of each thread that have been expanded

    void join(const Knowledge& other);
};

/// An access that another one meets without order.
struct Conflict {
    plan::Storage storage{};
    std::uint32_t first = 0, last = 0;  ///< Dst rows or L1 bytes
    unsigned other_thread = 0;
    std::int64_t other_index = 0;
};

/// Identifies an instruction: its streams' numbers, and where it stands in its program.
struct Ticket {
    unsigned thread = 0;
    std::int64_t index = 0;
    std::uint32_t serial = 0;  ///< counts its thread's instructions, expanded ones too
    plan::PipeMask pipes = 0;
    std::array<std::uint32_t, 4> number{};  ///< in the streams of its pipes, lowest pipe first
    Knowledge known;                        ///< when it was issued, and what it waited for since

    plan::Pipe pipe() const;
};

class Order {
public:
    Order();

    /// Fills in a ticket. What is known is copied only for an instruction whose accesses or banks will be asked about.
    /// `counts`: as one of the thread's instructions, which keep later ones apart.
    void issue(Ticket& ticket, unsigned thread, plan::PipeMask pipes, std::int64_t index, bool asked_about,
               bool counts = true);
    /// The gate waited for a bank: whoever gave it away came before, also before what the instruction captures.
    void bank_seen(unsigned thread, state::Src src, unsigned bank);
    /// The same of an instruction that waited in its unit.
    void take_bank(Ticket& ticket, state::Src src, unsigned bank);
    /// The instruction ends and gives a bank away.
    void give_bank(const Ticket& ticket, state::Src src, unsigned bank);
    /// A STALLWAIT that waited for these pipes to be idle has ended.
    void idle_seen(unsigned thread, plan::PipeMask pipes);

    /// The same for the mover, whoever has used it.
    void mover_idle_seen(unsigned thread);

    void semaphore_changed(unsigned thread, unsigned semaphore);
    void semaphore_seen(unsigned thread, unsigned semaphore);
    void mutex_released(unsigned thread, unsigned mutex);
    void mutex_taken(unsigned thread, unsigned mutex);

    /// A thread whose instructions in one of these pipes may still be at work as far as `thread` knows.
    std::optional<unsigned> not_known_done(unsigned thread, plan::PipeMask pipes) const;

    /// A core stores a cell of configuration or a GPR, and gives these bits another value. `resources`: what Auto TTSync
    /// takes the store for.
    void core_stores(unsigned thread, state::Cell cell, std::int64_t index, std::uint32_t changes,
                     state::Resources resources);
    /// Auto TTSync has let the thread's instruction `index` pass: its core's stores of before to any of these are done.
    void resources_passed(unsigned thread, state::Resources resources, std::int64_t index);
    /// A STALLWAIT with TRISC_CFG has ended: all stores emitted so far are done.
    void stores_seen(unsigned thread);
    /// The thread's core has loaded from the region, which has all that it stored there: what it pushes from `index` on
    /// comes later.
    void core_read_back(unsigned thread, CoreRegion region, std::int64_t index);
    /// Everything that the thread has pushed is done, and its core knows.
    void drained(unsigned thread);

    /// What a core knows about its own thread's MOPs: those of before a drain or a semaphore that it has waited for.
    void mop_pushed(unsigned thread) { ++mops_pushed_[thread]; }
    void mop_expanded(unsigned thread) { ++known_[thread].expanded[thread]; }
    void mops_seen_expanded(unsigned thread) { core_expanded_[thread] = mops_pushed_[thread]; }
    void core_saw_semaphore(unsigned thread, unsigned semaphore);
    bool mops_known_expanded(unsigned thread) const { return core_expanded_[thread] >= mops_pushed_[thread]; }

    /// Whether some store by a core is not known to be over to the thread, or comes later in the core's program.
    bool stores_may_matter(unsigned thread, std::int64_t index) const;
    struct StoreConflict {
        unsigned core = 0;
        bool overtaken = false;  ///< the core stores it after pushing the instruction
    };
    /// Checks what an instruction of `thread` at `index` captures: these bits of a cell.
    std::optional<StoreConflict> check_capture(unsigned thread, std::int64_t index, state::Cell cell,
                                               std::uint32_t bits) const;

    /// Checks an instruction's accesses to Dst and L1 against what came before, and remembers them. At most one conflict
    /// per storage is told. Two atomic accesses to L1 need no order.
    void check_accesses(const Ticket& ticket, const plan::Footprint& footprint, bool atomic,
                        std::vector<Conflict>& conflicts);

private:
    struct Past {
        std::uint32_t number = 0;  ///< 0: nobody
        std::uint16_t stream = 0;
        std::uint32_t serial = 0;
        std::int64_t index = 0;
    };
    struct Block {
        Past write;
        std::array<Past, state::threads * 6> reads{};  ///< per thread and kind of reader
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
    };

    /// The core's stores up to this number are over for its own thread's instructions from `from` on.
    struct ReadBack {
        std::int64_t from = 0;
        std::uint32_t number = 0;
    };

    bool ordered(const Past& past, const Ticket& now, bool guarded) const;
    bool read_back_before(const Store& store, state::Cell cell, std::int64_t index) const;
    bool kept_in_order(const Store& store) const;

    std::array<std::uint32_t, streams> issued_{};
    std::array<std::uint32_t, state::threads> serials_{};
    std::array<Knowledge, state::threads> known_{};
    /// What a stream's instructions themselves waited for: known to whoever has seen them done.
    std::array<Knowledge, streams> inherited_{};
    std::array<Knowledge, 4> banks_{};
    std::array<Knowledge, 8> semaphores_{};
    std::array<Knowledge, state::cells::max_mutexes> mutexes_{};
    std::vector<Block> dst_;
    std::array<std::vector<Span>, streams> l1_;
    std::array<std::size_t, streams> l1_next_{};
    std::vector<Store> stores_;  ///< by cell
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
