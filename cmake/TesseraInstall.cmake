# SPDX-License-Identifier: Apache-2.0
# Installs library, headers and CLI, for find_package(tessera CONFIG) and pkg-config.

include(CMakePackageConfigHelpers)

option(TESSERA_INSTALL_STRIPPED "Install without debug information" ON)
if(TESSERA_INSTALL_STRIPPED)
    install(CODE "set(CMAKE_INSTALL_DO_STRIP TRUE)")
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tessera")

install(TARGETS tessera EXPORT tesseraTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS tessera_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
# In place of the vendor's simulator (docs/tt-metal.md): a folder for each chip, in which tt-umd looks for the description, too.
foreach(chip blackhole:bh wormhole:wh)
    string(REPLACE ":" ";" chip "${chip}")
    list(GET chip 0 name)
    list(GET chip 1 short)
    set_target_properties(tessera_${short} PROPERTIES INSTALL_RPATH "$<$<BOOL:${BUILD_SHARED_LIBS}>:$ORIGIN/../..>")
    install(TARGETS tessera_${short} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/tessera/${name}")
    install(FILES "${PROJECT_BINARY_DIR}/drop-in/${name}/soc_descriptor.yaml" DESTINATION "${CMAKE_INSTALL_LIBDIR}/tessera/${name}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tessera" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/NOTICE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}" FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
    PATTERN "*.json")
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION "${package_dir}")

# A static library's dependencies are linked by the program that uses it.
get_target_property(library_type tessera TYPE)
set(TESSERA_IS_STATIC OFF)
if(library_type STREQUAL "STATIC_LIBRARY")
    set(TESSERA_IS_STATIC ON)
    # CMake strips programs and shared objects alone.
    install(CODE "
        if(CMAKE_INSTALL_DO_STRIP)
            set(library_dir [[${CMAKE_INSTALL_LIBDIR}]])
            cmake_path(ABSOLUTE_PATH library_dir BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
            execute_process(COMMAND [[${CMAKE_STRIP}]] --strip-unneeded \"\$ENV{DESTDIR}\${library_dir}/$<TARGET_FILE_NAME:tessera>\"
                COMMAND_ERROR_IS_FATAL ANY)
        endif()")
endif()

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/tesseraConfig.cmake.in" "${PROJECT_BINARY_DIR}/tesseraConfig.cmake"
    INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tesseraConfig.cmake" "${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake"
    DESTINATION "${package_dir}")

# GNUInstallDirs allows absolute directories. With relative ones the installation can be moved, because no file names the prefix.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pkgconfig_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" pkgconfig_PREFIX "\${pcfiledir}/${up}")
    file(RELATIVE_PATH up "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(tessera_cli PROPERTIES INSTALL_RPATH "$<$<NOT:$<BOOL:${TESSERA_IS_STATIC}>>:$ORIGIN/${up}>")
endif()
foreach(dir IN ITEMS LIBDIR INCLUDEDIR)
    cmake_path(APPEND pkgconfig_${dir} "\${prefix}" "${CMAKE_INSTALL_${dir}}")
endforeach()
if(TESSERA_IS_STATIC)
    set(pkgconfig_requires "Requires: fmt libdw libelf zlib")
else()
    set(pkgconfig_requires "Requires.private: fmt libdw libelf zlib")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/tessera.pc.in" "${PROJECT_BINARY_DIR}/tessera.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/tessera.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
