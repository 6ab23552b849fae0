// SPDX-License-Identifier: Apache-2.0
// UNPACR: the units against the reference, on random states.
#include "reference/unpack.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "support/random_cases.hpp"
#include "support/unpack_coverage.hpp"

namespace tessera::test {
namespace {

using registers::field;
using registers::fields;
using state::Adc;
using state::AdcUnit;
using state::Unpacker;

constexpr unsigned cases = 30000;
constexpr unsigned one_in_of_each_mode = 450;
constexpr unsigned row_starts_written = 320;

constexpr auto StateID = field("CFG_STATE_ID_StateID");
constexpr auto in_format = fields<2>("THCON_SEC#_REG0_TileDescriptor_InDataFormat");
constexpr auto uncompressed = fields<2>("THCON_SEC#_REG0_TileDescriptor_IsUncompressed");
constexpr auto x_dim = fields<2>("THCON_SEC#_REG0_TileDescriptor_XDim");
constexpr auto y_dim = fields<2>("THCON_SEC#_REG0_TileDescriptor_YDim");
constexpr auto z_dim = fields<2>("THCON_SEC#_REG0_TileDescriptor_ZDim");
constexpr auto w_dim = fields<2>("THCON_SEC#_REG0_TileDescriptor_WDim");
constexpr auto digest_size = fields<2>("THCON_SEC#_REG0_TileDescriptor_DigestSize");
constexpr auto no_exponent_section = fields<2>("THCON_SEC#_REG0_TileDescriptor_NoBFPExpSection");
constexpr auto force_shared_exp = fields<2>("THCON_SEC#_REG2_Force_shared_exp");
constexpr auto forced_shared_exp = fields<2>("UNP#_FORCED_SHARED_EXP_shared_exp");
constexpr auto fp8_e4m3 = fields<2>("THCON_SEC#_REG1_Unp_LF8_4b_exp");
constexpr std::array int8_unsigned = {field("ALU_FORMAT_SPEC_REG0_SrcAUnsigned"),
                                      field("ALU_FORMAT_SPEC_REG0_SrcBUnsigned")};
constexpr auto out_format = fields<2>("THCON_SEC#_REG2_Out_data_format");
constexpr auto haloize = fields<2>("THCON_SEC#_REG2_Haloize_mode");
constexpr auto tileize = fields<2>("THCON_SEC#_REG2_Tileize_mode");
constexpr auto if_sel = fields<2>("THCON_SEC#_REG2_Unpack_If_Sel");
constexpr auto upsample_rate = fields<2>("THCON_SEC#_REG2_Upsample_rate");
constexpr auto ovrd_data_format = fields<2>("THCON_SEC#_REG2_Ovrd_data_format");
constexpr auto interleave = fields<2>("THCON_SEC#_REG2_Upsample_and_interleave");
constexpr auto limit_address = fields<2>("THCON_SEC#_REG2_Unpack_limit_address");
constexpr auto blobs_per_plane = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsPerXYPlane");
constexpr auto blobs_lo = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsYStart_lo");
constexpr auto blobs_hi = fields<2>("THCON_SEC#_REG0_TileDescriptor_BlobsYStart_hi");
constexpr std::array context_blobs = {field("UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start"),
                                      field("UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start")};
constexpr auto context_count = fields<2>("THCON_SEC#_REG2_Context_count");
constexpr auto context_count_non_log2_en = fields<2>("THCON_SEC#_REG2_Context_count_non_log2_en");
constexpr std::array context_in_format = {fields<8>("THCON_SEC0_REG7_Unpack_data_format_cntx#"),
                                          fields<8>("THCON_SEC1_REG7_Unpack_data_format_cntx#")};
constexpr std::array context_out_format = {fields<8>("THCON_SEC0_REG7_Unpack_out_data_format_cntx#"),
                                           fields<8>("THCON_SEC1_REG7_Unpack_out_data_format_cntx#")};
constexpr auto fifo_size = fields<2>("THCON_SEC#_REG2_Unpack_fifo_size");
constexpr std::array shift_amount = {fields<4>("THCON_SEC0_REG2_Shift_amount_cntx#"),
                                     fields<4>("THCON_SEC1_REG2_Shift_amount_cntx#")};
constexpr auto context_if_sel = fields<8>("THCON_SEC0_REG2_Unpack_if_sel_cntx#");
constexpr std::array context_uncompressed = {fields<8>("THCON_SEC0_REG2_Disable_zero_compress_cntx#"),
                                             fields<8>("THCON_SEC1_REG2_Disable_zero_compress_cntx#")};
constexpr auto base_address = fields<2>("THCON_SEC#_REG3_Base_address");
constexpr std::array base_cntx1to3 = {fields<3>("THCON_SEC0_REG3_Base_cntx#_address", 1),
                                      fields<3>("THCON_SEC1_REG3_Base_cntx#_address", 1)};
constexpr std::array base_cntx4to7 = {fields<4>("THCON_SEC0_REG4_Base_cntx#_address", 4),
                                      fields<4>("THCON_SEC1_REG4_Base_cntx#_address", 4)};
constexpr auto offset_address = fields<2>("THCON_SEC#_REG7_Offset_address");
constexpr std::array offset_cntx = {fields<3>("THCON_SEC0_REG7_Offset_cntx#_address", 1),
                                    fields<3>("THCON_SEC1_REG7_Offset_cntx#_address", 1)};
constexpr auto tile_x_dim = fields<4>("THCON_SEC0_REG5_Tile_x_dim_cntx#");
constexpr auto dest_cntx = fields<4>("THCON_SEC0_REG5_Dest_cntx#_address");
constexpr auto out_base = fields<2>("UNP#_ADDR_BASE_REG_1_Base");
constexpr auto y_stride = fields<2>("UNP#_ADDR_CTRL_XY_REG_1_Ystride");
constexpr auto z_stride = fields<2>("UNP#_ADDR_CTRL_ZW_REG_1_Zstride");
constexpr auto w_stride = fields<2>("UNP#_ADDR_CTRL_ZW_REG_1_Wstride");
constexpr auto context_offset = fields<2>("UNPACK_MISC_CFG_CfgContextOffset_#");
constexpr auto remap_addrs = field("DEST_ACCESS_CFG_remap_addrs");
constexpr auto swizzle_32b = field("DEST_ACCESS_CFG_swizzle_32b");
constexpr auto context_count_inc = fields<2>("UNPACK_MISC_CFG_CfgContextCntInc_#");

class Generator {
public:
    explicit Generator(Arch arch) : pair(arch, random_seed(0x554E5041, arch)), coverage(arch), choose(pair.choice) {
        pair.writes_l1 = false;
        pair.randomise_configuration();
        for (std::uint32_t at = 0; at < pair.arch().l1_bytes; at += 4) {
            const std::uint32_t word = random_fp32();
            pair.write_l1(at, &word, 4);
        }
    }

    void run_one() {
        const std::uint32_t word = next();
        pair.run(thread_, word, reference::unpacr, pair.cases % 256 == 255, 1);
        coverage.count(pair, {thread_, word, context_, tile_});
    }

    /// A plan is kept, and asked for again for other tiles.
    void move_one() {
        const std::uint32_t word = next();
        pair.expect_kept_as_fresh(thread_, word);
        for (int times = 0; times < 3; ++times) {
            const state::Cell base = state::cells::config(pair.arch(), pair.state().config_bank(thread_),
                                                          base_address[u_][pair.arch().arch].addr32 + context_);
            pair.write(base, choose.one_in(16) ? choose.word() : choose.below(98304));
            for (const Adc counter : {Adc::z, Adc::w})
                if (choose.one_in(2))
                    pair.write(state::cells::adc(thread_, u_ ? AdcUnit::unpacker1 : AdcUnit::unpacker0, 0, counter),
                               choose.below(8));
            pair.expect_kept_as_fresh(thread_, word);
        }
    }

    ReferencePair pair;
    UnpackCoverage coverage;

private:
    std::uint32_t next() {
        pair.stir_configuration();
        thread_ = choose.below(3);
        u_ = choose.below(2);
        pair.write(thread_, StateID, choose.below(2));
        multi_ = choose.one_in(2);
        counted_ = multi_ && choose.one_in(3);
        const std::uint32_t number = choose.one_in(3) ? choose.below(8) : choose.below(2);
        const std::uint32_t offset = choose.one_in(3) ? choose.below(16) : 0;
        const std::uint32_t field_number = counted_ ? choose.below(8) : number;
        pair.write(thread_, context_offset[u_], offset);
        pair.write(thread_, context_count_inc[u_], choose.one_in(32));
        pair.write(thread_, context_count_non_log2_en[u_], choose.one_in(4));
        context_ = multi_ ? (number + offset) & 7 : 0;
        which_adc_ = multi_ ? (choose.one_in(64) ? 3 : choose.below(3)) : thread_;
        to_dst_ = u_ == 0 && choose.one_in(3);
        std::uint32_t word = 0x42000000 | u_ << 23 | field_number << 10 | std::uint32_t{multi_} << 7 |
                             (choose.word() & 0x7FC041) | (multi_ ? which_adc_ : choose.below(4)) << 8;
        word |= (multi_ ? counted_ : choose.one_in(2)) << 3;
        set_modes(word);
        set_formats();
        set_input();
        set_output();
        set_unpacker(number);
        return word;
    }

    std::uint32_t random_fp32() {
        const std::uint32_t x = choose.word();
        switch (choose.below(8)) {
            case 0: return x & 0x807FFFFF;                                     // zeros, denormals
            case 1: return x | 0x7F800000;                                     // infinity, NaN
            case 2: return (x & 0x807FFFFF) | choose.between(110, 114) << 23;  // FP16's lower end
            case 3: return (x & 0x807FFFFF) | choose.between(141, 145) << 23;  // FP16's upper end
            case 4: return x & 0x80008000;
            default: return x;
        }
    }

    // Modes come one or two at a time, now and then in combinations that have no result.
    void set_modes(std::uint32_t& word) {
        const auto set = [&](const registers::Field& f, std::uint32_t value) { pair.write(thread_, f, value); };
        compressed_ = choose.one_in(5);
        tilize_ = choose.one_in(compressed_ ? 64 : 5);
        rate_ = choose.one_in(tilize_ ? 64 : 5) ? 1 + choose.below(3) : 0;
        row_search_ = choose.one_in(5);
        blobs_ = choose.one_in(row_search_ ? 2 : 8) ? 1 + choose.below(7) : 0;
        circular_ = choose.one_in(4);
        own_formats_ = choose.one_in(4);
        const bool in_source_register = u_ == 0 && (!to_dst_ || choose.one_in(16));
        transposed_ = in_source_register ? choose.one_in(4) : u_ == 1 && choose.one_in(2);
        shifted_ = in_source_register ? choose.one_in(4) : u_ == 1 && choose.one_in(2);
        word |= std::uint32_t{row_search_} << 2 | std::uint32_t{choose.one_in(12)} << 4 |
                std::uint32_t{choose.one_in(8)} << 5;
        if (choose.one_in(48)) word |= choose.one_in(2) ? 1u << 13 : 1u << 1;
        set(uncompressed[u_], multi_ ? choose.below(2) : !compressed_);
        set(context_uncompressed[u_][context_], multi_ ? !compressed_ : choose.below(2));
        set(tileize[u_], tilize_);
        set(upsample_rate[u_], rate_);
        set(interleave[u_], choose.below(2));
        set(haloize[u_], transposed_);
        set(blobs_per_plane[u_], blobs_);
        set(ovrd_data_format[u_], own_formats_);
        set(context_count[u_], choose.below(4));
        for (unsigned i = 0; i < 4; ++i) set(shift_amount[u_][i], 0);
        if (tilize_) {
            set(shift_amount[u_][0], choose.below(16));
            set(shift_amount[u_][1], choose.below(choose.one_in(4) ? 16 : 3));
            set(shift_amount[u_][2], choose.one_in(16) ? choose.below(16) : 0);
        }
        if (!tilize_ && shifted_) set(shift_amount[u_][context_ & 3], 1 + choose.below(15));
        if (u_ == 1) return;
        set(if_sel[0], multi_ ? choose.below(2) : to_dst_);
        set(context_if_sel[context_], multi_ ? to_dst_ : choose.below(2));
        set(remap_addrs, choose.below(2));
        set(swizzle_32b, choose.below(2));
        for (unsigned i = 0; to_dst_ && i < 64; ++i)
            pair.write(state::Storage::dst_valid, choose.below(state::Dst::rows), choose.below(2));
    }

    void set_formats() {
        std::uint32_t in = choose.of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15}), out = in;
        if (!choose.one_in(4)) {
            out = in == 0 && !choose.one_in(8) ? choose.of({0, 1, 4, 5})
                                               : choose.of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15});
        } else if (choose.one_in(6)) {
            (choose.one_in(2) ? in : out) = choose.below(16);
        }
        const bool of_context = multi_ && own_formats_;
        pair.write(thread_, of_context ? context_in_format[u_][context_] : in_format[u_], in);
        pair.write(thread_, of_context ? context_out_format[u_][context_] : out_format[u_], out);
        pair.write(thread_, no_exponent_section[u_], choose.one_in(4));
        pair.write(thread_, force_shared_exp[u_], choose.one_in(4));
        pair.write(thread_, forced_shared_exp[u_], choose.word());
        pair.write(thread_, fp8_e4m3[u_], choose.below(2));
        pair.write(thread_, int8_unsigned[u_], choose.below(2));
    }

    void adc(unsigned thread, unsigned channel, Adc counter, std::uint32_t value) {
        pair.write(state::cells::adc(thread, AdcUnit(u_), channel, counter), value);
    }

    void set_input() {
        const bool lines = (transposed_ || tilize_) && !choose.one_in(16);  // the first datum must begin a line of L1
        const std::uint32_t x_size = choose.one_in(4) && !lines ? choose.below(600)
                                     : lines                    ? 128 * choose.between(1, 3)
                                                                : choose.of({16, 32, 64, 256});
        const bool context_size = multi_ && u_ == 0;
        pair.write(thread_, x_dim[u_], context_size ? choose.below(600) : x_size);
        pair.write(thread_, tile_x_dim[context_ & 3], context_size ? x_size : choose.below(600));
        pair.write(thread_, y_dim[u_], choose.below(5));
        pair.write(thread_, z_dim[u_], choose.below(5));
        pair.write(thread_, w_dim[u_], choose.below(5));
        const std::uint32_t digest = choose.one_in(4) ? choose.below(256) : 0;
        pair.write(thread_, digest_size[u_], digest);
        const std::uint32_t base = choose.below(choose.one_in(32) ? 120000 : 70000),
                            offset = choose.one_in(2) ? choose.below(4096) : 0;
        const auto set_base = [&](const registers::Field& b, const registers::Field& o) {
            pair.write(thread_, b, choose.one_in(32) ? base | choose.word() << 28 : base);
            pair.write(thread_, o, offset);
        };
        if (context_ == 0) {
            set_base(base_address[u_], offset_address[u_]);
        } else {
            set_base(context_ < 4 ? base_cntx1to3[u_][context_ - 1] : base_cntx4to7[u_][context_ - 4],
                     context_ & 3 ? offset_cntx[u_][(context_ & 3) - 1] : offset_address[u_]);
        }
        const std::uint32_t tile = base + offset + 1 + digest;
        tile_ = tile * 16;
        const std::uint32_t limit = tile + choose.below(choose.one_in(4) ? 1000 : 100);
        pair.write(thread_, limit_address[u_], limit);
        pair.write(thread_, fifo_size[u_], circular_ ? choose.below(choose.one_in(2) ? limit + 1 : 200) : 0);
        if (compressed_) write_row_starts(tile * 16, lines);
        if (compressed_) fill_row_start_cache();
        write_blobs();
        set_counters(lines, x_size);
    }

    // Ascending, so that most rows have a length.
    void write_row_starts(std::uint32_t address, bool lines) {
        std::vector<std::uint16_t> starts(row_starts_written);
        for (unsigned i = 1; i < starts.size(); ++i) {
            const std::uint32_t length = choose.below(48);
            starts[i] = static_cast<std::uint16_t>(starts[i - 1] + (lines ? length / 16 * 32 : length));
        }
        if (choose.one_in(100)) starts[choose.below(row_starts_written)] = static_cast<std::uint16_t>(choose.word());
        const auto bytes = static_cast<std::uint32_t>(starts.size() * 2);
        if (address + bytes <= pair.arch().l1_bytes) pair.write_l1(address, starts.data(), bytes);
    }

    // A line of row starts as it is in L1, or with another one among them; where the rows of the tile begin, or a bit later.
    void fill_row_start_cache() {
        const unsigned entry = multi_ ? context_ % 4 : thread_;
        const auto cell = [&](state::RowCache item, unsigned word = 0) {
            return state::cells::row_cache(u_, entry, item, word);
        };
        const std::uint32_t line = tile_ / 16 + (choose.one_in(2) ? choose.below(8) : 0);
        if ((line + 1) * 16 > pair.arch().l1_bytes) return;
        pair.write(cell(state::RowCache::line), choose.one_in(4) ? choose.below(2) : line + 1);
        const unsigned other = choose.one_in(3) ? choose.below(4) : 4;
        for (unsigned i = 0; i < 4; ++i) {
            std::uint32_t word;
            std::memcpy(&word, pair.state().l1.bytes.data() + line * 16 + 4 * i, 4);
            pair.write(cell(state::RowCache::word_0, i), i == other ? word + choose.below(20) * 0x10001 : word);
        }
    }

    void write_blobs() {
        std::uint32_t starts = 0, start = 0;
        for (unsigned i = 0; i < 8; ++i) {
            starts |= start << 4 * i;
            start = std::min(start + choose.below(4), 15u);
        }
        if (choose.one_in(16)) starts = choose.word();
        pair.write(thread_, blobs_lo[u_], starts & 0xFFFF);
        pair.write(thread_, blobs_hi[u_], starts >> 16);
        pair.write(thread_, context_blobs[context_ >> 1 & 1], starts);
        pair.write(thread_, context_blobs[~context_ >> 1 & 1], choose.word());
    }

    void set_counters(bool lines, std::uint32_t x_size) {
        std::uint32_t y = choose.one_in(16) ? choose.below(0x2000) : choose.below(8);
        std::uint32_t first = choose.one_in(2) ? 0 : lines ? 128 * choose.below(3) : choose.below(80);
        const std::uint32_t count = to_dst_ && choose.one_in(400) ? choose.below(40000)  // more than Dst has
                                    : choose.one_in(64)           ? choose.below(3000)
                                    : choose.one_in(3)            ? choose.below(200)
                                                                  : choose.of({0, 1, 16, 16, 64, 64, 256, 1024});
        std::uint32_t last = choose.one_in(60) ? choose.below(80) : first + count - 1;
        if (compressed_ && choose.one_in(2)) {  // a whole row
            first = 0;
            last = x_size - 1;
        }
        if (row_search_ && (compressed_ || blobs_)) {
            y = choose.below(8);
            first = y + choose.below(3);
        }
        const unsigned xy = which_adc_ == 3 ? 0 : which_adc_;
        adc(xy, 0, Adc::x, first);
        adc(xy, 1, Adc::x, last & 0x3FFFF);
        adc(xy, 0, Adc::y, y);
        // Blackhole: the input sees eight bits of thirteen.
        const std::uint32_t high = pair.blackhole() ? choose.below(32) << 8 : 0;
        adc(thread_, 0, Adc::z, choose.below(8) | high);
        adc(thread_, 0, Adc::w, choose.below(4) | high);
    }

    void set_output() {
        const std::uint32_t unit = choose.one_in(50) ? 1 : 4;
        const auto stride = [&](const registers::Field& f) {
            pair.write(thread_, f, choose.one_in(3) ? choose.word() / unit * unit : choose.of({0, 32, 64, 512, 1024}));
        };
        stride(y_stride[u_]);
        stride(z_stride[u_]);
        stride(w_stride[u_]);
        pair.write(thread_, out_base[u_], choose.one_in(2) ? 0 : choose.below(0x4000) / unit * unit);
        adc(thread_, 1, Adc::y, choose.one_in(16) ? choose.below(0x2000) : choose.below(5));
        adc(thread_, 1, Adc::z, choose.below(choose.one_in(4) ? 1u << pair.arch().adc_zw_bits : 4));
        adc(thread_, 1, Adc::w, choose.below(choose.one_in(4) ? 1u << pair.arch().adc_zw_bits : 2));
        pair.write(thread_, dest_cntx[context_ & 3],
                   choose.one_in(3) ? choose.word() : choose.below(to_dst_ ? 1100 : 72) * 16);
    }

    void set_unpacker(std::uint32_t context_number) {
        const auto cell = [&](Unpacker item, unsigned thread = 0) { return state::cells::unpacker(u_, item, thread); };
        const std::uint32_t bank = choose.below(2);
        pair.write(cell(Unpacker::bank), bank);
        pair.write(cell(Unpacker::next_bank), bank);
        pair.write(cell(Unpacker::src_row_t0, thread_), choose.one_in(2) ? 16 * choose.below(4) : choose.below(64));
        pair.write(cell(Unpacker::context_counter_t0, thread_), counted_ ? context_number : choose.below(8));
        pair.write(state::cells::bank_owner(state::Src(u_), bank), 0);
        pair.write(state::cells::bank_owner(state::Src(u_), bank ^ 1), choose.below(2));
    }

    Choice& choose;
    unsigned thread_ = 0, u_ = 0, context_ = 0, which_adc_ = 0;
    std::uint32_t rate_ = 0, blobs_ = 0, tile_ = 0;
    bool multi_ = false, counted_ = false, own_formats_ = false, to_dst_ = false;
    bool compressed_ = false, row_search_ = false, tilize_ = false, circular_ = false;
    bool transposed_ = false, shifted_ = false;
};

class ReferenceUnpack : public testing::TestWithParam<Arch> {};

TEST_P(ReferenceUnpack, AgreesOnRandomStates) {
    Generator generator(GetParam());
    const unsigned asked = asked_cases(cases);
    for (unsigned i = 0; i < asked && !generator.pair.hopeless(); ++i) generator.run_one();
    expect_coverage(generator.pair, asked);
    generator.pair.expect_same_l1();
    EXPECT_EQ(generator.pair.not_implemented, 0u);
    generator.coverage.modes().finish("unpacr-" + std::string(name(GetParam())), asked, one_in_of_each_mode);
}

TEST_P(ReferenceUnpack, MovedPlansAreFreshPlans) {
    Generator generator(GetParam());
    expect_moved_plans_fresh(generator);
}

INSTANTIATE_TEST_SUITE_P(Archs, ReferenceUnpack, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
