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

std::vector<engine::Cores::Polled> CoreReports::describe(unsigned core, bool repeats, Blocked& blocked) const {
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
    std::vector<engine::Cores::Polled> known;
    const auto& time_loop = time_loops_[core];
    const riscv::Polls polls = polls_of(core, repeats);
    if (!polls.all().empty()) {
        at = polls.all().back().pc;
        if (blocked.waits_for.empty()) {
            blocked.waits_for = polled_text(core, polls);
            for (const auto& poll : polls.all())
                if (auto place = known_place(core, poll.address)) known.push_back(std::move(*place));
        }
    }
    if (time_loop)
        blocked.waits_for += fmt::format("{}no time that was tried ends its loop (up to cycle {})",
                                         blocked.waits_for.empty() ? "time, which it reads: " : "; ", time_loop->until);
    blocked.instruction = code_.instruction(at);
    blocked.place = code_.place(core, at);
    return known;
}

std::string CoreReports::polled_text(unsigned core, const riscv::Polls& polls) const {
    const auto name = [&](const riscv::Poll& poll) {
        return address_text(state_.arch().arch, User(core), poll.address);
    };
    if (polls.all().size() == 1)
        return fmt::format("{}, which it polls, to change from 0x{:X}", name(polls.all()[0]), polls.all()[0].value);
    std::vector<std::string> each;
    for (const auto& poll : polls.all()) each.push_back(fmt::format("{} from 0x{:X}", name(poll), poll.value));
    return fmt::format("one of the places that it polls to change: {}{}", fmt::join(each, ", "),
                       polls.has_more() ? ", and others" : "");
}

std::optional<engine::Cores::Polled> CoreReports::known_place(unsigned core, std::uint32_t address) const {
    const Arch arch = state_.arch().arch;
    const Place place = find(arch, User(core), address, false);
    if (place.kind != Place::Kind::mapped) return {};
    using Known = engine::Cores::Polled;
    const auto known = [&](Known::Place what, std::uint32_t at) {
        return Known{what, at, address_text(arch, User(core), address)};
    };
    if (place.region->device == Device::semaphores)
        return known(Known::Place::semaphore, (address - place.region->where(arch).first) / 4);
    if (devices_.nius.writers().find(address)) return {};
    if (const auto word = state::mmio::stream_word(state_.arch(), address))
        return known(Known::Place::stream_register, *word);
    return place.region->device == Device::l1 ? std::optional(known(Known::Place::l1, address)) : std::nullopt;
}

// A core that is held in an access polls nothing: its last load came before. Any other core has loaded something before, too.
riscv::Polls CoreReports::polls_of(unsigned core, bool repeats) const {
    if (devices_.waiting[core].what() != WaitFor::none) return {};
    if (!repeats && !time_loops_[core] && !harts_[core].has_polled()) return {};
    return time_loops_[core] ? time_loops_[core]->polls : harts_[core].polled();
}

std::vector<CoreReports::Polled> CoreReports::polled(unsigned core, bool repeats) const {
    if (!state_.riscv[core].running) return {};
    std::vector<Polled> all;
    const Arch arch = state_.arch().arch;
    const riscv::Polls polls = polls_of(core, repeats);
    for (const riscv::Poll& poll : polls.all()) {
        const Place place = find(arch, User(core), poll.address, false);
        const bool is_mapped = place.kind == Place::Kind::mapped;
        const bool is_counter = is_mapped && place.region->device == Device::noc &&
                                noc::counter_at(poll.address - place.region->where(arch).first);
        all.push_back({core, poll.pc, address_text(arch, User(core), poll.address), poll.value,
                       devices_.nius.writers().find(poll.address), is_counter,
                       is_mapped && place.region->device == Device::l1});
    }
    return all;
}

}  // namespace tessera::tile
