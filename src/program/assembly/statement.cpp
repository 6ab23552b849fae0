// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/statement.hpp"

#include <algorithm>

#include "isa/text.hpp"
#include "program/assembly/directives.hpp"

namespace tessera::program {

namespace {

std::string_view without_comment(std::string_view text) {
    return text.substr(0, std::min({text.find('#'), text.find(';'), text.find("//"), text.size()}));
}

Statement::Kind kind_of(isa::LineCursor cursor) {
    if (!cursor.take('.')) return Statement::Kind::plain;
    const auto name = cursor.take_word();
    if (name == "repeat") return Statement::Kind::repeat;
    return name == "end" ? Statement::Kind::end : Statement::Kind::plain;
}

// A misspelt `.repeat` is told in place of the `.end` that it leaves alone.
std::optional<Error> misspelt(const Statement& statement) {
    isa::LineCursor cursor(statement.text);
    const int column = cursor.next_column();
    if (statement.source->op || statement.kind != Statement::Kind::plain || !cursor.take('.')) return {};
    const auto name = cursor.take_word();
    if (name == "thread" || find_directive(name)) return {};
    return std::move(unknown_directive(name, column).value());
}

}  // namespace

tl::unexpected<Error> locate(Error error, std::string_view file, const SourceLine& source) {
    error.file = file;
    error.line = source.line;
    error.column = source.literal ? source.column + error.column - 1 : source.column;
    return tl::make_unexpected(std::move(error));
}

Result<std::vector<Statement>> statements(std::span<const SourceLine> lines, std::string_view file) {
    std::vector<Statement> result;
    std::vector<std::size_t> open;
    auto nesting_error = [&](const Statement& statement, std::string message) {
        for (const Statement& before : result)
            if (auto unknown = misspelt(before)) return locate(std::move(*unknown), file, *before.source);
        const int column = isa::LineCursor(statement.text).next_column();
        return locate(isa::fail_at(column, "asm.nesting", std::move(message)).value(), file, *statement.source);
    };
    for (const auto& line : lines) {
        Statement statement{&line, without_comment(line.text)};
        if (!line.op && isa::LineCursor(statement.text).at_end()) continue;
        statement.kind = kind_of(isa::LineCursor(statement.text));
        if (statement.kind == Statement::Kind::repeat) open.push_back(result.size());
        if (statement.kind == Statement::Kind::end) {
            if (open.empty()) return nesting_error(statement, ".end without .repeat");
            result[open.back()].partner = result.size();
            open.pop_back();
        }
        result.push_back(statement);
    }
    if (!open.empty()) return nesting_error(result[open.back()], ".repeat without .end");
    return result;
}

}  // namespace tessera::program
