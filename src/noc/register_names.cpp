// SPDX-License-Identifier: Apache-2.0
#include "noc/register_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "noc/registers.hpp"

namespace tessera::noc {

namespace {

constexpr std::string_view of_initiator[] = {
    "ATOMIC_RESP_RECEIVED",     "WR_ACK_RECEIVED",       "RD_RESP_RECEIVED",
    "RD_DATA_WORD_RECEIVED",    "CMD_ACCEPTED",          "RD_REQ_SENT",
    "NONPOSTED_ATOMIC_SENT",    "POSTED_ATOMIC_SENT",    "NONPOSTED_WR_DATA_WORD_SENT",
    "POSTED_WR_DATA_WORD_SENT", "NONPOSTED_WR_REQ_SENT", "POSTED_WR_REQ_SENT",
    "NONPOSTED_WR_REQ_STARTED", "POSTED_WR_REQ_STARTED", "RD_REQ_STARTED",
    "NONPOSTED_ATOMIC_STARTED"};
constexpr std::string_view of_receiver[] = {"ATOMIC_RESP_SENT",
                                            "WR_ACK_SENT",
                                            "RD_RESP_SENT",
                                            "RD_DATA_WORD_SENT",
                                            "REQ_ACCEPTED",
                                            "RD_REQ_RECEIVED",
                                            "NONPOSTED_ATOMIC_RECEIVED",
                                            "POSTED_ATOMIC_RECEIVED",
                                            "NONPOSTED_WR_DATA_WORD_RECEIVED",
                                            "POSTED_WR_DATA_WORD_RECEIVED",
                                            "NONPOSTED_WR_REQ_RECEIVED",
                                            "POSTED_WR_REQ_RECEIVED",
                                            "NONPOSTED_WR_REQ_STARTED",
                                            "POSTED_WR_REQ_STARTED"};

std::string counter_name(unsigned index) {
    constexpr auto outstanding = static_cast<unsigned>(Counter::mst_reqs_outstanding_id),
                   outgoing = static_cast<unsigned>(Counter::mst_write_reqs_outgoing_id),
                   receiver = static_cast<unsigned>(Counter::slv_atomic_resp_sent);
    static_assert(std::size(of_initiator) == outstanding && receiver + std::size(of_receiver) <= counters);
    if (index < outstanding) return fmt::format("NIU_MST_{}", of_initiator[index]);
    if (index < outgoing) return fmt::format("NIU_MST_REQS_OUTSTANDING_ID({})", index - outstanding);
    if (index < receiver) return fmt::format("NIU_MST_WRITE_REQS_OUTGOING_ID({})", index - outgoing);
    return index - receiver < std::size(of_receiver) ? fmt::format("NIU_SLV_{}", of_receiver[index - receiver])
                                                     : std::string();
}

// Of an initiator, by the offset from its first register.
std::string_view name_within(const RegisterMap& map, std::uint32_t at) {
    const std::pair<std::uint32_t, std::string_view> names[] = {{map.cmd_ctrl, "CMD_CTRL"},
                                                                {map.at_data, "AT_DATA"},
                                                                {offset::targ_addr_lo, "TARG_ADDR_LO"},
                                                                {offset::targ_addr_mid, "TARG_ADDR_MID"},
                                                                {offset::targ_addr_hi, "TARG_ADDR_HI"},
                                                                {offset::ret_addr_lo, "RET_ADDR_LO"},
                                                                {offset::ret_addr_mid, "RET_ADDR_MID"},
                                                                {offset::ret_addr_hi, "RET_ADDR_HI"},
                                                                {offset::packet_tag, "PACKET_TAG"},
                                                                {offset::ctrl, "CTRL"},
                                                                {offset::at_len_be, "AT_LEN_BE"},
                                                                {offset::at_len_be_1, "AT_LEN_BE_1"},
                                                                {offset::brcst_exclude, "BRCST_EXCLUDE"}};
    const auto* const known =
        std::find_if(std::begin(names), std::end(names), [&](const auto& one) { return one.first == at; });
    return known == std::end(names) ? std::string_view() : known->second;
}

}  // namespace

std::string register_name(Arch arch, std::uint32_t at) {
    if (const auto counter = counter_at(at)) return counter_name(*counter);
    const RegisterMap& map = register_map(arch);
    const std::uint32_t initiator = at / map.initiator_stride;
    const std::string_view name = name_within(map, at % map.initiator_stride);
    return initiator < initiators && !name.empty() ? fmt::format("NOC_{} of initiator {}", name, initiator)
                                                   : std::string();
}

}  // namespace tessera::noc
