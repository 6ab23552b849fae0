// SPDX-License-Identifier: Apache-2.0
#include "support/example.hpp"

#include <filesystem>
#include <iterator>
#include <set>

namespace tessera::test {

namespace {

constexpr std::uint64_t most_cycles = 200'000;

std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Example::Example(std::string_view name, const std::map<std::string, std::string>& changes) : name_(name) {
    const std::string folder = TESSERA_SOURCE_DIR "/examples/" + name_ + "/";
    std::map<std::string, int> seen;
    auto copy = [&](const std::string& file) {
        std::string text = read(folder + file);
        for (const auto& [what, with] : changes) {
            const std::size_t at = text.find(what);
            if (at == std::string::npos) continue;
            if (text.find(what, at + 1) != std::string::npos) throw std::runtime_error("more than once: " + what);
            text.replace(at, what.size(), with);
            ++seen[what];
        }
        write(file, text);
        return text;
    };
    for (const auto file : files)
        if (std::filesystem::exists(folder + std::string(file))) texts_.emplace(file, copy(std::string(file)));
    copy(name_ + ".toml");
    for (const auto& [what, with] : changes)
        if (!seen[what]) throw std::runtime_error("nowhere: " + what);
    std::filesystem::create_directory(path("out"));
}

Job Example::load(const JobSymbols& symbols) const {
    auto loaded = load_job(job(), {.symbols = symbols});
    if (!loaded) throw std::runtime_error(loaded.error().describe());
    loaded->options.max_cycles = most_cycles;
    return std::move(*loaded);
}

void Example::write_input(std::string_view name, const Matrix& matrix) const {
    if (!write_npy(path("out/" + std::string(name) + ".npy"), matrix))
        throw std::runtime_error("cannot write " + std::string(name));
}

std::string ExampleOutcome::reported() const {
    std::set<std::string> codes;
    if (run.fault) codes.insert(run.fault->code);
    for (const Finding& finding : run.findings)
        if (finding.level > Level::info) codes.insert(finding.code);
    std::string text;
    for (const std::string& code : codes) text += (text.empty() ? "" : ", ") + code;
    return text;
}

ExampleOutcome run_job(const Job& job) {
    auto core = prepare(job);
    if (!core) throw std::runtime_error(core.error().describe());
    auto run = core->run(job.program, job.options);
    if (!run) throw std::runtime_error(run.error().describe());
    const auto& output = job.outputs.at(0);
    const auto length = tensor_bytes(output.rows, output.cols, output.format, output.form);
    return {std::move(*run), core->read_l1(output.address, length.value()).value()};
}

}  // namespace tessera::test
