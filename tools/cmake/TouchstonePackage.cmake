# The CMake package: find_package(Touchstone) gives Touchstone::spec, Touchstone::reference, Touchstone::optimized and
# Touchstone::conformance, and the layers that these link; with COMPONENTS googletest also Touchstone::googletest.
include(CMakePackageConfigHelpers)
set(touchstone_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Touchstone)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/TouchstoneConfig.cmake.in ${PROJECT_BINARY_DIR}/TouchstoneConfig.cmake
  INSTALL_DESTINATION ${touchstone_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TouchstoneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TouchstoneConfig.cmake ${PROJECT_BINARY_DIR}/TouchstoneConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/TouchstoneLibraryDependencies.cmake
        DESTINATION ${touchstone_package_dir})
install(EXPORT TouchstoneTargets NAMESPACE Touchstone:: DESTINATION ${touchstone_package_dir})
