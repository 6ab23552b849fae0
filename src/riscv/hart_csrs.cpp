// SPDX-License-Identifier: Apache-2.0
#include "riscv/hart.hpp"

namespace tessera::riscv {

using findings::id;

namespace {

using Kind = Csr::Kind;

std::uint64_t with_half(std::uint64_t whole, std::uint32_t half, bool upper) {
    return upper ? std::uint64_t{half} << 32 | (whole & 0xFFFF'FFFF) : whole >> 32 << 32 | half;
}

}  // namespace

void Hart::configure() {
    const Cfg0 cfg0(state_.csr[csr("cfg0")]);
    const bool thread = which_ != RiscvCore::b && which_ != RiscvCore::nc;
    caches_ = costs_.l0_hit.cycles && !cfg0.DisLowCash;
    flushes_ = !cfg0.DisLowCachePeriodicFlush;
    flush_after_ = flushes_ ? costs_.periodic_flush.cycles : never;
    predicts_ = may_predict_ && !cfg0.DisBp;
    serialises_ = !cfg0.DisCsrSync;
    fences_all_ = (state_.csr[csr("pmacfg0")] | state_.csr[csr("pmacfg1")]) & 1;
    plain_l1_ = fences_all_ ? 0 : l1_bytes_;
    plain_local_ = fences_all_ || shares_local() ? 0 : static_cast<std::uint32_t>(state_.local.size());
    plain_devices_ = fences_all_ || shares_local() ? 0 : -state::Riscv::local_base;
    fuses_ = thread && !cfg0.DisTriscCache ? costs_.fused.cycles : 1;
    store_port_.merge_within(costs_.coalesces && !cfg0.DisStMerge ? cfg0.StMergeTimer : 0);
    if (!caches_) flush_l0();
}

void Hart::change_prediction(bool may) {
    may_predict_ = may;
    // The recorded rounds include their time.
    repetition_.broken();
    poll_round_ = {};
    configure();
}

void Hart::write_csr(std::size_t place, std::uint32_t value, Cycle now, std::uint64_t number) {
    const Csr& row = csrs[place];
    switch (row.kind) {
        case Kind::cycle:
        case Kind::cycleh: cycle_base_ = with_half(now + cycle_base_, value, row.kind == Kind::cycleh) - now; break;
        case Kind::instret:
        case Kind::instreth:  // written behind the instruction's own increment (Zicsr, CSR Access Ordering)
            instret_base_ = with_half(number + 1 + instret_base_, value, row.kind == Kind::instreth) - (number + 1);
            break;
        default: state_.csr[place] = (state_.csr[place] & ~row.writable) | (value & row.writable);
    }
    repetition_.broken();
    configure();
}

Hart::Effect Hart::access_csr(Bus& bus, const Turn& turn, const DecodedOp& op, std::uint32_t operand, Cycle now,
                              std::uint64_t number) {
    const auto fail = [&](const findings::Note& fault) {
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        fault_ = fault;
        return refused(Stop::Why::illegal, now);
    };
    const auto place = find_csr(static_cast<std::uint32_t>(op.imm));
    if (!place) return fail({id("riscv.illegal"), {state_.pc, op.word}, "; it has no CSR of this number"});
    const Csr& row = csrs[*place];
    const bool thread = which_ != RiscvCore::b && which_ != RiscvCore::nc;
    const bool follows_hardware = !Cfg0(state_.csr[csr("cfg0")]).DisTTStatusReg;
    const bool reads = op.rd != 0 || (op.op != Op::csrrw && op.op != Op::csrrwi);
    if (row.kind == Kind::stream && thread && follows_hardware && reads)
        return fail({id("tile.not-modelled"), {}, "a T core reads a CSR tt_cfg_sstatus: which overlay stream it shows, no document says"});

    Effect effect{.at = now};
    switch (row.kind) {
        case Kind::cycle: effect.value = static_cast<std::uint32_t>(see_time(now) + cycle_base_); break;
        case Kind::cycleh: effect.value = static_cast<std::uint32_t>((see_time(now) + cycle_base_) >> 32); break;
        case Kind::instret: effect.value = static_cast<std::uint32_t>(see_number(number) + instret_base_); break;
        case Kind::instreth:
            effect.value = static_cast<std::uint32_t>((see_number(number) + instret_base_) >> 32);
            break;
        default:
            effect.value = state_.csr[*place];
            if (row.kind == Kind::status && follows_hardware) {
                if (now > turn.limit) return refused(Stop::Why::limit, now);
                effect.value = bus.status_csr(row.number, now);
                repetition_.loaded(state_.pc, row.number, effect.value);
            }
    }

    const bool immediate = op.op == Op::csrrwi || op.op == Op::csrrsi || op.op == Op::csrrci;
    const std::uint32_t bits = immediate ? op.rs1 : operand;
    std::uint32_t written = bits;
    if (op.op != Op::csrrw && op.op != Op::csrrwi) {
        if (op.rs1 == 0) return effect;
        written = op.op == Op::csrrs || op.op == Op::csrrsi ? effect.value | bits : effect.value & ~bits;
    }
    if (*place == csr("cfg0") && follows_hardware && Cfg0(written).DisTTStatusReg) {
        if (now > turn.limit) return refused(Stop::Why::limit, now);
        freeze_status(bus, now);
    }
    write_csr(*place, written, now, number);
    return effect;
}

void Hart::freeze_status(Bus& bus, Cycle now) {
    for (std::size_t i = 0; i < std::size(csrs); ++i)
        if (csrs[i].kind == Kind::status) state_.csr[i] = bus.status_csr(csrs[i].number, now);
}

}  // namespace tessera::riscv
