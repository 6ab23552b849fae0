// SPDX-License-Identifier: Apache-2.0
// Matrix unit (FPU): multiplication, element-wise arithmetic, moves, row validity, counters, bank release.
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/matrix/formats.hpp"
#include "units/rwc.hpp"
#include "units/state_view.hpp"

namespace tessera::units::matrix {

/// The source of most costs of the unit.
inline constexpr Source unit_page{"MatrixUnit, Instruction latency and throughput"};
inline constexpr Source legacy_latency{"MatrixUnit gives no figure; as MVMUL", Source::assumed};

/// The matrix unit's current bank of `src`.
unsigned matrix_bank(const StateView& view, state::Src src);

/// Makes the instruction wait at the gate until the matrix unit owns bank `bank` of `src`.
void need_bank(plan::Plan& plan, state::Src src, unsigned bank);

/// Records the row of SrcA that an instruction computed, for a later SHIFTXA (spec-notes E51).
void remember_src_a_row(const StateView& view, plan::Plan& plan, unsigned row);

/// Gives the matrix unit's banks back to the unpackers at the end of the instruction, unless CLR_DVALID disables
/// that. Switches to the other bank at once (SETRWC, Functional model; spec-notes B20). `which`: bit 0 SrcA, bit 1
/// SrcB.
void release_banks(const StateView& view, plan::Plan& plan, unsigned which);

/// The rest of a plan whose work reads both sources: its row of SrcA, the banks that it waits for and releases, the steps of the counters.
///
/// `flip`: as `which` of release_banks().
template <class Work>
void finish_with_both_sources(const StateView& view, plan::Plan& plan, const Work& work, unsigned flip, unsigned addr_mode) {
    remember_src_a_row(view, plan, work.a_row);
    need_bank(plan, state::Src::a, work.a_bank);
    need_bank(plan, state::Src::b, work.b_bank);
    release_banks(view, plan, flip);
    apply_addr_mod(view, plan, addr_mode);
}

/// Adds the 8x16 blocks of `rows` rows from `first` on.
void add_blocks(plan::DstBlocks& blocks, const plan::DstMap& map, unsigned first, unsigned rows);

}  // namespace tessera::units::matrix
