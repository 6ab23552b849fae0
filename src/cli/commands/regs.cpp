// SPDX-License-Identifier: Apache-2.0
// tessera regs: configuration fields by name and address; contents of a word, a job or a card's dump.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <system_error>

#include "command.hpp"
#include "commands/regs_job.hpp"
#include "options/words.hpp"
#include "reports/regs_report.hpp"
#include "reports/terminal.hpp"
#include "tessera/core.hpp"

namespace tessera::cli {

namespace {

struct RegsArguments {
    std::string what;  // NAME or ADDR32
    std::string arch = "blackhole";
    std::string value;
    std::string pattern;
    std::string dump;
    bool list = false;
    bool thread = false;
    RegsJobOptions job;
};

bool contains(std::string_view text, std::string_view part) {
    auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [&](char a, char b) { return upper(a) == upper(b); }) != text.end();
}

template <class Items>
Json as_json(std::string_view arch, const char* key, const Items& items) {
    return {{"arch", arch}, {key, json_list(items, [](const auto& item) { return to_json(item); })}};
}

int list_fields(const RegsArguments& options, Arch arch) {
    std::vector<RegisterField> chosen;
    for (const RegisterField& field : register_fields(arch))
        if (contains(field.name, options.pattern)) chosen.push_back(field);
    if (chosen.empty())
        return refuse("cli.pattern", fmt::format("no field of {} has '{}' in its name", name(arch), options.pattern));
    if (options.job.json)
        print(stdout, to_text(as_json(name(arch), "fields", chosen), 2) + "\n");
    else
        print(stdout, describe_fields(chosen));
    return good;
}

int show_field(const RegsArguments& options, Arch arch) {
    const auto field = find_register_field(options.what, arch);
    if (!field) return report(field.error());
    std::optional<std::uint32_t> value;
    if (!options.value.empty()) {
        const auto number = read_word(options.value, "cli.number");
        if (!number) return report(number.error());
        if (*number > field->mask())
            return refuse(
                "regs.value",
                fmt::format("{} does not fit {}, which takes 0 to {}; a whole word is decoded by its ADDR32, {}",
                            *number, field->name, field->mask(), field->addr32));
        value = *number;
    }
    if (options.job.json) {
        Json json = {{"arch", name(arch)}, {"fields", Json::array()}};
        json["fields"].push_back(value ? to_json(FieldValue{*field, *value, describe_value(*field, *value)})
                                       : to_json(*field));
        print(stdout, to_text(json, 2) + "\n");
    } else {
        print(stdout, describe_field(*field, value));
    }
    return good;
}

int show_word(const RegsArguments& options, Arch arch) {
    const auto addr32 = read_word(options.what, "cli.number");
    if (!addr32) return report(addr32.error());
    const auto space = options.thread ? RegisterSpace::thread : RegisterSpace::backend;
    const auto fields = register_fields_at(space, *addr32, arch);
    if (!fields) return report(fields.error());
    if (options.value.empty()) {
        if (options.job.json)
            print(stdout, to_text(as_json(name(arch), "fields", *fields), 2) + "\n");
        else
            print(stdout, fields->empty() ? "no field has a name there\n" : describe_fields(*fields));
        return good;
    }
    const auto word = read_word(options.value, "cli.number");
    if (!word) return report(word.error());
    const auto values = decode_register(space, *addr32, *word, arch);
    if (!values) return report(values.error());
    if (options.job.json)
        print(stdout, to_text(as_json(name(arch), "fields", *values), 2) + "\n");
    else
        print(stdout, values->empty() ? "no field has a name there\n" : describe_values(*values));
    return good;
}

Result<std::string> read_file(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 1 << 16> part;
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    // In parts: an istreambuf_iterator throws for a directory, and a device may never end.
    while (file.read(part.data(), part.size()) || file.gcount() > 0) {
        if (text.size() + static_cast<std::size_t>(file.gcount()) > most_bytes)
            return fail("regs.open", fmt::format("it has more than the {} bytes that are read", most_bytes), path);
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.is_open() || file.bad())
        return fail("regs.open", fmt::format("cannot be read: {}", std::generic_category().message(errno ? errno : EIO)), path);
    return text;
}

int show_dump(const RegsArguments& options, Arch arch) {
    const auto text = read_file(options.dump);
    if (!text) return report(text.error());
    const auto words = parse_register_dump(*text, arch, options.dump);
    if (!words) return report(words.error());
    Core core(arch);
    load_register_dump(core, *words);
    const auto items = register_state(core);
    if (options.job.json) {
        Json json = {{"dump", options.dump}};
        json.update(as_json(name(arch), "registers", items));
        print(stdout, to_text(json, 2) + "\n");
    } else {
        print(stdout, describe_state(items));
    }
    return good;
}

int execute(const RegsArguments& options) {
    const Result<Arch> arch = read_arch(options.arch);
    if (!arch) return report(arch.error());
    const int ways = !options.what.empty() + options.list + !options.job.job.path.empty() + !options.dump.empty();
    if (ways != 1)
        return refuse("cli.usage", "give one of NAME, ADDR32, --list, --job and --dump; try 'tessera regs --help'");
    if (!options.job.job.path.empty()) return list_job_registers(options.job);
    if (!options.dump.empty()) return show_dump(options, *arch);
    if (options.list) return list_fields(options, *arch);
    const bool by_address = options.what[0] >= '0' && options.what[0] <= '9';
    if (options.thread && !by_address)
        return refuse("cli.usage", "--thread says whose an ADDR32 is; a field's name says that itself");
    return by_address ? show_word(options, *arch) : show_field(options, *arch);
}

}  // namespace

void add_regs(CommandLine& program) {
    auto options = std::make_shared<RegsArguments>();
    const Command command = program.add("regs", "Look up configuration fields; decode what a job or a card has set");
    command.option("NAME", options->what, "Field name, ADDR32, or with --list a part of names");
    const Option arch = command.option("--arch", options->arch, "blackhole or wormhole").value_name("A").show_default();
    const Option value =
        command.option("--value", options->value, "Decode a value of the field NAME, or a word at ADDR32").value_name("V");
    const Option thread = command.flag("--thread", options->thread, "ADDR32 is of the thread configuration");
    const Option list = command.flag("--list", options->list, "List the fields with NAME in their names, or all");
    const Option job = command.option("--job", options->job.job.path, "Run a job, and list the fields that differ from reset")
                           .value_name("JOB")
                           .excludes(arch);
    const Option at =
        command
            .option("--at", options->job.at,
                    "With --job: before the first issue there, not at the end: T0:5 (op 5 of thread 0) or FILE:LINE")
            .value_name("PLACE")
            .needs(job);
    command.option("--and", options->job.other, "With --at: list the differences between the two moments")
        .value_name("PLACE")
        .needs(at);
    for (const Option& change : options->job.job.changes.add_to(command)) change.needs(job);
    const Option dump =
        command.option("--dump", options->dump, "Decode a dump of a card: lines of ADDR32 and value").value_name("FILE");
    for (const Option& other : {list, job, dump}) {
        value.excludes(other);
        thread.excludes(other);
    }
    command.flag("--json", options->job.json, "Print one JSON object");
    command.footer(
        "Examples: tessera regs THCON_SEC0_REG2_Out_data_format --value 5\n"
        "          tessera regs --job examples/add/add.toml --at T1:4 --and T1:10");
    command.action([options] {
        if (options->list) {
            options->pattern = options->what;
            options->what.clear();
        }
        return execute(*options);
    });
}

}  // namespace tessera::cli
