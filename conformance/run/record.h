// What a run remembers of a case: all that reports are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/verdict.h"
#include "conformance/plan/cell.h"

namespace touchstone::conformance {

/// One element's bit pattern, to be shown in decimal and in hex.
struct ElementCode {
  spec::ElementType type;
  std::uint64_t code;
};

/// An element that came out wrong, with all that it was computed from.
struct WrongElement {
  std::int64_t index;            ///< row-major
  std::optional<ElementCode> x;  ///< these three only where the reference knows the node to be legal
  std::optional<ElementCode> scale;
  std::optional<ElementCode> zero_point;  ///< nothing also where it is absent
  ElementCode expected;
  ElementCode actual;
};

struct CaseRecord {
  std::string id;
  Verdict verdict = Verdict::not_run;
  std::string reason;  ///< one line for people; empty for a pass

  /// What the model is. Nothing where it could not be read.
  struct Subject {
    const spec::OperatorVersion* version;
    int opset;
    spec::ElementType quantized_type;
  };
  std::optional<Subject> subject;
  std::vector<Cell> cells;  ///< the lattice's cells that the data sets touch; none of a node that is not legal
  std::vector<std::string_view> clauses;  ///< ids of those that the case exercises

  std::size_t data_set = 0;                  ///< of the wrong elements
  std::vector<WrongElement> wrong_elements;  ///< the first ones
};

}  // namespace touchstone::conformance
