// SPDX-License-Identifier: Apache-2.0
#include "tile/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tile/l1_word.hpp"
#include "tile/texts.hpp"

namespace tessera::tile {

namespace {

std::string list(const std::array<bool, riscv_cores>& cores) {
    std::string text;
    for (std::size_t i = 0; i < riscv_cores; ++i)
        if (cores[i]) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(static_cast<RiscvCore>(i)));
    return text;
}

std::string text_of(const HostStep& step) {
    switch (step.what) {
        case HostStep::What::nothing: return "go on";
        case HostStep::What::write: return fmt::format("write {} bytes to 0x{:X}", step.bytes.size(), step.address);
        case HostStep::What::read: return fmt::format("read {} bytes from 0x{:X}", step.size, step.address);
        case HostStep::What::reset: return fmt::format("put {} into reset", list(step.cores));
        case HostStep::What::start: break;
    }
    return fmt::format("take {} out of reset", list(step.cores));
}

}  // namespace

Cycle Host::due(Cycle now) const {
    if (!waits()) return engine::never;
    const HostStep& step = steps_[memory_.next];
    if (step.when && !step.when->holds(l1_word(devices_.state.l1, step.when->address))) return engine::never;
    return std::max(now, step.at.value_or(now));
}

void Host::act(Cycle now, engine::Port& port) {
    const HostStep& step = steps_[memory_.next];
    if (step.when) port.host_saw(step.when->address);
    auto& l1 = devices_.state.l1;
    switch (step.what) {
        case HostStep::What::nothing: break;
        case HostStep::What::write: {
            const auto size = static_cast<std::uint32_t>(step.bytes.size());
            std::memcpy(l1.write(step.address, size), step.bytes.data(), size);
            port.host_wrote(step.address, size);
            break;
        }
        case HostStep::What::read: {
            const auto* first = reinterpret_cast<const std::byte*>(l1.bytes.data()) + step.address;
            port.host_read({memory_.next, now, step.address, {first, first + step.size}});
            break;
        }
        case HostStep::What::reset:
        case HostStep::What::start: host_reset(devices_, step.cores, step.what == HostStep::What::start, now); break;
    }
    ++memory_.next;
    memory_.since = now;
}

engine::Cores::HostAccess Host::access(std::uint32_t address, std::optional<std::uint32_t> stored, Cycle now) {
    const noc::Origin host{.tile = devices_.nius.place(), .by_host = true};
    Request request{.user = User::noc, .address = address, .at = now, .origin = &host};
    const Reply reply = stored ? devices_.store(request, *stored) : devices_.load(request);
    if (reply.kind == Reply::Kind::done) return {reply.value, {}};
    if (reply.kind == Reply::Kind::wait) return {.wrong = target_is_busy};
    if (!request.region) return {.wrong = fault_text(devices_.arch, request, stored ? "stores to" : "loads from", reply.why)};
    return {.wrong = fmt::format("{}: {}", in_region(devices_.arch, *request.region, address), reply.why)};
}

std::optional<Blocked> Host::describe() const {
    if (!waits()) return std::nullopt;
    const HostStep& step = steps_[memory_.next];
    Blocked host;
    host.who = "host";
    host.since = memory_.since;
    host.instruction = fmt::format("step {} of {}: {}", memory_.next + 1, steps_.size(), text_of(step));
    host.place = step.place;
    if (step.when) {
        const std::uint32_t word = l1_word(devices_.state.l1, step.when->address);
        host.waits_for = fmt::format("the word at 0x{:X} to be 0x{:X}", step.when->address, step.when->value);
        if (step.when->mask != 0xFFFF'FFFF) host.waits_for += fmt::format(" under the mask 0x{:X}", step.when->mask);
        host.waits_for += fmt::format("; it is 0x{:X}", word);
    }
    if (step.at)
        host.waits_for += fmt::format("{}cycle {}", host.waits_for.empty() ? "" : ", and for ", *step.at);
    if (host.waits_for.empty()) host.waits_for = Blocked::nothing;
    return host;
}

}  // namespace tessera::tile
