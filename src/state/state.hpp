// SPDX-License-Identifier: Apache-2.0
// All state of the coprocessor. A copy of a State can run; a SavedState is a cheaper snapshot to restore.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "registers/field.hpp"
#include "state/cells.hpp"
#include "state/generations.hpp"
#include "state/memories.hpp"
#include "state/riscv.hpp"
#include "state/tile.hpp"
#include "tessera/kernels.hpp"

namespace tessera::state {

/// Everything but L1.
class StateBesideL1 {
public:
    explicit StateBesideL1(Arch arch);

    const ArchDescription& arch() const { return *arch_; }

    std::uint32_t operator[](Cell cell) const { return cells_[index(cell)]; }
    std::span<const std::uint32_t> operator[](const CellBlock& block) const { return {cells_.data() + block.first, block.count}; }
    /// All cells, by number.
    const std::array<std::uint32_t, cells::total>& all_cells() const { return cells_; }

    /// Changes a cell, and raises the generation of its group.
    void write(Cell cell, std::uint32_t value) {
        const unsigned i = index(cell);
        const std::uint32_t kept = value & masks_->of[i];
        if (cells_[i] == kept) return;
        cells_[i] = kept;
        const unsigned group = groups_->of[i];
        ++generations[group];
        configured += group != 0;
    }

    /// Raw access to a unit's buffer cells from this one on. They belong to no group and have no mask.
    std::uint32_t* data(Cell first) { return &cells_[index(first)]; }

    /// A configuration field as `thread` sees it: in its own thread configuration, or in its selected bank.
    std::uint32_t config(unsigned thread, const registers::Field& field) const;

    /// The configuration bank selected by `thread` (CFG_STATE_ID).
    unsigned config_bank(unsigned thread) const;

    std::array<std::array<SrcBank, 2>, 2> src;  ///< [Src][bank]
    Dst dst;
    LRegs lregs;
    std::array<Riscv, riscv_cores> riscv;  ///< by RiscvCore
    std::vector<std::uint8_t> iram;        ///< RISC-V NC's instruction RAM (Wormhole)
    Tile tile;
    /// Whether the rows of Dst are remapped and swizzled as DEST_ACCESS_CFG has it (spec-notes B22). Set before a run
    /// only.
    bool maps_dst = true;
    Generations generations{};
    std::uint64_t configured = 0;  ///< rises with every write to a word of a group

    SrcBank& bank(Src which, unsigned i) { return src[static_cast<unsigned>(which)][i]; }
    const SrcBank& bank(Src which, unsigned i) const { return src[static_cast<unsigned>(which)][i]; }

private:
    const ArchDescription* arch_;
    const CellGroups* groups_;
    const CellMasks* masks_;
    std::array<std::uint32_t, cells::total> cells_{};
};

/// A snapshot of a State.
struct SavedState {
    StateBesideL1 rest;
    L1::Saved l1;
};

class State : public StateBesideL1 {
public:
    explicit State(Arch arch) : StateBesideL1(arch), l1(describe(arch).l1_bytes) {}

    L1 l1;

    /// Costs time for the pages of L1 written since the last save() or restore() only.
    SavedState save() { return {*this, l1.save()}; }
    // restore(), become() and reset() need the same architecture. Spans of the memories stay valid.
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
        // Equal generations of both could stand for different words, so all guards must fail.
        for (std::size_t i = 0; i < before.size(); ++i) generations[i] = std::max(generations[i], before[i]) + 1;
        configured = std::max(configured, then) + 1;
    }
};

}  // namespace tessera::state
