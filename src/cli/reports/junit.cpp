// SPDX-License-Identifier: Apache-2.0
#include "reports/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/json.hpp"

namespace tessera::cli {

namespace {

/// Text within an element or an attribute. Bytes that are no UTF-8 are replaced, and so are characters that XML cannot hold.
std::string escape(const std::string& text) {
    std::string escaped;
    for (const char c : Json::parse(to_text(Json(text), -1)).get<std::string>()) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            case '\n': escaped += "&#10;"; break;
            case '\t': escaped += "&#9;"; break;
            default: escaped += static_cast<unsigned char>(c) < 0x20 ? "\uFFFD" : std::string(1, c);
        }
    }
    return escaped;
}

/// The attributes that count cases.
std::string counts(std::span<const TestCase* const> cases) {
    const auto count = [&](TestCase::End end) {
        return std::count_if(cases.begin(), cases.end(), [&](const TestCase* one) { return one->end == end; });
    };
    double seconds = 0;
    for (const TestCase* one : cases) seconds += one->seconds;
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", cases.size(),
                       count(TestCase::End::failed), count(TestCase::End::error), count(TestCase::End::skipped), seconds);
}

std::string element(const TestCase& one) {
    std::string text = fmt::format(R"(    <testcase classname="{}" name="{}" file="{}" time="{:.3f}")", escape(one.suite),
                                   escape(one.name), escape(one.file), one.seconds);
    if (one.end == TestCase::End::passed) return text + "/>\n";
    const std::string first = escape(one.reason.substr(0, one.reason.find('\n')));
    text += ">\n      ";
    if (one.end == TestCase::End::skipped) {
        text += fmt::format(R"(<skipped message="{}"/>)", first);
    } else {
        const std::string_view tag = one.end == TestCase::End::failed ? "failure" : "error";
        text += fmt::format(R"(<{0} message="{1}">{2}</{0}>)", tag, first, escape(one.reason));
    }
    return text + "\n    </testcase>\n";
}

}  // namespace

std::string junit(std::string_view name, std::span<const TestCase> cases) {
    std::vector<std::string> suites;
    std::vector<const TestCase*> all;
    for (const TestCase& one : cases) {
        all.push_back(&one);
        if (std::find(suites.begin(), suites.end(), one.suite) == suites.end()) suites.push_back(one.suite);
    }
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    text += fmt::format("<testsuites name=\"{}\" {}>\n", escape(std::string(name)), counts(all));
    for (const std::string& suite : suites) {
        std::vector<const TestCase*> own;
        std::copy_if(all.begin(), all.end(), std::back_inserter(own), [&](const TestCase* one) { return one->suite == suite; });
        text += fmt::format("  <testsuite name=\"{}\" {}>\n", escape(suite), counts(own));
        for (const TestCase* one : own) text += element(*one);
        text += "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

}  // namespace tessera::cli
