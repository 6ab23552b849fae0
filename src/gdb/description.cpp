// SPDX-License-Identifier: Apache-2.0
#include "gdb/description.hpp"

#include <fmt/format.h>

namespace tessera::gdb {

namespace {

std::string escaped(std::string_view text) {
    std::string xml;
    for (const char c : text) switch (c) {
            case '&': xml += "&amp;"; break;
            case '<': xml += "&lt;"; break;
            case '>': xml += "&gt;"; break;
            case '"': xml += "&quot;"; break;
            default: xml += c;
        }
    return xml;
}

std::string item(std::string_view column, std::string_view value) {
    return fmt::format("<column name=\"{}\">{}</column>", column, escaped(value));
}

}  // namespace

std::string target_xml(std::span<const Register> registers) {
    std::string xml =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
        "<architecture>riscv:rv32</architecture>\n<osabi>none</osabi>\n";
    std::string_view feature;
    for (std::size_t i = 0; i < registers.size(); ++i) {
        const Register& one = registers[i];
        if (one.feature != feature) {
            if (!feature.empty()) xml += "</feature>\n";
            feature = one.feature;
            xml += fmt::format("<feature name=\"{}\">\n", feature);
        }
        // Around a call that the user makes, gdb saves and restores all others.
        const std::string_view saved = one.group == "tensix" ? " save-restore=\"no\"" : "";
        xml += fmt::format("<reg name=\"{}\" bitsize=\"{}\" type=\"{}\" group=\"{}\" regnum=\"{}\"{}/>\n", one.name,
                           one.bits, one.type, one.group, i, saved);
    }
    return xml + "</feature>\n</target>\n";
}

std::string threads_xml(std::span<const ThreadRow> threads) {
    std::string xml = "<?xml version=\"1.0\"?>\n<threads>\n";
    for (const ThreadRow& one : threads)
        xml += fmt::format("<thread id=\"{}\" name=\"{}\">{}</thread>\n", one.id, escaped(one.core.name), escaped(one.core.about));
    return xml + "</threads>\n";
}

std::string osdata_types_xml() {
    return "<osdata type=\"types\"><item>" + item("Type", "processes") + item("Description", "RISC-V cores") + "</item></osdata>";
}

std::string osdata_processes_xml(std::span<const CoreInfo> cores) {
    std::string xml = "<osdata type=\"processes\">";
    for (std::size_t i = 0; i < cores.size(); ++i)
        xml += "<item>" + item("pid", fmt::format("{}", i + 1)) + item("user", cores[i].name) + item("command", cores[i].file) +
               item("state", cores[i].about) + "</item>";
    return xml + "</osdata>";
}

}  // namespace tessera::gdb
