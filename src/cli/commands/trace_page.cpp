// SPDX-License-Identifier: Apache-2.0
#include "commands/trace_page.hpp"

#include "command.hpp"
#include "reports/chip_report.hpp"
#include "reports/run_report.hpp"
#include "reports/terminal.hpp"
#include "tessera/chip_viewer.hpp"
#include "tessera/viewer.hpp"

namespace tessera::cli {

int write_trace_page(const Job& job, const std::string& path) {
    Job watched = job;
    Activity activity("running");
    watched.options.interrupt = [&] {
        activity.show();
        return false;
    };
    const Result<ViewerPage> page = view(watched);
    activity.clear();
    if (!page) return report(page.error());
    const auto written = write_page(*page, path);
    if (!page->run.good()) print(stderr, describe_diagnoses(page->run));
    if (!written) return report_unwritten(written.error());
    return page->run.good() ? good : bad_result;
}

int write_chip_page(const ChipJob& job, unsigned threads, const std::string& path) {
    const Result<ChipViewerPage> page = view(job, threads);
    if (!page) return report(page.error());
    const auto written = write_page(*page, path);
    if (!page->run.good()) print(stderr, describe_chip_diagnoses(page->run));
    if (!written) return report_unwritten(written.error());
    return page->run.good() ? good : bad_result;
}

}  // namespace tessera::cli
