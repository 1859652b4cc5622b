#include "conformance/backends/workers/serve.h"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "conformance/backends/workers/framing.h"
#include "conformance/backends/workers/messages.h"
#include "conformance/backends/workers/pipe.h"
#include "conformance/files/limits.h"

namespace touchstone::conformance {

namespace {

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::system_error(errno, std::generic_category(), "cannot write a response");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Returns false at the end of the requests.
bool read_some(int descriptor, FrameReader& reader) {
  const std::span<char> room = reader.room();
  ssize_t count = 0;
  do count = ::read(descriptor, room.data(), room.size());
  while (count < 0 && errno == EINTR);
  if (count < 0) throw std::system_error(errno, std::generic_category(), "cannot read requests");
  reader.arrived(static_cast<std::size_t>(count));
  return count > 0;
}

UnitAnswer answer(Backend& backend, const ReceivedRequest& request) {
  Unit unit{request.case_id, request.model, {}};
  for (const std::vector<NamedTensor>& inputs : request.input_sets) unit.inputs.emplace_back(inputs);
  return backend.run(unit);
}

}  // namespace

void serve(Backend& backend, const Capabilities& declared, int requests, int responses) {
  const NoSigpipe guard;
  write_all(responses, hello_frame({backend.identity(), declared}));
  FrameReader reader;
  reader.set_limit(limits().message_bytes);
  do {
    while (const auto message = reader.next()) {
      const ReceivedRequest request = read_request(*message);
      write_all(responses, response_frame(request.number, answer(backend, request)));
    }
  } while (read_some(requests, reader));
  if (const std::string unfinished = reader.unfinished(); !unfinished.empty())
    throw ProtocolError("the input ends in the middle of a request: " + unfinished);
}

}  // namespace touchstone::conformance
