#include "conformance/run/line_chain.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "conformance/files/sha256.h"

namespace touchstone::conformance {

namespace {

constexpr std::string_view checksum_member = R"(,"checksum":")";
constexpr std::string_view checksum_end = R"("})";
constexpr std::size_t checksum_size = 64;
constexpr std::size_t suffix_size = checksum_member.size() + checksum_size + checksum_end.size();

constexpr std::string_view time_member = R"(,"time":)";

/// The place of the member "time" at the end of an object, or of the brace if the object does not end with one.
std::size_t place_of_time(std::string_view object) {
  const std::size_t place = object.rfind(time_member);
  const bool is_last = place != object.npos && object.find_first_of("{}[],", place + 1) == object.size() - 1;
  return is_last ? place : object.size() - 1;
}

}  // namespace

std::string LineChain::add(std::string_view object) {
  const std::size_t time = place_of_time(object);
  sum_ = sha256({sum_, object.substr(0, time), "}"});
  return sha256({sum_, object.substr(time)});
}

std::string LineChain::append(std::string_view object) {
  const bool has_newline = object.ends_with('\n');
  if (has_newline) object.remove_suffix(1);
  const std::string checksum = add(object);
  object.remove_suffix(1);  // the brace
  return fmt::format("{}{}{}{}{}", object, checksum_member, checksum, checksum_end, has_newline ? "\n" : "");
}

std::string LineChain::verify(std::string_view line) {
  const std::size_t object_size = line.size() < suffix_size ? 0 : line.size() - suffix_size;
  const std::string_view suffix = line.substr(object_size);
  if (!suffix.starts_with(checksum_member) || !suffix.ends_with(checksum_end) || suffix.size() != suffix_size)
    throw std::runtime_error("does not end with a checksum");
  std::string object = fmt::format("{}}}", line.substr(0, object_size));
  LineChain next = *this;
  if (suffix.substr(checksum_member.size(), checksum_size) != next.add(object))
    throw std::runtime_error(
        "does not have the checksum that follows from the lines before it: this line was changed, or lines before it "
        "were removed, repeated or moved; run the cases again");
  *this = std::move(next);
  return object;
}

}  // namespace touchstone::conformance
