// SPDX-License-Identifier: Apache-2.0
// Cases of a grid as text. Kernels are bytes, so that a case needs no other file.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "check/case_file.hpp"
#include "check/case_loader.hpp"
#include "check/chip_bytes.hpp"
#include "program/names/reset.hpp"
#include "tessera/output_file.hpp"
#include "util/hex.hpp"

namespace tessera {

namespace {

using ChipJson = nlohmann::ordered_json;

using check::JsonValue;

std::pair<std::uint8_t, std::uint8_t> read_two(const JsonValue& json) {
    const auto values = json.list(2);
    return {values[0].as<std::uint8_t>(), values[1].as<std::uint8_t>()};
}

RiscvCore read_core(const JsonValue& json, const std::string& text) {
    const auto core = parse_riscv_core(text);
    if (!core) json.refuse(fmt::format("has '{}', and there is no such core", text));
    return *core;
}

/// Each function throws check::Refused.
class ChipCaseReader {
public:
    explicit ChipCaseReader(const std::string& file) : file_(file) {}

    Result<ChipCase> read(const JsonValue& json) const {
        if (!json.raw().is_object() || check::text_of(json, "format") != check::chip_case_format)
            return fail("case.format", fmt::format("not a {}", check::chip_case_format), file_);
        json.expect_keys({"format", "name", "arch", "note", "timing", "reset", "seed", "max_cycles", "chip", "dram", "tiles",
                          "expect"});
        ChipCase result;
        result.name = check::text_of(json, "name");
        result.note = check::text_of(json, "note");
        ChipJob& job = result.job;
        job.file = file_;
        check::read_settings(json, job.arch, job.options, job.chip.reset);
        job.options.max_cycles = json.at("max_cycles").number(1);
        read_chip(json.at("chip"), job.chip);
        for (const JsonValue& one : json.at("dram").list())
            job.dram.push_back({one.at("channel").as<unsigned>(), check::read_region(one, {"channel"})});
        for (const JsonValue& one : json.at("tiles").list()) job.tiles.push_back(tiles(one, job.arch));
        for (const JsonValue& one : json.at("expect").list()) result.expect.push_back(expected(one, job.arch));
        return result;
    }

private:
    static void read_chip(const JsonValue& json, ChipOptions& chip) {
        json.expect_keys({"grid", "harvested", "translation"});
        if (const auto grid = json.find("grid")) {
            const auto [columns, rows] = read_two(*grid);
            chip.grid = ChipOptions::Size{columns, rows};
        }
        for (const JsonValue& one : json.at("harvested").list()) chip.harvested.push_back(one.as<std::uint8_t>());
        chip.translation = json.at("translation").boolean();
    }

    ChipJob::Tiles tiles(const JsonValue& json, Arch arch) const {
        json.expect_keys({"columns", "rows", "l1", "cores", "done", "arguments"});
        ChipJob::Tiles result;
        std::tie(result.first_column, result.last_column) = read_two(json.at("columns"));
        std::tie(result.first_row, result.last_row) = read_two(json.at("rows"));
        if (result.first_column > result.last_column || result.first_row > result.last_row)
            json.refuse("has `columns` or `rows` that are not [first, last]");
        for (const JsonValue& one : json.at("l1").list()) result.l1.push_back(check::read_l1_region(one, arch));
        if (json.find("cores")) {
            result.kernels.emplace().arch = arch;
            read_kernels(json, result);
        } else if (json.find("done") || json.find("arguments")) {
            json.refuse("has `done` or `arguments` without `cores`");
        }
        return result;
    }

    void read_kernels(const JsonValue& json, ChipJob::Tiles& result) const {
        Kernels& kernels = *result.kernels;
        const JsonValue cores = json.at("cores");
        for (const auto& [key, one] : cores.members()) {
            const auto core = static_cast<std::size_t>(read_core(cores, key));
            kernels.images[core] = image(one);
            kernels.in_reset[core] = one.at("in_reset").boolean();
        }
        for (const JsonValue& one : json.at("done").list()) {
            one.expect_keys({"addr", "value"});
            kernels.done.push_back({one.at("addr").as<std::uint32_t>(), one.at("value").as<std::uint32_t>()});
        }
        const std::size_t count =
            std::size_t{result.last_column - result.first_column + 1} * (result.last_row - result.first_row + 1);
        for (const JsonValue& one : json.at("arguments").list()) {
            one.expect_keys({"core", "symbol", "words"});
            ChipJob::Tiles::Argument argument{read_core(one, one.at("core").text()), one.at("symbol").text(), {}};
            for (const JsonValue& of_tile : one.at("words").list(count)) {
                auto& words = argument.words.emplace_back();
                for (const JsonValue& word : of_tile.list()) words.push_back(word.as<std::uint32_t>());
            }
            result.arguments.push_back(std::move(argument));
        }
    }

    KernelImage image(const JsonValue& json) const {
        json.expect_keys({"entry", "in_reset", "symbols", "segments"});
        KernelImage result;
        result.file = file_;
        result.entry = json.at("entry").as<std::uint32_t>();
        for (const JsonValue& one : json.at("segments").list()) {
            one.expect_keys({"addr", "runs_at", "hex"});
            result.segments.push_back(
                {one.at("addr").as<std::uint32_t>(), one.at("hex").bytes(), one.at("runs_at").as<std::uint32_t>()});
        }
        for (const JsonValue& one : json.at("symbols").list()) {
            one.expect_keys({"name", "addr", "size"});
            result.symbols.push_back(
                {one.at("name").text(), one.at("addr").as<std::uint32_t>(), one.at("size").as<std::uint32_t>(), false});
        }
        return result;
    }

    static ChipCase::Expected expected(const JsonValue& json, Arch arch) {
        ChipCase::Expected result;
        const auto channel = json.find("channel");
        Job::Region region = check::read_region(json, {channel ? "channel" : "tile"});
        if (channel) {
            result.where.channel = channel->as<unsigned>();
        } else {
            std::tie(result.where.column, result.where.row) = read_two(json.at("tile"));
            check::expect_in_l1(json, region.address, region.bytes.size(), arch);
        }
        result.where.address = region.address;
        result.bytes = std::move(region.bytes);
        result.where.length = result.bytes.size();
        return result;
    }

    const std::string& file_;
};

ChipJson region_json(const Job::Region& region) {
    return {{"addr", region.address}, {"hex", util::to_hex(region.bytes)}};
}

/// Of the symbols only those that arguments of the tiles set.
ChipJson image_json(const KernelImage& image, bool in_reset, RiscvCore core, const ChipJob::Tiles& tiles) {
    ChipJson segments = ChipJson::array(), symbols = ChipJson::array();
    for (const auto& one : image.segments)
        segments.push_back({{"addr", one.address}, {"runs_at", one.runs_at}, {"hex", util::to_hex(one.bytes)}});
    for (const auto& argument : tiles.arguments)
        if (const auto* symbol = argument.core == core ? image.find_symbol(argument.symbol) : nullptr)
            symbols.push_back({{"name", symbol->name}, {"addr", symbol->address}, {"size", symbol->size}});
    return {{"entry", image.entry}, {"in_reset", in_reset}, {"symbols", std::move(symbols)}, {"segments", std::move(segments)}};
}

ChipJson tiles_json(const ChipJob::Tiles& tiles) {
    ChipJson json = {{"columns", {tiles.first_column, tiles.last_column}}, {"rows", {tiles.first_row, tiles.last_row}}};
    json["l1"] = ChipJson::array();
    for (const auto& one : tiles.l1) json["l1"].push_back(region_json(one));
    if (!tiles.kernels) return json;
    json["cores"] = ChipJson::object();
    for (std::size_t i = 0; i < riscv_cores; ++i)
        if (const auto& image = tiles.kernels->images[i])
            json["cores"][std::string(name(RiscvCore(i)))] = image_json(*image, tiles.kernels->in_reset[i], RiscvCore(i), tiles);
    json["done"] = ChipJson::array();
    for (const auto& word : tiles.kernels->done) json["done"].push_back({{"addr", word.address}, {"value", word.value}});
    json["arguments"] = ChipJson::array();
    for (const auto& one : tiles.arguments)
        json["arguments"].push_back({{"core", name(one.core)}, {"symbol", one.symbol}, {"words", one.words}});
    return json;
}

ChipJson expected_json(const ChipCase::Expected& one) {
    ChipJson json;
    if (one.where.channel)
        json["channel"] = *one.where.channel;
    else
        json["tile"] = {one.where.column, one.where.row};
    json["addr"] = one.where.address;
    json["hex"] = util::to_hex(one.bytes);
    return json;
}

std::string dumped(const ChipJson& json) { return json.dump(-1, ' ', false, ChipJson::error_handler_t::replace); }

/// Each item on a line of its own.
template <class Items, class ToJson>
std::string lines_of(const Items& items, ToJson to_json) {
    std::string text;
    for (const auto& item : items) text += (text.empty() ? "\n " : ",\n ") + dumped(to_json(item));
    return "[" + text + "]";
}

Result<ChipCase> parse_chip_case(std::string_view text, const std::string& file) {
    return check::read_case_text(text, file, [&](const JsonValue& json) { return ChipCaseReader(file).read(json); });
}

constexpr check::CaseLoader<ChipCase> loader(parse_chip_case, load_chip_job, parse_chip_job);

}  // namespace

Result<ChipCase> load_chip_case(const std::string& path) { return loader.load(path); }
Result<ChipCase> load_chip_job_or_case(const std::string& path, const JobChanges& changes) {
    return loader.load_either(path, changes);
}
Result<ChipCase> parse_chip_job_or_case(std::string_view text, const std::string& name, const JobChanges& changes) {
    return loader.parse_either(text, name, changes);
}

std::string format_chip_case(const ChipCase& what) {
    const ChipJob& job = what.job;
    std::string text;
    const auto add = [&](std::string_view key, const std::string& value) {
        text += fmt::format("{}\"{}\": {}", text.empty() ? "{\n" : ",\n", key, value);
    };
    add("format", dumped(check::chip_case_format));
    add("name", dumped(what.name));
    add("arch", dumped(name(job.arch)));
    add("note", dumped(what.note));
    add("timing", dumped(name(job.options.timing)));
    add("reset", dumped(program::name(job.chip.reset)));
    if (job.options.seed) add("seed", std::to_string(*job.options.seed));
    add("max_cycles", std::to_string(job.options.max_cycles));
    ChipJson chip;
    if (job.chip.grid) chip["grid"] = {job.chip.grid->columns, job.chip.grid->rows};
    chip["harvested"] = job.chip.harvested;
    chip["translation"] = job.chip.translation;
    add("chip", dumped(chip));
    add("dram", lines_of(job.dram, [](const ChipJob::Dram& one) {
            ChipJson json = {{"channel", one.channel}};
            json.update(region_json(one.region));
            return json;
        }));
    add("tiles", lines_of(job.tiles, tiles_json));
    add("expect", lines_of(what.expect, expected_json));
    return text + "\n}\n";
}

Result<void> write_chip_case(const ChipCase& what, const std::string& path) {
    return write_file(path, format_chip_case(what), "case.write");
}

}  // namespace tessera
