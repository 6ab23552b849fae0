// SPDX-License-Identifier: Apache-2.0
#include "viewer/page.hpp"

#include <algorithm>

namespace tessera::viewer {

namespace {

std::string_view part(std::string_view name) {
    const auto parts = page_parts();
    const auto at = std::find_if(parts.begin(), parts.end(), [&](const PagePart& one) { return one.name == name; });
    return at == parts.end() ? std::string_view() : at->text;
}

/// Of `<tag … before="NAME"…`: the name, or nothing for other lines.
std::string_view named(std::string_view line, std::string_view before) {
    if (!line.starts_with(before)) return {};
    line.remove_prefix(before.size());
    return line.substr(0, line.find('"'));
}

/// A text in a script of JSON must not end it, nor begin a comment: no text of JSON needs '<' as such.
void append_json(std::string& page, std::string_view data) {
    for (std::size_t at; (at = data.find('<')) != std::string_view::npos; data.remove_prefix(at + 1)) {
        page += data.substr(0, at);
        page += "\\u003c";
    }
    page += data;
}

}  // namespace

std::string join_page(std::string_view html, std::string_view data, std::span<const std::string> blocks) {
    constexpr std::string_view data_element = R"(<script type="application/json" id="data">)";
    std::string page;
    std::size_t size = data.size();
    for (const PagePart& one : page_parts()) size += one.text.size();
    for (const std::string& block : blocks) size += block.size() + 64;
    page.reserve(size + size / 64);
    std::string_view rest = part(html);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end);
        if (const auto style = named(line, R"(<link rel="stylesheet" href=")"); !style.empty()) {
            page.append("<style>\n").append(part(style)).append("</style>\n");
        } else if (const auto script = named(line, R"(<script src=")"); !script.empty()) {
            page.append("<script>\n").append(part(script)).append("</script>\n");
        } else if (line.starts_with(data_element)) {
            page += data_element;
            append_json(page, data);
            page += "</script>\n";
            for (std::size_t i = 0; i < blocks.size(); ++i)
                page.append(R"(<script type="text/plain" id="block-)")
                    .append(std::to_string(i))
                    .append("\">")
                    .append(blocks[i])
                    .append("</script>\n");
        } else {
            page += line;
        }
    }
    return page;
}

}  // namespace tessera::viewer
