// SPDX-License-Identifier: Apache-2.0
// A core's access to devices during one turn.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "riscv/costs.hpp"
#include "tile/awaited_range.hpp"
#include "tile/device.hpp"
#include "tile/harts.hpp"

namespace tessera::tile {

class Bus final : public riscv::Bus {
public:
    /// Parts that the buses of a tile share.
    struct Shared {
        Devices& devices;
        Harts& harts;
        Cycle& noc_due;  ///< of the tile's NIUs; accesses change it
        const riscv::Costs& costs;
        AwaitedRange awaited;       ///< by the run or its host
        AwaitedRange looked_at;     ///< by a debugger: a store there ends the turn
        bool tells_stores = false;  ///< RunOptions::on_write receives each core's stores to L1
        std::array<engine::Signals, riscv_cores> poll_ends{};  ///< of the device that a core loaded from last; 0: not known
        std::array<state::L1Access, 64> l1_group{};            ///< of the acting core: not told of yet
    };
    Bus(Shared& shared, engine::Port& port, unsigned core, riscv::Turn& turn)
        : shared_(shared), port_(port), core_(core), turn_(turn) {}

    riscv::Response load(const riscv::Access& access) override;
    riscv::Response store(const riscv::Access& access, std::uint32_t value) override;
    riscv::Response push(std::span<const std::uint32_t> words, std::uint32_t pc, riscv::Cycle at) override;
    std::uint32_t status_csr(unsigned number, riscv::Cycle at) override;
    void loaded_l1(const riscv::Access& access) override;
    void stored_l1(const riscv::Access& access) override;
    void watched_store(const riscv::Access& access) override;
    void note(const findings::Note& note, std::uint32_t pc, riscv::Cycle at) override;

    /// Tells of accesses to L1 that are kept. Call it at the end of the turn.
    void tell_l1() {
        if (kept_) port_.accessed_l1(core_, std::span(shared_.l1_group).first(std::exchange(kept_, 0)));
    }

private:
    /// Tells of it, with those kept before, where the turn does not allow to tell later.
    void keep(const riscv::Access& access, bool is_store);
    /// Call it first: it also tells of what the core did before.
    Request request(const riscv::Access& access);
    /// Passes a completed access to a device word on to the hazard checker: cores synchronise by such words.
    void pass_word(const Request& request, bool store);
    riscv::Response done(std::uint32_t value = 0, std::uint16_t latency = riscv::Response{}.latency);
    /// Makes the core wait, or ends the run with a fault.
    riscv::Response refuse(const Request& request, const Reply& reply, const char* does);
    /// Call after an access. It may have woken another core, reset this one, or ended the run.
    void shorten_turn();
    /// Call after a finding, which may have ended the run. The turn may be shorter already.
    void stop_at_limit() { turn_.limit = std::min(turn_.limit, port_.limit()); }

    Shared& shared_;
    engine::Port& port_;
    unsigned core_;
    riscv::Turn& turn_;
    std::size_t kept_ = 0;  ///< in Shared::l1_group
};

}  // namespace tessera::tile
