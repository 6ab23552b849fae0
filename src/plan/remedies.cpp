// SPDX-License-Identifier: Apache-2.0
#include "plan/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "formats/datum_size.hpp"
#include "plan/remedy.hpp"
#include "registers/field_family.hpp"
#include "tessera/data_format.hpp"

namespace tessera::plan {

namespace {

using findings::id;
using enum Remedy::When;

constexpr std::string_view in_format = "THCON_SEC#_REG0_TileDescriptor_InDataFormat";
constexpr std::string_view out_format = "THCON_SEC#_REG2_Out_data_format";
constexpr std::string_view if_sel = "THCON_SEC0_REG2_Unpack_If_Sel";
constexpr std::string_view base = "THCON_SEC#_REG3_Base_address";
constexpr std::string_view offset = "THCON_SEC#_REG7_Offset_address";
constexpr std::string_view x_dim = "THCON_SEC#_REG0_TileDescriptor_XDim";
constexpr std::string_view uncompressed = "THCON_SEC#_REG0_TileDescriptor_IsUncompressed";
constexpr std::string_view first_x = "adc thread # unpacker# channel 0 x";
constexpr std::string_view first_y = "adc thread # unpacker# channel 0 y";
constexpr std::string_view first_z = "adc thread # unpacker# channel 0 z";
constexpr std::string_view first_w = "adc thread # unpacker# channel 0 w";
constexpr std::string_view last_x = "adc thread # unpacker# channel 1 x";
constexpr std::string_view out_base = "UNP#_ADDR_BASE_REG_1_Base";
constexpr std::string_view out_y = "UNP#_ADDR_CTRL_XY_REG_1_Ystride";
constexpr std::string_view out_z = "UNP#_ADDR_CTRL_ZW_REG_1_Zstride";
constexpr std::string_view out_w = "UNP#_ADDR_CTRL_ZW_REG_1_Wstride";
constexpr std::string_view shift_amount = "THCON_SEC#_REG2_Shift_amount_cntx#";

constexpr std::string_view with_datums = "a format that has datums: any code but 12 and 13";
constexpr std::string_view no_size = "codes 12 and 13 have no size";
constexpr std::string_view of_fp32 = "Float32 for Dst, else Tf32, Float16_b or Float16";
constexpr std::string_view fp32_becomes = "hardware converts FP32 to no other format";
constexpr std::string_view as_input = "the input format, {0}";
constexpr std::string_view as_output = "the output format, {1}, if L1 holds that";
constexpr std::string_view only_fp32 = "hardware converts only FP32 to another format";
constexpr std::string_view in_l1 = "lower";
constexpr std::string_view beyond_l1 = "the unpacker reads {1} bytes at {0}; L1 ends at {2}";
constexpr std::string_view no_row_starts = "1, unless L1 holds a compressed tile";
constexpr std::string_view row_starts_lead = "the unpacker reads datums as row starts, which give this address";
constexpr std::string_view aligned = "a multiple of {1}";
constexpr std::string_view bytes_of_datum = "a datum of the output format has {1} bytes";
constexpr std::string_view in_bank = "lower";
constexpr std::string_view rows_of_bank = "row {0} is beyond the bank's 64";
constexpr std::string_view fewer = "lower, for fewer datums";
constexpr std::string_view ascending = "starts that ascend";
constexpr std::string_view next_begins = "a blob ends where the next begins";
constexpr std::string_view of_19_bits = "a format of at most 19 bits";
constexpr std::string_view keeps_19_bits = "a source register keeps 19 bits";

/// Fields in whose place a context may have its own. A row about the one is about the other, too.
constexpr std::pair<std::string_view, std::string_view> of_contexts[] = {
    {in_format, "THCON_SEC#_REG7_Unpack_data_format_cntx#"},
    {out_format, "THCON_SEC#_REG7_Unpack_out_data_format_cntx#"},
    {if_sel, "THCON_SEC0_REG2_Unpack_if_sel_cntx#"},
    {base, "THCON_SEC#_REG3_Base_cntx#_address"},
    {offset, "THCON_SEC#_REG7_Offset_cntx#_address"},
    {x_dim, "THCON_SEC0_REG5_Tile_x_dim_cntx#"},
    {uncompressed, "THCON_SEC#_REG2_Disable_zero_compress_cntx#"},
};

/// The names that the row is about.
std::vector<std::string_view> names(const Remedy& remedy) {
    const auto twins = std::find_if(std::begin(of_contexts), std::end(of_contexts),
                                    [&](const auto& pair) { return pair.first == remedy.name; });
    if (twins == std::end(of_contexts)) return {remedy.name};
    return {twins->first, twins->second};
}

constexpr Remedy table[] = {
    {id("unpack.unknown-format"), in_format, no_format, with_datums, no_size},
    {id("unpack.unknown-format"), out_format, no_format, with_datums, no_size},
    {id("unpack.fp32-to-other"), out_format, named, of_fp32, fp32_becomes},
    {id("unpack.fp32-to-other"), in_format, any, "the output format, {0}, if L1 holds that", fp32_becomes},
    {id("unpack.format-mismatch"), out_format, any, as_input, only_fp32},
    {id("unpack.format-mismatch"), in_format, any, as_output, only_fp32},
    {id("unpack.format-expanded"), out_format, any, as_input, only_fp32},
    {id("unpack.format-expanded"), in_format, any, as_output, only_fp32},
    {id("unpack.fp32-to-src"), out_format, any, "Tf32, which hardware uses instead", keeps_19_bits},
    {id("unpack.tf32-to-src"), in_format, any, "Float32, with Tf32 as output format", "TF32 is not a format of L1"},
    {id("unpack.int32-to-src"), if_sel, any, "Dst", keeps_19_bits},
    {id("unpack.int32-to-src"), "Unpack_block_selection", set, "0, with Unpack_If_Sel on",
     "only unpacker 0 reaches Dst"},
    {id("unpack.int32-to-src"), in_format, any, of_19_bits, keeps_19_bits},
    {id("unpack.l1-address"), base, any, in_l1, beyond_l1},
    {id("unpack.l1-address"), offset, set, in_l1, beyond_l1},
    {id("unpack.l1-address"), first_y, set, in_l1, beyond_l1},
    {id("unpack.l1-address"), first_z, set, in_l1, beyond_l1},
    {id("unpack.l1-address"), first_w, set, in_l1, beyond_l1},
    {id("unpack.l1-address"), last_x, set, fewer, beyond_l1},
    {id("unpack.l1-address"), uncompressed, unset, no_row_starts, row_starts_lead},
    {id("unpack.l1-address"), "THCON_SEC#_REG2_Unpack_fifo_size", set, "the size of the buffer that the tile lies in",
     "addresses beyond Unpack_limit_address wrap back by it"},
    {id("unpack.base-wraps"), base, any, "the byte address divided by 16", "addresses have 32 bits"},
    {id("unpack.stale-row-starts"), "SearchCacheFlush", any, "1 in an UNPACR before this one",
     "the row start at {0} has changed from {1} to {2}"},
    {id("unpack.block-exponent"), in_format, any, "Bfp8_b, Bfp4_b or Bfp2_b for numbers of this range",
     "exponent {2} has more than 5 bits"},
    {id("unpack.in-address-misaligned"), first_x, set, "such that the first datum begins a line of 16 bytes",
     "the first datum is at {0}"},
    {id("unpack.in-address-misaligned"), x_dim, any, "a row length that is a multiple of 16 bytes", "the first datum is at {0}"},
    {id("unpack.count-negative"), last_x, any, "the last datum: at least {1}", "datum {1} is the first"},
    {id("unpack.count-negative"), first_x, set, "the first datum, at most {0}", "datum {0} is the last"},
    {id("unpack.count-negative"), "THCON_SEC#_REG0_TileDescriptor_BlobsYStart_lo", set, ascending, next_begins},
    {id("unpack.count-negative"), "THCON_SEC#_REG0_TileDescriptor_BlobsYStart_hi", set, ascending, next_begins},
    {id("unpack.count-negative"), "UNP#_BLOBS_Y_START_CNTX_#_blobs_y_start", set, ascending, next_begins},
    {id("unpack.count-negative"), uncompressed, unset, no_row_starts, "the unpacker reads datums as row starts, which descend"},
    {id("unpack.blob-index"), first_x, any, "below BlobsPerXYPlane", "the tile descriptor has the starts of eight blobs"},
    {id("unpack.blob-index"), "THCON_SEC#_REG0_TileDescriptor_BlobsPerXYPlane", any,
     "the number of blobs, or 0 for a row search without blobs", "X counts blobs unless it is 0"},
    {id("unpack.context-adc-3"), "AddrCntContextId", any, "a thread: 0, 1 or 2", "there is no thread 3"},
    {id("unpack.out-address-misaligned"), out_base, misaligned, aligned, bytes_of_datum},
    {id("unpack.out-address-misaligned"), out_y, misaligned, aligned, bytes_of_datum},
    {id("unpack.out-address-misaligned"), out_z, misaligned, aligned, bytes_of_datum},
    {id("unpack.out-address-misaligned"), out_w, misaligned, aligned, bytes_of_datum},
    {id("unpack.dst-transposed"), "THCON_SEC#_REG2_Haloize_mode", set, "off", "hardware cannot transpose into Dst"},
    {id("unpack.dst-transposed"), shift_amount, set, "0", "hardware cannot shift rows of Dst"},
    {id("unpack.dst-transposed"), if_sel, any, "off, for SrcA", "hardware can transpose and shift only into SrcA"},
    {id("unpack.tilize-conflict"), "THCON_SEC#_REG2_Tileize_mode", any, "off", "tilize mode excludes upsampling and compressed tiles"},
    {id("unpack.tilize-conflict"), "THCON_SEC#_REG2_Upsample_rate", set, "0", "tilize mode leaves no gaps"},
    {id("unpack.tilize-conflict"), uncompressed, unset, "1", "tilize mode cannot read a compressed tile"},
    {id("unpack.tilize-sub-byte"), in_format, any, "a format of 8 bits or more",
     "no page describes rows of {0}-bit datums in this mode"},
    {id("unpack.context-count-non-log2"), "THCON_SEC#_REG2_Context_count_non_log2_en", any, "off",
     "set Context_count to a power of two; no page describes other counts"},
    {id("unpack.context-count-inc"), "UNPACK_MISC_CFG_CfgContextCntInc_#", set, "off",
     "AutoIncContextID of the instruction increments the context"},
    {id("unpack.unpacker1-context"), "UNPACK_MISC_CFG_CfgContextOffset_#", set, "such that the context is 0 or 1",
     "unpacker 1 has two contexts"},
    {id("unpack.unpacker1-context"), "CfgContextId", set, "such that the context is 0 or 1", "unpacker 1 has two contexts"},
    {id("unpack.unpacker1-context"), "AutoIncContextID", set, "0, or Context_count of unpacker 1 at most 1",
     "unpacker 1 has two contexts"},
    {id("unpack.srcb-broadcast"), "srcb_bcast", any, "0", "no page describes it; the matrix unit can broadcast"},
    {id("unpack.bit5-ignored"), "srcb_bcast", any, "0", "it has no effect here"},
    {id("unpack.bit5-ignored"), "rareb_en", any, "0", "it has no effect here"},
    {id("unpack.dst-set-ovrd"), "SRCA_SET_SetOvrdWithAddr", any, "off", "it takes bits off rows of Dst"},
    {id("unpack.dst-clobbers-src-a"), if_sel, any, "on, if Dst is meant; off for SrcA",
     "SrcA bank {0} has unknown contents afterwards"},
    {id("unpack.srca-row-16"), "SRCA_SET_SetOvrdWithAddr", any, "on", "without it, addresses reach only 16 rows"},
    {id("unpack.srca-row-16"), out_base, set, in_bank, "row {0} is beyond the 16 of a set"},
    {id("unpack.srca-row-16"), last_x, any, fewer, "row {0} is beyond the 16 of a set"},
    {id("unpack.srca-row-64"), out_base, any, in_bank, rows_of_bank},
    {id("unpack.srca-row-64"), last_x, any, fewer, rows_of_bank},
    {id("unpack.srcb-row-wrap"), out_base, any, in_bank, rows_of_bank},
    {id("unpack.srcb-row-wrap"), last_x, any, fewer, rows_of_bank},
    {id("unpack.srcb-row-wrap"), "unpacker unpacker 1 src_row_t#", set, in_bank, rows_of_bank},
    {id("unpack.throttle-mode"), "THCON_SEC#_REG2_Throttle_mode", any, "0 (x1), 1 (x2) or 2 (x4)",
     "there are three speeds"},
    {id("unpack.both-banks"), "Stall_Clr_Cntrl", any, "0", "the matrix unit may own the other bank"},
    {id("unpack.both-banks"), "WaitLikeUnpacr", any, "0", "the matrix unit may own the other bank"},
    {id("unpack.clear-value"), "Src_ClrVal_Ctrl", any, "0 (zero) or 1 (minus infinity)",
     "no page gives the bits of other values"},
    {id("unpack.nop-mode"), "form", any, "a form that the reference lists", "mode {0} has no meaning"},
    {id("unpack.nop-unsupported"), "form", any, "another form",
     "a core's store to the register has a known order"},
    {id("unpack.setdvalid-queued"), "setvalid", any, "without this source while its unpacker is busy",
     "unfinished UNPACRs hand over their banks first"},
    {id("unpack.setdvalid-format"), "setvalid", any, "0, with UNPACR_NOP.set-dvalid in its place",
     "UNPACR_NOP.set-dvalid gives the bank's format"},
    {id("mmio-unmapped"), "AddrMid", any, "such that the address is STREAM_MSG_DATA_CLEAR of a stream",
     "nothing else is there, not even {0}"},
    {id("mmio-unmapped"), "unpacker_set_reg_base base #", any,
     "the address of STREAM_MSG_DATA_CLEAR of stream 0", "hardware adds AddrMid times 0x1000"},
};

// Format codes are shown by name.
std::string value_text(const findings::Note& note, unsigned i) {
    const std::string_view what = findings::entry(note.id).values[i];
    return what.ends_with("format") ? std::string(name(DataFormat(note.values[i]))) : number(note.values[i]);
}

bool applies(const Remedy& remedy, std::string_view field, const findings::Note& note, const ReadValue& read) {
    switch (remedy.when) {
        case any: break;
        case set:
            if (!read.value) return false;
            break;
        case unset:
            if (read.value) return false;
            break;
        case named:
            if (read.value != note.values[0]) return false;
            break;
        case one_of:
            if (std::find(note.values.begin(), note.values.end(), read.value) == note.values.end()) return false;
            break;
        case no_format:
            if (formats::datum_bits(DataFormat(read.value))) return false;
            break;
        case misaligned:
            if (!note.values[1] || read.value % note.values[1] == 0) return false;
            break;
        case low_bits:
            if (read.value % 16 == 0) return false;
            break;
    }
    std::string_view name = read.name;
    if (name.ends_with("[1]")) name.remove_suffix(3);
    return registers::matches(field, name);
}

}  // namespace

Lines remedies(const findings::Note& note, std::span<const ReadValue> read) {
    const auto fill = [&](std::string_view text) {
        std::string filled(text);
        for (unsigned i = 0; i < note.values.size(); ++i)
            if (const auto at = filled.find(fmt::format("{{{}}}", i)); at != filled.npos)
                filled.replace(at, 3, value_text(note, i));
        return filled;
    };
    Lines lines;
    for (const std::span<const Remedy> rows : {std::span<const Remedy>(table), pack_remedies()})
        for (const Remedy& remedy : rows) {
            if (remedy.about != note.id || (!remedy.detail.empty() && remedy.detail != note.detail)) continue;
            const std::string why = remedy.why.empty() ? std::string() : fmt::format(" ({})", fill(remedy.why));
            for (const std::string_view field : names(remedy))
                for (const ReadValue& value : read)
                    if (applies(remedy, field, note, value))
                        lines.emplace_back(value.name,
                                           fmt::format("{}{}; now {}", fill(remedy.should_be), why, value.text));
        }
    return lines;
}

std::vector<std::string_view> remedy_names() {
    std::vector<std::string_view> all;
    for (const std::span<const Remedy> rows : {std::span<const Remedy>(table), pack_remedies()})
        for (const Remedy& remedy : rows)
            for (const std::string_view name : names(remedy)) all.push_back(name);
    return all;
}

std::vector<std::string_view> remedied() {
    std::vector<std::string_view> codes;
    for (const Remedy& remedy : table) codes.push_back(findings::catalogue[remedy.about.index].code);
    return codes;
}

}  // namespace tessera::plan
