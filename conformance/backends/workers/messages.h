// The messages of worker.proto, from and to what backends take and give. All that comes from the other side is checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/backend.h"
#include "conformance/backends/capabilities.h"

namespace touchstone::conformance {

inline constexpr std::uint32_t protocol_version = 1;

struct Greeting {
  BackendIdentity identity;
  Capabilities capabilities;
};

struct ReceivedRequest {
  std::uint64_t number;
  std::string case_id;
  std::string model;
  std::vector<std::vector<NamedTensor>> input_sets;
};

// Each of these is a message with its size before it, ready to be written.

std::string hello_frame(const Greeting& greeting);
std::string request_frame(std::uint64_t number, const Unit& unit);
/// A Breakdown::protocol of one input set is a defect. Any other Breakdown has no message of its own, and throws
/// std::runtime_error: whoever asked has to see it.
std::string response_frame(std::uint64_t number, const UnitAnswer& answer);

// Each of these takes a message without its size, and throws ProtocolError: it cannot be read, is of another version,
// or says something that cannot be.

Greeting read_hello(std::string_view message);
ReceivedRequest read_request(std::string_view message);
/// The answer to the request with this number, which had so many input sets.
UnitAnswer read_response(std::string_view message, std::uint64_t number, std::size_t input_sets);

/// The longest message that may answer a request of so many bytes: no element of an output takes more than 64 bits, and
/// none is there without an input's.
std::uint64_t longest_response(std::uint64_t request_bytes);

}  // namespace touchstone::conformance
