// Parsing of protobuf messages from outside.
#pragma once

#include <string>
#include <string_view>

#include "conformance/files/file_error.h"

namespace google::protobuf {
class Message;
}

namespace touchstone::conformance {

/// Parses `bytes` into `message`, within limits::fields_per_message and limits::nesting. Writes nothing to stderr.
/// Throws FileError: no bytes at all; not the wire format, or truncated; a string that is not UTF-8; a limit exceeded.
void parse_message(google::protobuf::Message& message, std::string_view bytes, const std::string& origin);

}  // namespace touchstone::conformance
