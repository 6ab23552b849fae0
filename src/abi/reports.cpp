// SPDX-License-Identifier: Apache-2.0
#include "abi/reports.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tessera::abi {

namespace {

using Json = nlohmann::ordered_json;

/// Bytes that are no UTF-8 are replaced: they come from names in users' ELF files.
void write_line(std::FILE* file, const Json& line) {
    const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    std::fwrite(text.data(), 1, text.size(), file);
    std::fflush(file);  // a process that its author ends has its report
}

const char* kind_of(const TileReport& report) { return report.is_fault ? "fault" : "finding"; }

}  // namespace

Reports::Reports(const std::string& where, Level least) : silent_(where == "none"), least_(least) {
    if (where.empty() || silent_) return;
    file_ = std::fopen(where.c_str(), "ae");
    if (!file_) remark(fmt::format("TESSERA_REPORT={}: the file cannot be written; reports come here", where));
}

Reports::~Reports() {
    if (file_) std::fclose(file_);
}

void Reports::tell(const TileReport& report) {
    if (silent_ || (!report.is_fault && report.finding && report.finding->level < least_)) return;
    const Diagnosis& what = report.what();
    if (!file_) {
        std::fprintf(stderr, "tessera: tile (%u, %u): %s\n", report.place.x, report.place.y, what.describe().c_str());
        return;
    }
    Json line{{"kind", kind_of(report)}, {"code", what.code}, {"tile", {report.place.x, report.place.y}}};
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
    write_line(file_, line);
}

void Reports::tell(const char* function, const Error& error) {
    if (silent_ || !told_.insert(function + error.message).second) return;
    if (file_)
        write_line(file_, {{"kind", "refused"}, {"code", error.code}, {"call", function}, {"message", error.message}});
    else
        std::fprintf(stderr, "tessera: %s: %s\n", function, error.describe().c_str());
}

void Reports::remark(const std::string& text) {
    if (silent_) return;
    if (file_)
        write_line(file_, {{"kind", "remark"}, {"message", text}});
    else
        std::fprintf(stderr, "tessera: %s\n", text.c_str());
}

}  // namespace tessera::abi
