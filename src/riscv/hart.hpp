// SPDX-License-Identifier: Apache-2.0
// One RISC-V core: executes instructions until its turn ends.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "findings/catalogue.hpp"
#include "riscv/branch_predictor.hpp"
#include "riscv/bus.hpp"
#include "riscv/costs.hpp"
#include "riscv/csrs.hpp"
#include "riscv/decode_cache.hpp"
#include "riscv/instruction_fetch.hpp"
#include "riscv/poll_round.hpp"
#include "riscv/repetition.hpp"
#include "riscv/retire_queue.hpp"
#include "riscv/store_port.hpp"
#include "state/memories.hpp"
#include "state/riscv.hpp"
#include "tessera/kernels.hpp"

namespace tessera::riscv {

struct Apart;

/// Limits of a turn. Their owner may shorten them from within a Bus call.
struct Turn {
    /// The last cycle at which the hart may touch shared state. Private state may be touched at any time, local memory
    /// until others reach it (Hart::share_local()).
    Cycle limit = 0;
    std::uint32_t instructions = 0;  ///< maximum; fused .ttinsn count as one
    bool timed = true;               ///< false: each instruction takes one cycle, and its result is ready in the next
    std::uint64_t devices = 0;       ///< changes with everything that a hart can observe but L1
    std::uint64_t l1_changes = 0;    ///< counts the turn's stores that changed L1
    /// Beyond `limit`: the last cycle of aligned accesses to L1 outside of the watched range, and of pushes. Earlier: none.
    Cycle l1_ahead = 0, push_ahead = 0;
};

/// Why a hart stopped.
struct Stop {
    enum class Why : std::uint8_t {
        instructions,  ///< reached Turn::instructions
        limit,         ///< the next access is at `time`, beyond the limit
        wait,          ///< Response::Kind::wait
        paused,        ///< ecall
        breakpoint,    ///< ebreak
        self_loop,     ///< a jump to itself: the hart can make no progress
        stop,          ///< Response::Kind::stop
        illegal,       ///< illegal word at `pc`; see Hart::fault()
        fetch,         ///< `pc` is not in L1, or not a multiple of 4; see Hart::fault()
    };
    Why why{};
    Cycle time = 0;  ///< when the hart would continue
};

/// State of a hart beyond state::Riscv: its position in time, and settings derived from CSRs.
class HartMemory {
protected:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    // Derived from CSRs.
    bool caches_ = false, flushes_ = false, predicts_ = true, serialises_ = true, fences_all_ = false;
    bool may_predict_ = true;  ///< by configuration
    unsigned fuses_ = 1;
    std::uint64_t flush_after_ = never;  ///< hits of L0
    /// Sizes of the ranges, from 0 and from local_base on, in which aligned accesses take the fast path: all of the
    /// memory, or 0.
    std::uint32_t plain_l1_ = 0, plain_local_ = 0, plain_devices_ = 0;

    bool begun_ = false;
    Cycle now_ = 0;                     ///< earliest cycle of the next instruction
    Cycle latest_ = 0;                  ///< when all registers have their values
    std::array<Cycle, 32> ready_{};     ///< per register, when its value is ready, if later than now
    std::uint64_t number_ = 0;          ///< number of the next instruction, counted over all runs
    std::uint64_t cycle_base_ = 0;      ///< mcycle at cycle 0
    std::uint64_t instret_base_ = 0;    ///< minstret at instruction 0
    std::array<Cycle, 4> in_flight_{};  ///< per slot, earliest start of its next long load
    unsigned flights_ = 0;
    StorePort store_port_;
    BranchPredictor predictor_;
    InstructionFetch fetch_;
    RetireQueue retire_;
    Repetition repetition_;
    std::uint64_t local_digest_ = 0;
    std::uint32_t shared_first_ = 0, shared_end_ = 0;  ///< range of local memory that others have reached
    std::uint32_t watch_first_ = 0, watch_end_ = 0;
    bool reports_l1_ = false;
    bool saw_time_ = false;          ///< by the current access
    std::optional<Cycle> held_;      ///< the value of clocks while time is held
    Cycle held_since_ = 0;           ///< first value shown while held
    std::uint64_t held_number_ = 0;  ///< the next instruction's number when time was held
    findings::Note fault_{};
};

class Hart : private HartMemory {
public:
    Hart(Arch arch, RiscvCore which, Timing timing, state::Riscv& state, state::L1& l1, DecodeCache& decoded);

    /// Reset: registers and counters become 0, CSRs get their reset values, L0 becomes empty, loads in flight are
    /// dropped.
    void reset(std::uint32_t pc);

    /// Fetches from state::Riscv::iram_base on use this memory (Wormhole's NC). It must outlive the hart.
    void attach_iram(const std::vector<std::uint8_t>& iram) {
        iram_ = &iram;
        iram_decoded_.emplace(arch_, static_cast<std::uint32_t>(iram.size()));
    }

    /// Shares the way of stores to L1 with other harts, if its costs say so. It must outlive the hart.
    void share(L1Ports& ports) {
        if (costs_.shares_l1) way_ = {&ports, L1Ports::port_of(which_)};
    }

    /// Others reach these bytes of its local memory, too: from now on its own accesses to the memory are in time with
    /// theirs, and its stores to these bytes count as changes.
    void share_local(std::uint32_t offset, std::uint32_t bytes);

    /// Reports stores to L1 in [first, end) to Bus::watched_store.
    void watch(std::uint32_t first, std::uint32_t end) { watch_first_ = first, watch_end_ = end; }

    /// Whether configuration lets it predict branches (BackendConfiguration, DISABLE_RISC_BP); at first it does.
    void let_predict(bool may) {
        if (may != may_predict_) change_prediction(may);
    }

    /// Enables calls of Bus::loaded_l1 and Bus::stored_l1; off by default.
    void report_l1(bool reports) { reports_l1_ = reports; }

    /// Executes from `time` on. `change` counts observable changes; the hart increments it when its own store changes
    /// L1.
    Stop run(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change);

    // Apart from others, until the hart comes to anything but computing, L1 and its local memory (apart.hpp).

    /// Whether it may do so now: its time depends on no other hart's, and it is not watched for repetition. `change`: as for run().
    bool may_act_apart(std::uint64_t change) const;
    /// Executes from `time` on, accesses to L1 up to the cycle `until` outside of the watched range. Returns when it would continue.
    Cycle act_apart(Apart& log, Cycle time, Cycle until);
    /// The log's next block takes the harts' common way to L1, if there is one. False: when it entered the queue there would have been no room.
    bool serve(Apart& log, L1Ports& ports) const;
    /// All of its blocks have been served.
    void keep(const Apart& log);
    /// The hart and L1 are again as before that act_apart(). Meanwhile nobody has used what it stored.
    void undo(const Apart& log);

    /// The reason for Why::illegal or Why::fetch at `pc`.
    const findings::Note& fault() const { return fault_; }

    /// True if the hart is in a loop without effect: its state (with pc and registers) recurred, no effect was
    /// observable, and `change` is unchanged. The loop continues until shared state changes.
    bool repeats(std::uint64_t change) const { return repetition_.repeats(change) && !sees_news_when_flushed(); }
    /// While repeats() holds: the rounds of its loop that end until that cycle are over. Returns when the hart goes on, at most `until`
    /// if it was not later before.
    Cycle skip_repeats(Cycle until);
    /// Whether the hart is about to begin another round of a loop that polls a device, as long as Turn::devices stays the same.
    bool polls(std::uint64_t devices) const {
        return state_.pc == poll_round_.pc() && poll_round_.is_known(l1_.bytes.data(), number_, devices);
    }
    /// Whether the last thing it did was a round of such a loop, whatever has changed since.
    bool has_polled() const { return state_.pc == poll_round_.pc() && poll_round_.ends_before(number_); }
    /// Cycles of such a round.
    Cycle poll_cycles() const { return poll_round_.cycles(); }
    /// So many of these rounds have passed.
    void pass_polls(std::uint64_t rounds) {
        repetition_.pass(rounds);
        count_rounds(rounds);
    }
    /// Freezes every clock and counter that the hart reads at this cycle; std::nullopt lets them run again. While time
    /// is held, repeats() tells whether the hart repeats itself without time passing.
    void hold_time(std::optional<Cycle> at);
    bool holds_time() const { return held_.has_value(); }
    /// See Repetition::look_early().
    void look_early_for_repetition(std::uint32_t branches, std::uint32_t most = Repetition::interval) { repetition_.look_early(branches, most); }
    /// The clock's value for the hart in this cycle.
    Cycle see_time(Cycle now);
    HartMemory save() const { return *this; }
    void restore(const HartMemory& memory) {
        static_cast<HartMemory&>(*this) = memory;
        poll_round_ = {};
    }

    /// Number of the next instruction since the last reset, and the earliest cycle in which it begins.
    std::uint64_t executed() const { return number_; }
    Cycle begins_next() const { return now_; }
    /// Words that the .ttinsn at `pc` would push at once; 1 for any other instruction.
    unsigned fused_words(std::uint32_t pc) const;

    /// Places where the loop loads, except reads of clocks; if it is not known to repeat itself, only the last such place. While time is
    /// held: since then.
    Polls polled() const { return repetition_.polled(); }

private:
    /// Result of an instruction with an effect outside the registers.
    struct Effect {
        bool done = true;
        Stop::Why why{};          ///< if not done
        std::uint32_t value = 0;  ///< of a load or CSR
        Cycle at = 0;             ///< when it was done, or is next possible
        std::uint32_t latency = 1;
    };
    /// A page of decoded instructions, and the words they were decoded from.
    struct CodePage {
        std::uint32_t address = 0;
        DecodedOp* ops = nullptr;
        const std::uint8_t* bytes = nullptr;
        std::uint32_t bias = 0;  ///< `address` less the lower bits of where the bytes are

        CodePage() = default;
        CodePage(std::uint32_t at, DecodedOp* decoded, const std::uint8_t* code)
            : address(at), ops(decoded), bytes(code), bias(at - low_bits(code)) {}
        /// Of a byte of the page, or of the one behind it.
        std::uint32_t address_of(const std::uint8_t* byte) const { return low_bits(byte) + bias; }
        static std::uint32_t low_bits(const std::uint8_t* byte) { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(byte)); }
    };
    /// `front_end`: with the time of fetches, and a predictor that learns. `apart`: during act_apart().
    template <bool timed, bool front_end, bool apart>
    class Interpreter;
    template <bool timed, bool front_end, bool apart = false>
    Stop execute(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change);
    Stop execute_timed(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change);
    Stop execute_apart(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change);
    Stop run_from_poll(Bus& bus, Turn& turn, Cycle time, std::uint64_t& change);
    void find_round(std::uint32_t pc) { poll_round_ = PollRound(arch_, {l1_.bytes.data(), l1_bytes_}, pc); }
    /// At the load of `poll_round_`: whether the turn has time for a round, which depends on nothing before it.
    bool begins_round(const Turn& turn);
    /// Executes a round. If it comes back to where it began, the next one is known.
    Stop go_round(Bus& bus, Turn& turn, std::uint64_t& change);
    /// Counts known rounds until the turn's limit. The last one of several is left to be executed, since the bus has to
    /// see the cycle of the turn's last load.
    void skip_rounds(Turn& turn, Cycle time);
    void count_rounds(std::uint64_t rounds);
    /// Changes with whatever makes a later round of a loop take another time.
    std::uint64_t front_end_changes() const { return predictor_.changes() + fetch_.misses(); }
    /// Depends on which lines L0 has and for how long.
    std::uint64_t l0_digest() const;
    /// Nothing that the hart did before delays what it does now.
    bool is_settled() const { return is_settled_at(now_); }
    bool is_settled_at(Cycle now) const {
        return latest_ <= now && store_port_.drained() <= now && retire_.next() == RetireQueue::never;
    }
    /// Makes the page of `pc` current. False if `pc` is not executable.
    bool turn_page(std::uint32_t pc);
    /// True if a line of L0 differs from L1: a later flush will show new data.
    bool sees_news_when_flushed() const;
    std::uint64_t see_number(std::uint64_t number);

    static Effect refused(Stop::Why why, Cycle at) { return {.done = false, .why = why, .at = at}; }

    Effect load(Bus& bus, const Turn& turn, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle now);
    Effect store(Bus& bus, Turn& turn, std::uint32_t address, unsigned bytes, std::uint32_t value, std::uint32_t pc,
                 Cycle now, std::uint64_t& change);
    Effect atomic(Bus& bus, Turn& turn, Op op, std::uint32_t address, std::uint32_t operand, std::uint32_t pc,
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
    /// Pushes the .ttinsn at `pc` (word `first`) and those fused with it.
    Pushed push(Bus& bus, std::uint32_t first, std::uint32_t pc, Cycle now);

    std::uint32_t load_l1(Bus& bus, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle now,
                          std::uint32_t& latency);
    // Both return whether the memory has changed.
    bool store_l1(std::uint32_t address, unsigned bytes, std::uint32_t value, Turn& turn, std::uint64_t& change);
    bool store_local(std::uint32_t offset, unsigned bytes, std::uint32_t value);
    void note_stale(Bus& bus, std::uint32_t address, std::uint32_t cached, std::uint32_t value, std::uint32_t pc,
                    Cycle now);
    void flush_l0();
    void reset_front_end();
    bool is_watched(std::uint32_t address) const { return address >= watch_first_ && address < watch_end_; }
    bool is_in_l0(std::uint32_t address) const {
        const std::uint32_t line = address - address % state::L0::line_bytes;
        return caches_ && std::any_of(state_.l0.line.begin(), state_.l0.line.end(),
                                      [&](const auto& each) { return each.address == line; });
    }
    /// Earliest start of a load of L1 at or after `now`, given the loads in flight. Hits of L0 are not in flight.
    Cycle flight_from(Cycle now, std::uint32_t address) const {
        if (!costs_.loads_in_flight.cycles) return now;
        const Cycle free = in_flight_[flights_ % in_flight_.size()];
        return free <= now || is_in_l0(address) ? now : free;
    }
    /// The same of a load from a device.
    Cycle device_flight_from(Cycle now) const {
        return costs_.counts_device_loads ? std::max(now, in_flight_[flights_ % in_flight_.size()]) : now;
    }
    void begin_flight(Cycle start, std::uint32_t latency) {
        if (!costs_.loads_in_flight.cycles || latency < costs_.l1_load.cycles) return;
        in_flight_[flights_++ % in_flight_.size()] = start + latency - 1;
    }
    void begin_device_flight(Cycle start, std::uint32_t latency) {
        if (costs_.counts_device_loads) in_flight_[flights_++ % in_flight_.size()] = start + latency - 1;
    }
    void write_csr(std::size_t place, std::uint32_t value, Cycle now, std::uint64_t number);
    /// cfg0.DisTTStatusReg has been set: the registers keep what they show now.
    void freeze_status(Bus& bus, Cycle now);
    void configure();
    void change_prediction(bool may);
    bool shares_local() const { return shared_end_ > shared_first_; }
    void cannot_execute(const DecodedOp& op);
    void note_misaligned(Bus& bus, std::uint32_t address, unsigned bytes, std::uint32_t pc, Cycle now);

    const Arch arch_;
    const RiscvCore which_;
    const Costs& costs_;
    const bool has_front_end_;
    state::Riscv& state_;
    state::L1& l1_;
    const std::uint32_t l1_bytes_;
    DecodeCache& decoded_;
    StorePort::Way way_;
    Apart* apart_ = nullptr;  ///< during act_apart()
    CodePage page_;           ///< page of the last instruction
    PollRound poll_round_;
    static constexpr std::uint32_t nowhere = 1;  ///< no pc
    std::uint32_t polled_at_ = nowhere;          ///< pc of the last load from a device, if it was steady
    const std::vector<std::uint8_t>* iram_ = nullptr;
    std::optional<DecodeCache> iram_decoded_;
};

}  // namespace tessera::riscv
