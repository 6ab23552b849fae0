// SPDX-License-Identifier: Apache-2.0
#include "tessera/job.hpp"

#include <fmt/format.h>
#include <new>
#include <set>

#include "program/assembly/register_values.hpp"
#include "program/documents/schema_reader.hpp"
#include "program/job/files.hpp"
#include "program/job/host.hpp"
#include "program/job/kernels.hpp"
#include "program/job/memory.hpp"
#include "program/job/output_values.hpp"
#include "program/job/run_keys.hpp"
#include "program/job/text.hpp"
#include "program/job/threads.hpp"
#include "tessera/output_file.hpp"
#include "tessera/outputs.hpp"
#include "tessera/similar_name.hpp"
#include "util/output_paths.hpp"

namespace tessera {

namespace program {

namespace {

/// Walks a job's tree once.
class JobReader {
public:
    JobReader(const SchemaReader& schema, const JobChanges& changes)
        : schema_(schema), changes_(changes), registers_(changes.registers) {
        job_.file = schema.file();
    }

    Result<Job> read(const Node& root) {
        if (auto done = check_job_keys(root, schema_); !done)
            return tl::make_unexpected(std::move(done.error()));
        // The architecture comes first, because all else depends on it; symbols come before threads.
        auto done = refuse_grid(root);
        if (done) done = assign(read_job_arch(root, schema_), job_.arch);
        if (done) done = read_all_symbols(root);
        for (const auto& member : root.members)
            if (done) done = read_member(member);
        if (done) done = callers_symbols_are_used();
        if (const auto unused = registers_.unused(); unused && done) {
            const std::vector<std::string_view> stored(registers_.stored().begin(), registers_.stored().end());
            return schema_.error(
                "job.value",
                fmt::format("no line of the job's assembly stores {}, so that nothing can be replaced{}", *unused,
                            suggestion(*unused, stored)),
                {});
        }
        if (done) done = assign(read_kernels(root, schema_, job_.arch), job_.kernels);
        if (const auto* member = root.find("host"); member && done) done = read_host(member->value, schema_, job_);
        job_.inputs = named_files(root, job_.file);
        if (done) done = check_outputs(root);
        if (!done) return tl::make_unexpected(std::move(done.error()));
        job_.program.arch = job_.arch;
        return std::move(job_);
    }

private:
    template <class T, class Target>
    static Result<void> assign(Result<T> value, Target& target) {
        if (!value) return tl::make_unexpected(std::move(value.error()));
        target = std::move(*value);
        return {};
    }

    Result<void> refuse_grid(const Node& root) const {
        if (const auto* chip = root.find("chip"))
            return schema_.error("job.chip",
                                 "this job has a grid of tiles ('chip'), which is not taken here; 'tessera run', "
                                 "trace, step, race, diff, gdb and "
                                 "record take it, and load_chip_job() of the library (docs/chip-jobs.md)",
                                 chip->position);
        for (const std::string_view key : {"dram", "tile"})
            if (const auto* member = root.find(key))
                return schema_.error("job.value", fmt::format("'{}' is for jobs with a grid: it needs 'chip'", key),
                                     member->position);
        return {};
    }

    /// The caller's symbols take precedence over the job's.
    Result<void> read_all_symbols(const Node& root) {
        if (const auto* member = root.find("symbols")) {
            if (auto done = assign(read_symbols(member->value, schema_), symbols_); !done) return done;
            for (const auto& symbol : member->value.members) {
                // A name or value from the caller has no place.
                if (symbol.position.line > 0) own_symbols_.insert(symbol.key);
                if (symbol.value.position.line == 0) outer_symbols_.insert(symbol.key);
            }
        }
        for (const auto& [name, value] : changes_.symbols) {
            if (!symbols_.define_from_outside(name, value)) return schema_.error("job.value", not_a_symbol(name), {});
            outer_symbols_.insert(name);
        }
        symbols_.note_lookups(symbol_uses_);
        return {};
    }

    /// A value of the caller without effect is a mistake; the job's own symbols need no use.
    Result<void> callers_symbols_are_used() const {
        for (const std::string& name : outer_symbols_) {
            if (own_symbols_.contains(name) && !symbol_uses_.asked.contains(name)) continue;
            if (std::string why = symbol_uses_.no_effect(name, "no text of the job uses a symbol"); !why.empty())
                return schema_.error("job.value", std::move(why), {});
        }
        return {};
    }

    Result<void> read_member(const Node::Member& member) {
        const auto& [key, position, value] = member;
        if (key == "l1") return assign(read_regions(value, schema_, job_.arch), job_.l1);
        if (key == "threads")
            return assign(read_threads(value, schema_, job_.arch, {symbols_, &registers_}), job_.program);
        if (key == "output") return assign(read_outputs(value, schema_, job_.arch), job_.outputs);
        return read_run_key(member, schema_, job_.reset, job_.options);
    }

    Result<void> check_outputs(const Node& root) const {
        std::vector<std::string> paths;
        for (const Job::Output& output : job_.outputs) paths.push_back(output.path);
        return check_output_files(paths, output_places(root), job_.inputs, schema_);
    }

    /// Places of the paths of all outputs, in order: the job's outputs, then the host's reads.
    static std::vector<Position> output_places(const Node& root) {
        std::vector<Position> places;
        if (const auto* outputs = root.find("output"))
            for (const Node& output : outputs->value.items) places.push_back(place_of_path(output));
        if (const auto* steps = root.find("host"))
            for (const Node& step : steps->value.items)
                if (const auto* read = step.find("read")) places.push_back(place_of_path(read->value));
        return places;
    }

    const SchemaReader& schema_;
    const JobChanges& changes_;
    Symbols symbols_;
    std::set<std::string> own_symbols_;    ///< names that the job's file gives a value
    std::set<std::string> outer_symbols_;  ///< names that the caller gives a value
    SymbolUses symbol_uses_;
    RegisterValues registers_;
    Job job_;
};

/// The output's bytes of L1: current ones, or those that a host step read.
Result<std::vector<std::byte>> bytes_of(const Job::Output& output, const Core& core, std::size_t size,
                                        std::span<const HostRead> reads) {
    if (!output.host_step) return core.read_l1(output.address, size);
    for (const HostRead& read : reads) {
        if (read.step != *output.host_step) continue;
        if (read.address == output.address && read.bytes.size() == size) return read.bytes;
        return fail(
            "host.step",
            fmt::format(
                "step {} of the host has read {} bytes at 0x{:X}, not {} at 0x{:X}: the run is one of another job",
                read.step + 1, read.bytes.size(), read.address, size, output.address));
    }
    return fail("host.step", fmt::format("the run ended before step {} of the host", *output.host_step + 1));
}

Result<OutputValue> value_of(const Job::Output& output, const Core& core, std::span<const HostRead> reads) {
    return output_bytes(output)
        .and_then([&](std::size_t size) { return bytes_of(output, core, size, reads); })
        .and_then([&](std::vector<std::byte> bytes) { return output_value(output, std::move(bytes)); });
}

Result<void> check_arch(const Job& job, const Core& core) {
    if (job.arch == core.arch()) return {};
    return fail("run.arch", fmt::format("the job is for {}, but the core is a {}", name(job.arch), name(core.arch())));
}

Result<void> fill(Core& core, const Job& job) {
    if (job.kernels)
        if (auto done = core.load(*job.kernels); !done) return done;
    return write_regions(core, job.l1);
}

}  // namespace

Result<Job> read_job(const Node& root, const SchemaReader& schema, const JobChanges& changes) {
    return JobReader(schema, changes).read(root);
}

Result<Job> read_job(const JobText& text, const JobChanges& changes) {
    try {
        return parse_tree(text, changes).and_then(
            [&](const Node& root) { return read_job(root, SchemaReader(text.file), changes); });
    } catch (const std::bad_alloc&) {
        return fail("job.open", "not enough memory to read the job", text.file);
    }
}

}  // namespace program

Result<Job> load_job(const std::string& path, const JobChanges& changes) {
    auto job = program::read_job_file(path).and_then(
        [&](const program::JobText& text) { return program::read_job(text, changes); });
    if (job) job->inputs.push_back(path);
    return job;
}

Result<Job> parse_job(std::string_view text, const std::string& name, const JobChanges& changes) {
    return program::read_job(program::job_text(text, name), changes);
}

Result<Core> prepare(const Job& job) {
    Core core(job.arch, job.reset, job.recordings);
    if (auto done = program::fill(core, job); !done) return tl::make_unexpected(std::move(done.error()));
    return core;
}

Result<void> prepare(const Job& job, Core& core) {
    if (auto same = program::check_arch(job, core); !same) return same;
    core.reset(job.reset);
    auto done = program::fill(core, job);
    if (!done) core.reset(job.reset);
    return done;
}

Result<Run> run_job(const Job& job, Core& core, const RunOptions& options) {
    return job.kernels ? core.run(*job.kernels, options) : core.run(job.program, options);
}

Result<std::size_t> output_bytes(const Job::Output& output) {
    if (output.size) return output.size;
    return tensor_bytes(output.rows, output.cols, output.format, output.form);
}

Result<std::vector<OutputValue>> read_outputs(const Job& job, const Core& core, std::span<const HostRead> reads) {
    if (auto same = program::check_arch(job, core); !same) return tl::make_unexpected(std::move(same.error()));
    std::vector<OutputValue> values;
    for (const auto& output : job.outputs) {
        auto value = program::value_of(output, core, reads);
        if (!value) return tl::make_unexpected(std::move(value.error()));
        values.push_back(std::move(*value));
    }
    return values;
}

Result<void> write_outputs(const Job& job, const Core& core, std::span<const HostRead> reads) {
    if (auto same = program::check_arch(job, core); !same) return same;
    std::vector<OutputFile> files;
    util::OutputPaths paths(job.inputs);
    for (const auto& output : job.outputs) {
        if (auto done = paths.add(output.path); !done) return done;
        auto file =
            program::value_of(output, core, reads).and_then(program::file_text).and_then([&](const std::string& text) {
                return OutputFile::with(output.path, text, "npy.open");
            });
        if (!file) return tl::make_unexpected(std::move(file.error()));
        files.push_back(std::move(*file));
    }
    return commit(files);
}

}  // namespace tessera
