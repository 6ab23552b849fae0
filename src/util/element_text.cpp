// SPDX-License-Identifier: Apache-2.0
// The steps of an element's arithmetic as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tessera/element_trace.hpp"

namespace tessera {

namespace {

// A decimal number: exact if short, otherwise rounded and marked '~'.
std::string brief(const std::string& exact) {
    const std::size_t power = exact.find("*2^");
    if (power == std::string::npos) return exact;
    const int exponent = std::atoi(exact.c_str() + power + 3);
    const double value = std::ldexp(std::strtod(exact.substr(0, power).c_str(), nullptr), exponent);
    if (exponent >= -10 && std::abs(value) < 65536) return fmt::format("{}", value);
    return fmt::format("~{:.6g}", value);
}
std::string in_full(const std::string& exact) {
    const std::string decimal = brief(exact);
    return decimal.starts_with('~') ? fmt::format("{} {}", exact, decimal) : decimal;
}

// A place without its register, which is in the heading.
std::string within(const std::string& place) { return place.substr(place.find(' ') + 1); }

/// Left-aligned columns, as wide as their widest cell; the last cell of a row may be longer.
class Rows {
public:
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    void print(std::string& text) const {
        std::vector<std::size_t> widths;
        for (const auto& row : rows_)
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (widths.size() <= i) widths.push_back(0);
                widths[i] = std::max(widths[i], row[i].size());
            }
        for (const auto& row : rows_) {
            std::string line = "   ";
            for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:{}} ", row[i], widths[i]);
            line.erase(line.find_last_not_of(' ') + 1);
            text += line + '\n';
        }
    }

private:
    std::vector<std::vector<std::string>> rows_;
};

std::string number(std::int64_t x) { return fmt::format("{}", x); }

std::string slice(const ElementTrace::Operand& x) {
    return x.zero ? std::string("0") : fmt::format("{} ({})", brief(x.used), x.slice);
}

void report_products(const ElementTrace& trace, std::string& text) {
    if (trace.products.empty()) return;
    const auto& first = trace.products.front();
    text += fmt::format("  products, of mantissa bits 0x{:X} of SrcA and 0x{:X} of SrcB\n", first.a.slice_bits,
                        first.b.slice_bits);
    Rows rows;
    rows.add({"SrcA", "value", "used", "SrcB", "value", "used", "product", "exponent", "shift", "aligned", "dropped"});
    for (const auto& p : trace.products)
        rows.add({within(p.a.place), brief(p.a.value), slice(p.a), within(p.b.place), brief(p.b.value), slice(p.b),
                  brief(p.value), number(p.exponent), number(p.shift), number(p.aligned), brief(p.dropped)});
    rows.print(text);
}

void report_groups(const ElementTrace& trace, std::string& text) {
    if (trace.groups.empty()) return;
    text += "  sums of products, 2^10 worth 1.0 (of integers 1)\n";
    Rows rows;
    rows.add({"products", "exponent", "sum", ""});
    for (const auto& g : trace.groups)
        rows.add({fmt::format("{} to {}", g.first, g.first + g.count - 1), number(g.exponent), number(g.sum),
                  g.vanishes ? "zero: no exponent above 0" : ""});
    rows.print(text);
}

void report_sum(const ElementTrace& trace, std::string& text) {
    if (!trace.sum) return;
    const auto& s = *trace.sum;
    text += "  sum of SrcA and SrcB, 2^10 worth 1.0 (of integers 1)\n";
    Rows rows;
    rows.add({"", "value", "", ""});
    rows.add({s.a.place, brief(s.a.value), s.swapped ? fmt::format("shifted by {} to {}", s.shift, s.aligned) : ""});
    rows.add({s.b.place, brief(s.b.value), s.swapped ? "" : fmt::format("shifted by {} to {}", s.shift, s.aligned)});
    rows.add({"sum", number(s.mantissa), fmt::format("exponent {}", s.exponent),
              s.dropped == "0" ? "" : "dropped " + brief(s.dropped)});
    rows.print(text);
}

void report_candidates(const ElementTrace& trace, std::string& text) {
    if (trace.candidates.empty()) return;
    text += "  candidates, in the order of comparison\n";
    Rows rows;
    rows.add({"", "scale", "value", "compared as", ""});
    for (const auto& c : trace.candidates)
        rows.add({c.place, c.place == "Dst" ? "" : number(c.scale), brief(c.value), number(c.compared),
                  c.wins ? "the largest" : ""});
    rows.print(text);
}

void report_terms(const ElementTrace& trace, std::string& text) {
    if (trace.terms.empty()) return;
    text += fmt::format("  onto Dst, 2^23 worth 1.0{}\n", trace.dst_bits == 16 ? "; kept: 11 bits" : "");
    Rows rows;
    rows.add({"", "exponent", "mantissa", "shift", "aligned", "kept", "dropped"});
    for (const auto& t : trace.terms)
        rows.add({t.name, number(t.exponent), number(t.mantissa), number(t.shift), number(t.aligned), number(t.kept),
                  brief(t.dropped)});
    rows.print(text);
    if (!trace.rounding) return;
    const auto& r = *trace.rounding;
    text += fmt::format("  sum {} at exponent {}", r.sum, r.common_exponent);
    if (r.sum) text += fmt::format(", rounded to {} at exponent {}", r.mantissa, r.exponent);
    if (r.leading_sign_bug) text += " (too high by 27: the leading-sign bug)";
    text += fmt::format(", dropped {}\n", brief(r.dropped));
}

std::string bits(std::uint32_t x, unsigned of) { return fmt::format("0x{:0{}X}", x, of / 4); }

}  // namespace

std::string ElementTrace::describe() const {
    std::string text = fmt::format("  element {},{} of Dst ({}-bit view): {}, {}, fidelity phase {}\n", element.row,
                                   element.column, dst_bits, operation, numbers, phase);
    report_products(*this, text);
    report_groups(*this, text);
    report_sum(*this, text);
    report_candidates(*this, text);
    report_terms(*this, text);
    Rows rows;
    rows.add({"Dst before", bits(old_bits, dst_bits),
              (accumulates ? in_full(old_value) : "replaced") + (old_valid ? "" : " (the row is not valid)")});
    rows.add({"result", bits(result_bits, dst_bits), in_full(result), end == "stored" ? "" : end});
    rows.add({"exact", "", in_full(exact), error.empty() || error == "0" ? "" : "error " + in_full(error)});
    // After phase 0, most of the product is already in Dst.
    if (whole != exact && (phase == 0 || sum))
        rows.add({"of all bits", "", in_full(whole), whole_error.empty() ? "" : "error " + in_full(whole_error)});
    rows.print(text);
    return text;
}

}  // namespace tessera
