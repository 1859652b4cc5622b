// Reads any bytes from the pipe between Touchstone and a worker. Either a ProtocolError describes the fault, or the
// messages are written and read again as the same ones.
//
// The last byte selects the reader, the one before it the number of bytes per read, and the one before that the number
// of input sets.
#include <FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/backends/workers/framing.h"
#include "conformance/backends/workers/messages.h"
#include "conformance/files/limits.h"
#include "fuzz/law.h"

using namespace touchstone::conformance;
using touchstone::fuzz::require;

namespace {

constexpr std::size_t room_at_a_time = 16;  // small, so that messages often need several reads

bool same(const NamedTensor& a, const NamedTensor& b) {
  return a.name == b.name && touchstone::fuzz::same(a.value, b.value);
}

bool same(const Refusal& a, const Refusal& b) { return a.reason == b.reason; }
/// The second was read from the first, which prepends the origin to the detail again.
bool same(const Breakdown& a, const Breakdown& b) { return a.kind == b.kind && b.detail.ends_with(a.detail); }

template <class... T>
bool same(const std::variant<T...>& a, const std::variant<T...>& b);

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& one, const T& other) { return same(one, other); });
}

template <class... T>
bool same(const std::variant<T...>& a, const std::variant<T...>& b) {
  return a.index() == b.index() &&
         std::visit([&](const auto& one) { return same(one, std::get<std::decay_t<decltype(one)>>(b)); }, a);
}

/// The message of a frame that this program wrote.
std::string message_in(const std::string& frame) {
  FrameReader reader(frame.size());
  reader.set_limit(limits().message_bytes);
  std::ranges::copy(frame, reader.room().begin());
  reader.arrived(frame.size());
  const auto message = reader.next();
  require(message.has_value() && reader.unfinished().empty(), "what is written is one frame");
  return std::string(*message);
}

class Host {
 public:
  explicit Host(std::size_t input_sets) : input_sets_(input_sets) {}

  std::uint64_t limit() const { return number_ == 0 ? limits().hello_bytes : longest_response(1); }

  void read(std::string_view message) {
    if (number_++ == 0) {
      const Greeting hello = read_hello(message);
      const Greeting again = read_hello(message_in(hello_frame(hello)));
      require(again.identity == hello.identity && again.capabilities == hello.capabilities, "Hello is read again");
    } else {
      const UnitAnswer answer = read_response(message, number_ - 1, input_sets_);
      const UnitAnswer again = read_response(message_in(response_frame(1, answer)), 1, input_sets_);
      require(same(answer, again), "a response is read again");
    }
  }

 private:
  std::size_t input_sets_;
  std::uint64_t number_ = 0;
};

class Worker {
 public:
  std::uint64_t limit() const { return limits().message_bytes; }

  void read(std::string_view message) {
    const ReceivedRequest request = read_request(message);
    Unit unit{request.case_id, request.model, {}};
    for (const auto& inputs : request.input_sets) unit.inputs.emplace_back(inputs);
    const ReceivedRequest again = read_request(message_in(request_frame(request.number, unit)));
    require(again.number == request.number && again.case_id == request.case_id && again.model == request.model &&
                same(again.input_sets, request.input_sets),
            "a request is read again");
  }
};

template <class Side>
void listen(Side side, std::string_view bytes, std::size_t at_a_time) {
  FrameReader reader(room_at_a_time);
  while (!bytes.empty()) {
    const std::span<char> room = reader.room();
    const std::size_t count = std::min({room.size(), bytes.size(), at_a_time});
    std::copy_n(bytes.begin(), count, room.begin());
    reader.arrived(count);
    bytes.remove_prefix(count);
    reader.set_limit(side.limit());
    while (const auto message = reader.next()) {
      side.read(*message);
      reader.set_limit(side.limit());
    }
    reader.unfinished();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider provider(data, size);
  const bool is_worker = provider.ConsumeIntegral<std::uint8_t>() % 2 == 1;
  const std::size_t at_a_time = std::size_t{1} + provider.ConsumeIntegral<std::uint8_t>();
  const std::size_t input_sets = provider.ConsumeIntegral<std::uint8_t>() % 4;
  const std::string bytes = provider.ConsumeRemainingBytesAsString();
  try {
    if (is_worker)
      listen(Worker(), bytes, at_a_time);
    else
      listen(Host(input_sets), bytes, at_a_time);
  } catch (const ProtocolError&) {
    return 0;
  }
  return 0;
}
