# The dependencies of Touchstone's libraries. Also installed, and included by TouchstoneConfig.cmake, so that both find
# the same packages. The libraries spec and optimized need only the first one. `touchstone_uses_reference` and
# `touchstone_uses_conformance` say whether these are used, too.

find_package(Threads REQUIRED)

if(touchstone_uses_reference)
  find_package(fmt 9 REQUIRED CONFIG)
  find_package(Boost 1.74 REQUIRED CONFIG)  # Multiprecision, headers only
endif()

if(touchstone_uses_conformance)
  # ONNX's package requires protobuf's CMake config package, which Debian's libprotobuf-dev lacks. CMake's own module
  # finds protobuf anyway; a redirect then makes it visible to ONNX.
  find_package(Protobuf CONFIG QUIET)
  if(NOT Protobuf_FOUND)
    find_package(Protobuf REQUIRED MODULE)
    file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/protobuf-config.cmake "# CMake's module FindProtobuf has found it.\n")
  endif()
  find_package(ONNX 1.23 REQUIRED CONFIG)
  find_package(nlohmann_json 3.11 REQUIRED CONFIG)
  find_package(pugixml 1.13 REQUIRED CONFIG)
  set(OPENSSL_USE_STATIC_LIBS ON)  # like protobuf, private to the program, which loads third-party libraries
  find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)  # SHA-256
  set(ZLIB_USE_STATIC_LIBS ON)
  find_package(ZLIB 1.2.13 REQUIRED)  # gzip
endif()
