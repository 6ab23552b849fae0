// SPDX-License-Identifier: Apache-2.0
#include "support/field_readers.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

#include "registers/field.hpp"
#include "registers/field_family.hpp"
#include "support/reference_pages.hpp"

namespace tessera::test {

namespace {

namespace fs = std::filesystem;

/// Rooms that describe or set fields, or check the others, and execute nothing by them.
const std::set<std::string> not_executing = {"registers", "inspect", "reference", "manual",
                                             "cli",       "program", "check",     "arrays"};

/// Words that are reached from the field before them, by the text that does it.
struct Array {
    std::string_view text;
    std::string_view pattern;
};
constexpr Array arrays[] = {{"view.word(base_address", "THCON_SEC#_REG#_Base_cntx#_address"}};

std::vector<std::string_view> all_names() {
    std::vector<std::string_view> names;
    for (const auto& spec : registers::backend_fields) names.push_back(spec.name);
    for (const auto& spec : registers::thread_fields) names.push_back(spec.name);
    return names;
}

/// The field named by a call …field…("text"): the whole name, or its suffix after a packer's section.
bool named_by(const std::string& text, bool of_packer, std::string_view field) {
    if (!of_packer) return registers::matches(text, field);
    for (const char* section : {"THCON_SEC#_REG1_", "THCON_SEC#_REG8_"})
        if (registers::matches(section + text, field)) return true;
    return false;
}

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_pattern(char c) { return is_word(c) || c == '#'; }

/// Those characters of a kind that a text begins with.
std::string_view first_of(std::string_view text, bool (*is)(char)) {
    return {text.begin(), std::find_if_not(text.begin(), text.end(), is)};
}
/// The names that it ends with.
std::string_view last_of(std::string_view text, bool (*is)(char)) {
    return {std::find_if_not(text.rbegin(), text.rend(), is).base(), text.end()};
}

/// Calls f with the name, without a plural, and the text of each packer_fields("text"), fields<4>("text") and the like.
template <class F>
void for_each_field_call(std::string_view source, F&& report) {
    for (auto quote = source.find('"'); quote != source.npos; quote = source.find('"', quote + 1)) {
        const std::string_view text = first_of(source.substr(quote + 1), is_pattern);
        if (text.empty() || !source.substr(quote + 1 + text.size()).starts_with('"')) continue;
        std::string_view before = source.substr(0, quote);
        before.remove_suffix(last_of(before, is_space).size());
        if (!before.ends_with('(')) continue;
        before.remove_suffix(1);
        if (before.ends_with('>')) before = before.substr(0, before.rfind('<'));
        std::string_view function = last_of(before, is_word);
        if (function.ends_with('s')) function.remove_suffix(1);
        if (function.ends_with("field")) report(function, text);
    }
}

/// Calls f with each name in a text that a field, or a family or an end of one, could have.
template <class F>
void for_each_name(std::string_view text, F&& report) {
    constexpr std::size_t least = 6;
    for (auto at = text.begin(); at != text.end();) {
        at = std::find_if(at, text.end(), is_pattern);
        const std::string_view name = first_of({at, text.end()}, is_pattern);
        if (name.size() >= least && name.find('_') != name.npos) report(name);
        at += static_cast<std::ptrdiff_t>(name.size());
    }
}

/// "unpacker" for units/unpacker/setup.cpp, "rwc" for units/rwc.cpp, "engine" for engine/engine.cpp.
std::string part_of(const fs::path& below_src) {
    auto at = below_src.begin();
    if (*at == "units") ++at;
    return at->stem().string();
}

}  // namespace

std::map<std::string, std::set<std::string>> field_readers() {
    const auto names = all_names();
    const fs::path root = fs::path(TESSERA_SOURCE_DIR) / "src";
    std::map<std::string, std::set<std::string>> readers;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const fs::path path = fs::relative(entry.path(), root);
        if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
        if (not_executing.count(path.begin()->string())) continue;
        const std::string text = source_text("src/" + path.string());
        const auto add = [&](std::string_view function, std::string_view pattern) {
            for (const auto name : names)
                if (named_by(std::string(pattern), function == "packer_field", name))
                    readers[std::string(name)].insert(part_of(path));
        };
        for_each_field_call(text, add);
        for (const auto& array : arrays)
            if (text.find(array.text) != text.npos) add("field", array.pattern);
    }
    return readers;
}

std::map<std::string, std::set<std::string>> field_tests() {
    constexpr std::string_view of_all = "field_places_test.cpp";  // has every field
    std::map<std::string, std::set<std::string>> named_in;
    for (const auto& entry : fs::directory_iterator(fs::path(TESSERA_SOURCE_DIR) / "tests")) {
        const std::string file = entry.path().filename().string();
        if (!file.ends_with("_test.cpp") || file == of_all) continue;
        const std::string text = source_text("tests/" + file);
        for_each_name(text, [&](std::string_view name) {
            named_in[std::string(name)].insert(file.substr(0, file.size() - std::string_view("_test.cpp").size()));
        });
    }
    std::map<std::string, std::set<std::string>> tests;
    for (const auto name : all_names())
        for (const auto& [text, files] : named_in) {
            const bool ends =
                name.size() > text.size() && name.ends_with(text) && name[name.size() - text.size() - 1] == '_';
            if (ends || registers::matches(text, name)) tests[std::string(name)].insert(files.begin(), files.end());
        }
    return tests;
}

}  // namespace tessera::test
