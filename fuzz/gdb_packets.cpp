// SPDX-License-Identifier: Apache-2.0
// Fuzzes the packets of a debugger: what a client sends to a session about a tile that runs two small kernels, or two such tiles of a chip.
#include "fuzz/support/fuzzer.hpp"
#include "gdb/chip_target.hpp"
#include "gdb/job_target.hpp"
#include "gdb/session.hpp"
#include "support/kernel_image.hpp"
#include "support/riscv_words.hpp"
#include "util/hex.hpp"

namespace tessera::fuzz {

namespace {

KernelImage kernel(const std::vector<std::uint32_t>& code, std::uint32_t entry) { return test::image_of("kernel.elf", code, entry); }

Kernels kernels_of(Arch arch) {
    using namespace test::rv;
    using test::rv::Op;
    Kernels kernels;
    kernels.arch = arch;
    const auto count = i(Op::addi, a0, a0, 1), keeps = store(Op::sw, a0, 0x40, zero), more = i(Op::slti, a1, a0, 30);
    kernels.images[0] = kernel({count, keeps, more, branch(Op::bne, a1, zero, -12), halt}, 0x6000);
    kernels.images[2] = kernel({i(Op::lw, a0, zero, 0x40), branch(Op::beq, a0, zero, -4), halt}, 0x8000);
    return kernels;
}

std::string packet(std::string_view payload) { return gdb::framed(payload); }

std::vector<std::string> seeds() {
    const std::string connect = packet("qSupported:multiprocess+;swbreak+;hwbreak+;error-message+") + packet("QStartNoAckMode");
    std::vector<std::string> all;
    for (const char* const text :
         {"?", "!", "g", "p20", "P0a=01000000", "G00", "m6000,40", "M40,4:01020304", "X40,4:abcd", "Z0,6004,4", "z0,6004,4",
          "Z0,6004,4;X7,26000a22051327", "Z2,40,4", "Z3,40,4", "Z4,ffb00000,8", "vCont?", "vCont;c", "vCont;s:p1.1", "vCont;s:p1.1;c:p3.-1",
          "vCont;r6000,600c:p1.1", "vCont;c:p1.1", "bs", "bc", "c", "s", "C05;6000", "D;1", "D", "vRun;", "Z0,6008,4;", "vCont;c:p6.1", "Hgp8.1", "k", "vKill;2", "vAttach;2", "Hg p1.1", "Hgp3.1",
          "Hcp-1.-1", "Tp1.1", "qC", "qfThreadInfo", "qsThreadInfo", "qAttached:1", "qThreadExtraInfo,p1.1", "qXfer:features:read:target.xml:0,fff",
          "qXfer:threads:read::0,100", "qXfer:osdata:read:processes:0,100", "qXfer:exec-file:read:1:0,40", "vFile:setfs:0",
          "vFile:open:6b65726e656c2e656c66,0,0", "vFile:pread:1,10,0", "vFile:fstat:1", "vFile:close:1"})
        all.push_back(connect + packet("Z0,6008,4") + packet("vCont;c") + packet(text) + packet("bc"));
    for (const char* const text : {"help", "cores", "waiting", "wrote 0x40", "break MOP T1", "break semaphore 1", "break finding", "delete", "last 3",
                                   "print dst 0", "tiles", "tile 1,0 cores", "tile 1,0 break semaphore 1", "dst_tile 0 Float16", "fifo", "semaphores", "mutexes", "lregs 0", "srca 0 0", "print l1 0x40 8", "print lane_flags",
                                   "print gpr 1 0:4 as Int32"})
        all.push_back(connect + packet("vCont;s:p1.1") + packet("qRcmd," + util::to_hex(std::string_view(text))));
    return all;
}

void converse(gdb::Target& target, std::string_view input) {
    gdb::Session session(target);
    // A client that waits for an answer for long sends Ctrl-C.
    unsigned asked = 0;
    std::size_t sent = 0;
    const gdb::Session::Line line{[&](std::string_view bytes) { sent += bytes.size(); },
                                  [&] { return ++asked % 4 == 0 ? std::string("\x03") : std::string(); }};
    // In pieces, as a network brings them.
    constexpr std::size_t piece = 61, most = 4096;
    for (std::size_t at = 0; at < std::min(input.size(), most) && !session.over(); at += piece) session.receive(input.substr(at, piece), line);
    require(sent < std::size_t{64} << 20, "answers are bounded");
}

RunOptions short_run() {
    RunOptions options;
    options.max_cycles = 5'000;
    return options;
}

void run_tile(Arch arch, const Kernels& kernels, std::string_view input) {
    static const Core begun[] = {Core(Arch::blackhole), Core(Arch::wormhole)};
    Core core(begun[arch == Arch::wormhole]);
    require(core.load(kernels).has_value(), "kernels fit");
    auto execution = Execution::begin(core, kernels, short_run());
    require(execution.has_value(), "a run begins");
    gdb::JobTarget target(*execution);
    converse(target, input);
}

void run_chip(Arch arch, const Kernels& kernels, std::string_view input) {
    ChipOptions options;
    options.grid = ChipOptions::Size{2, 1};
    auto chip = Chip::make(arch, options);
    require(chip.has_value(), "a chip has two tiles");
    for (unsigned column = 0; column < 2; ++column) require(chip->load(column, 0, kernels).has_value(), "kernels fit");
    ChipRunOptions how;
    how.tile = short_run();
    auto view = chip::DebugView::begin(*chip, how);
    require(view.has_value(), "a run begins");
    gdb::ChipTarget target(std::move(*view));
    converse(target, input);
}

void run(std::string_view input) {
    const Arch arch = input.size() % 2 ? Arch::wormhole : Arch::blackhole;
    const Kernels kernels = kernels_of(arch);
    constexpr std::size_t every = 3;
    (input.size() % every == 0 ? run_chip : run_tile)(arch, kernels, input);
}

}  // namespace

const Fuzzer gdb_packets_fuzzer{"gdb_packets", seeds, run};

}  // namespace tessera::fuzz
