// SPDX-License-Identifier: Apache-2.0
#include "support/cli_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace tessera::test {

namespace {

/// Whether a process that has not ended handles a signal itself.
bool handles(pid_t process, int signal) {
    std::ifstream status(fmt::format("/proc/{}/status", process));
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigCgt:")) return std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1;
    return false;
}

bool has_ended(pid_t process) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == process;
}

}  // namespace

CliProcess::CliProcess(const std::vector<std::string>& arguments, const CliSurroundings& surroundings) {
    const std::string out = captured_ / "out", err = captured_ / "err";
    const std::string in = surroundings.input ? captured_.write("in", *surroundings.input) : std::string();
    std::vector<std::string> words{TESSERA_CLI};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    child_ = fork();
    if (child_ < 0) throw std::runtime_error("no child");
    if (child_ > 0) return;
    close(STDIN_FILENO);
    if (!in.empty() && open(in.c_str(), O_RDONLY) != STDIN_FILENO) _exit(126);
    const int to_out = open(out.c_str(), O_WRONLY | O_CREAT, 0600), to_err = open(err.c_str(), O_WRONLY | O_CREAT, 0600);
    if (dup2(to_out, STDOUT_FILENO) < 0 || dup2(to_err, STDERR_FILENO) < 0) _exit(126);
    if (!surroundings.folder.empty() && chdir(surroundings.folder.c_str()) != 0) _exit(126);
    if (surroundings.file_size_limit) {
        const rlimit limit{*surroundings.file_size_limit, *surroundings.file_size_limit};
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(126);
    }
    execv(argv[0], argv.data());
    _exit(127);
}

CliProcess::~CliProcess() {
    if (child_ < 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
}

void CliProcess::interrupt(int signal) {
    using namespace std::chrono_literals;
    while (!handles(child_, signal) && !has_ended(child_)) std::this_thread::sleep_for(2ms);
    std::this_thread::sleep_for(50ms);
    kill(child_, signal);
}

void CliProcess::kill_after(std::chrono::microseconds time) const {
    std::this_thread::sleep_for(time);
    kill(child_, SIGKILL);
}

CliOutcome CliProcess::wait() {
    int status = 0;
    if (waitpid(child_, &status, 0) != child_) throw std::runtime_error("no child");
    child_ = -1;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(captured_ / "out"), contents(captured_ / "err")};
}

CliOutcome run_cli_in(const CliSurroundings& surroundings, const std::vector<std::string>& arguments) {
    return CliProcess(arguments, surroundings).wait();
}

}  // namespace tessera::test
