// SPDX-License-Identifier: Apache-2.0
// One RISC-V core: executes instructions until somebody else's turn comes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "findings/catalogue.hpp"
#include "riscv/bus.hpp"
#include "riscv/costs.hpp"
#include "riscv/csrs.hpp"
#include "riscv/decode_cache.hpp"
#include "riscv/repetition.hpp"
#include "riscv/retire_queue.hpp"
#include "riscv/store_port.hpp"
#include "state/memories.hpp"
#include "state/riscv.hpp"
#include "tessera/kernels.hpp"

namespace tessera::riscv {

/// How far a hart may go. Whoever gives it may shorten it from within a Bus call.
struct Turn {
    /// The last cycle at which the hart may touch what others can see. What is its own it may do at any time.
    Cycle limit = 0;
    std::uint32_t instructions = 0;  ///< at most so many; fused .ttinsn are one
    bool timed = true;               ///< else each instruction takes a cycle, and has its result in the next
};

/// Why a hart stopped.
struct Stop {
    enum class Why : std::uint8_t {
        instructions,  ///< as many as were allowed
        limit,         ///< the next access is at `time`, which is beyond the limit
        wait,          ///< Response::Kind::wait
        paused,        ///< ecall
        breakpoint,    ///< ebreak
        self_loop,     ///< a jump to itself: nothing will change any more
        stop,          ///< Response::Kind::stop
        illegal,       ///< the word at `pc` cannot be executed: Hart::fault() says why
        fetch,         ///< `pc` is not in L1, or not a multiple of 4: Hart::fault() says so
    };
    Why why{};
    Cycle time = 0;  ///< when the hart would go on
};

/// What a hart remembers beside state::Riscv: where it stands in time, and what its CSRs configure.
class HartMemory {
protected:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    // What CSRs configure.
    bool caches_ = false, flushes_ = false, predicts_ = true, serialises_ = true, fences_all_ = false;
    unsigned fuses_ = 1;
    std::uint64_t flush_after_ = never;  ///< hits of L0
    /// Bytes that take aligned accesses without a second look, from 0 and from local_base on: all that there are, or none.
    std::uint32_t plain_l1_ = 0, plain_local_ = 0, plain_devices_ = 0;

    bool begun_ = false;
    Cycle now_ = 0;                     ///< when the next instruction may begin
    Cycle latest_ = 0;                  ///< when every register has its value
    std::array<Cycle, 32> ready_{};     ///< when each has, unless that is past
    std::uint64_t number_ = 0;          ///< of the next instruction, counted over all runs
    std::uint64_t cycle_base_ = 0;      ///< mcycle at cycle 0
    std::uint64_t instret_base_ = 0;    ///< minstret at instruction 0
    std::array<Cycle, 4> in_flight_{};  ///< when the last long loads began
    unsigned flights_ = 0;
    StorePort store_port_;
    RetireQueue retire_;
    Repetition repetition_;
    std::uint64_t local_digest_ = 0;
    std::uint32_t watch_first_ = 0, watch_end_ = 0;
    bool tells_l1_ = false;
    bool saw_time_ = false;     ///< in the access that is going on
    std::optional<Cycle> held_; ///< what clocks show, while they are held
    Cycle held_since_ = 0;      ///< what they showed first
    std::uint64_t held_number_ = 0;  ///< of the next instruction, when they were stopped
    findings::Note fault_{};
};

class Hart : private HartMemory {
public:
    Hart(Arch arch, RiscvCore which, state::Riscv& state, state::L1& l1, DecodeCache& decoded);

    /// What leaving reset does: registers and counters are 0, CSRs have their reset values, L0 is empty, nothing is in flight.
    void reset(std::uint32_t pc);

    /// Instructions at state::Riscv::iram_base come from there (Wormhole's NC). It outlives the hart.
    void attach_iram(const std::vector<std::uint8_t>& iram) {
        iram_ = &iram;
        iram_decoded_.emplace(arch_, static_cast<std::uint32_t>(iram.size()));
    }

    /// Stores to L1 in [first, end) are told to Bus::watched_store.
    void watch(std::uint32_t first, std::uint32_t end) { watch_first_ = first, watch_end_ = end; }

    /// Whether Bus::loaded_l1 and Bus::stored_l1 are called; not at first.
    void tell_l1(bool tells) { tells_l1_ = tells; }

    /// Executes from `time` on. `change` counts whatever others could notice: the hart adds to it when a store of its own changes L1.
    Stop run(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change);

    /// What is wrong at `pc`, after Why::illegal and Why::fetch.
    const findings::Note& fault() const { return fault_; }

    /// Its state, program counter and registers included, came back to what it was, nothing that it did could be noticed, and
    /// `change` is still what it was then: it does nothing but repeat itself until something else changes.
    bool repeats(std::uint64_t change) const { return repetition_.repeats(change) && !sees_news_when_flushed(); }
    /// Every clock and counter that the hart reads shows this cycle, however long it reads them; nothing: they go on. repeats() then
    /// says whether it repeats itself while no time passes.
    void hold_time(std::optional<Cycle> at);
    /// What a clock shows the hart in this cycle.
    Cycle see_time(Cycle now);
    HartMemory save() const { return *this; }
    void restore(const HartMemory& memory) { static_cast<HartMemory&>(*this) = memory; }

    /// The last access to memory of such a loop, other than to a clock; while time is held, of all that it did since then.
    std::optional<Poll> poll() const { return repetition_.poll(); }

private:
    /// What an instruction with an effect outside of the registers comes to.
    struct Effect {
        bool done = true;
        Stop::Why why{};          ///< when not done
        std::uint32_t value = 0;  ///< of a load or CSR
        Cycle at = 0;             ///< when it was done, or could be
        std::uint32_t latency = 1;
    };
    /// A page of instructions, and the words that they were decoded from.
    struct CodePage {
        std::uint32_t address = 0;
        DecodedOp* ops = nullptr;
        const std::uint8_t* bytes = nullptr;
    };
    template <bool timed>
    Stop execute(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change);
    /// Makes the one with `pc` page_. False: there is nothing to execute.
    bool turn_page(std::uint32_t pc);
    /// A line of L0 that differs from L1 will be flushed some time.
    bool sees_news_when_flushed() const;
    std::uint64_t see_number(std::uint64_t number);

    static Effect refused(Stop::Why why, Cycle at) { return {.done = false, .why = why, .at = at}; }

    Effect load(Bus& bus, const Turn& turn, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle now);
    Effect store(Bus& bus, const Turn& turn, std::uint32_t address, unsigned bytes, std::uint32_t value,
                 std::uint32_t pc, Cycle now, std::uint64_t& change);
    Effect atomic(Bus& bus, const Turn& turn, Op op, std::uint32_t address, std::uint32_t operand, std::uint32_t pc,
                  Cycle now, std::uint64_t& change);
    Effect access_csr(Bus& bus, const Turn& turn, const DecodedOp& op, std::uint32_t operand, Cycle now,
                      std::uint64_t number);
    static Stop::Why stop_of(Response::Kind kind) {
        return kind == Response::Kind::wait ? Stop::Why::wait : Stop::Why::stop;
    }
    Response load_device(Bus& bus, const Access& access);
    Response store_device(Bus& bus, const Access& access, std::uint32_t value);
    struct Pushed {
        Response::Kind kind{};
        std::uint32_t words = 0;
    };
    /// .ttinsn at `pc`, which pushes `first`, and those that it is fused with.
    Pushed push(Bus& bus, std::uint32_t first, std::uint32_t pc, Cycle now);

    std::uint32_t load_l1(Bus& bus, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle now,
                          std::uint32_t& latency);
    bool store_l1(std::uint32_t address, unsigned bytes, std::uint32_t value);
    void store_local(std::uint32_t offset, unsigned bytes, std::uint32_t value);
    void note_stale(Bus& bus, std::uint32_t address, std::uint32_t cached, std::uint32_t value, std::uint32_t pc,
                    Cycle now);
    void flush_l0();
    /// When a load of L1 that could begin at `now` may begin, and that one has begun which brings its value at `ready`.
    Cycle flight_from(Cycle now) const {
        return costs_.loads_in_flight.cycles ? std::max(now, in_flight_[flights_ % in_flight_.size()]) : now;
    }
    void begin_flight(Cycle ready) {
        if (costs_.loads_in_flight.cycles) in_flight_[flights_++ % in_flight_.size()] = ready - 1;
    }
    void write_csr(std::size_t place, std::uint32_t value, Cycle now, std::uint64_t number);
    void configure();
    void cannot_execute(const DecodedOp& op);
    void note_misaligned(Bus& bus, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle now);

    const Arch arch_;
    const RiscvCore which_;
    const Costs& costs_;
    state::Riscv& state_;
    state::L1& l1_;
    const std::uint32_t l1_bytes_;
    DecodeCache& decoded_;
    CodePage page_;  ///< where the hart was last
    const std::vector<std::uint8_t>* iram_ = nullptr;
    std::optional<DecodeCache> iram_decoded_;
};

}  // namespace tessera::riscv
