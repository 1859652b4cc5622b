// Parsing of protobuf messages from outside.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"

namespace google::protobuf {
class Message;
}

namespace touchstone::conformance {

/// Parses `bytes` into `message`, within limits::fields_per_message and limits::nesting. Writes nothing to stderr.
/// Throws FileError: no bytes at all, or more than `longest` (below 2^31); not the wire format, or truncated; a string
/// that is not UTF-8; a limit exceeded.
void parse_message(google::protobuf::Message& message, std::string_view bytes, const std::string& origin,
                   std::uint64_t longest = limits::file_bytes);

}  // namespace touchstone::conformance
