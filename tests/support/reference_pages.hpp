// SPDX-License-Identifier: Apache-2.0
// Generates the pages of docs/reference/ from the declarations that they describe.
#pragma once

#include <string>

#include "findings/areas.hpp"

namespace tessera::test {

/// registers.md: every field, and which unit's sources name it.
std::string register_page();

/// findings.md: code, level and title of every row of the catalogue.
std::string findings_page();

/// findings/PAGE.md: everything about the rows of an area.
std::string findings_page(const findings::Area& area);

/// configuration-check.md: the rules of the configuration check.
std::string configuration_check_page();

/// job.md: job.schema.json as tables.
std::string job_page();

/// The text of a file below the source folder; throws when there is none.
std::string source_text(const std::string& path);

}  // namespace tessera::test
