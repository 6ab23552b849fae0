// SPDX-License-Identifier: Apache-2.0
// Values of the miscellaneous unit's and the mover's operands. `also` has the kernel library's spelling (p_setadc).
#pragma once

#include "isa/values/value_spec.hpp"

namespace tessera::isa::values {

inline constexpr ValueSpec adc_units[] = {
    bits("A", 1, "unpacker 0's", "UNP0 UNP_A"),
    bits("B", 2, "unpacker 1's", "UNP1 UNP_B"),
    bits("AB", 3, "both unpackers'", "UNP_AB"),
    bits("PAC", 4, "the packers'"),
};
inline constexpr ValueSpec dimensions[] = {
    choice("x", 0, "X", "SET_X"),
    choice("y", 1, "Y", "SET_Y"),
    choice("z", 2, "Z", "SET_Z"),
    choice("w", 3, "W", "SET_W"),
};
inline constexpr ValueSpec channels[] = {
    choice("ch0", 0, "channel 0: the input", "CH_0"),
    choice("ch1", 1, "channel 1: the output", "CH_1"),
};
inline constexpr ValueSpec xy_counters[] = {
    bits("ch0_x", 1, "X of channel 0"),
    bits("ch0_y", 2, "Y of channel 0"),
    bits("ch1_x", 4, "X of channel 1"),
    bits("ch1_y", 8, "Y of channel 1"),
};
inline constexpr ValueSpec zw_counters[] = {
    bits("ch0_z", 1, "Z of channel 0"),
    bits("ch0_w", 2, "W of channel 0"),
    bits("ch1_z", 4, "Z of channel 1"),
    bits("ch1_w", 8, "W of channel 1"),
};
inline constexpr ValueSpec counter_threads[] = {
    choice("own", 0, "the thread's own"),
    choice("t0", 1, "thread 0's"),
    choice("t1", 2, "thread 1's"),
    choice("t2", 3, "thread 2's"),
};
inline constexpr ValueSpec source_banks[] = {
    bits("a", 1, "unpacker 0's bank of SrcA", "srca"),
    bits("b", 2, "unpacker 1's bank of SrcB", "srcb"),
};

inline constexpr ValueSet adc_unit_mask = {"counter units", "The owners of the address counters: any of", adc_units, {}, true};
inline constexpr ValueSet dimension = {"dimension", "Which counter", dimensions};
inline constexpr ValueSet channel = {"channel", "Which channel", channels};
inline constexpr ValueSet xy_counter_mask = {"X and Y counters", "Which counters: any of", xy_counters};
inline constexpr ValueSet zw_counter_mask = {"Z and W counters", "Which counters: any of", zw_counters};
inline constexpr ValueSet counter_thread = {"thread of the counters", "The thread of the counters", counter_threads};
inline constexpr ValueSet x_start = {"X start", "The new X of channel 0: the first datum"};
inline constexpr ValueSet x_end = {"X end", "The new X of channel 1: the last datum"};
inline constexpr ValueSet adc_value = {
    "counter and thread", "Bits 15:0: the value; bits 17:16: 0 the thread's own counters, else those of thread 0 to 2"};
inline constexpr ValueSet adc_step = {"address counter value", "The counter's new value, or the increment"};
inline constexpr ValueSet handed_banks = {
    "banks handed over", "Which banks go to the matrix unit: any of", source_banks};
inline constexpr ValueSet mover_block = {"mover", "0 in the documented form"};
inline constexpr ValueSet mover_last = {"last of the mover", "0 in the documented form"};

inline constexpr OperandValues misc[] = {
    {"", "CntSetMask", &adc_unit_mask},
    {"SETADC", "ChannelIndex", &channel},
    {"SETADC", "DimensionIndex", &dimension},
    {"SETADC", "Value", &adc_value},
    {"SETADCXY ADDRCRXY", "BitMask", &xy_counter_mask},
    {"SETADCZW ADDRCRZW", "BitMask", &zw_counter_mask},
    {"", "ThreadOverride", &counter_thread},
    {"", "Ch0_X", &adc_step},
    {"", "Ch0_Y", &adc_step},
    {"", "Ch1_X", &adc_step},
    {"", "Ch1_Y", &adc_step},
    {"SETADCXX", "x_start", &x_start},
    {"SETADCXX", "x_end2", &x_end},
    {"SETDVALID", "setvalid", &handed_banks},
    {"XMOV", "Mov block selection", &mover_block},
    {"XMOV", "Last", &mover_last},
};

}  // namespace tessera::isa::values
