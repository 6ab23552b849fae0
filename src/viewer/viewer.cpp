// SPDX-License-Identifier: Apache-2.0
#include "tessera/viewer.hpp"

#include "tessera/output_file.hpp"
#include "viewer/go_on.hpp"
#include "viewer/page.hpp"
#include "viewer/recorder.hpp"
#include "viewer/report.hpp"

namespace tessera {

namespace {

constexpr std::string_view data_version = "tessera-viewer-3";

}  // namespace

Result<ViewerPage> view(const Job& job, const ViewerOptions& options) {
    using viewer::Json;
    Result<Core> core = prepare(job);
    if (!core) return tl::make_unexpected(core.error());
    const viewer::GoOn go_on(options.interrupt);
    viewer::Packer packer(go_on);
    viewer::Recorder recorder(job, *core, options, packer);
    RunOptions watched = job.options;
    recorder.watch(watched);
    if (options.interrupt)
        watched.interrupt = [&, own = job.options.interrupt] { return go_on.is_over() || (own && own()); };
    try {
        Result<Run> run = run_job(job, *core, watched);
        if (!run) return tl::make_unexpected(run.error());
        go_on.check();
        recorder.finish(*run, *core);
        go_on.check();

        Json data = {{"format", data_version},
                     {"job", viewer::describe(job)},
                     {"run", viewer::report(*run, recorder.paths())},
                     {"fields", viewer::fields(job.arch)},
                     {"data_formats", viewer::data_formats()}};
        data.update(recorder.json(packer));
        return ViewerPage{std::move(*run), viewer::join_page("index.html", viewer::text_of(data, go_on), packer.blocks())};
    } catch (const viewer::Interrupted&) {
        return fail("viewer.interrupted", "the job was interrupted before its page was made", job.file);
    }
}

Result<void> write_page(const ViewerPage& page, const std::string& path) {
    return write_file(path, page.html, "viewer.write");
}

}  // namespace tessera
