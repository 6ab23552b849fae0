# SPDX-License-Identifier: Apache-2.0
# The parts of the viewer's page, embedded in the library as bytes.

set(viewer_page_dir "${PROJECT_SOURCE_DIR}/src/viewer/page")
set(viewer_page_source "${PROJECT_BINARY_DIR}/viewer_page.cpp")
file(GLOB viewer_page_parts CONFIGURE_DEPENDS
    "${viewer_page_dir}/*.html" "${viewer_page_dir}/*.css" "${viewer_page_dir}/*.js")
add_custom_command(
    OUTPUT "${viewer_page_source}"
    COMMAND "${CMAKE_COMMAND}" "-DDIRECTORY=${viewer_page_dir}" "-DOUTPUT=${viewer_page_source}"
        -P "${CMAKE_CURRENT_LIST_DIR}/EmbedPage.cmake"
    DEPENDS ${viewer_page_parts} "${CMAKE_CURRENT_LIST_DIR}/EmbedPage.cmake"
    VERBATIM)
target_sources(tessera PRIVATE "${viewer_page_source}")
