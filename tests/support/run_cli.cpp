// SPDX-License-Identifier: Apache-2.0
#include "support/run_cli.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "support/temporary_directory.hpp"

namespace tessera::test {

void expect_refused(const CliOutcome& outcome, const std::vector<std::string>& reported) {
    EXPECT_EQ(outcome.status, 2) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, testing::StartsWith("tessera: "));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (const auto& part : reported) EXPECT_THAT(outcome.err, testing::HasSubstr(part));
}

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

CliOutcome run_cli(const std::vector<std::string>& arguments, const std::string& stdout_path) {
    const TemporaryDirectory captured;
    const std::string out = stdout_path.empty() ? captured / "out" : stdout_path, err = captured / "err";
    std::vector<std::string> words{TESSERA_CLI};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    const pid_t child = fork();
    if (child == 0) {
        close(STDIN_FILENO);
        const int to_out = open(out.c_str(), O_WRONLY | O_CREAT, 0600),
                  to_err = open(err.c_str(), O_WRONLY | O_CREAT, 0600);
        if (dup2(to_out, STDOUT_FILENO) < 0 || dup2(to_err, STDERR_FILENO) < 0) _exit(126);
        execv(argv[0], argv.data());
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) throw std::runtime_error("no child");
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, stdout_path.empty() ? contents(out) : std::string(),
            contents(err)};
}

}  // namespace tessera::test
