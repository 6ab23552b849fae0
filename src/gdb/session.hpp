// SPDX-License-Identifier: Apache-2.0
// A client's session: bytes in, bytes out. It knows no socket.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gdb/files.hpp"
#include "gdb/packet.hpp"
#include "gdb/target.hpp"
#include "gdb/text.hpp"

namespace tessera::gdb {

class Session {
public:
    /// `target` must outlive the session.
    explicit Session(Target& target);

    /// The connection: it takes bytes, and gives those that come while the target runs.
    struct Line {
        std::function<void(std::string_view)> send;
        /// The bytes that have come meanwhile; it does not wait.
        std::function<std::string()> receive;
        /// Whether nobody waits for an answer any more: the target need not run on. It may be empty.
        std::function<bool()> is_over = {};
    };
    /// Answers all packets that are complete with these bytes. While the target runs, it asks `line` for a Ctrl-C.
    void receive(std::string_view bytes, const Line& line);
    /// The client waits for the cores to stop: Target::resume() returned nothing.
    bool runs() const { return running_.has_value(); }
    /// Lets them run on.
    void go_on(const Line& line);

    /// The client has said that it goes.
    bool over() const { return over_; }

private:
    /// A core, several or all, as packets name them.
    struct ThreadId {
        std::int64_t process = 0, thread = 0;  ///< -1: all, 0: any
    };
    using Cores = std::vector<unsigned>;

    void handle_all();
    void handle(const Incoming& incoming);
    void reply(std::string_view payload);
    /// The answer to a packet. Empty: there is no such packet.
    std::string answer(std::string_view packet);
    std::string answer_query(Cursor packet);
    std::string answer_set(Cursor packet);
    std::string answer_v(Cursor packet);
    std::string error(std::string_view why) const;
    std::string error(const Error& error) const { return this->error(error.message); }
    std::string done(const Result<void>& result) const { return result ? "OK" : error(result.error()); }

    // Threads.
    std::string id(unsigned core) const;
    std::optional<ThreadId> read_id(Cursor& packet) const;
    /// The core of a process's number, which is the rest of the packet.
    std::optional<unsigned> read_process(Cursor packet) const;
    bool is_meant(const ThreadId& id, unsigned core) const;
    std::optional<unsigned> first_core(const ThreadId& id) const;
    std::string select(Cursor packet);
    std::string name_core(Cursor packet);
    /// The core that the next command or resume is about.
    unsigned take_core();
    std::string threads() const;
    std::string threads_xml() const;
    std::string processes_xml() const;

    // Registers and memory.
    std::string read_registers() const;
    std::string write_registers(Cursor packet);
    std::string read_register(Cursor packet) const;
    std::string write_register(Cursor packet);
    std::string read_memory(Cursor packet);
    std::string write_memory(Cursor packet, bool binary);
    std::string point(Cursor packet, bool inserts);

    // Running.
    std::string resume_all(Resume::Action action, bool backwards);
    std::string continue_or_step(Cursor packet, Resume::Action action, bool signal);
    std::string resume(const std::string& actions);
    std::string run(const Resume& how);
    /// Asked while the target runs: the client has sent Ctrl-C, has sent far too much, or waits no more.
    bool is_interrupted();
    std::string stop_reply() const;

    // Processes.
    std::string attach(Cursor packet);
    std::string detach(Cursor packet);
    /// Empty: all cores.
    std::string detach(std::optional<unsigned> one);
    std::string kill(std::optional<unsigned> core);
    std::string restart();

    std::string features(Cursor packet);
    std::string transfer(Cursor packet);
    std::string command(Cursor packet);

    Target& target_;
    Framer framer_;
    FileServer files_;
    const Line* line_ = nullptr;   ///< during receive()
    std::string last_packet_;      ///< as it was sent
    bool acknowledges_ = true, over_ = false;
    std::set<std::string_view> client_has_;  ///< of qSupported: names that session.cpp knows
    std::vector<bool> attached_;                           ///< by core
    std::vector<bool> described_;                          ///< by core: the client has read the target's description
    unsigned general_ = 0;                                 ///< core of registers and memory (Hg)
    std::optional<unsigned> named_;                        ///< Qtessera.core; empty: general_
    std::optional<unsigned> killed_;                       ///< the core that gdb has killed last, to begin it again
    bool extended_ = false;                                ///< the client stays when its last core is killed
    std::optional<ThreadId> moved_;                        ///< those of c and s (Hc); empty: all
    Stopped stopped_;
    std::optional<Resume> running_;
};

}  // namespace tessera::gdb
