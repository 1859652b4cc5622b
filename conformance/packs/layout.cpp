#include "conformance/packs/layout.h"

#include <fmt/format.h>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <cstddef>
#include <locale>

#include "conformance/plan/digest.h"
#include "conformance/plan/planned_case.h"

namespace touchstone::conformance {

namespace {

/// File systems allow names of 255 bytes.
constexpr std::size_t longest_name = 250;

}  // namespace

std::string test_name(const std::string& id) {
  // ONNX names its tests after the operator in lower case, and users have patterns for these names.
  std::string rest = boost::replace_all_copy(id, "quantize_linear", "quantizelinear");
  // Otherwise an axis of -1 would have the same name as an axis of 1.
  boost::replace_all(rest, "/-", "/minus_");
  const auto is_of_names = boost::is_alnum(std::locale::classic());
  std::string name = "test";
  bool is_gap = true;
  for (const char letter : rest) {
    if (is_of_names(letter)) {
      if (is_gap) name += '_';
      name += letter;
    }
    is_gap = !is_of_names(letter);
  }
  if (name.size() <= longest_name) return name;
  const std::string suffix = fmt::format("_{:016x}", Digest().add(id).value());
  return name.substr(0, longest_name - suffix.size()) + suffix;
}

std::filesystem::path pack_path(const std::string& id, bool must_reject) {
  const std::string_view part = id.starts_with(control_prefix) ? controls_part
                                : must_reject                  ? must_reject_part
                                                               : cases_part;
  return std::filesystem::path(part) / test_name(id);
}

std::string output_name(std::size_t number) { return fmt::format("output_{}.pb", number); }

}  // namespace touchstone::conformance
