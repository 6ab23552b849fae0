// SPDX-License-Identifier: Apache-2.0
// Cases of a grid as text. Kernels are bytes, so that a case needs no other file.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "check/case_file.hpp"
#include "check/chip_bytes.hpp"
#include "program/names/reset.hpp"
#include "program/names/timing.hpp"
#include "tensor/host_file.hpp"
#include "tessera/output_file.hpp"

namespace tessera {

namespace {

using ChipJson = nlohmann::ordered_json;

/// What is wrong with a case; it ends in a Result.
struct WrongCase {
    Error error;
};

class ChipCaseReader {
public:
    explicit ChipCaseReader(const std::string& file) : file_(file) {}

    ChipCase read(const ChipJson& json) const {
        if (!json.is_object() || json.value("format", "") != check::chip_case_format)
            refuse("case.format", fmt::format("not a {}", check::chip_case_format));
        ChipCase result;
        result.name = json.value("name", "");
        result.note = json.value("note", "");
        ChipJob& job = result.job;
        job.file = file_;
        const auto arch = parse_arch(json.value("arch", ""));
        if (!arch) refuse("case.arch", "`arch` must be \"blackhole\" or \"wormhole\"");
        job.arch = *arch;
        const auto timing = parse_timing(json.at("timing").get<std::string>());
        if (!timing) refuse("case.timing", std::string("`timing` must be ") + program::timing_choices);
        job.options.timing = *timing;
        const auto reset = program::parse_reset(json.at("reset").get<std::string>());
        if (!reset) refuse("case.reset", "`reset` must be \"silicon\" or \"vendor-sim\"");
        job.chip.reset = *reset;
        if (json.contains("seed")) job.options.seed = number<std::uint64_t>(json, "seed");
        job.options.max_cycles = number<std::uint64_t>(json, "max_cycles");
        read_chip(json.at("chip"), job.chip);
        for (const ChipJson& one : json.at("dram")) job.dram.push_back({number<unsigned>(one, "channel"), region(one)});
        for (const ChipJson& one : json.at("tiles")) job.tiles.push_back(tiles(one, job.arch));
        for (const ChipJson& one : json.at("expect")) result.expect.push_back(expected(one));
        return result;
    }

private:
    [[noreturn]] void refuse(const char* code, const std::string& message) const {
        throw WrongCase{Error{code, message, file_, 0, 0}};
    }
    template <class T>
    T value(const ChipJson& json, const char* key) const {
        if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<T>::max())
            refuse("case.value", fmt::format("`{}` must be a whole number, at most {}", key, std::numeric_limits<T>::max()));
        return json.get<T>();
    }
    template <class T>
    T number(const ChipJson& json, const char* key) const {
        return value<T>(json.at(key), key);
    }
    std::pair<std::uint8_t, std::uint8_t> two(const ChipJson& json, const char* key) const {
        const ChipJson& list = json.at(key);
        if (!list.is_array() || list.size() != 2) refuse("case.value", fmt::format("`{}` must be two numbers", key));
        return {value<std::uint8_t>(list[0], key), value<std::uint8_t>(list[1], key)};
    }
    std::vector<std::byte> bytes(const ChipJson& json) const {
        auto read = check::parse_hex(json.at("hex").get<std::string>(), file_);
        if (!read) throw WrongCase{read.error()};
        return std::move(*read);
    }
    Job::Region region(const ChipJson& json) const { return {number<std::uint64_t>(json, "addr"), bytes(json)}; }

    void read_chip(const ChipJson& json, ChipOptions& chip) const {
        if (json.contains("grid")) {
            const auto [columns, rows] = two(json, "grid");
            chip.grid = ChipOptions::Size{columns, rows};
        }
        for (const ChipJson& one : json.at("harvested")) chip.harvested.push_back(value<std::uint8_t>(one, "harvested"));
        chip.translation = json.at("translation").get<bool>();
    }

    ChipJob::Tiles tiles(const ChipJson& json, Arch arch) const {
        ChipJob::Tiles result;
        std::tie(result.first_column, result.last_column) = two(json, "columns");
        std::tie(result.first_row, result.last_row) = two(json, "rows");
        if (result.first_column > result.last_column || result.first_row > result.last_row)
            refuse("case.value", "`columns` and `rows` must be [first, last]");
        for (const ChipJson& one : json.at("l1")) result.l1.push_back(region(one));
        if (!json.contains("cores")) return result;
        Kernels& kernels = result.kernels.emplace();
        kernels.arch = arch;
        for (const auto& [key, one] : json.at("cores").items()) {
            const auto core = static_cast<std::size_t>(core_of(key));
            kernels.images[core] = image(one);
            kernels.in_reset[core] = one.at("in_reset").get<bool>();
        }
        for (const ChipJson& one : json.at("done"))
            kernels.done.push_back({number<std::uint32_t>(one, "addr"), number<std::uint32_t>(one, "value")});
        const std::size_t count = std::size_t{result.last_column - result.first_column + 1} * (result.last_row - result.first_row + 1);
        for (const ChipJson& one : json.at("arguments")) {
            ChipJob::Tiles::Argument argument{core_of(one.at("core").get<std::string>()), one.at("symbol").get<std::string>(), {}};
            for (const ChipJson& of_tile : one.at("words")) {
                auto& words = argument.words.emplace_back();
                for (const ChipJson& word : of_tile) words.push_back(value<std::uint32_t>(word, "words"));
            }
            if (argument.words.size() != count)
                refuse("case.value", fmt::format("`words` of {} must be a list for each of {} tiles", argument.symbol, count));
            result.arguments.push_back(std::move(argument));
        }
        return result;
    }

    RiscvCore core_of(const std::string& text) const {
        const auto core = parse_riscv_core(text);
        if (!core) refuse("case.value", fmt::format("there is no core '{}'", text));
        return *core;
    }

    KernelImage image(const ChipJson& json) const {
        KernelImage result;
        result.file = file_;
        result.entry = number<std::uint32_t>(json, "entry");
        for (const ChipJson& one : json.at("segments"))
            result.segments.push_back({number<std::uint32_t>(one, "addr"), bytes(one), number<std::uint32_t>(one, "runs_at")});
        for (const ChipJson& one : json.at("symbols"))
            result.symbols.push_back({one.at("name").get<std::string>(), number<std::uint32_t>(one, "addr"),
                                      number<std::uint32_t>(one, "size"), false});
        return result;
    }

    ChipCase::Expected expected(const ChipJson& json) const {
        ChipCase::Expected result;
        if (json.contains("channel"))
            result.where.channel = number<unsigned>(json, "channel");
        else
            std::tie(result.where.column, result.where.row) = two(json, "tile");
        result.where.address = number<std::uint64_t>(json, "addr");
        result.bytes = bytes(json);
        result.where.length = result.bytes.size();
        return result;
    }

    const std::string& file_;
};

std::string hex_text(std::span<const std::byte> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const std::byte byte : bytes) {
        text += digits[std::to_integer<unsigned>(byte) >> 4];
        text += digits[std::to_integer<unsigned>(byte) & 15];
    }
    return text;
}

ChipJson region_json(const Job::Region& region) { return {{"addr", region.address}, {"hex", hex_text(region.bytes)}}; }

/// Of the symbols only those that arguments of the tiles set.
ChipJson image_json(const KernelImage& image, bool in_reset, RiscvCore core, const ChipJob::Tiles& tiles) {
    ChipJson segments = ChipJson::array(), symbols = ChipJson::array();
    for (const auto& one : image.segments)
        segments.push_back({{"addr", one.address}, {"runs_at", one.runs_at}, {"hex", hex_text(one.bytes)}});
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
    json["hex"] = hex_text(one.bytes);
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
    try {
        return ChipCaseReader(file).read(ChipJson::parse(tensor::without_mark(text)));
    } catch (const WrongCase& wrong) {
        return tl::make_unexpected(wrong.error);
    } catch (const nlohmann::json::exception& e) {
        // "[json.exception.parse_error.101] parse error at …"
        std::string_view what = e.what();
        if (const auto end = what.find("] "); end != what.npos) what.remove_prefix(end + 2);
        return fail("case.syntax", fmt::format("this is not a case: {}", what), file);
    }
}

/// Jobs have no such key.
bool is_any_case(std::string_view text) {
    const auto json = nlohmann::json::parse(tensor::without_mark(text), nullptr, false);
    return json.is_object() && json.contains("format");
}

Result<ChipCase> parse_unchanged(std::string_view text, const std::string& file, const JobChanges& changes) {
    if (!changes.empty()) return fail("job.value", "a case takes no symbols, registers or keys from outside: jobs do", file);
    return parse_chip_case(text, file);
}

ChipCase chip_case_of(ChipJob job, std::string name) {
    ChipCase result;
    result.name = std::move(name);
    result.job = std::move(job);
    return result;
}

}  // namespace

Result<ChipCase> load_chip_case(const std::string& path) {
    const auto text = tensor::read_file(path, "case.open");
    if (!text) return tl::make_unexpected(text.error());
    auto result = parse_chip_case(*text, path);
    if (result) result->job.inputs.push_back(path);
    return result;
}

Result<ChipCase> load_chip_job_or_case(const std::string& path, const JobChanges& changes) {
    if (path.ends_with(".json")) {
        const auto text = tensor::read_file(path, "job.open");
        if (!text) return tl::make_unexpected(text.error());
        if (is_any_case(*text)) {
            auto result = parse_unchanged(*text, path, changes);
            if (result) result->job.inputs.push_back(path);
            return result;
        }
    }
    return load_chip_job(path, changes).map([&](ChipJob job) {
        return chip_case_of(std::move(job), std::filesystem::path(path).stem().string());
    });
}

Result<ChipCase> parse_chip_job_or_case(std::string_view text, const std::string& name, const JobChanges& changes) {
    if (is_any_case(text)) return parse_unchanged(text, name, changes);
    return parse_chip_job(text, name, changes).map([&](ChipJob job) { return chip_case_of(std::move(job), name); });
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
