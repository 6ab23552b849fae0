// SPDX-License-Identifier: Apache-2.0
// tessera step at its prompt, and signals that come there.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace tessera {
namespace {

/// A process whose standard input stays open. It is sent one command; what it prints is left out.
class Prompt {
public:
    explicit Prompt(const char* job) {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
        to_ = ends[1];
        child_ = fork();
        if (child_ == 0) {
            close(to_);
            if (dup2(ends[0], STDIN_FILENO) < 0 || dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO) < 0) _exit(126);
            execl(TESSERA_CLI, TESSERA_CLI, "step", job, nullptr);
            _exit(127);
        }
        close(ends[0]);
        if (child_ < 0) throw std::runtime_error("no child");
    }
    Prompt(const Prompt&) = delete;
    Prompt& operator=(const Prompt&) = delete;
    ~Prompt() { close(to_); }

    /// Waits until it has read the command, and so waits for the next one.
    void obey(std::string_view line) const {
        using namespace std::chrono_literals;
        if (write(to_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) throw std::runtime_error("no reader");
        for (int unread = 1; unread > 0; std::this_thread::sleep_for(2ms))
            if (ioctl(to_, FIONREAD, &unread) != 0) throw std::runtime_error("no pipe");
        std::this_thread::sleep_for(200ms);
    }
    int status_after(int signal) const {
        kill(child_, signal);
        int status = 0;
        if (waitpid(child_, &status, 0) != child_) throw std::runtime_error("no child");
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    int to_ = -1;
    pid_t child_ = -1;
};

TEST(StepPrompt, ASignalEndsItWithTheSignalsStatus) {
    for (const auto& [signal, status] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
        const Prompt prompt(TESSERA_SOURCE_DIR "/examples/deadlock/runs/job.toml");
        prompt.obey("step\n");
        EXPECT_EQ(prompt.status_after(signal), status);
    }
}

}  // namespace
}  // namespace tessera
