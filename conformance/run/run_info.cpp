#include "conformance/run/run_info.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace touchstone::conformance {

std::vector<std::string> RunInfo::settings() const {
  std::vector<std::string> texts;
  if (strict) texts.emplace_back("strict");
  if (sign_of_zero) texts.emplace_back("sign of zero");
  for (const auto& [name, value] : changed_limits) texts.push_back(fmt::format("{}={}", name, value));
  return texts;
}

std::optional<std::int64_t> RunTimes::seconds() const {
  const std::optional<std::int64_t> first = seconds_of(started);
  const std::optional<std::int64_t> last = seconds_of(finished);
  return first && last ? std::optional(*last - *first) : std::nullopt;
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::optional<std::int64_t> seconds_of(const std::string& utc) {
  constexpr std::size_t size = sizeof("2026-11-24T18:25:46Z") - 1;
  std::tm time{};
  const char* end = ::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  if (utc.size() != size || end != utc.c_str() + size) return std::nullopt;
  return ::timegm(&time);
}

}  // namespace touchstone::conformance
