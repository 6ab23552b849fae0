// SPDX-License-Identifier: Apache-2.0
#include "reference/noc_model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace tessera::reference {

namespace {

/// Indices of NoC/Counters.
enum Counter : unsigned {
    NIU_MST_ATOMIC_RESP_RECEIVED = 0,
    NIU_MST_WR_ACK_RECEIVED = 1,
    NIU_MST_RD_RESP_RECEIVED = 2,
    NIU_MST_RD_DATA_WORD_RECEIVED = 3,
    NIU_MST_CMD_ACCEPTED = 4,
    NIU_MST_RD_REQ_SENT = 5,
    NIU_MST_NONPOSTED_ATOMIC_SENT = 6,
    NIU_MST_POSTED_ATOMIC_SENT = 7,
    NIU_MST_NONPOSTED_WR_DATA_WORD_SENT = 8,
    NIU_MST_POSTED_WR_DATA_WORD_SENT = 9,
    NIU_MST_NONPOSTED_WR_REQ_SENT = 10,
    NIU_MST_POSTED_WR_REQ_SENT = 11,
    NIU_MST_NONPOSTED_WR_REQ_STARTED = 12,
    NIU_MST_POSTED_WR_REQ_STARTED = 13,
    NIU_MST_RD_REQ_STARTED = 14,
    NIU_MST_NONPOSTED_ATOMIC_STARTED = 15,
    NIU_MST_REQS_OUTSTANDING_ID = 16,     // to 31
    NIU_MST_WRITE_REQS_OUTGOING_ID = 32,  // to 47
    NIU_SLV_ATOMIC_RESP_SENT = 48,
    NIU_SLV_WR_ACK_SENT = 49,
    NIU_SLV_RD_RESP_SENT = 50,
    NIU_SLV_RD_DATA_WORD_SENT = 51,
    NIU_SLV_REQ_ACCEPTED = 52,
    NIU_SLV_RD_REQ_RECEIVED = 53,
    NIU_SLV_NONPOSTED_ATOMIC_RECEIVED = 54,
    NIU_SLV_POSTED_ATOMIC_RECEIVED = 55,
    NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED = 56,
    NIU_SLV_POSTED_WR_DATA_WORD_RECEIVED = 57,
    NIU_SLV_NONPOSTED_WR_REQ_RECEIVED = 58,
    NIU_SLV_POSTED_WR_REQ_RECEIVED = 59,
    NIU_SLV_NONPOSTED_WR_REQ_STARTED = 60,
    NIU_SLV_POSTED_WR_REQ_STARTED = 61,
};

// Offsets from an initiator's first register, or from NIU_BASE, that both chips have.
constexpr std::uint32_t NOC_TARG_ADDR_LO = 0x00, NOC_TARG_ADDR_HI = 0x08, NOC_RET_ADDR_LO = 0x0C,
                        NOC_RET_ADDR_HI = 0x14, NOC_PACKET_TAG = 0x18, NOC_CTRL = 0x1C, NOC_AT_LEN_BE = 0x20;
constexpr std::uint32_t CONFIGURATION = 0x100, NIU_CFG_0 = 0x100, ROUTER_CFG_1 = 0x108, ROUTER_CFG_3 = 0x110,
                        NOC_X_ID_TRANSLATE_TABLE_0 = 0x118, COUNTERS = 0x200;
// Blackhole's alone.
constexpr std::uint32_t NOC_AT_LEN_BE_1 = 0x24, NOC_BRCST_EXCLUDE = 0x2C, NOC_L1_ACC_AT_INSTRN = 0x30;
constexpr std::uint32_t NOC_ID_TRANSLATE_COL_MASK = 0x150, NOC_ID_TRANSLATE_ROW_MASK = 0x154,
                        DDR_COORD_TRANSLATE_TABLE_0 = 0x158, DDR_COORD_TRANSLATE_TABLE_5 = 0x16C,
                        DDR_COORD_TRANSLATE_COL_SWAP = 0x170, DEBUG_COUNTER_RESET = 0x174,
                        NIU_TRANS_COUNT_RTZ_CFG = 0x178, NIU_TRANS_COUNT_RTZ_CLR = 0x17C,
                        NIU_TRANS_COUNT_RTZ_NUM = 0x378, NIU_TRANS_COUNT_RTZ_SOURCE = 0x37C;

/// What differs between the chips: offsets, sizes in bytes.
struct Map {
    std::uint32_t NOC_CMD_BUF_OFFSET, NOC_AT_DATA, NOC_CMD_CTRL, NOC_NODE_ID, NOC_ENDPOINT_ID, clear_outstanding,
        NOC_Y_ID_TRANSLATE_TABLE_0, NOC_ID_LOGICAL;
    std::uint32_t flit, packet;
    std::uint32_t dram_read_alignment;  ///< BlackholeA0: NOC_DRAM_READ_ALIGNMENT_BYTES of noc_parameters.h
    std::uint32_t tensix_l1, ethernet_l1;
    std::uint64_t dram;
};
constexpr Map blackhole_map{.NOC_CMD_BUF_OFFSET = 0x800,
                            .NOC_AT_DATA = 0x28,
                            .NOC_CMD_CTRL = 0x40,
                            .NOC_NODE_ID = 0x44,
                            .NOC_ENDPOINT_ID = 0x48,
                            .clear_outstanding = 0x60,
                            .NOC_Y_ID_TRANSLATE_TABLE_0 = 0x130,
                            .NOC_ID_LOGICAL = 0x148,
                            .flit = 64,
                            .packet = 16384,
                            .dram_read_alignment = 64,
                            .tensix_l1 = 1536 * 1024,
                            .ethernet_l1 = 512 * 1024,
                            .dram = 0xFF00'0000};
constexpr Map wormhole_map{.NOC_CMD_BUF_OFFSET = 0x400,
                           .NOC_AT_DATA = 0x24,
                           .NOC_CMD_CTRL = 0x28,
                           .NOC_NODE_ID = 0x2C,
                           .NOC_ENDPOINT_ID = 0x30,
                           .clear_outstanding = 0x50,
                           .NOC_Y_ID_TRANSLATE_TABLE_0 = 0x128,
                           .NOC_ID_LOGICAL = 0x138,
                           .flit = 32,
                           .packet = 8192,
                           .dram_read_alignment = 32,
                           .tensix_l1 = 1464 * 1024,
                           .ethernet_l1 = 256 * 1024,
                           .dram = 0x8000'0000};
constexpr const Map& map_of(Arch arch) { return arch == Arch::blackhole ? blackhole_map : wormhole_map; }

/// Bits by "First bit" and "# Bits", as the pages name them.
constexpr std::uint32_t bits(std::uint32_t value, unsigned first, unsigned count) {
    return value >> first & static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
}
constexpr bool bit(std::uint32_t value, unsigned at) { return value >> at & 1; }

/// A tile's X and Y on one of the NoCs, or a place that translation makes one.
struct Coordinates {
    unsigned x = 0, y = 0;
};
/// The four fields of NOC_TARG_ADDR and NOC_RET_ADDR. Start is of broadcasts only.
struct Fields {
    Coordinates end, start;
};
Fields parse_fields(std::uint32_t value) {
    return {{bits(value, 0, 6), bits(value, 6, 6)}, {bits(value, 12, 6), bits(value, 18, 6)}};
}
std::uint32_t pack_fields(const Fields& fields) {
    return fields.end.x | fields.end.y << 6 | fields.start.x << 12 | fields.start.y << 18;
}

/// One axis of a broadcast rectangle; a start above the end wraps around.
bool in_span(unsigned at, unsigned start, unsigned end) {
    return start <= end ? start <= at && at <= end : at <= end || start <= at;
}

// NoC/Coordinates, the tables that firmware configures: from translated to NoC 0.
constexpr std::uint8_t wormhole_x[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                         0, 5, 1, 2, 3, 4, 6, 7, 8, 9, 0,  0,  0,  0,  0,  0};
constexpr std::uint8_t wormhole_y[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                         0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 0,  0,  0,  0};
constexpr std::uint8_t blackhole_x[32] = {0,  1, 2, 3, 4, 5,  6, 7,  8, 9,  10, 11, 12, 13, 14, 15,
                                          16, 9, 0, 2, 1, 16, 2, 15, 3, 14, 4,  13, 5,  12, 6,  11};
constexpr std::uint8_t blackhole_y[32] = {0,  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 11, 2,
                                          10, 3, 5, 7, 6, 9, 4, 8, 0, 1, 3,  9,  5, 7, 2,  0};
// BlackholeA0: the top two rows keep raw X.
constexpr std::uint32_t blackhole_row_mask = 0b11;

// NOC_CTRL.
constexpr std::uint32_t NOC_CMD_RD = 0, NOC_CMD_AT = 1, NOC_CMD_WR = 2;
constexpr unsigned NOC_CMD_WR_BE = 2, NOC_CMD_WR_INLINE = 3, NOC_CMD_RESP_MARKED = 4, NOC_CMD_BRCST_PACKET = 5,
                   NOC_CMD_VC_LINKED = 6, NOC_CMD_VC_STATIC = 7, NOC_CMD_STATIC_VC = 13, NOC_CMD_BRCST_XY = 16,
                   NOC_CMD_BRCST_SRC_INCLUDE = 17, NOC_CMD_L1_ACC_AT_EN = 31;
// NIU_CFG_0.
constexpr unsigned tile_clock_disable = 12, double_store_disable = 13, coordinate_translation_enable = 14,
                   axi_subordinate_enable = 15, request_fifo_enable = 16;
// NOC_PACKET_TAG.
constexpr unsigned DeliverToReceiverOverlay = 6, NOC_PACKET_TAG_HEADER_STORE = 9, NOC_PACKET_TRANSACTION_ID = 10;

constexpr std::uint64_t registers_begin = 0xFF00'0000;

/// The aligned 16 bytes of L1 that an atomic acts on.
using Line = std::array<std::uint8_t, 16>;

std::uint32_t read_bytes(std::span<const std::uint8_t> bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint32_t{bytes[i]} << 8 * i;
    return value;
}
void write_bytes(std::span<std::uint8_t> bytes, std::uint32_t value) {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(value >> 8 * i);
}

/// One lane of a parallel addition of floats. The page says that denormals are flushed; how a sum is rounded, the sign
/// of a flushed zero, infinities and NaN it leaves open. Empty: the sum depends on one of these.
std::optional<std::uint32_t> add_floats(std::uint32_t a, std::uint32_t b, unsigned exponent_bits,
                                        unsigned mantissa_bits) {
    const std::uint32_t special = (1u << exponent_bits) - 1;
    const int bias = static_cast<int>(special >> 1);
    double addend[2];
    bool negative_zero = false;
    for (int n = 0; n < 2; ++n) {
        const std::uint32_t value = n ? b : a;
        const std::uint32_t exponent = bits(value, mantissa_bits, exponent_bits);
        const bool negative = bit(value, mantissa_bits + exponent_bits);
        if (exponent == special) return {};
        const std::uint32_t mantissa = exponent ? bits(value, 0, mantissa_bits) | 1u << mantissa_bits : 0;
        negative_zero |= negative && !exponent;
        addend[n] = std::ldexp(mantissa, static_cast<int>(exponent) - bias - static_cast<int>(mantissa_bits));
        if (negative) addend[n] = -addend[n];
    }
    const double sum = addend[0] + addend[1], second = sum - addend[0];
    if ((addend[0] - (sum - second)) + (addend[1] - second) != 0) return {};
    if (sum == 0) return negative_zero ? std::nullopt : std::optional<std::uint32_t>(0);
    int exponent = 0;
    const double mantissa = std::ldexp(std::frexp(std::abs(sum), &exponent), static_cast<int>(mantissa_bits) + 1);
    exponent += bias - 1;
    if (exponent <= 0) return sum < 0 ? std::nullopt : std::optional<std::uint32_t>(0);
    if (mantissa != std::floor(mantissa) || exponent >= static_cast<int>(special)) return {};
    const std::uint32_t sign = sum < 0 ? 1u << (mantissa_bits + exponent_bits) : 0;
    return sign | static_cast<std::uint32_t>(exponent) << mantissa_bits |
           bits(static_cast<std::uint32_t>(mantissa), 0, mantissa_bits);
}

/// BlackholeA0/NoC/Atomics, parallel addition: lanes of the line, each with its part of the broadcast NOC_AT_DATA.
std::string add_in_parallel(Line& line, std::uint32_t Fmt, std::uint32_t AT_DATA) {
    std::array<std::uint8_t, 4> data{};
    write_bytes(data, AT_DATA);
    const auto lanes = [&](std::size_t size, auto&& add) {
        for (std::size_t at = 0; at < line.size(); at += size) {
            const auto lane = std::span(line).subspan(at, size);
            const std::optional<std::uint32_t> sum =
                add(read_bytes(lane), read_bytes(std::span(data).subspan(at % 4, size)));
            if (!sum) return false;
            write_bytes(lane, *sum);
        }
        return true;
    };
    const auto wrap = [](std::uint32_t a, std::uint32_t b) { return std::optional(a + b); };
    const auto saturate = [](std::uint32_t a, std::uint32_t b) { return std::optional(std::min(a + b, 0xFFu)); };
    const auto floats = [](unsigned exponent, unsigned mantissa) {
        return [=](std::uint32_t a, std::uint32_t b) { return add_floats(a, b, exponent, mantissa); };
    };
    bool defined = true;
    switch (Fmt) {
        case 0:
        case 8: defined = lanes(4, floats(8, 23)); break;
        case 1:
        case 9: defined = lanes(2, floats(5, 10)); break;
        case 2:
        case 10: defined = lanes(2, floats(8, 7)); break;
        case 4:
        case 12:
        case 13: lanes(4, wrap); break;
        case 7: lanes(1, saturate); break;
        case 15: lanes(1, wrap); break;
        default: return "the page lists no parallel addition with Fmt " + std::to_string(Fmt);
    }
    return defined ? "" : "the page does not say how a parallel addition rounds, nor its zeros, infinities and NaN";
}

/// NoC/Atomics: the operation on a line. Not empty: why it has no defined result.
std::string perform_atomic(Arch arch, Line& line, std::uint32_t AT_LEN_BE, std::uint32_t AT_DATA) {
    const bool blackhole = arch == Arch::blackhole;
    const auto word = [&](std::uint32_t Ofs) { return std::span(line).subspan(Ofs * 4, 4); };
    const std::uint32_t opcode = bits(AT_LEN_BE, 12, blackhole ? 4 : 3);
    std::uint32_t Ofs = bits(AT_LEN_BE, 0, 2);
    const std::uint32_t OriginalValue = read_bytes(word(Ofs));
    switch (opcode) {
        case 1: {  // increment
            const std::uint32_t Incremented = OriginalValue + AT_DATA;
            const std::uint32_t IntMask = (2u << bits(AT_LEN_BE, 2, 5)) - 1u;
            write_bytes(word(Ofs), (Incremented & IntMask) | (OriginalValue & ~IntMask));
            return {};
        }
        case 3: {  // swap, mask variant
            const std::uint32_t ToWrite[2] = {AT_DATA & 0xFFFF, AT_DATA >> 16};
            for (unsigned i = 0; i < 8; ++i)
                if (bit(AT_LEN_BE, 2 + i)) write_bytes(std::span(line).subspan(2 * i, 2), ToWrite[i & 1]);
            return {};
        }
        case 4:  // compare and swap
            if (OriginalValue == bits(AT_LEN_BE, 2, 4)) write_bytes(word(Ofs), bits(AT_LEN_BE, 6, 4));
            return {};
        case 6:  // swap, index variants
            if (!bit(AT_LEN_BE, 2)) return "atomic 6 is a swap if bit 2 of NOC_AT_LEN_BE is set; it is not";
            write_bytes(word(Ofs), AT_DATA);
            return {};
        case 7:
            Ofs = bits(AT_LEN_BE, 2, 2);
            write_bytes(word(Ofs), AT_DATA);
            return {};
        default: break;
    }
    if (blackhole && opcode == 9) return add_in_parallel(line, bits(AT_LEN_BE, 0, 4), AT_DATA);
    if (blackhole && opcode == 0xA && bits(AT_LEN_BE, 8, 4) == 3) {
        write_bytes(word(Ofs), AT_DATA);
        return {};
    }
    if (blackhole && opcode == 0xA && bit(AT_LEN_BE, 11)) {  // Zaamo
        const auto with_sign = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
        std::uint32_t Operated = 0;
        switch (bits(AT_LEN_BE, 8, 3)) {
            case 0: Operated = OriginalValue + AT_DATA; break;
            case 1: Operated = OriginalValue ^ AT_DATA; break;
            case 2: Operated = OriginalValue | AT_DATA; break;
            case 3: Operated = OriginalValue & AT_DATA; break;
            case 4: Operated = with_sign(OriginalValue) < with_sign(AT_DATA) ? OriginalValue : AT_DATA; break;
            case 5: Operated = with_sign(OriginalValue) > with_sign(AT_DATA) ? OriginalValue : AT_DATA; break;
            case 6: Operated = OriginalValue < AT_DATA ? OriginalValue : AT_DATA; break;
            default: Operated = OriginalValue > AT_DATA ? OriginalValue : AT_DATA; break;
        }
        write_bytes(word(Ofs), Operated);
        return {};
    }
    return "the page lists no atomic with NOC_AT_LEN_BE " + std::to_string(AT_LEN_BE);
}

}  // namespace

/// One request: what a store of 1 to NOC_CMD_CTRL causes. Everything is checked first, so that a refused request
/// changes nothing.
class NocModel::Request {
public:
    Request(NocModel& model, Tile& tile, unsigned noc, unsigned initiator)
        : model_(model),
          map_(map_of(model.arch_)),
          tile_(tile),
          niu_(tile.niu[noc]),
          registers_(niu_.initiators[initiator]),
          noc_(noc),
          ctrl_(word(NOC_CTRL)),
          tag_(word(NOC_PACKET_TAG)),
          kind_(bits(ctrl_, 0, 2)),
          id_(bits(tag_, NOC_PACKET_TRANSACTION_ID, 4)),
          posted_(!bit(ctrl_, NOC_CMD_RESP_MARKED)),
          broadcast_(bit(ctrl_, NOC_CMD_BRCST_PACKET)) {}

    /// Why it has no defined result; empty once it is done.
    std::string perform() {
        if (legal() && translate() && continue_transaction()) {
            if (kind_ == NOC_CMD_RD) read();
            if (kind_ == NOC_CMD_AT) atomic();
            if (kind_ == NOC_CMD_WR) inlined() ? write_inline() : write();
        }
        return why_;
    }

private:
    enum class Memory : std::uint8_t { l1, dram, registers };

    /// An address of a tile.
    struct End {
        Tile* tile = nullptr;
        Memory memory = Memory::l1;
        std::uint64_t address = 0;
        Niu* niu = nullptr;        ///< of registers
        std::uint32_t offset = 0;  ///< of the register, from NIU_BASE
    };

    bool blackhole() const { return model_.arch_ == Arch::blackhole; }
    bool inlined() const { return bit(ctrl_, NOC_CMD_WR_INLINE); }
    std::uint32_t& word(std::uint32_t offset) { return registers_[offset / 4]; }
    bool refuse(std::string why) {
        why_ = std::move(why);
        return false;
    }
    static std::string name(const Tile& tile) {
        return "tile (" + std::to_string(tile.x) + ", " + std::to_string(tile.y) + ")";
    }
    static bool has_l1(const Tile& tile) { return tile.kind == Kind::tensix || tile.kind == Kind::ethernet; }

    // NoC/MemoryMap, NOC_CTRL and NOC_PACKET_TAG: values that software must not write.
    bool legal() {
        if (!has_l1(tile_)) return refuse(name(tile_) + " has no request initiators here");
        if (kind_ == 3) return refuse("request type 3 is reserved");
        if (kind_ == NOC_CMD_RD && broadcast_) return refuse("reads cannot be broadcast");
        if (ctrl_ & (blackhole() ? 0x07FC'1C00 : 0x87FC'0000)) return refuse("NOC_CTRL: reserved bits must be zero");
        if (blackhole() && bit(ctrl_, NOC_CMD_L1_ACC_AT_EN))
            return refuse("NOC_CMD_L1_ACC_AT_EN cannot be used safely on Blackhole");
        if (blackhole() && bit(configuration(niu_, NIU_CFG_0), request_fifo_enable))
            return refuse("the pages do not describe the request FIFO (NIU_CFG_0, bit 16)");
        const std::uint32_t virtual_channel_class = bits(ctrl_, NOC_CMD_STATIC_VC + 1, 2);
        if (bit(ctrl_, NOC_CMD_VC_STATIC) &&
            (broadcast_ ? virtual_channel_class != 0b10 : virtual_channel_class > 0b01))
            return refuse("NOC_CMD_STATIC_VC has the wrong class bits for the request");
        if (kind_ == NOC_CMD_WR && bit(tag_, DeliverToReceiverOverlay))
            return refuse("delivery to the receiver's overlay is not modelled");
        return true;
    }

    static std::uint32_t configuration(const Niu& niu, std::uint32_t offset) {
        return niu.configuration[(offset - CONFIGURATION) / 4];
    }

    // NoC/Coordinates, coordinate translation.
    bool translate() {
        const bool rectangle_is_ret = kind_ == NOC_CMD_WR && !inlined();
        targ_ = parse_fields(place_bits(NOC_TARG_ADDR_LO));
        ret_ = parse_fields(place_bits(NOC_RET_ADDR_LO));
        if (!bit(configuration(niu_, NIU_CFG_0), coordinate_translation_enable)) return true;
        if (!translate(targ_.end) || !translate(ret_.end)) return false;
        return !broadcast_ || translate(rectangle_is_ret ? ret_.start : targ_.start);
    }
    bool translate(Coordinates& c) {
        if (blackhole()) {
            translate_blackhole(c);
            return true;
        }
        if (c.x > 31 || c.y > 31) return refuse("a coordinate above 31 is not in the translation tables");
        const auto entry = [&](std::uint32_t table, unsigned i) {
            return bits(configuration(niu_, table + i / 8 * 4), i % 8 * 4, 4);
        };
        c = {entry(NOC_X_ID_TRANSLATE_TABLE_0, c.x), entry(map_.NOC_Y_ID_TRANSLATE_TABLE_0, c.y)};
        return true;
    }
    // BlackholeA0/NoC/Coordinates, translation algorithm.
    void translate_blackhole(Coordinates& c) const {
        const auto entry = [&](std::uint32_t table, unsigned i) {
            return bits(configuration(niu_, table + i / 6 * 4), i % 6 * 5, 5);
        };
        const std::uint32_t ddr_table_5 = configuration(niu_, DDR_COORD_TRANSLATE_TABLE_5);
        const auto in_ddr_x = [&](unsigned x) {
            return (x == 9 && bit(ddr_table_5, 10)) || (x == 0 && bit(ddr_table_5, 11));
        };
        const unsigned x31 = c.x & 31, y31 = c.y & 31;
        if (bit(configuration(niu_, DDR_COORD_TRANSLATE_COL_SWAP), y31) && in_ddr_x(x31 ^ 9))
            c.x = x31 ^ 9;
        else if (!bit(configuration(niu_, NOC_ID_TRANSLATE_ROW_MASK), y31))
            c.x = entry(NOC_X_ID_TRANSLATE_TABLE_0, x31);
        if (in_ddr_x(x31))
            c.y = entry(DDR_COORD_TRANSLATE_TABLE_0, y31);
        else if (!bit(configuration(niu_, NOC_ID_TRANSLATE_COL_MASK), x31))
            c.y = entry(map_.NOC_Y_ID_TRANSLATE_TABLE_0, y31);
    }

    // The coordinates of NOC_TARG_ADDR or NOC_RET_ADDR, by its LO register: in HI on Blackhole, above 4 bits of the
    // address in MID on Wormhole.
    std::uint32_t place_bits(std::uint32_t lo) {
        return blackhole() ? bits(word(lo + 8), 0, 24) : bits(word(lo + 4), 4, 24);
    }
    std::uint64_t memory_address(std::uint32_t lo) {
        return std::uint64_t{blackhole() ? word(lo + 4) : bits(word(lo + 4), 0, 4)} << 32 | word(lo);
    }

    // NOC_CMD_VC_LINKED: what the NIU demands of the next request of a transaction.
    bool continue_transaction() {
        const Fields& to = kind_ == NOC_CMD_WR && !inlined() ? ret_ : targ_;
        const bool y_major = broadcast_ && bit(ctrl_, NOC_CMD_BRCST_XY);
        const std::uint32_t destination = bits(pack_fields(to), 0, broadcast_ ? 24 : 12);
        std::optional<unsigned> static_vc;
        if (bit(ctrl_, NOC_CMD_VC_STATIC)) static_vc = bits(ctrl_, NOC_CMD_STATIC_VC, 3);
        next_transaction_ = {broadcast_, y_major, destination, static_vc};
        if (!niu_.transaction) return true;
        const Transaction& open = *niu_.transaction;
        if (open.broadcast != broadcast_ || open.y_major != y_major || open.destination != destination)
            return refuse("the NIU's open transaction has another destination (NOC_CMD_VC_LINKED)");
        if (static_vc && open.static_vc != static_vc)
            return refuse("the NIU's open transaction has another virtual channel (NOC_CMD_VC_LINKED)");
        next_transaction_.static_vc = open.static_vc;
        return true;
    }

    /// The tile at coordinates on this NoC; null if there is none.
    Tile* at(Coordinates c) {
        if (c.x >= model_.width_ || c.y >= model_.height_) return nullptr;
        return noc_ == 0 ? model_.tile(c.x, c.y) : model_.tile(model_.width_ - 1 - c.x, model_.height_ - 1 - c.y);
    }
    Coordinates here(const Tile& tile) const {
        return noc_ == 0 ? Coordinates{tile.x, tile.y}
                         : Coordinates{model_.width_ - 1 - tile.x, model_.height_ - 1 - tile.y};
    }
    bool one_tile(const Fields& fields, Tile*& tile) {
        tile = at(fields.end);
        return tile || refuse("there is no tile at (" + std::to_string(fields.end.x) + ", " +
                              std::to_string(fields.end.y) + ") of NoC " + std::to_string(noc_));
    }
    /// The tile whose NIU gets the response.
    bool responding_tile(const Fields& fields, Tile*& tile) {
        if (!one_tile(fields, tile)) return false;
        return has_l1(*tile) || refuse("the response goes to " + name(*tile) + ", which has no request initiators");
    }

    bool recipients(const Fields& fields, std::vector<Tile*>& tiles) {
        if (!broadcast_) return one_tile(fields, tiles.emplace_back());
        const auto [end, start] = fields;
        if (!at(end) || !at(start)) return refuse("a corner of the rectangle is not on the NoC");
        if (!exclusion_is_defined(fields)) return false;
        for (unsigned y = 0; y < model_.height_; ++y)
            for (unsigned x = 0; x < model_.width_; ++x) {
                Tile& tile = *at({x, y});
                if (!in_span(x, start.x, end.x) || !in_span(y, start.y, end.y) || excluded(x, y)) continue;
                if (&tile == &tile_ && !bit(ctrl_, NOC_CMD_BRCST_SRC_INCLUDE)) continue;
                // Each NIU has its own masks, and looks at the bits of its own column and row.
                const Niu& niu = tile.niu[noc_];
                if (bit(configuration(niu, ROUTER_CFG_1), x) || bit(configuration(niu, ROUTER_CFG_3), y)) continue;
                if (tile.kind != Kind::tensix)
                    return refuse("the broadcast reaches " + name(tile) + ", which is not a Tensix tile");
                tiles.push_back(&tile);
            }
        return true;
    }

    // NOC_BRCST_EXCLUDE. Its fields: tt-metal's dataflow_api (EXCLUDE_START_X_OFFSET to EXCLUDE_ENABLED_OFFSET). What
    // they mean: apply_exclusion of BlackholeA0/PCIExpressTile/HostToDeviceTLBs.
    bool exclusion_is_defined(const Fields& fields) {
        if (!blackhole()) return true;
        const std::uint32_t exclude = word(NOC_BRCST_EXCLUDE);
        if (exclude & ~0x007F'FF00u) return refuse("NOC_BRCST_EXCLUDE: only bits 8 to 22 have a known purpose");
        if (bit(exclude, 22) && (fields.start.x > fields.end.x || fields.start.y > fields.end.y))
            return refuse("NOC_BRCST_EXCLUDE: the pages do not say what is excluded from a rectangle that wraps");
        return true;
    }
    bool excluded(unsigned x, unsigned y) {
        if (!blackhole() || !bit(word(NOC_BRCST_EXCLUDE), 22)) return false;
        const std::uint32_t exclude = word(NOC_BRCST_EXCLUDE);
        const unsigned x_exclude_coord = bits(exclude, 8, 6), y_exclude_coord = bits(exclude, 14, 6);
        const bool in_x = bit(exclude, 20) ? x >= x_exclude_coord : x <= x_exclude_coord;
        const bool in_y = bit(exclude, 21) ? y >= y_exclude_coord : y <= y_exclude_coord;
        return in_x && in_y;
    }

    /// What an address of a tile means to a request on this NoC. All of `size` bytes must be there.
    bool resolve(Tile& tile, std::uint64_t address, std::uint64_t size, End& end) {
        end = {&tile, Memory::l1, address, nullptr, 0};
        const std::uint64_t low = address & 0xFFFF'FFFF, high = address >> 32;
        if (has_l1(tile)) {
            // WormholeB0: NIU_BASE is 0x?_FFB2_0000.
            if (low >= registers_begin && (high == 0 || !blackhole()))
                return registers(bits(static_cast<std::uint32_t>(low), 16, 16) == 0xFFB3 ? 1 : 0,
                                 (low & 0xFFFE'0000) == 0xFFB2'0000, low & 0xFFFF, end);
            const std::uint64_t l1 = tile.kind == Kind::tensix ? map_.tensix_l1 : map_.ethernet_l1;
            if (size > l1 || address > l1 - size) return refuse("not all of its bytes are in L1 of " + name(tile));
        } else if (tile.kind == Kind::dram && address < map_.dram) {
            end.memory = Memory::dram;
            if (size > map_.dram - address) return refuse("not all of its bytes are in the DRAM behind " + name(tile));
            if (blackhole() && bit(configuration(tile.niu[noc_], NIU_CFG_0), axi_subordinate_enable))
                return refuse(name(tile) + " shows its RISC-V core instead of DRAM (NIU_CFG_0, bit 15)");
        } else if (!blackhole()) {
            return registers(noc_, high == 0xF, low & 0xFFF, end);
        } else {
            const bool base = (low & 0xFFFE'0000) == 0xFFB2'0000;
            if (tile.kind == Kind::dram)
                return registers(bit(static_cast<std::uint32_t>(low), 16), base, low & 0xFFFF, end);
            return registers(noc_, base && high == (tile.kind == Kind::empty ? 0 : 0xFFFF'FFFF), low & 0xFFFF, end);
        }
        for (const Niu& niu : tile.niu)
            if (bit(configuration(niu, NIU_CFG_0), tile_clock_disable))
                return refuse(name(tile) + " is disabled (NIU_CFG_0, bit 12)");
        return true;
    }
    bool registers(unsigned noc, bool base, std::uint64_t offset, End& end) {
        end.memory = Memory::registers;
        end.niu = &end.tile->niu[noc];
        end.offset = static_cast<std::uint32_t>(offset);
        return (base && model_.has_configuration(end.offset & ~3u)) ||
               refuse("only an NIU's configuration is reached by requests here, not address " +
                      std::to_string(end.address) + " of " + name(*end.tile));
    }

    std::vector<std::uint8_t> fetch(const End& end, std::uint64_t from, std::uint64_t size) {
        std::vector<std::uint8_t> bytes(size);
        if (end.memory == Memory::registers) write_bytes(bytes, model_.load_configuration(*end.niu, end.offset));
        for (std::uint64_t i = 0; i < size && end.memory != Memory::registers; ++i) {
            const std::uint64_t address = end.address + from + i;
            bytes[i] = end.memory == Memory::l1 ? model_.l1(*end.tile)[address]
                                                : std::as_const(model_).dram_byte(end.tile->group, address);
        }
        return bytes;
    }
    void put(const End& end, std::uint64_t from, std::span<const std::uint8_t> bytes) {
        if (end.memory == Memory::registers) model_.store_configuration(*end.niu, end.offset, read_bytes(bytes));
        for (std::uint64_t i = 0; i < bytes.size() && end.memory != Memory::registers; ++i) {
            const std::uint64_t address = end.address + from + i;
            (end.memory == Memory::l1 ? model_.l1(*end.tile)[address] : model_.dram_byte(end.tile->group, address)) =
                bytes[i];
        }
    }

    /// True if two ranges have a byte in common.
    static bool overlap(const End& a, std::uint64_t a_size, const End& b, std::uint64_t b_size) {
        const bool same = a.memory == b.memory && a.memory != Memory::registers &&
                          (a.memory == Memory::dram ? a.tile->group == b.tile->group : a.tile == b.tile);
        return same && a.address < b.address + b_size && b.address < a.address + a_size;
    }

    // WormholeB0/NoC/Alignment, when NOC_AT_LEN_BE contains a length; NoC/MemoryMap: 4 bytes for MMIO.
    bool aligned(const End& from, const End& to, std::uint64_t length) {
        const bool from_registers = from.memory == Memory::registers, to_registers = to.memory == Memory::registers;
        if (from_registers || to_registers) {
            if (length != 4) return refuse("a request for MMIO has 4 bytes");
            if ((from_registers && from.address % 4) || (to_registers && to.address % 4))
                return refuse("MMIO addresses must be multiples of 4");
        }
        const std::uint64_t congruent = from_registers                                 ? (to_registers ? 1 : 4)
                                        : from.memory == Memory::dram && !to_registers ? map_.dram_read_alignment
                                                                                       : 16;
        if (from.address % congruent != to.address % congruent)
            return refuse("both addresses must be congruent modulo " + std::to_string(congruent));
        // NoC/Ordering: the order of reads and writes of 16 bytes within a packet is not known.
        if (overlap(from, length, to, length) && from.address != to.address)
            return refuse("source and destination overlap, and the order of their reads and writes is not known");
        return true;
    }

    std::uint64_t length() {
        return std::uint64_t{blackhole() ? word(NOC_AT_LEN_BE_1) : 0} << 32 | word(NOC_AT_LEN_BE);
    }
    // Counters, automatic request splitting.
    bool length_is_defined() {
        if (length() == 0) return refuse("the pages do not say what a request for 0 bytes does");
        const std::uint32_t unit = blackhole() ? 64 : 16;
        if (length() > map_.packet && (word(NOC_TARG_ADDR_LO) % unit || word(NOC_RET_ADDR_LO) % unit))
            return refuse("both addresses of a request that is split must be multiples of " + std::to_string(unit));
        return true;
    }
    std::uint32_t packets() { return static_cast<std::uint32_t>((length() + map_.packet - 1) / map_.packet); }
    std::uint32_t flits(std::uint64_t bytes) const {
        return static_cast<std::uint32_t>((bytes + map_.flit - 1) / map_.flit);
    }
    /// The registers after a packet that is not the last. Only Blackhole carries into MID.
    void advance() {
        for (const std::uint32_t lo : {NOC_TARG_ADDR_LO, NOC_RET_ADDR_LO}) {
            const std::uint64_t next = std::uint64_t{word(lo)} + map_.packet;
            word(lo) = static_cast<std::uint32_t>(next);
            if (blackhole()) word(lo + 4) += static_cast<std::uint32_t>(next >> 32);
        }
        const std::uint64_t rest = length() - map_.packet;
        word(NOC_AT_LEN_BE) = static_cast<std::uint32_t>(rest);
        if (blackhole()) word(NOC_AT_LEN_BE_1) = static_cast<std::uint32_t>(rest >> 32);
    }

    // Counters of a tile's NIU on this NoC.
    void count(Tile& tile, Counter index, std::uint32_t by = 1) { tile.niu[noc_].counters[index] += by; }
    /// Those of posted requests follow those of non-posted ones.
    Counter counter_of(Counter nonposted) const { return static_cast<Counter>(nonposted + (posted_ ? 1 : 0)); }
    void change_outstanding(Tile& tile, unsigned id, std::uint32_t by) {
        Niu& niu = tile.niu[noc_];
        model_.set_outstanding(niu, id, niu.counters[NIU_MST_REQS_OUTSTANDING_ID + id] + by);
    }
    void change_outgoing(std::uint32_t by) {
        std::uint32_t& counter = niu_.counters[NIU_MST_WRITE_REQS_OUTGOING_ID + id_];
        counter = (counter + by) & 0xFF;
    }

    // As software writes to NOC_CMD_CTRL, besides the counters. From here on, nothing is refused.
    void begin(const std::vector<Tile*>& to) {
        if (!blackhole()) {
            word(NOC_TARG_ADDR_LO + 4) = (word(NOC_TARG_ADDR_LO + 4) & ~0x0FFF'FFF0u) | pack_fields(targ_) << 4;
            word(NOC_RET_ADDR_LO + 4) = (word(NOC_RET_ADDR_LO + 4) & ~0x0FFF'FFF0u) | pack_fields(ret_) << 4;
            word(NOC_CTRL) = (ctrl_ & ~(7u << 10)) | first_ports(to) << 10;
        }
        niu_.transaction.reset();
        if (bit(ctrl_, NOC_CMD_VC_LINKED)) niu_.transaction = next_transaction_;
    }

    // Bits 10 to 12 of NOC_CTRL: the ports that the first router sends the packet to (NIU, Y, X). NoC/RoutingPaths;
    // Diagrams/Src/NoC.lua says what "as necessary" means to a broadcast.
    std::uint32_t first_ports(const std::vector<Tile*>& to) const {
        constexpr std::uint32_t niu = 1, y_port = 2, x_port = 4;
        const Coordinates from = here(tile_);
        if (!broadcast_) {
            const Coordinates there = here(*to.front());
            const std::uint32_t x = there.x != from.x ? x_port : 0, y = there.y != from.y ? y_port : 0;
            const std::uint32_t first = noc_ == 0 ? x : y, second = noc_ == 0 ? y : x;
            return first ? first : second ? second : niu;
        }
        const auto [end, start] = kind_ == NOC_CMD_WR && !inlined() ? ret_ : targ_;
        const auto span = [](unsigned first, unsigned last, unsigned size) { return (last + size - first) % size + 1; };
        const bool in_x = in_span(from.x, start.x, end.x), in_y = in_span(from.y, start.y, end.y);
        const unsigned columns = span(start.x, end.x, model_.width_), rows = span(start.y, end.y, model_.height_);
        std::uint32_t ports = std::find(to.begin(), to.end(), &tile_) != to.end() ? niu : 0;
        if (bit(ctrl_, NOC_CMD_BRCST_XY)) {
            if (!in_y) return y_port;
            if (in_x && rows > 1) ports |= y_port;
            if (columns > (in_x ? 1 : 0)) ports |= x_port;
        } else {
            if (!in_x) return x_port;
            if (in_y && columns > 1) ports |= x_port;
            if (rows > (in_y ? 1 : 0)) ports |= y_port;
        }
        return ports;
    }

    // NoC/Counters, read requests.
    bool read() {
        Tile *target = nullptr, *returns = nullptr;
        End from, to;
        if (!one_tile(targ_, target) || !responding_tile(ret_, returns) || !length_is_defined()) return false;
        if (!resolve(*target, memory_address(NOC_TARG_ADDR_LO), length(), from)) return false;
        if (!resolve(*returns, memory_address(NOC_RET_ADDR_LO), length(), to)) return false;
        if (!aligned(from, to, length())) return false;

        begin({target});
        change_outstanding(tile_, id_, packets());
        for (std::uint64_t at = 0;; at += map_.packet) {
            const std::uint64_t size = std::min<std::uint64_t>(length(), map_.packet);
            const bool last = length() <= map_.packet;
            count(tile_, NIU_MST_CMD_ACCEPTED);
            count(tile_, NIU_MST_RD_REQ_STARTED);
            if (!last) advance();
            count(tile_, NIU_MST_RD_REQ_SENT);
            count(*target, NIU_SLV_REQ_ACCEPTED);
            count(*target, NIU_SLV_RD_REQ_RECEIVED);
            const auto data = fetch(from, at, size);
            count(*target, NIU_SLV_RD_RESP_SENT);
            count(*target, NIU_SLV_RD_DATA_WORD_SENT, flits(size));
            put(to, at, data);
            count(*returns, NIU_MST_RD_RESP_RECEIVED);
            count(*returns, NIU_MST_RD_DATA_WORD_RECEIVED, flits(size));
            change_outstanding(*returns, id_, -1u);
            if (last) return true;
        }
    }

    // NoC/Counters, write requests with NOC_CMD_WR_INLINE=false.
    bool write() {
        const bool byte_enables = bit(ctrl_, NOC_CMD_WR_BE);
        std::vector<Tile*> tiles;
        Tile* acknowledged = nullptr;
        if (!recipients(ret_, tiles)) return false;
        if (!posted_ && !responding_tile(targ_, acknowledged)) return false;
        End from;
        std::vector<End> to(tiles.size()), headers;
        if (!(byte_enables ? ends_of_bytes(tiles, from, to) : ends_of_range(tiles, from, to))) return false;
        if (bit(tag_, NOC_PACKET_TAG_HEADER_STORE) && !header_store(tiles, from, to, headers)) return false;

        begin(tiles);
        const std::uint32_t parts = byte_enables ? 1 : packets();
        if (!posted_) change_outstanding(tile_, id_, parts);
        change_outgoing(parts);
        for (std::uint64_t at = 0;; at += map_.packet) {
            const std::uint64_t size = byte_enables ? 0 : std::min<std::uint64_t>(length(), map_.packet);
            const bool last = byte_enables || length() <= map_.packet;
            const std::uint32_t words = byte_enables ? 1 : flits(size);
            count(tile_, NIU_MST_CMD_ACCEPTED);
            count(tile_, counter_of(NIU_MST_NONPOSTED_WR_REQ_STARTED));
            if (!last) advance();
            count(tile_, counter_of(NIU_MST_NONPOSTED_WR_REQ_SENT));
            count(tile_, counter_of(NIU_MST_NONPOSTED_WR_DATA_WORD_SENT), words);
            const auto data = fetch(from, at, byte_enables ? bytes_to_enable(from, to) : size);
            change_outgoing(-1u);
            for (std::size_t n = 0; n < tiles.size(); ++n) {
                count(*tiles[n], counter_of(NIU_SLV_NONPOSTED_WR_REQ_STARTED));
                count(*tiles[n], counter_of(NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED), words);
                count(*tiles[n], counter_of(NIU_SLV_NONPOSTED_WR_REQ_RECEIVED));
                if (byte_enables)
                    put_enabled(to[n], data);
                else
                    put(to[n], at, data);
                if (!headers.empty() && headers[n].tile) put(headers[n], 0, std::span(data).first(16));
                if (posted_) continue;
                count(*tiles[n], NIU_SLV_WR_ACK_SENT);
                count(*acknowledged, NIU_MST_WR_ACK_RECEIVED);
                change_outstanding(*acknowledged, acknowledged_id(*tiles[n]), -1u);
            }
            if (last) return true;
        }
    }
    bool ends_of_range(const std::vector<Tile*>& tiles, End& from, std::vector<End>& to) {
        if (!length_is_defined()) return false;
        if (!resolve(tile_, memory_address(NOC_TARG_ADDR_LO), length(), from)) return false;
        // Also if nobody receives it.
        if (from.memory == Memory::registers && (length() != 4 || from.address % 4))
            return refuse("a request for MMIO has 4 bytes at a multiple of 4");
        for (std::size_t n = 0; n < tiles.size(); ++n)
            if (!resolve(*tiles[n], memory_address(NOC_RET_ADDR_LO), length(), to[n]) ||
                !aligned(from, to[n], length()))
                return false;
        return true;
    }
    // WormholeB0/NoC/Alignment, when NOC_AT_LEN_BE contains a byte enable mask; Blackhole's mask has 64 bits.
    bool ends_of_bytes(const std::vector<Tile*>& tiles, End& from, std::vector<End>& to) {
        const std::uint64_t source = memory_address(NOC_TARG_ADDR_LO), destination = memory_address(NOC_RET_ADDR_LO);
        if (!resolve(tile_, source, 4, from)) return false;
        for (std::size_t n = 0; n < tiles.size(); ++n) {
            if (!resolve(*tiles[n], destination, 4, to[n])) return false;
            if (to[n].memory == Memory::registers) {
                if (destination % 4) return refuse("the destination must be a multiple of 4");
                if (from.memory != Memory::registers && source % 16 != destination % 16)
                    return refuse("both addresses must be congruent modulo 16");
            } else if (destination % map_.flit || !resolve(*tiles[n], destination, map_.flit, to[n])) {
                return why_.empty() ? refuse("the destination must be a multiple of " + std::to_string(map_.flit))
                                    : false;
            } else if (from.memory != Memory::registers) {
                if (source % map_.flit) return refuse("the source must be a multiple of " + std::to_string(map_.flit));
                if (!resolve(tile_, source, map_.flit, from)) return false;
            }
        }
        return !(from.memory == Memory::registers && source % 4) || refuse("the source must be a multiple of 4");
    }
    /// Of the source: none if nobody receives them, a word to or from MMIO, or one for each bit of the mask.
    std::uint64_t bytes_to_enable(const End& from, const std::vector<End>& to) const {
        if (to.empty()) return 0;
        return from.memory == Memory::registers || to[0].memory == Memory::registers ? 4 : map_.flit;
    }
    // A word from MMIO is written again and again.
    void put_enabled(const End& to, std::span<const std::uint8_t> data) {
        if (to.memory == Memory::registers) {
            put(to, 0, data);
            return;
        }
        for (std::uint32_t i = 0; i < map_.flit; ++i)
            if (bit(word(NOC_AT_LEN_BE + i / 32 * 4), i % 32)) put(to, i, data.subspan(i % data.size(), 1));
    }
    // NOC_PACKET_TAG_HEADER_STORE. An empty header: the tile ignores the flag.
    bool header_store(const std::vector<Tile*>& tiles, const End& from, const std::vector<End>& to,
                      std::vector<End>& headers) {
        if (!posted_) return refuse("NOC_PACKET_TAG_HEADER_STORE is for posted writes");
        if (bit(ctrl_, NOC_CMD_WR_BE) || from.memory != Memory::l1)
            return refuse("the pages do not say what the first 128 bits of such a packet are");
        if (length() % map_.packet && length() % map_.packet < 16)
            return refuse("NOC_PACKET_TAG_HEADER_STORE: a packet has fewer than 128 bits");
        if (from.address % 16) return refuse("NOC_PACKET_TAG_HEADER_STORE: the source must be a multiple of 16");
        headers.resize(tiles.size());
        for (std::size_t n = 0; n < tiles.size(); ++n) {
            if (!has_l1(*tiles[n]) && bit(configuration(tiles[n]->niu[noc_], NIU_CFG_0), double_store_disable))
                continue;
            if (!resolve(*tiles[n], std::uint64_t{word(map_.NOC_AT_DATA)} << 4, 16, headers[n])) return false;
            if (headers[n].memory == Memory::registers || to[n].memory == Memory::registers)
                return refuse("NOC_PACKET_TAG_HEADER_STORE is for memory");
            if (overlap(headers[n], 16, from, length()) || overlap(headers[n], 16, to[n], length()))
                return refuse("NOC_PACKET_TAG_HEADER_STORE: the header's place overlaps the data's");
        }
        return true;
    }
    // WormholeB0/NoC/MemoryMap, NOC_PACKET_TAG: the PCI Express tile and the ARC tile lose the transaction ID.
    unsigned acknowledged_id(const Tile& writer) const {
        return !blackhole() && (writer.kind == Kind::pcie || writer.kind == Kind::arc) ? 0 : id_;
    }

    // NoC/Counters, write requests with NOC_CMD_WR_INLINE=true.
    bool write_inline() {
        std::vector<Tile*> tiles;
        if (!recipients(targ_, tiles)) return false;
        if (bit(tag_, NOC_PACKET_TAG_HEADER_STORE))
            return refuse("NOC_PACKET_TAG_HEADER_STORE: NOC_AT_DATA is the data of an inline write");
        std::vector<End> to(tiles.size());
        for (std::size_t n = 0; n < tiles.size(); ++n) {
            const std::uint64_t address = memory_address(NOC_TARG_ADDR_LO);
            if (!has_l1(*tiles[n]))
                return refuse("inline writes are for Tensix and Ethernet tiles, not for " + name(*tiles[n]));
            if (!resolve(*tiles[n], address, 1, to[n])) return false;
            if (to[n].memory == Memory::registers) {
                if (address % 4) return refuse("MMIO addresses must be multiples of 4");
            } else if (blackhole()) {
                return refuse("inline writes to L1 are not safe on Blackhole");
            } else if (!resolve(*tiles[n], address & ~std::uint64_t{15}, 16, to[n])) {
                return false;
            }
        }

        begin(tiles);
        if (!posted_) change_outstanding(tile_, id_, 1);
        count(tile_, NIU_MST_CMD_ACCEPTED);
        count(tile_, counter_of(NIU_MST_NONPOSTED_WR_REQ_STARTED));
        count(tile_, counter_of(NIU_MST_NONPOSTED_WR_REQ_SENT));
        std::array<std::uint8_t, 4> data{};
        write_bytes(data, word(map_.NOC_AT_DATA));
        const std::uint32_t mask = word(NOC_AT_LEN_BE);
        for (std::size_t n = 0; n < tiles.size(); ++n) {
            count(*tiles[n], counter_of(NIU_SLV_NONPOSTED_WR_REQ_STARTED));
            count(*tiles[n], counter_of(NIU_SLV_NONPOSTED_WR_REQ_RECEIVED));
            count(*tiles[n], counter_of(NIU_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED));
            if (to[n].memory == Memory::registers) put(to[n], 0, data);
            for (unsigned i = 0; i < 16 && to[n].memory != Memory::registers; ++i)
                if (bit(mask, i) || bit(mask, 16 + i)) put(to[n], i, std::span(data).subspan(i & 3, 1));
            if (posted_) continue;
            count(*tiles[n], NIU_SLV_WR_ACK_SENT);
            count(tile_, NIU_MST_WR_ACK_RECEIVED);
            change_outstanding(tile_, id_, -1u);
        }
        return true;
    }

    // NoC/Counters, atomic requests.
    bool atomic() {
        std::vector<Tile*> tiles;
        Tile* returns = nullptr;
        End response;
        if (!recipients(targ_, tiles)) return false;
        const std::uint64_t address = memory_address(NOC_TARG_ADDR_LO);
        const std::uint32_t operation = word(NOC_AT_LEN_BE);
        const bool has_result = !blackhole() || bits(operation, 12, 4) != 9;
        if (has_result && address % 4) return refuse("the target of an atomic must be a multiple of 4");
        if (!posted_) {
            if (!has_result) return refuse("the response of a parallel addition is an undefined value");
            if (!responding_tile(ret_, returns)) return false;
            if (!resolve(*returns, memory_address(NOC_RET_ADDR_LO), 4, response)) return false;
            if (response.memory != Memory::l1 || response.address % 4)
                return refuse("the response of an atomic needs a word of L1");
        }
        std::vector<End> ends(tiles.size());
        std::vector<Line> lines(tiles.size());
        std::vector<std::uint32_t> results(tiles.size());
        for (std::size_t n = 0; n < tiles.size(); ++n) {
            if (!resolve(*tiles[n], address & ~std::uint64_t{15}, 16, ends[n])) return false;
            if (ends[n].memory != Memory::l1) return refuse("atomics act on L1 only");
            const auto line = fetch(ends[n], 0, 16);
            std::copy(line.begin(), line.end(), lines[n].begin());
            results[n] = read_bytes(std::span(line).subspan(address % 16 & ~3u, 4));
            if (std::string why = perform_atomic(model_.arch_, lines[n], operation, word(map_.NOC_AT_DATA));
                !why.empty())
                return refuse(std::move(why));
            // NoC/Ordering: responses arrive in any order, and so do the parts of a broadcast.
            if (!posted_ && results[n] != results[0])
                return refuse("recipients of a broadcast respond different values, and their order is not known");
            if (!posted_ && tiles.size() > 1 && overlap(ends[n], 16, response, 4))
                return refuse("the response of a broadcast goes to a line that it acts on");
        }

        begin(tiles);
        if (!posted_) change_outstanding(tile_, id_, 1);
        count(tile_, NIU_MST_CMD_ACCEPTED);
        if (!posted_) count(tile_, NIU_MST_NONPOSTED_ATOMIC_STARTED);
        count(tile_, counter_of(NIU_MST_NONPOSTED_ATOMIC_SENT));
        for (std::size_t n = 0; n < tiles.size(); ++n) {
            count(*tiles[n], NIU_SLV_REQ_ACCEPTED);
            count(*tiles[n], counter_of(NIU_SLV_NONPOSTED_ATOMIC_RECEIVED));
            put(ends[n], 0, lines[n]);
            if (posted_) continue;
            count(*tiles[n], NIU_SLV_ATOMIC_RESP_SENT);
            std::array<std::uint8_t, 4> Result{};
            write_bytes(Result, results[n]);
            put(response, 0, Result);
            count(*returns, NIU_MST_ATOMIC_RESP_RECEIVED);
            change_outstanding(*returns, id_, -1u);
        }
        return true;
    }

    NocModel& model_;
    const Map& map_;
    Tile& tile_;
    Niu& niu_;
    std::array<std::uint32_t, 16>& registers_;
    unsigned noc_;
    std::uint32_t ctrl_, tag_, kind_;
    unsigned id_;
    bool posted_, broadcast_;
    Fields targ_{}, ret_{};  ///< translated
    Transaction next_transaction_;
    std::string why_;
};

NocModel::NocModel(Arch arch) : arch_(arch), width_(arch == Arch::blackhole ? 17 : 10), height_(12) {
    place_tiles();
    for (Tile& tile : tiles_) configure(tile);
}

NocModel::Tile* NocModel::tile(unsigned x, unsigned y) {
    return x < width_ && y < height_ ? &tiles_[y * width_ + x] : nullptr;
}
const NocModel::Tile* NocModel::tile(unsigned x, unsigned y) const {
    return x < width_ && y < height_ ? &tiles_[y * width_ + x] : nullptr;
}

// Diagrams/Src/NoC.lua, TileLabel and TileLabel_BH; endpoints of DRAM in the order of tt-umd's descriptors.
void NocModel::place_tiles() {
    tiles_.resize(std::size_t{width_} * height_);
    const bool blackhole = arch_ == Arch::blackhole;
    for (unsigned y = 0; y < height_; ++y)
        for (unsigned x = 0; x < width_; ++x) {
            Tile& tile = tiles_[y * width_ + x];
            tile.x = x;
            tile.y = y;
            tile.kind = Kind::tensix;
            if (blackhole ? y < 2 || x == 0 || x == 8 || x == 9 : y == 0 || y == 6 || x == 0 || x == 5)
                tile.kind = Kind::empty;
            if (tile.kind == Kind::tensix && blackhole) tile.index = (y - 2) * 14 + (x - (x >= 10 ? 3 : 1));
            if (tile.kind == Kind::tensix && !blackhole)
                tile.index = (y - (y >= 7 ? 2 : 1)) * 8 + (x - (x >= 6 ? 2 : 1));
        }
    const auto put = [&](unsigned x, unsigned y, Kind kind, unsigned index, unsigned group = 0) {
        Tile& tile = tiles_[y * width_ + x];
        tile.kind = kind;
        tile.index = index;
        tile.group = group;
    };
    if (blackhole) {
        constexpr std::uint8_t ethernet_x[] = {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10};
        constexpr std::uint8_t dram_y[][3] = {{0, 1, 11}, {2, 10, 3}, {9, 4, 8}, {5, 7, 6}};
        constexpr std::uint8_t l2cpu_y[] = {3, 9, 5, 7};
        for (unsigned i = 0; i < std::size(ethernet_x); ++i) put(ethernet_x[i], 1, Kind::ethernet, i);
        for (unsigned group = 0; group < 8; ++group)
            for (const std::uint8_t y : dram_y[group % 4]) put(group < 4 ? 0 : 9, y, Kind::dram, group, group);
        for (unsigned i = 0; i < std::size(l2cpu_y); ++i) put(8, l2cpu_y[i], Kind::l2cpu, i);
        put(2, 0, Kind::pcie, 2);
        put(11, 0, Kind::pcie, 2);
        put(8, 0, Kind::arc, 0);
        put(8, 2, Kind::security, 0);
        return;
    }
    constexpr std::uint8_t ethernet_x[] = {9, 1, 8, 2, 7, 3, 6, 4};
    constexpr std::uint8_t dram[][4] = {{0, 0, 1, 11}, {0, 5, 6, 7}, {5, 0, 1, 11},
                                        {5, 2, 9, 10}, {5, 3, 4, 8}, {5, 5, 6, 7}};
    for (unsigned i = 0; i < 16; ++i) put(ethernet_x[i % 8], i / 8 * 6, Kind::ethernet, i);
    for (unsigned group = 0; group < std::size(dram); ++group)
        for (unsigned i = 0; i < 3; ++i) put(dram[group][0], dram[group][1 + i], Kind::dram, i, group);
    put(0, 3, Kind::pcie, 2);
    put(0, 10, Kind::arc, 0);
}

// NOC_ID_LOGICAL: the translated coordinates that software prefers, or those of NoC 0 where it has none.
std::uint32_t NocModel::id_logical(const Tile& tile) const {
    const auto index = [](const std::uint8_t(&table)[32], unsigned first, unsigned value) {
        return static_cast<unsigned>(std::find(table + first, table + 32, value) - table);
    };
    unsigned x = tile.x, y = tile.y;
    if (arch_ == Arch::wormhole) {
        x = index(wormhole_x, 16, tile.x);
        y = index(wormhole_y, 16, tile.y);
    } else if (tile.kind == Kind::dram) {
        x = index(blackhole_x, 17, tile.x);
        y = index(blackhole_y, 12, tile.y);
    } else if (tile.kind == Kind::ethernet && tile.index < 12) {
        x = 20 + tile.index;
        y = 25;
    } else if (tile.kind == Kind::pcie && tile.x == 2) {
        x = 19;
        y = 24;
    } else if (tile.kind == Kind::l2cpu || tile.kind == Kind::security) {
        y = index(blackhole_y, 26, tile.y);
    }
    return x | y << 6;
}

// What firmware leaves: translation is on, broadcasts are for Tensix tiles (NoC/MemoryMap, NoC/Coordinates).
void NocModel::configure(Tile& tile) const {
    const bool blackhole = arch_ == Arch::blackhole;
    const Map& map = map_of(arch_);
    const auto& table_x = blackhole ? blackhole_x : wormhole_x;
    const auto& table_y = blackhole ? blackhole_y : wormhole_y;
    const unsigned entries = blackhole ? 6 : 8, entry_bits = blackhole ? 5 : 4;
    for (unsigned noc = 0; noc < 2; ++noc) {
        const auto reg = [&](std::uint32_t offset) -> std::uint32_t& {
            return tile.niu[noc].configuration[(offset - CONFIGURATION) / 4];
        };
        reg(NIU_CFG_0) = 1u << coordinate_translation_enable;
        for (unsigned i = 0; i < 32; ++i) {
            // Of Wormhole's entries, those that are identities and those without a tile are alike on both NoCs.
            const bool mirror_x = noc == 1 && (blackhole || (i >= 16 && i <= 25));
            const bool mirror_y = noc == 1 && (blackhole || (i >= 16 && i <= 27));
            const std::uint32_t x = mirror_x ? width_ - 1 - table_x[i] : table_x[i];
            const std::uint32_t y = mirror_y ? height_ - 1 - table_y[i] : table_y[i];
            reg(NOC_X_ID_TRANSLATE_TABLE_0 + i / entries * 4) |= x << i % entries * entry_bits;
            reg(map.NOC_Y_ID_TRANSLATE_TABLE_0 + i / entries * 4) |= y << i % entries * entry_bits;
        }
        if (blackhole) reg(NOC_ID_TRANSLATE_ROW_MASK) = blackhole_row_mask;
        reg(map.NOC_ID_LOGICAL) = id_logical(tile);
        for (const unsigned x : blackhole ? std::vector{0u, 8u, 9u} : std::vector{0u, 5u})
            reg(ROUTER_CFG_1) |= 1u << (noc ? width_ - 1 - x : x);
        for (const unsigned y : blackhole ? std::vector{0u, 1u} : std::vector{0u, 6u})
            reg(ROUTER_CFG_3) |= 1u << (noc ? height_ - 1 - y : y);
    }
}

std::uint32_t NocModel::node_id(const Tile& tile, unsigned noc) const {
    const std::uint32_t x = noc ? width_ - 1 - tile.x : tile.x, y = noc ? height_ - 1 - tile.y : tile.y;
    return x | y << 6 | width_ << 12 | height_ << 19 | (noc == 0 ? 1u << 28 : 0);
}

std::uint32_t NocModel::endpoint_id(const Tile& tile, unsigned noc) const {
    // By Kind; an empty tile's type is that of the PCI Express tile.
    constexpr std::uint32_t blackhole_types[] = {0x0100, 0x0200, 0x0800, 0x0300, 0x0500, 0x0901, 0x0A00, 0x0300};
    constexpr std::uint32_t wormhole_types[] = {0, 2, 8, 3, 5, 0, 0, 3};
    const auto kind = static_cast<std::size_t>(tile.kind);
    if (arch_ == Arch::blackhole) return tile.index | blackhole_types[kind] << 8 | noc << 24;
    return tile.index | tile.group << 8 | wormhole_types[kind] << 16 | noc << 24;
}

bool NocModel::has_configuration(std::uint32_t offset) const {
    if (offset % 4 || offset < CONFIGURATION) return false;
    if (arch_ == Arch::wormhole) return offset <= wormhole_map.NOC_ID_LOGICAL;
    return offset <= NIU_TRANS_COUNT_RTZ_CLR && offset != 0x14C;  // MEMORY_SHUTDOWN_CONTROL is not on the page
}

std::uint32_t NocModel::load_configuration(const Niu& niu, std::uint32_t offset) const {
    return niu.configuration[(offset - CONFIGURATION) / 4];
}

void NocModel::store_configuration(Niu& niu, std::uint32_t offset, std::uint32_t value) const {
    if (arch_ == Arch::blackhole && offset == NIU_TRANS_COUNT_RTZ_CLR)
        niu.rtz_source &= ~value;
    else if (arch_ == Arch::wormhole || offset != DEBUG_COUNTER_RESET)
        niu.configuration[(offset - CONFIGURATION) / 4] = value;
}

void NocModel::set_outstanding(Niu& niu, unsigned id, std::uint32_t value) const {
    std::uint32_t& counter = niu.counters[NIU_MST_REQS_OUTSTANDING_ID + id];
    const bool was_positive = counter > 0;
    counter = value & 0xFF;
    if (was_positive && counter == 0 && arch_ == Arch::blackhole) niu.rtz_source |= 1u << id;
}

std::uint32_t NocModel::load(unsigned x, unsigned y, unsigned noc, std::uint32_t offset) {
    Tile* const at = tile(x, y);
    if (!at || noc > 1 || offset % 4) return 0;
    const Map& map = map_of(arch_);
    Niu& niu = at->niu[noc];
    if (has_configuration(offset)) return load_configuration(niu, offset);
    if (offset >= COUNTERS && offset < COUNTERS + 4 * niu.counters.size()) return niu.counters[(offset - COUNTERS) / 4];
    if (arch_ == Arch::blackhole && offset == NIU_TRANS_COUNT_RTZ_SOURCE) return niu.rtz_source;
    if (arch_ == Arch::blackhole && offset == NIU_TRANS_COUNT_RTZ_NUM) {
        const std::uint32_t cfg = load_configuration(niu, NIU_TRANS_COUNT_RTZ_CFG);
        for (unsigned i = 0; i < 16; ++i) {
            if (!bit(niu.rtz_source & cfg, i)) continue;
            if (!bit(cfg, 28)) niu.rtz_source &= ~(1u << i);
            return i;
        }
        return 0;
    }
    const std::uint32_t initiator = offset / map.NOC_CMD_BUF_OFFSET, within = offset % map.NOC_CMD_BUF_OFFSET;
    if (initiator >= niu.initiators.size()) return 0;
    if (within == map.NOC_NODE_ID) return node_id(*at, noc);
    if (within == map.NOC_ENDPOINT_ID) return endpoint_id(*at, noc);
    // NOC_CMD_CTRL and the combined status: every request is done.
    return within < map.NOC_CMD_CTRL ? niu.initiators[initiator][within / 4] : 0;
}

std::string NocModel::store(unsigned x, unsigned y, unsigned noc, std::uint32_t offset, std::uint32_t value) {
    Tile* const at = tile(x, y);
    if (!at || noc > 1 || offset % 4) return "there is no such register";
    const Map& map = map_of(arch_);
    const bool blackhole = arch_ == Arch::blackhole;
    Niu& niu = at->niu[noc];
    if (has_configuration(offset)) return store_configuration(niu, offset, value), "";
    if (offset == map.clear_outstanding) {
        for (unsigned i = 0; i < 16; ++i)
            if (bit(value, i)) set_outstanding(niu, i, 0);
        return "";
    }
    // Read only: counters, debug information, interrupt status.
    if (offset >= COUNTERS && offset < 0x400) return "";
    const std::uint32_t initiator = offset / map.NOC_CMD_BUF_OFFSET, within = offset % map.NOC_CMD_BUF_OFFSET;
    if (initiator >= niu.initiators.size()) return "the page has no register there";
    if (within == map.NOC_NODE_ID || within == map.NOC_ENDPOINT_ID) return "";
    if (within == map.NOC_CMD_CTRL) return bit(value, 0) ? Request(*this, *at, noc, initiator).perform() : "";
    const bool listed = blackhole
                            ? within <= NOC_L1_ACC_AT_INSTRN
                            : within <= map.NOC_AT_DATA && within != NOC_TARG_ADDR_HI && within != NOC_RET_ADDR_HI;
    if (!listed) return "the page has no register there";
    niu.initiators[initiator][within / 4] = within == NOC_PACKET_TAG ? value & 0xFFFF : value;
    return "";
}

std::vector<std::uint8_t>& NocModel::l1(Tile& tile) {
    const Map& map = map_of(arch_);
    if (tile.kind == Kind::tensix) tile.bytes.resize(map.tensix_l1);
    if (tile.kind == Kind::ethernet) tile.bytes.resize(map.ethernet_l1);
    return tile.bytes;
}

std::vector<std::uint8_t>& NocModel::l1(unsigned x, unsigned y) {
    Tile* const at = tile(x, y);
    return at ? l1(*at) : none_;
}

std::uint8_t NocModel::dram_byte(unsigned group, std::uint64_t address) const {
    const auto found = dram_[group].find(address / 4096);
    return found == dram_[group].end() ? 0 : found->second[address % 4096];
}
std::uint8_t& NocModel::dram_byte(unsigned group, std::uint64_t address) {
    return dram_[group][address / 4096][address % 4096];
}

void NocModel::write_dram(unsigned x, unsigned y, std::uint64_t address, std::span<const std::uint8_t> bytes) {
    const Tile* const at = tile(x, y);
    if (!at || at->kind != Kind::dram) return;
    for (const std::uint8_t byte : bytes) dram_byte(at->group, address++) = byte;
}

std::vector<std::uint8_t> NocModel::read_dram(unsigned x, unsigned y, std::uint64_t address, std::size_t size) const {
    std::vector<std::uint8_t> bytes(size);
    const Tile* const at = tile(x, y);
    if (!at || at->kind != Kind::dram) return bytes;
    for (std::uint8_t& byte : bytes) byte = dram_byte(at->group, address++);
    return bytes;
}

}  // namespace tessera::reference
