// Parsing of protobuf messages from outside.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/files/file_error.h"
#include "conformance/files/limits.h"

namespace google::protobuf {
class Descriptor;
class Message;
}  // namespace google::protobuf

namespace touchstone::conformance {

/// Parses `bytes` into `message`, within Limits::fields_per_message, nesting and string_bytes. Writes nothing to
/// stderr. Throws FileError: no bytes at all, or more than `longest` (below 2^31); not the wire format, or truncated; a
/// string that is not UTF-8; a limit exceeded.
void parse_message(google::protobuf::Message& message, std::string_view bytes, const std::string& origin,
                   std::uint64_t longest = limits().file_bytes);

// The two steps of it: the first allocates nothing, and what it lets pass the second can be trusted with.

void examine_message(const google::protobuf::Descriptor& type, std::string_view bytes, const std::string& origin,
                     std::uint64_t longest);
void parse_examined_message(google::protobuf::Message& message, std::string_view bytes, const std::string& origin);

}  // namespace touchstone::conformance
