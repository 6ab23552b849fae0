// SPDX-License-Identifier: Apache-2.0
// docs/reference/ matches the sources. scripts/reference_pages regenerates the pages.
#include "support/reference_pages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "support/field_readers.hpp"
#include "support/temporary_directory.hpp"
#include "support/unpack_undefined.hpp"
#include "tessera/fidelity.hpp"
#include "tessera/job.hpp"

namespace tessera {
namespace {

using Json = nlohmann::json;
using test::source_text;
using test::TemporaryDirectory;

/// Compares, or writes when scripts/reference_pages asks for it.
void expect_page(const std::string& path, const std::string& made) {
    if (std::getenv("TESSERA_WRITE_REFERENCE_PAGES")) {
        std::ofstream(std::string(TESSERA_SOURCE_DIR "/") + path, std::ios::binary) << made;
        return;
    }
    // Not EXPECT_EQ: it would print both pages.
    EXPECT_TRUE(source_text(path) == made) << path << " is stale: run scripts/reference_pages";
}

TEST(ReferencePages, RegistersAreUpToDate) { expect_page("docs/reference/registers.md", test::register_page()); }
TEST(ReferencePages, FindingsAreUpToDate) {
    expect_page("docs/reference/findings.md", test::findings_page());
    for (const auto& area : findings::areas)
        expect_page("docs/reference/findings/" + std::string(area.page) + ".md", test::findings_page(area));
}
TEST(ReferencePages, UnpackUndefinedIsUpToDate) {
    expect_page("docs/reference/unpack-undefined.md", test::undefined_page());
}
TEST(ReferencePages, ConfigurationCheckIsUpToDate) {
    expect_page("docs/reference/configuration-check.md", test::configuration_check_page());
}
TEST(ReferencePages, FidelityIsUpToDate) { expect_page("docs/reference/fidelity.md", fidelity_reference()); }
TEST(ReferencePages, JobIsUpToDate) { expect_page("docs/reference/job.md", test::job_page()); }

TEST(ReferencePages, NoLineOfTheFieldTableIsOpen) {
    static const std::regex row(
        R"re(\| `(\w+)` \|[^|]*\|[^|]*\|[^|]*\| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|)re");
    const std::string page = test::register_page();
    std::size_t rows = 0;
    for (std::sregex_iterator at(page.begin(), page.end(), row), end; at != end; ++at, ++rows) {
        const std::string field = (*at)[1], place = (*at)[2], tests = (*at)[3], meaning = (*at)[4], source = (*at)[5];
        EXPECT_FALSE(place.empty() || tests.empty()) << field;
        EXPECT_EQ(place.find("not yet"), place.npos) << field;
        if (place.starts_with("undocumented")) continue;
        EXPECT_FALSE(meaning.empty() || source.empty()) << field;
        EXPECT_TRUE(place != "effect: when written" || meaning.find("writing it") != meaning.npos) << field;
    }
    EXPECT_GT(rows, 900u);
}

TEST(ReferencePages, ReadersAreFoundInEverySpelling) {
    const auto readers = test::field_readers();
    using testing::Contains;
    EXPECT_THAT(readers.at("ALU_ACC_CTRL_Fp32_enabled"), Contains("matrix"));             // field("…")
    EXPECT_THAT(readers.at("THCON_SEC1_REG2_Out_data_format"), Contains("unpacker"));     // fields<2>("…#…")
    EXPECT_THAT(readers.at("THCON_SEC1_REG8_L1_Dest_addr"), Contains("packer"));          // packer_fields("…")
    EXPECT_THAT(readers.at("THCON_SEC1_REG4_Base_cntx7_address"), Contains("unpacker"));  // word(field, offset)
    EXPECT_THAT(readers.at("ADDR_MOD_AB_SEC7_SrcAIncr"), Contains("rwc"));                // a file of units/ itself
    EXPECT_EQ(readers.count("ECC_SCRUBBER_Delay"), 0u);
}

const Json& schema() {
    static const Json parsed = Json::parse(source_text("docs/reference/job.schema.json"));
    return parsed;
}

std::set<std::string> keys(const Json& object) {
    std::set<std::string> names;
    for (const auto& [key, value] : object["properties"].items()) names.insert(key);
    return names;
}

std::set<std::string> literals(const std::string& text) {
    static const std::regex literal(R"re("([^"]*)")re");
    std::set<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), literal), end; at != end; ++at) found.insert((*at)[1]);
    return found;
}

/// Every constexpr list of keys in src/program and below, by name; ops by the first cell of their rows.
std::map<std::string, std::set<std::string>> keys_in_sources() {
    static const std::regex list(R"re((\w+)_keys =[^{;]*\{([^}]*)\})re"), row(R"re(\{("\w+"), Op::Kind::)re");
    std::map<std::string, std::set<std::string>> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(TESSERA_SOURCE_DIR "/src/program")) {
        if (entry.path().extension() != ".cpp") continue;
        const std::string text = source_text(std::filesystem::relative(entry.path(), TESSERA_SOURCE_DIR).string());
        for (std::sregex_iterator at(text.begin(), text.end(), list), end; at != end; ++at)
            found[(*at)[1]] = literals((*at)[2]);
        for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at)
            found["op"].merge(literals((*at)[1]));
    }
    return found;
}

TEST(JobSchema, HasTheKeysOfTheReader) {
    const Json& defs = schema()["$defs"];
    const std::map<std::string, std::set<std::string>> expected = {
        {"job", keys(schema())},      {"region", keys(defs["region"])},  {"output", keys(defs["output"])},
        {"done", keys(defs["done"])}, {"host", keys(defs["host"])},      {"condition", keys(defs["condition"])},
        {"thread", keys(defs["threads"])}, {"op", keys(defs["op"])},     {"chip", keys(defs["chip"])},
        {"tile", keys(defs["tile"])}};
    EXPECT_EQ(keys_in_sources(), expected);
}

TEST(JobSchema, HasTheFormatsOfTheReader) {
    std::set<std::string> formats, known;
    for (const auto& format : schema()["$defs"]["format"]["enum"]) formats.insert(format);
    for (const DataFormat format : all_data_formats) known.insert(std::string(name(format)));
    EXPECT_EQ(formats, known);
}

/// Whether the schema allows the value. It knows the keywords of `$defs/levels`.
bool allows(const Json& rule, const Json& value) {
    if (rule.contains("$ref")) return allows(schema().at(Json::json_pointer(rule["$ref"].get<std::string>().substr(1))), value);
    if (rule.contains("oneOf"))
        return std::ranges::count_if(rule["oneOf"], [&](const Json& one) { return allows(one, value); }) == 1;
    if (rule.contains("enum")) return std::ranges::count(rule["enum"], value) == 1;
    return value.is_object() && value.size() >= rule.value("minProperties", 0u) &&
           std::ranges::all_of(value, [&](const Json& one) { return allows(rule["additionalProperties"], one); });
}

// TOML parses `hazard.dst = "off"` as a table in a table.
TEST(JobSchema, AllowsTheFindingsOfTheReader) {
    TemporaryDirectory directory;
    const std::pair<const char*, bool> cases[] = {
        {R"({})", true},
        {R"({"hazard.dst": "off", "hazard.l1": "error"})", true},
        {R"({"hazard": {"dst": "off"}, "sync": {"wait-replaced": "info"}})", true},
        {R"({"hazard.dst": "loud"})", false},
        {R"({"hazard": {"dst": 1}})", false},
        {R"({"hazard": {}})", false},
        {R"({"hazard": {"dst": {}}})", false},
        {R"([])", false},
    };
    for (const auto& [text, good] : cases) {
        const Json findings = Json::parse(text);
        EXPECT_EQ(allows(schema()["properties"]["findings"], findings), good) << text;
        const Json job = {{"arch", "blackhole"}, {"findings", findings}};
        EXPECT_EQ(load_job(directory.write("job.json", job.dump())).has_value(), good) << text;
    }
}

class JobKeys : public testing::Test {
protected:
    /// Whether the reader knows `key` at a place in a job that is otherwise good.
    bool knows(Json job, const Json::json_pointer& place, const std::string& key) {
        job["arch"] = "blackhole";
        job[place][key] = Json::object({{"x", 1}});  // of no key's type
        const auto loaded = load_job(directory_.write("job.json", job.dump()));
        return loaded || loaded.error().code != "job.unknown-key" ||
               loaded.error().message.find("'" + key + "'") == std::string::npos;
    }

    void expect_known(const Json& object, const Json& job, const std::string& place) {
        for (const auto& key : keys(object))
            EXPECT_TRUE(knows(job, Json::json_pointer(place), key)) << place << " " << key;
        EXPECT_FALSE(knows(job, Json::json_pointer(place), "no_such_key")) << place;
    }

private:
    TemporaryDirectory directory_;
};

TEST_F(JobKeys, OfTheSchemaAreAccepted) {
    const Json& defs = schema()["$defs"];
    expect_known(schema(), Json::object(), "");
    expect_known(defs["region"], Json::parse(R"({"l1": [{"addr": 0}]})"), "/l1/0");
    expect_known(defs["output"], Json::parse(R"({"output": [{"addr": 0}]})"), "/output/0");
    expect_known(defs["cores"], Json::parse(R"({"cores": {}})"), "/cores");
    expect_known(defs["arguments"], Json::parse(R"({"cores": {"brisc": "none.elf"}, "arguments": {}})"), "/arguments");
    expect_known(defs["done"], Json::parse(R"({"cores": {"brisc": "none.elf"}, "done": [{"addr": 0}]})"), "/done/0");
    expect_known(defs["threads"], Json::parse(R"({"threads": {}})"), "/threads");
    expect_known(defs["op"], Json::parse(R"({"threads": {"t0": [{}]}})"), "/threads/t0/0");
}

TEST_F(JobKeys, RequiredOfTheSchemaAreRequired) {
    TemporaryDirectory directory;
    const auto code = [&](const Json& job) {
        const auto loaded = load_job(directory.write("job.json", job.dump()));
        return loaded ? std::string("accepted") : loaded.error().code;
    };
    const Json output = Json::parse(R"({"addr": 0, "shape": [32, 32], "format": "Float32", "npy": "c.npy"})");
    EXPECT_EQ(code({{"arch", "wormhole"}, {"output", {output}}}), "accepted");
    for (const auto& key : schema()["$defs"]["output"]["required"]) {
        Json without = output;
        without.erase(key.get<std::string>());
        EXPECT_EQ(code({{"arch", "wormhole"}, {"output", {without}}}), "job.missing-key") << key;
    }
    EXPECT_EQ(code(Json::object()), "job.missing-key");
}

/// Every choice of a string that the schema lists, and no other.
TEST_F(JobKeys, ChoicesOfTheSchemaAreAccepted) {
    TemporaryDirectory directory;
    const auto accepted = [&](const std::string& key, const std::string& value) {
        Json job = {{"arch", "blackhole"}};
        job[key] = value;
        return load_job(directory.write("job.json", job.dump())).has_value();
    };
    for (const char* key : {"arch", "reset", "timing"}) {
        for (const auto& value : schema()["properties"][key]["enum"]) EXPECT_TRUE(accepted(key, value)) << key << value;
        EXPECT_FALSE(accepted(key, "no-such-value")) << key;
    }
}

}  // namespace
}  // namespace tessera
