// SPDX-License-Identifier: Apache-2.0
#include "options/output_paths.hpp"

#include <filesystem>

#include "tessera/output_file.hpp"

namespace tessera::cli {

Result<void> check_outputs(const std::vector<std::string>& outputs, std::span<const std::string> inputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].empty()) continue;
        if (outputs[i] == "-")
            return fail("cli.write", "cannot write '-': standard output is /dev/stdout, and a file of that name ./-", "-");
        const auto done = check_output(outputs[i], std::span(outputs).first(i), inputs).and_then([&] {
            return OutputFile::check(outputs[i], "cli.write");
        });
        if (!done) return done;
    }
    return {};
}

std::string kept_lines(const std::vector<std::string>& outputs) {
    std::string lines;
    std::error_code unknown;
    for (const std::string& path : outputs)
        if (std::filesystem::is_regular_file(path, unknown)) lines += "kept          " + path + " of an earlier run\n";
    return lines;
}

}  // namespace tessera::cli
