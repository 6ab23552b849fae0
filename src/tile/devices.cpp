// SPDX-License-Identifier: Apache-2.0
// Dispatch of accesses to devices, and the access width of each device.
#include "tile/debug_pushes.hpp"
#include "tile/device.hpp"

#include <fmt/format.h>

#include "tile/askers.hpp"

namespace tessera::tile {

namespace {

struct Handlers {
    Device device;
    LoadFunction load;
    StoreFunction store;
    bool bytewise = false;  ///< otherwise it has words only, and byte loads select from a word
};

constexpr Handlers handlers[] = {
    {Device::tdma, load_tdma, store_tdma},
    {Device::debug, load_debug, store_debug},
    {Device::pc_snapshot, load_pc_snapshot, nullptr},
    {Device::local_window, load_local_window, store_local_window, true},
    {Device::noc, load_noc, store_noc},
    {Device::overlay, load_overlay, store_overlay},
    {Device::mop, nullptr, store_mop},
    {Device::dst, load_dst, store_dst, true},
    {Device::gpr, load_gpr, store_gpr},
    {Device::instruction_buffer, nullptr, store_instruction},
    {Device::pc_buf, load_pc_buf, store_pc_buf},
    {Device::pc_buf_own, load_own_pc_buf, discard},
    {Device::tt_sync, load_tt_sync, discard},
    {Device::semaphores, load_semaphore, store_semaphore},
    {Device::mailbox, load_mailbox, store_mailbox},
    {Device::config, load_config, store_config},
};

constexpr auto by_device = [] {
    std::array<Handlers, static_cast<std::size_t>(Device::count)> result{};
    for (const auto& row : handlers) result[static_cast<std::size_t>(row.device)] = row;
    return result;
}();

constexpr const char* not_modelled = "Tessera does not model it";

/// `may`: who has the access that `user` does not have.
const char* why_no_access(User user, Users may, bool store) {
    if (!may) return store ? "no core can store there" : "no core can load from there";
    return user == User::noc ? "only RISC-V cores have this access" : "only other cores have this access";
}

}  // namespace

bool Devices::place(Request& request, bool store) {
    const Region*& recent = recent_[store][static_cast<std::size_t>(request.user)];
    if (recent && recent->where(arch).contains(request.address)) {
        request.region = recent;
        return true;
    }
    const Place found = find(arch, request.user, request.address, store);
    request.region = found.region;
    if (found.kind != Place::Kind::mapped) return false;
    recent = found.region;
    return true;
}

Reply Devices::no_place(const Request& request, bool store) {
    if (!request.region) return Reply::fail(findings::id("tile.unmapped"), "the nearest region is");
    const Users may = store ? request.region->stores : request.region->loads;
    return Reply::fail(findings::id("tile.no-access"), why_no_access(request.user, may, store));
}

Reply Devices::load(Request& request) {
    if (!place(request, false)) return no_place(request, false);
    const Handlers& device = by_device[static_cast<std::size_t>(request.region->device)];
    if (!device.load) return Reply::not_modelled(not_modelled);
    if (device.bytewise || request.bytes == 4) return device.load(*this, request);
    const unsigned shift = request.address % 4 * 8;
    Request word = request;
    word.address -= word.address % 4;
    Reply reply = device.load(*this, word);
    reply.value = reply.value >> shift & ((1u << request.bytes * 8) - 1);
    return reply;
}

Reply Devices::store(Request& request, std::uint32_t value) {
    if (!place(request, true)) return no_place(request, true);
    const Handlers& device = by_device[static_cast<std::size_t>(request.region->device)];
    if (!device.store) return Reply::not_modelled(not_modelled);
    if (!device.bytewise && request.bytes != 4)
        return Reply::fail(findings::id("tile.store-width"), "it takes stores of 32 bits only");
    return device.store(*this, request, value);
}

Reply Devices::push(Request& request, std::span<const std::uint32_t> words) {
    if (request.from_t() || place(request, true)) return push_there(request, words);
    Reply none = no_place(request, true);
    if (words.front() == 0)
        none.why = "only other cores have this access, and zeros mostly are a jump to memory without code";
    return none;
}

Reply Devices::push_there(const Request& request, std::span<const std::uint32_t> words) {
    const bool own = request.from_t();
    const unsigned thread = own ? request.thread() : request.region->index;
    if (has_debug_bus_control(*this, thread)) [[unlikely]] {
        note(request, {findings::id("tile.push-discarded"), {thread}});
        return {};
    }
    if (!port().push(request.by(), thread, words, !own)) return Reply::wait(WaitFor::instruction_fifo, thread);
    return {};
}

void Devices::wrote(By by, state::Storage storage, std::uint32_t first, std::uint32_t count) {
    ++port_->changes();
    port_->wrote(by, storage, first, count);
    if (storage != state::Storage::l1) return;
    const state::L1Access store{
        .address = first, .pc = by.pc, .bytes = static_cast<std::uint8_t>(count), .is_store = true};
    port_->accessed_l1(by.core, {&store, 1});
    port_->raise({});  // wakes the host
}

void Devices::noc_wrote(const By* by, std::uint32_t first, std::uint32_t bytes) {
    ++port_->changes();
    port_->noc_wrote(by, first, bytes);
    port_->raise({});  // wakes the host
}

Reply Devices::fail(const findings::Note& what) {
    fault_ = what;
    Diagnosis told;
    findings::describe(what, told);
    Reply reply = Reply::fail(what.id, keep(std::move(told.message)));
    reply.note = &fault_;
    return reply;
}

Asker Devices::asker_of(const Request& request) {
    if (!request.origin) return {request.by()};
    const By by = reported(*request.origin, nius.place());
    if (request.origin->is_core_of(nius.place())) return {by, true};
    return {by, true, keep(fmt::format(" (asked for by {})", asker(*request.origin)))};
}

void Devices::note(const Request& request, findings::Note what) {
    const Asker asker = asker_of(request);
    what.detail = keep(fmt::format("{}{}", what.detail, asker.detail));
    port().note(what, asker.by);
}

Reply discard(Devices&, const Request&, std::uint32_t) { return {}; }

}  // namespace tessera::tile
