# SPDX-License-Identifier: Apache-2.0
# A wheel of what an existing build tree holds: pip install --config-settings=cmake.define.TESSERA_BUILD=FOLDER . Nothing is compiled.

add_custom_target(tessera_cli)
add_custom_target(tessera_python)
install(DIRECTORY "${TESSERA_BUILD}/python/tessera" DESTINATION . COMPONENT wheel PATTERN __pycache__ EXCLUDE)
install(PROGRAMS "${TESSERA_BUILD}/tessera" DESTINATION "${SKBUILD_SCRIPTS_DIR}" COMPONENT wheel)
install(CODE "
    file(GLOB module \"\${CMAKE_INSTALL_PREFIX}/tessera/_core*.so\")
    execute_process(COMMAND [[${CMAKE_STRIP}]] [[${SKBUILD_SCRIPTS_DIR}/tessera]] \${module} COMMAND_ERROR_IS_FATAL ANY)
" COMPONENT wheel)
