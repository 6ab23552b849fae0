// SPDX-License-Identifier: Apache-2.0
// Documents that gdb reads in XML.
#pragma once

#include <span>
#include <string>

#include "gdb/target.hpp"

namespace tessera::gdb {

/// The registers, feature by feature.
std::string target_xml(std::span<const Register> registers);

struct ThreadRow {
    std::string id;
    CoreInfo core;
};
std::string threads_xml(std::span<const ThreadRow> threads);

/// `info os`: there are processes.
std::string osdata_types_xml();
/// `info os processes`: number, file and name of each core.
std::string osdata_processes_xml(std::span<const CoreInfo> cores);

}  // namespace tessera::gdb
