// SPDX-License-Identifier: Apache-2.0
#include "tessera/job.hpp"

#include <fmt/format.h>
#include <array>
#include <new>
#include <set>

#include "program/assembly/register_values.hpp"
#include "program/documents/json.hpp"
#include "program/documents/schema_reader.hpp"
#include "program/documents/toml.hpp"
#include "program/job/changes.hpp"
#include "program/job/files.hpp"
#include "program/job/host.hpp"
#include "program/job/kernels.hpp"
#include "program/job/memory.hpp"
#include "program/job/threads.hpp"
#include "program/names/reset.hpp"
#include "program/names/timing.hpp"
#include "tensor/host_file.hpp"
#include "tensor/npy.hpp"
#include "tessera/finding_catalogue.hpp"
#include "tessera/output_file.hpp"
#include "tessera/outputs.hpp"
#include "tessera/similar_name.hpp"

namespace tessera {

namespace program {

namespace {

constexpr std::array<std::string_view, 15> job_keys = {"arch",     "reset",     "timing",  "max_cycles", "seed",
                                                       "findings", "l1",        "symbols", "threads",    "cores",
                                                       "in_reset", "arguments", "done",    "host",       "output"};

/// Walks a job's tree once.
class JobReader {
public:
    JobReader(const SchemaReader& schema, const JobChanges& changes)
        : schema_(schema), changes_(changes), registers_(changes.registers) {
        job_.file = schema.file();
    }

    Result<Job> read(const Node& root) {
        if (root.kind == Node::Kind::table)
            if (const auto* format = root.find("format"))
                return schema_.error("job.unknown-key",
                                     "a file with the key 'format' is a case, not a job: use 'tessera check'",
                                     format->position);
        if (auto done = schema_.check_keys(root, "a job", job_keys); !done)
            return tl::make_unexpected(std::move(done.error()));
        // The architecture comes first, because all else depends on it; symbols come before threads.
        auto done = read_arch(root);
        if (done) done = read_all_symbols(root);
        for (const auto& member : root.members)
            if (done) done = read_member(member);
        if (done) done = all_symbols_are_used();
        if (const auto unused = registers_.unused(); unused && done)
            return schema_.error(
                "job.value",
                fmt::format("no line of the job's assembly stores {}, so that nothing can be replaced", *unused), {});
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

    Result<void> read_arch(const Node& root) {
        const auto arch = schema_.required(root, "a job", "arch");
        if (!arch) return tl::make_unexpected(arch.error());
        return assign(schema_.choice(**arch, "arch", "blackhole or wormhole", parse_arch), job_.arch);
    }

    /// The caller's symbols take precedence over the job's.
    Result<void> read_all_symbols(const Node& root) {
        if (const auto* member = root.find("symbols"))
            if (auto done = assign(read_symbols(member->value, schema_), symbols_); !done) return done;
        for (const auto& [name, value] : changes_.symbols) {
            if (symbols_.find_defined(name)) used_symbols_.insert(name);
            if (!symbols_.define_from_outside(name, value))
                return schema_.error("job.value", fmt::format("'{}' is not the name of a symbol", name), {});
        }
        symbols_.note_lookups(used_symbols_);
        return {};
    }

    /// A symbol from outside that is used nowhere is a mistake.
    Result<void> all_symbols_are_used() const {
        for (const auto& [name, value] : changes_.symbols)
            if (!used_symbols_.contains(name)) {
                const std::vector<std::string_view> known(used_symbols_.begin(), used_symbols_.end());
                return schema_.error(
                    "job.value", fmt::format("no text of the job uses a symbol '{}'{}", name, suggestion(name, known)),
                    {});
            }
        return {};
    }

    Result<void> read_member(const Node::Member& member) {
        const auto& [key, position, value] = member;
        if (key == "reset") return assign(schema_.choice(value, key, "silicon or vendor-sim", parse_reset), job_.reset);
        if (key == "timing")
            return assign(schema_.choice(value, key, program::timing_choices, parse_timing), job_.options.timing);
        if (key == "max_cycles") return read_max_cycles(value);
        if (key == "seed") return assign(schema_.integer(value, key), job_.options.seed);
        if (key == "findings") return read_findings(value, {});
        if (key == "l1") return assign(read_regions(value, schema_, job_.arch), job_.l1);
        if (key == "threads")
            return assign(read_threads(value, schema_, job_.arch, {symbols_, &registers_}), job_.program);
        if (key == "output") return assign(read_outputs(value, schema_, job_.arch), job_.outputs);
        return {};
    }

    Result<void> read_max_cycles(const Node& node) {
        auto done = assign(schema_.integer(node, "max_cycles"), job_.options.max_cycles);
        if (done && job_.options.max_cycles == 0)
            return schema_.error("job.range", "max_cycles must be at least 1", node.position);
        return done;
    }

    /// TOML parses the dot of an unquoted code as a nested table.
    Result<void> read_findings(const Node& node, const std::string& prefix) {
        if (node.kind != Node::Kind::table) return schema_.error("job.type", "findings must be a table", node.position);
        for (const auto& member : node.members) {
            const auto code = prefix + member.key;
            if (member.value.kind == Node::Kind::table) {
                if (auto done = read_findings(member.value, code + "."); !done) return done;
                continue;
            }
            if (!is_diagnosis_code(code)) return schema_.error("job.value", unknown_finding(code), member.position);
            auto done = assign(schema_.choice(member.value, code, "off, info, warning or error", parse_level),
                               job_.options.levels[code]);
            if (!done) return done;
        }
        return {};
    }

    /// Checks that no output overwrites the job, a file that it reads, or another output.
    Result<void> check_outputs(const Node& root) const {
        std::vector<std::string> inputs = job_.inputs, others;
        inputs.push_back(job_.file);
        const std::vector<Position> places = output_places(root);
        for (std::size_t i = 0; i < job_.outputs.size(); ++i) {
            const std::string& path = job_.outputs[i].path;
            if (const auto done = check_output(path, others, inputs); !done)
                return schema_.error("job.value", done.error().message, places.at(i));
            others.push_back(path);
        }
        return {};
    }

    /// Places of the paths of all outputs, in order: the job's outputs, then the host's reads.
    static std::vector<Position> output_places(const Node& root) {
        std::vector<Position> places;
        const auto add = [&](const Node& output) {
            const auto* npy = output.find("npy");
            places.push_back((npy ? npy : output.find("file"))->value.position);
        };
        if (const auto* outputs = root.find("output"))
            for (const Node& output : outputs->value.items) add(output);
        if (const auto* steps = root.find("host"))
            for (const Node& step : steps->value.items)
                if (const auto* read = step.find("read")) add(read->value);
        return places;
    }

    const SchemaReader& schema_;
    const JobChanges& changes_;
    Symbols symbols_;
    std::set<std::string, std::less<>>
        used_symbols_;  ///< names that texts ask for, or that the job itself gives a value
    RegisterValues registers_;
    Job job_;
};

bool looks_like_json(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != text.npos && text[first] == '{';
}

Result<Job> read_job(std::string_view text, bool json, const std::string& file, const JobChanges& changes) {
    try {
        auto root = json ? parse_json(text, file) : parse_toml(text, file);
        if (!root) return tl::make_unexpected(std::move(root.error()));
        const SchemaReader schema(file);
        if (auto changed = change_keys(*root, changes.keys, schema); !changed)
            return tl::make_unexpected(std::move(changed.error()));
        return JobReader(schema, changes).read(*root);
    } catch (const std::bad_alloc&) {
        return fail("job.open", "not enough memory to read the job", file);
    }
}

/// The output's bytes of L1: current ones, or those that a host step read.
Result<std::vector<std::byte>> bytes_of(const Job::Output& output, const Core& core, std::size_t size,
                                        std::span<const HostRead> reads) {
    if (!output.host_step) return core.read_l1(output.address, size);
    for (const HostRead& read : reads)
        if (read.step == *output.host_step) return read.bytes;
    return fail("host.step", fmt::format("the run ended before step {} of the host", *output.host_step + 1));
}

Result<OutputValue> value_of(const Job::Output& output, const Core& core, std::span<const HostRead> reads) {
    auto bytes = output_bytes(output).and_then([&](std::size_t size) { return bytes_of(output, core, size, reads); });
    if (!bytes) return tl::make_unexpected(std::move(bytes.error()));
    if (output.size) return OutputValue(std::move(*bytes));
    return from_bytes(*bytes, output.rows, output.cols, output.format, output.form).map([](Matrix matrix) {
        return OutputValue(std::move(matrix));
    });
}

/// An output in its file format.
Result<std::string> file_text(const OutputValue& value) {
    if (const auto* matrix = std::get_if<Matrix>(&value)) return tensor::format_npy(*matrix);
    const auto& bytes = std::get<std::vector<std::byte>>(value);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Result<void> fill(Core& core, const Job& job) {
    if (job.kernels)
        if (auto done = core.load(*job.kernels); !done) return done;
    for (const auto& region : job.l1)
        if (auto done = region.format ? core.write_l1(region.address, region.bytes, *region.format)
                                      : core.write_l1(region.address, region.bytes);
            !done)
            return done;
    return {};
}

}  // namespace

}  // namespace program

Result<Job> load_job(const std::string& path, const JobChanges& changes) {
    const auto text = tensor::read_file(path, "job.open");
    if (!text) return tl::make_unexpected(text.error());
    const bool json = path.ends_with(".json");
    if (!json && !path.ends_with(".toml"))
        return fail("job.open", "the name of a job file must end in .toml or .json", path);
    auto job = program::read_job(tensor::without_mark(*text), json, path, changes);
    if (job) job->inputs.push_back(path);
    return job;
}

Result<Job> parse_job(std::string_view text, const std::string& name, const JobChanges& changes) {
    text = tensor::without_mark(text);
    return program::read_job(text, program::looks_like_json(text), name, changes);
}

Result<Core> prepare(const Job& job) {
    Core core(job.arch, job.reset, job.recordings);
    if (auto done = program::fill(core, job); !done) return tl::make_unexpected(std::move(done.error()));
    return core;
}

Result<void> prepare(const Job& job, Core& core) {
    if (job.arch != core.arch())
        return fail("run.arch",
                    fmt::format("the job is for {}, but the core is a {}", name(job.arch), name(core.arch())));
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
    std::vector<OutputValue> values;
    for (const auto& output : job.outputs) {
        auto value = program::value_of(output, core, reads);
        if (!value) return tl::make_unexpected(std::move(value.error()));
        values.push_back(std::move(*value));
    }
    return values;
}

Result<void> write_outputs(const Job& job, const Core& core, std::span<const HostRead> reads) {
    std::vector<OutputFile> files;
    std::vector<std::string> paths;
    for (const auto& output : job.outputs) {
        if (auto done = check_output(output.path, paths, job.inputs); !done) return done;
        paths.push_back(output.path);
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
