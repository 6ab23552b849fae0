// SPDX-License-Identifier: Apache-2.0
#include "tessera/gdb_server.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "gdb/chip_target.hpp"
#include "gdb/job_target.hpp"
#include "gdb/session.hpp"
#include "gdb/socket.hpp"

namespace tessera {

namespace {

constexpr int wait_milliseconds = 100;

bool asks_to_end(const GdbOptions& options) { return options.stop && options.stop(); }

}  // namespace

struct GdbServer::Impl {
    Impl(std::unique_ptr<gdb::TilesTarget> target_, GdbOptions options_, gdb::Listener listener_)
        : options(std::move(options_)), listener(std::move(listener_)), target(std::move(target_)) {}

    bool stops() const { return asks_to_end(options); }

    /// Lets the run go on until a client is there.
    std::optional<gdb::Connection> await_client() {
        std::optional<gdb::Connection> client;
        gdb::Resume all;
        all.cores.resize(target->cores(), {gdb::Resume::Action::go});
        if (options.runs && !target->ended())
            target->resume(all, [&] { return stops() || (client = listener.accept(0)).has_value(); });
        while (!client && !stops() && listener.is_open()) client = listener.accept(wait_milliseconds);
        return client;
    }

    void serve(gdb::Connection& client) {
        gdb::Session session(*target);
        const gdb::Session::Line line{[&](std::string_view bytes) { client.send(bytes, [&] { return stops(); }); },
                                      [&] { return client.receive(0); }, [&] { return client.closed() || stops(); }};
        while (!session.over() && !client.closed() && !stops()) session.receive(client.receive(wait_milliseconds), line);
        target->forget_client();
    }

    GdbOptions options;
    gdb::Listener listener;
    std::unique_ptr<gdb::TilesTarget> target;
};

GdbServer::GdbServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GdbServer::GdbServer(GdbServer&&) noexcept = default;
GdbServer& GdbServer::operator=(GdbServer&&) noexcept = default;
GdbServer::~GdbServer() = default;

Result<GdbServer> GdbServer::listen(Execution& execution, GdbOptions options) {
    if (!core::DebugView::fits(execution))
        return fail("gdb.kernels", "a debugger sees RISC-V cores: the run must be one of kernels on a tile by itself");
    auto listener = gdb::Listener::open(options.address, options.port);
    if (!listener) return tl::make_unexpected(listener.error());
    return GdbServer(std::make_unique<Impl>(std::make_unique<gdb::JobTarget>(execution), std::move(options), std::move(*listener)));
}

Result<GdbServer> GdbServer::listen(Chip& chip, ChipRunOptions how, GdbOptions options) {
    auto listener = gdb::Listener::open(options.address, options.port);
    if (!listener) return tl::make_unexpected(listener.error());
    auto view = chip::DebugView::begin(chip, std::move(how));
    if (!view) return tl::make_unexpected(view.error());
    return GdbServer(std::make_unique<Impl>(std::make_unique<gdb::ChipTarget>(std::move(*view)), std::move(options), std::move(*listener)));
}

std::uint16_t GdbServer::port() const { return impl_->listener.port(); }

Result<void> GdbServer::serve() {
    for (;;) {
        auto client = impl_->await_client();
        if (!client && !impl_->listener.is_open())
            return fail("gdb.listen", fmt::format("the socket at port {} has failed", port()));
        if (!client) return {};
        impl_->serve(*client);
        if (impl_->options.once || impl_->stops()) return {};
    }
}

struct HostedGdbServer::Impl {
    using Clock = std::chrono::steady_clock;

    Impl(HostedChip& chip, GdbOptions options_, gdb::Listener listener_)
        : options(std::move(options_)),
          waits(!options.runs),
          listener(std::move(listener_)),
          target(chip::DebugView::of(chip, [this](std::uint64_t cycle) { pass_to(cycle); })) {}

    /// A look at a socket costs as much as an idle call of the clock.
    bool is_due() {
        constexpr std::chrono::milliseconds between{2};
        const auto now = Clock::now();
        if (now - looked < between) return false;
        looked = now;
        return true;
    }

    std::string receive() { return is_due() ? client->receive(0) : std::string(); }

    bool has_come() {
        if (!client && is_due()) client = listener.accept(0);
        return client.has_value();
    }

    void await_client() {
        has_come();
        while (waits && !client && !asks_to_end(options) && listener.is_open())
            client = listener.accept(wait_milliseconds);
        waits = false;
        if (client) session.emplace(target);
    }

    void leave() {
        session.reset();
        client.reset();
        target.leave();
        target.forget_client();
    }

    /// In a child process: the sockets are those of its parent, which the client goes on to speak with.
    void leave_to_parent() {
        if (!listener.is_open()) return;
        leave();
        listener.close();
    }

    /// All that comes before that cycle happens. While the chip stands still, the client is served.
    void pass_to(std::uint64_t cycle) {
        target.set_limit(cycle);
        if (process != getpid()) {
            leave_to_parent();
            return target.run_free([] { return false; });
        }
        for (;;) {
            if (!session) await_client();
            if (!session) {
                target.run_free([this] { return has_come(); });
                if (!client) return;
            } else if (session->runs()) {
                session->go_on(line);
                if (session->runs()) return;
            } else {
                session->receive(client->receive(wait_milliseconds), line);
            }
            if (session && (session->over() || client->closed() || asks_to_end(options))) leave();
        }
    }

    GdbOptions options;
    bool waits;
    const pid_t process = getpid();
    gdb::Listener listener;
    gdb::ChipTarget target;
    std::optional<gdb::Connection> client;
    std::optional<gdb::Session> session;
    const gdb::Session::Line line{[this](std::string_view bytes) { client->send(bytes, [this] { return asks_to_end(options); }); },
                                  [this] { return receive(); }, [this] { return client->closed(); }};
    Clock::time_point looked{};
};

HostedGdbServer::HostedGdbServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HostedGdbServer::HostedGdbServer(HostedGdbServer&&) noexcept = default;
HostedGdbServer& HostedGdbServer::operator=(HostedGdbServer&&) noexcept = default;
HostedGdbServer::~HostedGdbServer() = default;

Result<HostedGdbServer> HostedGdbServer::listen(HostedChip& chip, GdbOptions options) {
    if (auto fits = chip::DebugView::check(chip); !fits) return tl::make_unexpected(fits.error());
    auto listener = gdb::Listener::open(options.address, options.port);
    if (!listener) return tl::make_unexpected(listener.error());
    return HostedGdbServer(std::make_unique<Impl>(chip, std::move(options), std::move(*listener)));
}

std::uint16_t HostedGdbServer::port() const { return impl_->listener.port(); }

}  // namespace tessera
