// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "portable.hpp"
#include "tessera/assembly.hpp"

namespace tessera::python {

namespace {

std::string describe(const Program& program) {
    return fmt::format("<tessera.Program for {}: {}, {} and {} ops>", name(program.arch), program.threads[0].size(),
                       program.threads[1].size(), program.threads[2].size());
}

Op::Kind make_kind(std::uint64_t number) {
    const auto kind = static_cast<Op::Kind>(number);
    if (static_cast<std::uint64_t>(kind) != number || !Enumeration<Op::Kind>::has(kind))
        raise_value(fmt::format("{} is no kind of an Op; Op.Kind.__members__ has them all", number));
    return kind;
}

void bind_ops(py::module_& module) {
    py::class_<Op> op(module, "Op", "An act of a thread's RISC-V core.");
    py::enum_<Op::Kind> kind(op, "Kind", "The kind of act (docs/assembly.md, Directives).");
    kind.value("ins", Op::Kind::ins, "Pushes instruction word `value` (plain, not rotated) into the thread's FIFO.")
        .value("cfg", Op::Kind::cfg, "Stores `value` to 32-bit word `index` of the backend configuration.")
        .value("gpr", Op::Kind::gpr, "Stores `value` to the thread's GPR `index`.")
        .value("mop", Op::Kind::mop, "Stores `value` to the thread's MOP configuration word `index`.")
        .value("drain", Op::Kind::drain, "Waits until all instructions that the thread has pushed are done.")
        .value("sem_post", Op::Kind::sem_post, "Increments semaphore `index`.")
        .value("sem_get", Op::Kind::sem_get, "Decrements semaphore `index`.")
        .value("sem_wait", Op::Kind::sem_wait,
               "Polls semaphore `index` until it is non-zero (`value` 0) or below its maximum (1).");
    // pybind11's own constructor, and its pickles, take every number.
    kind.attr("__init__") = py::none();
    for (const char* const name : {"__getstate__", "__setstate__"}) py::delattr(kind, name);
    kind.def(py::init(&make_kind), py::arg("value")).def("__reduce__", [](const py::object& self) {
        return py::make_tuple(py::type::of(self), py::make_tuple(py::int_(self)));
    });
    op.def_readonly("kind", &Op::kind, "The kind of act.")
        .def_readonly("index", &Op::index, "See Op.Kind.")
        .def_readonly("value", &Op::value, "See Op.Kind.")
        .def_readonly("line", &Op::line, "Line in the thread's source text, from 1; 0 if unknown.")
        .def("__repr__", [](const Op& one) {
            return fmt::format("<tessera.Op {} {} 0x{:X}>", py::cast(one.kind).attr("name").cast<std::string>(), one.index,
                               one.value);
        });
    make_portable<Op>(op);
}

}  // namespace

void bind_programs(py::module_& module) {
    bind_ops(module);
    py::class_<Program> bound(module, "Program", "The ops of the three threads. assemble() makes one. It never changes.");
    make_portable<Program>(bound);
    bound
        .def_property_readonly(
            "arch", [](const Program& program) { return name(program.arch); }, "'blackhole' or 'wormhole'.")
        .def_readonly("threads", &Program::threads, "The ops of the three threads, as a list of three lists of Op.")
        .def_readonly("files", &Program::files, "The source file of each thread; '' if unknown.")
        .def("place", &Program::place, py::arg("thread"), py::arg("index"), "'file:line' of an op; '' if unknown.")
        .def("__repr__", &describe);

    module.def(
        "assemble",
        [](std::string_view text, std::string_view arch, std::string_view file, unsigned thread, const std::map<std::string, std::int64_t>& symbols) {
            return value_of(assemble(text, to_arch(arch), file, thread, symbols));
        },
        py::arg("text"), py::arg("arch"), py::kw_only(), py::arg("file") = "", py::arg("thread") = 0, py::arg("symbols") = py::dict(),
        R"(Assembles .tts text (docs/assembly.md) to a Program.

Text before the first .thread directive belongs to `thread` (0 to 2). `file` is only used in errors and in places. `symbols` gives
names values before the first line. A name that the text never uses, or only behind an .equ of it, is the Error
'asm.unknown-symbol'.
Raises Error, with file, line and column; its codes are those of docs/reference/assembly-grammar.md.)");
    module.def(
        "assemble_file",
        [](const Path& path, std::string_view arch, unsigned thread, const std::map<std::string, std::int64_t>& symbols) {
            return value_of(assemble_file(path.text(), to_arch(arch), thread, symbols));
        },
        py::arg("path"), py::arg("arch"), py::kw_only(), py::arg("thread") = 0, py::arg("symbols") = py::dict(),
        "assemble() of the contents of a file. Raises also Error 'asm.read'.");
    module.def(
        "disassemble",
        [](std::uint32_t word, std::string_view arch, bool named) {
            return named ? disassemble_named(word, to_arch(arch)) : disassemble(word, to_arch(arch));
        },
        py::arg("word"), py::arg("arch"), py::kw_only(), py::arg("named") = false,
        R"(One plain instruction word (32 bits, not rotated) as text that assembles to the same word.

In the spelling of the vendor's objdump, 'ttsetadcxx\t1,255,0', or with operands and values by name, zeros left out:
'SETADCXX CntSetMask=A x_end2=255'. An opcode that the architecture lacks gives '.ttinsn\t0x…'.)");
}

}  // namespace tessera::python
