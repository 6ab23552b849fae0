// SPDX-License-Identifier: Apache-2.0
// PACR_SETREG: ends the output streams, after all earlier PACRs (PACR_SETREG (Wormhole); spec-notes E43). Its target
// register is outside the coprocessor, at a base that TDMA-RISC sets.
#include "units/behaviour.hpp"
#include "units/packer/streams.hpp"

namespace tessera::units::packer {

namespace {

constexpr auto last = isa::operand("PACR_SETREG", "Last");
constexpr auto flush = isa::operand("PACR_SETREG", "Flush");
constexpr auto pack_sel = isa::operand("PACR_SETREG", "PackSel");

void resolve_pacr_setreg(const StateView& view, plan::Plan& plan) {
    plan.note(findings::id("pack.decided"), {}, "a register written outside of the coprocessor (PACR_SETREG)");
    const std::uint32_t packers = view.blackhole() || !view[pack_sel] ? 1 : view[pack_sel];
    const bool ends = view[flush] || view[last];
    std::unique_ptr<Setup> fresh;
    const Setup& setup = setup_of(view, 0, fresh);
    plan::PackWork work;
    for (unsigned i = 0; i < view.arch().packers; ++i) {
        if (!(packers >> i & 1)) continue;
        plan.pipes |= bit(plan::Pipe(static_cast<unsigned>(plan::Pipe::packer0) + i));
        if (!ends) continue;
        if (setup.packers[i].fault) {
            plan.fault = setup.packers[i].fault;
            return;
        }
        auto& stream = work.stream[work.streams++];
        stream.packer = static_cast<std::uint8_t>(i);
        stream.thread = static_cast<std::uint8_t>(view.thread);
        stream.conversion = setup.packers[i].conversion;
        stream.source = plan::PackWork::Source::zeros;
        stream.flush = true;
        stream.last = view[last];
        stream.header = setup.packers[i].header;
        stream.ends_row = true;
        if (!continue_streams(view, plan, setup.packers[i], 0, stream)) return;
    }
    plan.work = work;
}

constexpr Behaviour behaviours[] = {
    {isa::mnemonic("PACR_SETREG"), resolve_pacr_setreg},
};

}  // namespace

std::span<const Behaviour> pacr_setreg_rules() { return behaviours; }

}  // namespace tessera::units::packer
