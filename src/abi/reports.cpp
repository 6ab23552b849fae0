// SPDX-License-Identifier: Apache-2.0
#include "abi/reports.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace tessera::abi {

namespace {

using Json = nlohmann::ordered_json;

/// Bytes that are no UTF-8 are replaced: they come from names in users' ELF files.
std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

/// Of a report as JSON.
Json json_of(const TileReport& report) {
    const Diagnosis& what = report.what();
    Json line{{"kind", report.is_fault ? "fault" : "finding"}, {"code", what.code}, {"tile", {report.place.x, report.place.y}}};
    if (report.finding) line["level"] = name(report.finding->level);
    line["message"] = what.message;
    line["cycle"] = what.where.cycle;
    if (what.where.pc >= 0) line["pc"] = what.where.pc;
    const auto text = [&](const char* key, const std::string& value) {
        if (!value.empty()) line[key] = value;
    };
    text("core", what.where.core);
    text("instruction", what.where.instruction);
    text("place", what.where.describe_place());
    text("function", what.where.function);
    text("hardware", what.hardware);
    text("cure", what.cure);
    text("source", what.source);
    return line;
}

std::string cannot_be_written(const std::string& where) {
    return fmt::format("TESSERA_REPORT={}: the file cannot be written: {}; reports come here", where, std::strerror(errno));
}

}  // namespace

Reports::Reports(const std::string& where, Level least) : where_(where), silent_(where == "none"), least_(least) {
    if (where.empty() || silent_) return;
    file_ = std::fopen(where.c_str(), "ae");
    if (!file_) remark(cannot_be_written(where));
}

Reports::~Reports() {
    if (file_) std::fclose(file_);
}

// Each line is on its way at once: a process that its author ends has its reports.
bool Reports::write(const std::string& line) {
    if (!file_) return false;
    if (std::fwrite(line.data(), 1, line.size(), file_) == line.size() && std::fflush(file_) == 0) return true;
    const std::string why = cannot_be_written(where_);
    std::fclose(std::exchange(file_, nullptr));
    remark(why);
    return false;
}

void Reports::tell(const TileReport& report) {
    if (silent_ || (!report.is_fault && report.finding && (least_ == Level::off || report.finding->level < least_)))
        return;
    if (file_ && write(line_of(json_of(report)))) return;
    std::fprintf(stderr, "tessera: tile (%u, %u): %s\n", report.place.x, report.place.y, report.what().describe().c_str());
}

void Reports::tell(const char* function, const Error& error) {
    if (silent_ || told_.size() == most_refusals || !told_.insert(function + error.message).second) return;
    if (!write(line_of({{"kind", "refused"}, {"code", error.code}, {"call", function}, {"message", error.message}})))
        std::fprintf(stderr, "tessera: %s: %s\n", function, error.describe().c_str());
    if (told_.size() == most_refusals)
        remark(fmt::format("{} different calls were refused; no others are told", most_refusals));
}

void Reports::remark(const std::string& text) {
    if (silent_ || write(line_of({{"kind", "remark"}, {"message", text}}))) return;
    std::fprintf(stderr, "tessera: %s\n", text.c_str());
}

}  // namespace tessera::abi
