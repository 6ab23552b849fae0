# SPDX-License-Identifier: Apache-2.0
# Neighbouring files share one compilation. A file alone takes a second of processor time before its first line: g++ loads the precompiled
# header, and instantiates and optimises the same templates as in its neighbours.

option(TESSERA_GROUPED "Compile neighbouring files together; OFF: each alone, which shows missing #includes" ON)

# Source text per group. A touched file recompiles its group, and that should take about five seconds.
set(tessera_group_bytes 30000)

# Groups a target's files by folder, in the order of their names. Within a folder, names in anonymous namespaces must be unique. Files of
# these rooms stay alone: most take half a second, and they share the documentation's words as names.
set(tessera_rooms_of_single_files arrays formats plan reference units)

function(tessera_group target)
    if(NOT TESSERA_GROUPED)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/(src|bench)/")
    list(JOIN tessera_rooms_of_single_files "|" rooms)
    list(FILTER sources EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/src/(${rooms})/")
    list(SORT sources)
    set(folder "")
    foreach(source IN LISTS sources)
        # Such a file includes itself, once for each set of vector instructions.
        file(STRINGS "${source}" compiled_repeatedly REGEX "define HWY_TARGET_INCLUDE" LIMIT_COUNT 1)
        if(compiled_repeatedly)
            continue()
        endif()
        cmake_path(GET source PARENT_PATH its_folder)
        file(SIZE "${source}" bytes)
        math(EXPR total "${total} + ${bytes}")
        if(NOT its_folder STREQUAL folder)
            set(folder "${its_folder}")
            cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE room)
            string(MAKE_C_IDENTIFIER "${room}" room)
            set(number 1)
            set(total ${bytes})
        elseif(total GREATER tessera_group_bytes)
            math(EXPR number "${number} + 1")
            set(total ${bytes})
        endif()
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${room}_${number}")
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # g++ takes the files of a group for headers, in which no class should have members of anonymous namespaces.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
