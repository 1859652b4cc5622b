#include "conformance/diagnose/wrong_graphs.h"

#include <vector>

namespace touchstone::conformance {

std::span<const WrongModel> wrong_graphs() {
  static const std::vector<WrongModel> all = [] {
    std::vector<WrongModel> rows;
    for (const auto part : {wrong_graphs_of_pairs(), wrong_graphs_of_elements(), wrong_graphs_of_products()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

}  // namespace touchstone::conformance
