// SPDX-License-Identifier: Apache-2.0
#include "reports/documentation.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "program_folder.hpp"

namespace tessera::cli {

namespace fs = std::filesystem;

std::string page_uri(std::string_view page) {
    std::error_code error;
    const fs::path here = program_folder();
    if (here.empty()) return {};
    // TESSERA_DOC_FROM_BIN is the way from the installed program's folder to the installed pages.
    for (const char* const folder : {TESSERA_DOC_FROM_BIN, "../docs"}) {
        const fs::path file = (here / folder / page).lexically_normal();
        if (fs::is_regular_file(file, error)) return uri_of(file.string());
    }
    return {};
}

std::string uri_of(std::string_view path) {
    constexpr std::string_view unreserved = "-._~/";
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (plain || unreserved.find(c) != unreserved.npos)
            uri += c;
        else
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri;
}

}  // namespace tessera::cli
