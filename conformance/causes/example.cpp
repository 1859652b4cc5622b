#include "conformance/causes/example.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "conformance/diagnose/computation.h"
#include "conformance/diagnose/host_arithmetic.h"
#include "conformance/diagnose/hypotheses.h"
#include "conformance/generate/form.h"
#include "conformance/generate/model_builder.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Tensor;

namespace {

/// The limits of cases, of wrong elements of each, and of elements for which all hypotheses are tried.
constexpr std::size_t most_cases = 16;
constexpr std::size_t most_elements = 16;
constexpr std::size_t most_compared = 8;

using Models = std::vector<const WrongModel*>;

/// The computation of the element alone; nothing if it is not known.
std::optional<Node> node_of(const CaseRecord& record, const WrongElement& wrong) {
  if (!record.subject || record.subject.version->domain == spec::opmx || !wrong.x || !wrong.scale) return std::nullopt;
  Node node{.domain = std::string(record.subject.version->domain),
            .op = record.subject.version->op,
            .opset = record.subject.opset,
            .inputs = {},
            .attributes = {}};
  for (const std::optional<ElementCode>& operand : {wrong.x, wrong.scale, wrong.zero_point})
    if (operand) node.inputs.emplace_back(Tensor::from_codes(operand->type, {}, std::vector{operand->code}));
  for (const char* name : {"saturate", "output_dtype", "precision"})
    if (const auto found = record.attributes->find(name); found != record.attributes->end())
      node.attributes.emplace(name, found->second);
  if (const Form* form = find_form(record.form)) node.variable_inputs = variable_inputs(node, *form);
  return node;
}

bool gives(const Models& models, const Node& node, const ElementCode& actual) {
  const auto computed = compute(node, models, {0, node.inputs});
  const auto* y = std::get_if<Tensor>(&computed);
  if (y == nullptr || y->type() != actual.type || y->size() != 1) return false;
  if (y->code(0) == actual.code) return true;
  return !spec::is_integer(actual.type) && std::isnan(host::decode(actual.type, y->code(0))) &&
         std::isnan(host::decode(actual.type, actual.code));
}

}  // namespace

Example example_of(const Cause& cause, std::span<const Cause> causes, std::span<const CaseRecord> records) {
  const std::size_t first = cause.cases.front();
  Example best{first, std::nullopt};
  if (const auto elements = records[first].wrong_elements.unpacked(); !elements.empty())
    best.element = elements.front();
  std::vector<Models> others;
  for (const Cause& other : causes)
    if (!other.name.empty() && other.name != cause.name) others.push_back(find_hypothesis(other.name));
  const Models own = find_hypothesis(cause.name);
  std::optional<std::tuple<bool, bool, std::size_t>> best_score;  // the least is the best
  std::size_t compared = 0;
  for (const std::size_t place : cause.cases | std::views::take(most_cases))
    for (const WrongElement& wrong : records[place].wrong_elements.unpacked() | std::views::take(most_elements)) {
      const std::optional<Node> node = node_of(records[place], wrong);
      if (!node || compared == most_compared) continue;
      const bool is_shared =
          std::ranges::any_of(others, [&](const Models& models) { return gives(models, *node, wrong.actual); });
      const bool is_own = !own.empty() && gives(own, *node, wrong.actual);
      std::tuple<bool, bool, std::size_t> score{is_shared, !is_own, 0};
      if (best_score && std::pair(is_shared, !is_own) > std::pair(get<0>(*best_score), get<1>(*best_score))) continue;
      ++compared;
      for (const WrongModel& model : hypotheses()) {
        if (best_score && score >= *best_score) break;  // more of them only make it worse
        if (gives({&model}, *node, wrong.actual)) ++get<2>(score);
      }
      if (best_score && score >= *best_score) continue;
      best_score = score;
      best = {place, wrong};
    }
  return best;
}

}  // namespace touchstone::conformance
