// SPDX-License-Identifier: Apache-2.0
#include "reports/silicon_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

#include "reports/columns.hpp"

namespace tessera::cli {

namespace {

using bench::silicon::Compared;
using bench::silicon::Comparison;

/// Rows of transfers between tiles have a table of their own.
bool is_transfer(const Compared& row) { return row.row.front() == 'N' || row.row.front() == 'D'; }

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// "held out: 31 values of 12 rows, median deviation 0.6 %, 29 within 10 %; median of the rows' largest 2.1 %".
std::string summary_of(const Comparison& comparison, bool held_out) {
    std::vector<double> deviations, largest;
    std::map<std::string, double> rows;
    for (const Compared& row : comparison.rows)
        if (row.error.empty() && row.held_out == held_out) {
            deviations.push_back(std::abs(row.deviation()));
            rows[row.row] = std::max(rows[row.row], deviations.back());
        }
    const char* title = held_out ? "held out" : "fitted";
    if (deviations.empty()) return fmt::format("{}: none\n", title);
    for (const auto& [row, deviation] : rows) largest.push_back(deviation);
    const auto close = std::count_if(deviations.begin(), deviations.end(), [](double one) { return one <= 0.1; });
    return fmt::format(
        "{}: {} values of {} rows, median deviation {:.1f} %, {} within 10 %; median of the rows' largest {:.1f} %\n",
        title, deviations.size(), rows.size(), 100 * median_of(deviations), close, 100 * median_of(largest));
}

/// Of ten rows the largest deviation, a line each: "- I11 blackhole +67.4 %".
std::string largest_of(const Comparison& comparison) {
    std::map<std::pair<std::string, Arch>, double> rows;
    for (const Compared& row : comparison.rows) {
        if (!row.error.empty()) continue;
        double& largest = rows[{row.row, row.arch}];
        if (std::abs(row.deviation()) > std::abs(largest)) largest = row.deviation();
    }
    std::vector<std::pair<double, std::string>> sorted;
    for (const auto& [row, deviation] : rows)
        sorted.emplace_back(deviation, fmt::format("{} {} {:+.1f} %", row.first, name(row.second), 100 * deviation));
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
    sorted.resize(std::min<std::size_t>(sorted.size(), 10));
    std::string text = "largest deviations:\n\n";
    for (const auto& [deviation, words] : sorted) text += "- " + words + "\n";
    return text;
}

std::string table_of(const Comparison& comparison, bool markdown) {
    Columns columns(markdown, {"row", "chip", "what", "per", ">measured", ">predicted", ">deviation", "held out",
                               ">tt-sim", "source", "trust"});
    const auto states = [](double one, const std::optional<double>& other) {
        return fmt::format("{:.2f}", one) + (other ? fmt::format(" or {:.2f}", *other) : "");
    };
    for (const Compared& row : comparison.rows) {
        const bool good = row.error.empty();
        columns.add({row.row, std::string(name(row.arch)), row.what, row.per, states(row.published, row.other),
                     good ? states(row.predicted, row.predicted_other) : row.error,
                     good ? fmt::format("{:+.1f} %", 100 * row.deviation()) : "", row.held_out ? "yes" : "",
                     row.peer ? fmt::format("{:.2f}", *row.peer) : "", row.publication, std::string(1, row.trust)});
    }
    return columns.text() + "\n" + summary_of(comparison, false) + (markdown ? "\n" : "") +
           summary_of(comparison, true) + (markdown ? "\n" : "") + largest_of(comparison) + "\n";
}

}  // namespace

std::string to_text(const Comparison& comparison, bool markdown) {
    std::string text = fmt::format(
        "Cycles that others measured on chips, beside those of the same program here (--timing {}). *deviation*: of "
        "the prediction\n"
        "from the measurement; of a chip's two states, the larger one. *held out*: no cost was fitted to it. "
        "*trust*: A raw data\n"
        "with its program, B a vendor's figure with its method, C parts of the method missing. *tt-sim*: what that "
        "simulator "
        "predicts.\n\n",
        name(comparison.timing));
    for (const bool transfers : {false, true}) {
        Comparison family{.timing = comparison.timing, .rows = {}, .sources = {}};
        std::copy_if(comparison.rows.begin(), comparison.rows.end(), std::back_inserter(family.rows),
                     [&](const Compared& row) { return is_transfer(row) == transfers; });
        if (family.rows.empty()) continue;
        if (family.rows.size() != comparison.rows.size())
            text += fmt::format("{}{}\n\n", markdown ? "### " : "",
                                transfers ? "Transfers over the NoC and with DRAM" : "One tile");
        text += table_of(family, markdown);
    }
    Columns sources(markdown, {"source", "what", "where"});
    for (const auto& source : comparison.sources) sources.add({source.key, source.what, source.where});
    return text + sources.text();
}

Json to_json(const Comparison& comparison) {
    Json rows = Json::array(), sources = Json::array();
    for (const Compared& row : comparison.rows) {
        const bool good = row.error.empty();
        rows.push_back({{"row", row.row},
                        {"arch", name(row.arch)},
                        {"what", row.what},
                        {"per", row.per},
                        {"publication", row.publication},
                        {"trust", std::string(1, row.trust)},
                        {"published", row.published},
                        {"other", maybe(row.other)},
                        {"predicted", good ? Json(row.predicted) : Json()},
                        {"predicted_other", maybe(row.predicted_other)},
                        {"deviation", good ? Json(row.deviation()) : Json()},
                        {"peer", maybe(row.peer)},
                        {"held_out", row.held_out},
                        {"error", row.error}});
    }
    for (const auto& source : comparison.sources)
        sources.push_back({{"key", source.key}, {"what", source.what}, {"where", source.where}});
    return {{"timing", name(comparison.timing)}, {"rows", std::move(rows)}, {"sources", std::move(sources)}};
}

}  // namespace tessera::cli
