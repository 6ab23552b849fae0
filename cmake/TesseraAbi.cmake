# SPDX-License-Identifier: Apache-2.0
# libtessera_bh.so and libtessera_wh.so, each in a folder of its own: tt-umd looks for soc_descriptor.yaml beside the library.
set(abi_dir "${PROJECT_SOURCE_DIR}/src/abi")
add_executable(tessera_describe_chip "${abi_dir}/describe_chip.cpp")
target_include_directories(tessera_describe_chip PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(tessera_describe_chip PRIVATE tessera::tessera fmt::fmt tessera_warnings)
foreach(chip blackhole:bh wormhole:wh)
    string(REPLACE ":" ";" chip "${chip}")
    list(GET chip 0 name)
    list(GET chip 1 short)
    add_library(tessera_${short} MODULE
        "${abi_dir}/library.cpp" "${abi_dir}/settings.cpp" "${abi_dir}/reports.cpp" "${abi_dir}/trace_file.cpp" "${abi_dir}/${name}.cpp")
    target_include_directories(tessera_${short} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(tessera_${short} PRIVATE tessera::tessera fmt::fmt nlohmann_json::nlohmann_json tessera_warnings)
    # Only the C functions are seen from outside: several copies, and other versions of the C++ library, live in one process.
    target_link_options(tessera_${short} PRIVATE
        "LINKER:--version-script=${abi_dir}/libtessera.map" "LINKER:--exclude-libs,ALL" "LINKER:--no-undefined")
    set_target_properties(tessera_${short} PROPERTIES
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/drop-in/${name}"
        LINK_DEPENDS "${abi_dir}/libtessera.map")
    set(descriptor "${PROJECT_BINARY_DIR}/drop-in/${name}/soc_descriptor.yaml")
    add_custom_command(OUTPUT "${descriptor}"
        COMMAND tessera_describe_chip ${name} > "${descriptor}" DEPENDS tessera_describe_chip VERBATIM)
    add_custom_target(tessera_${short}_descriptor ALL DEPENDS "${descriptor}")
    add_dependencies(tessera_${short}_descriptor tessera_${short})
endforeach()
