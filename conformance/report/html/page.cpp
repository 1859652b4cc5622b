#include "conformance/report/html/page.h"

#include <boost/algorithm/hex.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <iterator>
#include <map>
#include <string>

namespace touchstone::conformance {

namespace {

/// "sha256-..." as in a Content-Security-Policy.
std::string policy_hash(std::string_view sha256_in_hex) {
  using namespace boost::archive::iterators;
  std::string bytes;
  boost::algorithm::unhex(sha256_in_hex.begin(), sha256_in_hex.end(), std::back_inserter(bytes));
  using Base64 = base64_from_binary<transform_width<std::string::const_iterator, 6, 8>>;
  const std::string digits(Base64(bytes.begin()), Base64(bytes.end()));
  return "sha256-" + digits + std::string((4 - digits.size() % 4) % 4, '=');
}

/// The JSON without "<", so that no text in it can end the script element around it.
std::string script_safe(std::string_view json) {
  return boost::algorithm::replace_all_copy(std::string(json), "<", "\\u003c");
}

}  // namespace

void write_page(const HtmlPage& page, const std::function<void(const Sink&)>& write_data, const Sink& sink) {
  const std::map<std::string_view, std::string> contents{
      {"style", std::string(page.style)},
      {"style hash", policy_hash(page.style_sha256)},
      {"script", std::string(page.script)},
      {"script hash", policy_hash(page.script_sha256)},
  };
  std::string_view rest = page.page;
  for (std::size_t begin = rest.find("{{"); begin != std::string_view::npos; begin = rest.find("{{")) {
    const std::size_t end = rest.find("}}", begin);
    const std::string_view name = rest.substr(begin + 2, end - begin - 2);
    sink(rest.substr(0, begin));
    if (name == "data")
      write_data([&](std::string_view part) { sink(script_safe(part)); });
    else
      sink(contents.at(name));
    rest.remove_prefix(end + 2);
  }
  sink(rest);
}

}  // namespace touchstone::conformance
