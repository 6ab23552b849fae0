// SPDX-License-Identifier: Apache-2.0
#include "support/add_example.hpp"

#include <cmath>
#include <iterator>
#include <random>
#include <set>

namespace tessera::test {

namespace {

std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Exactly once, so that a change of the example is noticed.
std::string replace(std::string text, std::string_view what, std::string_view with) {
    const std::size_t at = text.find(what);
    if (at == std::string::npos || text.find(what, at + 1) != std::string::npos)
        throw std::runtime_error("not exactly once: " + std::string(what));
    return text.replace(at, what.size(), with);
}

/// Both signs, magnitudes over 24 binary orders, zeros of both signs, neighbours that cancel.
Matrix picture_of(unsigned seed) {
    std::mt19937 random(seed);
    Matrix matrix{AddExample::rows, AddExample::cols, {}};
    for (std::size_t i = 0; i < matrix.rows * matrix.cols; ++i) {
        const float magnitude = std::ldexp(1.0f + static_cast<float>(random() & 0xFFFF) / 0x10000,
                                           i % 3 ? static_cast<int>(random() % 24) - 12 : 0);
        const float value = i % 37 == 0 ? 0.0f : magnitude;
        matrix.values.push_back(random() & 1 ? -value : value);
    }
    return matrix;
}

}  // namespace

AddExample::AddExample() : picture_(picture_of(1)), brighten_(picture_of(2)) {
    const std::string example = TESSERA_SOURCE_DIR "/examples/add/";
    const std::string tiles = ".equ TILES, " + std::to_string(rows / 32 * (cols / 32));
    for (const auto file : files) {
        const std::string text = replace(read(example + std::string(file)), ".equ TILES, 240", tiles);
        texts_.emplace(file, text);
        write(file, text);
    }
    const std::string shape = "shape = [" + std::to_string(rows) + ", " + std::to_string(cols) + "]";
    write("add.toml", replace(read(example + "add.toml"), "shape = [480, 512]", shape));

    std::filesystem::create_directory(path("out"));
    if (!write_npy(path("out/picture.npy"), picture_) || !write_npy(path("out/brighten.npy"), brighten_))
        throw std::runtime_error("cannot write the pictures");
}

std::string AddOutcome::told() const {
    std::set<std::string> codes;
    if (run.fault) codes.insert(run.fault->code);
    for (const Finding& finding : run.findings)
        if (finding.level > Level::info) codes.insert(finding.code);
    std::string text;
    for (const std::string& code : codes) text += (text.empty() ? "" : ", ") + code;
    return text;
}

AddOutcome run_job(const Job& job) {
    auto core = prepare(job);
    if (!core) throw std::runtime_error(core.error().describe());
    auto run = core->run(job.program, job.options);
    if (!run) throw std::runtime_error(run.error().describe());
    const auto& output = job.outputs.at(0);
    const auto length = tensor_bytes(output.rows, output.cols, output.format, output.layout);
    return {std::move(*run), core->read_l1(output.address, length.value()).value()};
}

}  // namespace tessera::test
