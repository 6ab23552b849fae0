// SPDX-License-Identifier: Apache-2.0
// The devices of a tile, at a port that only records requests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tile/device.hpp"

namespace tessera::test {

class RecordingPort final : public engine::Port {
public:
    explicit RecordingPort(Arch arch) : state_(arch) {}

    struct Asked {
        std::string what;
        unsigned core = 0, a = 0, b = 0;
        std::uint32_t value = 0;
        friend bool operator==(const Asked&, const Asked&) = default;
    };
    std::vector<Asked> asked;
    std::vector<findings::Note> notes;
    std::vector<std::pair<RiscvCore, bool>> cores;  ///< started or halted
    std::vector<std::pair<unsigned, hazards::CoreRegion>> read_backs;
    struct AskedInOrder {
        unsigned core = 0;
        state::Resources resources = 0;
        bool store = false;
        friend bool operator==(const AskedInOrder&, const AskedInOrder&) = default;
    };
    AskedInOrder asked_in_order;  ///< the last time
    std::optional<findings::Note> refused;  ///< for each store to a register
    bool room = true, idle_now = true, expanded_now = true, stored_now = true, ordered = true;
    unsigned raised = 0, l1_bytes = 0;

    state::State& state() override { return state_; }
    bool push(By by, unsigned thread, std::span<const std::uint32_t> words, bool expanded) override {
        if (!room) return false;
        for (const auto word : words) asked.push_back({expanded ? "push expanded" : "push", by.core, thread, 0, word});
        return true;
    }
    bool push_by_debug_bus(const Asker& asker, unsigned thread, std::uint32_t word) override {
        if (!room) return false;
        asked.push_back({"push by debug bus", asker.by.core, thread, asker.is_request, word});
        return true;
    }
    Fifo fifo(unsigned thread) override { return {!room && thread == 0, thread != 1 || idle_now}; }
    bool in_order(By by, state::Resources resources, bool store) override {
        asked_in_order = {by.core, resources, store};
        return ordered || !resources;
    }
    static Asked stored(unsigned core, state::Cell cell, plan::CellOp op, std::uint32_t value) {
        return {"store", core, state::index(cell), static_cast<unsigned>(op), value};
    }
    static Asked set(unsigned core, state::Cell cell, std::uint32_t value) {
        return stored(core, cell, plan::CellOp::set, value);
    }
    void store(By by, state::Cell cell, plan::CellOp op, std::uint32_t value, state::Resources) override {
        asked.push_back(stored(by.core, cell, op, value));
    }
    void store_mop(By by, unsigned thread, unsigned item, std::uint32_t value) override {
        asked.push_back({"mop", by.core, thread, item, value});
    }
    std::uint32_t semaphore(By, unsigned i, bool) override { return state_[state::cells::semaphore_value(i)]; }
    bool stores_done(By) const override { return stored_now; }
    void loads_gpr(By by) override { read_backs.emplace_back(by.core, hazards::CoreRegion::gprs); }
    void loads_config(By by, std::optional<state::Cell>, state::Resources) override {
        read_backs.emplace_back(by.core, hazards::CoreRegion::config);
    }
    tl::expected<Written, findings::Note> write_tile_register(const Asker& asker, std::uint32_t address,
                                                              std::uint32_t value) override {
        asked.push_back({"register", asker.by.core, address, 0, value});
        if (refused) return tl::unexpected(*refused);
        return Written::done;
    }
    std::optional<std::uint32_t> read_tile_register(std::optional<By>, std::uint32_t address) override {
        return address;
    }
    bool idle(By, unsigned) override { return idle_now; }
    bool mops_expanded(By, unsigned) override { return expanded_now; }
    std::uint32_t queued(unsigned) const override { return 0; }
    std::uint32_t busy(unsigned) const override { return 0; }
    void note(const findings::Note& note, By) override { notes.push_back(note); }
    void raise(engine::Signals) override { ++raised; }
    void noc_wrote(const By*, std::uint32_t, std::uint32_t count) override { l1_bytes += count; }
    void wrote(By, state::Storage storage, std::uint32_t, std::uint32_t count, tile::Cycle) override {
        if (storage == state::Storage::l1) l1_bytes += count;
    }
    void wake(unsigned core, tile::Cycle) override { cores.emplace_back(RiscvCore(core), true); }
    void halt(unsigned core) override { cores.emplace_back(RiscvCore(core), false); }
    void discard(unsigned) override {}

    std::uint64_t& changes() override { return changes_; }
    tile::Cycle limit() const override { return engine::never; }
    void at(tile::Cycle, By) override {}
    void host_wrote(std::uint32_t, std::uint32_t) override {}
    void host_read(HostRead) override {}
    void stop(const findings::Note&, By) override {}
    void stop_or_note(const findings::Note&, By) override {}

private:
    state::State state_;
    std::uint64_t changes_ = 0;
};

struct TileBench {
    explicit TileBench(Arch arch) : port(arch), harts(port.state(), Timing::instant), devices(port.state(), harts) {
        devices.use(port);
    }

    tile::Reply load(tile::User user, std::uint32_t address, unsigned bytes = 4, tile::Cycle at = 0) {
        tile::Request request{user, nullptr, address, static_cast<std::uint8_t>(bytes), 0, at};
        const auto reply = devices.load(request);
        if (user != tile::User::noc) devices.waiting[static_cast<std::size_t>(user)] = reply.waiting;
        return reply;
    }
    tile::Reply store(tile::User user, std::uint32_t address, std::uint32_t value, unsigned bytes = 4,
                      tile::Cycle at = 0) {
        tile::Request request{user, nullptr, address, static_cast<std::uint8_t>(bytes), 0, at};
        return devices.store(request, value);
    }
    std::uint32_t value(tile::User user, std::uint32_t address, unsigned bytes = 4) {
        const auto reply = load(user, address, bytes);
        EXPECT_EQ(reply.kind, tile::Reply::Kind::done) << std::hex << address << ": " << reply.why;
        return reply.value;
    }
    void done(tile::User user, std::uint32_t address, std::uint32_t word) {
        const auto reply = store(user, address, word);
        EXPECT_EQ(reply.kind, tile::Reply::Kind::done) << std::hex << address << ": " << reply.why;
    }

    RecordingPort port;
    tile::Harts harts;
    tile::Devices devices;
};

inline void expect_fault(const tile::Reply& reply, std::string_view code) {
    ASSERT_EQ(reply.kind, tile::Reply::Kind::fault);
    EXPECT_EQ(findings::entry(reply.fault).code, code) << reply.why;
}
inline void expect_wait(const tile::Reply& reply, tile::WaitFor what) {
    ASSERT_EQ(reply.kind, tile::Reply::Kind::wait);
    EXPECT_EQ(reply.waiting.what(), what);
}

}  // namespace tessera::test
