// SPDX-License-Identifier: Apache-2.0
#include "tessera/viewer.hpp"

#include "tessera/output_file.hpp"
#include "viewer/page.hpp"
#include "viewer/recorder.hpp"
#include "viewer/report.hpp"

namespace tessera {

namespace {

constexpr std::string_view data_version = "tessera-viewer-1";

}  // namespace

Result<ViewerPage> view(const Job& job, const ViewerOptions& options) {
    using viewer::Json;
    Result<Core> core = prepare(job);
    if (!core) return tl::make_unexpected(core.error());
    viewer::Recorder recorder(job, *core, options);
    RunOptions watched = job.options;
    recorder.watch(watched);
    Result<Run> run = run_job(job, *core, watched);
    if (!run) return tl::make_unexpected(run.error());
    recorder.finish(*run, *core);

    Json data = {{"format", data_version},
                 {"job", viewer::describe(job)},
                 {"run", viewer::report(*run, recorder.paths())},
                 {"fields", viewer::fields(job.arch)},
                 {"data_formats", viewer::data_formats()}};
    data.update(recorder.json());
    // A text may hold what is no UTF-8, such as a name in a job.
    const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
    return ViewerPage{std::move(*run), viewer::join_page(text)};
}

Result<void> write_page(const ViewerPage& page, const std::string& path) {
    return write_file(path, page.html, "viewer.write");
}

}  // namespace tessera
