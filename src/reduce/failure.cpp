// SPDX-License-Identifier: Apache-2.0
#include "reduce/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "check/compare.hpp"
#include "check/state_form.hpp"
#include "tessera/assembly.hpp"
#include "tessera/diff.hpp"
#include "tessera/finding_catalogue.hpp"

namespace tessera::reduction {

namespace {

/// The mnemonic, without operands.
std::string name_of(const std::string& instruction) { return instruction.substr(0, instruction.find_first_of(" \t.")); }

std::string name_of(std::uint32_t word, Arch arch) { return name_of(disassemble_named(word, arch)); }

/// Whether a run with this fault failed because of its waits, and not at an instruction.
bool is_about_waits(std::string_view code) { return code == "deadlock" || code.starts_with("no-progress"); }

/// Empty for one that says nothing: waits of cores, and for them, follow from the fill of the FIFOs, and units at work depend on the
/// cycle of the end.
std::string wait_of(const Blocked& blocked) {
    const bool is_front_end = blocked.who.ends_with(" front end");
    if (blocked.finished || blocked.who.ends_with(" core") || blocked.holder.ends_with(" core")) return {};
    if (blocked.runs()) return is_front_end ? blocked.who + " runs" : "";
    // A recording that is still open: how many instructions it lacks is no matter.
    const std::string& wait = blocked.waits_for;
    const auto lacks = wait.find(" to record");
    return fmt::format("{} waits for {}", blocked.who, lacks == wait.npos ? wait : "instructions" + wait.substr(lacks));
}

std::set<std::string> waits_of(const Run& run) {
    std::set<std::string> waits;
    for (const Blocked& blocked : run.blocked)
        if (auto wait = wait_of(blocked); !wait.empty()) waits.insert(std::move(wait));
    return waits;
}

/// Finds the last writer of an element.
class LastWriter {
public:
    LastWriter(std::uint32_t section, std::uint32_t element, Arch arch)
        : section_(section), element_(element), arch_(arch) {}

    void note(const Write& write) {
        for (const StateElement& e : write.elements)
            if (e.section == section_ && e.element == element_)
                name_ = write.by_core ? "a core" : name_of(write.word, arch_);
    }
    const std::string& name() const { return name_; }

private:
    std::uint32_t section_, element_;
    Arch arch_;
    std::string name_;
};

/// A run with its observers' results.
struct Watched {
    Core core;
    Run run;
};

Result<Watched> run_watched(program::CorePool& cores, const Job& job, const RunOptions& options) {
    auto core = cores.prepare(job);
    if (!core) return tl::make_unexpected(core.error());
    auto run = core->run(job.program, options);
    if (!run) {
        cores.give_back(std::move(*core));
        return tl::make_unexpected(run.error());
    }
    return Watched{std::move(*core), std::move(*run)};
}

tl::unexpected<Error> interrupted_early(const Job& job) {
    return fail("reduce.interrupted", "interrupted before it was known how the job fails", job.file);
}

/// The mnemonic of the instruction at which units and reference diverge; empty if they agree.
Result<std::string> parting(const Job& job) {
    Case units, reference;
    units.job = job;
    units.job.options.timing = Timing::instant;
    reference.job = units.job;
    reference.job.options.reference = true;
    const auto difference = diff_runs(units, reference);
    if (!difference) return tl::make_unexpected(difference.error());
    if (!difference->instruction) return std::string{};
    const InstructionDifference& found = *difference->instruction;
    const Writer& writer = found.a ? *found.a : *found.b;
    return writer.by_core ? std::string("a core") : name_of(writer.text);
}

}  // namespace

Result<Failure> Failure::of(const Case& what, const ReduceOptions& options) {
    Failure failure;
    if (!options.keep.empty() && !is_diagnosis_code(options.keep))
        return fail("reduce.keep", unknown_finding(options.keep));
    auto first = run_watched(*failure.cores_, what.job, what.job.options);
    if (!first) return tl::make_unexpected(first.error());
    if (first->run.cut_short()) return interrupted_early(what.job);
    constexpr std::uint64_t slack = 10'000;
    // Without a clock, instructions count.
    const auto& issued = first->run.instructions;
    const std::uint64_t length =
        first->run.has_clock ? first->run.cycles : std::accumulate(issued.begin(), issued.end(), std::uint64_t{0});
    failure.max_cycles_ = std::min(what.job.options.max_cycles, 2 * length + slack);
    if (options.reference) {
        if (auto done = failure.find_reference(what.job); !done) return tl::make_unexpected(done.error());
        return failure;
    }
    if (options.keep.empty() && first->run.good() && !what.expect.empty()) {
        const auto wrong = failure.find_wrong(what, first->core);
        if (!wrong) return tl::make_unexpected(wrong.error());
        if (*wrong) return failure;
    }
    if (auto done = failure.find_diagnosis(first->run, options.keep); !done) {
        done.error().file = what.job.file;
        return tl::make_unexpected(std::move(done.error()));
    }
    return failure;
}

Result<void> Failure::find_diagnosis(const Run& run, const std::string& keep) {
    const Diagnosis* found = nullptr;
    if (run.fault && (keep.empty() || run.fault->code == keep)) found = &*run.fault;
    for (const Finding& finding : run.findings)
        if (!found && (keep.empty() ? finding.level == Level::error : finding.code == keep)) found = &finding;
    if (!found)
        return fail("reduce.good", keep.empty() ? "the job does not fail; a finding is kept by its code, --keep CODE"
                                                : fmt::format("the job has no finding or fault '{}'", keep));
    code_ = found->code;
    instruction_ = name_of(found->where.instruction);
    text_ = fmt::format("{}: {}", found->code, found->message);
    if (!instruction_.empty()) text_ += fmt::format(" ({})", found->where.instruction);
    if (is_about_waits(code_)) waits_ = waits_of(run);
    for (const std::string& wait : waits_) text_ += "; " + wait;
    return {};
}

bool Failure::same_diagnosis(const Run& run) const {
    auto same = [&](const Diagnosis& one) {
        return one.code == code_ && name_of(one.where.instruction) == instruction_;
    };
    if (run.fault && same(*run.fault)) return !is_about_waits(code_) || waits_of(run) == waits_;
    return std::any_of(run.findings.begin(), run.findings.end(), same);
}

Result<bool> Failure::find_wrong(const Case& what, const Core& core) {
    const auto expect = nlohmann::json::parse(what.expect);
    for (const auto& item : expect.items()) {
        const nlohmann::json part = {{item.key(), item.value()}};
        const auto difference = check::find_difference(core, part);
        if (!difference) return tl::make_unexpected(difference.error());
        if (!*difference) continue;
        if (what.job.options.timing == Timing::functional)
            return fail("run.functional",
                        fmt::format("a wrong value is kept with the instruction that wrote it last, and functional timing does not "
                                    "tell which one did; use {} timing",
                                    name(default_timing)),
                        what.job.file);
        const auto& [section, element, is, expected] = **difference;
        kind_ = Kind::expected;
        wrong_ = {static_cast<std::uint32_t>(section->id), static_cast<std::uint32_t>(element), is, {}};
        LastWriter writer(wrong_.section, wrong_.element, what.job.arch);
        RunOptions options = what.job.options;
        options.on_write = [&](const Write& write) { writer.note(write); };
        const auto again = run_watched(*cores_, what.job, options);
        if (!again) return tl::make_unexpected(again.error());
        if (again->run.cut_short()) return interrupted_early(what.job);
        wrong_.writer = writer.name();
        // A byte of L1 can be expected alone.
        expect_ = section->name == "l1"
                      ? fmt::format(R"({{"l1": [{{"addr": {}, "hex": "{:02X}"}}]}})", element, expected)
                      : part.dump();
        text_ = fmt::format("{} is 0x{:X}{}, expected 0x{:X}{}; last written by {}", section->describe(element), is,
                            check::meaning(*section, is), expected, check::meaning(*section, expected),
                            wrong_.writer.empty() ? "nobody" : wrong_.writer);
        return true;
    }
    return false;
}

Result<void> Failure::find_reference(const Job& job) {
    kind_ = Kind::reference;
    const auto name = parting(job);
    if (!name && name.error().code == "diff.interrupted") return interrupted_early(job);
    if (!name) return tl::make_unexpected(name.error());
    if (name->empty()) return fail("reduce.good", "the units and the second implementation do the same", job.file);
    instruction_ = *name;
    text_ = fmt::format("{} writes other values than the second implementation", *name);
    return {};
}

bool Failure::shown_by(const Job& job) const {
    if (kind_ == Kind::reference) {
        const auto name = parting(job);
        return name && *name == instruction_;
    }
    RunOptions options = job.options;
    LastWriter writer(wrong_.section, wrong_.element, job.arch);
    if (kind_ == Kind::expected) options.on_write = [&](const Write& write) { writer.note(write); };
    auto ended = run_watched(*cores_, job, options);
    if (!ended || ended->run.cut_short()) return false;
    const Section& section = ended->core.sections()[wrong_.section];
    const bool shown = kind_ == Kind::diagnosis ? same_diagnosis(ended->run)
                                                : ended->run.good() && writer.name() == wrong_.writer &&
                                                      ended->core.read(section, wrong_.element) == wrong_.value;
    cores_->give_back(std::move(ended->core));
    return shown;
}

}  // namespace tessera::reduction
