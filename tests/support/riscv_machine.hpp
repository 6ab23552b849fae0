// SPDX-License-Identifier: Apache-2.0
// One hart with its memories, and a bus that records its accesses.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "riscv/hart.hpp"
#include "state/arch_description.hpp"

namespace tessera::test {

class RecordingBus : public riscv::Bus {
public:
    struct Told {
        std::string what;  ///< "load", "store", "push", "status", "watched" or a finding's code
        std::uint32_t address = 0;
        std::vector<std::uint32_t> values;
        riscv::Cycle at = 0;
    };
    std::vector<Told> reported;
    riscv::Response response{};         ///< to loads, stores and pushes
    std::function<void()> before = {};  ///< called before each of them is answered

    riscv::Response load(const riscv::Access& access) override {
        return answer({"load", access.address, {access.bytes}, access.at});
    }
    riscv::Response store(const riscv::Access& access, std::uint32_t value) override {
        return answer({"store", access.address, {value}, access.at});
    }
    riscv::Response push(std::span<const std::uint32_t> words, std::uint32_t pc, riscv::Cycle at) override {
        return answer({"push", pc, {words.begin(), words.end()}, at});
    }
    std::uint32_t status_csr(unsigned number, riscv::Cycle at) override {
        reported.push_back({"status", number, {}, at});
        return response.value;
    }
    void watched_store(const riscv::Access& access) override {
        reported.push_back({"watched", access.address, {}, access.at});
    }
    void note(const findings::Note& note, std::uint32_t, riscv::Cycle at) override {
        reported.push_back(
            {std::string(findings::entry(note.id).code), note.values[0], {note.values.begin(), note.values.end()}, at});
    }

private:
    riscv::Response answer(Told asked) {
        if (before) before();
        reported.push_back(std::move(asked));
        return response;
    }
};

class RiscvMachine {
public:
    static constexpr std::uint32_t local_bytes = 4096, code = 0x1000;

    explicit RiscvMachine(Arch arch, RiscvCore which = RiscvCore::t0, Timing timing = Timing::documented)
        : l1(state::describe(arch).l1_bytes),
          decoded(arch, state::describe(arch).l1_bytes),
          hart(arch, which, timing, state, l1, decoded) {
        state.local.resize(local_bytes);
        hart.reset(code);
        state.running = true;
    }

    void put(std::uint32_t address, std::initializer_list<std::uint32_t> words) {
        for (std::uint32_t word : words) {
            std::memcpy(l1.write(address, sizeof word), &word, sizeof word);
            address += 4;
        }
    }
    std::uint32_t word(std::uint32_t address) const {
        std::uint32_t value;
        std::memcpy(&value, l1.bytes.data() + address, sizeof value);
        return value;
    }

    riscv::Stop run(std::uint32_t instructions, riscv::Cycle limit = riscv::Cycle{1} << 62, riscv::Cycle time = 0) {
        turn.limit = limit;
        turn.instructions = instructions;
        return hart.run(bus, turn, time, change);
    }

    state::Riscv state;
    state::L1 l1;
    riscv::DecodeCache decoded;
    riscv::Hart hart;
    RecordingBus bus;
    riscv::Turn turn;
    std::uint64_t change = 0;
};

}  // namespace tessera::test
