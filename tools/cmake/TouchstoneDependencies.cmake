# The dependencies of Touchstone's libraries and program, as far as these are built.

set(touchstone_uses_conformance ${TOUCHSTONE_BUILD_CONFORMANCE})
set(touchstone_uses_reference OFF)
if(TOUCHSTONE_BUILD_CONFORMANCE OR TOUCHSTONE_BUILD_TESTS)
  set(touchstone_uses_reference ON)  # the tests of the kernels compare them with it
endif()

if(touchstone_uses_conformance)
  # The program loads third-party libraries (lib:PATH), which may contain their own Protocol Buffers and ONNX messages. A
  # shared libprotobuf would be used instead of theirs. A static one stays private to the program.
  find_library(TOUCHSTONE_STATIC_PROTOBUF libprotobuf.a)
  mark_as_advanced(TOUCHSTONE_STATIC_PROTOBUF)
  if(TOUCHSTONE_STATIC_PROTOBUF)
    # FindProtobuf uses these instead of searching, even in a build directory that had the shared library.
    set(Protobuf_LIBRARY_RELEASE ${TOUCHSTONE_STATIC_PROTOBUF})
    set(Protobuf_LIBRARY_DEBUG ${TOUCHSTONE_STATIC_PROTOBUF})
  endif()
  find_package(CLI11 2.1 REQUIRED CONFIG)
endif()
include(TouchstoneLibraryDependencies)

if(TOUCHSTONE_STATIC AND touchstone_uses_conformance)
  set_target_properties(pugixml::pugixml PROPERTIES INTERFACE_LINK_LIBRARIES pugixml::static)
  # Debian has no static fmt. Its headers contain the library, so nothing needs the shared one.
  add_compile_definitions(FMT_HEADER_ONLY)
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--as-needed)
  # A newer C library also runs what is linked with an older one.
  set(TOUCHSTONE_GLIBC "" CACHE PATH "The directory of the glibc to link with, or empty for that of the system")
  if(TOUCHSTONE_GLIBC)
    add_link_options(-B${TOUCHSTONE_GLIBC} -L${TOUCHSTONE_GLIBC})
  endif()
  # The same commit gives the same bytes in any directory.
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
endif()
