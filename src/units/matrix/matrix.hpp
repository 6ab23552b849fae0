// SPDX-License-Identifier: Apache-2.0
// Matrix unit (FPU): multiplication, element-wise arithmetic, moves, row validity, counters, bank release.
#pragma once

#include "units/matrix/formats.hpp"
#include "units/resolve.hpp"
#include "units/rwc.hpp"

namespace tessera::units::matrix {

void resolve_mova2d(const Look&, plan::Plan&);
void resolve_movb2d(const Look&, plan::Plan&);
void resolve_movd2a(const Look&, plan::Plan&);
void resolve_movd2b(const Look&, plan::Plan&);
void resolve_movb2a(const Look&, plan::Plan&);
void resolve_incrwc(const Look&, plan::Plan&);
void resolve_mvmul(const Look&, plan::Plan&);
void resolve_elwmul(const Look&, plan::Plan&);
void resolve_trnspsrcb(const Look&, plan::Plan&);
void resolve_zerosrc(const Look&, plan::Plan&);
void resolve_elwadd(const Look&, plan::Plan&);
void resolve_elwsub(const Look&, plan::Plan&);
void resolve_zeroacc(const Look&, plan::Plan&);
void resolve_setrwc(const Look&, plan::Plan&);
void resolve_cleardvalid(const Look&, plan::Plan&);
void resolve_dotpv(const Look&, plan::Plan&);
void resolve_gapool(const Look&, plan::Plan&);
void resolve_gmpool(const Look&, plan::Plan&);
void resolve_shiftxa(const Look&, plan::Plan&);
void resolve_shiftxb(const Look&, plan::Plan&);
void resolve_gatesrcrst(const Look&, plan::Plan&);
void resolve_clrexphist(const Look&, plan::Plan&);
void resolve_movdbga2d(const Look&, plan::Plan&);
void resolve_movdbgb2d(const Look&, plan::Plan&);
void resolve_conv3s1(const Look&, plan::Plan&);
void resolve_conv3s2(const Look&, plan::Plan&);
void resolve_mfconv3s1(const Look&, plan::Plan&);
void resolve_apool3s1(const Look&, plan::Plan&);
void resolve_apool3s2(const Look&, plan::Plan&);
void resolve_mpool3s1(const Look&, plan::Plan&);
void resolve_mpool3s2(const Look&, plan::Plan&);

/// Bank of `src` that the matrix unit is at.
unsigned matrix_bank(const Look& look, state::Src src);

/// The instruction waits at the gate until bank `bank` of `src` is the matrix unit's.
void need_bank(plan::Plan& plan, state::Src src, unsigned bank);

/// Notes the SrcA row that an instruction computed, for a SHIFTXA that comes after it (spec-notes E41).
void remember_src_a_row(const Look& look, plan::Plan& plan, unsigned row);

/// Gives the matrix unit's banks back to the unpackers when the instruction ends, unless CLR_DVALID disables that, and
/// turns to the other bank at once (SETRWC, Functional model; spec-notes B20). `which`: bit 0 SrcA, bit 1 SrcB.
void release_banks(const Look& look, plan::Plan& plan, unsigned which);

/// Adds the 8x16 blocks of `rows` rows from `first` on.
void add_blocks(plan::DstBlocks& blocks, const plan::DstMap& map, unsigned first, unsigned rows);

}  // namespace tessera::units::matrix
