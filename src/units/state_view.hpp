// SPDX-License-Identifier: Apache-2.0
// The read-only view of the state for resolve functions. It records which cells are read, which is exactly what the
// plan captures.
#pragma once

#include <optional>
#include <span>

#include "isa/instruction.hpp"
#include "plan/seen.hpp"
#include "state/state.hpp"
#include "units/costs/costs.hpp"
#include "units/reads.hpp"

namespace tessera::units {

/// The cells that a resolve reads, and its remarks while a listener is attached.
class Recorder {
public:
    explicit Recorder(bool in_words = false) : in_words_(in_words) {}

    void add(state::Cell cell) { seen_.cells.push_back(cell); }
    [[gnu::noinline]] void add(const registers::Field& field, const registers::FieldPosition& at, state::Cell cell) {
        seen_.fields.push_back({field.space, at, cell});
    }
    void report(std::string_view topic, std::string_view name, std::string value) {
        seen_.remarks.push_back({std::string(topic), std::string(name), std::move(value)});
    }
    void add_fault(const findings::Note& fault) { seen_.more_faults.push_back(fault); }
    const std::vector<state::Cell>& cells() const { return seen_.cells; }
    const plan::Seen& seen() const { return seen_; }
    bool in_words() const { return in_words_; }

private:
    plan::Seen seen_;
    bool in_words_;
};

class SlotTables;

/// The operands that SFPLOADMACRO substitutes in an instruction (its page, Functional model).
struct MacroStep {
    std::uint8_t b = 0, c = 0, d = 0;  ///< VB, VC and VD; 16 is the register for such steps only
    std::uint8_t mode = 0;             ///< Mod0 of an SFPSTORE
    std::uint16_t address = 0;         ///< in Dst, of an SFPSTORE
};

class StateView {
public:
    /// `slots` may be null; then nothing is memoised, as with a recorder.
    StateView(const isa::Instruction& what, unsigned whose, const state::State& state, const CostTable& cost_table,
              SlotTables* slots, Recorder* recorder = nullptr)
        : instruction(what),
          thread(whose),
          costs(cost_table),
          state_(state),
          slots_(recorder ? nullptr : slots),
          recorder_(recorder) {}
    /// The same view, with its reads recorded in `reads`.
    StateView(const StateView& other, Reads& reads) : StateView(other) { note_in(reads); }
    /// From now on its reads are recorded in `reads`.
    void note_in(Reads& reads) {
        reads_ = &reads;
        bank_.reset();
    }

    const isa::Instruction& instruction;
    const unsigned thread;
    const CostTable& costs;
    const MacroStep* macro_step = nullptr;  ///< null: the instruction comes from a thread

    const state::ArchDescription& arch() const { return state_.arch(); }
    bool blackhole() const { return arch().arch == Arch::blackhole; }

    /// An operand of the instruction.
    std::uint32_t operator[](const isa::Operand& operand) const { return instruction[operand]; }

    std::uint32_t operator[](state::Cell cell) const { return read(cell, Extent::plan); }
    /// All cells of a block, of fewer than 256.
    std::span<const std::uint32_t> operator[](const state::CellBlock& block) const {
        if (is_noted()) note(block);
        return state_[block];
    }
    /// Reads a cell that only gives the work's place: its address in L1, or its plane of the tile. If nothing else
    /// differs, a memoised plan is moved (units::move). The plan may depend on the cell only in ways that move()
    /// adapts.
    std::uint32_t place(state::Cell cell) const { return read(cell, Extent::place); }
    /// Reads a counter of `mask` that the instruction only adds to. Nothing else, not even the amount, may depend on
    /// it. The effect has the sum within `mask`, and units::move() updates it.
    std::uint32_t count(state::Cell cell, std::uint32_t mask) const { return read(cell, Extent::count, mask) & mask; }

    /// Reads a cell that decides only about remarks; it is not captured.
    std::uint32_t remark(state::Cell cell) const {
        if (reads_) reads_->remarked.push_back(cell);
        return state_[cell];
    }

    /// A configuration field as the thread sees it; absent fields read as 0.
    std::uint32_t operator[](const registers::Field& field) const { return read(field, Extent::plan); }
    std::uint32_t place(const registers::Field& field) const { return read(field, Extent::place); }

    /// Word `offset` after a field's own word, for registers that are arrays of words.
    std::uint32_t word(const registers::Field& field, unsigned offset) const { return (*this)[word_of(field, offset)]; }
    std::uint32_t place_of_word(const registers::Field& field, unsigned offset) const {
        return place(word_of(field, offset));
    }

    /// The configuration bank selected by the thread.
    unsigned bank() const {
        if (bank_ && !recorder_) return *bank_;
        constexpr auto state_id = registers::field("CFG_STATE_ID_StateID");
        const auto& at = state_id[arch().arch];
        const state::Cell cell = state::cells::thread_config(thread, at.addr32);
        return bank_.emplace(extract(state_id, at, cell));
    }

    std::uint32_t rwc(state::Rwc counter) const { return (*this)[state::cells::rwc(thread, counter)]; }
    /// Some bits of a cell.
    std::uint32_t bits(state::Cell cell, std::uint32_t mask) const { return read(cell, Extent::plan, mask) & mask; }
    /// Whether rows of Dst are places. In a run with time they are not: its checks ask for the accesses of each place.
    bool rows_are_places() const { return costs.timing == Timing::functional; }

    /// Whether the 16-bit view of Dst is the high halves of its 32-bit view.
    bool upper_dst() const { return ((*this)[state::cells::feature_disable] & state::cells::upper_dst) != 0; }

    /// Set before a run only, so plans do not capture it.
    bool maps_dst() const { return state_.maps_dst; }

    SlotTables* slots() const { return slots_; }
    /// Null unless a listener wants the resolve explained in words.
    Recorder* listener() const { return recorder_ && recorder_->in_words() ? recorder_ : nullptr; }
    const state::Generations& generations() const { return state_.generations; }
    Reads* reads() const { return reads_; }
    bool in_l1(std::uint64_t address, std::uint64_t bytes) const { return state_.l1.contains(address, bytes); }
    /// State other than cells: contents of L1 (row starts of compressed tiles), cores. A plan that reads it is not
    /// memoised.
    const state::State& contents() const {
        if (reads_) reads_->memory = true;
        return state_;
    }

private:
    using Extent = Reads::Extent;

    state::Cell word_of(const registers::Field& field, unsigned offset) const {
        return state::cells::config(arch(), bank(), field[arch().arch].addr32 + offset);
    }
    std::uint32_t read(state::Cell cell, Extent extent, std::uint32_t mask = ~std::uint32_t{0}) const {
        if (is_noted()) note(cell, mask, extent);
        return state_[cell];
    }
    std::uint32_t read(const registers::Field& field, Extent extent) const {
        const auto& at = field[arch().arch];
        if (!at.present()) return 0;
        const state::Cell cell = field.space == registers::Space::thread
                                     ? state::cells::thread_config(thread, at.addr32)
                                     : state::cells::config(arch(), bank(), at.addr32);
        return extract(field, at, cell, extent);
    }
    std::uint32_t extract(const registers::Field& field, const registers::FieldPosition& at, state::Cell cell,
                          Extent extent = Extent::plan) const {
        const std::uint32_t value = at.extract(state_[cell]);
        if (recorder_) [[unlikely]] recorder_->add(field, at, cell);
        if (is_noted()) note(cell, at.mask() << at.lo, extent);
        return value;
    }
    /// Whether reads are noted.
    bool is_noted() const { return reads_ || recorder_; }
    void note(state::Cell cell, std::uint32_t mask, Extent extent) const;
    void note(const state::CellBlock& block) const;
    void record(state::Cell cell, std::uint32_t mask, Extent extent) const;

    const state::State& state_;
    SlotTables* slots_;
    Recorder* recorder_;
    Reads* reads_ = nullptr;
    mutable std::optional<unsigned> bank_;  ///< once it has been read: each field of configuration needs it
};

}  // namespace tessera::units
