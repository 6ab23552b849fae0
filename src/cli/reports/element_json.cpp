// SPDX-License-Identifier: Apache-2.0
#include "reports/json.hpp"

namespace tessera::cli {

namespace {

Json operand(const ElementTrace::Operand& x) {
    return {{"place", x.place},           {"bits", x.bits}, {"zero", x.zero}, {"value", x.value}, {"slice", x.slice},
            {"slice_bits", x.slice_bits}, {"used", x.used}};
}

Json product(const ElementTrace::Product& p) {
    return {{"a", operand(p.a)}, {"b", operand(p.b)}, {"exponent", p.exponent}, {"mantissa", p.mantissa},
            {"value", p.value},  {"shift", p.shift},  {"aligned", p.aligned},   {"dropped", p.dropped}};
}

Json group(const ElementTrace::Group& g) {
    return {{"first", g.first}, {"count", g.count}, {"exponent", g.exponent}, {"sum", g.sum}, {"vanishes", g.vanishes}};
}

Json sum(const ElementTrace::Sum& s) {
    return {{"a", operand(s.a)},    {"b", operand(s.b)},      {"swapped", s.swapped},   {"shift", s.shift},
            {"aligned", s.aligned}, {"exponent", s.exponent}, {"mantissa", s.mantissa}, {"dropped", s.dropped}};
}

Json term(const ElementTrace::Term& t) {
    return {{"name", t.name},       {"exponent", t.exponent}, {"mantissa", t.mantissa}, {"shift", t.shift},
            {"aligned", t.aligned}, {"kept", t.kept},         {"dropped", t.dropped}};
}

Json rounding(const ElementTrace::Rounding& r) {
    return {{"common_exponent", r.common_exponent},
            {"sum", r.sum},
            {"exponent", r.exponent},
            {"mantissa", r.mantissa},
            {"leading_sign_bug", r.leading_sign_bug},
            {"dropped", r.dropped}};
}

Json candidate(const ElementTrace::Candidate& c) {
    return {{"place", c.place},       {"bits", c.bits},   {"scale", c.scale},
            {"compared", c.compared}, {"value", c.value}, {"wins", c.wins}};
}

}  // namespace

Json to_json(const ElementTrace& trace) {
    return {{"row", trace.element.row},
            {"column", trace.element.column},
            {"operation", trace.operation},
            {"numbers", trace.numbers},
            {"phase", trace.phase},
            {"dst_bits", trace.dst_bits},
            {"accumulates", trace.accumulates},
            {"products", json_list(trace.products, product)},
            {"groups", json_list(trace.groups, group)},
            {"sum", trace.sum ? sum(*trace.sum) : Json(nullptr)},
            {"terms", json_list(trace.terms, term)},
            {"rounding", trace.rounding ? rounding(*trace.rounding) : Json(nullptr)},
            {"candidates", json_list(trace.candidates, candidate)},
            {"old_bits", trace.old_bits},
            {"old_valid", trace.old_valid},
            {"old_value", trace.old_value},
            {"result_bits", trace.result_bits},
            {"result", trace.result},
            {"end", trace.end},
            {"exact", trace.exact},
            {"error", trace.error.empty() ? Json(nullptr) : Json(trace.error)},
            {"whole", trace.whole},
            {"whole_error", trace.whole_error.empty() ? Json(nullptr) : Json(trace.whole_error)}};
}

}  // namespace tessera::cli
