# What Touchstone links: its libraries, and its program beside.

# The program loads libraries of others (lib:PATH), which may bring Protocol Buffers and ONNX's messages of their own. A
# shared libprotobuf would take the place of theirs; what is linked into the program stays in it.
find_library(TOUCHSTONE_STATIC_PROTOBUF libprotobuf.a)
mark_as_advanced(TOUCHSTONE_STATIC_PROTOBUF)
if(TOUCHSTONE_STATIC_PROTOBUF)
  # What the module FindProtobuf takes before it looks, also in a build that had the shared one.
  set(Protobuf_LIBRARY_RELEASE ${TOUCHSTONE_STATIC_PROTOBUF})
  set(Protobuf_LIBRARY_DEBUG ${TOUCHSTONE_STATIC_PROTOBUF})
endif()
include(TouchstoneLibraryDependencies)
find_package(CLI11 2.1 REQUIRED CONFIG)
