// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <set>

#include "diff/align_programs.hpp"
#include "diff/state_diff.hpp"
#include "diff/write_log.hpp"
#include "program/job/kernels.hpp"
#include "tessera/assembly.hpp"

namespace tessera {

namespace {

using diff::Site;

/// Maximum number of elements reported per instruction. Two different instructions have fewer, since they rarely write
/// the same elements.
constexpr std::size_t most_told = 8, most_told_of_others = 2;

tl::unexpected<Error> cut_off(const Job& job) {
    return fail("diff.interrupted", "interrupted before both runs had ended; no comparison was made", job.file);
}

Writer describe_writer(const Site& site, std::uint32_t word, std::uint64_t cycle, const Job& job) {
    Writer writer{site.thread, site.index, site.position, site.by_core, cycle, {}, {}};
    const auto thread = static_cast<unsigned>(site.thread);
    const auto index = static_cast<std::size_t>(site.index);
    const auto& ops = job.program.threads[thread];
    if (!site.by_core)
        writer.text = disassemble_named(word, job.arch);
    else if (index < ops.size())
        writer.text = op_text(ops[index], job.arch);
    writer.place = job.program.place(thread, index);
    return writer;
}

// The second run of a job, which records the values at the difference.
class Closer {
public:
    Closer(const Job& job, std::optional<Site> site, const Section* section, std::size_t element)
        : job_(job), site_(site), section_(section), element_(element) {}

    Result<void> run() {
        auto core = prepare(job_);
        if (!core) return tl::make_unexpected(core.error());
        RunOptions options = job_.options;
        options.on_write = [this](const Write& write) { note(write); };
        const auto done = core->run(job_.program, options);
        if (!done) return tl::make_unexpected(done.error());
        if (done->cut_short()) return cut_off(job_);
        return {};
    }

    using Values = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;
    const Values& values() const { return values_; }
    const std::optional<Writer>& last() const { return last_; }

private:
    void note(const Write& write) {
        const bool wanted = site_ && diff::site_of(write) == *site_;
        for (const StateElement& e : write.elements) {
            if (wanted) values_[{e.section, e.element}] = e.value;
            if (section_ && e.section == section_->id && e.element == element_)
                last_ = describe_writer(diff::site_of(write), write.word, write.cycle, job_);
        }
    }

    const Job& job_;
    std::optional<Site> site_;
    const Section* section_;
    std::size_t element_;
    Values values_;
    std::optional<Writer> last_;
};

void compare_written(const Closer& a, const Closer& b, const Core& core, InstructionDifference& difference) {
    std::map<std::pair<std::uint32_t, std::uint32_t>,
             std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>>
        both;
    for (const auto& [at, value] : a.values()) both[at].first = value;
    for (const auto& [at, value] : b.values()) both[at].second = value;
    const auto sections = core.sections();
    const diff::Compared compared(core);
    for (const auto& [at, values] : both) {
        if (values.first == values.second || !compared(at.first, at.second)) continue;
        if (difference.count++ < (difference.same_text ? most_told : most_told_of_others))
            difference.wrote.push_back(
                diff::describe_element(sections[at.first], at.second, values.first, values.second, core.arch()));
    }
}

Result<Run> watched(const Job& job, Core& core, diff::WriteLog& log) {
    RunOptions options = job.options;
    options.on_write = [&](const Write& write) { log.note(write); };
    auto run = core.run(job.program, options);
    if (run && run->cut_short()) return cut_off(job);
    return run;
}

StateDifference first_of(const diff::Elements& elements, const Core& a, const Core& b) {
    return diff::describe_element(*elements.section, elements.element, a.read(*elements.section, elements.element),
                                  b.read(*elements.section, elements.element), a.arch());
}

InstructionDifference compare_at(const diff::Divergence& divergence, const Job& a, const Job& b) {
    InstructionDifference difference;
    if (const auto& entry = divergence.a)
        difference.a = describe_writer(*divergence.site_a, entry->word, entry->cycle, a);
    if (const auto& entry = divergence.b)
        difference.b = describe_writer(*divergence.site_b, entry->word, entry->cycle, b);
    difference.same_text = difference.a && difference.b && difference.a->text == difference.b->text;
    return difference;
}

bool same_fault(const Run& a, const Run& b) {
    return a.fault.has_value() == b.fault.has_value() && (!a.fault || a.fault->code == b.fault->code) &&
           a.good() == b.good();
}

}  // namespace

Result<RunDifference> diff_runs(const Case& a, const Case& b) {
    if (auto same = diff::check_same_arch(a.job.arch, b.job.arch, b.job.file); !same)
        return tl::make_unexpected(same.error());
    for (const Case* one : {&a, &b}) {
        if (auto done = program::refuse_kernels(one->job, "diff"); !done) return tl::make_unexpected(done.error());
        if (one->job.options.timing == Timing::functional)
            return fail("run.functional",
                        fmt::format("two runs are compared by what each instruction writes, and functional timing does not tell it; use {} "
                                    "timing",
                                    name(default_timing)),
                        one->job.file);
    }
    auto core_a = prepare(a.job), core_b = prepare(b.job);
    if (!core_a) return tl::make_unexpected(core_a.error());
    if (!core_b) return tl::make_unexpected(core_b.error());
    RunDifference result;
    if (const auto before = diff::differing(*core_a, *core_b); before.section)
        result.before = first_of(before, *core_a, *core_b);

    diff::WriteLog log_a(*core_a), log_b(*core_b);
    auto run_a = watched(a.job, *core_a, log_a);
    if (!run_a) return tl::make_unexpected(run_a.error());
    auto run_b = watched(b.job, *core_b, log_b);
    if (!run_b) return tl::make_unexpected(run_b.error());
    result.a = std::move(*run_a);
    result.b = std::move(*run_b);
    result.same_end = same_fault(result.a, result.b);
    const auto alignment = diff::align_programs(a.job.program, b.job.program);
    diff::report_edits(alignment, a.job.program, b.job.program, result);

    diff::forget_remains(*core_a);
    diff::forget_remains(*core_b);
    const auto elements = diff::differing(*core_a, *core_b);
    result.count = elements.count;

    std::set<Site> same_in_the_end;
    for (bool again = true; again;) {
        again = false;
        const auto divergence = diff::first_divergence(log_a, log_b, alignment, same_in_the_end);
        if (!divergence && !elements.section) return result;
        const auto site_a = divergence ? divergence->site_a : std::nullopt,
                   site_b = divergence ? divergence->site_b : std::nullopt;
        Closer close_a(a.job, site_a, elements.section, elements.element),
            close_b(b.job, site_b, elements.section, elements.element);
        if (auto done = close_a.run(); !done) return tl::make_unexpected(done.error());
        if (auto done = close_b.run(); !done) return tl::make_unexpected(done.error());
        if (elements.section) {
            result.state = first_of(elements, *core_a, *core_b);
            result.state->a_writer = close_a.last();
            result.state->b_writer = close_b.last();
        }
        if (!divergence) return result;
        InstructionDifference difference = compare_at(*divergence, a.job, b.job);
        if (difference.a && difference.b) compare_written(close_a, close_b, *core_a, difference);
        again = difference.same_text && difference.count == 0;
        if (again)
            same_in_the_end.insert(*site_a);
        else
            result.instruction = std::move(difference);
    }
    return result;
}

}  // namespace tessera
