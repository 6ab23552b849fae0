// SPDX-License-Identifier: Apache-2.0
#include "tessera/gdb_server.hpp"

#include "gdb/job_target.hpp"
#include "gdb/session.hpp"
#include "gdb/socket.hpp"

namespace tessera {

namespace {

constexpr int wait_milliseconds = 100;

}  // namespace

struct GdbServer::Impl {
    Impl(Execution& execution, GdbOptions options_, gdb::Listener listener_)
        : options(std::move(options_)), listener(std::move(listener_)), target(execution) {}

    bool stops() const { return options.stop && options.stop(); }

    /// Lets the run go on until a client is there.
    std::optional<gdb::Connection> await_client() {
        std::optional<gdb::Connection> client;
        gdb::Resume all;
        all.cores.resize(target.cores(), {gdb::Resume::Action::go});
        if (options.runs && !target.ended())
            target.resume(all, [&] { return stops() || (client = listener.accept(0)).has_value(); });
        while (!client && !stops()) client = listener.accept(wait_milliseconds);
        return client;
    }

    void serve(gdb::Connection& client) {
        gdb::Session session(target);
        const gdb::Session::Line line{[&](std::string_view bytes) { client.send(bytes); },
                                      [&] {
                                          std::string bytes = client.receive(0);
                                          constexpr char interrupt = 0x03;
                                          // A client that has gone or a server that ends must not wait for the run.
                                          if (client.closed() || stops()) bytes += interrupt;
                                          return bytes;
                                      }};
        while (!session.over() && !client.closed() && !stops()) session.receive(client.receive(wait_milliseconds), line);
        for (unsigned core = 0; core < target.cores(); ++core) target.remove_all(core);
        target.breaks().clear();
    }

    GdbOptions options;
    gdb::Listener listener;
    gdb::JobTarget target;
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
    return GdbServer(std::make_unique<Impl>(execution, std::move(options), std::move(*listener)));
}

std::uint16_t GdbServer::port() const { return impl_->listener.port(); }

Result<void> GdbServer::serve() {
    for (;;) {
        auto client = impl_->await_client();
        if (!client) return {};
        impl_->serve(*client);
        if (impl_->options.once || impl_->stops()) return {};
    }
}

}  // namespace tessera
