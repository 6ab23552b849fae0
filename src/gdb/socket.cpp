// SPDX-License-Identifier: Apache-2.0
#include "gdb/socket.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace tessera::gdb {

namespace {

bool is_ready(int socket, short for_what, int milliseconds) {
    pollfd one{socket, for_what, 0};
    return poll(&one, 1, milliseconds) > 0;
}

bool may_go_later(int error) { return error == EINTR || error == EAGAIN || error == EWOULDBLOCK; }

bool never_listens_again(int error) { return error == EBADF || error == EINVAL || error == ENOTSOCK; }

}  // namespace

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}
Descriptor::~Descriptor() {
    if (is_open()) close(number_);
}

std::string Connection::receive(int milliseconds) {
    if (closed_ || !is_ready(socket_.number(), POLLIN, milliseconds)) return {};
    std::array<char, 1 << 14> bytes;
    const auto count = recv(socket_.number(), bytes.data(), bytes.size(), 0);
    if (count > 0) return {bytes.data(), static_cast<std::size_t>(count)};
    closed_ = count == 0 || !may_go_later(errno);
    return {};
}

void Connection::send(std::string_view bytes, const std::function<bool()>& gives_up) {
    constexpr int between_asks = 100;  // milliseconds
    while (!bytes.empty() && !closed_) {
        const auto count = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
            continue;
        }
        closed_ = !may_go_later(errno) || gives_up();
        if (!closed_) is_ready(socket_.number(), POLLOUT, between_asks);
    }
}

Result<Listener> Listener::open(const std::string& address, std::uint16_t port) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    if (address.find('\0') != address.npos || inet_pton(AF_INET, address.c_str(), &place.sin_addr) != 1)
        return fail("gdb.listen", fmt::format("'{}' is not an IPv4 address", address));
    Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    auto* const at = reinterpret_cast<sockaddr*>(&place);
    socklen_t size = sizeof place;
    if (!socket.is_open() || setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(socket.number(), at, size) != 0 || ::listen(socket.number(), 1) != 0 || getsockname(socket.number(), at, &size) != 0)
        return fail("gdb.listen", fmt::format("cannot listen at {}:{}: {}", address, port, std::strerror(errno)));
    return Listener(std::move(socket), ntohs(place.sin_port));
}

std::optional<Connection> Listener::accept(int milliseconds) {
    if (!is_ready(socket_.number(), POLLIN, milliseconds)) return {};
    Descriptor socket(accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.is_open()) {
        if (never_listens_again(errno)) close();
        // A caller waits on if the process has no descriptor left.
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        return {};
    }
    const int on = 1;
    setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return Connection(std::move(socket));
}

}  // namespace tessera::gdb
