// SPDX-License-Identifier: Apache-2.0
// All that the coprocessor remembers. A copy of a State is one that can go on; a SavedState can be gone back to, and costs less.
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "registers/field.hpp"
#include "state/cells.hpp"
#include "state/generations.hpp"
#include "state/memories.hpp"
#include "state/riscv.hpp"
#include "state/tile.hpp"
#include "tessera/kernels.hpp"

namespace tessera::state {

/// All but L1.
class StateBesideL1 {
public:
    explicit StateBesideL1(Arch arch);

    const ArchDescription& arch() const { return *arch_; }

    std::uint32_t operator[](Cell cell) const { return cells_[index(cell)]; }
    /// All of them, by number.
    const std::array<std::uint32_t, cells::total>& all_cells() const { return cells_; }

    /// Changes a cell, and keeps what depends on configuration in step.
    void write(Cell cell, std::uint32_t value) {
        const unsigned i = index(cell);
        const std::uint32_t kept = value & masks_->of[i];
        if (cells_[i] == kept) return;
        cells_[i] = kept;
        const unsigned group = groups_->of[i];
        ++generations[group];
        configured += group != 0;
    }

    /// This cell and those behind it, for a unit that keeps data there: they belong to no group and keep all of their bits.
    std::uint32_t* data(Cell first) { return &cells_[index(first)]; }

    /// A configuration field as `thread` sees it: its own thread configuration, or the bank it has chosen.
    std::uint32_t config(unsigned thread, const registers::Field& field) const;

    /// The configuration bank that `thread` has chosen (CFG_STATE_ID).
    unsigned config_bank(unsigned thread) const;

    std::array<std::array<SrcBank, 2>, 2> src;  ///< [Src][bank]
    Dst dst;
    LRegs lregs;
    std::array<Riscv, riscv_cores> riscv;  ///< by RiscvCore
    std::vector<std::uint8_t> iram;        ///< RISC-V NC's instruction RAM (Wormhole)
    Tile tile;
    /// Whether unpackers and packers honour DEST_ACCESS_CFG, as every other user of Dst does (spec-notes B22). Decided
    /// before anything runs.
    bool movers_map_dst = true;
    Generations generations{};
    std::uint64_t configured = 0;  ///< all of these but the first: what belongs to no group

    SrcBank& bank(Src which, unsigned i) { return src[static_cast<unsigned>(which)][i]; }
    const SrcBank& bank(Src which, unsigned i) const { return src[static_cast<unsigned>(which)][i]; }

private:
    const ArchDescription* arch_;
    const CellGroups* groups_;
    const CellMasks* masks_;
    std::array<std::uint32_t, cells::total> cells_{};
};

/// A State that is set aside.
struct SavedState {
    StateBesideL1 rest;
    L1::Saved l1;
};

class State : public StateBesideL1 {
public:
    explicit State(Arch arch) : StateBesideL1(arch), l1(describe(arch).l1_bytes) {}

    L1 l1;

    /// Costs as much as has been written to L1 since it was saved or restored last.
    SavedState save() { return {*this, l1.save()}; }
    // What it was, what another one is, and what a new one is: of the same architecture. Spans of its memories stay what they are.
    void restore(const SavedState& saved) {
        become(saved.rest);
        l1.restore(saved.l1);
    }
    void become(const State& other) {
        become(static_cast<const StateBesideL1&>(other));
        l1 = other.l1;
    }
    void reset() {
        become(*std::make_unique<StateBesideL1>(arch().arch));
        l1.reset();
    }

private:
    void become(const StateBesideL1& other) {
        const Generations before = generations;
        const std::uint64_t then = configured;
        StateBesideL1::operator=(other);
        // What is kept of configuration may be of other words with the same numbers: it is looked at again.
        for (std::size_t i = 0; i < before.size(); ++i) generations[i] = std::max(generations[i], before[i]) + 1;
        configured = std::max(configured, then) + 1;
    }
};

}  // namespace tessera::state
