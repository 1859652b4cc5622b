# What Touchstone's libraries link. Also installed, and included by TouchstoneConfig.cmake, so that both find the same
# things.

# ONNX's package asks for a protobuf package of the config kind, which Debian's libprotobuf-dev does not have. CMake's own
# module finds it all the same; a redirect then tells ONNX that protobuf is there.
find_package(Protobuf CONFIG QUIET)
if(NOT Protobuf_FOUND)
  find_package(Protobuf REQUIRED MODULE)
  file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/protobuf-config.cmake "# Found by CMake's module FindProtobuf.\n")
endif()
find_package(ONNX 1.23 REQUIRED CONFIG)
find_package(fmt 9 REQUIRED CONFIG)
find_package(Boost 1.74 REQUIRED CONFIG)  # Multiprecision, headers only
find_package(nlohmann_json 3.11 REQUIRED CONFIG)
find_package(pugixml 1.13 REQUIRED CONFIG)
find_package(Threads REQUIRED)
