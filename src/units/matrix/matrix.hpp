// SPDX-License-Identifier: Apache-2.0
// Matrix unit (FPU): multiplication, element-wise arithmetic, moves, row validity, counters, bank release.
#pragma once

#include "plan/plan.hpp"
#include "units/behaviour.hpp"
#include "units/matrix/formats.hpp"
#include "units/rwc.hpp"
#include "units/state_view.hpp"

namespace tessera::units::matrix {

/// Where most costs of the unit come from.
inline constexpr Source unit_page{"MatrixUnit, Instruction latency and throughput"};
inline constexpr Source legacy_latency{"MatrixUnit gives no figure; as MVMUL", true};

/// Bank of `src` that the matrix unit is at.
unsigned matrix_bank(const StateView& view, state::Src src);

/// The instruction waits at the gate until bank `bank` of `src` is the matrix unit's.
void need_bank(plan::Plan& plan, state::Src src, unsigned bank);

/// Notes the SrcA row that an instruction computed, for a SHIFTXA that comes after it (spec-notes E51).
void remember_src_a_row(const StateView& view, plan::Plan& plan, unsigned row);

/// Gives the matrix unit's banks back to the unpackers when the instruction ends, unless CLR_DVALID disables that, and
/// turns to the other bank at once (SETRWC, Functional model; spec-notes B20). `which`: bit 0 SrcA, bit 1 SrcB.
void release_banks(const StateView& view, plan::Plan& plan, unsigned which);

/// Adds the 8x16 blocks of `rows` rows from `first` on.
void add_blocks(plan::DstBlocks& blocks, const plan::DstMap& map, unsigned first, unsigned rows);

}  // namespace tessera::units::matrix
