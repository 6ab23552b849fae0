// SPDX-License-Identifier: Apache-2.0
// Writes the reduced job as a file for `tessera run` or `tessera check`.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "program/names/reset.hpp"
#include "program/names/threads.hpp"
#include "tessera/assembly.hpp"
#include "tessera/output_file.hpp"
#include "tessera/reduce.hpp"
#include "tessera/registers.hpp"

namespace tessera {

namespace {

/// Text for a one-line comment. Names of files may have any bytes, and a job must be UTF-8.
std::string one_line(const std::string& text) {
    using Json = nlohmann::json;
    auto line = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') c = ' ';
    return line;
}

std::string memory_text(const Job::Region& region) {
    std::string text = fmt::format("\n[[l1]]\naddr = 0x{:X}\nhex = \"\"\"", region.address);
    constexpr std::size_t bytes_in_a_line = 32;
    for (std::size_t i = 0; i < region.bytes.size(); ++i) {
        if (i % bytes_in_a_line == 0) text += '\n';
        text += fmt::format("{:02x}", std::to_integer<unsigned>(region.bytes[i]));
    }
    text += "\"\"\"\n";
    if (region.format) text += fmt::format("format = \"{}\"\n", name(*region.format));
    return text;
}

/// Spelling of `.cfg` ops: by word, or by field.
enum class Spelling : std::uint8_t { words, fields };

/// Spells a configuration store as one `.cfg` per field that it sets or that an earlier store has set. Empty if the
/// text would give another store.
class FieldSpeller {
public:
    explicit FieldSpeller(Arch arch) : arch_(arch), words_(register_words(RegisterSpace::backend, arch)) {}

    std::string spell(const Op& op) {
        if (op.kind != Op::Kind::cfg) {
            last_ = -1;
            return {};
        }
        const std::uint32_t before = std::exchange(held_[op.index], op.value);
        // Successive lines about one word would merge into one store.
        if (std::exchange(last_, op.index) == op.index) return {};
        const auto fields = decode_register(RegisterSpace::backend, op.index % words_, op.value, arch_);
        if (!fields) return {};
        std::string text;
        std::uint32_t named = 0;
        for (const FieldValue& field : *fields) {
            const std::uint32_t mask = field.field.mask() << field.field.lo;
            if (!((op.value | before) & mask)) continue;
            named |= mask;
            const bool format = parse_data_format(field.text).has_value();
            text += fmt::format("{}\".cfg {}{} = {}\",", text.empty() ? "" : " ", field.field.name,
                                op.index >= words_ ? "[1]" : "", format ? field.text : fmt::format("0x{:X}", field.value));
        }
        return (op.value | before) & ~named ? std::string() : text;
    }

private:
    Arch arch_;
    unsigned words_;
    std::map<std::uint16_t, std::uint32_t> held_;
    std::int32_t last_ = -1;  ///< word of the previous store
};

std::string thread_text(const Program& program, unsigned thread, Spelling spelling) {
    std::string text = fmt::format("{} = [\n", program::thread_names[thread]);
    FieldSpeller fields(program.arch);
    for (std::size_t i = 0; i < program.threads[thread].size(); ++i) {
        const Op& op = program.threads[thread][i];
        std::string spelled = spelling == Spelling::fields ? fields.spell(op) : std::string();
        if (spelled.empty()) spelled = fmt::format("\"{}\",", op_text(op, program.arch));
        text += "    " + spelled;
        if (const std::string place = program.place(thread, i); !place.empty()) text += "  # " + one_line(place);
        text += '\n';
    }
    return text + "]\n";
}

/// " --disregard ORDERING[:WHO[:WHICH]]" of each: neither a job nor a case can have them.
std::string disregard_options(const RunOptions& options) {
    std::string text;
    for (const Disregarded& one : options.disregard) {
        text += fmt::format(" --disregard {}", name(one.ordering));
        const std::string who = one.thread ? fmt::format("T{}", *one.thread)
                                : one.core ? std::string(name(*one.core))
                                           : std::string();
        if (!who.empty() || one.which) text += ":" + who;
        if (one.which) text += fmt::format(":{}", *one.which);
    }
    return text;
}

std::string job_text(const Reduced& reduced, Spelling spelling) {
    const Job& job = reduced.what.job;
    const auto& seed = job.options.seed;
    const bool seed_in_toml = seed && *seed <= std::numeric_limits<std::int64_t>::max();
    std::string text = fmt::format("# Reduced from {}: {}.\n# Kept: {}\n", one_line(job.file), reduced.describe(),
                                   one_line(reduced.kept));
    if (seed && !seed_in_toml)
        text += fmt::format("# Run it with --set seed={}: integers of TOML end at 2^63-1.\n", *seed);
    if (const std::string given = disregard_options(job.options); !given.empty())
        text += fmt::format("# Run it with{}.\n", given);
    text += fmt::format("\narch = \"{}\"\n", name(job.arch));
    text += fmt::format("reset = \"{}\"\ntiming = \"{}\"\nmax_cycles = {}\n", program::name(job.reset),
                        name(job.options.timing), job.options.max_cycles);
    if (seed_in_toml) text += fmt::format("seed = {}\n", *seed);
    if (!job.options.levels.empty()) text += "\n[findings]\n";
    for (const auto& [code, level] : job.options.levels) text += fmt::format("\"{}\" = \"{}\"\n", code, name(level));
    for (const auto& region : job.l1) text += memory_text(region);
    text += "\n[threads]\n";
    for (unsigned thread = 0; thread < job.program.threads.size(); ++thread)
        if (!job.program.threads[thread].empty()) text += thread_text(job.program, thread, spelling);
    return text;
}

/// True if the text stands for these ops and this memory.
bool means(const std::string& text, const Job& meant) {
    const auto job = parse_job(text, "reduced");
    if (!job) return false;
    const auto same_op = [](const Op& a, const Op& b) {
        return a.kind == b.kind && a.index == b.index && a.value == b.value;
    };
    const auto same_region = [](const Job::Region& a, const Job::Region& b) {
        return a.address == b.address && a.bytes == b.bytes && a.format == b.format;
    };
    for (std::size_t t = 0; t < meant.program.threads.size(); ++t)
        if (!std::ranges::equal(job->program.threads[t], meant.program.threads[t], same_op)) return false;
    return std::ranges::equal(job->l1, meant.l1, same_region);
}

bool is_case(const Reduced& reduced) { return !reduced.what.expect.empty(); }

}  // namespace

std::string format_reduced(const Reduced& reduced) {
    if (!is_case(reduced)) {
        const std::string named = job_text(reduced, Spelling::fields);
        return means(named, reduced.what.job) ? named : job_text(reduced, Spelling::words);
    }
    Case what = reduced.what;
    what.note = fmt::format("{}{}Reduced: {}. Kept: {}", what.note, what.note.empty() ? "" : " ",
                            reduced.describe(), one_line(reduced.kept));
    if (const std::string given = disregard_options(what.job.options); !given.empty())
        what.note += fmt::format(". Run it with{}", given);
    return format_case(what);
}

Result<void> write_reduced(const Reduced& reduced, const std::string& path) {
    const char* const ending = is_case(reduced) ? ".json" : ".toml";
    if (!path.ends_with(ending))
        return fail("reduce.name", fmt::format("the reduced job is written as {}: the file name must have this ending", ending), path);
    return write_file(path, format_reduced(reduced), "reduce.write");
}

}  // namespace tessera
