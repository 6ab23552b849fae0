// SPDX-License-Identifier: Apache-2.0
#include "program/job/kernels.hpp"

#include <fmt/format.h>

#include <array>

#include "program/job/files.hpp"
#include "program/job/threads.hpp"
#include "state/arch_description.hpp"

namespace tessera::program {

namespace {

constexpr auto done_keys = std::to_array<std::string_view>({"addr", "value"});

std::array<std::string_view, riscv_cores> core_names() {
    std::array<std::string_view, riscv_cores> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = name(static_cast<RiscvCore>(i));
    return names;
}

/// For a missing kernel with a script `build` in one of the folders above: that it makes it for this chip. Otherwise empty.
std::string how_to_build(const std::string& path, Arch arch) {
    constexpr int folders = 4;  // out/CHIP/KERNEL, and those above
    const std::string script = script_for(path, "build", folders);
    if (script.empty()) return {};
    // A shell would look for a name alone elsewhere.
    return fmt::format("; {}{} {} makes it", script.find('/') == script.npos ? "./" : "", script, name(arch));
}

class KernelsReader {
public:
    KernelsReader(const SchemaReader& schema, Arch arch, const ArgumentNames* names) : schema_(schema), names_(names) {
        kernels_.arch = arch;
    }

    Result<Kernels> read(const Node& root) {
        // Entries that need no file are checked first.
        const auto* arguments = root.find("arguments");
        Result<void> done;
        if (arguments) done = schema_.check_keys(arguments->value, "arguments", core_names());
        if (const auto* member = root.find("done"); member && done) done = read_done(member->value);
        if (done) done = read_cores(root.find("cores")->value);
        if (const auto* member = root.find("in_reset"); member && done) done = read_in_reset(member->value);
        if (arguments && done) done = read_arguments(arguments->value);
        if (!done) return tl::make_unexpected(std::move(done.error()));
        return std::move(kernels_);
    }

private:
    std::optional<KernelImage>& image(std::string_view core) {
        return kernels_.images.at(static_cast<std::size_t>(*parse_riscv_core(core)));
    }

    Result<void> read_cores(const Node& node) {
        if (auto keys = schema_.check_keys(node, "cores", core_names()); !keys) return keys;
        if (node.members.empty()) return schema_.error("job.value", "cores must name at least one kernel", node.position);
        for (const auto& [core, position, value] : node.members) {
            const auto path = schema_.file_name(value, core);
            if (!path) return tl::make_unexpected(path.error());
            const std::string file = beside(schema_.file(), *path);
            auto loaded = load_kernel(file);
            if (!loaded) {
                loaded.error().message += how_to_build(file, kernels_.arch);
                return located(loaded.error(), value.position);
            }
            image(core) = std::move(*loaded);
        }
        return {};
    }

    Result<void> read_in_reset(const Node& node) {
        return read_cores_of(node, "in_reset", schema_, kernels_).map([&](const auto& cores) {
            kernels_.in_reset = cores;
        });
    }

    Result<void> read_arguments(const Node& node) {
        for (const auto& [core, position, values] : node.members) {
            if (!image(core))
                return schema_.error("job.value", no_kernel(core), position);
            if (values.kind != Node::Kind::table)
                return schema_.error("job.type", fmt::format("arguments.{} must be a table", core), values.position);
            for (const auto& argument : values.members)
                if (auto done = set_argument(*image(core), argument); !done) return done;
        }
        return {};
    }

    Result<void> set_argument(KernelImage& image, const Node::Member& argument) {
        const auto words = read_words(argument, schema_, names_);
        if (!words) return tl::make_unexpected(words.error());
        if (auto done = image.set_words(argument.key, *words); !done) return located(done.error(), argument.position);
        return {};
    }

    Result<void> read_done(const Node& node) {
        const auto items = schema_.array(node, "done");
        if (!items) return tl::make_unexpected(items.error());
        for (const auto& item : *items) {
            if (auto keys = schema_.check_keys(item, "an entry of done", done_keys); !keys) return keys;
            const auto address = read_word_address(item, "an entry of done", schema_, kernels_.arch);
            if (!address) return tl::make_unexpected(address.error());
            const auto value = schema_.required(item, "an entry of done", "value").and_then([&](const Node* word) {
                return schema_.word(*word, "value");
            });
            if (!value) return tl::make_unexpected(value.error());
            kernels_.done.push_back({*address, *value});
        }
        return {};
    }

    tl::unexpected<Error> located(const Error& error, Position position) const {
        const std::string message = error.file.empty() ? error.message : error.file + ": " + error.message;
        return schema_.error(error.code, message, position);
    }

    const SchemaReader& schema_;
    const ArgumentNames* names_;
    Kernels kernels_;
};

}  // namespace

Result<std::uint32_t> read_word_address(const Node& table, std::string_view what, const SchemaReader& schema,
                                        Arch arch) {
    const auto node = schema.required(table, what, "addr");
    if (!node) return tl::make_unexpected(node.error());
    const auto address = schema.address(**node, "addr", state::describe(arch).l1_bytes - 4);
    if (!address) return tl::make_unexpected(address.error());
    if (*address % 4 != 0) return schema.error("job.range", "addr must be a multiple of 4", (*node)->position);
    return static_cast<std::uint32_t>(*address);
}

Result<std::array<bool, riscv_cores>> read_cores_of(const Node& node, std::string_view what, const SchemaReader& schema,
                                                    const Kernels& kernels) {
    const auto items = schema.array(node, what);
    if (!items) return tl::make_unexpected(items.error());
    std::array<bool, riscv_cores> cores{};
    for (const auto& item : *items) {
        const auto core =
            schema.choice(item, what, "a core: brisc, trisc0, trisc1, trisc2 or ncrisc", parse_riscv_core);
        if (!core) return tl::make_unexpected(core.error());
        const auto i = static_cast<std::size_t>(*core);
        if (!kernels.images[i])
            return schema.error("job.value", no_kernel(name(*core)), item.position);
        cores[i] = true;
    }
    return cores;
}

Result<std::vector<std::uint32_t>> read_words(const Node::Member& argument, const SchemaReader& schema,
                                              const ArgumentNames* names) {
    std::vector<std::uint32_t> words;
    const bool list = argument.value.kind == Node::Kind::array;
    const std::span<const Node> nodes =
        list ? std::span<const Node>(argument.value.items) : std::span<const Node>(&argument.value, 1);
    for (const auto& node : nodes) {
        if (names && node.kind == Node::Kind::string) {
            const auto named = names->words(node, schema);
            if (!named) return named;
            words.insert(words.end(), named->begin(), named->end());
            continue;
        }
        const auto word = schema.word(node, argument.key);
        if (!word) return tl::make_unexpected(word.error());
        words.push_back(*word);
    }
    return words;
}

Result<std::optional<Kernels>> read_kernels(const Node& root, const SchemaReader& schema, Arch arch,
                                            const ArgumentNames* names) {
    if (!root.find("cores")) {
        for (const std::string_view key : {"in_reset", "arguments", "done", "host"})
            if (const auto* member = root.find(key))
                return schema.error("job.value", fmt::format("'{}' is for jobs with kernels: it needs 'cores'", key), member->position);
        return std::optional<Kernels>{};
    }
    if (const auto* threads = root.find("threads"))
        return schema.error("job.value", "'threads' and 'cores' exclude each other", threads->position);
    return KernelsReader(schema, arch, names).read(root).map([](Kernels kernels) {
        return std::optional(std::move(kernels));
    });
}

std::string no_kernel(std::string_view core) { return fmt::format("cores has no kernel for {}", core); }

Result<void> refuse_kernels(const Job& job, std::string_view name) {
    if (!job.kernels) return {};
    return fail(fmt::format("{}.kernels", name),
                "the command needs the ops of threads, but this job has kernels", job.file);
}

}  // namespace tessera::program
