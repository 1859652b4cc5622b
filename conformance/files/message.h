// Parses untrusted protobuf messages.
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
/// stderr. Throws FileError if `bytes` is empty, longer than `longest` (below 2^31), not in the wire format or
/// truncated, has a string that is not UTF-8, or exceeds a limit.
void parse_message(google::protobuf::Message& message, std::string_view bytes, const std::string& origin,
                   std::uint64_t longest = limits().file_bytes);

// The two steps of parse_message. The first allocates nothing; a message that passes it is safe for the second.

void examine_message(const google::protobuf::Descriptor& type, std::string_view bytes, const std::string& origin,
                     std::uint64_t longest);
void parse_examined_message(google::protobuf::Message& message, std::string_view bytes, const std::string& origin);

}  // namespace touchstone::conformance
