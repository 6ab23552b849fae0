// SPDX-License-Identifier: Apache-2.0
// Members of the types that Python can pickle. A member added to one of them fails to compile until it is listed here.
#pragma once

#include <algorithm>
#include <iterator>

#include "archive.hpp"
#include "tessera/chip_job.hpp"
#include "tessera/job.hpp"
#include "tessera/race.hpp"
#include "tessera/trace.hpp"

namespace tessera::python {

/// Contiguous enumerators up to `last`.
template <class E, E last>
struct UpTo {
    static constexpr bool has(E value) { return value <= last; }
};
template <>
struct Enumeration<Arch> : UpTo<Arch, Arch::wormhole> {};
template <>
struct Enumeration<Reset> : UpTo<Reset, Reset::vendor_sim> {};
template <>
struct Enumeration<Timing> : UpTo<Timing, Timing::functional> {};
template <>
struct Enumeration<Level> : UpTo<Level, Level::error> {};
template <>
struct Enumeration<Layout> : UpTo<Layout, Layout::rows> {};
template <>
struct Enumeration<Rounding> : UpTo<Rounding, Rounding::device> {};
template <>
struct Enumeration<RiscvCore> : UpTo<RiscvCore, RiscvCore::nc> {};
template <>
struct Enumeration<Op::Kind> : UpTo<Op::Kind, Op::Kind::sem_wait> {};
template <>
struct Enumeration<HostStep::What> : UpTo<HostStep::What, HostStep::What::start> {};
template <>
struct Enumeration<PathStep::What> : UpTo<PathStep::What, PathStep::What::wait> {};
template <>
struct Enumeration<Ordering> {
    static constexpr bool has(Ordering value) { return value < Ordering::count; }
};
template <>
struct Enumeration<DataFormat> {
    static constexpr bool has(DataFormat value) {
        return std::find(std::begin(all_data_formats), std::end(all_data_formats), value) != std::end(all_data_formats);
    }
};

template <class A>
void members(A& a, Op& op) {
    auto& [kind, index, value, line] = op;
    a(kind, index, value, line);
}
template <class A>
void members(A& a, Program& program) {
    auto& [arch, threads, files] = program;
    a(arch, threads, files);
}

template <class A>
void members(A& a, KernelImage::Segment& segment) {
    auto& [address, bytes, runs_at] = segment;
    a(address, bytes, runs_at);
}
template <class A>
void members(A& a, KernelImage::Symbol& symbol) {
    auto& [name, address, size, function, in_bss] = symbol;
    a(name, address, size, function, in_bss);
}
template <class A>
void members(A& a, KernelImage::Line& of) {
    auto& [address, file, line] = of;
    a(address, file, line);
}
template <class A>
void members(A& a, KernelImage::Scope& scope) {
    auto& [function, file, line, outer] = scope;
    a(function, file, line, outer);
}
template <class A>
void members(A& a, KernelImage::ScopeRow& row) {
    auto& [address, scope] = row;
    a(address, scope);
}
template <class A>
void members(A& a, KernelImage& image) {
    auto& [file, entry, segments, symbols, files, lines, scopes, scope_rows] = image;
    a(file, entry, segments, symbols, files, lines, scopes, scope_rows);
}
template <class A>
void members(A& a, WordCondition& condition) {
    auto& [address, value, mask] = condition;
    a(address, value, mask);
}
template <class A>
void members(A& a, HostStep& step) {
    auto& [at, when, what, address, size, bytes, cores, place] = step;
    a(at, when, what, address, size, bytes, cores, place);
}
template <class A>
void members(A& a, HostRead& read) {
    auto& [step, cycle, address, bytes] = read;
    a(step, cycle, address, bytes);
}
template <class A>
void members(A& a, Kernels::Word& word) {
    auto& [address, value] = word;
    a(address, value);
}
template <class A>
void members(A& a, Kernels& kernels) {
    auto& [arch, images, in_reset, done, host] = kernels;
    a(arch, images, in_reset, done, host);
}

template <class A>
void members(A& a, Disregarded& disregarded) {
    auto& [ordering, thread, core, which] = disregarded;
    a(ordering, thread, core, which);
}
template <class A>
void members(A& a, DstElement& element) {
    auto& [row, column] = element;
    a(row, column);
}
/// Excludes observers, stop flags and limits of the host, which belong to one process.
template <class A>
void members(A& a, RunOptions& options) {
    auto& [timing, max_cycles, reference, seed, levels, disregard, recorded, stop, interrupt, deadline, max_memory, on_event, on_write,
           on_wait, window, explain, on_explanation, elements] = options;
    a(timing, max_cycles, reference, seed, levels, disregard, recorded, window, elements);
}
template <class A>
void members(A& a, TensorForm& form) {
    auto& [layout, digest_size, compressed, row_datums, shared_exponent, rounding] = form;
    a(layout, digest_size, compressed, row_datums, shared_exponent, rounding);
}
template <class A>
void members(A& a, Job::Region& region) {
    auto& [address, bytes, format, compressed] = region;
    a(address, bytes, format, compressed);
}
template <class A>
void members(A& a, Job::Output& output) {
    auto& [address, rows, cols, format, form, path, size, host_step] = output;
    a(address, rows, cols, format, form, path, size, host_step);
}
/// Excludes recordings, which belong to one process.
template <class A>
void members(A& a, Job& job) {
    auto& [file, inputs, arch, reset, options, l1, program, kernels, outputs, recordings] = job;
    a(file, inputs, arch, reset, options, l1, program, kernels, outputs);
}

template <class A>
void members(A& a, Where& where) {
    auto& [thread, index, cycle, instruction, place, position, core, pc, function, frames] = where;
    a(thread, index, cycle, instruction, place, position, core, pc, function, frames);
}
template <class A>
void members(A& a, Frame& frame) {
    auto& [function, place] = frame;
    a(function, place);
}
template <class A>
void members(A& a, NamedValue& named) {
    auto& [name, value] = named;
    a(name, value);
}
template <class A>
void members(A& a, Diagnosis& diagnosis) {
    auto& [code, message, where, values, hardware, cure, source] = diagnosis;
    a(code, message, where, values, hardware, cure, source);
}
template <class A>
void members(A& a, Finding& finding) {
    static_assert(sizeof(Finding) == sizeof(Diagnosis) + 2 * sizeof(std::uint64_t));
    a(static_cast<Diagnosis&>(finding), finding.level, finding.count);
}
template <class A>
void members(A& a, Fault& fault) {
    static_assert(sizeof(Fault) == sizeof(Diagnosis) + sizeof fault.registers);
    a(static_cast<Diagnosis&>(fault), fault.registers);
}
template <class A>
void members(A& a, Blocked& blocked) {
    auto& [who, finished, waits_for, holder, since, last_touched, instruction, place, in_reset] = blocked;
    a(who, finished, waits_for, holder, since, last_touched, instruction, place, in_reset);
}
template <class A>
void members(A& a, UnitUse& use) {
    auto& [unit, instructions, busy] = use;
    a(unit, instructions, busy);
}
template <class A>
void members(A& a, WaitUse& use) {
    auto& [thread, reason, cycles] = use;
    a(thread, reason, cycles);
}
template <class A>
void members(A& a, ThreadUse& use) {
    auto& [thread, waiting, what, cycles] = use;
    a(thread, waiting, what, cycles);
}
template <class A>
void members(A& a, Window& window) {
    auto& [instruction, count, first, cycles, units, threads] = window;
    a(instruction, count, first, cycles, units, threads);
}
/// Excludes explanations and instructions that have not ended, which Python does not request.
template <class A>
void members(A& a, Run& run) {
    auto& [cycles, has_clock, instructions, by_reference, fault, findings, blocked, units, waits, window, overlapped,
           explanations, host_reads, at_work, in_front] = run;
    a(cycles, has_clock, instructions, by_reference, fault, findings, blocked, units, waits, window, overlapped,
      host_reads);
}

template <class A>
void members(A& a, NocPlace& place) {
    auto& [x, y] = place;
    a(x, y);
}
template <class A>
void members(A& a, TileRun& tile) {
    auto& [column, row, place, run] = tile;
    a(column, row, place, run);
}
template <class A>
void members(A& a, TileWait::Writer& writer) {
    auto& [column, row, core, pc, place, cycle, times] = writer;
    a(column, row, core, pc, place, cycle, times);
}
template <class A>
void members(A& a, TileWait& wait) {
    auto& [column, row, core, pc, polls, value, writer, counts_packets] = wait;
    a(column, row, core, pc, polls, value, writer, counts_packets);
}
template <class A>
void members(A& a, ChipRun& run) {
    auto& [cycles, fault, tiles, packets, waits] = run;
    a(cycles, fault, tiles, packets, waits);
}
template <class A>
void members(A& a, ChipOptions::Size& size) {
    auto& [columns, rows] = size;
    a(columns, rows);
}
template <class A>
void members(A& a, ChipOptions& options) {
    auto& [grid, harvested, translation, reset] = options;
    a(grid, harvested, translation, reset);
}
template <class A>
void members(A& a, ChipJob::Dram& dram) {
    auto& [channel, region] = dram;
    a(channel, region);
}
template <class A>
void members(A& a, ChipJob::Tiles::Argument& argument) {
    auto& [core, symbol, words] = argument;
    a(core, symbol, words);
}
template <class A>
void members(A& a, ChipJob::Tiles& tiles) {
    auto& [first_column, last_column, first_row, last_row, kernels, arguments, l1] = tiles;
    a(first_column, last_column, first_row, last_row, kernels, arguments, l1);
}
template <class A>
void members(A& a, ChipJob::Output& output) {
    auto& [channel, column, row, what] = output;
    a(channel, column, row, what);
}
template <class A>
void members(A& a, ChipJob& job) {
    auto& [file, inputs, arch, chip, options, dram, tiles, outputs] = job;
    a(file, inputs, arch, chip, options, dram, tiles, outputs);
}

template <class A>
void members(A& a, Writer& writer) {
    auto& [thread, index, position, by_core, cycle, text, place] = writer;
    a(thread, index, position, by_core, cycle, text, place);
}
template <class A>
void members(A& a, StateDifference& difference) {
    auto& [name, value_a, value_b, a_text, b_text, a_writer, b_writer, writers_known] = difference;
    a(name, value_a, value_b, a_text, b_text, a_writer, b_writer, writers_known);
}
template <class A>
void members(A& a, InstructionDifference& difference) {
    auto& [of_a, of_b, same_text, wrote, count] = difference;
    a(of_a, of_b, same_text, wrote, count);
}
template <class A>
void members(A& a, RaceOutcome& outcome) {
    auto& [seeds, without_delays, end, state, output, count, instruction] = outcome;
    a(seeds, without_delays, end, state, output, count, instruction);
}
template <class A>
void members(A& a, RaceReport& report) {
    auto& [schedules, compared, outcomes, others, findings, interrupted] = report;
    a(schedules, compared, outcomes, others, findings, interrupted);
}

template <class A>
void members(A& a, UnitReport& report) {
    auto& [unit, instructions, busy, waiting, idle, first, last, documented, measured, assumed, instruction,
           occupancy] = report;
    a(unit, instructions, busy, waiting, idle, first, last, documented, measured, assumed, instruction, occupancy);
}
template <class A>
void members(A& a, ThreadReport::Cause& cause) {
    auto& [kind, reason, count, cycles] = cause;
    a(kind, reason, count, cycles);
}
template <class A>
void members(A& a, ThreadReport& report) {
    auto& [thread, issuing, idle, waits] = report;
    a(thread, issuing, idle, waits);
}
template <class A>
void members(A& a, PathStep& step) {
    auto& [what, begin, end, who, text, thread, number] = step;
    a(what, begin, end, who, text, thread, number);
}
template <class A>
void members(A& a, Passage::Stage& stage) {
    auto& [begin, end] = stage;
    a(begin, end);
}
template <class A>
void members(A& a, Passage& passage) {
    auto& [unpack, math, pack, packs, address] = passage;
    a(unpack, math, pack, packs, address);
}
template <class A>
void members(A& a, TraceReport& report) {
    auto& [cycles, units, threads, path, passages] = report;
    a(cycles, units, threads, path, passages);
}

}  // namespace tessera::python
