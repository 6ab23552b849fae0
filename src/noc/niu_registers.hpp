// SPDX-License-Identifier: Apache-2.0
// The registers of an NIU as software loads and stores them, and its counters (NoC/MemoryMap, NoC/Counters).
#pragma once

#include <optional>

#include "noc/niu_site.hpp"
#include "noc/registers.hpp"
#include "noc/request.hpp"

namespace tessera::noc {

class NiuRegisters {
public:
    NiuRegisters(const NiuSite& site, NiuWords words) : site_(site), map_(register_map(site.chip.arch)), words_(words) {}

    /// A register's value, by its offset from NIU_BASE. `pending`: a bit for each initiator whose request waits. Empty: there is none, or
    /// Tessera does not model it.
    std::optional<std::uint32_t> load(std::uint32_t offset, unsigned pending);
    /// False: as load(). NOC_CMD_CTRL is not among them.
    bool store(std::uint32_t offset, std::uint32_t value);
    /// The initiator whose request a register is part of. Empty: it is part of none.
    std::optional<unsigned> initiator_of(std::uint32_t offset) const;
    bool is_command(std::uint32_t offset) const;

    Request request(unsigned initiator) const { return {site_.chip.arch, initiator_words_of(initiator)}; }
    /// A request's ends behind the NIU's translation.
    Places places_of(const Request& request) const;
    /// Whether commands go to a FIFO (Blackhole).
    bool has_request_fifo() const;
    /// Whether masks of this NIU keep it from taking a broadcast. `exclude`: the broadcast's NOC_BRCST_EXCLUDE.
    bool opts_out(std::uint32_t exclude) const;

    std::uint32_t& count(Counter counter, unsigned further = 0) const { return words_.counter[static_cast<unsigned>(counter) + further]; }
    /// The counter of requests without a response follows that of the others.
    void count_for(const Packet& packet, Counter counter, std::uint32_t amount = 1) const { count(counter, packet.posted) += amount; }
    /// Counters of 8 bits that belong to a transaction id.
    void change_by_id(Counter first, unsigned transaction, std::uint32_t amount);

    /// NIU_TRANS_COUNT_RTZ_SOURCE, the only register that is no word of the tile's state.
    std::uint32_t returned_to_zero() const { return returned_to_zero_; }
    void set_returned_to_zero(std::uint32_t ids) { returned_to_zero_ = ids; }

private:
    std::span<std::uint32_t> initiator_words_of(unsigned i) const { return words_.initiator.subspan(i * initiator_words, initiator_words); }
    std::uint32_t& configuration(std::uint32_t offset) const { return words_.configuration[(offset - offset::configuration) / 4]; }
    /// A register of a request initiator, if there are so many.
    struct Item {
        unsigned initiator;
        std::uint32_t offset;  ///< among the initiator's
    };
    Item item_at(std::uint32_t offset) const {
        return {offset / map_.initiator_stride, offset % map_.initiator_stride};
    }
    std::uint32_t* plain_word(std::uint32_t offset) const;
    std::optional<std::uint32_t> load_of_blackhole(std::uint32_t offset);
    std::uint32_t interrupting_transaction();

    const NiuSite& site_;
    const RegisterMap& map_;
    const NiuWords words_;
    std::uint32_t returned_to_zero_ = 0;
};

/// Whether a broadcast's NOC_BRCST_EXCLUDE leaves out a place, as its NoC sees it.
bool excludes(std::uint32_t exclude, Place seen);

}  // namespace tessera::noc
