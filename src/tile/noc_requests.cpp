// SPDX-License-Identifier: Apache-2.0
// NIU requests whose other end is this tile. They complete at once; counters advance as for packets that travel
// (NoC/MemoryMap, NoC/Counters, NoC/Atomics; spec-notes T15). There is no other tile.
#include <algorithm>
#include <cstring>

#include "tile/device.hpp"
#include "tile/registers.hpp"

namespace tessera::tile {

namespace {

using namespace state::tile_words;

constexpr std::uint32_t command_bits = 3, atomic = 1, write = 2, write_byte_enable = 1 << 2, write_inline = 1 << 3,
                        response_marked = 1 << 4, broadcast = 1 << 5, l1_accumulate = 1u << 31;
constexpr std::uint32_t registers_begin = 0xFFB0'0000, coordinate_mask = 0xFFF, translate_enable = 1 << 14;

/// Indices from NoC/Counters.
enum Counter : unsigned {
    mst_atomic_resp_received = 0,
    mst_wr_ack_received = 1,
    mst_rd_resp_received = 2,
    mst_rd_data_word_received = 3,
    mst_cmd_accepted = 4,
    mst_rd_req_sent = 5,
    mst_nonposted_atomic_sent = 6,
    mst_posted_atomic_sent = 7,
    mst_nonposted_wr_data_word_sent = 8,
    mst_nonposted_wr_req_sent = 10,
    mst_nonposted_wr_req_started = 12,
    mst_rd_req_started = 14,
    mst_nonposted_atomic_started = 15,
    slv_atomic_resp_sent = 48,
    slv_wr_ack_sent = 49,
    slv_rd_resp_sent = 50,
    slv_rd_data_word_sent = 51,
    slv_req_accepted = 52,
    slv_rd_req_received = 53,
    slv_nonposted_atomic_received = 54,
    slv_nonposted_wr_data_word_received = 56,
    slv_nonposted_wr_req_received = 58,
    slv_nonposted_wr_req_started = 60,
};

Reply target_fault(const char* why) { return Reply::fail(findings::id("tile.noc-request"), why); }

class Initiator {
public:
    Initiator(Devices& devices, const Request& request, unsigned noc, unsigned which)
        : devices_(devices),
          request_(request),
          noc_(noc),
          which_(which),
          niu_(niu_registers[static_cast<unsigned>(devices.arch)]),
          control_(word(noc_ctrl)),
          length_(word(noc_at_len_be)) {}

    Reply run() {
        if (devices_.tile[niu_configuration_register(noc_, niu_cfg_0 - niu_configuration_base)] & translate_enable)
            return target_fault("Tessera does not model coordinate translation (NIU_CFG_0)");
        if (control_ & (broadcast | l1_accumulate))
            return target_fault("Tessera does not model broadcasts and accumulating requests");
        if (word(noc_packet_tag) & ~(0xFu << 10)) return target_fault("NOC_PACKET_TAG holds more than a transaction");
        if ((control_ & command_bits) == atomic) return increment();
        if ((control_ & command_bits) == write && control_ & write_inline) return write_word();
        if ((control_ & command_bits) == command_bits) return target_fault("request type 3 is reserved");
        if (control_ & write_byte_enable) return target_fault("Tessera does not model writes with byte enables");
        return copy();
    }

private:
    std::uint32_t& word(std::uint32_t offset) const { return devices_.tile[initiator_register(noc_, which_, offset)]; }
    std::uint32_t& count(unsigned index) const { return devices_.tile[counter(noc_, index)]; }
    bool posted() const { return !(control_ & response_marked); }
    /// The counter of posted requests follows that of non-posted ones.
    std::uint32_t& sent(Counter index) const { return count(index + (posted() ? 1 : 0)); }

    // True for coordinates that mean this tile, in the NIU's or in software's numbering.
    bool here(std::uint32_t place) const {
        const std::uint32_t at = place >> niu_.place_shift & coordinate_mask;
        const std::uint32_t logical =
            devices_.tile[niu_configuration_register(noc_, niu_.id_logical - niu_configuration_base)];
        return at == state::noc_place(devices_.arch).coordinates(noc_) || at == (logical & coordinate_mask);
    }
    // A Tensix tile has no addresses beyond 32 bits.
    bool target_here() const { return here(word(niu_.targ_addr_hi)) && in_32_bits(noc_targ_addr_mid); }
    bool return_here() const { return here(word(niu_.ret_addr_hi)) && in_32_bits(noc_ret_addr_mid); }
    bool in_32_bits(std::uint32_t mid) const {
        return (word(mid) & (niu_.place_shift ? (1u << niu_.place_shift) - 1 : ~0u)) == 0;
    }

    Reply increment() {
        constexpr std::uint32_t increment_get = 1;
        if (!target_here() || (!posted() && !return_here())) return target_fault("the other end is another tile");
        if (length_ >> 12 != increment_get) return target_fault("Tessera models no atomics but increments");
        const std::uint32_t from = word(noc_targ_addr_lo), to = word(noc_ret_addr_lo);
        const std::uint32_t at = (from & ~0xFu) + (length_ & 3) * 4;
        auto& l1 = devices_.state.l1;
        if (from % 4 || to % 4 || !l1.contains(from, 4) || !l1.contains(at, 4) || (!posted() && !l1.contains(to, 4)))
            return target_fault("atomics need words of L1");
        const std::uint32_t result = l1_word(from), before = l1_word(at);
        const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{2} << (length_ >> 2 & 31)) - 1);
        write_l1(at, ((before + word(niu_.at_data)) & mask) | (before & ~mask));
        ++count(mst_cmd_accepted);
        ++count(slv_req_accepted);
        ++sent(mst_nonposted_atomic_sent);
        ++sent(slv_nonposted_atomic_received);
        if (!posted()) {
            write_l1(to, result);
            ++count(mst_nonposted_atomic_started);
            ++count(slv_atomic_resp_sent);
            ++count(mst_atomic_resp_received);
        }
        return done();
    }

    Reply write_word() {
        if (!target_here()) return target_fault("the other end is another tile");
        const std::uint32_t to = word(noc_targ_addr_lo), data = word(niu_.at_data);
        if (to >= registers_begin) {
            const Reply reply = store_register(to, data);
            if (reply.kind != Reply::Kind::done) return reply;
        } else {
            if (devices_.arch == Arch::blackhole) return target_fault("inline writes to L1 are not safe on Blackhole");
            const std::uint32_t line = to & ~0xFu;
            if (!devices_.state.l1.contains(line, 16)) return target_fault("the target is not in L1");
            std::uint8_t* const bytes = devices_.state.l1.write(line, 16);
            for (std::uint32_t i = 0; i < 16; ++i)
                if ((length_ >> i | length_ >> (16 + i)) & 1) bytes[i] = static_cast<std::uint8_t>(data >> i % 4 * 8);
            wrote(line, 16);
        }
        count_write(1, 1);
        ++sent(mst_nonposted_wr_req_started);
        return done();
    }

    // Copies from target to return address; reads and writes both do.
    Reply copy() {
        const bool is_write = (control_ & command_bits) == write;
        if (!target_here() || !return_here()) return target_fault("the other end is another tile");
        std::uint32_t &from = word(noc_targ_addr_lo), &to = word(noc_ret_addr_lo);
        if (from >= registers_begin || to >= registers_begin) {
            const Reply reply = copy_register(from, to);
            if (reply.kind != Reply::Kind::done) return reply;
        } else {
            if ((from ^ to) & 15) return target_fault("both addresses must have the same low four bits");
            auto& l1 = devices_.state.l1;
            if (!l1.contains(from, length_) || !l1.contains(to, length_))
                return target_fault("not all of its bytes are in L1");
            devices_.machine.read_l1(request_.by(), from, length_);
            std::memmove(l1.write(to, length_), l1.bytes.data() + from, length_);
            wrote(to, length_);
        }
        const std::uint32_t packets = std::max(1u, (length_ + niu_.packet_bytes - 1) / niu_.packet_bytes);
        const std::uint32_t flits = (length_ + niu_.flit_bytes - 1) / niu_.flit_bytes;
        if (is_write) {
            count_write(packets, flits);
            sent(mst_nonposted_wr_req_started) += packets;
            sent(mst_nonposted_wr_data_word_sent) += flits;
        } else {
            count_read(packets, flits);
        }
        // Address registers after a split request: those of the last packet.
        from += (packets - 1) * niu_.packet_bytes;
        to += (packets - 1) * niu_.packet_bytes;
        word(noc_at_len_be) -= (packets - 1) * niu_.packet_bytes;
        return done();
    }

    Reply copy_register(std::uint32_t from, std::uint32_t to) {
        if (length_ != 4 || from % 4 || to % 4) return target_fault("registers are read and written as words");
        std::uint32_t value = 0;
        if (from >= registers_begin) {
            const Reply read = access(from);
            if (read.kind != Reply::Kind::done) return read;
            value = read.value;
        } else {
            if (!devices_.state.l1.contains(from, 4)) return target_fault("not all of its bytes are in L1");
            value = l1_word(from);
        }
        if (to >= registers_begin) return store_register(to, value);
        if (!devices_.state.l1.contains(to, 4)) return target_fault("not all of its bytes are in L1");
        write_l1(to, value);
        return {};
    }

    Request request_at(std::uint32_t address) const {
        return {User::noc, nullptr, address, 4, request_.pc, request_.at, static_cast<int>(request_.by().core)};
    }
    Reply access(std::uint32_t address) {
        Request request = request_at(address);
        return devices_.load(request);
    }
    // Rejected: a request that starts another request would wait for itself.
    Reply store_register(std::uint32_t address, std::uint32_t value) {
        constexpr std::uint32_t first_niu = 0xFFB2'0000, behind_nius = 0xFFB4'0000;
        if (address >= first_niu && address < behind_nius)
            return target_fault("a request cannot write registers of an NIU");
        Request request = request_at(address);
        const Reply reply = devices_.store(request, value);
        return reply.kind == Reply::Kind::wait ? target_fault("the target is not ready for the store") : reply;
    }

    void count_read(std::uint32_t packets, std::uint32_t flits) const {
        for (Counter index : {mst_cmd_accepted, mst_rd_req_started, mst_rd_req_sent, mst_rd_resp_received,
                              slv_req_accepted, slv_rd_req_received, slv_rd_resp_sent})
            count(index) += packets;
        count(mst_rd_data_word_received) += flits;
        count(slv_rd_data_word_sent) += flits;
    }
    void count_write(std::uint32_t packets, std::uint32_t flits) const {
        count(mst_cmd_accepted) += packets;
        for (Counter index : {mst_nonposted_wr_req_sent, slv_nonposted_wr_req_started, slv_nonposted_wr_req_received})
            sent(index) += packets;
        sent(slv_nonposted_wr_data_word_received) += flits;
        if (posted()) return;
        count(slv_wr_ack_sent) += packets;
        count(mst_wr_ack_received) += packets;
    }

    std::uint32_t l1_word(std::uint32_t address) const {
        std::uint32_t value;
        std::memcpy(&value, &devices_.state.l1.bytes[address], 4);
        return value;
    }
    void write_l1(std::uint32_t address, std::uint32_t value) {
        std::memcpy(devices_.state.l1.write(address, 4), &value, 4);
        wrote(address, 4);
    }
    void wrote(std::uint32_t address, std::uint32_t bytes) {
        devices_.machine.wrote(request_.by(), state::Storage::l1, address, bytes);
    }
    Reply done() {
        devices_.machine.changed();
        return {};
    }

    Devices& devices_;
    const Request& request_;
    unsigned noc_, which_;
    const NiuRegisters& niu_;
    std::uint32_t control_, length_;
};

}  // namespace

Reply noc_request(Devices& devices, const Request& request, unsigned noc, unsigned initiator) {
    return Initiator(devices, request, noc, initiator).run();
}

}  // namespace tessera::tile
