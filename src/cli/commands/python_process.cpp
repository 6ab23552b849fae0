// SPDX-License-Identifier: Apache-2.0
#include "commands/python_process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "program_folder.hpp"

namespace tessera::cli {

namespace {

namespace fs = std::filesystem;

// `python3 -m` would search the current folder first, and end with status 1 without the package.
constexpr const char* start = R"python(
import sys
if sys.path[0] == "":
    del sys.path[0]
try:
    from {module} import main
except ImportError as error:
    cure = ("install it (Debian: python3-numpy; or pip install numpy)" if error.name == "numpy" else
            "set TESSERA_PYTHON to the Python that has the package tessera, or install the package")
    print(f"tessera: {sys.executable}: {error}; {cure} [cli.python]", file=sys.stderr)
    sys.exit(2)
sys.exit(main())
)python";

std::string start_of(const std::string& module) {
    constexpr std::string_view place = "{module}";
    std::string text = start;
    return text.replace(text.find(place), place.size(), module);
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

struct Python {
    std::string interpreter;
    fs::path packages;  ///< the folder with the package; empty: where the interpreter looks by itself
};

// The build defines TESSERA_PYTHON_NAME ("python3.11") and TESSERA_PYTHON_EXECUTABLE of its interpreter, and the way from the installed
// program to the package: TESSERA_PYTHON_FROM_BIN.

/// Ways from the program's folder to the package's, and to that of the interpreter which has it.
struct Place {
    const char *packages, *interpreters;
};
constexpr Place places[] = {
    {"python", nullptr},             // a build tree
    {TESSERA_PYTHON_FROM_BIN, "."},  // a prefix, or a virtual environment
    {"..", "../../../../bin"},       // a wheel for other computers: the program is in site-packages/tessera.scripts
};

Python find_python() {
    const fs::path here = program_folder();
    std::error_code error;
    Python python{fs::exists(TESSERA_PYTHON_EXECUTABLE, error) ? TESSERA_PYTHON_EXECUTABLE : TESSERA_PYTHON_NAME, {}};
    for (const Place& place : places) {
        const fs::path folder = (here / place.packages).lexically_normal();
        if (!fs::exists(folder / "tessera/__init__.py", error)) continue;
        python.packages = folder;
        const fs::path own = here / (place.interpreters ? place.interpreters : "") / TESSERA_PYTHON_NAME;
        if (place.interpreters && fs::exists(own, error)) python.interpreter = own.lexically_normal().string();
        break;
    }
    if (const std::string named = variable("TESSERA_PYTHON"); !named.empty()) python.interpreter = named;
    return python;
}

}  // namespace

Error become_python(const std::string& module, const std::string& argument) {
    const Python python = find_python();
    if (!python.packages.empty()) {
        const std::string others = variable("PYTHONPATH");
        setenv("PYTHONPATH", (python.packages.string() + (others.empty() ? "" : ":" + others)).c_str(), 1);
    }
    std::array<std::string, 4> words = {python.interpreter, "-c", start_of(module), argument};
    std::array<char*, words.size() + 1> argv{};
    for (std::size_t i = 0; i < words.size(); ++i) argv[i] = words[i].data();
    execvp(argv[0], argv.data());
    return fail("cli.python",
                fmt::format(
                    "cannot start '{}': {}; set TESSERA_PYTHON to the path of a Python that has the package tessera",
                    python.interpreter, std::strerror(errno)))
        .value();
}

}  // namespace tessera::cli
