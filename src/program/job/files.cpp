// SPDX-License-Identifier: Apache-2.0
#include "program/job/files.hpp"

#include <filesystem>

#include "program/job/threads.hpp"
#include "util/output_paths.hpp"

namespace tessera::program {

std::vector<std::string> named_files(const Node& root, const std::string& job_file) {
    std::vector<std::string> files;
    const auto add = [&](const Node& value) {
        if (value.kind == Node::Kind::string) files.push_back(beside(job_file, value.string));
    };
    const auto add_region = [&](const Node& region) {
        for (const auto key : {"npy", "file"})
            if (const auto* source = region.find(key)) add(source->value);
    };
    for (const auto key : {"l1", "dram"})
        if (const auto* regions = root.find(key))
            for (const Node& region : regions->value.items) add_region(region);
    if (const auto* tiles = root.find("tile"))
        for (const Node& tile : tiles->value.items) {
            const auto of_tile = named_files(tile, job_file);
            files.insert(files.end(), of_tile.begin(), of_tile.end());
        }
    if (const auto* steps = root.find("host"))
        for (const Node& step : steps->value.items)
            if (const auto* write = step.find("write")) add_region(write->value);
    // A thread given as a list needs no file.
    for (const auto key : {"threads", "cores"})
        if (const auto* table = root.find(key))
            for (const auto& member : table->value.members) add(member.value);
    return files;
}

std::string script_for(const std::string& missing, std::string_view script, int folders) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (fs::exists(missing, error) || error) return {};
    fs::path folder = fs::path(missing).parent_path();
    for (; folders > 0; --folders, folder = folder.parent_path())
        if (const fs::path there = folder / script; fs::is_regular_file(there, error))
            return there.lexically_normal().string();
    return {};
}

Position place_of_path(const Node& output) {
    const auto* npy = output.find("npy");
    return (npy ? npy : output.find("file"))->value.position;
}

Result<void> check_output_files(std::span<const std::string> paths, std::span<const Position> places,
                                std::span<const std::string> inputs, const SchemaReader& schema) {
    std::vector<std::string> all(inputs.begin(), inputs.end());
    all.push_back(schema.file());
    util::OutputPaths outputs(all);
    for (std::size_t i = 0; i < paths.size(); ++i)
        if (const auto done = outputs.add(paths[i]); !done)
            return schema.error("job.value", done.error().message, places[i]);
    return {};
}

}  // namespace tessera::program
