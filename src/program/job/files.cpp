// SPDX-License-Identifier: Apache-2.0
#include "program/job/files.hpp"

#include "program/job/threads.hpp"

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
    if (const auto* regions = root.find("l1"))
        for (const Node& region : regions->value.items) add_region(region);
    if (const auto* steps = root.find("host"))
        for (const Node& step : steps->value.items)
            if (const auto* write = step.find("write")) add_region(write->value);
    // A thread given as a list needs no file.
    for (const auto key : {"threads", "cores"})
        if (const auto* table = root.find(key))
            for (const auto& member : table->value.members) add(member.value);
    return files;
}

}  // namespace tessera::program
