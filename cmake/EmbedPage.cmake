# SPDX-License-Identifier: Apache-2.0
# Writes a C++ file with the bytes of each page part of DIRECTORY: cmake -DDIRECTORY=… -DOUTPUT=… -P EmbedPage.cmake

file(GLOB parts "${DIRECTORY}/*.html" "${DIRECTORY}/*.css" "${DIRECTORY}/*.js")
set(arrays "")
set(rows "")
set(number 0)
foreach(part IN LISTS parts)
    get_filename_component(name "${part}" NAME)
    file(READ "${part}" bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "constexpr unsigned char part_${number}[] = {${bytes}};\n")
    string(APPEND rows "    {\"${name}\", {reinterpret_cast<const char*>(part_${number}), sizeof part_${number}}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Made by EmbedPage.cmake.
#include \"viewer/page.hpp\"

namespace tessera::viewer {

namespace {

${arrays}
const PagePart parts[] = {
${rows}};

}  // namespace

std::span<const PagePart> page_parts() { return parts; }

}  // namespace tessera::viewer
")
