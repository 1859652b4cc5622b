#include "conformance/run/line_chain.h"

#include <fmt/format.h>

#include <stdexcept>

#include "conformance/files/sha256.h"

namespace touchstone::conformance {

namespace {

constexpr std::string_view member = R"(,"checksum":")";
constexpr std::string_view member_end = R"("})";
constexpr std::size_t checksum_size = 64;
constexpr std::size_t suffix_size = member.size() + checksum_size + member_end.size();

std::string checksum_of(std::string_view before, std::string_view object) { return sha256({before, object}); }

}  // namespace

std::string LineChain::append(std::string_view object) {
  const bool has_newline = object.ends_with('\n');
  if (has_newline) object.remove_suffix(1);
  checksum_ = checksum_of(checksum_, object);
  object.remove_suffix(1);  // the brace
  return fmt::format("{}{}{}{}{}", object, member, checksum_, member_end, has_newline ? "\n" : "");
}

std::string LineChain::verify(std::string_view line) {
  const std::size_t object_size = line.size() < suffix_size ? 0 : line.size() - suffix_size;
  const std::string_view suffix = line.substr(object_size);
  if (!suffix.starts_with(member) || !suffix.ends_with(member_end) || suffix.size() != suffix_size)
    throw std::runtime_error("does not end with a checksum");
  std::string object = fmt::format("{}}}", line.substr(0, object_size));
  const std::string checksum = checksum_of(checksum_, object);
  if (suffix.substr(member.size(), checksum_size) != checksum)
    throw std::runtime_error(
        "does not have the checksum that follows from the lines before it: this line was changed, or lines before it "
        "were removed, repeated or moved; run the cases again");
  checksum_ = checksum;
  return object;
}

}  // namespace touchstone::conformance
