// SPDX-License-Identifier: Apache-2.0
#include "support/field_readers.hpp"

#include <filesystem>
#include <regex>
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
constexpr Array arrays[] = {{"look.word(base_address", "THCON_SEC#_REG#_Base_cntx#_address"}};

std::vector<std::string_view> all_names() {
    std::vector<std::string_view> names;
    for (const auto& spec : registers::backend_fields) names.push_back(spec.name);
    for (const auto& spec : registers::thread_fields) names.push_back(spec.name);
    return names;
}

/// What a function called …field…("text") means: the whole name, or its end behind a packer's section.
bool named_by(const std::string& text, bool of_packer, std::string_view field) {
    if (!of_packer) return registers::matches(text, field);
    for (const char* section : {"THCON_SEC#_REG1_", "THCON_SEC#_REG8_"})
        if (registers::matches(section + text, field)) return true;
    return false;
}

/// "unpacker" for units/unpacker/setup.cpp, "rwc" for units/rwc.cpp, "engine" for engine/feeder.cpp.
std::string part_of(const fs::path& below_src) {
    auto at = below_src.begin();
    if (*at == "units") ++at;
    return at->stem().string();
}

}  // namespace

std::map<std::string, std::set<std::string>> field_readers() {
    static const std::regex call(R"re((\w*)fields?(<[^>(]*>)?\(\s*"([\w#]+)")re");
    const auto names = all_names();
    const fs::path root = fs::path(TESSERA_SOURCE_DIR) / "src";
    std::map<std::string, std::set<std::string>> readers;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const fs::path path = fs::relative(entry.path(), root);
        if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
        if (not_executing.count(path.begin()->string())) continue;
        const std::string text = source_text("src/" + path.string());
        auto add = [&](const std::string& pattern, bool of_packer) {
            for (const auto name : names)
                if (named_by(pattern, of_packer, name)) readers[std::string(name)].insert(part_of(path));
        };
        for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at)
            add((*at)[3], (*at)[1] == "packer_");
        for (const auto& array : arrays)
            if (text.find(array.text) != text.npos) add(std::string(array.pattern), false);
    }
    return readers;
}

std::map<std::string, std::set<std::string>> field_tests() {
    static const std::regex word(R"re([\w#]{6,})re");
    constexpr std::string_view of_all = "field_places_test.cpp";  // has every field
    std::map<std::string, std::set<std::string>> named_in;
    for (const auto& entry : fs::directory_iterator(fs::path(TESSERA_SOURCE_DIR) / "tests")) {
        const std::string file = entry.path().filename().string();
        if (!file.ends_with("_test.cpp") || file == of_all) continue;
        const std::string text = source_text("tests/" + file);
        for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
            if (at->str().find('_') != std::string::npos)
                named_in[at->str()].insert(file.substr(0, file.size() - std::string_view("_test.cpp").size()));
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
