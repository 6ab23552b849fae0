// SPDX-License-Identifier: Apache-2.0
// tessera trace --html.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_cli.hpp"
#include "support/temporary_directory.hpp"
#include "support/viewer_page.hpp"

namespace tessera {
namespace {

using test::contents;
using test::run_cli;

const std::string hangs = TESSERA_SOURCE_DIR "/examples/deadlock/hangs/job.toml";

TEST(ViewerCli, AGoodRunLeavesAPageAndSaysNothing) {
    const test::TemporaryDirectory directory;
    const std::string page = directory / "page.html";
    const auto outcome = run_cli({"trace", TESSERA_SOURCE_DIR "/examples/deadlock/runs/job.toml", "--html", page});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(test::page_data(contents(page)).at("format"), "tessera-viewer-3");
}

TEST(ViewerCli, AFaultIsToldAndHasAPage) {
    const test::TemporaryDirectory directory;
    const std::string page = directory / "page.html";
    const auto outcome = run_cli({"trace", hangs, "--html", page, "--seed", "3"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, testing::HasSubstr("deadlock"));
    EXPECT_EQ(test::page_data(contents(page)).at("job").at("seed"), "3");
}

TEST(ViewerCli, WhatCannotBeWrittenOrRunLeavesNothing) {
    const test::TemporaryDirectory directory;
    const auto nowhere = run_cli({"trace", hangs, "--html", directory / "none/page.html"});
    EXPECT_EQ(nowhere.status, 2);
    EXPECT_THAT(nowhere.err, testing::HasSubstr("[cli.write]"));
    const auto no_job = run_cli({"trace", directory / "none.toml", "--html", directory / "page.html"});
    EXPECT_EQ(no_job.status, 2);
    EXPECT_EQ(directory.files(), 0u);
}

TEST(ViewerCli, APageIsNoTrace) {
    const test::TemporaryDirectory directory;
    const auto outcome = run_cli({"trace", hangs, "--html", directory / "page.html", "-o", directory / "trace.jsonl"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(directory.files(), 0u);
}

}  // namespace
}  // namespace tessera
