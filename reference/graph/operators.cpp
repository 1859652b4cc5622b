#include "reference/graph/operators.h"

#include <algorithm>
#include <array>

namespace touchstone::reference {

namespace {

std::array<std::span<const OperatorFunction>, 7> operator_tables() {
  return {movement_operators(),   indexing_operators(),      selection_operators(), arithmetic_operators(),
          activation_operators(), normalization_operators(), conversion_operators()};
}

}  // namespace

std::vector<OperatorFunction> graph_operators() {
  std::vector<OperatorFunction> all;
  for (const auto rows : operator_tables()) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

bool is_movement(const OperatorFunction& function) {
  const auto is_in = [&](std::span<const OperatorFunction> rows) {
    return std::ranges::find(rows, function.compute, &OperatorFunction::compute) != rows.end();
  };
  return function.bound == nullptr && (is_in(movement_operators()) || is_in(indexing_operators()));
}

const OperatorFunction* find_operator_function(std::string_view name, int opset) {
  const OperatorFunction* found = nullptr;
  for (const auto rows : operator_tables())
    for (const OperatorFunction& row : rows)
      if (row.name == name && row.since_version <= opset &&
          (found == nullptr || row.since_version > found->since_version))
        found = &row;
  return found;
}

}  // namespace touchstone::reference
