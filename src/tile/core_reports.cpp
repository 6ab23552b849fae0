// SPDX-License-Identifier: Apache-2.0
#include "tile/core_reports.hpp"

#include <fmt/format.h>

#include "noc/registers.hpp"
#include "state/mmio.hpp"
#include "tile/texts.hpp"

namespace tessera::tile {

namespace {

// Accesses of FIFOs hold a core at once, where a chip buffers some (spec-notes R32).
std::string_view on_chip(const Waiting& waiting, unsigned core) {
    switch (waiting.what()) {
        case WaitFor::mailbox_room:
        case WaitFor::pc_buf_room: return " (a chip buffers some more words; how many, no document says)";
        case WaitFor::mailbox_value:
            return waiting.index() == core ? " (on a chip up to seven more instructions enter, and may store there)"
                                           : "";
        default: return "";
    }
}

}  // namespace

std::optional<engine::Cores::Polled> CoreReports::describe(unsigned core, bool repeats, Blocked& blocked) const {
    const auto& riscv = state_.riscv[core];
    if (blocked.finished) {
        blocked.in_reset = !riscv.running && !riscv.paused && !devices_.debugger.paused(core);
        if (blocked.in_reset) return {};
        blocked.place = code_.place(core, riscv.stopped_at());
        blocked.instruction = code_.instruction(riscv.stopped_at());
        return {};
    }
    blocked.waits_for += on_chip(devices_.waiting[core], core);
    std::uint32_t at = riscv.pc;
    std::optional<engine::Cores::Polled> known;
    const auto& time_loop = time_loops_[core];
    if (const auto poll = poll_of(core, repeats)) {
        at = poll->pc;
        if (blocked.waits_for.empty()) {
            blocked.waits_for = fmt::format("{}, which it polls, to change from 0x{:X}",
                                            address_text(state_.arch().arch, User(core), poll->address), poll->value);
            known = known_place(core, poll->address);
        }
    }
    if (time_loop)
        blocked.waits_for += fmt::format("{}no time that was tried ends its loop (up to cycle {})",
                                         blocked.waits_for.empty() ? "time, which it reads: " : "; ", time_loop->until);
    blocked.instruction = code_.instruction(at);
    blocked.place = code_.place(core, at);
    return known;
}

std::optional<engine::Cores::Polled> CoreReports::known_place(unsigned core, std::uint32_t address) const {
    const Arch arch = state_.arch().arch;
    const Place place = find(arch, User(core), address, false);
    if (place.kind != Place::Kind::mapped) return {};
    using Known = engine::Cores::Polled;
    if (place.region->device == Device::semaphores)
        return Known{Known::Place::semaphore, (address - place.region->where(arch).first) / 4};
    if (devices_.nius.writers().find(address)) return {};
    if (const auto word = state::mmio::stream_word(state_.arch(), address))
        return Known{Known::Place::stream_register, *word};
    return place.region->device == Device::l1 ? std::optional(Known{Known::Place::l1, address}) : std::nullopt;
}

// A core that is held in an access polls nothing: its last load came before. Any other core has loaded something before, too.
std::optional<riscv::Poll> CoreReports::poll_of(unsigned core, bool repeats) const {
    if (devices_.waiting[core].what() != WaitFor::none) return {};
    if (!repeats && !time_loops_[core] && !harts_[core].has_polled()) return {};
    return time_loops_[core] ? time_loops_[core]->poll : harts_[core].poll();
}

std::optional<CoreReports::Polled> CoreReports::polled(unsigned core, bool repeats) const {
    if (!state_.riscv[core].running) return {};
    const auto poll = poll_of(core, repeats);
    if (!poll) return {};
    const Arch arch = state_.arch().arch;
    const Place place = find(arch, User(core), poll->address, false);
    const bool is_mapped = place.kind == Place::Kind::mapped;
    const bool is_counter = is_mapped && place.region->device == Device::noc &&
                            noc::counter_at(poll->address - place.region->where(arch).first);
    return Polled{core,
                  poll->pc,
                  address_text(arch, User(core), poll->address),
                  poll->value,
                  devices_.nius.writers().find(poll->address),
                  is_counter,
                  is_mapped && place.region->device == Device::l1};
}

}  // namespace tessera::tile
