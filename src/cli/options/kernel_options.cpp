// SPDX-License-Identifier: Apache-2.0
#include "options/kernel_options.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "options/words.hpp"

namespace tessera::cli {

namespace {

/// Common names of kernels besides their core's name: the role of the core's coprocessor thread.
struct Role {
    std::string_view name;
    RiscvCore core;
};
constexpr std::array<Role, 3> roles = {{{"unpack", RiscvCore::t0}, {"math", RiscvCore::t1}, {"pack", RiscvCore::t2}}};

/// True if a file's name is this name, or ends with it as a separate word.
bool names(std::string_view stem, std::string_view name) {
    if (!stem.ends_with(name)) return false;
    stem.remove_suffix(name.size());
    return stem.empty() || stem.back() == '_' || stem.back() == '-' || stem.back() == '.';
}

std::optional<RiscvCore> core_of(const std::string& path) {
    const std::string stem = std::filesystem::path(path).stem().string();
    for (std::size_t i = 0; i < riscv_cores; ++i)
        if (names(stem, name(static_cast<RiscvCore>(i)))) return static_cast<RiscvCore>(i);
    for (const Role& role : roles)
        if (names(stem, role.name)) return role.core;
    return std::nullopt;
}

Result<void> add(Kernels& kernels, RiscvCore core, const std::string& path) {
    auto& image = kernels.images.at(static_cast<std::size_t>(core));
    if (image) return fail("cli.core", fmt::format("{} is given twice: '{}' and '{}'", name(core), image->file, path));
    Result<KernelImage> loaded = load_kernel(path);
    if (!loaded) return tl::make_unexpected(loaded.error());
    image = std::move(*loaded);
    return {};
}

Result<Kernels::Word> read_done(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string_view all = text;
    const auto address = parse_word(all.substr(0, equals));
    const auto value = equals == text.npos ? std::nullopt : parse_word(all.substr(equals + 1));
    if (!address || !value || *address % 4 != 0)
        return fail("cli.done",
                    fmt::format("'{}' is not ADDR=VALUE: numbers, decimal or with 0x, ADDR a multiple of 4", text));
    return Kernels::Word{*address, *value};
}

}  // namespace

void KernelOptions::add_to(const Command& command) {
    command.option("--core", cores, "Kernel of a core: brisc, trisc0, trisc1, trisc2, ncrisc (may be repeated)")
        .value_name("CORE=FILE")
        .one_at_a_time();
    command.option("--in-reset", in_reset, "Stays in reset until another core starts it (may be repeated)")
        .value_name("CORE")
        .one_at_a_time();
    command.option("--arch", arch, "Chip of kernels without a job: blackhole (default) or wormhole").value_name("ARCH");
    command.option("--done", done, "Kernels are done when that word of L1 has that value (may be repeated)")
        .value_name("ADDR=VALUE")
        .one_at_a_time();
}

Result<Job> KernelOptions::load(const std::vector<std::string>& files) const {
    Job job;
    job.file = files.empty() ? cores.front().substr(cores.front().find('=') + 1) : files.front();
    const Result<Arch> chosen = read_arch(arch.value_or("blackhole"));
    if (!chosen) return tl::make_unexpected(chosen.error());
    job.arch = job.program.arch = *chosen;
    Kernels& kernels = job.kernels.emplace();
    kernels.arch = *chosen;
    for (const std::string& text : cores) {
        const std::size_t equals = text.find('=');
        const auto core = parse_riscv_core(std::string_view(text).substr(0, equals));
        if (!core || equals == text.npos || equals + 1 == text.size())
            return fail("cli.core",
                        fmt::format("'{}' is not CORE=FILE; cores: brisc, trisc0, trisc1, trisc2, ncrisc", text));
        if (auto added = add(kernels, *core, text.substr(equals + 1)); !added)
            return tl::make_unexpected(added.error());
    }
    for (const std::string& path : files) {
        const auto core = core_of(path);
        if (!core)
            return fail("cli.core",
                        "which core is it for? Its name ends neither in brisc, trisc0 (unpack), trisc1 (math), trisc2 "
                        "(pack) nor ncrisc: --core CORE=FILE",
                        path);
        if (auto added = add(kernels, *core, path); !added) return tl::make_unexpected(added.error());
    }
    for (const auto& image : kernels.images)
        if (image) job.inputs.push_back(image->file);
    for (const std::string& text : in_reset) {
        const auto core = parse_riscv_core(text);
        if (!core || !kernels.images[static_cast<std::size_t>(*core)])
            return fail("cli.core", fmt::format("--in-reset {}: no kernel is given for this core", text));
        kernels.in_reset[static_cast<std::size_t>(*core)] = true;
    }
    for (const std::string& text : done) {
        const auto word = read_done(text);
        if (!word) return tl::make_unexpected(word.error());
        if (const Core core(*chosen); !core.read_l1(word->address, 4))
            return fail("cli.done", fmt::format("0x{:X} is not in L1", word->address));
        kernels.done.push_back(*word);
    }
    return job;
}

bool is_kernel(const std::string& path) {
    constexpr std::string_view magic = "\177ELF";
    std::array<char, magic.size()> first{};
    std::error_code ignored;
    if (path.ends_with(".elf")) return true;
    // Opening a FIFO would block until it has a writer.
    return std::filesystem::is_regular_file(path, ignored) && (std::ifstream(path, std::ios::binary).read(first.data(), first.size()) &&
                                      std::string_view(first.data(), first.size()) == magic);
}

}  // namespace tessera::cli
