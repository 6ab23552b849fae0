// SPDX-License-Identifier: Apache-2.0
// A job's text as a tree.
#pragma once

#include <string>
#include <string_view>

#include "program/documents/schema_reader.hpp"
#include "tessera/job.hpp"

namespace tessera::program {

/// The text of a job.
struct JobText {
    std::string text;
    bool json{};       ///< otherwise TOML
    std::string file;  ///< its path, or its name in errors
};

/// Reads a job file. Error "job.open".
Result<JobText> read_job_file(const std::string& path);
/// A text that begins with a brace is JSON.
JobText job_text(std::string_view text, const std::string& name);

/// The tree, with JobChanges::keys in place. Errors "job.syntax", "job.value".
Result<Node> parse_tree(const JobText& text, const JobChanges& changes);

/// A job of one tile. Errors: those of load_job().
Result<Job> read_job(const JobText& text, const JobChanges& changes);
Result<Job> read_job(const Node& root, const SchemaReader& schema, const JobChanges& changes);

}  // namespace tessera::program
