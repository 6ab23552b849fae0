# SPDX-License-Identifier: Apache-2.0
# Files installed with the command line: man pages and shell completions. The Debian package: cpack --preset package.

# Findings name the installed pages: this is the way to them from the installed program.
set(doc_from_bin "${CMAKE_INSTALL_DOCDIR}")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_DOCDIR}")
    file(RELATIVE_PATH doc_from_bin "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_DOCDIR}")
endif()
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/cli/reports/documentation.cpp"
    PROPERTIES COMPILE_DEFINITIONS "TESSERA_DOC_FROM_BIN=\"${doc_from_bin}\"")

# The program writes its own man pages and completions.
if(NOT CMAKE_CROSSCOMPILING)
    set(shell_dir "${PROJECT_BINARY_DIR}/shell")
    file(MAKE_DIRECTORY "${shell_dir}/man1")
    add_custom_command(TARGET tessera_cli POST_BUILD
        COMMAND tessera_cli man --write "${shell_dir}/man1"
        COMMAND tessera_cli completion bash > "${shell_dir}/tessera"
        COMMAND tessera_cli completion zsh > "${shell_dir}/_tessera"
        COMMAND tessera_cli completion fish > "${shell_dir}/tessera.fish"
        VERBATIM)
    install(DIRECTORY "${shell_dir}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
    install(FILES "${shell_dir}/tessera" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${shell_dir}/tessera.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
    # Debian's zsh looks for those of packages in a folder of its own.
    if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
        install(FILES "${shell_dir}/_tessera" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
    else()
        install(FILES "${shell_dir}/_tessera" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    endif()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VENDOR "The Tessera authors")
set(CPACK_PACKAGE_CONTACT "The Tessera authors <tessera@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "The command line, the C++ library with its headers, the Python module, libraries that take the place of the vendor's simulator, and the documents.")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_OUTPUT_FILE_PREFIX "${PROJECT_BINARY_DIR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy, libexpected-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-distributed, python3-matplotlib")
include(CPack)
