// SPDX-License-Identifier: Apache-2.0
// The tile's two NIUs, and the tile as what lies behind them.
#pragma once

#include <array>

#include "noc/niu.hpp"
#include "tessera/timing.hpp"
#include "tile/noc_writers.hpp"
#include "tile/port.hpp"

namespace tessera::tile {

class Devices;
struct Reply;
struct Request;

class Nius final : private noc::Endpoint {
public:
    Nius(Devices& devices, Timing timing);

    noc::Niu& operator[](unsigned i) { return nius_[i]; }
    noc::Place place() const { return nius_[0].place(); }
    /// Joins them to other tiles. Until then they reach their own tile alone.
    void connect(noc::Fabric& fabric);
    /// The next act of either; noc::never: none.
    noc::Cycle due() const { return std::min(nius_[0].due(), nius_[1].due()); }
    /// Does it.
    std::optional<noc::Niu::Failure> act();
    /// A core has read a counter (noc::Counter) of an NIU.
    void counter_seen(const By& by, unsigned which, unsigned counter);
    /// A core has read that the counters of these transactions have returned to 0 (NIU_TRANS_COUNT_RTZ_SOURCE): a bit for each.
    void returned_to_zero_seen(const By& by, unsigned which, std::uint32_t transactions);

    /// At the end of a run: transactions that wait for another request.
    void tell_open_transactions();

    /// The last writers of this tile's flags over the NoC.
    const NocWriters& writers() const { return writers_; }

    struct Memory {
        std::array<noc::NiuMemory, noc::nocs> nius;
        NocWriters::Memory writers;
    };
    Memory save() const { return {{nius_[0].save(), nius_[1].save()}, writers_.save()}; }
    void restore(const Memory& memory) {
        for (unsigned i = 0; i < noc::nocs; ++i) nius_[i].restore(memory.nius[i]);
        writers_.restore(memory.writers);
    }
    /// As of Niu.
    void go_on_at(noc::Cycle now) {
        for (noc::Niu& niu : nius_) niu.go_on_at(now);
    }

private:
    /// Packets of a tile to itself.
    class Loop final : public noc::Fabric {
    public:
        Loop(Nius& nius, const noc::Layout& chip, const noc::Costs& costs) : nius_(nius), chip_(chip), costs_(costs) {}
        noc::Refusal unreachable(noc::Place place) const override;
        void send(noc::Packet packet, noc::Cycle at) override;

    private:
        Nius& nius_;
        const noc::Layout& chip_;
        const noc::Costs& costs_;
    };

    noc::Refusal read(const noc::Access& access, std::uint64_t address, std::span<std::uint8_t> bytes) override;
    noc::Refusal write(const noc::Access& access, std::uint64_t address, std::span<const std::uint8_t> bytes) override;
    noc::Refusal load_register(const noc::Access& access, std::uint32_t address, std::uint32_t& value) override;
    noc::Refusal store_register(const noc::Access& access, std::uint32_t address, std::uint32_t value) override;
    std::shared_ptr<const void> asked(const noc::Asked& what) override;
    void sent(const noc::Packet& packet) override;
    void answered(const noc::Packet& packet) override;
    std::shared_ptr<const void> read_away(const noc::Packet& asks) override;
    void changed() override;
    void arrives(const noc::Access& access, std::uint32_t first, std::uint32_t bytes, bool write);
    noc::NiuWords words(unsigned noc);
    /// Of an address of the tile: whether it is a register of a request initiator.
    bool is_of_initiator(std::uint32_t address) const;
    /// Why a register is not accessed. `does`: as of fault_text().
    noc::Refusal refusal(const Request& request, const Reply& reply, const char* does);

    Devices& devices_;
    Loop loop_;
    std::array<noc::Niu, noc::nocs> nius_;
    NocWriters writers_;
};

}  // namespace tessera::tile
