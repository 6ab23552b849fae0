// SPDX-License-Identifier: Apache-2.0
#include "viewer/sources.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>

namespace tessera::viewer {

namespace {

constexpr std::size_t most_bytes = std::size_t{4} << 20;  // of a file; generated ones may be larger

std::optional<std::string> text_of_file(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return std::nullopt;
    std::string text(most_bytes + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.empty() || text.size() > most_bytes) return std::nullopt;
    return text;
}

}  // namespace

std::uint32_t Sources::file(std::string_view path) {
    const auto [at, added] = file_numbers_.emplace(path, static_cast<std::uint32_t>(files_.size()));
    if (added) files_.emplace_back(path);
    return at->second;
}

std::uint32_t Sources::place(const std::string& place) {
    if (place.empty()) return 0;
    const auto [at, added] = numbers_.emplace(place, static_cast<std::uint32_t>(texts_.size()));
    if (!added) return at->second;
    texts_.push_back(paths_.shorten(place));
    const std::size_t colon = place.rfind(':');
    std::uint32_t line = 0;
    if (colon != std::string::npos) std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
    file_.add(line ? file(std::string_view(place).substr(0, colon)) : 0);
    line_.add(line);
    return at->second;
}

std::optional<std::string> Sources::text_of(const std::string& path) const {
    if (auto text = text_of_file(path); text || path.starts_with('/')) return text;
    std::vector<std::string> beside = {job_.file};
    if (job_.kernels)
        for (const auto& image : job_.kernels->images)
            if (image) beside.push_back(image->file);
    for (const std::string& one : beside) {
        std::error_code error;
        std::filesystem::path folder = std::filesystem::absolute(one, error).parent_path();
        for (; folder.has_relative_path(); folder = folder.parent_path())
            if (auto text = text_of_file(folder / path)) return text;
    }
    return std::nullopt;
}

Json Sources::json(Packer& packer) const {
    Json files = Json::array();
    for (const std::string& path : files_) {
        packer.go_on().check();
        const auto text = text_of(path);
        files.push_back({{"name", paths_.name(path)}, {"text", text ? Json(*text) : Json(nullptr)}});
    }
    return {{"places", {{"texts", texts_}, {"file", file_.json(packer)}, {"line", line_.json(packer)}}},
            {"files", packer.pack_json(files)}};
}

}  // namespace tessera::viewer
