#include "conformance/causes/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "conformance/generate/form.h"
#include "conformance/graphs/graph_parameters.h"

namespace touchstone::conformance {

namespace {

using Relation = Condition::Relation;

constexpr std::string_view must_reject = "must_reject/";

/// What a generated case tests: "values", "shape", "must_reject/axis". Ids of other suites have no topic.
std::string topic_of(const CaseRecord& record) {
  std::string_view rest = *record.id;
  if (const std::size_t rejected = rest.find(must_reject); rejected != rest.npos) {
    rest.remove_prefix(rejected);
    const std::size_t end = rest.find('/', must_reject.size());
    return std::string(rest.substr(0, end));
  }
  if (record.form.empty()) return "";
  for (const Cell& cell : record.cells) {
    const std::string prefix = to_string(cell) + "/";
    if (!rest.starts_with(prefix)) continue;
    rest.remove_prefix(prefix.size());
    return std::string(rest.substr(0, rest.find('/')));
  }
  return "";
}

/// How a generated model violates its clause: "must_reject/type/scale". Empty if the topic already says this.
std::string violation_of(const CaseRecord& record) {
  const std::string topic = topic_of(record);
  if (!topic.starts_with(must_reject)) return "";
  const std::size_t start = record.id->find(topic);
  const std::size_t slash = start + topic.size();
  if (slash == record.id.size()) return "";
  return std::string(record.id->substr(start, record.id->find('/', slash + 1) - start));
}

/// "a float8 type", "a 4-bit integer type"; empty if the type is the only one of its kind.
std::string family_of(ElementType type) {
  const int bits = spec::info(type).bits;
  if (spec::is_float8(type)) return "a float8 type";
  if (spec::is_integer(type)) return bits <= 16 ? fmt::format("a {}-bit integer type", bits) : "";
  return bits == 6 ? "a float6 type" : "";
}

/// Ranks and axes beyond this are not distinguished. (No generated case has them, but a journal may.)
constexpr std::int64_t largest_axis = 8;

/// The number of elements from which implementations use other code paths, as exponents of 2.
constexpr int first_length = 4, last_length = 16;

/// At most 2^last_length.
std::int64_t elements_of(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t most = std::int64_t{1} << last_length;
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::int64_t elements = 1;
  for (const std::int64_t length : shape) elements = length > most / elements ? most : elements * length;
  return elements;
}

/// Calls add(condition) for each fact that needs no other cases.
template <class Add>
void for_each_fact(const CaseRecord& record, const Add& add) {
  const auto is = [&](Dimension dimension, std::string value) {
    add(Condition{dimension, Relation::is, 0, std::move(value)});
  };
  const auto is_number = [&](Dimension dimension, std::int64_t number) {
    add(Condition{dimension, Relation::is, number, ""});
  };
  const auto is_operand = [&](ElementType type) {
    is(Dimension::operand, std::string(spec::name(type)));
    if (const std::string family = family_of(type); !family.empty()) is(Dimension::family, family);
  };
  if (record.subject) {
    const OperatorVersion& version = *record.subject.version;
    is(Dimension::domain, std::string(version.domain));
    is(Dimension::op, spec::qualified_name(version.domain, version.op));
    // The other domains have one version and one opset.
    if (version.domain == spec::ai_onnx) {
      is_number(Dimension::version, version.since_version);
      is_number(Dimension::opset, record.subject.opset);
    }
    if (record.cells.empty()) is_operand(record.subject.quantized_type);
  }
  if (const std::optional<GraphParameters> parameters = find_graph_parameters(record.id)) {
    const std::string pattern(pattern_of(record.id));
    // Runtimes have other kernels for the operators of com.microsoft.
    const bool is_of_microsoft = pattern.starts_with("ms_") || pattern.find("_ms_") != pattern.npos;
    is(Dimension::domain, std::string(is_of_microsoft ? spec::com_microsoft : spec::ai_onnx));
    is(Dimension::pattern, pattern);
    is_number(Dimension::opset, parameters->opset);
    is_operand(parameters->quantized);
    is_operand(parameters->number);
    is(Dimension::granularity, std::string(spec::name(parameters->granularity)));
    is(Dimension::zero_point, parameters->has_zero_point() ? "present" : "absent");
    if (parameters->is_negative()) is(Dimension::trait, "negative scales");
    if (parameters->scales == Scales::decimal) is(Dimension::trait, "decimal scales");
    if (parameters->has_zero_point() && parameters->zero_points != ZeroPoints::small)
      is(Dimension::trait, fmt::format("{} zero points", name(parameters->zero_points).substr(3)));
    if (parameters->second == Second::scale) is(Dimension::trait, "two scales");
    if (parameters->second == Second::zero_point) is(Dimension::trait, "two zero points");
    if (parameters->second == Second::type) is(Dimension::trait, "two types");
  }
  if (record.must_reject()) is(Dimension::clause, std::string(record.violated->id));
  if (std::string violation = violation_of(record); !violation.empty()) is(Dimension::violation, std::move(violation));
  for (const Cell& cell : record.cells) {
    const auto has_type = [&](Dimension dimension, ElementType type) {
      is(dimension, std::string(spec::name(type)));
      is_operand(type);
      if (const std::string family = family_of(type); !family.empty() && dimension == Dimension::y)
        is(Dimension::y_family, family);
    };
    has_type(Dimension::x, cell.x);
    has_type(Dimension::scale, cell.scale);
    has_type(Dimension::y, cell.y);
    is(Dimension::granularity, std::string(spec::name(cell.granularity)));
    is(Dimension::zero_point, cell.has_zero_point() ? "present" : "absent");
    if (cell.saturate) is(Dimension::saturate, *cell.saturate ? "1" : "0");
    is(Dimension::precision, cell.precision ? std::string(spec::name(*cell.precision)) : "absent");
  }
  if (!record.form.empty()) is(Dimension::form, record.form);
  if (const Form* form = find_form(record.form)) {
    const auto name = [](Source source) { return source == Source::graph_input ? "graph input" : "constant"; };
    is(Dimension::x_source, name(form->x));
    is(Dimension::scale_source, name(form->parameters));
  }
  if (!record.cells.empty()) {
    is_number(Dimension::rank, std::min(static_cast<std::int64_t>(record.shape.size()), largest_axis));
    if (const auto axis = record.attributes->find("axis"); axis != record.attributes.end())
      is_number(Dimension::axis, std::clamp(axis->second, -largest_axis, largest_axis));
    const std::int64_t elements = elements_of(record.shape);
    if (elements == 0) is_number(Dimension::elements, 0);
    for (int exponent = first_length; exponent <= last_length; ++exponent)
      if (const std::int64_t length = std::int64_t{1} << exponent; elements >= length)
        add(Condition{Dimension::elements, Relation::at_least, length, ""});
  }
  if (record.subject)
    for (const spec::Attribute& attribute : record.subject.version->attributes)
      if (const std::string name(attribute.name); record.attributes->contains(name)) is(Dimension::attribute, name);
  if (std::string topic = topic_of(record); !topic.empty()) is(Dimension::topic, std::move(topic));
}

}  // namespace

std::vector<std::size_t> places(const CaseSet& cases) {
  std::vector<std::size_t> all;
  for (std::size_t i = cases.find_first(); i != CaseSet::npos; i = cases.find_next(i)) all.push_back(i);
  return all;
}

PackedCaseSet::PackedCaseSet(const CaseSet& cases) : cases_(cases.size()) {
  for (std::size_t place = cases.find_first(); place != CaseSet::npos; place = cases.find_next(place)) add(place);
}

void PackedCaseSet::add(std::size_t place) {
  if (!bits_.empty()) {
    bits_.set(place);
    return;
  }
  const auto next = static_cast<std::uint32_t>(place) + 1;
  if (!bounds_.empty() && bounds_.back() >= place) {
    bounds_.back() = next;
    return;
  }
  if (constexpr std::size_t bits_per_bound = 32; (bounds_.size() + 2) * bits_per_bound <= cases_) {
    bounds_.insert(bounds_.end(), {next - 1, next});
    return;
  }
  bits_ = unpacked();
  bits_.set(place);
  bounds_ = {};
}

CaseSet PackedCaseSet::unpacked() const {
  if (!bits_.empty()) return bits_;
  CaseSet cases(cases_);
  for (std::size_t i = 0; i < bounds_.size(); i += 2) cases.set(bounds_[i], bounds_[i + 1] - bounds_[i], true);
  return cases;
}

CaseFacts::CaseFacts(std::span<const CaseRecord> records) : cases_(records.size()) {
  std::map<Condition, PackedCaseSet> found;
  for (std::size_t place = 0; place < records.size(); ++place)
    for_each_fact(records[place], [&](const Condition& condition) {
      found.try_emplace(condition, records.size()).first->second.add(place);
    });

  // From each number on, and up to each number.
  using enum Dimension;
  for (const Dimension dimension : {version, opset, rank, axis}) {
    std::vector<std::pair<std::int64_t, const PackedCaseSet*>> numbers;
    for (const auto& [condition, cases] : found)
      if (condition.dimension == dimension) numbers.emplace_back(condition.number, &cases);
    std::map<Condition, PackedCaseSet> ranges;
    const auto add_ranges = [&](Relation relation) {
      CaseSet all(records.size());
      for (const auto& [number, cases] : numbers) {
        all |= cases->unpacked();
        ranges.emplace(Condition{dimension, relation, number, ""}, all);
      }
    };
    add_ranges(Relation::at_most);
    std::ranges::reverse(numbers);
    add_ranges(Relation::at_least);
    found.merge(ranges);
  }

  for (auto& [condition, cases] : found) {
    if (cases.has_all()) continue;  // it distinguishes nothing
    conditions_.push_back(condition);
    meeting_.push_back(std::move(cases));
  }
}

}  // namespace touchstone::conformance
