// SPDX-License-Identifier: Apache-2.0
#include "program/assembly/assembler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/assembly/directives.hpp"
#include "program/assembly/statement.hpp"
#include "program/names/threads.hpp"
#include "tessera/assembly.hpp"
#include "tessera/similar_name.hpp"
#include "util/byte_order_mark.hpp"

namespace tessera::program {

namespace {

using isa::fail_at;
using isa::LineCursor;

class Assembler {
public:
    Assembler(Arch arch, std::string_view file, unsigned thread, const Given& given)
        : arch_(arch), file_(file), thread_(thread), symbols_(given.symbols), registers_(given.registers) {}

    Result<Program> run(std::span<const SourceLine> lines) {
        auto parsed = statements(lines, file_);
        if (!parsed) return tl::make_unexpected(std::move(parsed.error()));
        statements_ = std::move(*parsed);
        for (std::size_t at = 0; at < statements_.size();) {
            const auto next = step(at);
            if (!next) return locate(next.error(), file_, *statements_[blamed_.value_or(at)].source);
            at = *next;
        }
        return finish();
    }

private:
    /// A `.repeat` being expanded.
    struct Repetition {
        std::size_t statement;
        std::int64_t remaining;
        std::uint64_t statements_before;  ///< repeated_statements_ at the begin of the pass
    };

    /// Executes a statement; returns the index of the next one.
    Result<std::size_t> step(std::size_t at) {
        const auto& statement = statements_[at];
        if (statement.kind == Statement::Kind::plain) {
            if (auto counted = count_statement(); !counted) return tl::make_unexpected(counted.error());
            if (statement.source->op) {
                threads_[thread_].push(*statement.source->op, statement.source->line);
                return at + 1;
            }
            if (statement.assembled &&
                !(statement.assembled->asks_for_symbols && statement.assembled->changes != symbols_.changes())) {
                push(statement.assembled->word, *statement.source);
                return at + 1;
            }
        }
        if (auto counted = count_text(statement.text.size()); !counted) return tl::make_unexpected(counted.error());
        LineCursor cursor(statement.text);
        if (statement.kind == Statement::Kind::repeat) return repeat(at, cursor);
        if (statement.kind == Statement::Kind::end) return end(at, cursor);
        if (cursor.peek() != '.') return instruction(at, cursor);
        if (const auto done = directive(*statement.source, cursor); !done) return tl::make_unexpected(done.error());
        return finished(cursor, at + 1);
    }

    static Result<std::size_t> finished(LineCursor& cursor, std::size_t next) {
        if (!cursor.at_end())
            return fail_at(cursor.next_column(), "asm.syntax", "unexpected text after the end of the statement");
        return next;
    }

    static void skip_directive_name(LineCursor& cursor) {
        cursor.take('.');
        cursor.take_word();
    }

    Result<std::size_t> repeat(std::size_t at, LineCursor& cursor) {
        skip_directive_name(cursor);
        const int column = cursor.next_column();
        const auto count = context(0).value(cursor);
        if (!count) return tl::make_unexpected(count.error());
        if (*count < 0)
            return fail_at(column, "asm.range", fmt::format("{} repetitions: the count must be at least 0", *count));
        threads_[thread_].close_store();
        if (*count == 0) return finished(cursor, statements_[at].partner + 1);
        repetitions_.push_back({at, *count, repeated_statements_});
        return finished(cursor, at + 1);
    }

    Result<std::size_t> end(std::size_t at, LineCursor& cursor) {
        skip_directive_name(cursor);
        auto& current = repetitions_.back();
        threads_[thread_].close_store();
        // Counts a pass of an empty body too, so that it cannot repeat for ever.
        if (repeated_statements_ == current.statements_before)
            if (auto counted = count_statement(); !counted) return tl::make_unexpected(counted.error());
        current.statements_before = repeated_statements_;
        if (--current.remaining > 0) return finished(cursor, current.statement + 1);
        repetitions_.pop_back();
        return finished(cursor, at + 1);
    }

    Result<void> count_statement() { return count(repeated_statements_, 1, most_repeated_statements, "statements"); }

    /// Words that are known already take no reading.
    Result<void> count_text(std::size_t bytes) { return count(repeated_text_, bytes, most_repeated_text, "bytes of text"); }

    Result<void> count(std::uint64_t& all, std::uint64_t more, std::uint64_t most, std::string_view what) {
        if (repetitions_.empty() || (all += more) <= most) return {};
        blamed_ = repetitions_.front().statement;
        return fail_at(
            LineCursor(statements_[*blamed_].text).next_column(), "asm.range",
            fmt::format(
                "all .repeat until here go through more than {} {}: lower their counts, or shorten what they repeat",
                most, what));
    }

    Result<std::size_t> instruction(std::size_t at, LineCursor& cursor) {
        Statement& statement = statements_[at];
        const std::uint64_t lookups = symbols_.lookups();
        const auto word = context(statement.source->line).instruction(cursor);
        if (!word) return tl::make_unexpected(word.error());
        push(*word, *statement.source);
        statement.assembled = {*word, symbols_.lookups() != lookups, symbols_.changes()};
        return finished(cursor, at + 1);
    }

    void push(std::uint32_t word, const SourceLine& source) {
        threads_[thread_].push({.kind = Op::Kind::ins, .value = word}, source.line);
    }

    Result<void> directive(const SourceLine& source, LineCursor& cursor) {
        const int column = cursor.next_column();
        cursor.take('.');
        const auto name = cursor.take_word();
        if (name == "thread") return select_thread(cursor, column);
        if (const auto run = find_directive(name)) return run(context(source.line), cursor);
        return unknown_directive(name, column);
    }

    Result<void> select_thread(LineCursor& cursor, int directive_column) {
        if (!repetitions_.empty())
            return fail_at(directive_column, "asm.nesting", ".thread is not allowed inside .repeat");
        const int column = cursor.next_column();
        const auto word = cursor.take_word();
        auto thread = parse_thread_name(word);
        if (word == "0" || word == "1" || word == "2") thread = static_cast<unsigned>(word[0] - '0');
        if (!thread)
            return fail_at(column, "asm.syntax",
                           fmt::format("'{}' is not a thread: 0, 1, 2, unpack, math or pack", word));
        thread_ = *thread;
        threads_[thread_].close_store();
        return {};
    }

    DirectiveContext context(int line) { return {arch_, symbols_, registers_, threads_[thread_], line}; }

    Program finish() {
        Program program;
        program.arch = arch_;
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            program.threads[i] = threads_[i].take();
            if (!program.threads[i].empty()) program.files[i] = file_;
        }
        return program;
    }

    Arch arch_;
    std::string_view file_;
    unsigned thread_;
    std::array<ThreadBuilder, 3> threads_{ThreadBuilder{arch_}, ThreadBuilder{arch_}, ThreadBuilder{arch_}};
    Symbols symbols_;
    RegisterValues* const registers_;
    std::vector<Statement> statements_;
    std::vector<Repetition> repetitions_;
    std::uint64_t repeated_statements_ = 0;  ///< statements executed in repetitions so far
    std::uint64_t repeated_text_ = 0;        ///< bytes of text read in repetitions so far
    std::optional<std::size_t> blamed_;      ///< the statement to report in an error, if not the current one
};

}  // namespace

Result<Program> assemble_lines(std::span<const SourceLine> lines, Arch arch, std::string_view file, unsigned thread,
                               const Given& given) {
    if (thread >= thread_names.size())
        return fail("asm.range", fmt::format("thread {} does not exist: threads are 0 to 2", thread),
                    std::string(file));
    return Assembler(arch, file, thread, given).run(lines);
}

Result<Program> assemble_text(std::string_view text, Arch arch, std::string_view file, unsigned thread,
                              const Given& given) {
    std::vector<SourceLine> lines;
    text = util::without_mark(text);
    for (int number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        lines.push_back({.text = text.substr(0, end), .line = number});
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return assemble_lines(lines, arch, file, thread, given);
}

}  // namespace tessera::program

namespace tessera {

Result<Program> assemble(std::string_view text, Arch arch, std::string_view file, unsigned thread,
                         const std::map<std::string, std::int64_t>& symbols) {
    program::Symbols given;
    for (const auto& [name, value] : symbols)
        if (!given.define_from_outside(name, value))
            return fail("asm.syntax", program::not_a_symbol(name), std::string(file));
    program::SymbolUses uses;
    if (!symbols.empty()) given.note_lookups(uses);
    auto program = program::assemble_text(text, arch, file, thread, {given});
    if (!program) return program;
    for (const auto& [name, value] : symbols)
        if (std::string why = uses.no_effect(name, "the text uses no symbol"); !why.empty())
            return fail("asm.unknown-symbol", std::move(why), std::string(file));
    return program;
}

}  // namespace tessera
