// SPDX-License-Identifier: Apache-2.0
#include "gdb/break_text.hpp"

#include <fmt/format.h>

#include "tessera/finding_catalogue.hpp"
#include "tessera/instruction_set.hpp"
#include "tessera/job.hpp"
#include "tessera/number.hpp"
#include "tessera/op_place.hpp"

namespace tessera::gdb {

namespace {

using Words = std::span<const std::string>;
using Instruction = Breakpoints::Instruction;

bool is_place(std::string_view text) { return text.find(':') != text.npos; }

/// The error as gdb's commands tell it.
template <class What>
Result<What> told(Result<What> read) {
    if (read) return read;
    return fail("gdb.command", read.error().message);
}

Result<Instruction> read_name(const std::string& text, Arch arch) {
    const auto here = find_instruction(text, arch);
    if (!here) return tl::make_unexpected(here.error());
    Instruction named;
    named.name = here->name;
    return named;
}

Result<Breakpoints> read_finding(Words words) {
    if (words[0] != "finding" && words.size() > 1)
        return fail("gdb.command", fmt::format("'{}' is one too many behind {}", words[1], words[0]));
    Breakpoints what;
    what.finding = words[0] != "finding" ? words[0] : words.size() > 1 ? words[1] : "";
    if (!what.finding->empty() && !is_diagnosis_code(*what.finding)) return fail("gdb.command", unknown_finding(*what.finding));
    return what;
}

Result<Breakpoints> read_semaphore(const Core& core, Words words) {
    const auto number = words.size() > 1 ? parse_number(words[1]) : std::nullopt;
    if (!number || *number > 7) return fail("gdb.command", "semaphore takes a number, 0 to 7");
    Breakpoints what;
    what.written.push_back({(*core.find_section("semaphore_value"))->id, static_cast<std::size_t>(*number)});
    return what;
}

/// No kernel has a source file whose path ends as that of FILE:LINE. Without debugging information none is known.
bool is_in_no_file(const Kernels& kernels, std::string_view place) {
    const std::string_view wanted = place.substr(0, place.rfind(':'));
    bool any = false, found = wanted.empty();
    for (const auto& image : kernels.images) {
        if (!image) continue;
        any |= !image->files.empty();
        for (const std::string_view file : image->files) found |= is_end_of_place(wanted, file);
    }
    return any && !found;
}

Result<Breakpoints> read_instruction(const Core& core, const Kernels& kernels, Words words) {
    auto instruction = is_place(words[0]) ? told(parse_ops(words[0])) : read_name(words[0], core.arch());
    if (!instruction) return tl::make_unexpected(instruction.error());
    if (!instruction->place.empty() && is_in_no_file(kernels, instruction->place))
        return fail("gdb.command", fmt::format("no kernel of the tile has the file of {}; the end of a path is enough", words[0]));
    if (words.size() > 1) {
        const auto thread = told(parse_thread(words[1]));
        if (!thread) return tl::make_unexpected(thread.error());
        if (instruction->thread) return fail("gdb.command", fmt::format("{} names its thread already", words[0]));
        instruction->thread = *thread;
    }
    Breakpoints what;
    what.instructions.push_back(std::move(*instruction));
    return what;
}

}  // namespace

Result<Breakpoints> read_break(const Core& core, const Kernels& kernels, Words words) {
    if (words.empty()) return fail("gdb.command", "where? INSTRUCTION, FILE:LINE, T0:5 (op 5 of thread 0), finding [CODE], semaphore N");
    if (words[0] == "semaphore") return read_semaphore(core, words);
    if (words[0] == "finding" || (!is_place(words[0]) && words[0].find('.') != std::string::npos)) return read_finding(words);
    return read_instruction(core, kernels, words);
}

}  // namespace tessera::gdb
