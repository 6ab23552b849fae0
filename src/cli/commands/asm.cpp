// SPDX-License-Identifier: Apache-2.0
// tessera asm: .tts text to instruction words.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "command.hpp"
#include "options/job_options.hpp"
#include "options/output_paths.hpp"
#include "options/standard_input.hpp"
#include "options/words.hpp"
#include "reports/json.hpp"
#include "reports/terminal.hpp"
#include "tessera/assembly.hpp"
#include "tessera/output_file.hpp"
#include "tessera/stream.hpp"

namespace tessera::cli {

namespace {

struct AsmArguments {
    std::string file, bytes;
    std::string arch = "blackhole", thread = "unpack";
    ChangeOptions given;  ///< symbols only
    bool json = false;
};

Result<Program> load(const AsmArguments& options, Arch arch, unsigned thread) {
    const Result<JobChanges> given = options.given.read();
    if (!given) return tl::make_unexpected(given.error());
    if (options.file != standard_input) return assemble_file(options.file, arch, thread, given->symbols);
    return read_standard_input().and_then(
        [&](const std::string& text) { return assemble(text, arch, standard_input_name, thread, given->symbols); });
}

std::string words_as_text(const Program& program) {
    const auto used = std::count_if(program.threads.begin(), program.threads.end(),
                                    [](const std::vector<Op>& ops) { return !ops.empty(); });
    std::string text;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        const auto& ops = program.threads[t];
        if (used > 1 && !ops.empty()) text += fmt::format("# thread {}\n", thread_names[t]);
        for (const Op& op : ops)
            text += op.kind == Op::Kind::ins ? fmt::format("0x{:08X}\n", op.value)
                                             : "# " + op_text(op, program.arch) + "\n";
    }
    return text;
}

/// The keys are those of a job's `threads`.
Json words_as_json(const Program& program) {
    Json threads = Json::object();
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        Json ops = Json::array();
        for (const Op& op : program.threads[t]) ops.push_back(Json::parse(op_json(op)));
        threads[thread_names[t]] = std::move(ops);
    }
    return {{"arch", name(program.arch)}, {"threads", std::move(threads)}};
}

/// The words of the only thread that has any; an error if several have.
Result<std::vector<std::uint32_t>> only_words(const Program& program) {
    std::vector<std::uint32_t> words;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        if (!program.threads[t].empty() && !words.empty())
            return fail("cli.threads", "--bytes is for one thread, and the text has several", program.files[t],
                        program.threads[t].front().line);
        for (const Op& op : program.threads[t]) {
            if (op.kind != Op::Kind::ins)
                return fail("cli.no-word",
                            fmt::format("'{}' is done by the RISC-V core: it has no instruction word",
                                        op_text(op, program.arch)),
                            program.files[t], op.line);
            words.push_back(op.value);
        }
    }
    return words;
}

int execute(const AsmArguments& options) {
    const Result<Arch> arch = read_arch(options.arch);
    if (!arch) return report(arch.error());
    const Result<unsigned> thread = read_thread(options.thread);
    if (!thread) return report(thread.error());
    if (const auto checked =
            check_outputs({options.bytes}, std::span(&options.file, options.file == standard_input ? 0 : 1));
        !checked)
        return report(checked.error());
    const Result<Program> program = load(options, *arch, *thread);
    if (!program) return report(program.error());
    if (!options.bytes.empty()) {
        const auto bytes = only_words(*program).and_then([](const auto& words) { return stream_bytes(words); });
        if (!bytes) return report(bytes.error());
        const auto written = write_file(options.bytes, *bytes, "stream.write");
        if (!written) return report_unwritten(written.error());
    }
    if (options.json)
        print(stdout, to_text(words_as_json(*program), 2) + "\n");
    else if (options.bytes.empty())
        print(stdout, words_as_text(*program));
    return good;
}

}  // namespace

void add_asm(CommandLine& program) {
    auto options = std::make_shared<AsmArguments>();
    const Command command = program.add("asm", "Print the instruction words of .tts text");
    command.option("FILE", options->file, "Text of one or more threads, or - for standard input").required();
    command.option("--arch", options->arch, "blackhole or wormhole").value_name("A").show_default();
    command.option("--thread", options->thread, "Thread of the text before the first .thread")
        .value_name("T")
        .show_default();
    command.option("--symbol", options->given.symbols, "Value of a symbol of the text (may be repeated)")
        .value_name("NAME=VALUE")
        .one_at_a_time();
    command.option("--bytes", options->bytes, "Rotate the words left by 2, as in a RISC-V stream").value_name("OUT");
    command.flag("--json", options->json, "Print all ops as the threads of a job");
    command.footer(
        "Ops that the RISC-V cores execute (.cfg, .gpr, ...) appear as comments.\n"
        "Values have names (STALLWAIT block=math wait=unpack0|pack): tessera isa STALLWAIT lists them.\n"
        "Example: tessera asm examples/add/unpack.tts");
    command.action([options] { return execute(*options); });
}

}  // namespace tessera::cli
