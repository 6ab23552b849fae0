// SPDX-License-Identifier: Apache-2.0
// What remains, as a file that `tessera run` or `tessera check` takes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "program/job_names.hpp"
#include "program/thread_names.hpp"
#include "tensor/host_file.hpp"
#include "tessera/assembly.hpp"
#include "tessera/reduce.hpp"

namespace tessera {

namespace {

/// Text for a comment: on one line.
std::string one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') c = ' ';
    return text;
}

std::string memory_text(const Job::Region& region) {
    std::string text = fmt::format("\n[[l1]]\naddr = 0x{:X}\nhex = \"\"\"", region.address);
    constexpr std::size_t bytes_in_a_line = 32;
    for (std::size_t i = 0; i < region.bytes.size(); ++i) {
        if (i % bytes_in_a_line == 0) text += '\n';
        text += fmt::format("{:02x}", std::to_integer<unsigned>(region.bytes[i]));
    }
    return text + "\"\"\"\n";
}

std::string thread_text(const Program& program, unsigned thread) {
    std::string text = fmt::format("{} = [\n", program::thread_names[thread]);
    for (std::size_t i = 0; i < program.threads[thread].size(); ++i) {
        text += fmt::format("    \"{}\",", op_text(program.threads[thread][i], program.arch));
        if (const std::string place = program.place(thread, i); !place.empty()) text += "  # " + one_line(place);
        text += '\n';
    }
    return text + "]\n";
}

std::string job_text(const Reduced& reduced) {
    const Job& job = reduced.what.job;
    std::string text = fmt::format("# Reduced from {}: {}.\n# What was kept: {}\n\narch = \"{}\"\n", one_line(job.file),
                                   reduced.describe(), one_line(reduced.kept), name(job.arch));
    text += fmt::format("reset = \"{}\"\ntiming = \"{}\"\nmax_cycles = {}\n", program::name(job.reset),
                        name(job.options.timing), job.options.max_cycles);
    if (job.options.seed) text += fmt::format("seed = {}\n", *job.options.seed);
    if (!job.options.levels.empty()) text += "\n[findings]\n";
    for (const auto& [code, level] : job.options.levels) text += fmt::format("\"{}\" = \"{}\"\n", code, name(level));
    for (const auto& region : job.l1) text += memory_text(region);
    text += "\n[threads]\n";
    for (unsigned thread = 0; thread < job.program.threads.size(); ++thread)
        if (!job.program.threads[thread].empty()) text += thread_text(job.program, thread);
    return text;
}

bool is_case(const Reduced& reduced) { return !reduced.what.expect.empty(); }

}  // namespace

std::string format_reduced(const Reduced& reduced) {
    if (!is_case(reduced)) return job_text(reduced);
    Case what = reduced.what;
    what.note = fmt::format("{}{}Reduced: {}. What was kept: {}", what.note, what.note.empty() ? "" : " ",
                            reduced.describe(), one_line(reduced.kept));
    return format_case(what);
}

Result<void> write_reduced(const Reduced& reduced, const std::string& path) {
    const char* const ending = is_case(reduced) ? ".json" : ".toml";
    if (!path.ends_with(ending))
        return fail("reduce.name", fmt::format("what remains is written as {}: the name must end so", ending), path);
    return tensor::StagedFile::write(path, format_reduced(reduced), "reduce.write")
        .and_then([](tensor::StagedFile file) { return file.commit(); });
}

}  // namespace tessera
