// SPDX-License-Identifier: Apache-2.0
// PACR: the units against the reference, on random states.
#include "reference/pack.hpp"

#include <map>
#include <string>
#include <vector>

#include "registers/packer_fields.hpp"
#include "support/pack_coverage.hpp"
#include "support/random_cases.hpp"
#include "support/reference_pair.hpp"

namespace tessera::test {
namespace {

using registers::Field;
using registers::field;
using registers::fields;
using registers::packer_fields;
using state::Adc;
using state::AdcUnit;
using state::Packer;

constexpr unsigned cases = 60000, one_in_of_each_mode = 1000;

constexpr auto StateID = field("CFG_STATE_ID_StateID");

constexpr auto l1_dest_addr = packer_fields("L1_Dest_addr");
constexpr auto sub_header = packer_fields("Sub_l1_tile_header_size");
constexpr auto add_header = packer_fields("Add_tile_header_size");
constexpr auto add_offset = packer_fields("Add_l1_dest_addr_offset");
constexpr auto disable_compress = packer_fields("Disable_zero_compress");
constexpr auto out_format = packer_fields("Out_data_format");
constexpr auto in_format = packer_fields("In_data_format");
constexpr auto enable_out_fifo = packer_fields("Enable_out_fifo");
constexpr auto source_interface = packer_fields("Source_interface_selection");
constexpr auto downsample_mask = packer_fields("Downsample_mask");
constexpr auto l1_acc = packer_fields("Pack_L1_Acc");
constexpr auto exp_threshold_en = packer_fields("Exp_threshold_en");
constexpr auto exp_threshold = packer_fields("Exp_threshold");
constexpr auto exp_section_size = packer_fields("Exp_section_size");
constexpr auto row_start_size = packer_fields("Row_start_section_size");
constexpr auto no_shared_exponent = packer_fields("Dis_shared_exp_assembler");
constexpr auto zero_flags_off = packer_fields("Disable_pack_zero_flags");
constexpr auto last_interfaces = packer_fields("Auto_set_last_pacr_intf_sel");
constexpr auto l1_source = packer_fields("L1_source_addr");
constexpr Field fifo_size[] = {field("THCON_SEC0_REG9_Pack_0_2_fifo_size"), field("THCON_SEC0_REG9_Pack_1_3_fifo_size"),
                               field("THCON_SEC1_REG9_Pack_0_2_fifo_size"),
                               field("THCON_SEC1_REG9_Pack_1_3_fifo_size")};
constexpr Field limit_address[] = {
    field("THCON_SEC0_REG9_Pack_0_2_limit_address"), field("THCON_SEC0_REG9_Pack_1_3_limit_address"),
    field("THCON_SEC1_REG9_Pack_0_2_limit_address"), field("THCON_SEC1_REG9_Pack_1_3_limit_address")};
constexpr auto compress_override = field("THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd");
constexpr auto compress_override_mask = field("THCON_SEC0_REG1_All_pack_disable_zero_compress");
constexpr auto reads_per_plane = fields<4>("PACK_COUNTERS_SEC#_pack_reads_per_xy_plane");
constexpr auto yz_transposed = fields<4>("PACK_COUNTERS_SEC#_pack_yz_transposed");
constexpr auto dst_offset = fields<4>("DEST_TARGET_REG_CFG_PACK_SEC#_Offset");
constexpr auto edge_mask = fields<4>("PCK_EDGE_OFFSET_SEC#_mask");
constexpr auto edge_mode = field("PCK_EDGE_MODE_mode");
constexpr auto face_set_enable = field("PCK_EDGE_TILE_FACE_SET_SELECT_enable");
constexpr auto read_32b = field("PCK_DEST_RD_CTRL_Read_32b_data");
constexpr auto read_raw = field("PCK_DEST_RD_CTRL_Read_int8");
constexpr auto dstacc_override = field("ALU_FORMAT_SPEC_REG_Dstacc_override");
constexpr auto dstacc_value = field("ALU_FORMAT_SPEC_REG_Dstacc_val");
constexpr auto dstacc = field("ALU_FORMAT_SPEC_REG2_Dstacc");
constexpr auto read_unsigned = field("PCK_DEST_RD_CTRL_Read_unsigned");
constexpr auto round_10b = field("PCK_DEST_RD_CTRL_Round_10b_mant");
constexpr auto e4m3 = field("THCON_SEC0_REG1_Pac_LF8_4b_exp");
constexpr auto descale_enable = field("INT_DESCALE_Enable"), descale_mode = field("INT_DESCALE_Mode");
constexpr auto descale_values = fields<16>("INT_DESCALE_VALUES_SEC#_Value");
constexpr Field stochastic[] = {field("ALU_ROUNDING_MODE_Gasket_srnd_en"), field("ALU_ROUNDING_MODE_Packer_srnd_en")};
constexpr auto acc_stats = field("ENABLE_ACC_STATS_Enable");
constexpr auto apply_relu = field("STACC_RELU_ApplyRelu"), relu_threshold = field("STACC_RELU_ReluThreshold");
constexpr Field in_strides[] = {field("PCK0_ADDR_CTRL_XY_REG_0_Ystride"), field("PCK0_ADDR_CTRL_ZW_REG_0_Zstride"),
                                field("PCK0_ADDR_CTRL_ZW_REG_0_Wstride")};
constexpr auto in_x_stride = field("PCK0_ADDR_CTRL_XY_REG_0_Xstride");
constexpr Field out_strides[] = {field("PCK0_ADDR_CTRL_XY_REG_1_Ystride"), field("PCK0_ADDR_CTRL_ZW_REG_1_Zstride"),
                                 field("PCK0_ADDR_CTRL_ZW_REG_1_Wstride")};
constexpr auto in_base = field("PCK0_ADDR_BASE_REG_0_Base"), out_base = field("PCK0_ADDR_BASE_REG_1_Base");

class Generator {
public:
    explicit Generator(Arch arch)
        : pair(arch, random_seed(0x5041434B, arch, "TESSERA_PACK_SEED")), coverage(arch), choose(pair.choice) {
        pair.randomise_configuration();
        for (std::uint32_t at = 0; at < pair.arch().l1_bytes; at += 4) {
            const std::uint32_t word = choose.word();
            pair.write_l1(at, &word, 4);
        }
        for (unsigned i = 0; i < 2048; ++i) refill_dst_row();
    }

    void run_one() {
        const std::uint32_t word = next();
        const auto modes = modes_of(word);
        coverage.view(pair, thread_, word);
        const unsigned executed = pair.executed, differences = pair.differences;
        pair.run(thread_, word, reference::pacr, pair.cases % 128 == 127);
        if (pair.differences > differences)
            for (const std::string& mode : modes) std::printf("[          ]   with %s\n", mode.c_str());
        coverage.count(pair, pair.executed != executed);
        if (pair.executed == executed) return;
        for (const std::string& mode : modes) ++executed_modes[mode];
    }

    /// A plan is kept, and asked for again where streams, destinations and tiles are others.
    void move_one() {
        const std::uint32_t word = next();
        // With more than one of them, or odd ones, it counts how far they reach.
        for (const Field& f : out_strides) pair.write(thread_, f, 0);
        pair.write(thread_, out_strides[choose.below(3)], 16 * choose.below(8));
        if (choose.one_in(2)) pair.write(thread_, out_base, 0);
        pair.expect_kept_as_fresh(thread_, word);
        for (int times = 0; times < 3; ++times) {
            for (unsigned i = 0; i < 4; ++i) {
                pair.write(thread_, l1_dest_addr[i], choose.below(choose.one_in(32) ? 0x40000 : 90000));
                if (i >= pair.arch().packers) continue;
                for (const Packer item : {Packer::data_address, Packer::exp_address})
                    pair.write(nth(i, item, 0), 16 * choose.below(choose.one_in(4) ? 100 : 98304));
                for (const Packer item : {Packer::tile_y, Packer::tile_z})
                    if (choose.one_in(3)) pair.write(nth(i, item, 0), choose.below(256));
            }
            for (unsigned thread = 0; thread < state::threads && choose.one_in(2); ++thread)
                for (const Adc counter : {Adc::y, Adc::z, Adc::w})
                    pair.write(state::cells::adc(thread, AdcUnit::packers, 1, counter), choose.below(16));
            pair.expect_kept_as_fresh(thread_, word);
        }
    }

    ReferencePair pair;
    PackCoverage coverage;
    std::map<std::string, unsigned> executed_modes;

private:
    std::uint32_t next() {
        pair.stir_configuration();
        thread_ = choose.below(3);
        pair.write(thread_, StateID, choose.below(2));
        for (unsigned i = 0; i < 4; ++i) refill_dst_row();
        set_formats();
        set_packers();
        set_addresses();
        std::uint32_t word = 0x41000000 | choose.below(4) << 15 | choose.below(16) << 8 | choose.below(2) << 4;
        if (choose.one_in(4)) word |= 1 << 7;
        if (pair.blackhole() && choose.one_in(2))
            word |= choose.below(4) << 21 | (choose.one_in(2) ? choose.below(8) << 18 : 0) | choose.below(2) << 17 |
                    choose.below(4) << 13 | choose.below(4) << 2;
        if (choose.one_in(3)) word |= 1;
        if (choose.one_in(12)) word |= 2;
        if (choose.one_in(10)) word |= 1 << 12;
        if (choose.one_in(64)) word |= choose.word() & 0xFFFFFF;
        return word;
    }

    std::uint32_t now(const Field& f) const { return pair.state().config(thread_, f); }

    // Modes of a PACR about to run; on Wormhole, those of the first of its packers.
    std::vector<std::string> modes_of(std::uint32_t word) const {
        const std::uint32_t mask = word >> 8 & 15;
        const unsigned i = pair.blackhole() || !mask ? 0 : static_cast<unsigned>(__builtin_ctz(mask));
        const unsigned k = pair.blackhole() ? word >> 21 & 3 : i;
        const auto cell = [&](Packer item) { return pair[state::cells::packer(i, item)]; };
        const bool from_l1 = i == 0 && now(source_interface[k]), zeros = word >> 12 & 1, flush = word >> 1 & 1;
        const bool compressed =
            cell(Packer::data_needs_address)
                ? !(now(compress_override) ? now(compress_override_mask) >> i & 1 : now(disable_compress[k]))
                : cell(Packer::compressing) != 0;
        std::vector<std::string> modes;
        const auto mode = [&](bool is, std::string what) {
            if (is) modes.push_back(std::move(what));
        };
        mode(flush, "flush");
        mode(word & 1, "last");
        mode(compressed, "compressed");
        mode(compressed && (word >> 4 & 1), "compressed, concatenated");
        mode(compressed && flush && cell(Packer::row_open), "compressed, flushed within a row");
        mode(now(add_offset[k]), "address offset");
        if (flush) return modes;
        mode(zeros, "zeros");
        mode(from_l1 && !zeros, "from L1 as " + std::to_string(now(in_format[k])));
        mode(now(l1_acc[k]), "accumulated as " + std::to_string(now(out_format[k])));
        mode(now(downsample_mask[k]), "downsampled");
        mode(now(stochastic[1]), "stochastic late conversion");
        if (zeros || from_l1) return modes;
        mode(now(stochastic[0]), "stochastic early conversion");
        mode(now(exp_threshold_en[k]), "exponent threshold of " + std::to_string(now(in_format[k])));
        for (unsigned thread = 0; thread < state::threads; ++thread)
            mode(pair.state().config(thread, acc_stats), "histogram");
        mode(now(descale_enable) && now(descale_mode) && in_ == reference::INT8, "shift by Z");
        mode(now(face_set_enable), "masks by face");
        mode(now(yz_transposed[i]), "transposed");
        mode(now(edge_mode), "minus infinity");
        if (!pair.blackhole()) return modes;
        mode(k, "context");
        mode(word >> 7 & 1, "thread override");
        mode(word >> 17 & 1, "strided");
        mode(word >> 18 & 7, "padded " + std::to_string(word >> 18 & 7));
        mode(now(last_interfaces[k]), "last interfaces");
        return modes;
    }

    void refill_dst_row() {
        const std::uint32_t row = choose.below(1024);
        for (std::uint32_t c = 0; c < 16; ++c) {
            // Stored form: exponents are in the low bits.
            const std::uint32_t exponents = choose.of({0, 1, 254, 255, 31, 112, 113, 143, 144, 127});
            const std::uint32_t x = choose.word();
            pair.write(state::Storage::dst, row * 16 + c, choose.one_in(2) ? x & 0xFFFF : (x & 0xFF00) | exponents);
        }
        pair.write(state::Storage::dst_valid, row, !choose.one_in(4));
    }

    // Modes that the units have; now and then one that they have not.
    void usual(const Field& f, std::uint32_t value) {
        pair.write(thread_, f, choose.one_in(2000) ? choose.word() : value);
    }

    /// How datums are read and what the early conversion makes of them.
    struct Reading {
        bool wide, raw, is_unsigned, round_10b;
        std::uint32_t intermediate, in;
    };
    Reading choose_reading() {
        using reference::Format;
        const bool any = choose.one_in(2);
        if (choose.one_in(2)) {
            switch (choose.below(13)) {
                case 0: return {true, any, false, false, Format::FP32, Format::FP32};
                case 1:
                case 12: return {true, any, false, false, Format::INT32, any ? Format::INT32 : Format::FP32};
                case 2: return {true, true, false, any, Format::TF32, Format::FP32};
                case 3: return {true, false, false, any, Format::TF32, Format::TF32};
                case 4: return {true, false, false, true, Format::FP32, Format::TF32};
                case 5: return {true, any, false, false, Format::BF16, Format::BF16};
                case 6: return {true, true, false, any, Format::BFP8, any ? Format::BF16 : Format::BFP8};
                case 7: return {true, false, false, any, Format::BFP8, Format::BFP8};
                case 8: return {true, any, choose.one_in(2), false, Format::INT8, Format::INT8};
                case 9: return {true, any, false, false, Format::INT16, Format::INT16};
                case 10: return {true, any, false, true, Format::FP16, Format::FP16};
                default: return {true, false, false, true, Format::BF16, Format::TF32};
            }
        }
        switch (choose.below(12)) {
            case 0: return {false, false, false, any, Format::TF32, Format::TF32};
            case 1: return {false, false, false, true, Format::FP32, Format::TF32};
            case 2: return {false, any, false, false, Format::BF16, Format::BF16};
            case 3: return {false, true, false, any, Format::BFP8, any ? Format::BF16 : Format::BFP8};
            case 4: return {false, false, false, any, Format::BFP8, Format::BFP8};
            case 5:
            case 10:
            case 11: return {false, any, false, choose.one_in(2), Format::FP16, Format::FP16};
            case 6: return {false, any, false, false, Format::BFP8a, Format::BFP8a};
            case 7: return {false, true, false, false, Format::FP8, Format::FP8};
            case 8: return {false, true, false, false, Format::INT8, Format::INT8};
            default: return {false, any, false, false, Format::INT16, Format::INT16};
        }
    }
    static bool is_integer(std::uint32_t format) {
        return format == reference::INT32 || format == reference::INT16 || format == reference::INT8;
    }
    // A format that the intermediate type can become; integers only their own.
    std::uint32_t choose_output() {
        using reference::Format;
        if (is_integer(in_)) return in_;
        if (choose.one_in(2))
            return choose.of({Format::BFP8, Format::BFP4, Format::BFP2, Format::BFP8a, Format::BFP4a, Format::BFP2a});
        return choose.of(
            {Format::FP32, in_ == Format::FP32 ? Format::FP32 : Format::TF32, Format::BF16, Format::FP16, Format::FP8});
    }

    void set_formats() {
        const Reading reading = choose_reading();
        in_ = reading.in;
        pair.write(thread_, read_32b, reading.wide);
        pair.write(thread_, read_raw, reading.raw);
        pair.write(thread_, read_unsigned, reading.is_unsigned);
        pair.write(thread_, round_10b, reading.round_10b);
        pair.write(thread_, dstacc_override, choose.below(2));
        pair.write(thread_, dstacc_value, reading.intermediate);
        pair.write(thread_, dstacc,
                   pair.state().config(thread_, dstacc_override) ? choose.below(16) : reading.intermediate);
        const bool to_e4m3 = in_ == reference::FP16 && reading.round_10b;
        pair.write(thread_, e4m3, to_e4m3 || choose.one_in(16));
        pair.write(thread_, descale_enable, choose.one_in(2));
        for (const Field& f : descale_values) pair.write(thread_, f, choose.word());
        pair.write(thread_, apply_relu, choose.one_in(2) ? 0 : is_integer(in_) ? choose.below(2) : choose.below(16));
        pair.write(thread_, relu_threshold, choose.below(choose.one_in(8) ? 0x10000 : 0x8000));
        pair.write(thread_, descale_mode, choose.one_in(4));
        for (const Field& f : stochastic) pair.write(thread_, f, choose.one_in(8));
        for (unsigned thread = 0; thread < state::threads; ++thread) pair.write(thread, acc_stats, choose.one_in(8));
        const std::uint32_t out = to_e4m3 ? choose.of({reference::FP16, reference::FP8}) : choose_output();
        accumulates_ = choose.one_in(6);
        const std::uint32_t sum =
            is_integer(in_) ? in_ : choose.of({reference::FP32, reference::BF16, reference::FP16});
        for (unsigned i = 0; i < 4; ++i) {
            usual(in_format[i], in_);
            usual(out_format[i], accumulates_ && !to_e4m3 ? sum : choose.one_in(4) && !to_e4m3 ? choose_output() : out);
            pair.write(thread_, exp_section_size[i], choose.one_in(4) ? choose.below(0x10000) : choose.below(5));
            pair.write(thread_, row_start_size[i], choose.one_in(4) ? choose.below(0x10000) : choose.below(5));
            usual(no_shared_exponent[i], 0);
        }
    }

    // Half of the time no mask, else random ones; the mappings are those of the configuration.
    void set_edges() {
        const bool masked = choose.one_in(2);
        pair.write(thread_, face_set_enable, choose.one_in(2));
        pair.write(thread_, edge_mode, masked && choose.one_in(4));
        for (const Field& f : edge_mask)
            pair.write(thread_, f, masked ? choose.of({choose.below(0x10000), 0xFFFF, 0x00FF, 0, 1}) : 0xFFFF);
    }

    void set_packers() {
        set_edges();
        const bool overridden = choose.one_in(4), compresses = !accumulates_ && choose.one_in(3);
        pair.write(thread_, compress_override, overridden);
        pair.write(thread_, compress_override_mask, compresses ? 0 : 0xF);
        for (unsigned i = 0; i < 4; ++i) {
            pair.write(thread_, add_header[i], choose.below(2));
            pair.write(thread_, add_offset[i], choose.one_in(8));
            pair.write(thread_, disable_compress[i], overridden ? choose.below(2) : !compresses);
            pair.write(thread_, enable_out_fifo[i], choose.one_in(16));
            pair.write(thread_, source_interface[i], choose.one_in(12));
            pair.write(thread_, downsample_mask[i], choose.one_in(4) ? choose.of({choose.word(), 0x5555, 0x8001}) : 0);
            pair.write(thread_, l1_acc[i], accumulates_);
            pair.write(thread_, exp_threshold_en[i], choose.one_in(4));
            pair.write(thread_, exp_threshold[i], choose.of({choose.below(256), choose.below(32), 113}));
            pair.write(thread_, zero_flags_off[i], choose.below(2));
            pair.write(thread_, last_interfaces[i], choose.one_in(8));
            pair.write(thread_, l1_source[i], choose.below(6));
            pair.write(thread_, fifo_size[i], choose.one_in(4) ? choose.below(0x4000) : 0);
            pair.write(thread_, limit_address[i], choose.one_in(4) ? choose.below(0x8000) : 0x1FFFF);
            pair.write(thread_, yz_transposed[i], choose.one_in(4));
            pair.write(thread_, reads_per_plane[i], choose.one_in(3) ? choose.below(256) : choose.below(20));
            pair.write(thread_, dst_offset[i], choose.one_in(4) ? choose.below(4096) : 4 * choose.below(256));
            if (i >= pair.arch().packers) continue;
            const auto cell = [&](Packer item) { return state::cells::packer(i, item); };
            pair.write(cell(Packer::tile_x), pair.blackhole() ? 0 : choose.below(16));
            pair.write(cell(Packer::tile_y), choose.one_in(3) ? choose.below(256) : choose.below(20));
            pair.write(cell(Packer::tile_z), choose.below(256));
            pair.write(cell(Packer::l1_dest_addr_offset), choose.below(0x200));
            if (choose.one_in(16)) {
                pair.write(cell(Packer::gasket_random), choose.word());
                pair.write(cell(Packer::packer_random), choose.word());
            }
            // A compressed stream goes on as it is, or is given up.
            if (pair[cell(Packer::compressing)] && !pair[cell(Packer::data_needs_address)]) {
                if (!choose.one_in(4)) continue;
                for (const Packer item :
                     {Packer::data_needs_address, Packer::exp_needs_address, Packer::rsi_needs_address})
                    pair.write(cell(item), 1);
                for (const Packer item : {Packer::data_filled, Packer::exp_filled, Packer::rsi_filled,
                                          Packer::group_filled, Packer::rle_filled})
                    pair.write(cell(item), 0);
                continue;
            }
            // Between PACRs of one stream the formats stay; a stream begun with others leaves any number of bytes.
            if (!choose.one_in(3)) continue;
            pair.write(cell(Packer::compressing), 0);
            const bool begins = choose.one_in(2);
            set_stream(i, begins, Packer::data_needs_address, Packer::data_address, Packer::data_filled, Packer::data_0,
                       2);
            set_stream(i, begins || choose.one_in(2), Packer::exp_needs_address, Packer::exp_address,
                       Packer::exp_filled, Packer::exp_0, 1);
            const bool fresh = pair[cell(Packer::exp_needs_address)];
            pair.write(cell(Packer::group_filled), fresh ? 0 : choose.below(16));
            for (unsigned w = 0; w < 8; ++w) pair.write(nth(i, Packer::group_0, w), choose.word());
        }
        clear_unfilled();
    }

    static state::Cell nth(unsigned i, Packer first, unsigned n) {
        return state::cells::packer(i, Packer(static_cast<unsigned>(first) + n));
    }

    void set_stream(unsigned i, bool fresh, Packer needs_address, Packer address, Packer filled, Packer first,
                    unsigned step) {
        pair.write(nth(i, needs_address, 0), fresh);
        pair.write(nth(i, filled, 0), fresh ? 0 : step * choose.below(16 / step));
        pair.write(nth(i, address, 0), fresh ? 0 : 16 * choose.below(90000));
        for (unsigned w = 0; w < 4; ++w) pair.write(nth(i, first, w), choose.word());
    }

    // Clears the space behind waiting data.
    void clear_unfilled() {
        for (unsigned i = 0; i < pair.arch().packers; ++i) {
            for (const auto& [filled, first] :
                 {std::pair{Packer::data_filled, Packer::data_0}, std::pair{Packer::exp_filled, Packer::exp_0}})
                for (unsigned b = pair[nth(i, filled, 0)]; b < 16; ++b)
                    pair.write(nth(i, first, b / 4), pair[nth(i, first, b / 4)] & ~(0xFFu << b % 4 * 8));
            for (unsigned k = pair[nth(i, Packer::group_filled, 0)]; k < 16; ++k)
                pair.write(nth(i, Packer::group_0, k / 2),
                           pair[nth(i, Packer::group_0, k / 2)] & ~(0xFFFFu << k % 2 * 16));
        }
    }

    void set_addresses() {
        const std::uint32_t bytes = (in_ & 3) == 0 ? 4 : (in_ & 3) == 1 ? 2 : 1;
        const bool relative = !pair.blackhole() && choose.one_in(4);  // packer 0's address is added to the others'
        for (unsigned i = 0; i < 4; ++i) {
            const std::uint32_t address = choose.below(choose.one_in(32) ? 0x20000 : 60000);
            pair.write(thread_, l1_dest_addr[i],
                       relative && i == 0 ? address | 0x80000000
                       : relative         ? address / 8
                                          : address);
            pair.write(thread_, sub_header[i], choose.below(2));
        }
        pair.write(thread_, in_x_stride, choose.of({0, 0, bytes, choose.word()}));
        pair.write(thread_, in_base, choose.one_in(4) ? choose.word() : 0);
        pair.write(thread_, out_base, choose.one_in(4) ? choose.below(0x4000) : 0);
        for (const Field& f : in_strides)
            pair.write(thread_, f, choose.one_in(4) ? choose.word() : 16 * bytes * choose.below(5));
        for (const Field& f : out_strides)
            pair.write(thread_, f, choose.one_in(4) ? choose.word() & 0x7F : 16 * choose.below(8));
        for (unsigned thread = 0; thread < state::threads; ++thread) {
            const auto adc = [&](unsigned channel, Adc counter, std::uint32_t value) {
                pair.write(state::cells::adc(thread, AdcUnit::packers, channel, counter), value);
            };
            const bool partial = choose.one_in(4);
            const std::uint32_t first = partial ? choose.below(16) : 0;
            const std::uint32_t last = pair.blackhole() ? (partial ? choose.between(first, 15) : 15)
                                       : partial        ? first + choose.below(70) - 1
                                                        : choose.of({15, 255, 63, 31});
            adc(0, Adc::x, first);
            adc(1, Adc::x, last & 0x3FFFF);
            for (unsigned channel = 0; channel < 2; ++channel) {
                const std::uint32_t zw = 1u << pair.arch().adc_zw_bits;
                adc(channel, Adc::y, choose.one_in(8) ? choose.below(0x2000) : choose.below(16));
                adc(channel, Adc::y_cr, choose.one_in(8) ? choose.below(0x2000) : choose.below(16));
                adc(channel, Adc::z, choose.one_in(8) ? choose.below(zw) : choose.below(4));
                adc(channel, Adc::z_cr, choose.below(zw));
                adc(channel, Adc::w, choose.one_in(8) ? choose.below(zw) : choose.below(2));
            }
        }
    }

    Choice& choose;
    unsigned thread_ = 0;
    std::uint32_t in_ = 0;
    bool accumulates_ = false;
};

class ReferencePack : public testing::TestWithParam<Arch> {};

TEST_P(ReferencePack, AgreesOnRandomStates) {
    Generator generator(GetParam());
    const unsigned asked = asked_cases(cases, "TESSERA_PACK_CASES");
    for (unsigned i = 0; i < asked && !generator.pair.hopeless(); ++i) generator.run_one();
    expect_coverage(generator.pair, asked);
    generator.coverage.modes().finish("pacr-" + std::string(name(GetParam())), asked, one_in_of_each_mode);
    // Every mode that was met at all was met often.
    EXPECT_GE(generator.executed_modes.size(), generator.pair.blackhole() ? 49u : 38u);
    for (const auto& [mode, count] : generator.executed_modes) {
        EXPECT_GE(count, asked / 2000) << mode;
        std::printf("[          ]   %-40s %u\n", mode.c_str(), count);
    }
}

TEST_P(ReferencePack, MovedPlansAreFreshPlans) {
    Generator generator(GetParam());
    expect_moved_plans_fresh(generator);
}

INSTANTIATE_TEST_SUITE_P(Archs, ReferencePack, testing::ValuesIn(all_archs),
                         [](const auto& arch) { return std::string(name(arch.param)); });

}  // namespace
}  // namespace tessera::test
