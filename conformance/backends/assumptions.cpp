#include "conformance/backends/assumptions.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

#include "conformance/files/names.h"
#include "spec/opset.h"

namespace touchstone::conformance {

namespace {

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

template <class Row>
void add_new(std::vector<Row>& rows, Row row) {
  if (std::ranges::find(rows, row) == rows.end()) rows.push_back(std::move(row));
}

// ---- element types

std::string type_name(std::int32_t type) {
  return onnx::TensorProto::DataType_IsValid(type)
             ? onnx::TensorProto::DataType_Name(static_cast<onnx::TensorProto::DataType>(type))
             : fmt::format("{}", type);
}

/// The element types that cases can have.
std::string known_types() {
  std::vector<std::string> names;
  for (const ElementTypeInfo& row : spec::element_types)
    if (const auto code = static_cast<std::int32_t>(row.type); onnx::TensorProto::DataType_IsValid(code))
      names.push_back(type_name(code));
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_types(Capabilities& capabilities, std::string_view list) {
  for (const std::string& name : split(list)) {
    onnx::TensorProto::DataType type = onnx::TensorProto::UNDEFINED;
    if (!onnx::TensorProto::DataType_Parse(name, &type) || type == onnx::TensorProto::UNDEFINED)
      throw std::invalid_argument(
          fmt::format("unknown element type '{}'; the known types are {}", name, known_types()));
    add_new(capabilities.element_types, static_cast<std::int32_t>(type));
  }
}

std::string types_of(const Capabilities& capabilities) {
  std::vector<std::string> names;
  for (const std::int32_t type : capabilities.element_types) names.push_back(type_name(type));
  return fmt::format("{}", fmt::join(names, ","));
}

// ---- opsets

std::string known_domains() {
  std::vector<std::string> names;
  for (const spec::Opset& row : spec::opsets)
    if (spec::oldest_of(row.domain) == &row)
      names.push_back(fmt::format("{} ({} to {})", row.domain, row.number, spec::newest_of(row.domain)->number));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// "10-21", "13".
OpsetRange range_of(std::string domain, std::string_view numbers) {
  const auto number = [&](std::string_view digits) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 1)
      throw std::invalid_argument(
          fmt::format("'{}:{}' is not an opset range: write '{}:10-21' or '{}:13'", domain, numbers, domain, domain));
    return value;
  };
  const std::size_t dash = std::min(numbers.find('-'), numbers.size());
  OpsetRange range{.domain = domain, .oldest = number(numbers.substr(0, dash)), .newest = 0};
  range.newest = dash < numbers.size() ? number(numbers.substr(dash + 1)) : range.oldest;
  if (range.newest < range.oldest)
    throw std::invalid_argument(fmt::format("'{}:{}': the range ends before it begins", domain, numbers));
  return range;
}

void add_opsets(Capabilities& capabilities, std::string_view list) {
  for (const std::string& row : split(list)) {
    const std::size_t colon = row.find(':');
    std::string domain = row.substr(0, colon);
    if (spec::oldest_of(domain) == nullptr)
      throw std::invalid_argument(
          fmt::format("unknown domain '{}'; the known domains are {}", domain, known_domains()));
    if (colon == std::string::npos)
      throw std::invalid_argument(fmt::format("'{}' has no opsets: write '{}:10-21' or '{}:13'", row, row, row));
    add_new(capabilities.opsets, range_of(std::move(domain), std::string_view(row).substr(colon + 1)));
  }
}

std::string opsets_of(const Capabilities& capabilities) {
  std::vector<std::string> ranges;
  for (const OpsetRange& row : capabilities.opsets) {
    const std::string_view domain = row.domain.empty() ? spec::ai_onnx : std::string_view(row.domain);
    ranges.push_back(row.oldest == row.newest ? fmt::format("{}:{}", domain, row.oldest)
                                              : fmt::format("{}:{}-{}", domain, row.oldest, row.newest));
  }
  return fmt::format("{}", fmt::join(ranges, ","));
}

// ---- all kinds of assumptions

struct Kind {
  std::string_view word;
  std::string_view list;  ///< an example of the text after "="; empty: there is no "="
  std::string_view description;
  void (*add)(Capabilities& capabilities, std::string_view list);
  std::string (*text)(const Capabilities& capabilities);  ///< the text after "="; empty: not limited
};

constexpr std::string_view limited_without_list = "yes";

constexpr std::array kinds{
    Kind{"constant-scales", "", "scale and zero point must be constants",
         [](Capabilities& capabilities, std::string_view) { capabilities.constant_scales_only = true; },
         [](const Capabilities& capabilities) {
           return std::string(capabilities.constant_scales_only ? limited_without_list : "");
         }},
    Kind{"static-shapes", "", "no symbolic dimensions",
         [](Capabilities& capabilities, std::string_view) { capabilities.static_shapes_only = true; },
         [](const Capabilities& capabilities) {
           return std::string(capabilities.static_shapes_only ? limited_without_list : "");
         }},
    Kind{"types", "FLOAT,UINT8,INT8",
         "only these element types of graph inputs, outputs and constants, by their ONNX names", add_types, types_of},
    Kind{"opsets", "ai.onnx:10-21,com.microsoft:1", "only these opsets and domains", add_opsets, opsets_of},
};

std::string form_of(const Kind& kind) {
  return kind.list.empty() ? std::string(kind.word) : fmt::format("{}={}", kind.word, kind.list);
}

}  // namespace

void assume(Capabilities& capabilities, std::string_view text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view word = text.substr(0, equals);
  const auto* kind = std::ranges::find(kinds, word, &Kind::word);
  if (kind == kinds.end()) {
    std::vector<std::string> all;
    for (const Kind& row : kinds) all.push_back(form_of(row));
    throw std::invalid_argument(fmt::format("unknown assumption '{}'; write one of {}", text, fmt::join(all, ", ")));
  }
  const bool has_list = equals + 1 < text.size();
  if (has_list == kind->list.empty() || (kind->list.empty() && equals < text.size()))
    throw std::invalid_argument(fmt::format("'{}': write '{}'", text, form_of(*kind)));
  kind->add(capabilities, has_list ? text.substr(equals + 1) : "");
}

std::vector<std::string> assumptions(const Capabilities& capabilities) {
  std::vector<std::string> texts;
  for (const Kind& kind : kinds)
    if (const std::string list = kind.text(capabilities); !list.empty())
      texts.push_back(kind.list.empty() ? std::string(kind.word) : fmt::format("{}={}", kind.word, list));
  return texts;
}

std::string assumption_forms() {
  std::string text;
  for (const Kind& kind : kinds)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", form_of(kind), kind.description);
  return text;
}

}  // namespace touchstone::conformance
