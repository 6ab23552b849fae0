// SPDX-License-Identifier: Apache-2.0
#include "program/job/text.hpp"

#include <fmt/format.h>

#include "program/documents/json.hpp"
#include "program/documents/toml.hpp"
#include "program/job/changes.hpp"
#include "tensor/host_file.hpp"
#include "util/byte_order_mark.hpp"

namespace tessera::program {

Result<JobText> read_job_file(const std::string& path) {
    const auto text = tensor::read_file(path, "job.open", tensor::most_text_bytes);
    if (!text) return tl::make_unexpected(text.error());
    const bool json = path.ends_with(".json");
    if (!json && !path.ends_with(".toml")) {
        const char* of_thread =
            path.ends_with(".tts") ? "; this is the text of a thread, which a job names under [threads]" : "";
        return fail("job.open", fmt::format("the name of a job file must end in .toml or .json{}", of_thread), path);
    }
    return JobText{std::string(util::without_mark(*text)), json, path};
}

JobText job_text(std::string_view text, const std::string& name) {
    text = util::without_mark(text);
    const auto first = text.find_first_not_of(" \t\r\n");
    return {std::string(text), first != text.npos && text[first] == '{', name};
}

Result<Node> parse_tree(const JobText& text, const JobChanges& changes) {
    auto root = text.json ? parse_json(text.text, text.file) : parse_toml(text.text, text.file);
    if (!root) return root;
    if (auto changed = change_keys(*root, changes.keys, SchemaReader(text.file)); !changed)
        return tl::make_unexpected(std::move(changed.error()));
    return root;
}

}  // namespace tessera::program
