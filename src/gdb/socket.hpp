// SPDX-License-Identifier: Apache-2.0
// TCP: one that listens, and a connection.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/error.hpp"

namespace tessera::gdb {

/// A file descriptor that is closed at the end.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();
    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }

private:
    int number_ = -1;
};

class Connection {
public:
    explicit Connection(Descriptor socket) : socket_(std::move(socket)) {}

    /// Waits at most this long. Empty: nothing has come.
    std::string receive(int milliseconds);
    /// Waits for as long as the other side does not read. `gives_up` is asked several times a second; once it is true, the connection
    /// is closed.
    void send(std::string_view bytes, const std::function<bool()>& gives_up);
    /// The other side has gone, or send() has given up.
    bool closed() const { return closed_; }

private:
    Descriptor socket_;
    bool closed_ = false;
};

class Listener {
public:
    /// Error "gdb.listen".
    static Result<Listener> open(const std::string& address, std::uint16_t port);
    std::uint16_t port() const { return port_; }
    /// Waits at most this long. Empty: nobody has come. A socket that has failed is closed.
    std::optional<Connection> accept(int milliseconds);
    /// Accepts no connection any more. In a child process that leaves the parent's listener as it is.
    void close() { socket_ = {}; }
    bool is_open() const { return socket_.is_open(); }

private:
    Listener(Descriptor socket, std::uint16_t port) : socket_(std::move(socket)), port_(port) {}
    Descriptor socket_;
    std::uint16_t port_ = 0;
};

}  // namespace tessera::gdb
