// SPDX-License-Identifier: Apache-2.0
#include "examples.hpp"

#include <filesystem>
#include <optional>
#include <system_error>

#include "program_folder.hpp"

namespace tessera::cli {

namespace {

namespace fs = std::filesystem;

std::optional<fs::path> examples_folder() {
    std::error_code error;
    const fs::path here = program_folder();
    if (here.empty()) return std::nullopt;
    for (const char* place : {"../examples", "../../examples", "../share/tessera/examples"}) {
        const fs::path folder = (here / place).lexically_normal();
        if (fs::exists(folder / "add/add.toml", error)) return folder;
    }
    return std::nullopt;
}

/// The folder relative to the current one, or absolute if that is shorter.
std::string as_seen_from_here(const fs::path& folder) {
    std::error_code error;
    const fs::path here = fs::current_path(error);
    const std::string whole = folder.string();
    if (error) return whole;
    const std::string relative = folder.lexically_relative(here).string();
    return relative.empty() || relative.size() > whole.size() ? whole : relative;
}

/// Replaces a word after a blank, or at the beginning of a line or of the text.
void replace_words(std::string& text, std::string_view word, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
        const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
        if (begins) text.replace(at, word.size(), by);
        at += begins ? by.size() : word.size();
    }
}

}  // namespace

std::string with_runnable_examples(std::string footer, std::string_view program) {
    const auto begin = footer.find("Example");
    const auto folder = examples_folder();
    if (begin == std::string::npos || !folder) return footer;
    std::string examples = footer.substr(begin);
    replace_words(examples, "tessera ", std::string(program) + " ");
    replace_words(examples, "examples/", as_seen_from_here(*folder) + "/");
    return footer.substr(0, begin) + examples;
}

}  // namespace tessera::cli
