// Converts between the messages of worker.proto and the types of Backend. Everything received is checked.
#pragma once

#include <cstdint>
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

// These return a message preceded by its size, ready to be written.

std::string hello_frame(const Greeting& greeting);
std::string request_frame(std::uint64_t number, const Unit& unit);
/// Encodes what is wrong with the answer to an input set as a defect. Throws std::runtime_error for a crash, a timeout
/// and no answer, because the protocol has no message for them.
std::string response_frame(std::uint64_t number, const UnitAnswer& answer);

// These read a message without its size. They throw ProtocolError if it cannot be parsed, has another protocol version,
// or is invalid.

Greeting read_hello(std::string_view message);
ReceivedRequest read_request(std::string_view message);
/// The answer to the request with this number and this number of input sets.
UnitAnswer read_response(std::string_view message, std::uint64_t number, std::size_t input_sets);

/// The longest valid response to a request of this size: an output element has at most 64 bits, and there are no more
/// output elements than input elements.
std::uint64_t longest_response(std::uint64_t request_bytes);

}  // namespace touchstone::conformance
